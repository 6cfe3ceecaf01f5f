/*
 * What somebody may have put where raidtop works: links, files of the same name, a manifest that
 * lies. Nothing of it may be followed, written to or removed, and each thing is told.
 */
#include "load_files_support.h"

#include <sys/file.h>

#include "load/files_remove.h"

static char victim[256];

/* A file outside, which must be as it was after each of the tests. */
static void make_victim(void)
{
	path_below(victim, test_dir, "victim");
	plant(test_dir, "victim", "precious");
}

static void check_victim(void)
{
	struct buffer b = BUFFER_INIT;
	struct stat st;

	assert_int_equal(file_read(victim, 100, &b), 0);
	assert_string_equal(b.data, "precious");
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	buffer_release(&b);
}

static void drop_victim(void)
{
	check_victim();
	take_away(test_dir, "victim");
}

/* A folder with one file of ours, for planting others beside it. */
static void make_one(void)
{
	struct shared *s = plan_for(test_dir, MIB);
	struct files_handle h;

	expect_prepared(s, false, &h);
	assert_string_equal(s->file, "1.data");
	files_release(&h);
	free(s);
}

static void a_folder_that_is_no_folder_of_ours_is_refused(void **state)
{
	static const char *const words[] = { "a link named .raidtop",
					     "a .raidtop that is no folder",
					     "a .raidtop that others own or may write to" };
	struct shared *s = plan_for(test_dir, MIB);
	struct files_handle h;
	char path[256];

	(void)state;
	make_victim();
	path_below(path, test_dir, ".raidtop");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (i == 0)
			assert_int_equal(symlink(test_dir, path), 0);
		else if (i == 1)
			plant(test_dir, ".raidtop", "");
		else
			assert_int_equal(mkdir(path, 0700), 0);
		if (i == 2)
			assert_int_equal(chmod(path, 0770), 0);
		assert_true(prepare(s, true, &h) < 0);
		assert_in(s->sentence, words[i]);
		expect_clean(test_dir, i == 0 ? -ELOOP : i == 1 ? -ENOTDIR : -EPERM, words[i]);
		take_away(test_dir, ".raidtop");
	}
	assert_false(exists(test_dir, "1.data"));
	assert_false(exists(test_dir, "manifest"));
	drop_victim();
	free(s);
}

static void a_folder_of_somebody_else_is_refused(void **state)
{
	char path[256];

	(void)state;
	if (geteuid() != 0)
		skip();
	make_one();
	path_below(path, test_dir, ".raidtop");
	assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	expect_clean(test_dir, -EPERM, "others own");
	assert_true(exists(test_dir, ".raidtop/1.data"));
	assert_int_equal(chown(path, 0, 0), 0);
	expect_clean(test_dir, 0, NULL);
}

/* What stands under the name that the next file would get. */
static void a_name_that_is_taken_is_left_alone(void **state)
{
	struct shared *s = plan_for(test_dir, 2 * MIB);
	struct files_handle h;
	char path[256];

	(void)state;
	make_victim();
	make_one();
	path_below(path, test_dir, ".raidtop/2.data");
	assert_int_equal(symlink(victim, path), 0);
	path_below(path, test_dir, ".raidtop/3.data");
	assert_int_equal(link(victim, path), 0);
	path_below(path, test_dir, ".raidtop/4.data");
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_prepared(s, true, &h);
	assert_string_equal(s->file, "5.data");
	files_release(&h);
	expect_clean(test_dir, -EBUSY, "2.data, which raidtop did not make");
	assert_false(exists(test_dir, ".raidtop/1.data"));
	assert_false(exists(test_dir, ".raidtop/5.data"));
	assert_true(exists(test_dir, ".raidtop/2.data"));
	assert_true(exists(test_dir, ".raidtop/3.data"));
	assert_true(exists(test_dir, ".raidtop/4.data"));
	for (int i = 2; i <= 4; i++) {
		text_format(path, sizeof(path), ".raidtop/%d.data", i);
		take_away(test_dir, path);
	}
	expect_clean(test_dir, 0, NULL);
	assert_false(exists(test_dir, ".raidtop"));
	drop_victim();
	free(s);
}

