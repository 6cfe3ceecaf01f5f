/*
 * Workloads on many files: names that come back from their seed, passes that do what they say to
 * each file once, and a removal that takes nothing that is not the tree's.
 */
#include "load_files_support.h"

#include <dirent.h>

#include "load/tree.h"

static const struct tree_names trees[] = {
	{ .kind = TREE_FLAT, .folders = 3, .files = 2500, .seed = 1 },
	{ .kind = TREE_SOURCES, .folders = 200, .files = 0, .seed = 7 },
};

/* Each name is found where it belongs and nowhere else, and no two in a folder are alike. */
static void names_come_back_from_their_seed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		const struct tree_names *t = &trees[i];
		struct tree_names other = *t;
		char name[TREE_NAME_BYTES];
		unsigned int found, strange = 0;

		other.seed++;
		for (unsigned int folder = 0; folder < t->folders; folder++) {
			int parent = tree_folder_parent(t, folder);

			tree_folder_name(t, folder, name);
			assert_true(parent < (int)folder);
			assert_true(tree_find_folder(t, parent, name, &found));
			assert_int_equal(found, folder);
			assert_false(tree_find_folder(t, parent + 1, name, &found));
			assert_false(tree_find_file(t, folder, name));
			for (unsigned int k = 0; k < tree_folder_files(t, folder); k++) {
				tree_file_name(t, folder, k, name);
				assert_true(tree_find_file(t, folder, name));
				strange += tree_find_file(&other, folder, name);
				name[0] = name[0] == 'a' ? 'b' : 'a';
				assert_false(tree_find_file(t, folder, name));
			}
		}
		assert_true(strange < 40); /* of thousands: short words coincide at times */
	}
}

static void hostile_names_are_not_found(void **state)
{
	static const char *const names[] = { "",      "-",      "-0",
					     "..",    "../x-1", "a-99999999999999999999",
					     "ab-01", "ab-1 ",  "ab--1" };
	unsigned int found;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_false(tree_find_file(&trees[0], 0, names[i]));
		assert_false(tree_find_folder(&trees[1], 0, names[i], &found));
	}
	assert_false(tree_find_file(&trees[0], 17, "ab-0"));
}

/* What the opening comment of tree_names.c says of a tree of sources. */
static void sources_have_many_sizes(void **state)
{
	struct tree_names t = tree_names_sources(64 * MIB, 3);
	uint64_t sum = 0, below_5k = 0, above_120k = 0, n = 0;

	(void)state;
	for (unsigned int folder = 0; folder < t.folders; folder++) {
		for (unsigned int k = 0; k < tree_folder_files(&t, folder); k++) {
			uint64_t bytes = tree_file_bytes(&t, folder, k);

			assert_true(bytes > 0 && bytes <= TREE_SOURCE_BYTES_MAX);
			sum += bytes;
			below_5k += bytes <= 5000;
			above_120k += bytes > 120000;
			n++;
		}
	}
	assert_int_equal(n, t.files);
	assert_true(sum >= 64 * MIB && sum < 66 * MIB);
	assert_true(below_5k * 100 / n >= 46 && below_5k * 100 / n <= 54);
	assert_true(above_120k * 1000 / n >= 5 && above_120k * 1000 / n <= 15);
	assert_true(sum / n > 11000 && sum / n < 16000);
}

/* ---- passes ---- */

struct count {
	unsigned int files, folders;
	uint64_t bytes;
};

static void count_below(int fd, struct count *c)
{
	DIR *dir = fdopendir(fd);
	struct dirent *d;

	while ((d = readdir(dir))) {
		struct stat st;

		if (d->d_name[0] == '.')
			continue;
		assert_int_equal(fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW), 0);
		if (S_ISDIR(st.st_mode)) {
			c->folders++;
			count_below(openat(dirfd(dir), d->d_name, O_RDONLY | O_DIRECTORY), c);
		} else {
			c->files++;
			c->bytes += (uint64_t)st.st_size;
		}
	}
	closedir(dir);
}

static struct count count_tree(const char *file)
{
	struct count c = { 0 };
	char path[256];

	text_format(path, sizeof(path), "%s/.raidtop/%s", test_dir, file);
	count_below(open_directory(path), &c);
	return c;
}

static int prepare_tree(struct shared *s, const struct tree_workload *w, struct tree *t,
			struct files_handle *h)
{
	int directory = open_directory(test_dir);
	struct files_request request = { .directory = directory, .writes = true, .tree = t };
	int r;

	tree_init(t, w, &s->plan.spec);
	r = files_prepare(&request, s, h);
	close(directory);
	return r;
}

