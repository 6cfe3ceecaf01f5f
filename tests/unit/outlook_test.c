/* What is said of a stream before it starts: the place, the effect, and what would be refused. */
#include "load_support.h"

#include "loop_device.h"
#include "raidtop/outlook.h"

static struct stream_spec spec_of(const char *workload, const char *target)
{
	struct stream_spec spec = read_of(target);

	text_copy(spec.workload, sizeof(spec.workload), workload);
	return spec;
}

static const struct effect_case {
	const char *workload;
	unsigned int copies;
	uint64_t size_bytes, limit_bytes;
	bool keep;
	const char *says[4];
} effect_cases[] = {
	{ "seq-read",
	  0,
	  0,
	  0,
	  false,
	  { "makes a file of 1.00 GiB of random data in ", "/.raidtop, reads it",
	    "and removes what it made" } },
	{ "seq-read",
	  3,
	  64 * MIB,
	  0,
	  true,
	  { "makes 3 files of 64.0 MiB", "reads each of them", "leaves what it made there" } },
	{ "seq-write", 2, 64 * MIB, 0, false, { "writes up to 640 MiB to each of them" } },
	{ "rand-write", 1, 64 * MIB, 100 * MIB, false, { "writes up to 100 MiB to it" } },
	{ "create", 1, 0, 0, false, { "makes small files in ", "removes what it made" } },
};

static void directories(void **state)
{
	char made[128];

	(void)state;
	skip_without_a_mount();
	for (size_t i = 0; i < sizeof(effect_cases) / sizeof(effect_cases[0]); i++) {
		const struct effect_case *c = &effect_cases[i];
		struct stream_spec spec = spec_of(c->workload, test_dir);
		struct outlook o;
		char why[160];

		print_message("  %s\n", c->workload);
		spec.copies = c->copies;
		spec.size_bytes = c->size_bytes;
		spec.limit_bytes = c->limit_bytes;
		spec.keep = c->keep;
		assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), 0);
		assert_string_equal(why, "");
		for (size_t k = 0; c->says[k]; k++)
			assert_in(o.effect, c->says[k]);
		assert_in(o.place, ", mounted rw");
		assert_in(o.place, "B free");
	}
	test_path(made, sizeof(made), ".raidtop");
	assert_int_equal(access(made, F_OK), -1);
}

static void a_file(void **state)
{
	struct stream_spec spec;
	struct outlook o;
	char path[128], why[160];

	(void)state;
	make_file(path, sizeof(path), "file", 3 * MIB);
	spec = read_of(path);
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), 0);
	assert_in(o.effect, "reads 3.00 MiB of ");
	assert_in(o.effect, "writes nothing and leaves nothing behind");
	spec.offset_bytes = MIB;
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), 0);
	assert_in(o.effect, "reads 2.00 MiB of ");
	assert_in(o.effect, "from 1.00 MiB on");
	spec.offset_bytes = 3 * MIB;
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), -EINVAL);
	assert_in(why, "has 3145728 bytes, nothing is left behind offset 3145728");
	spec = spec_of("seq-write", path);
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), -EPERM);
	assert_in(why, "not raidtop's");
	make_file(path, sizeof(path), "empty", 0);
	spec = read_of(path);
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), -ENODATA);
	assert_in(why, "is empty: there is nothing to read");
}

static void a_device(void **state)
{
	struct stream_spec spec;
	struct loop_device l;
	struct outlook o;
	char why[160];

	(void)state;
	loop_take(&l, test_dir);
	spec = write_to(l.path);
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), 0);
	assert_in(o.effect, "OVERWRITES 24.0 MiB of /dev/loop");
	assert_in(o.effect, "what is there is lost");
	assert_in(o.place, l.path + strlen("/dev/"));
	assert_string_equal(o.device, l.path + strlen("/dev/"));
	spec.allow_raw_write[0] = '\0';
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), -EPERM);
	assert_in(why, "--allow-raw-write DEVICE");
	assert_in(o.place, l.path + strlen("/dev/")); /* is told all the same */
	spec = read_of(l.path);
	assert_int_equal(outlook_find(&spec, UNITS_SI, &o, why, sizeof(why)), 0);
	assert_in(o.effect, "reads 25.2 MB of /dev/loop");
	loop_remove(&l);
}

static void what_is_not_there(void **state)
{
	struct stream_spec spec = read_of("/dev/nosuch");
	struct outlook o;
	char why[160];

	(void)state;
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), -ENOENT);
	assert_in(why, "there is no /dev/nosuch");
	assert_string_equal(o.place, "");
	spec = spec_of("seq-raed", test_dir);
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), -EINVAL);
	assert_in(why, "no workload");
	spec = spec_of("seq-read", test_dir);
	spec.engine[0] = '?';
	assert_int_equal(outlook_find(&spec, UNITS_IEC, &o, why, sizeof(why)), -EINVAL);
	assert_in(why, "there is no engine");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directories),
		cmocka_unit_test(a_file),
		cmocka_unit_test(a_device),
		cmocka_unit_test(what_is_not_there),
	};

	return cmocka_run_group_tests_name("outlook", tests, make_test_dir, remove_test_dir);
}
