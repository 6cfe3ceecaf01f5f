/* Named fields: each to text and back, what is refused, and that the table is sound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/fields.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define GOOD 0
#define BAD (-EINVAL)

static struct device *device;
static struct topology topology;

static int set_up(void **state)
{
	(void)state;
	topology_init(&topology);
	device = topology_add_array(&topology, "md0");
	array_add_member(device->array, "sda1");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	topology_release(&topology);
	return 0;
}

static void *owner_of(const struct field *f)
{
	return f->owner == FIELD_OF_MEMBER ? device->array->members
					   : field_owner_of(f->owner, device);
}

static const struct parse_case {
	enum field_owner owner;
	const char *key, *text;
	int r;
	const char *back; /* NULL: unknown */
} cases[] = {
	{ FIELD_OF_DISK, "model", "WDC WD5000AAKS  ", GOOD, "WDC WD5000AAKS  " },
	{ FIELD_OF_DISK, "model", "\x1b[2J", GOOD, "\x1b[2J" },
	{ FIELD_OF_DISK, "model", "", GOOD, NULL },
	{ FIELD_OF_DISK, "transport", "123456789012345", GOOD, "123456789012345" },
	{ FIELD_OF_DISK, "transport", "1234567890123456", BAD, NULL },
	{ FIELD_OF_DEVICE, "size_bytes", "500107862016", GOOD, "500107862016" },
	{ FIELD_OF_DEVICE, "size_bytes", "0", GOOD, "0" },
	{ FIELD_OF_DEVICE, "size_bytes", "", GOOD, NULL },
	{ FIELD_OF_DEVICE, "size_bytes", "18446744073709551614", GOOD, "18446744073709551614" },
	{ FIELD_OF_DEVICE, "size_bytes", "18446744073709551615", BAD, NULL },
	{ FIELD_OF_DEVICE, "size_bytes", "-1", BAD, NULL },
	{ FIELD_OF_DEVICE, "size_bytes", "1.5", BAD, NULL },
	{ FIELD_OF_DEVICE, "size_bytes", " 1", BAD, NULL },
	{ FIELD_OF_DEVICE, "device_kind", "partition", GOOD, "partition" },
	{ FIELD_OF_DEVICE, "device_kind", "", BAD, NULL },
	{ FIELD_OF_DEVICE, "device_kind", "disc", BAD, NULL },
	{ FIELD_OF_DEVICE, "minor_interest", "true", GOOD, "true" },
	{ FIELD_OF_DEVICE, "minor_interest", "false", GOOD, "false" },
	{ FIELD_OF_DEVICE, "minor_interest", "", BAD, NULL },
	{ FIELD_OF_DEVICE, "counts_io", "false", GOOD, "false" },
	{ FIELD_OF_DEVICE, "counts_io", "true", GOOD, "true" },
	{ FIELD_OF_DEVICE, "counts_io", "", GOOD, NULL },
	{ FIELD_OF_DEVICE, "counts_io", "True", BAD, NULL },
	{ FIELD_OF_DEVICE, "counts_io", "1", BAD, NULL },
	{ FIELD_OF_DISK, "temperature_c", "38.4", GOOD, "38.4" },
	{ FIELD_OF_DISK, "temperature_c", "-0.5", GOOD, "-0.5" },
	{ FIELD_OF_DISK, "temperature_c", "38.45", GOOD, "38.5" },
	{ FIELD_OF_DISK, "temperature_c", "-38.45", GOOD, "-38.5" },
	{ FIELD_OF_DISK, "temperature_c", "38", GOOD, "38.0" },
	{ FIELD_OF_DISK, "temperature_c", "", GOOD, NULL },
	{ FIELD_OF_DISK, "temperature_c", "2147483.648", BAD, NULL },
	{ FIELD_OF_DISK, "temperature_c", "2147483.647", GOOD, "2147483.6" },
	{ FIELD_OF_DISK, "temperature_c", "-2147483.648", BAD, NULL },
	{ FIELD_OF_DISK, "temperature_c", "99999999999999999999", BAD, NULL },
	{ FIELD_OF_DISK, "temperature_c", "38 C", BAD, NULL },
	{ FIELD_OF_DISK, "temperature_max_c", "84.85", GOOD, "84.9" },
	{ FIELD_OF_DISK, "temperature_crit_c", "", GOOD, NULL },
	{ FIELD_OF_DISK, "asleep", "true", GOOD, "true" },
	{ FIELD_OF_DISK, "asleep", "maybe", BAD, NULL },
	{ FIELD_OF_ARRAY, "state", "broken", GOOD, "broken" },
	{ FIELD_OF_ARRAY, "state", "", GOOD, NULL },
	{ FIELD_OF_ARRAY, "state", "clean", BAD, NULL },
	{ FIELD_OF_ARRAY, "readonly", "auto-read-only", GOOD, "auto-read-only" },
	{ FIELD_OF_ARRAY, "readonly", "", GOOD, NULL },
	{ FIELD_OF_ARRAY, "action", "recovery", GOOD, "recovery" },
	{ FIELD_OF_ARRAY, "action", "", GOOD, NULL },
	{ FIELD_OF_ARRAY, "action_state", "stalled", GOOD, "stalled" },
	{ FIELD_OF_ARRAY, "action_state", "", GOOD, NULL }, /* it runs, or there is none */
	{ FIELD_OF_ARRAY, "action_state", "running", BAD, NULL },
	{ FIELD_OF_ARRAY, "slots", "UU_", GOOD, "UU_" },
	{ FIELD_OF_ARRAY, "raid_disks_before", "4", GOOD, "4" },
	{ FIELD_OF_MEMBER, "slot", "-1", GOOD, "-1" },
	{ FIELD_OF_MEMBER, "slot", "2147483647", GOOD, "2147483647" },
	{ FIELD_OF_MEMBER, "slot", "2147483648", BAD, NULL },
	{ FIELD_OF_MEMBER, "slot", "-2147483648", BAD, NULL },
	{ FIELD_OF_MEMBER, "slot", "1.0", BAD, NULL },
	{ FIELD_OF_MEMBER, "slot", "", GOOD, NULL },
	{ FIELD_OF_MEMBER, "flags", "W,F", GOOD, "W,F" },
	{ FIELD_OF_MEMBER, "flags", "R,S,F,J,W", GOOD, "W,J,F,S,R" },
	{ FIELD_OF_MEMBER, "flags", "", GOOD, "" },
	{ FIELD_OF_MEMBER, "flags", "W,", BAD, NULL },
	{ FIELD_OF_MEMBER, "flags", ",W", BAD, NULL },
	{ FIELD_OF_MEMBER, "flags", "WF", BAD, NULL },
	{ FIELD_OF_MEMBER, "flags", "X", BAD, NULL },
	{ FIELD_OF_MEMBER, "flags", ",", BAD, NULL },
	{ FIELD_OF_MEMBER, "state", "in_sync", GOOD, "in_sync" },
	{ FIELD_OF_MEMBER, "state", "in sync", BAD, NULL },
};

