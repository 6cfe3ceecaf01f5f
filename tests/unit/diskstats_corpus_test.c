/*
 * The corpus of /proc/diskstats: how many lines of how many columns each file has is read from
 * its SOURCES.tsv; what that and BUGS.md say of single files is asserted one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "provider/linux/diskstats.h"
#include "raidtop/memory.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct corpus corpus;

struct file {
	const char *name;
	struct diskstats_line *lines;
	size_t n, refused;
};

static int open_corpus(void **state)
{
	(void)state;
	corpus_open(&corpus, "diskstats", ".diskstats");
	return 0;
}

static int close_corpus(void **state)
{
	(void)state;
	corpus_close(&corpus);
	return 0;
}

/* All lines of a file. Where its last one lost its end on the way, that is put back. */
static void load_at(struct file *f, size_t i, bool mend)
{
	size_t len;
	char *text = corpus_read(&corpus, i, ".diskstats", &len);
	const char *at;

	*f = (struct file){ .name = corpus.names[i] };
	if (mend && len > 0 && text[len - 1] != '\n') {
		text = memory_resize(text, len + 1, 1);
		text[len++] = '\n';
	}
	for (at = text; at < text + len;) {
		int r;

		f->lines = memory_resize(f->lines, f->n + 1, sizeof(*f->lines));
		r = diskstats_read_line(at, text + len, &f->lines[f->n], &at);
		f->n += r == 0;
		f->refused += r == -EINVAL;
	}
	free(text);
}

/* The file whose name begins with a number: "07". */
static struct file load(const char *number, bool mend)
{
	struct file f;

	for (size_t i = 0; i < corpus.n; i++) {
		if (strncmp(corpus.names[i], number, strlen(number)) != 0)
			continue;
		load_at(&f, i, mend);
		return f;
	}
	fail_msg("no file %s", number);
	return (struct file){ 0 };
}

static void release(struct file *f)
{
	free(f->lines);
	*f = (struct file){ 0 };
}