/* The manifest names 1.data, and something else stands there now. */
static void a_file_that_was_exchanged_is_left(void **state)
{
	static const char *const what[] = {
		"link",   "hard link",          "other file",  "FIFO",
		"folder", "one with two names", "other owner", "grown"
	};
	char path[256], aside[256];

	(void)state;
	make_victim();
	path_below(path, test_dir, ".raidtop/1.data");
	path_below(aside, test_dir, "aside");
	for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
		if (i == 6 && geteuid() != 0)
			continue;
		make_one();
		if (i < 5)
			assert_int_equal(rename(path, aside), 0);
		switch (i) {
		case 0:
			assert_int_equal(symlink(victim, path), 0);
			break;
		case 1:
			assert_int_equal(link(victim, path), 0);
			break;
		case 2:
			plant(test_dir, ".raidtop/1.data", "");
			break;
		case 3:
			assert_int_equal(mkfifo(path, 0600), 0);
			break;
		case 4:
			assert_int_equal(mkdir(path, 0700), 0);
			break;
		case 5:
			assert_int_equal(link(path, aside), 0);
			break;
		case 6:
			assert_int_equal(chown(path, NOBODY, NOBODY), 0);
			break;
		case 7:
			assert_int_equal(truncate(path, MIB + 4096), 0);
			break;
		}
		expect_clean(test_dir, -EBUSY, "1.data, which is not the file that raidtop made");
		if (!exists(test_dir, ".raidtop/1.data"))
			print_error("removed: %s\n", what[i]);
		assert_true(exists(test_dir, ".raidtop/1.data"));
		take_away(test_dir, ".raidtop/1.data");
		if (i < 6)
			take_away(test_dir, "aside");
		expect_clean(test_dir, 0, "removed: 0 files");
		assert_false(exists(test_dir, ".raidtop"));
	}
	drop_victim();
}

static void a_manifest_that_is_no_plain_file_is_not_believed(void **state)
{
	char path[256], aside[256];
	struct shared *s = plan_for(test_dir, MIB);
	struct files_handle h;

	(void)state;
	path_below(path, test_dir, ".raidtop/manifest");
	path_below(aside, test_dir, "aside");
	for (int i = 0; i < 4; i++) {
		make_one();
		if (i == 0)
			assert_int_equal(rename(path, aside), 0);
		if (i == 0)
			assert_int_equal(symlink(aside, path), 0);
		if (i == 1)
			assert_int_equal(link(path, aside), 0);
		if (i == 2)
			assert_int_equal(chmod(path, 0666), 0);
		if (i == 3) {
			assert_int_equal(rename(path, aside), 0);
			assert_int_equal(mkfifo(path, 0600), 0);
		}
		assert_int_equal(prepare(s, true, &h), -EPERM);
		assert_in(s->sentence, "manifest is no plain file");
		expect_clean(test_dir, -EBUSY, "nothing is removed on its word");
		assert_true(exists(test_dir, ".raidtop/1.data"));
		if (i == 2)
			assert_int_equal(chmod(path, 0600), 0);
		else if (i == 1)
			take_away(test_dir, "aside");
		else
			assert_int_equal(rename(aside, path), 0);
		expect_clean(test_dir, 0, "removed: 1 file");
	}
	free(s);
}

static void a_missing_manifest_removes_nothing(void **state)
{
	(void)state;
	make_one();
	take_away(test_dir, ".raidtop/manifest");
	expect_clean(test_dir, -EBUSY, "1.data, which raidtop did not make");
	assert_true(exists(test_dir, ".raidtop/1.data"));
	take_away(test_dir, ".raidtop/1.data");
	expect_clean(test_dir, 0, NULL);
}

/* Lines that say something else than what raidtop would write, about things that are there. */
static void a_manifest_that_lies_removes_nothing_else(void **state)
{
	static const char *const names[] = {
		"../victim", "/etc/passwd", "victim",        "01.data",
		"2.data/..", "-1.data",     "2.data\\u0000", "18446744073709551616.data",
		"0.data",    "manifest",    "2.data "
	};
	struct stat st;
	char line[512];

	(void)state;
	make_victim();
	assert_int_equal(stat(victim, &st), 0);
	make_one();
	append_manifest(test_dir, "{\"name\":\"1.da");
	append_manifest(test_dir, "\nnot json\n[]\n{}\n17\n\"1.data\"\n");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		text_format(
			line, sizeof(line),
			"{\"name\":\"%s\",\"state\":\"written\",\"device\":%ju,\"filesystem\":0,"
			"\"inode\":%ju,\"uid\":%u,\"bytes\":8,\"seed\":0,\"session\":\"\","
			"\"group\":1,\"keep\":false}\n",
			names[i], (uintmax_t)st.st_dev, (uintmax_t)st.st_ino, st.st_uid);
		append_manifest(test_dir, line);
	}
	for (int i = 0; i < 5000; i++)
		append_manifest(test_dir, i < 4999 ? "{" : "\n");
	expect_clean(test_dir, 0, "18 lines are damaged and were passed over");
	assert_false(exists(test_dir, ".raidtop"));
	drop_victim();
}

