/* Specifications of streams: what is typed, what is printed, and what is refused in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "raidtop/stream_spec.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct stream_spec parsed(const char *text)
{
	struct stream_spec spec;
	char why[256] = "";

	if (stream_spec_parse(text, &spec, why, sizeof(why)) < 0)
		fail_msg("%s: %s", text, why);
	return spec;
}

static void assert_refused(const char *text, const char *sentence)
{
	struct stream_spec spec, before;
	char why[512] = "";

	memset(&spec, 0x5a, sizeof(spec));
	before = spec;
	assert_int_equal(stream_spec_parse(text, &spec, why, sizeof(why)), -EINVAL);
	assert_string_equal(why, sentence);
	assert_memory_equal(&spec, &before, sizeof(spec));
}

static void test_example(void **state)
{
	struct stream_spec s = parsed("seq-read,target=/mnt/md0,copies=3,block=64k,time=60s");

	(void)state;
	assert_string_equal(s.workload, "seq-read");
	assert_string_equal(s.target, "/mnt/md0");
	assert_int_equal(s.copies, 3);
	assert_int_equal(s.block_bytes, 65536);
	assert_int_equal(s.time_ns, 60000000000);
	assert_int_equal(s.access, STREAM_DIRECT);
	assert_int_equal(s.sync, STREAM_SYNC_END);
	assert_string_equal(s.device, "");
	assert_false(s.verify || s.keep || s.allow_degraded);
}

/* Each key with each kind of value: what is typed, and how it is printed. */
static void test_round_trips(void **state)
{
	static const struct {
		const char *typed, *printed;
	} cases[] = {
		{ "seq-read,target=/mnt/a", NULL },
		{ "copy,target=relative", NULL },
		{ "seq-read,on=md0,target=/mnt/a", "seq-read,target=/mnt/a,on=md0" },
		{ "seq-read,target=/mnt/a\\,b=c\\\\d", NULL },
		{ "seq-read,target=/mnt/a\\b", "seq-read,target=/mnt/a\\\\b" },
		{ "seq-read,target=/t,copies=64", NULL },
		{ "seq-read,target=/t,block=65536", "seq-read,target=/t,block=64k" },
		{ "seq-read,target=/t,block=1536", NULL },
		{ "seq-read,target=/t,depth=32", NULL },
		{ "seq-read,target=/t,depth=32,engine=uring", NULL },
		{ "seq-read,target=/t,engine=mmap", NULL },
		{ "seq-read,target=/t,engine=psync", NULL },
		{ "seq-read,target=/t,access=direct", "seq-read,target=/t" },
		{ "seq-read,target=/t,access=buffered", NULL },
		{ "seq-read,target=/t,access=dontcache", NULL },
		{ "seq-write,target=/t,sync=end", "seq-write,target=/t" },
		{ "seq-write,target=/t,sync=none", NULL },
		{ "seq-write,target=/t,sync=each", NULL },
		{ "seq-read,target=/t,rate=20MB", "seq-read,target=/t,rate=20000000" },
		{ "seq-read,target=/t,rate=20M", NULL },
		{ "create,target=/t,rate=100", NULL },
		{ "seq-read,target=/t,ramp=1.5", "seq-read,target=/t,ramp=1500ms" },
		{ "seq-read,target=/t,ramp=5s,time=1m", NULL },
		{ "seq-read,target=/t,time=60", "seq-read,target=/t,time=1m" },
		{ "seq-read,target=/t,time=7200s", "seq-read,target=/t,time=2h" },
		{ "seq-read,target=/t,time=1d", "seq-read,target=/t,time=24h" },
		{ "seq-read,target=/t,time=15us", NULL },
		{ "seq-read,target=/t,time=1.000000001s", NULL },
		{ "seq-read,target=/t,size=3.5G", "seq-read,target=/t,size=3584M" },
		{ "seq-read,target=/t,size=9223372036854775807", NULL },
		{ "seq-write,target=/t,limit=10T", NULL },
		{ "seq-read,target=/t,offset=512k", NULL },
		{ "seq-read,target=/t,offset=0", "seq-read,target=/t" },
		{ "rand-read,target=/t,align=4k", NULL },
		{ "rand-read,target=/t,seed=18446744073709551615", NULL },
		{ "rand-write,target=/t,verify=1", NULL },
		{ "rand-write,target=/t,verify=0,keep=0", "rand-write,target=/t" },
		{ "mix,target=/t,mix=70", NULL },
		{ "mix,target=/t,mix=1", NULL },
		{ "mix,target=/t,mix=99", NULL },
		{ "seq-write,target=/t,keep=1", NULL },
		{ "create,target=/t,block=4k,order=random", NULL },
		{ "delete,target=/t,order=name", "delete,target=/t" },
		{ "char-read,target=/t,depth=1", NULL },
	};
	struct buffer out = BUFFER_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct stream_spec first = parsed(cases[i].typed), again;

		buffer_reset(&out);
		stream_spec_format(&first, &out);
		assert_string_equal(buffer_text(&out),
				    cases[i].printed ? cases[i].printed : cases[i].typed);
		again = parsed(buffer_text(&out));
		assert_memory_equal(&first, &again, sizeof(first));
	}
	buffer_release(&out);
}