static size_t place_of(const struct file *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->lines[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

static const struct diskstats_line *find(const struct file *f, const char *name)
{
	size_t i = place_of(f, name);

	if (i == SIZE_MAX)
		fail_msg("%s is not in %s", name, f->name);
	return &f->lines[i];
}

static size_t having(const struct file *f, enum counter which)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += counters_has(&f->lines[i].counters, which);
	return n;
}

/* ---- how many lines of how many columns ---- */

struct columns {
	size_t read, refused, times, discards, flushes;
};

/* "14x46 18x3 20x3" */
static void count_columns(const char *text, struct columns *want)
{
	while (*text) {
		size_t len = strcspn(text, " "), x = strcspn(text, "x");
		uint64_t columns, lines;

		assert_int_equal(number_parse_u64(text, x, &columns), 0);
		assert_int_equal(number_parse_u64(text + x + 1, len - x - 1, &lines), 0);
		if (columns == 7 || columns == 14 || columns > 15) {
			want->read += lines;
			want->times += columns > 7 ? lines : 0;
			want->discards += columns >= 18 ? lines : 0;
			want->flushes += columns >= 20 ? lines : 0;
		} else {
			want->refused += lines;
		}
		text += len + (text[len] == ' ');
	}
}

static void check_columns(size_t i, const char *text)
{
	struct columns want = { 0 };
	struct file f;

	load_at(&f, i, true);
	print_message("  %s: %s\n", f.name, text);
	count_columns(text, &want);
	assert_int_equal(f.n, want.read);
	assert_int_equal(f.refused, want.refused);
	assert_int_equal(having(&f, COUNTER_READ_BYTES), want.read);
	assert_int_equal(having(&f, COUNTER_BUSY_US), want.times);
	assert_int_equal(having(&f, COUNTER_DISCARD_BYTES), want.discards);
	assert_int_equal(having(&f, COUNTER_FLUSH_IOS), want.flushes);
	release(&f);
}

/* The fifth field of the line of SOURCES.tsv that begins with the file's name. */
static void columns_said_of(const char *sources, size_t i, char *dst, size_t size)
{
	char begin[300];
	const char *at;

	assert_true(text_format(begin, sizeof(begin), "\n%s.diskstats\t", corpus.names[i]));
	at = strstr(sources, begin);
	assert_non_null(at);
	for (int tab = 0; tab < 4; tab++)
		at += strcspn(at, "\t") + 1;
	assert_true(text_copy_n(dst, size, at, strcspn(at, "\t")));
}

static void each_file_has_the_columns_that_its_source_says(void **state)
{
	struct corpus sources;
	char *text, columns[100];
	size_t len;

	(void)state;
	if (corpus.n == 0)
		skip();
	assert_true(corpus.n >= 27);
	assert_true(corpus_open(&sources, "diskstats", ".tsv"));
	text = corpus_read(&sources, 0, ".tsv", &len);
	text = memory_resize(text, len + 1, 1);
	text[len] = '\0';
	for (size_t i = 0; i < corpus.n; i++) {
		if (strncmp(corpus.names[i], "35-", 3) == 0)
			continue; /* broken within its columns too: below */
		columns_said_of(text, i, columns, sizeof(columns));
		check_columns(i, columns);
	}
	free(text);
	corpus_close(&sources);
}

/* ---- single values ---- */

#define SECTORS(n) (UINT64_C(n) * 512)
#define MS(n) (UINT64_C(n) * 1000)

static const struct value_case {
	const char *file, *device;
	enum counter counter;
	uint64_t value;
} value_cases[] = {
	{ "02", "vda", COUNTER_WRITE_US, MS(2069221364) },
	{ "04", "sda1", COUNTER_INFLIGHT, 100 },
	{ "05", "cciss/c0d0p1", COUNTER_WRITE_IOS, 55711 }, /* printed as 055711 */
	{ "05", "cciss/c0d0", COUNTER_WRITE_IOS, 5055711 },
	{ "06", "cciss/c0d0", COUNTER_WRITE_IOS, 6055711 },
	{ "07", "dm-1", COUNTER_QUEUE_US, MS(2030031267) },
	{ "08", "dm-1", COUNTER_QUEUE_US, MS(2030038917) },
	{ "07", "sda5", COUNTER_WRITE_IOS, 462827300 }, /* 7 columns */
	{ "08", "sda5", COUNTER_WRITE_IOS, 462827681 },
	{ "08", "sda5", COUNTER_WRITE_BYTES, SECTORS(3707261552) },
	{ "09", "xvdb1", COUNTER_WRITE_US, MS(2443223186) },
	{ "09", "xvdb1", COUNTER_WRITE_BYTES, SECTORS(15617098115) },
	{ "09", "xvda1", COUNTER_INFLIGHT, 1 },
	{ "10", "xvda1", COUNTER_INFLIGHT, 0 },
	{ "09", "xvdb1", COUNTER_INFLIGHT, 3 },
	{ "10", "xvdb1", COUNTER_INFLIGHT, 37 },
	{ "10", "dm-0", COUNTER_INFLIGHT, 66 },
	{ "11", "cciss/c0d1", COUNTER_INFLIGHT, 502 },
	{ "11", "cciss/c0d1", COUNTER_READ_BYTES, 0 },
	{ "11", "cciss/c0d1p1", COUNTER_READ_BYTES, SECTORS(1102284661) },
	{ "18", "sata1", COUNTER_QUEUE_US, MS(3618694472) },
	{ "20", "vda", COUNTER_FLUSH_IOS, 168084 },
	{ "20", "vda2", COUNTER_FLUSH_IOS, 0 },
	{ "21", "sda", COUNTER_FLUSH_IOS, 2303 },     /* BUGS 28 */
	{ "21", "nvme0n1", COUNTER_FLUSH_IOS, 4958 }, /* BUGS 29 */
	{ "23", "nvme0n1", COUNTER_DISCARD_BYTES, SECTORS(7646410160) },
	{ "26", "md2", COUNTER_READ_IOS, 4663599 },
	{ "26", "md2", COUNTER_READ_US, 0 },
	{ "26", "md2", COUNTER_BUSY_US, 0 },
	{ "27", "sdb", COUNTER_READ_BYTES, SECTORS(15643223942) },
	{ "27", "md3", COUNTER_WRITE_BYTES, SECTORS(3252823592) },
	{ "28", "md0", COUNTER_INFLIGHT, 37 },
	{ "28", "md2", COUNTER_INFLIGHT, 4 },
	{ "28", "md0", COUNTER_QUEUE_US, MS(49122450) },
	{ "30", "hda1", COUNTER_READ_IOS, 35486 }, /* BUGS 30 */
	{ "30", "hda1", COUNTER_WRITE_BYTES, SECTORS(38030) },
	{ "33", "sda", COUNTER_READ_IOS, 10 },
	{ "35", "sde", COUNTER_DISCARD_IOS, 0 },
};

static void values_are_those_of_the_text(void **state)
{
	(void)state;
	if (corpus.n == 0)
		skip();
	for (size_t i = 0; i < COUNT(value_cases); i++) {
		const struct value_case *c = &value_cases[i];
		struct file f = load(c->file, true);
		const struct diskstats_line *line = find(&f, c->device);

		print_message("  %s %s\n", c->file, c->device);
		assert_true(counters_has(&line->counters, c->counter));
		assert_int_equal(line->counters.value[c->counter], c->value);
		release(&f);
	}
}

/* ---- what single files are there for ---- */

static void one_number_three_names(void **state)
{
	struct file f;

	(void)state;
	if (corpus.n == 0)
		skip();
	f = load("01", true);
	for (const char *const *name = (const char *const[]){ "sda", "sdb", "sdc", NULL }; *name;
	     name++) {
		assert_int_equal(find(&f, *name)->major, 8);
		assert_int_equal(find(&f, *name)->minor, 0);
	}
	release(&f);
}

static void numbers_and_names_that_are_not_the_usual(void **state)
{
	static const struct {
		const char *file, *device;
		uint32_t major, minor;
	} cases[] = {
		{ "05", "xvdq", 202, 4096 },       { "09", "xvda1", 202, 1 },
		{ "09", "xvdb1", 202, 17 },        { "14", "mmcblk0boot0", 179, 32 },
		{ "14", "mmcblk0boot1", 179, 64 }, { "17", "nvme3c33n1", 0, 0 },
		{ "18", "sata1", 8, 0 },           { "23", "md1p1", 9, 1 },
		{ "11", "cciss/c0d0p1", 104, 1 },
	};

	(void)state;
	if (corpus.n == 0)
		skip();
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct file f = load(cases[i].file, true);

		print_message("  %s\n", cases[i].device);
		assert_int_equal(find(&f, cases[i].device)->major, cases[i].major);
		assert_int_equal(find(&f, cases[i].device)->minor, cases[i].minor);
		release(&f);
	}
}

