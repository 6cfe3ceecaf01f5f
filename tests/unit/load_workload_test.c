/* Workloads and engines, each by itself: where blocks lie, and how a transfer is reported. */
#include "load_support.h"

#include "load/engine.h"
#include "load/workload.h"

static const struct walk_case {
	const char *name;
	uint64_t size_bytes, block_bytes;
	struct {
		uint64_t offset, bytes;
	} blocks[5];
} walk_cases[] = {
	{ "whole blocks",
	  300,
	  100,
	  { { 0, 100 }, { 100, 100 }, { 200, 100 }, { 0, 100 }, { 100, 100 } } },
	{ "a short last one",
	  250,
	  100,
	  { { 0, 100 }, { 100, 100 }, { 200, 50 }, { 0, 100 }, { 100, 100 } } },
	{ "one block", 100, 100, { { 0, 100 }, { 0, 100 }, { 0, 100 }, { 0, 100 }, { 0, 100 } } },
	{ "less than a block", 1, 100, { { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 } } },
	{ "near the end of 64 bits",
	  UINT64_MAX,
	  UINT64_MAX - 1,
	  { { 0, UINT64_MAX - 1 },
	    { UINT64_MAX - 1, 1 },
	    { 0, UINT64_MAX - 1 },
	    { UINT64_MAX - 1, 1 },
	    { 0, UINT64_MAX - 1 } } },
};

static void sequential_reads_go_round(void **state)
{
	const struct workload *w = workload_find("seq-read");

	(void)state;
	assert_non_null(w);
	assert_false(w->writes);
	assert_int_equal(w->block_bytes, 1024 * 1024);
	for (size_t i = 0; i < sizeof(walk_cases) / sizeof(walk_cases[0]); i++) {
		const struct walk_case *c = &walk_cases[i];
		struct pattern p = { .size_bytes = c->size_bytes, .block_bytes = c->block_bytes };

		print_message("  %s\n", c->name);
		for (size_t k = 0; k < 5; k++) {
			struct io io;

			w->next(&p, &io);
			assert_int_equal(io.offset, c->blocks[k].offset);
			assert_int_equal(io.wanted_bytes, c->blocks[k].bytes);
		}
	}
}

static void the_table_is_whole(void **state)
{
	const struct workload *w;
	size_t n;

	(void)state;
	for (n = 0; (w = workload_get(n)); n++) {
		assert_ptr_equal(workload_find(w->name), w);
		assert_true(strlen(w->name) < sizeof(((struct stream_spec *)0)->workload));
		assert_true((w->next != NULL) != (w->run != NULL));
		assert_true(w->reads || w->writes || w->run);
		assert_true(w->does[0] != '\0');
		assert_true(w->block_bytes > 0 || w->tree); /* files are empty by default */
	}
	assert_true(n >= 1);
	assert_null(workload_find(""));
	assert_null(workload_find("seq"));
}

/* The model's table is what the parser of specifications goes by. */
static void the_model_knows_them_alike(void **state)
{
	const struct workload *w;

	(void)state;
	for (size_t i = 0; (w = workload_get(i)); i++) {
		const struct stream_kind *k = stream_kind_find(w->name);

		print_message("  %s\n", w->name);
		assert_non_null(k);
		assert_int_equal((k->traits & STREAM_READS) != 0, w->reads);
		assert_int_equal((k->traits & STREAM_WRITES) != 0, w->writes);
		assert_int_equal((k->traits & STREAM_BLOCKS) != 0, w->next != NULL);
	}
}

static void psync_reports_what_pread_says(void **state)
{
	struct engine e;
	unsigned char block[4096];
	struct io io = { .buffer = block, .offset = 1000, .request_bytes = 100 }, *done;
	char path[128];
	int fd;

	(void)state;
	make_file(path, sizeof(path), "psync", 2000);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(engine_open(&e, engine_find("psync"),
				     &(struct engine_setup){ .fd = fd, .depth = 1 }),
			 0);
	assert_int_equal(e.ops->wait(&e, 0, &done), -ENOENT); /* nothing was begun */

	assert_int_equal(e.ops->submit(&e, &io), 0);
	assert_int_equal(e.ops->wait(&e, 0, &done), 0);
	assert_ptr_equal(done, &io);
	assert_int_equal(io.result, 100);
	assert_int_equal(block[0], (unsigned char)(1000 * 31 + (1000 >> 8)));

	io.done_bytes = 900; /* the rest of a block goes behind what is there */
	assert_int_equal(e.ops->submit(&e, &io), 0);
	assert_int_equal(io.result, 100);
	assert_int_equal(block[900], (unsigned char)(1900 * 31 + (1900 >> 8)));
	io.offset = 2000;
	assert_int_equal(e.ops->submit(&e, &io), 0);
	assert_int_equal(io.result, 0);
	close(fd);
	assert_int_equal(e.ops->submit(&e, &io), 0);
	assert_int_equal(io.result, -EBADF);
	engine_close(&e);
	engine_close(&e);
}

static void engines_are_found(void **state)
{
	struct engine e;
	const struct engine_setup none = { .fd = 0 }, two = { .depth = 2 };

	(void)state;
	assert_ptr_equal(engine_choose("", 1), engine_find("psync"));
	assert_null(engine_find(""));
	assert_null(engine_find("psyn"));
	assert_int_equal(engine_open(&e, engine_find("psync"), &none), -EINVAL);
	assert_int_equal(engine_open(&e, engine_find("psync"), &two), -EINVAL);
	engine_close(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequential_reads_go_round),
		cmocka_unit_test(the_table_is_whole),
		cmocka_unit_test(the_model_knows_them_alike),
		cmocka_unit_test(psync_reports_what_pread_says),
		cmocka_unit_test(engines_are_found),
	};

	return cmocka_run_group_tests_name("load_workload", tests, make_test_dir, remove_test_dir);
}
