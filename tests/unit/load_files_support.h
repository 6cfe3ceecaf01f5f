/*
 * What the tests of test files share: a target directory in /var/tmp, a plan as raidtop writes it,
 * what a removal said, and filesystems of a test's own on loop devices.
 */
#ifndef TESTS_LOAD_FILES_SUPPORT_H
#define TESTS_LOAD_FILES_SUPPORT_H

#include "load_support.h"

#include <sys/mount.h>
#include <sys/statvfs.h>

#include "load/files.h"
#include "raidtop/files_clean.h"
#include "load/files_session.h"
#include "load/manifest.h"
#include "raidtop/memory.h"
#include "raidtop/snapshot.h"

/* All that a removal, or a check, said; one sentence a line. */
struct heard {
	struct buffer text;
	struct files_report report;
};

static inline void hear(void *data, const char *sentence)
{
	struct heard *h = data;

	buffer_add_text(&h->text, sentence);
	buffer_add_char(&h->text, '\n');
}

static inline void heard_init(struct heard *h)
{
	*h = (struct heard){ .report = { .say = hear, .data = h } };
}

static inline void heard_release(struct heard *h)
{
	buffer_release(&h->text);
}

/* Expects status `r` and that `part` was said (NULL: anything). */
static inline void expect_clean(const char *path, int r, const char *part)
{
	struct heard h;
	int got;

	heard_init(&h);
	got = files_clean(path, &h.report);
	if (got != r)
		print_error("--clean %s: %d, and said:\n%s", path, got, buffer_text(&h.text));
	assert_int_equal(got, r);
	if (part)
		assert_in(buffer_text(&h.text), part);
	heard_release(&h);
}

/* As raidtop writes it for a stream on that directory. */
static inline struct shared *plan_for(const char *target, uint64_t size_bytes)
{
	struct shared *s = memory_new(1, sizeof(*s));

	text_copy(s->plan.spec.workload, sizeof(s->plan.spec.workload), "seq-read");
	text_copy(s->plan.spec.target, sizeof(s->plan.spec.target), target);
	s->plan.spec.copies = 1;
	s->plan.spec.depth = 1;
	s->plan.spec.size_bytes = size_bytes;
	s->plan.target = SHARED_TARGET_DIRECTORY;
	s->plan.size_bytes = size_bytes;
	s->plan.align_bytes = 1;
	s->plan.parent = getpid();
	s->plan.mount_id = s->plan.device = UNKNOWN_U64;
	return s;
}

static inline int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static inline int prepare(struct shared *s, bool writes, struct files_handle *h)
{
	int directory = open_directory(s->plan.spec.target);
	struct files_request request = { .directory = directory, .writes = writes };
	int r = files_prepare(&request, s, h);

	close(directory);
	return r;
}

static inline void expect_prepared(struct shared *s, bool writes, struct files_handle *h)
{
	int r = prepare(s, writes, h);

	if (r < 0)
		print_error("%s\n", s->sentence);
	assert_int_equal(r, 0);
}

static inline void path_below(char path[256], const char *directory, const char *name)
{
	assert_true(text_format(path, 256, "%s/%s", directory, name));
}

static inline bool exists(const char *directory, const char *name)
{
	char path[256];
	struct stat st;

	path_below(path, directory, name);
	return lstat(path, &st) == 0;
}

/* A small file with a text in it, as somebody else would leave it. */
static inline void plant(const char *directory, const char *name, const char *text)
{
	char path[256];
	int fd;

	path_below(path, directory, name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static inline void take_away(const char *directory, const char *name)
{
	char path[256];

	path_below(path, directory, name);
	assert_int_equal(remove(path), 0);
}

static inline void append_manifest(const char *directory, const char *text)
{
	char path[256];
	int fd;

	path_below(path, directory, ".raidtop/manifest");
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static inline int run_quietly(const char *const argv[])
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		int nothing = open("/dev/null", O_RDWR);

		dup2(nothing, STDOUT_FILENO);
		dup2(nothing, STDERR_FILENO);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * A filesystem of `bytes` on a loop device, mounted on test_dir/NAME; its path into `path`. Skips
 * the test where there is no permission or no tool to make it.
 */
static inline void mount_new(const char *mkfs, uint64_t bytes, const char *name, char path[256])
{
	char image[256];
	const char *const make[] = { mkfs, "-q", image, NULL };
	const char *const mount_it[] = { "mount", "-o", "loop", image, path, NULL };
	int fd;

	path_below(path, test_dir, name);
	text_format(image, sizeof(image), "%s.image", path);
	fd = open(image, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	close(fd);
	assert_int_equal(mkdir(path, 0700), 0);
	if (geteuid() != 0 || run_quietly(make) != 0 || run_quietly(mount_it) != 0) {
		rmdir(path);
		print_message("skipped: %s cannot be made and mounted here\n", mkfs);
		skip();
	}
}

static inline void unmount(const char *path)
{
	assert_int_equal(umount2(path, 0), 0);
	assert_int_equal(rmdir(path), 0);
}

/* Removes all that a test left below test_dir. */
static inline int remove_test_tree(void **state)
{
	const char *const argv[] = { "rm", "-rf", "--one-file-system", test_dir, NULL };

	(void)state;
	return run_quietly(argv);
}

#endif