#define ALL_KEYS                                                                     \
	"target on copies block depth engine access sync rate ramp time size limit " \
	"offset align seed verify mix order keep"
#define ALL_WORKLOADS                                                                     \
	"seq-read seq-write rewrite rand-read rand-write mix seeks char-read char-write " \
	"create stat delete untar copy"

static void test_sentences(void **state)
{
	static const struct {
		const char *typed, *sentence;
	} cases[] = {
		{ "", "there is no workload \"\": begin with one of " ALL_WORKLOADS },
		{ "target=/t",
		  "there is no workload \"target=/t\": begin with one of " ALL_WORKLOADS },
		{ "seq-red,target=/t",
		  "there is no workload \"seq-red\": begin with one of " ALL_WORKLOADS },
		{ "seq-read", "where is seq-read to run? give target=, a directory, a file or a "
			      "device, as in target=/mnt/md0" },
		{ "seq-read,blok=4k", "a stream has no key \"blok\": give one of " ALL_KEYS },
		{ "seq-read,target=/t,fast", "\"fast\" is no key=value: put it as in block=64k" },
		{ "seq-read,target=/t,",
		  "\"\" is no key=value: put it as in block=64k, with one comma between" },
		{ "seq-read,target=/t,=4k", "a stream has no key \"\": give one of " ALL_KEYS },
		{ "seq-read,target=/t,target=/u", "target is given twice: give it once" },
		{ "seq-read,target=", "target= has no value: give a directory, a file or a "
				      "device, as in target=/mnt/md0" },
		{ "seq-read,target=/t,copies=0", "copies=0 is too small: give 1 to 64" },
		{ "seq-read,target=/t,copies=65", "copies=65 is too large: give 1 to 64" },
		{ "seq-read,target=/t,copies=4294967297",
		  "copies=4294967297 is too large: give 1 to 64" },
		{ "seq-read,target=/t,copies=-1", "copies=-1 is not understood: give 1 to 64" },
		{ "seq-read,target=/t,copies=2k", "copies=2k is not understood: give 1 to 64" },
		{ "seq-read,target=/t,block=64q",
		  "block=64q is not understood: give 512 to 64M, as in block=64k" },
		{ "seq-read,target=/t,block=511",
		  "block=511 is too small: give 512 to 64M, as in block=64k" },
		{ "seq-read,target=/t,block=65M",
		  "block=65M is too large: give 512 to 64M, as in block=64k" },
		{ "seq-read,target=/t,depth=257", "depth=257 is too large: give 1 to 256" },
		{ "seq-read,target=/t,engine=aio",
		  "engine=aio is not understood: give psync, uring or mmap" },
		{ "seq-read,target=/t,access=raw",
		  "access=raw is not understood: give direct, buffered or dontcache" },
		{ "seq-write,target=/t,sync=always",
		  "sync=always is not understood: give none, end or each" },
		{ "seq-read,target=/t,time=0", "time=0 is too small: give a time, as in time=60s; "
					       "without it the stream runs until it is stopped" },
		{ "seq-read,target=/t,time=5 s",
		  "time=5 s is not understood: give a time, as in time=60s; without it the "
		  "stream runs until it is stopped" },
		{ "seq-read,target=/t,size=0",
		  "size=0 is too small: give the bytes of each file, as in size=1G" },
		{ "seq-read,target=/t,size=99999999999G",
		  "size=99999999999G is too large: give the bytes of each file, as in size=1G" },
		{ "seq-read,target=/t,seed=x", "seed=x is not understood: give a whole number" },
		{ "seq-write,target=/t,verify=yes", "verify=yes is not understood: give 0 or 1" },
		{ "mix,target=/t,mix=100", "mix=100 is too large: give the percent of reads, 1 "
					   "to 99, as in mix=70" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_refused(cases[i].typed, cases[i].sentence);
}

static void test_contradictions(void **state)
{
	static const struct {
		const char *typed, *sentence;
	} cases[] = {
		{ "seq-read,target=/t,ramp=30s,time=20s",
		  "ramp leaves nothing of time: make ramp shorter than time" },
		{ "seq-read,target=/t,ramp=20s,time=20s",
		  "ramp leaves nothing of time: make ramp shorter than time" },
		{ "char-read,target=/t,depth=2", "depth does not go with char-read, which has "
						 "one transfer in flight: leave depth out" },
		{ "create,target=/t,depth=2", "depth does not go with create, which has one "
					      "transfer in flight: leave depth out" },
		{ "create,target=/t,offset=4k", "offset does not go with create, which works on "
						"whole files: leave offset out" },
		{ "create,target=/t,verify=1", "verify does not go with create, which works on "
					       "whole files: leave verify out" },
		{ "untar,target=/t,verify=1", "verify does not go with untar, which works on "
					      "whole files: leave verify out" },
		{ "seq-read,target=/t,verify=1", "verify does not go with seq-read, which only "
						 "reads: leave verify out" },
		{ "seq-read,target=/t,sync=each", "sync does not go with seq-read, which only "
						  "reads: leave sync out" },
		{ "rand-read,target=/t,limit=1G", "limit does not go with rand-read, which only "
						  "reads: leave limit out" },
		{ "seq-write,target=/t,align=4k", "align does not go with seq-write, which draws "
						  "no offsets: leave align out" },
		{ "rand-read,target=/t,mix=70", "mix does not go with rand-read, which is no mix "
						"of reads and writes: leave mix out" },
		{ "untar,target=/t,order=random", "order does not go with untar, which does not go "
						  "through many files: leave order out" },
		{ "mix,target=/t", "mix needs its share of reads: give mix=, the percent of "
				   "reads, 1 to 99, as in mix=70" },
		{ "seq-write,target=/t,engine=mmap",
		  "engine=mmap only reads, and seq-write writes: take engine=psync or uring" },
		{ "rand-read,target=/t,engine=psync,depth=4",
		  "depth=4 needs more than one transfer in flight, and engine=psync has one: take "
		  "engine=uring or leave one of them out" },
		{ "seq-read,target=/t,block=1M,size=64k",
		  "size is less than one block: give at least size=1048576" },
		{ "seq-write,target=/t,block=1M,limit=64k",
		  "limit is less than one block: give at least limit=1048576" },
		{ "seq-read,target=/t,size=18446744073709551615",
		  "size=18446744073709551615 is too large: give the bytes of each file, as in "
		  "size=1G" },
		{ "seq-read,target=/t,size=9223372036854775807,offset=1M",
		  "offset and size together are too large: give less" },
		/* what comes from outside does not reach a terminal as it is */
		{ "seq-read,target=/t,\033[2Jx=1",
		  "a stream has no key \"?[2Jx\": give one of " ALL_KEYS },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_refused(cases[i].typed, cases[i].sentence);
}

static void test_long_values(void **state)
{
	static char text[8192], why[512];
	struct stream_spec spec;
	size_t n;

	(void)state;
	text_copy(text, sizeof(text), "seq-read,target=");
	n = strlen(text);
	memset(text + n, 'a', STREAM_TARGET_BYTES - 1);
	spec = parsed(text);
	assert_int_equal(strlen(spec.target), STREAM_TARGET_BYTES - 1);
	text[n + STREAM_TARGET_BYTES - 1] = 'a';
	assert_refused(text, "the value of target is too long: it has room for 1023 bytes");
	memset(text + n, 'a', sizeof(text) - n - 1);
	assert_refused(text, "a value has more than 1023 bytes: shorten it");
	memset(text, 'a', sizeof(text) - 1);
	assert_int_equal(stream_spec_parse(text, &spec, why, sizeof(why)), -EINVAL);
	assert_int_equal(stream_spec_parse("seq-read,target=/t,time=0", &spec, why, 10), -EINVAL);
	assert_int_equal(strlen(why), 9);
}

/* Nothing that can be typed breaks it, and what is taken is printed so that it is taken again. */
static void test_hostile_text(void **state)
{
	static const char *const pieces[] = { "seq-read", "mix",   "create",  ",",      "=",
					      "target",   "/t",    "\\",      "mix=",   "block",
					      "64k",      "time=", "9999",    "0",      "\033",
					      "\xff",     "seed",  "depth=1", "on=\\,", " " };
	struct buffer out = BUFFER_INIT;
	uint64_t dice = 88172645463325252ULL;
	size_t taken = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[256] = "seq-read,target=/t", why[128] = "";
		struct stream_spec spec, again;
		size_t len = i % 2 ? strlen(text) : 0, n = 1 + (size_t)i % 12;

		while (n--) {
			dice ^= dice << 13;
			dice ^= dice >> 7;
			dice ^= dice << 17;
			text_copy(text + len, sizeof(text) - len, pieces[dice % COUNT(pieces)]);
			len = strlen(text);
		}
		if (stream_spec_parse(text, &spec, why, sizeof(why)) < 0) {
			assert_true(why[0] != '\0' && text_is_clean(why));
			continue;
		}
		taken++;
		buffer_reset(&out);
		stream_spec_format(&spec, &out);
		again = parsed(buffer_text(&out));
		assert_memory_equal(&spec, &again, sizeof(spec));
	}
	assert_true(taken > 100);
	buffer_release(&out);
}

static void test_kinds(void **state)
{
	(void)state;
	assert_true(stream_kind_counts_files("untar"));
	assert_false(stream_kind_counts_files("seq-read"));
	assert_false(stream_kind_counts_files("unheard-of"));
	for (size_t i = 0; stream_kind_get(i); i++) {
		assert_ptr_equal(stream_kind_find(stream_kind_get(i)->name), stream_kind_get(i));
		assert_true(stream_kind_get(i)->traits & (STREAM_READS | STREAM_WRITES));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_example),     cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_sentences),   cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_long_values), cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