/* The same as another entry than raidtop wrote: a wrong inode, device, size, owner. */
static void an_entry_that_does_not_match_removes_nothing(void **state)
{
	char identity[4][256], line[512], path[256];
	uintmax_t device, inode;
	struct stat st;

	(void)state;
	make_one();
	plant(test_dir, ".raidtop/2.data", "precious");
	path_below(path, test_dir, ".raidtop/2.data");
	assert_int_equal(stat(path, &st), 0);
	device = st.st_dev;
	inode = st.st_ino;
	text_format(identity[0], 256,
		    "\"device\":1,\"filesystem\":0,\"inode\":%ju,\"uid\":%u,"
		    "\"bytes\":8",
		    inode, st.st_uid);
	text_format(identity[1], 256,
		    "\"device\":%ju,\"filesystem\":0,\"inode\":1,\"uid\":%u,"
		    "\"bytes\":8",
		    device, st.st_uid);
	text_format(identity[2], 256,
		    "\"device\":%ju,\"filesystem\":0,\"inode\":%ju,\"uid\":4711,"
		    "\"bytes\":8",
		    device, inode);
	text_format(identity[3], 256,
		    "\"device\":%ju,\"filesystem\":0,\"inode\":%ju,\"uid\":%u,"
		    "\"bytes\":9",
		    device, inode, st.st_uid);
	for (size_t i = 0; i < sizeof(identity) / sizeof(identity[0]); i++) {
		text_format(line, sizeof(line),
			    "{\"name\":\"2.data\",\"state\":\"written\",%s,\"seed\":0,"
			    "\"session\":\"\",\"group\":1,\"keep\":false}\n",
			    identity[i]);
		append_manifest(test_dir, line);
		expect_clean(test_dir, -EBUSY, "2.data, which is not the file that raidtop made");
		assert_true(exists(test_dir, ".raidtop/2.data"));
	}
	take_away(test_dir, ".raidtop/2.data");
	expect_clean(test_dir, 0, NULL);
}

static void a_huge_manifest_is_refused(void **state)
{
	struct shared *s = plan_for(test_dir, MIB);
	struct files_handle h;
	char path[256];

	(void)state;
	make_one();
	path_below(path, test_dir, ".raidtop/manifest");
	assert_int_equal(truncate(path, 64 * MIB), 0);
	assert_int_equal(prepare(s, true, &h), -EBADMSG);
	assert_in(s->sentence, "too large to be raidtop's");
	expect_clean(test_dir, -EBUSY, "cannot be read");
	assert_true(exists(test_dir, ".raidtop/1.data"));
	take_away(test_dir, ".raidtop/1.data");
	take_away(test_dir, ".raidtop/manifest");
	expect_clean(test_dir, 0, NULL);
	free(s);
}

/* Exchanged again and again while it is being removed: the other file must outlive it. */
static void a_file_exchanged_during_the_removal_is_left(void **state)
{
	char path[256], other[256], aside[256];
	pid_t pid;

	(void)state;
	path_below(path, test_dir, ".raidtop/1.data");
	path_below(other, test_dir, "other");
	path_below(aside, test_dir, "aside");
	for (int round = 0; round < 40; round++) {
		struct files_report nobody = { 0 };
		struct stat st;

		make_one();
		plant(test_dir, "other", "precious");
		assert_int_equal(stat(other, &st), 0);
		pid = fork();
		if (pid == 0) {
			for (;;) {
				(void)(renameat2(AT_FDCWD, path, AT_FDCWD, other,
						 1 << 1 /* RENAME_EXCHANGE */) == 0);
			}
		}
		(void)files_clean(test_dir, &nobody);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		/* Wherever it is now, it is still there: under one of three names. */
		{
			static const char *const places[] = { "other", ".raidtop/1.data",
							      ".raidtop/1.data.removing" };
			bool found = false;
			struct stat now;
			char at[256];

			for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
				path_below(at, test_dir, places[i]);
				if (lstat(at, &now) == 0 && now.st_ino == st.st_ino)
					found = true;
			}
			assert_true(found);
		}
		(void)unlink(path);
		(void)unlink(other);
		text_format(aside, sizeof(aside), "%s.removing", path);
		(void)unlink(aside);
		(void)files_clean(test_dir, &nobody);
		assert_false(exists(test_dir, ".raidtop"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_that_is_no_folder_of_ours_is_refused),
		cmocka_unit_test(a_folder_of_somebody_else_is_refused),
		cmocka_unit_test(a_name_that_is_taken_is_left_alone),
		cmocka_unit_test(a_file_that_was_exchanged_is_left),
		cmocka_unit_test(a_manifest_that_is_no_plain_file_is_not_believed),
		cmocka_unit_test(a_missing_manifest_removes_nothing),
		cmocka_unit_test(a_manifest_that_lies_removes_nothing_else),
		cmocka_unit_test(an_entry_that_does_not_match_removes_nothing),
		cmocka_unit_test(a_huge_manifest_is_refused),
		cmocka_unit_test(a_file_exchanged_during_the_removal_is_left),
	};

	return cmocka_run_group_tests(tests, make_test_dir, remove_test_tree);
}
