/* Where reads came from: each label by the facts that make it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "raidtop/proof.h"
#include "raidtop/topology.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define NONE UNKNOWN_U64

static const struct {
	const char *name;
	struct proof_facts facts; /* read, io, of, window, device, source, cached */
	enum proof proof;
	double disk_pct;
} cases[] = {
	{ "nothing read yet", { 0, 0, 0, 0, 0, SOURCE_CLEAR, 0 }, PROOF_UNKNOWN, -1 },
	{ "a stream that only writes", { 0, NONE, 0, 0, 900, SOURCE_HOLES, 0 }, PROOF_UNKNOWN, -1 },
	{ "all from the disk", { 1000, 1000, 1000, 1000, 1000, SOURCE_CLEAR, 0 }, PROOF_DISK, 100 },
	{ "others read as well",
	  { 1000, 1000, 1000, 1000, 5000, SOURCE_CLEAR, 0 },
	  PROOF_DISK,
	  100 },
	{ "read-ahead brought more",
	  { 1000, 1200, 1000, 1000, 1200, SOURCE_CLEAR, 0 },
	  PROOF_DISK,
	  100 },
	{ "exactly 98 %", { 1000, 980, 1000, 1000, 980, SOURCE_CLEAR, 0 }, PROOF_DISK, 98 },
	{ "just below, by the process",
	  { 1000, 979, 1000, 1000, 1000, SOURCE_CLEAR, 0 },
	  PROOF_CACHE,
	  97.9 },
	{ "just below, by the device",
	  { 1000, 1000, 1000, 1000, 979, SOURCE_CLEAR, 0 },
	  PROOF_UNPROVEN,
	  97.9 },
	{ "the process looked half a second ago",
	  { 2000, 1000, 1000, 2000, 2000, SOURCE_CLEAR, 0 },
	  PROOF_DISK,
	  100 },
	{ "the check could not be made, the counters suffice",
	  { 1000, 1000, 1000, 1000, 1000, SOURCE_UNKNOWN, 0 },
	  PROOF_DISK,
	  100 },
	{ "all from the cache", { 1000, 0, 1000, 1000, 0, SOURCE_CACHED, 1000 }, PROOF_CACHE, 0 },
	{ "half of it from the cache, though others kept the device busy",
	  { 1000, 500, 1000, 1000, 9000, SOURCE_CACHED, 500 },
	  PROOF_CACHE,
	  50 },
	{ "cached before, but read from the disk all the same",
	  { 1000, 1000, 1000, 1000, 1000, SOURCE_CACHED, 1000 },
	  PROOF_DISK,
	  100 },
	{ "the process may not look, and it was cached",
	  { 1000, NONE, 0, 1000, 1000, SOURCE_CACHED, 10 },
	  PROOF_CACHE,
	  100 },
	{ "the process may not look",
	  { 1000, NONE, 0, 1000, 1000, SOURCE_CLEAR, 0 },
	  PROOF_UNPROVEN,
	  100 },
	{ "the device counts nothing",
	  { 1000, 1000, 1000, 1000, NONE, SOURCE_CLEAR, 0 },
	  PROOF_UNPROVEN,
	  100 },
	{ "nobody counts", { 1000, NONE, 0, 0, NONE, SOURCE_UNKNOWN, 0 }, PROOF_UNPROVEN, -1 },
	{ "no window yet", { 1000, 1000, 1000, 0, 0, SOURCE_CLEAR, 0 }, PROOF_UNPROVEN, 100 },
	{ "holes, whatever was counted",
	  { 1000, 1000, 1000, 1000, 1000, SOURCE_HOLES, 0 },
	  PROOF_HOLE,
	  100 },
	{ "a hole", { 1000, 0, 1000, 1000, 0, SOURCE_HOLES, 0 }, PROOF_HOLE, 0 },
	{ "compressed to 3 %",
	  { 1000, 30, 1000, 1000, 30, SOURCE_ENCODED, 0 },
	  PROOF_COMPRESSED,
	  3 },
	{ "counters near their end",
	  { UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX - 1,
	    SOURCE_CLEAR, 0 },
	  PROOF_DISK,
	  100 },
};

static void test_verdicts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct proof_verdict v = proof_judge(&cases[i].facts);

		if (v.proof != cases[i].proof || fabs(v.disk_pct - cases[i].disk_pct) > 1e-9)
			fail_msg("%s: %s %g", cases[i].name, proof_name(v.proof), v.disk_pct);
	}
}

static void test_words(void **state)
{
	char buf[32];

	(void)state;
	proof_format(buf, sizeof(buf), PROOF_DISK, 99.6);
	assert_string_equal(buf, "DISK 100 %");
	proof_format(buf, sizeof(buf), PROOF_DISK, -1);
	assert_string_equal(buf, "DISK");
	proof_format(buf, sizeof(buf), PROOF_CACHE, 40);
	assert_string_equal(buf, "CACHE");
	proof_format(buf, sizeof(buf), PROOF_UNKNOWN, -1);
	assert_string_equal(buf, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