static void values_there_and_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct parse_case *c = &cases[i];
		const struct field *f = field_find(c->owner, c->key, strlen(c->key));
		char before[FIELD_VALUE_BYTES], after[FIELD_VALUE_BYTES];
		bool known;

		print_message("  %s '%s'\n", c->key, c->text);
		assert_non_null(f);
		known = field_format(f, owner_of(f), before, sizeof(before));
		assert_int_equal(field_parse(f, owner_of(f), c->text, strlen(c->text)), c->r);
		if (c->r == GOOD) {
			assert_int_equal(field_format(f, owner_of(f), after, sizeof(after)),
					 c->back != NULL);
			assert_string_equal(after, c->back ? c->back : "");
		} else {
			assert_int_equal(field_format(f, owner_of(f), after, sizeof(after)), known);
			assert_string_equal(after, before);
		}
	}
}

static void zero_bytes_are_no_text(void **state)
{
	const struct field *f = field_find(FIELD_OF_DISK, "serial", 6);

	(void)state;
	assert_int_equal(field_parse(f, &device->disk, "a\0b", 3), BAD);
	assert_string_equal(device->disk.serial, "");
	assert_int_equal(field_parse(f, &device->disk, "abc", 2), GOOD);
	assert_string_equal(device->disk.serial, "ab");
}

static size_t size_of_owner(enum field_owner owner)
{
	switch (owner) {
	case FIELD_OF_DEVICE:
		return sizeof(struct device);
	case FIELD_OF_DISK:
		return sizeof(struct disk);
	case FIELD_OF_ARRAY:
		return sizeof(struct array);
	case FIELD_OF_MEMBER:
		return sizeof(struct member);
	}
	return 0;
}

/* In a recording a device's fields have one name space, whatever struct they lie in. */
static void no_key_means_two_things(void **state)
{
	(void)state;
	for (size_t a = 0; a < n_fields; a++) {
		assert_ptr_equal(field_find(fields[a].owner, fields[a].key, strlen(fields[a].key)),
				 &fields[a]);
		assert_true(fields[a].offset + fields[a].size <= size_of_owner(fields[a].owner));
		assert_true(fields[a].type != FIELD_TEXT || fields[a].size > 1);
		assert_true(fields[a].type != FIELD_WORD ||
			    (fields[a].word && fields[a].words > 1));
		for (size_t b = a + 1; b < n_fields; b++)
			if ((fields[a].owner == FIELD_OF_MEMBER) ==
			    (fields[b].owner == FIELD_OF_MEMBER))
				assert_string_not_equal(fields[a].key, fields[b].key);
	}
	assert_null(field_find(FIELD_OF_DISK, "chunk_bytes", 11));
	assert_null(field_find(FIELD_OF_DISK, "mode", 4));
	assert_null(field_find(FIELD_OF_DISK, "model ", 6));
	assert_null(field_find(FIELD_OF_DISK, "", 0));
}