static void assert_order(const char *number, const char *const *names)
{
	struct file f = load(number, true);
	size_t last = 0;

	for (; *names; names++) {
		size_t place = place_of(&f, *names);

		assert_true(place != SIZE_MAX);
		assert_true(place >= last);
		last = place;
	}
	release(&f);
}

static void order_is_the_text_s(void **state)
{
	struct file f;

	(void)state;
	if (corpus.n == 0)
		skip();
	assert_order("03",
		     (const char *const[]){ "sdb", "sde", "sdc", "sdd", "sdq", "dm-2", NULL });
	assert_order("14", (const char *const[]){ "mmcblk0boot1", "mmcblk0boot0", "dm-7", "loop8",
						  "dm-8", NULL });
	assert_order("27", (const char *const[]){ "md0", "md2", "md3", "md1", NULL });
	f = load("14", true);
	assert_true(place_of(&f, "dm-4") == SIZE_MAX);
	release(&f);
	f = load("12", true); /* no disk at all, and nothing refused for it */
	assert_int_equal(f.refused, 0);
	assert_true(place_of(&f, "mtdblock0") != SIZE_MAX);
	release(&f);
}

static void all_zero_is_known(void **state)
{
	struct file f;

	(void)state;
	if (corpus.n == 0)
		skip();
	f = load("07", true);
	for (int i = 0; i <= COUNTER_QUEUE_US; i++) {
		assert_true(counters_has(&find(&f, "md0")->counters, (enum counter)i));
		assert_int_equal(find(&f, "md0")->counters.value[i], 0);
	}
	release(&f);
}

/* BUGS 30: shifted by one column, the block count would be read as a name. */
static void linux_2_4_is_refused(void **state)
{
	struct file f;

	(void)state;
	if (corpus.n == 0)
		skip();
	f = load("29", true);
	assert_int_equal(f.n, 0);
	assert_int_equal(f.refused, 2);
	release(&f);
}

