/*
 * A pass of a workload on many files goes once through all of them: makes each, asks for each, or
 * deletes each, in the order of their names or in one that seed and pass give; or it unpacks a
 * tree as tar does, folder by folder, each file with its content and its time. Between two passes
 * the files are made or taken away, which is not part of the workload.
 *
 * Files are named below a descriptor of their folder, which stays open as long as the next
 * operation is in the same one, as programs that work on many files do it.
 */
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/memory.h"
#include "tree_remove.h"

/* What metadata tests take: 16 times 1024 files. */
#define FILES 16384
#define UNTAR_BYTES (256ULL << 20)
/* An empty file, or a folder, takes about that much of a disk. */
#define INODE_BYTES 4096
/* The content of files: so that not each of them begins with the same. */
#define CONTENT_BYTES (2 * TREE_SOURCE_BYTES_MAX)

static int open_folder(struct tree *t, unsigned int folder)
{
	char name[TREE_NAME_BYTES];
	int chain[TREE_DEPTH_MAX];
	int depth = 0;
	int fd = t->fd;

	if (t->folder_fd >= 0 && t->folder == folder)
		return 0;
	for (int at = (int)folder; at >= 0 && depth < TREE_DEPTH_MAX;
	     at = tree_folder_parent(&t->names, (unsigned int)at))
		chain[depth++] = at;
	while (depth > 0) {
		int next, error;

		tree_folder_name(&t->names, (unsigned int)chain[--depth], name);
		next = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		error = errno;
		if (fd != t->fd)
			close(fd);
		if (next < 0)
			return -error;
		fd = next;
	}
	if (t->folder_fd >= 0)
		close(t->folder_fd);
	t->folder_fd = fd;
	t->folder = folder;
	return 0;
}

static int write_content(const struct tree *t, int fd, uint64_t bytes)
{
	/* Each begins elsewhere: no two files are alike. */
	uint64_t at = random_mix(t->names.seed ^ random_mix(t->next ^ t->pass << 32)) %
		      (CONTENT_BYTES / 2) / 8 * 8;

	while (bytes > 0) {
		uint64_t most = CONTENT_BYTES - at;
		ssize_t n = write(fd, t->content + at, bytes < most ? bytes : most);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		bytes -= (uint64_t)n;
		at = 0;
	}
	return 0;
}

