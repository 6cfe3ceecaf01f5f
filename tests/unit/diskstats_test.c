/* Lines of /proc/diskstats, well-formed and not, and the index that knows them again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "provider/linux/diskstats.h"
#include "raidtop/memory.h"
#include "raidtop/rates.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Reads one line from memory of just its size, so that a read beyond it is found. */
static int read_line(const char *text, struct diskstats_line *line)
{
	size_t len = strlen(text);
	char *exact = memory_new(len ? len : 1, 1);
	const char *next;
	int r;

	memcpy(exact, text, len);
	r = diskstats_read_line(exact, exact + len, line, &next);
	assert_true(next > exact || len == 0);
	assert_true(next <= exact + len);
	free(exact);
	return r;
}

#define BITS(last) ((1u << ((last) + 1)) - 1)
#define BASIC BITS(COUNTER_QUEUE_US)
#define WITH_DISCARD (BASIC | 1u << COUNTER_DISCARD_IOS | 1u << COUNTER_DISCARD_BYTES)
#define WITH_FLUSH (WITH_DISCARD | 1u << COUNTER_FLUSH_IOS)
#define OF_PARTITION                                                                   \
	(1u << COUNTER_READ_IOS | 1u << COUNTER_READ_BYTES | 1u << COUNTER_WRITE_IOS | \
	 1u << COUNTER_WRITE_BYTES)