static void broken_lines_are_refused_alone(void **state)
{
	static const struct {
		const char *device;
		bool read, inflight, flushes;
	} cases[] = {
		{ "sda", false, false, false },  { "sda1", false, false, false },
		{ "sda2", false, false, false }, { "sdb", false, false, false },
		{ "sdc", true, false, true },   /* -1 in flight */
		{ "sdd", true, false, true },   /* 2^64 - 1 in flight */
		{ "sde", true, true, true },    /* 25 columns */
		{ "sdf", false, false, false }, /* beyond 2^64 */
		{ "sdg", true, true, true },    /* CR */
		{ "sdh", true, true, false },   /* no end: the last number may be cut */
	};
	struct file f;

	(void)state;
	if (corpus.n == 0)
		skip();
	f = load("35", false);
	assert_int_equal(f.n, 5);
	assert_int_equal(f.refused, 6);
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t place = place_of(&f, cases[i].device);

		print_message("  %s\n", cases[i].device);
		assert_int_equal(place != SIZE_MAX, cases[i].read);
		if (place == SIZE_MAX)
			continue;
		assert_int_equal(counters_has(&f.lines[place].counters, COUNTER_INFLIGHT),
				 cases[i].inflight);
		assert_int_equal(counters_has(&f.lines[place].counters, COUNTER_FLUSH_IOS),
				 cases[i].flushes);
	}
	release(&f);
}

/* ---- pairs, and many lines ---- */

static void counters_of_pairs_go_on(void **state)
{
	static const char *const pairs[][2] = { { "05", "06" }, { "07", "08" }, { "09", "10" } };

	(void)state;
	if (corpus.n == 0)
		skip();
	for (size_t i = 0; i < COUNT(pairs); i++) {
		struct file before = load(pairs[i][0], true), after = load(pairs[i][1], true);

		assert_int_equal(before.n, after.n);
		for (size_t k = 0; k < before.n; k++) {
			const struct counters *a = &before.lines[k].counters;
			const struct counters *b = &find(&after, before.lines[k].name)->counters;

			assert_int_equal(a->valid, b->valid);
			for (enum counter c = 0; c < COUNTER_COUNT; c++)
				assert_true(c == COUNTER_INFLIGHT || !counters_has(a, c) ||
					    b->value[c] >= a->value[c]);
		}
		release(&before);
		release(&after);
	}
}

static int next_slot;

static int find_slot(void *context, uint32_t major, uint32_t minor, const char *name)
{
	(void)context;
	(void)major;
	(void)minor;
	(void)name;
	return next_slot++;
}

static void assert_counters_equal(const struct counters *a, const struct counters *b)
{
	assert_int_equal(a->valid, b->valid);
	for (enum counter c = 0; c < COUNTER_COUNT; c++)
		if (counters_has(a, c))
			assert_int_equal(a->value[c], b->value[c]);
}

static void five_thousand_lines_are_known_again(void **state)
{
	struct diskstats_summary summary;
	struct diskstats_index index;
	struct counters *devices;
	struct file f;
	size_t i = 0, len;
	char *text;

	(void)state;
	if (corpus.n == 0)
		skip();
	f = load("36", true);
	assert_int_equal(f.n, 5000);
	while (strncmp(corpus.names[i], "36", 2) != 0)
		i++;
	text = corpus_read(&corpus, i, ".diskstats", &len);
	devices = memory_new(5000, sizeof(*devices));
	diskstats_index_init(&index, find_slot, NULL);
	for (int round = 0; round < 2; round++) {
		next_slot = 0;
		memset(devices, 0, 5000 * sizeof(*devices));
		diskstats_read(&index, text, len, devices, 5000, &summary);
		assert_int_equal(next_slot, round == 0 ? 5000 : 0);
		assert_int_equal(summary.lines, 5000);
		assert_int_equal(summary.refused, 0);
		for (size_t k = 0; k < 5000; k++)
			assert_counters_equal(&devices[k], &f.lines[k].counters);
	}
	diskstats_index_release(&index);
	release(&f);
	free(devices);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_file_has_the_columns_that_its_source_says),
		cmocka_unit_test(values_are_those_of_the_text),
		cmocka_unit_test(one_number_three_names),
		cmocka_unit_test(numbers_and_names_that_are_not_the_usual),
		cmocka_unit_test(order_is_the_text_s),
		cmocka_unit_test(all_zero_is_known),
		cmocka_unit_test(linux_2_4_is_refused),
		cmocka_unit_test(broken_lines_are_refused_alone),
		cmocka_unit_test(counters_of_pairs_go_on),
		cmocka_unit_test(five_thousand_lines_are_known_again),
	};

	return cmocka_run_group_tests_name("diskstats_corpus", tests, open_corpus, close_corpus);
}