static int make_file(const struct tree *t, const char *name, uint64_t bytes, bool with_time)
{
	static const struct timespec times[2] = { { .tv_sec = 1000000000 },
						  { .tv_sec = 1000000000 } };
	int fd = openat(t->folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	int r;

	if (fd < 0)
		return -errno;
	r = write_content(t, fd, bytes);
	if (r == 0 && with_time && futimens(fd, times) < 0)
		r = -errno;
	if (r == 0 && t->sync == STREAM_SYNC_EACH && fsync(fd) < 0)
		r = -errno;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

/* The file of the next operation on a flat tree, its folder opened. 1, 0 at the end, -errno. */
static int find_next(struct tree *t, char name[TREE_NAME_BYTES])
{
	uint64_t i = t->next;
	int r;

	if (i >= t->n)
		return 0;
	if (t->random_order)
		i = shuffle_get(&t->order, i);
	r = open_folder(t, (unsigned int)(i / TREE_FLAT_FILES));
	if (r < 0)
		return r;
	tree_file_name(&t->names, t->folder, (unsigned int)(i % TREE_FLAT_FILES), name);
	return 1;
}

static int create_step(struct tree *t, uint64_t *ret_bytes)
{
	char name[TREE_NAME_BYTES];
	int r = find_next(t, name);

	if (r <= 0)
		return r;
	r = make_file(t, name, t->content_bytes, false);
	t->next++;
	*ret_bytes = t->content_bytes;
	return r < 0 ? r : 1;
}

static int stat_step(struct tree *t, uint64_t *ret_bytes)
{
	char name[TREE_NAME_BYTES];
	struct stat st;
	int r = find_next(t, name);

	if (r <= 0)
		return r;
	t->next++;
	*ret_bytes = 0;
	return fstatat(t->folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 1;
}

static int delete_step(struct tree *t, uint64_t *ret_bytes)
{
	char name[TREE_NAME_BYTES];
	int r = find_next(t, name);

	if (r <= 0)
		return r;
	t->next++;
	*ret_bytes = 0;
	if (unlinkat(t->folder_fd, name, 0) < 0)
		return -errno;
	return t->sync == STREAM_SYNC_EACH && fsync(t->folder_fd) < 0 ? -errno : 1;
}

static int make_folder(struct tree *t, unsigned int folder)
{
	int parent = tree_folder_parent(&t->names, folder);
	char name[TREE_NAME_BYTES];
	int r = parent >= 0 ? open_folder(t, (unsigned int)parent) : 0;

	if (r < 0)
		return r;
	tree_folder_name(&t->names, folder, name);
	if (mkdirat(parent >= 0 ? t->folder_fd : t->fd, name, 0700) < 0)
		return -errno;
	return open_folder(t, folder);
}

static int untar_step(struct tree *t, uint64_t *ret_bytes)
{
	char name[TREE_NAME_BYTES];
	int r;

	*ret_bytes = 0;
	/* In the one that is open, all are there: the next one. */
	if (t->folder_fd < 0 || t->file >= tree_folder_files(&t->names, t->folder)) {
		unsigned int folder = t->folder_fd < 0 ? 0 : t->folder + 1;

		if (folder >= t->names.folders)
			return 0;
		t->file = 0;
		r = make_folder(t, folder);
	} else {
		tree_file_name(&t->names, t->folder, t->file, name);
		*ret_bytes = tree_file_bytes(&t->names, t->folder, t->file);
		r = make_file(t, name, *ret_bytes, true);
		t->file++;
	}
	t->next++;
	return r < 0 ? r : 1;
}

const struct tree_workload tree_create = { .kind = TREE_FLAT, .step = create_step };
const struct tree_workload tree_stat = { .kind = TREE_FLAT,
					 .step = stat_step,
					 .needs_files = true,
					 .keeps_files = true,
					 .reads = true };
const struct tree_workload tree_delete = { .kind = TREE_FLAT,
					   .step = delete_step,
					   .needs_files = true };
const struct tree_workload tree_untar = { .kind = TREE_SOURCES, .step = untar_step };

static void tree_resize(struct tree *t, uint64_t amount)
{
	if (t->workload->kind == TREE_SOURCES)
		t->names = tree_names_sources(amount, t->names.seed);
	else
		t->names = tree_names_flat(amount > 0 ? amount : 1, t->names.seed);
	t->n = t->names.files;
}

void tree_init(struct tree *t, const struct tree_workload *w, const struct stream_spec *spec)
{
	uint64_t file_bytes = spec->block_bytes > INODE_BYTES ? spec->block_bytes : INODE_BYTES;
	uint64_t files = spec->size_bytes > 0 ? spec->size_bytes / file_bytes : FILES;
	struct random random;

	*t = (struct tree){ .workload = w, .fd = -1, .folder_fd = -1 };
	t->names.seed = spec->seed;
	t->content_bytes = spec->block_bytes;
	t->sync = spec->sync;
	t->random_order = spec->order == STREAM_IN_ANY_ORDER;
	t->content = memory_new(CONTENT_BYTES, 1);
	random_seed(&random, spec->seed);
	random_fill(&random, t->content, CONTENT_BYTES);
	if (w->kind == TREE_SOURCES)
		tree_resize(t, spec->size_bytes > 0 ? spec->size_bytes : UNTAR_BYTES);
	else
		tree_resize(t, files);
}

void tree_release(struct tree *t)
{
	if (t->folder_fd >= 0)
		close(t->folder_fd);
	t->folder_fd = -1;
	free(t->content);
	t->content = NULL;
}

static uint64_t bytes_on_disk(uint64_t bytes)
{
	return (bytes + INODE_BYTES - 1) / INODE_BYTES * INODE_BYTES;
}

uint64_t tree_bytes(const struct tree *t)
{
	uint64_t sum = (uint64_t)t->names.folders * INODE_BYTES;

	if (t->names.kind == TREE_FLAT)
		return sum + t->n * (INODE_BYTES + bytes_on_disk(t->content_bytes));
	for (unsigned int folder = 0; folder < t->names.folders; folder++) {
		unsigned int n = tree_folder_files(&t->names, folder);

		for (unsigned int i = 0; i < n; i++)
			sum += INODE_BYTES + bytes_on_disk(tree_file_bytes(&t->names, folder, i));
	}
	return sum;
}

uint64_t tree_inodes(const struct tree *t)
{
	return (uint64_t)t->names.files + t->names.folders + 1;
}

void tree_shrink(struct tree *t, uint64_t bytes, uint64_t inodes)
{
	while (t->names.files > 1 && (tree_bytes(t) > bytes || tree_inodes(t) > inodes)) {
		if (t->names.kind == TREE_FLAT)
			tree_resize(t, t->n / 2);
		else if (t->names.folders == 1)
			return;
		else
			tree_resize(t, tree_bytes(t) / 4);
	}
}

static int make_folders(struct tree *t)
{
	int r = 0;

	for (unsigned int folder = 0; r == 0 && folder < t->names.folders; folder++)
		r = make_folder(t, folder);
	return r == -EEXIST ? 0 : r;
}

static int fill(struct tree *t, const _Atomic uint32_t *stop)
{
	bool random_order = t->random_order;
	uint64_t bytes;
	int r = 1;

	t->random_order = false;
	for (t->next = 0; r > 0;) {
		if (atomic_load_explicit(stop, memory_order_relaxed))
			r = -ECANCELED;
		else
			r = create_step(t, &bytes);
	}
	t->random_order = random_order;
	t->is_filled = r == 0;
	return r;
}

static int empty(struct tree *t)
{
	struct files_report nobody = { 0 };

	if (t->folder_fd >= 0)
		close(t->folder_fd);
	t->folder_fd = -1;
	t->folder = t->file = 0;
	t->is_filled = false;
	return tree_remove_content(&t->names, t->fd, &nobody);
}

static void rewind_pass(struct tree *t)
{
	t->next = 0;
	if (t->names.kind == TREE_FLAT)
		shuffle_init(&t->order, t->n, random_mix(t->names.seed ^ random_mix(t->pass)));
}

int tree_begin_pass(struct tree *t, const _Atomic uint32_t *stop)
{
	bool first = t->next == 0 && t->pass == 0;
	int r = 0;

	if (!first)
		t->pass++;
	if (!t->is_filled || !t->workload->keeps_files) {
		r = first ? 0 : empty(t);
		if (r == 0 && t->workload->kind == TREE_FLAT)
			r = make_folders(t);
		if (r == 0 && t->workload->needs_files)
			r = fill(t, stop);
	}
	rewind_pass(t);
	return r;
}

int tree_step(struct tree *t, uint64_t *ret_bytes)
{
	return t->workload->step(t, ret_bytes);
}

uint64_t tree_next_bytes(const struct tree *t)
{
	if (t->workload->kind == TREE_FLAT) /* what is there already is not written */
		return t->workload->needs_files ? 0 : t->content_bytes;
	if (t->folder_fd < 0 || t->file >= tree_folder_files(&t->names, t->folder))
		return 0; /* a folder */
	return tree_file_bytes(&t->names, t->folder, t->file);
}

int tree_sync(struct tree *t)
{
	return syncfs(t->fd) < 0 ? -errno : 0;
}
