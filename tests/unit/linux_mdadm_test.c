/*
 * What the provider says of each captured array, against what mdadm said of it on the machine: a
 * witness that shares no code with us. Its --detail is read line by line; containers are left out,
 * of which it tells other things.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_files.h"
#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The value behind "   KEY : "; "" where there is none. */
static void detail_value(const char *detail, const char *key, char *dst, size_t size)
{
	char mark[64];
	const char *at;

	text_format(mark, sizeof(mark), " %s : ", key);
	at = strstr(detail, mark);
	dst[0] = '\0';
	if (!at && strncmp(key, "Consistency", 11) == 0) { /* not indented */
		text_format(mark, sizeof(mark), "\n%s : ", key);
		at = strstr(detail, mark);
	}
	if (at) {
		char line[256];

		at += strlen(mark);
		text_copy_n(line, sizeof(line), at, strcspn(at, "\n"));
		text_clean(dst, size, line);
	}
}

static uint64_t detail_number(const char *detail, const char *key)
{
	uint64_t value = UNKNOWN_U64;
	char text[128];

	detail_value(detail, key, text, sizeof(text));
	(void)number_parse_u64(text, strcspn(text, " K"), &value);
	return value;
}

/* ---- the array ---- */

/* "near=2" is our n2; levels without a layout have "-unknown-" or none. */
static void expect_layout(const char *detail, char *dst, size_t size)
{
	char text[64];

	detail_value(detail, "Layout", text, sizeof(text));
	if (strchr(text, '='))
		text_format(dst, size, "%c%s", text[0], strchr(text, '=') + 1);
	else
		text_copy(dst, size, strcmp(text, "-unknown-") == 0 ? "" : text);
}

static void check_array(const struct device *d, const char *detail)
{
	const struct array *a = d->array;
	char text[128];
	uint64_t chunk_kib = detail_number(detail, "Chunk Size");

	detail_value(detail, "Raid Level", text, sizeof(text));
	assert_string_equal(a->level, text);
	assert_int_equal(a->raid_disks, detail_number(detail, "Raid Devices"));
	assert_int_equal(d->size_bytes, detail_number(detail, "Array Size") * 1024);
	assert_int_equal(a->chunk_bytes, chunk_kib == UNKNOWN_U64 ? chunk_kib : chunk_kib * 1024);
	expect_layout(detail, text, sizeof(text));
	assert_string_equal(a->layout, text);
	detail_value(detail, "Consistency Policy", text, sizeof(text));
	assert_string_equal(a->consistency_policy, text);
	detail_value(detail, "UUID", text, sizeof(text));
	text[strcspn(text, " ")] = '\0';                          /* "(local to host rig)" */
	if (text[0] && strncmp(a->metadata, "external:", 9) != 0) /* that of a volume is not md's */
		assert_string_equal(a->uuid, text);
	detail_value(detail, "Version", text, sizeof(text));
	if (text[0])
		assert_string_equal(a->metadata, text);
}

/*
 * mdadm does not wait for md to notice that a disk was pulled, as we do not in showing that the
 * member has no device. A raid0 has no count of what it lacks.
 */
static bool lacks_something(const struct array *a)
{
	for (size_t i = 0; i < a->n_members; i++)
		if (a->members[i].state == MEMBER_IN_SYNC && a->members[i].device == NO_SLOT)
			return true;
	return a->degraded != UNKNOWN_U64 && a->degraded > 0;
}

/* mdadm's words for what the array does; the rest of its state line is about writes. */
static void check_state(const struct array *a, const char *detail)
{
	static const struct {
		const char *word;
		enum action_kind kind;
		enum action_state state;
	} words[] = {
		{ "resyncing (DELAYED)", ACTION_RESYNC, ACTION_DELAYED },
		{ "resyncing (PENDING)", ACTION_RESYNC, ACTION_PENDING },
		{ "resyncing", ACTION_RESYNC, ACTION_RUNNING },
		{ "recovering", ACTION_RECOVERY, ACTION_RUNNING },
		{ "checking", ACTION_CHECK, ACTION_RUNNING },
		{ "reshaping", ACTION_RESHAPE, ACTION_RUNNING },
	};
	char text[128];
	size_t i;

	detail_value(detail, "State", text, sizeof(text));
	assert_int_equal(lacks_something(a), strstr(text, "degraded") || strstr(text, "FAILED"));
	for (i = 0; i < COUNT(words) && !strstr(text, words[i].word); i++)
		continue;
	if (i == COUNT(words)) {
		assert_int_equal(a->action.kind, ACTION_NONE);
		return;
	}
	/* mdadm asks mdstat, which calls a repair a resync. */
	if (a->action.kind != ACTION_REPAIR)
		assert_int_equal(a->action.kind, words[i].kind);
	assert_int_equal(a->action.state, words[i].state);
}

