# raidtop: `make run` and `make check` do everything, set-up included; README.md tells the rest.
#
# Sources are found by wildcard. A library is a word in PACKAGES (with a .pc file) or LIBRARIES
# (without), and a line in tests/deps.sh; a unit test is a file tests/unit/NAME_test.c.
# Variables honoured: CC CPPFLAGS CFLAGS LDFLAGS PKG_CONFIG PREFIX DESTDIR, DEVELOPER=1 (-Werror),
# BUILD=DIR (objects and program there), V=1 (whole commands), ARGS (of raidtop, for `make run`).

PACKAGES  = ncursesw libudev blkid liburing json-c
LIBRARIES = -lsensors -lm
TEST_PACKAGES = cmocka
MOCK_PACKAGES = umockdev-1.0

CFLAGS    ?= -O2 -g
PKG_CONFIG ?= pkg-config
PREFIX    ?= /usr/local
BUILD     ?= build
# The program lies at the top; that of another build (sanitizers) beside its objects, and finds
# src/data there as well.
PROGRAM   := $(if $(filter build,$(BUILD)),,$(BUILD)/)raidtop

WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 \
	-Wvla -Wundef -Wcast-qual -Wwrite-strings -Wpointer-arith $(if $(DEVELOPER),-Werror)

# Flags that depend on compiler, machine and CFLAGS: each is tried, and left out where refused.
TRY_CFLAGS  = -D_FORTIFY_SOURCE=3 -D_FORTIFY_SOURCE=2 -fstack-protector-strong \
	-fstack-clash-protection -fcf-protection -fPIE
TRY_LDFLAGS = -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed

# ---- what there is ----
# A folder of a layer named after an operating system is built on that system only.
SYSTEMS := linux freebsd netbsd
SYSTEM  := $(shell uname -s | tr A-Z a-z)
LAYERS  := base model provider load sink ui app
OTHER   := $(foreach s,$(filter-out $(SYSTEM),$(SYSTEMS)),$(LAYERS:%=src/%/$s/%))
SOURCES := $(sort $(filter-out $(OTHER),$(wildcard src/*/*.c src/*/*/*.c)))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
MAIN    := $(BUILD)/src/app/main.o
ARCHIVE := $(BUILD)/libraidtop.a

# Test programs of a folder, and what all of them are linked with: its other sources.
tests    = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/$1/*_test.c)))
support  = $(patsubst %.c,$(BUILD)/%.o,$(filter-out %_test.c,$(wildcard tests/$1/*.c)))
UNIT    := $(call tests,unit)
GOLDEN  := $(call tests,golden)
SUPPORT := $(call support,unit) $(call support,golden)

.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run check check-built check-unit check-golden check-e2e check-vm check-asan vm-shell \
	capture lint format bench install uninstall clean deps deps-test deps-dev FORCE
all: $(PROGRAM)

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-4s %s\n' $1 $2)

# ---- set-up ----
DEPS = CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/deps.sh
deps:
	@$(DEPS) install build
deps-test:
	@$(DEPS) install build unit e2e vm
deps-dev:
	@$(DEPS) install build unit lint bench

# Goals that install first, or need nothing installed, do not read the flags.
NO_FLAGS := run check check-asan clean deps deps-test deps-dev format uninstall
ifneq ($(filter-out $(NO_FLAGS),$(or $(MAKECMDGOALS),all)),)
ifeq ($(wildcard $(BUILD)/flags.mk),)
MISSING := $(shell $(DEPS) missing build 2>&1)
$(if $(MISSING),$(error $(MISSING)))
endif
include $(BUILD)/flags.mk
endif

# Rewritten when compiler or flags change, and then everything is compiled again.
$(BUILD)/compiler: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)' | cmp -s - $@ || \
		echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)' >$@

$(BUILD)/flags.mk: Makefile $(BUILD)/compiler
	@$(DEPS) missing build
	@try() { printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | \
		$(CC) -Werror $(CPPFLAGS) $(CFLAGS) $$* $(LDFLAGS) -x c - -o $@.try 2>/dev/null; }; \
	c=; l=; \
	for f in $(TRY_CFLAGS); do try $$c $$f && c="$$c $$f"; done; \
	for f in $(TRY_LDFLAGS); do try $$c $$l $$f && l="$$l $$f"; done; \
	{ echo "HARDEN_CFLAGS := $$c"; \
	  echo "HARDEN_LDFLAGS := $$l"; \
	  echo "PACKAGE_CFLAGS := $$($(PKG_CONFIG) --cflags $(PACKAGES))"; \
	  echo "PACKAGE_LIBS := $$($(PKG_CONFIG) --libs $(PACKAGES))"; \
	} >$@.tmp && rm -f $@.try && mv $@.tmp $@

# ---- the program ----
DEFINES = -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
FLAGS   = -std=c17 -Iinclude -Isrc $(DEFINES) $(PACKAGE_CFLAGS) $(CPPFLAGS) $(WARNINGS)
COMPILE = $(CC) $(FLAGS) $(HARDEN_CFLAGS) $(CFLAGS)
LIBS    = $(PACKAGE_LIBS) $(LIBRARIES)

$(BUILD)/%.o: %.c $(BUILD)/flags.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

# The one file that knows where its data are installed.
DATADIR = $(PREFIX)/share/raidtop
$(BUILD)/src/app/demo.o: DEFINES += -DRAIDTOP_DATA_DIR='"$(DATADIR)"'
$(BUILD)/src/app/demo.o: $(BUILD)/prefix
$(BUILD)/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' >$@

# Made anew each time, so that a source that went away leaves no member behind.
$(ARCHIVE): $(filter-out $(MAIN),$(OBJECTS))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(PROGRAM): $(MAIN) $(ARCHIVE)
	$(call say,LINK,$@)
	$(Q)$(CC) $(HARDEN_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
	@[ $@ = raidtop ] || ln -sfn '$(abspath src/data)' $(BUILD)/src/data

-include $(OBJECTS:.o=.d) $(UNIT:=.d) $(GOLDEN:=.d) $(SUPPORT:.o=.d)

# A second make, because the first has looked for libraries before they were installed.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))
run:
	@$(DEPS) install build
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@./$(PROGRAM) $(ARGS)

# ---- tests: each suite prints `N passed, N failed, N skipped` last, tests/check adds them up ----
SUITES ?= unit golden e2e guest
GUEST  ?= --short
CHECK   = BUILD='$(BUILD)' RAIDTOP='$(abspath $(PROGRAM))' GUEST='$(GUEST)' tests/check

check:
	@$(DEPS) install build unit e2e vm
	@$(MAKE) --no-print-directory $(PARALLEL) check-built
check-built: $(PROGRAM) $(UNIT) $(GOLDEN)
	@$(CHECK) $(SUITES)
check-unit: $(UNIT)
	@$(CHECK) unit
check-golden: $(GOLDEN)
	@$(CHECK) golden
check-e2e: $(PROGRAM)
	@$(DEPS) missing e2e
	@$(CHECK) e2e
check-vm: GUEST = $(or $(CASE),--all)
check-vm: $(PROGRAM)
	@$(DEPS) missing vm
	@$(CHECK) guest

# gcc's sanitizers must be linked statically: umockdev's preload does not go with the shared ones.
# Without _FORTIFY_SOURCE, whose functions they do not watch.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
STATIC_SANITIZE = $(if $(findstring clang,$(shell $(CC) --version)),,-static-libasan \
	-static-libubsan)
check-asan: SUITES = unit golden e2e
check-asan:
	@$(DEPS) missing unit e2e
	@$(MAKE) --no-print-directory $(PARALLEL) check-built BUILD=build/asan SUITES='$(SUITES)' \
		CFLAGS='-O1 -g -U_FORTIFY_SOURCE -fno-omit-frame-pointer $(SANITIZE)' \
		LDFLAGS='$(STATIC_SANITIZE)'

$(BUILD)/tests-found: tests/deps.sh $(BUILD)/flags.mk
	@$(DEPS) missing unit
	@touch $@

# Only what plays with a fake machine (NAME_mock_test.c) is linked to umockdev, and run under it.
# Foreign headers are not ours to warn of.
pkg = $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) $1 $(TEST_PACKAGES) \
	$(if $(findstring _mock_test,$2),$(MOCK_PACKAGES))))
$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags.mk $(BUILD)/tests-found
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -Itests $(call pkg,--cflags,$<) -MMD -MP -c -o $@ $<
$(UNIT): $(call support,unit)
$(GOLDEN): $(call support,golden)
$(UNIT) $(GOLDEN): %: %.o $(ARCHIVE)
	$(call say,LINK,$@)
	$(Q)$(CC) $(HARDEN_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(ARCHIVE) $(LIBS) \
		$(call pkg,--libs,$@)

# ---- the guest, measurements, style ----
vm-shell: $(PROGRAM)
	@$(DEPS) missing vm
	@tests/vm/shell
capture: $(PROGRAM)
	@$(DEPS) missing vm
	@tests/vm/capture
bench: $(PROGRAM)
	@$(DEPS) missing bench
	@BUILD='$(BUILD)' CC='$(CC)' RAIDTOP='$(abspath $(PROGRAM))' tests/bench/run

FORMATTED = $(wildcard src/*/*.[ch] src/*/*/*.[ch] include/raidtop/*.h tests/*/*.[ch])
lint:
	@$(DEPS) missing lint unit
	@FLAGS='$(FLAGS)' TEST_FLAGS='-Itests $(call pkg,--cflags,_mock_test)' SOURCES='$(SOURCES)' \
		tests/lint/run $(ONLY)
format:
	$(Q)clang-format -i $(FORMATTED)

# ---- installation ----
BINDIR = $(DESTDIR)$(PREFIX)/bin
MANDIR = $(DESTDIR)$(PREFIX)/share/man/man1
DATA   = $(wildcard src/data/*.csv)
install: $(PROGRAM)
	install -d '$(BINDIR)' '$(MANDIR)' '$(DESTDIR)$(DATADIR)'
	install -m 755 $(PROGRAM) '$(BINDIR)/raidtop'
	install -m 644 raidtop.1 '$(MANDIR)/raidtop.1'
	$(if $(DATA),install -m 644 $(DATA) '$(DESTDIR)$(DATADIR)')
uninstall:
	rm -f '$(BINDIR)/raidtop' '$(MANDIR)/raidtop.1'
	rm -rf '$(DESTDIR)$(DATADIR)'

clean:
	rm -rf build raidtop