static const struct line_case {
	const char *name, *text;
	int r;
	uint32_t valid;
} line_cases[] = {
	{ "7 columns: a partition of 2.6", "8 1 sda1 1 2 3 4\n", 0, OF_PARTITION },
	{ "14 columns", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n", 0, BASIC },
	{ "15 columns: Linux 2.4", "3 0 100 hda 1 2 3 4 5 6 7 8 9 10 11\n", -EINVAL, 0 },
	{ "15 columns that are all numbers", "3 0 100 1 2 3 4 5 6 7 8 9 10 11 12\n", -EINVAL, 0 },
	{ "16 columns: a group that is not whole", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13\n", 0,
	  BASIC },
	{ "17 columns: cut", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n", 0, BASIC },
	{ "18 columns", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n", 0, WITH_DISCARD },
	{ "19 columns", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n", 0, WITH_DISCARD },
	{ "20 columns", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", 0, WITH_FLUSH },
	{ "24 columns: a kernel to come",
	  "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21\n", 0, WITH_FLUSH },
	{ "no end: its last number may go on", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11", -EINVAL, 0 },
	{ "no end, but the last one is not needed",
	  "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", 0, WITH_DISCARD },
	{ "no end, but a blank", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 ", 0, BASIC },
	{ "cut to what a partition has", "8 0 sda 1 2 3 4 5", -EINVAL, 0 },
	{ "carriage return", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\r\n", 0, BASIC },
	{ "trailing blanks and tab", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11  \t\n", 0, BASIC },
	{ "in flight below zero", "8 0 sda 1 2 3 4 5 6 7 8 -1 10 11\n", 0,
	  BASIC & ~(1u << COUNTER_INFLIGHT) },
	{ "in flight beyond what can be", "8 0 sda 1 2 3 4 5 6 7 8 4294967295 10 11\n", 0,
	  BASIC & ~(1u << COUNTER_INFLIGHT) },
	{ "sectors beyond 2^64 bytes", "8 0 sda 1 2 36028797018963968 4 5 6 7 8 9 10 11\n", 0,
	  BASIC & ~(1u << COUNTER_READ_BYTES) },
	{ "a number beyond 64 bits", "8 0 sda 99999999999999999999 2 3 4 5 6 7 8 9 10 11\n",
	  -EINVAL, 0 },
	{ "a negative count", "8 0 sda -1 2 3 4 5 6 7 8 9 10 11\n", -EINVAL, 0 },
	{ "a negative count of a partition", "8 1 sda1 1 2 3 -4\n", -EINVAL, 0 },
	{ "a time below what 32 bits hold", "8 0 sda 1 2 3 -2147483649 5 6 7 8 9 10 11\n", -EINVAL,
	  0 },
	{ "a lone sign", "8 0 sda 1 2 3 - 5 6 7 8 9 10 11\n", -EINVAL, 0 },
	{ "letters", "8 0 sda a b c d e f g h i j k\n", -EINVAL, 0 },
	{ "letters behind a number", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11x\n", -EINVAL, 0 },
	{ "a fraction", "8 0 sda 1 2 3.5 4 5 6 7 8 9 10 11\n", -EINVAL, 0 },
	{ "10 columns", "8 2 sda2 1 2 3 4 5 6 7\n", -EINVAL, 0 },
	{ "3 columns", "8 0 sda\n", -EINVAL, 0 },
	{ "2 columns", "8 0\n", -EINVAL, 0 },
	{ "1 column", "8\n", -EINVAL, 0 },
	{ "one digit", "8", -EINVAL, 0 },
	{ "a number beyond 32 bits", "4294967296 0 sda 1 2 3 4 5 6 7 8 9 10 11\n", -EINVAL, 0 },
	{ "a name with an escape", "8 0 sd\033[2Ja 1 2 3 4 5 6 7 8 9 10 11\n", -EINVAL, 0 },
	{ "a control character", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\x01\n", -EINVAL, 0 },
	{ "a name of 63 bytes",
	  "8 0 nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
	  " 1 2 3 4 5 6 7 8 9 10 11\n",
	  0, BASIC },
	{ "a name of 64 bytes",
	  "8 0 nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
	  " 1 2 3 4 5 6 7 8 9 10 11\n",
	  -EINVAL, 0 },
	{ "empty", "", -ENODATA, 0 },
	{ "an empty line", "\n", -ENODATA, 0 },
	{ "a line of blanks", "   \n", -ENODATA, 0 },
	{ "blanks without an end", "   ", -EINVAL, 0 },
};

static void lines_are_read_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(line_cases); i++) {
		const struct line_case *c = &line_cases[i];
		struct diskstats_line line;

		print_message("  %s\n", c->name);
		assert_int_equal(read_line(c->text, &line), c->r);
		if (c->r == 0)
			assert_int_equal(line.counters.valid, c->valid);
	}
}

/* Sectors are of 512 bytes, whatever the disk's own are (WISHES 10). */
static void columns_go_where_they_belong(void **state)
{
	static const uint64_t want[COUNTER_COUNT] = {
		[COUNTER_READ_IOS] = 1,
		[COUNTER_READ_MERGES] = 2,
		[COUNTER_READ_BYTES] = 3 * 512,
		[COUNTER_READ_US] = 4000,
		[COUNTER_WRITE_IOS] = 5,
		[COUNTER_WRITE_MERGES] = 6,
		[COUNTER_WRITE_BYTES] = 7 * 512,
		[COUNTER_WRITE_US] = 8000,
		[COUNTER_INFLIGHT] = 9,
		[COUNTER_BUSY_US] = 10000,
		[COUNTER_QUEUE_US] = 11000,
		[COUNTER_DISCARD_IOS] = 12,
		[COUNTER_DISCARD_BYTES] = 14 * 512,
		[COUNTER_FLUSH_IOS] = 16,
	};
	struct diskstats_line line;

	(void)state;
	assert_int_equal(
		read_line(" 104   17 cciss/c0d1p1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n",
			  &line),
		0);
	assert_int_equal(line.major, 104);
	assert_int_equal(line.minor, 17);
	assert_string_equal(line.name, "cciss/c0d1p1");
	for (int i = 0; i < COUNTER_COUNT; i++)
		assert_int_equal(line.counters.value[i], want[i]);
}

/*
 * Times of 32 bits that a kernel prints with a sign (BUGS 34): the growth over the half, where the
 * sign appears, and over the end of the 32 bits is what went by.
 */
static void signed_times_grow_over_their_half(void **state)
{
	static const struct {
		const char *name, *before, *after;
		uint64_t growth_us;
	} steps[] = {
		{ "onto the half", "2147483647", "-2147483648", 1000 },
		{ "beyond the half", "-2147483648", "-2147483000", 648000 },
		{ "over the end", "-5", "7", 12000 },
		{ "printed without a sign", "4294967291", "7", 12000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(steps); i++) {
		struct diskstats_line before, after;
		uint64_t growth = 99;
		char text[96];

		print_message("  %s\n", steps[i].name);
		text_format(text, sizeof(text), "8 0 sda 1 2 3 %s 5 6 7 8 9 10 11\n",
			    steps[i].before);
		assert_int_equal(read_line(text, &before), 0);
		text_format(text, sizeof(text), "8 0 sda 1 2 3 %s 5 6 7 8 9 10 11\n",
			    steps[i].after);
		assert_int_equal(read_line(text, &after), 0);
		assert_int_equal(counter_growth(COUNTER_KIND_MS32,
						before.counters.value[COUNTER_READ_US],
						after.counters.value[COUNTER_READ_US], &growth),
				 0);
		assert_int_equal(growth, steps[i].growth_us);
	}
}

static void a_partition_of_old_kernels_has_four_counters(void **state)
{
	struct diskstats_line line;

	(void)state;
	assert_int_equal(read_line("   8    1 sda1 35486 38030 17 19\n", &line), 0);
	assert_int_equal(line.counters.value[COUNTER_READ_IOS], 35486);
	assert_int_equal(line.counters.value[COUNTER_READ_BYTES], 38030 * 512);
	assert_int_equal(line.counters.value[COUNTER_WRITE_IOS], 17);
	assert_int_equal(line.counters.value[COUNTER_WRITE_BYTES], 19 * 512);
}

static void times_printed_with_a_sign_are_past_the_half(void **state)
{
	struct diskstats_line line;

	(void)state;
	assert_int_equal(read_line("8 0 sda 1 2 3 -1 5 6 7 -2147483648 9 -349661 11\n", &line), 0);
	assert_int_equal(line.counters.value[COUNTER_READ_US], UINT64_C(4294967295) * 1000);
	assert_int_equal(line.counters.value[COUNTER_WRITE_US], UINT64_C(2147483648) * 1000);
	assert_int_equal(line.counters.value[COUNTER_BUSY_US], UINT64_C(4294617635) * 1000);
}

/* ---- the index ---- */

static unsigned int asked;

/* sda is slot 0, sdb 1, ...; hda is nobody's. */
static int find(void *context, uint32_t major, uint32_t minor, const char *name)
{
	(void)context;
	(void)major;
	(void)minor;
	asked++;
	return name[0] == 's' ? name[2] - 'a' : NO_SLOT;
}

#define TAIL " 0 0 2 0 0 0 0 0 0 0\n"

static const struct index_case {
	const char *name, *text;
	unsigned int asked;
	bool changed;
	const char *ios; /* of the slots, '-' where none was read */
} index_cases[] = {
	{ "the first time", "8 0 sda 1" TAIL "8 16 sdb 2" TAIL "3 0 hda 3" TAIL, 3, true, "12--" },
	{ "the same lines", "8 0 sda 3" TAIL "8 16 sdb 4" TAIL "3 0 hda 9" TAIL, 0, false, "34--" },
	{ "one more at the end",
	  "8 0 sda 3" TAIL "8 16 sdb 4" TAIL "3 0 hda 9" TAIL "8 32 sdc 1" TAIL, 1, true, "341-" },
	{ "one gone in the middle", "8 0 sda 3" TAIL "3 0 hda 9" TAIL "8 32 sdc 1" TAIL, 0, true,
	  "3-1-" },
	{ "and still gone", "8 0 sda 4" TAIL "3 0 hda 9" TAIL "8 32 sdc 2" TAIL, 0, false, "4-2-" },
	{ "one new in the middle",
	  "8 0 sda 4" TAIL "8 16 sdb 1" TAIL "3 0 hda 9" TAIL "8 32 sdc 2" TAIL, 1, true, "412-" },
	{ "a line that cannot be read",
	  "8 0 sda 4" TAIL "8 16 sdb x" TAIL "3 0 hda 9" TAIL "8 32 sdc 2" TAIL, 0, false, "4-2-" },
	{ "another number under a name",
	  "8 0 sda 4" TAIL "8 48 sdb 1" TAIL "3 0 hda 9" TAIL "8 32 sdc 2" TAIL, 1, true, "412-" },
	{ "two change places",
	  "8 48 sdb 1" TAIL "8 0 sda 4" TAIL "3 0 hda 9" TAIL "8 32 sdc 2" TAIL, 1, true, "412-" },
	{ "a longer name that begins alike", "8 48 sdba 5" TAIL "8 0 sda 4" TAIL "8 32 sdc 2" TAIL,
	  1, true, "452-" },
	{ "the last ones gone", "8 48 sdba 5" TAIL, 0, true, "-5--" },
	{ "none at all", "", 0, true, "----" },
	{ "still none", "", 0, false, "----" },
	{ "a slot beyond the snapshot", "8 0 sdz 1" TAIL "8 1 sda 7" TAIL, 2, true, "7---" },
};

static void the_index_knows_lines_again(void **state)
{
	struct diskstats_index index;
	struct diskstats_summary summary;

	(void)state;
	diskstats_index_init(&index, find, NULL);
	for (size_t i = 0; i < COUNT(index_cases); i++) {
		const struct index_case *c = &index_cases[i];
		struct counters slots[4] = { 0 };

		print_message("  %s\n", c->name);
		asked = 0;
		diskstats_read(&index, c->text, strlen(c->text), slots, 4, &summary);
		assert_int_equal(asked, c->asked);
		assert_int_equal(summary.changed, c->changed);
		for (int k = 0; k < 4; k++) {
			assert_int_equal(slots[k].valid != 0, c->ios[k] != '-');
			if (slots[k].valid)
				assert_int_equal(slots[k].value[COUNTER_READ_IOS], c->ios[k] - '0');
		}
	}
	diskstats_index_release(&index);
}

static void a_reset_index_asks_anew(void **state)
{
	static const char text[] = "8 0 sda 1" TAIL "8 16 sdb 2" TAIL;
	struct diskstats_index index;
	struct diskstats_summary summary;
	struct counters slots[2];

	(void)state;
	diskstats_index_init(&index, find, NULL);
	diskstats_read(&index, text, strlen(text), slots, 2, &summary);
	diskstats_index_reset(&index);
	asked = 0;
	diskstats_read(&index, text, strlen(text), slots, 2, &summary);
	assert_int_equal(asked, 2);
	diskstats_index_release(&index);
}

static void a_warm_index_allocates_nothing(void **state)
{
	static const char text[] = "8 0 sda 1" TAIL "\n8 16\n8 16 sdb 2" TAIL "3 0 hda 3" TAIL;
	struct diskstats_index index;
	struct diskstats_summary summary;
	struct counters slots[4];
	size_t before;

	(void)state;
	diskstats_index_init(&index, find, NULL);
	diskstats_read(&index, text, strlen(text), slots, 4, &summary);
	before = memory_allocations();
	for (int i = 0; i < 1000; i++)
		diskstats_read(&index, text, strlen(text), slots, 4, &summary);
	assert_int_equal(memory_allocations() - before, 0);
	assert_int_equal(summary.lines, 3);
	assert_int_equal(summary.refused, 1);
	diskstats_index_release(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_read_or_refused),
		cmocka_unit_test(columns_go_where_they_belong),
		cmocka_unit_test(signed_times_grow_over_their_half),
		cmocka_unit_test(a_partition_of_old_kernels_has_four_counters),
		cmocka_unit_test(times_printed_with_a_sign_are_past_the_half),
		cmocka_unit_test(the_index_knows_lines_again),
		cmocka_unit_test(a_reset_index_asks_anew),
		cmocka_unit_test(a_warm_index_allocates_nothing),
	};

	return cmocka_run_group_tests_name("diskstats", tests, NULL, NULL);
}