/* ---- members ---- */

static enum member_state expect_state(const char *words)
{
	static const struct {
		const char *word;
		enum member_state state;
	} states[] = {
		{ "active sync", MEMBER_IN_SYNC }, { "spare rebuilding", MEMBER_REBUILDING },
		{ "spare", MEMBER_SPARE },         { "faulty", MEMBER_FAULTY },
		{ "journal", MEMBER_JOURNAL },     { "removed", MEMBER_MISSING },
	};

	for (size_t i = 0; i < COUNT(states); i++)
		if (strstr(words, states[i].word))
			return states[i].state;
	fail_msg("mdadm says '%s' of a member", words);
	return MEMBER_STATE_UNKNOWN;
}

/* "-" or a number; moves behind it. */
static int32_t next_number(const char **at)
{
	uint64_t value = UNKNOWN_U64;
	const char *begin = *at + strspn(*at, " ");

	*at = begin + strcspn(begin, " ");
	(void)number_parse_u64(begin, (size_t)(*at - begin), &value);
	return value == UNKNOWN_U64 ? UNKNOWN_I32 : (int32_t)value;
}

static const struct member *find_member(const struct array *a, int32_t number, int32_t role,
					enum member_state state)
{
	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *m = &a->members[i];

		if (m->state == state && m->role == role && m->slot == number)
			return m;
	}
	return NULL;
}

/* "   0     254        0        0      active sync   /dev/vda" */
static void check_member(const struct topology *t, const struct array *a, const char *line)
{
	const char *at = line;
	int32_t number = next_number(&at), major = next_number(&at), minor = next_number(&at);
	int32_t role = next_number(&at);
	const struct member *m = find_member(a, number, role, expect_state(at));
	const char *dev = strstr(at, "/dev/");

	if (!m)
		fail_msg("no member of ours is this: %s", line);
	else if (dev && strncmp(dev, "/dev/md/", 8) != 0)
		assert_string_equal(m->name, dev + 5);
	if (dev)
		assert_int_equal(m->device,
				 topology_find_number(t, (uint32_t)major, (uint32_t)minor));
	else
		assert_int_equal(m->device, NO_SLOT);
	if (strstr(at, "writemostly"))
		assert_true(m && m->flags & MEMBER_FLAG_WRITE_MOSTLY);
}

static size_t check_members(const struct topology *t, const struct array *a, const char *detail)
{
	const char *at = strstr(detail, "RaidDevice State");
	size_t n = 0;

	assert_non_null(at);
	for (at = strchr(at, '\n'); at && *at; at += *at == '\n') {
		char line[256];

		text_copy_n(line, sizeof(line), at, strcspn(at, "\n"));
		at += strcspn(at, "\n");
		if (!line[strspn(line, " ")])
			continue;
		check_member(t, a, line);
		n++;
	}
	assert_int_equal(a->n_members, n);
	return n;
}

/* ---- all captures ---- */

static bool read_detail(const char *capture, const char *array, struct buffer *detail)
{
	char path[PATH_MAX];

	text_format(path, sizeof(path), CAPTURES "/%s/mdadm-detail.%s", capture, array);
	return file_read(path, 1 << 20, detail) == 0;
}

static size_t check_capture(const char *capture)
{
	struct buffer detail = BUFFER_INIT;
	struct machine_files m;
	struct provider *p;
	struct topology t;
	size_t checked = 0;

	assert_true(machine_unpack(&m, capture));
	p = machine_provider(&m);
	machine_survey(p, &t);
	for (size_t i = 0; i < t.n_devices; i++) {
		const struct device *d = t.devices[i];

		if (!d->array || !read_detail(capture, d->kernel_name, &detail) ||
		    strstr(buffer_text(&detail), "Raid Level : container") ||
		    strstr(buffer_text(&detail), "State : inactive"))
			continue;
		print_message("  %s %s\n", capture, d->kernel_name);
		check_array(d, detail.data);
		check_state(d->array, detail.data);
		check_members(&t, d->array, detail.data);
		checked++;
	}
	buffer_release(&detail);
	topology_release(&t);
	provider_free(p);
	machine_remove(&m);
	return checked;
}

static void as_mdadm_says(void **state)
{
	size_t checked = 0, n;
	char **names;

	(void)state;
	n = machine_captures(&names);
	if (n == 0)
		skip();
	for (size_t i = 0; i < n; i++)
		checked += check_capture(names[i]);
	machine_captures_free(names, n);
	print_message("  %zu arrays\n", checked);
	assert_true(checked > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_mdadm_says) };

	return cmocka_run_group_tests_name("linux and mdadm", tests, NULL, NULL);
}
