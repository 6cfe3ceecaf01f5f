#!/bin/sh
# What raidtop needs, and how to tell whether it is there.
#
#   tests/deps.sh missing GROUP...   names the missing packages in one sentence, status 1 if any
#   tests/deps.sh install GROUP...   installs them with apt, as root or through sudo
#
# To need something more, add a line: groups, package in Debian, probe. A probe is a command,
# h:HEADER, pc:MODULE (of pkg-config), or deb: where only the package itself can be asked for.
set -eu
CC=${CC:-cc}
PKG_CONFIG=${PKG_CONFIG:-pkg-config}

table()
{
	cat <<-END
	build           gcc                 $CC
	build           libc6-dev           h:stdio.h
	build           pkg-config          $PKG_CONFIG
	build           libncurses-dev      pc:ncursesw
	build           libudev-dev         pc:libudev
	build           libblkid-dev        pc:blkid
	build           libsensors-dev      h:sensors/sensors.h
	build           liburing-dev        pc:liburing
	build           libjson-c-dev       pc:json-c
	unit            libcmocka-dev       pc:cmocka
	unit            umockdev            umockdev-wrapper
	unit            libumockdev-dev     pc:umockdev-1.0
	unit            xfsprogs            deb:
	unit            btrfs-progs         deb:
	e2e             tmux                tmux
	e2e,vm,lint,bench python3            python3
	e2e             jq                  jq
	e2e             procps              pkill
	e2e             sqlite3             sqlite3
	vm              qemu-system-x86     qemu-system-x86_64
	vm              cpio                cpio
	vm              binutils            readelf
	lint            clang               clang
	lint            clang-format        clang-format
	lint            clang-tidy          clang-tidy
	lint            cppcheck            cppcheck
	lint            shellcheck          shellcheck
	lint            mandoc              mandoc
	bench           sysstat             iostat
	bench           atop                atop
	bench           btop                btop
	bench           strace              strace
	bench           fio                 fio
	END
}

is_there() # PROBE PACKAGE
{
	case $1 in
	h:*) echo "#include <${1#h:}>" | $CC -E -x c - >/dev/null 2>&1 ;;
	pc:*) $PKG_CONFIG --exists "${1#pc:}" 2>/dev/null ;;
	deb:) dpkg-query -W -f '${Status}' "$2" 2>/dev/null | grep -q 'ok installed$' ;;
	*) command -v "${1%% *}" >/dev/null 2>&1 ;;
	esac
}

# The packages of the wanted groups whose probe fails, one a line.
missing() # GROUP...
{
	table | while read -r groups package probe; do
		for group; do
			case ",$groups," in
			*",$group,"*) is_there "$probe" "$package" || echo "$package"; break ;;
			esac
		done
	done
}

# A sentence, not a list of errors: what to do where apt cannot do it for us.
say_and_stop() # PACKAGE...
{
	echo "raidtop: this needs the following packages (Debian's names), please install them: $*" >&2
	exit 1
}

install() # PACKAGE...
{
	command -v apt-get >/dev/null || say_and_stop "$@"
	as_root=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || say_and_stop "$@"
		as_root=sudo
	fi
	echo "raidtop: installing $*"
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q ||
		echo "raidtop: apt-get update failed, trying with the lists as they are" >&2
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
verb=$1
shift
groups=$1
packages=$(missing "$@" | sort -u)
[ -n "$packages" ] || exit 0
# shellcheck disable=SC2086 # one argument each
set -- $packages
case $verb in
missing)
	case $groups in
	build) target=deps ;;
	lint | bench | fuzz) target=deps-dev ;;
	*) target=deps-test ;;
	esac
	echo "raidtop: missing packages: $*; 'make $target' installs them" >&2
	exit 1
	;;
install) install "$@" ;;
*) exit 2 ;;
esac
