/* What is said of an array beside its level and state: phrase by phrase, and when nothing is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "raidtop/array_facts.h"
#include "raidtop/text.h"

#define U UNKNOWN_U64
#define KIB UINT64_C(1024)

static void set_level(struct array *a, const char *level)
{
	text_copy(a->level, sizeof(a->level), level);
}

static void volume(struct array *a)
{
	text_copy(a->container, sizeof(a->container), "md127");
	a->container_volume = 1;
}

static void reshape(struct array *a)
{
	a->raid_disks = 6;
	a->raid_disks_before = 4;
	a->action.kind = ACTION_RESHAPE;
	a->reshape_position_bytes = 1200000000;
}

/* What sysfs tells of an array that is not reshaped, but was stopped in the midst of it. */
static void position_without_reshape(struct array *a)
{
	a->reshape_position_bytes = 1200000000;
}

static void one_spare(struct array *a)
{
	a->spares = 1;
}

static void two_spares(struct array *a)
{
	a->spares = 2;
}

static void no_spare(struct array *a)
{
	a->spares = 0;
}

static void journal(struct array *a)
{
	text_copy(a->journal_mode, sizeof(a->journal_mode), "write-back");
}

static void partial_parity(struct array *a)
{
	text_copy(a->consistency_policy, sizeof(a->consistency_policy), "ppl");
}

static void other_policy(struct array *a)
{
	text_copy(a->consistency_policy, sizeof(a->consistency_policy), "resync");
}

static void bitmap(struct array *a)
{
	a->bitmap = TRUTH_YES;
	text_copy(a->bitmap_location, sizeof(a->bitmap_location), "internal");
	a->bitmap_chunk_bytes = 65536 * KIB;
}

static void bitmap_somewhere(struct array *a)
{
	a->bitmap = TRUTH_YES;
}

static void no_bitmap(struct array *a)
{
	a->bitmap = TRUTH_NO;
}

static void stripe_cache(struct array *a)
{
	a->stripe_cache_size = 256;
	a->stripe_cache_active = 300; /* it grows when there is need */
}

static void stripe_cache_size(struct array *a)
{
	a->stripe_cache_size = 256;
}

static void system_limits(struct array *a)
{
	a->sync_min_bytes_per_sec = 1000 * KIB;
	a->sync_max_bytes_per_sec = 200000 * KIB;
	a->sync_min_is_local = a->sync_max_is_local = TRUTH_NO;
}

static void limits_at_work(struct array *a)
{
	system_limits(a);
	a->action.kind = ACTION_CHECK;
}

static void a_local_limit(struct array *a)
{
	system_limits(a);
	a->sync_max_is_local = TRUTH_YES;
}

static void one_known_limit(struct array *a)
{
	a->action.kind = ACTION_CHECK;
	a->sync_max_bytes_per_sec = 2000000;
}

static void a_mismatch_of(struct array *a, const char *level)
{
	set_level(a, level);
	a->mismatch_count = 128;
}

static void raid1_mismatches(struct array *a)
{
	a_mismatch_of(a, "raid1");
}

static void raid10_mismatches(struct array *a)
{
	a_mismatch_of(a, "raid10");
}

static void raid5_mismatches(struct array *a)
{
	a_mismatch_of(a, "raid5");
}

static void one_mismatch(struct array *a)
{
	a->mismatch_count = 1;
}

static void no_mismatch(struct array *a)
{
	a_mismatch_of(a, "raid6");
	a->mismatch_count = 0;
}