/* The whole enum has words, and no more. */
static void words_are_counted_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fields; i++) {
		if (fields[i].type != FIELD_WORD)
			continue;
		print_message("  %s\n", fields[i].key);
		assert_non_null(fields[i].word(fields[i].words - 1));
		assert_null(fields[i].word(fields[i].words));
		assert_null(fields[i].word(-1));
	}
}

static void all_but_moving_and_known_start_unknown(void **state)
{
	static const char *const known[] = { "name", "kernel_name", "device_kind", "minor_interest",
					     "flags" };
	(void)state;
	for (size_t i = 0; i < n_fields; i++) {
		char text[FIELD_VALUE_BYTES];
		bool expected = false;

		for (size_t k = 0; k < COUNT(known); k++)
			expected = expected || strcmp(known[k], fields[i].key) == 0;
		print_message("  %s\n", fields[i].key);
		assert_int_equal(field_format(&fields[i], owner_of(&fields[i]), text, sizeof(text)),
				 expected);
		assert_true(expected || text[0] == '\0');
	}
}

/* A list line of an array, as promised in raidtop.1. */
static void the_list_has_its_order(void **state)
{
	static const char array_keys[] =
		"name kind level layout state readonly size_bytes chunk_bytes metadata raid_disks "
		"working degraded slots bitmap uuid alias consistency_policy frozen "
		"raid_disks_before mismatch_count stripe_cache_size stripe_cache_active spares "
		"container container_volume bitmap_location bitmap_chunk_bytes journal_mode "
		"sync_min_bytes_per_sec sync_max_bytes_per_sec sync_min_is_local "
		"sync_max_is_local reshape_position_bytes ";
	static const char disk_keys[] = "name model serial firmware size_bytes rotational "
					"transport temperature_c temperature_max_c "
					"temperature_crit_c temperature_why asleep ";
	static const char member_keys[] = "name slot role flags state ";
	struct buffer keys[4] = { BUFFER_INIT, BUFFER_INIT, BUFFER_INIT, BUFFER_INIT };

	(void)state;
	for (size_t i = 0; i < n_fields; i++) {
		const struct field *f = &fields[i];

		for (int owner = FIELD_OF_DISK; f->in_list && owner <= FIELD_OF_MEMBER; owner++)
			if ((int)f->owner == owner ||
			    (f->owner == FIELD_OF_DEVICE && owner != FIELD_OF_MEMBER))
				buffer_format(&keys[owner], "%s ", f->key);
	}
	assert_string_equal(buffer_text(&keys[FIELD_OF_ARRAY]), array_keys);
	assert_string_equal(buffer_text(&keys[FIELD_OF_DISK]), disk_keys);
	assert_string_equal(buffer_text(&keys[FIELD_OF_MEMBER]), member_keys);
	for (size_t i = 0; i < COUNT(keys); i++)
		buffer_release(&keys[i]);
}

static void equality_is_of_the_value(void **state)
{
	static const struct member one = { .name = "sda1\0old", .slot = 1, .flags = 1 };
	static const struct member same = { .name = "sda1", .slot = 1, .flags = 1 };
	static const struct member other = {
		.name = "sda2", .slot = UNKNOWN_I32, .flags = 3, .role = 1, .state = MEMBER_SPARE
	};

	(void)state;
	for (size_t i = 0; i < n_fields; i++) {
		if (fields[i].owner != FIELD_OF_MEMBER)
			continue;
		print_message("  %s\n", fields[i].key);
		assert_true(field_equal(&fields[i], &one, &same));
		assert_false(field_equal(&fields[i], &one, &other));
	}
}

static void a_disk_has_no_array(void **state)
{
	struct device *disk = topology_add_device(&topology, DEVICE_DISK, "sda");

	(void)state;
	assert_null(field_owner_of(FIELD_OF_ARRAY, disk));
	assert_ptr_equal(field_owner_of(FIELD_OF_DISK, disk), &disk->disk);
	assert_ptr_equal(field_owner_of(FIELD_OF_DEVICE, disk), disk);
	assert_null(field_owner_of(FIELD_OF_MEMBER, disk));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(values_there_and_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(zero_bytes_are_no_text, set_up, tear_down),
		cmocka_unit_test(no_key_means_two_things),
		cmocka_unit_test(words_are_counted_right),
		cmocka_unit_test_setup_teardown(all_but_moving_and_known_start_unknown, set_up,
						tear_down),
		cmocka_unit_test(the_list_has_its_order),
		cmocka_unit_test(equality_is_of_the_value),
		cmocka_unit_test_setup_teardown(a_disk_has_no_array, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("fields", tests, NULL, NULL);
}