static uint64_t whole_pass(struct tree *t, uint64_t *ret_bytes)
{
	uint64_t n = 0, bytes;
	int r;

	*ret_bytes = 0;
	while ((r = tree_step(t, &bytes)) > 0) {
		n++;
		*ret_bytes += bytes;
	}
	assert_int_equal(r, 0);
	return n;
}

static void passes_do_what_they_say(void **state)
{
	static const struct {
		const char *what;
		const struct tree_workload *workload;
		bool random_order;
		uint64_t block_bytes;
		unsigned int before, after; /* files */
	} cases[] = {
		{ "create", &tree_create, false, 0, 0, 2100 },
		{ "create in any order", &tree_create, true, 0, 0, 2100 },
		{ "create with content", &tree_create, false, 1000, 0, 2100 },
		{ "stat", &tree_stat, false, 0, 2100, 2100 },
		{ "stat in any order", &tree_stat, true, 0, 2100, 2100 },
		{ "delete", &tree_delete, false, 0, 2100, 0 },
		{ "delete in any order", &tree_delete, true, 0, 2100, 0 },
	};
	_Atomic uint32_t stop = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct shared *s = plan_for(test_dir, 2100 * 4096);
		struct files_handle h;
		struct tree t;

		print_message("  %s\n", cases[i].what);
		s->plan.spec.order = cases[i].random_order ? STREAM_IN_ANY_ORDER : STREAM_BY_NAME;
		s->plan.spec.block_bytes = cases[i].block_bytes;
		assert_int_equal(prepare_tree(s, cases[i].workload, &t, &h), 0);
		assert_string_equal(s->file, "1.tree");
		for (int pass = 0; pass < 2; pass++) {
			struct count c = count_tree("1.tree");
			uint64_t bytes;

			assert_int_equal(c.files, cases[i].before);
			assert_int_equal(c.folders, 3);
			assert_int_equal(whole_pass(&t, &bytes), 2100);
			c = count_tree("1.tree");
			assert_int_equal(c.files, cases[i].after);
			assert_int_equal(c.bytes, cases[i].after * cases[i].block_bytes);
			assert_int_equal(bytes, cases[i].before ? 0 : c.bytes);
			assert_int_equal(tree_begin_pass(&t, &stop), 0);
		}
		assert_int_equal(tree_sync(&t), 0);
		tree_release(&t);
		files_release(&h); /* takes the tree away */
		assert_false(exists(test_dir, ".raidtop/1.tree"));
		expect_clean(test_dir, 0, NULL);
		free(s);
	}
}

static void untar_makes_the_whole_tree(void **state)
{
	struct shared *s = plan_for(test_dir, 4 * MIB);
	struct files_handle h;
	_Atomic uint32_t stop = 0;
	struct tree t;

	(void)state;
	assert_int_equal(prepare_tree(s, &tree_untar, &t, &h), 0);
	for (int pass = 0; pass < 2; pass++) {
		uint64_t bytes;
		uint64_t n = whole_pass(&t, &bytes);
		struct count c = count_tree("1.tree");

		assert_int_equal(n, c.files + c.folders);
		assert_int_equal(c.files, t.names.files);
		assert_int_equal(c.folders, t.names.folders);
		assert_int_equal(c.bytes, bytes);
		assert_true(bytes >= 4 * MIB && bytes < 5 * MIB);
		assert_true(bytes <= tree_bytes(&t));
		assert_int_equal(c.files + c.folders + 1, tree_inodes(&t));
		assert_int_equal(tree_begin_pass(&t, &stop), 0);
		c = count_tree("1.tree");
		assert_int_equal(c.files + c.folders, 0);
	}
	tree_release(&t);
	files_release(&h);
	expect_clean(test_dir, 0, NULL);
	free(s);
}

static void a_stop_ends_the_filling(void **state)
{
	struct shared *s = plan_for(test_dir, 2100 * 4096);
	struct files_handle h;
	struct tree t;

	(void)state;
	atomic_store(&s->stop, 1);
	assert_int_equal(prepare_tree(s, &tree_stat, &t, &h), -ECANCELED);
	tree_release(&t);
	assert_false(exists(test_dir, ".raidtop/1.tree"));
	expect_clean(test_dir, 0, NULL);
	free(s);
}