static const struct phrase_case {
	const char *name;
	enum array_fact which;
	void (*set)(struct array *a);
	const char *phrase;
} cases[] = {
	{ "a volume", ARRAY_FACT_VOLUME, volume, "volume 1 of md127" },
	{ "BUGS.md 11, WISHES.md 21: both numbers", ARRAY_FACT_DISKS, reshape, "6 (4) disks" },
	{ "how far", ARRAY_FACT_RESHAPE, reshape, "reshape at 1.20 GB" },
	{ "no reshape", ARRAY_FACT_RESHAPE, position_without_reshape, "" },
	{ "a spare", ARRAY_FACT_SPARES, one_spare, "1 spare" },
	{ "WISHES.md 12: spares apart", ARRAY_FACT_SPARES, two_spares, "2 spares" },
	{ "BUGS.md 24: no spare", ARRAY_FACT_SPARES, no_spare, "" },
	{ "a journal", ARRAY_FACT_JOURNAL, journal, "journal write-back" },
	{ "ppl", ARRAY_FACT_POLICY, partial_parity, "partial parity log" },
	{ "resync goes without saying", ARRAY_FACT_POLICY, other_policy, "" },
	{ "a bitmap", ARRAY_FACT_BITMAP, bitmap, "bitmap internal by 65536K" },
	{ "a bitmap of which no more is known", ARRAY_FACT_BITMAP, bitmap_somewhere, "bitmap" },
	{ "no bitmap", ARRAY_FACT_BITMAP, no_bitmap, "" },
	{ "the cache's use", ARRAY_FACT_STRIPE_CACHE, stripe_cache, "stripe cache 300 of 256" },
	{ "its use unknown", ARRAY_FACT_STRIPE_CACHE, stripe_cache_size, "stripe cache of 256" },
	{ "limits, nothing runs", ARRAY_FACT_LIMITS, system_limits, "" },
	{ "limits of what runs", ARRAY_FACT_LIMITS, limits_at_work,
	  "sync limits 1.02 MB/s (system) to 205 MB/s (system)" },
	{ "its own limit, nothing runs", ARRAY_FACT_LIMITS, a_local_limit,
	  "sync limits 1.02 MB/s (system) to 205 MB/s (local)" },
	{ "one limit unknown, and its origin", ARRAY_FACT_LIMITS, one_known_limit,
	  "sync limits - MB/s to 2.00 MB/s" },
	{ "BUGS.md 25: raid1", ARRAY_FACT_MISMATCHES, raid1_mismatches,
	  "128 mismatches, no fault on raid1" },
	{ "BUGS.md 25: raid10", ARRAY_FACT_MISMATCHES, raid10_mismatches,
	  "128 mismatches, no fault on raid10" },
	{ "a fault", ARRAY_FACT_MISMATCHES, raid5_mismatches, "128 mismatches" },
	{ "one of an unknown level", ARRAY_FACT_MISMATCHES, one_mismatch, "1 mismatch" },
	{ "none", ARRAY_FACT_MISMATCHES, no_mismatch, "" },
};

static void check_phrase(enum array_fact which, const struct topology *t, size_t slot,
			 const char *phrase)
{
	char text[ARRAY_FACT_BYTES] = "before";

	assert_int_equal(
		array_fact_format(which, t, t->devices[slot], UNITS_SI, text, sizeof(text)),
		phrase[0] != '\0');
	assert_string_equal(text, phrase);
}

static void phrases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct topology t;

		print_message("  %s\n", cases[i].name);
		topology_init(&t);
		cases[i].set(topology_add_array(&t, "md0")->array);
		check_phrase(cases[i].which, &t, 0, cases[i].phrase);
		topology_release(&t);
	}
}

static void nothing_is_said_of_the_unknown(void **state)
{
	struct topology t;

	(void)state;
	topology_init(&t);
	topology_add_array(&t, "md0");
	topology_add_device(&t, DEVICE_DISK, "sda");
	for (int i = 0; i < ARRAY_FACTS; i++) {
		check_phrase((enum array_fact)i, &t, 0, "");
		check_phrase((enum array_fact)i, &t, 1, "");
	}
	topology_release(&t);
}

static void a_container_names_its_volumes(void **state)
{
	struct topology t;
	struct array *a;

	(void)state;
	topology_init(&t);
	a = topology_add_array(&t, "md127")->array;
	set_level(a, "container");
	check_phrase(ARRAY_FACT_HOLDS, &t, 0, "holds no volume that runs");
	text_copy(a->metadata, sizeof(a->metadata), "external:imsm");
	check_phrase(ARRAY_FACT_HOLDS, &t, 0, "imsm, holds no volume that runs");
	volume(topology_add_array(&t, "md126")->array);
	volume(topology_add_array(&t, "md125")->array);
	topology_add_array(&t, "md0");
	check_phrase(ARRAY_FACT_HOLDS, &t, 0, "imsm, holds md126, md125");
	t.devices[1]->present = false;
	check_phrase(ARRAY_FACT_HOLDS, &t, 0, "imsm, holds md125");
	topology_release(&t);
}

/* Cut, terminated, and still true of what there is room for. */
static void room_is_kept_to(void **state)
{
	char text[9] = "--------";
	struct topology t;

	(void)state;
	topology_init(&t);
	raid1_mismatches(topology_add_array(&t, "md0")->array);
	assert_true(array_fact_format(ARRAY_FACT_MISMATCHES, &t, t.devices[0], UNITS_SI, text,
				      sizeof(text)));
	assert_string_equal(text, "128 mism");
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phrases),
		cmocka_unit_test(nothing_is_said_of_the_unknown),
		cmocka_unit_test(a_container_names_its_volumes),
		cmocka_unit_test(room_is_kept_to),
	};

	return cmocka_run_group_tests_name("array facts", tests, NULL, NULL);
}