static void too_many_files_are_refused_or_fewer(void **state)
{
	struct shared *s = plan_for(test_dir, UINT64_C(1) << 50);
	struct files_handle h;
	struct tree t;

	(void)state;
	assert_int_equal(prepare_tree(s, &tree_create, &t, &h), -ENOSPC);
	assert_in(s->sentence, "too little room for so many files");
	tree_release(&t);
	for (int i = 0; i < 2; i++) {
		struct stream_spec spec = { .size_bytes = i ? 8 * MIB : 4096 * 5000 };

		tree_init(&t, i ? &tree_untar : &tree_create, &spec);
		tree_shrink(&t, 2 * MIB, 300);
		assert_true(tree_bytes(&t) <= 2 * MIB);
		assert_true(tree_inodes(&t) <= 300);
		assert_true(t.names.files > 0);
		tree_release(&t);
	}
	expect_clean(test_dir, 0, NULL);
	free(s);
}

/* ---- what others put into a tree ---- */

static void what_others_put_into_a_tree_stays(void **state)
{
	struct shared *s = plan_for(test_dir, MIB);
	char path[256], folder[TREE_NAME_BYTES], name[TREE_NAME_BYTES], below[256];
	struct files_handle h;
	uint64_t bytes;
	struct tree t;

	(void)state;
	s->plan.spec.keep = true; /* else the stream takes it away */
	plant(test_dir, "victim", "precious");
	assert_int_equal(prepare_tree(s, &tree_untar, &t, &h), 0);
	whole_pass(&t, &bytes);
	tree_folder_name(&t.names, 0, folder);
	tree_file_name(&t.names, 0, 0, name);
	text_format(below, sizeof(below), ".raidtop/1.tree/%s", folder);
	/* A file, a link under a name of ours, and a name of ours in another place. */
	text_format(path, sizeof(path), "%s/mine", below);
	plant(test_dir, path, "precious");
	text_format(path, sizeof(path), "%s/%s/%s", test_dir, below, name);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(test_dir, path), 0);
	text_format(path, sizeof(path), ".raidtop/1.tree/%s", name);
	plant(test_dir, path, "precious");
	tree_release(&t);
	files_release(&h);
	expect_clean(test_dir, -EBUSY, "left: mine in a tree of test files");
	expect_clean(test_dir, -EBUSY,
		     "1.tree, in which there are files that raidtop did not make");
	assert_true(exists(test_dir, "victim"));
	assert_true(exists(test_dir, path));
	take_away(test_dir, path);
	text_format(path, sizeof(path), "%s/%s", below, name);
	assert_true(exists(test_dir, path));
	take_away(test_dir, path);
	text_format(path, sizeof(path), "%s/mine", below);
	take_away(test_dir, path);
	expect_clean(test_dir, 0, NULL);
	assert_false(exists(test_dir, ".raidtop"));
	take_away(test_dir, "victim");
	free(s);
}

static void another_folder_under_its_name_stays(void **state)
{
	struct shared *s = plan_for(test_dir, MIB);
	struct files_handle h;
	char from[256], to[256];
	uint64_t bytes;
	struct tree t;

	(void)state;
	s->plan.spec.keep = true;
	assert_int_equal(prepare_tree(s, &tree_untar, &t, &h), 0);
	whole_pass(&t, &bytes);
	tree_release(&t);
	files_release(&h);
	path_below(from, test_dir, ".raidtop/1.tree");
	path_below(to, test_dir, "moved");
	assert_int_equal(rename(from, to), 0);
	assert_int_equal(symlink(to, from), 0);
	expect_clean(test_dir, -EBUSY, "1.tree, which is not the file that raidtop made");
	take_away(test_dir, ".raidtop/1.tree");
	assert_int_equal(mkdir(from, 0700), 0);
	expect_clean(test_dir, -EBUSY, "1.tree, which is not the file that raidtop made");
	assert_true(exists(test_dir, ".raidtop/1.tree"));
	assert_int_equal(rmdir(from), 0);
	assert_int_equal(rename(to, from), 0);
	expect_clean(test_dir, 0, NULL);
	assert_false(exists(test_dir, ".raidtop"));
	free(s);
}

/* In memory where that is to be had: a disk is slow to make so many files again and again. */
static int make_tree_dir(void **state)
{
	text_copy(test_dir, sizeof(test_dir), "/dev/shm/raidtop-test-XXXXXX");
	return mkdtemp(test_dir) ? 0 : make_test_dir(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_come_back_from_their_seed),
		cmocka_unit_test(hostile_names_are_not_found),
		cmocka_unit_test(sources_have_many_sizes),
		cmocka_unit_test(passes_do_what_they_say),
		cmocka_unit_test(untar_makes_the_whole_tree),
		cmocka_unit_test(a_stop_ends_the_filling),
		cmocka_unit_test(too_many_files_are_refused_or_fewer),
		cmocka_unit_test(what_others_put_into_a_tree_stays),
		cmocka_unit_test(another_folder_under_its_name_stays),
	};

	return cmocka_run_group_tests(tests, make_tree_dir, remove_test_tree);
}
