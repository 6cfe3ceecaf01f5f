/*
 * What a worker does before it may be timed. Its file is looked for in the manifest, or made and
 * written in full; the manifest is locked only while something is chosen and named, never while
 * data are written, so that the copies of a stream prepare side by side. A file that a stream
 * uses is locked itself.
 *
 * Space is chosen under that lock as well: what the other copies have named is allocated, or
 * counted as if it were, and of a default size each of them gets the same.
 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "files_make.h"
#include "files_remove.h"
#include "files_session.h"
#include "files_source.h"
#include "files_space.h"
#include "raidtop/units.h"
#include "random.h"
#include "reserve.h"
#include "sentence.h"
#include "target.h"

/* Of a size: what all filesystems and disks take direct transfers of. */
#define SIZE_STEP_BYTES 4096

struct preparation {
	const struct files_request *request;
	struct shared *shared;
	const struct shared_plan *plan;
	struct files_handle *h;
	uint64_t wanted_bytes;
	bool may_shrink;
	uint64_t sought_bytes;  /* of a file that is there already */
	bool is_written;        /* the file that was found has its data */
	unsigned int forgotten; /* files of runs that crashed */
};

static int say(struct preparation *p, int r, const char *after)
{
	char buf[SENTENCE_NAME_BYTES];

	return sentence_set(r, p->shared->sentence, sizeof(p->shared->sentence), "%s%s",
			    sentence_name(buf, p->plan->spec.target), after);
}

static int say_error(struct preparation *p, int r)
{
	static const struct {
		int error;
		const char *after;
	} table[] = {
		{ ENOSPC, " is full: make room, or ask for a smaller size" },
		{ EDQUOT, ": the quota there is used up; ask for a smaller size" },
		{ EFBIG, " takes no file of that size: ask for a smaller one" },
		{ EROFS, " is mounted for reading only" },
		{ EACCES, " does not allow a folder to be made in it" },
		{ EIO, " failed while the test file was written (input/output error)" },
		{ EPERM, "/.raidtop/manifest is no plain file of this user's own: look at it" },
		{ EEXIST, "/.raidtop is full of files that raidtop did not make: look at it" },
		{ EBADMSG, "/.raidtop/manifest is too large to be raidtop's: look at it" },
		{ ESTALE, " is not where it was: moved, unmounted, or mounted over" },
		{ ECANCELED, ": stopped while the test file was prepared" },
	};
	char after[96];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].error == -r)
			return say(p, r, table[i].after);
	}
	text_format(after, sizeof(after), ": no test file can be made there: %s", strerror(-r));
	return say(p, r, after);
}

static int say_no_room(struct preparation *p, const struct reserve *reserve, uint64_t copies)
{
	char wanted[24], available[24], keep[24], after[128];

	units_format_size(wanted, sizeof(wanted), UNITS_IEC, p->wanted_bytes);
	units_format_size(available, sizeof(available), UNITS_IEC, reserve->free_bytes);
	units_format_size(keep, sizeof(keep), UNITS_IEC, reserve->keep_bytes);
	text_format(after, sizeof(after),
		    " has %s free, of which %s stay free: no room for %u file%s of %s; ask for a "
		    "smaller size",
		    available, keep, (unsigned int)copies, copies == 1 ? "" : "s", wanted);
	return say(p, -ENOSPC, after);
}

/* ---- space ---- */

static int choose_size(struct preparation *p, const struct manifest *m)
{
	struct files_group g = files_survey(&p->h->folder, m, p->h->entry.session, p->plan->group);
	struct reserve reserve;
	unsigned int copies = p->plan->group > 0 ? p->plan->spec.copies : 1;
	uint64_t left = copies > g.made ? copies - g.made : 1;
	uint64_t spare, size = p->wanted_bytes;
	int r = reserve_read(p->h->folder.fd, &reserve);

	if (r < 0)
		return say_error(p, r);
	spare = reserve_spare_bytes(&reserve);
	spare = spare > g.pending_bytes ? spare - g.pending_bytes : 0;
	if (reserve_spare_inodes(&reserve) < left)
		return say(p, -ENOSPC, " has too few inodes left: remove files there");
	if (p->may_shrink && g.made > 0 && g.size_bytes < size)
		size = g.size_bytes;
	if (p->may_shrink)
		size = reserve_share(spare, left, size);
	if (size == 0 || size > spare / left)
		return say_no_room(p, &reserve, left);
	p->h->entry.size_bytes = size;
	return 0;
}

/* ---- a file that is there already ---- */

static bool fits(const struct preparation *p, const struct manifest_entry *e)
{
	if (e->is_tree || e->state != MANIFEST_WRITTEN || e->seed != p->plan->spec.seed ||
	    e->size_bytes != p->sought_bytes)
		return false;
	return e->keep || strcmp(e->session, p->h->entry.session) == 0 ||
	       !files_session_is_alive(e->session);
}

/* A locked descriptor of the very file, or -errno: somebody uses it, or it is another one. */
static int lock_file(const struct files_folder *f, const struct manifest_entry *e)
{
	char name[MANIFEST_FILE_BYTES];
	struct stat st;
	int fd;

	manifest_file_name(name, e);
	fd = openat(f->fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && manifest_entry_matches(e, f, &st) &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	close(fd);
	return -EBUSY;
}

/* Ours from now on; what is to be kept once, is kept. */
static int take_over(struct preparation *p, struct manifest *m, const struct manifest_entry *e)
{
	struct manifest_entry mine = *e;

	mine.keep = e->keep || p->plan->spec.keep;
	mine.group = p->plan->group;
	text_copy(mine.session, sizeof(mine.session), p->h->entry.session);
	p->h->entry = mine;
	return manifest_add(m, &mine, false);
}

static int find_file(struct preparation *p, struct manifest *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct manifest_entry *e = &m->entries[i];
		int fd = fits(p, e) ? lock_file(&p->h->folder, e) : -ENOENT;

		if (fd < 0)
			continue;
		p->h->lock = fd;
		p->is_written = files_source_is_sound(fd, m, &p->h->folder, e);
		return take_over(p, m, e);
	}
	return -ENOENT;
}

static void count_forgotten(struct preparation *p, const struct manifest *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct manifest_entry *e = &m->entries[i];

		if (e->number == p->h->entry.number) /* it is in use again */
			continue;
		if (!e->keep && strcmp(e->session, p->h->entry.session) != 0 &&
		    !files_session_is_alive(e->session))
			p->forgotten++;
	}
}

/* ---- making one ---- */

/*
 * Where nobody asked for a size and a new file would be smaller than usual, one from before that is
 * no smaller is as good; it may be what has taken the room.
 */
static int find_smaller(struct preparation *p, struct manifest *m, int chosen)
{
	uint64_t most = p->wanted_bytes - 1, least = chosen < 0 ? 1 : p->h->entry.size_bytes;
	int r = -ENOENT;

	if (!p->may_shrink || (chosen < 0 && chosen != -ENOSPC))
		return r;
	for (; r == -ENOENT && (p->sought_bytes = manifest_largest(m, most)) >= least;
	     most = p->sought_bytes - 1)
		r = find_file(p, m);
	return r;
}

static int make_file(struct preparation *p, struct manifest *m)
{
	int r = choose_size(p, m);
	int fd = find_smaller(p, m, r);

	if (fd != -ENOENT) {
		p->shared->sentence[0] = '\0'; /* there is no room, and none is needed */
		return fd < 0 ? say_error(p, fd) : 0;
	}
	if (r < 0)
		return r;
	fd = files_make(m, &p->h->folder, FILES_UNNAMED, &p->h->entry);
	if (fd == -EOPNOTSUPP)
		fd = files_make(m, &p->h->folder, FILES_NAMED, &p->h->entry);
	if (fd < 0)
		return say_error(p, fd);
	p->h->lock = fd;
	return 0;
}

/* Chooses or makes the file, under the manifest's lock. */
static int get_file(struct preparation *p)
{
	struct manifest m;
	int r = manifest_open(&m, &p->h->folder, true);

	if (r < 0)
		return say_error(p, r);
	r = find_file(p, &m);
	if (r == -ENOENT)
		r = make_file(p, &m);
	else if (r < 0)
		say_error(p, r);
	count_forgotten(p, &m);
	manifest_release(&m);
	return r;
}

static int set_state(struct preparation *p, enum manifest_state state)
{
	struct manifest m;
	int r = manifest_open(&m, &p->h->folder, true);

	if (r == 0) {
		p->h->entry.state = state;
		r = manifest_add(&m, &p->h->entry, true);
		manifest_release(&m);
	}
	return r;
}

static void remove_unfinished(struct preparation *p)
{
	struct files_report nobody = { 0 };
	char why[96];
	struct manifest m;

	close(p->h->lock); /* its lock would be in the way */
	p->h->lock = -1;
	if (manifest_open(&m, &p->h->folder, false) < 0)
		return;
	(void)files_remove_entry(&m, &p->h->folder, &p->h->entry, &nobody, why, sizeof(why));
	manifest_release(&m);
}

static int write_file(struct preparation *p)
{
	struct manifest_entry *e = &p->h->entry;
	int r = 0;

	shared_set(&p->shared->prepare_bytes, e->size_bytes);
	if (e->state == MANIFEST_WRITTEN)
		r = set_state(p, MANIFEST_MADE); /* it is written anew */
	if (r == 0)
		r = files_fill(p->h->lock, e->size_bytes,
			       random_mix(e->seed ^ random_mix(e->number)), &p->shared->stop,
			       &p->shared->prepared_bytes);
	if (r == 0)
		r = files_check_place(p->plan, p->request->directory);
	if (r == 0)
		r = set_state(p, MANIFEST_WRITTEN);
	if (r < 0) {
		say_error(p, r);
		if (!e->keep)
			remove_unfinished(p);
	}
	return r;
}

/* ---- what the stream gets ---- */

static int open_with(struct preparation *p, const char *name, int flags)
{
	struct stat named, locked;
	int fd;

	flags |= (p->request->writes ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	fd = openat(p->h->folder.fd, name, flags | O_NOATIME);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &named) < 0 || fstat(p->h->lock, &locked) < 0 ||
	    named.st_ino != locked.st_ino || named.st_dev != locked.st_dev ||
	    fcntl(fd, F_SETFL, flags & (O_DIRECT | O_NOATIME)) < 0) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

static int open_for_stream(struct preparation *p)
{
	struct files_handle *h = p->h;
	char name[MANIFEST_FILE_BYTES];
	struct stat st;

	manifest_file_name(name, &h->entry);
	h->access = p->plan->spec.access;
	h->align_bytes = 1;
	h->fd = open_with(p, name, h->access == STREAM_DIRECT ? O_DIRECT : 0);
	if (h->fd == -EINVAL && h->access == STREAM_DIRECT) {
		h->access = STREAM_DONTCACHE;
		h->fd = open_with(p, name, 0);
	}
	if (h->fd >= 0 && h->access == STREAM_DIRECT && fstat(h->fd, &st) == 0) {
		h->align_bytes = target_alignment(h->fd, &st);
		if (h->align_bytes == 0) {
			h->align_bytes = 1;
			h->access = STREAM_DONTCACHE;
			return target_leave_direct(h->fd);
		}
	}
	return h->fd < 0 ? h->fd : 0;
}

/* Nothing to worry about, or what was found in passing. */
static void say_forgotten(struct preparation *p)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *name = sentence_name(buf, p->plan->spec.target);

	/* Of copies one says it. */
	if (p->forgotten > 0 && p->plan->copy == 0 && p->shared->sentence[0] == '\0')
		sentence_set(0, p->shared->sentence, sizeof(p->shared->sentence),
			     "files of an earlier run lie in %s/.raidtop: raidtop --clean %s", name,
			     name);
}

static int prepare_file(struct preparation *p)
{
	int r = get_file(p);

	if (r == 0 && !p->is_written)
		r = write_file(p);
	if (r < 0)
		return r;
	r = files_source_clear(p->h->lock, p->h->entry.size_bytes, p->shared);
	if (r == 0)
		r = open_for_stream(p);
	if (r < 0)
		return say_error(p, r);
	p->h->size_bytes = p->h->entry.size_bytes;
	return 0;
}

static int get_tree(struct preparation *p, struct manifest *m)
{
	struct tree *t = p->request->tree;
	struct reserve reserve;
	int r = reserve_read(p->h->folder.fd, &reserve);
	int fd;

	if (r < 0)
		return say_error(p, r);
	if (p->may_shrink)
		tree_shrink(t, reserve_spare_bytes(&reserve), reserve_spare_inodes(&reserve));
	if (tree_bytes(t) > reserve_spare_bytes(&reserve) ||
	    tree_inodes(t) > reserve_spare_inodes(&reserve))
		return say(p, -ENOSPC,
			   " has too little room for so many files: ask for a smaller size");
	p->h->entry.names = t->names;
	p->h->entry.seed = t->names.seed;
	fd = files_make_tree(m, &p->h->folder, &p->h->entry);
	if (fd < 0)
		return say_error(p, fd);
	p->h->fd = t->fd = fd;
	return 0;
}

static int prepare_tree(struct preparation *p)
{
	struct manifest m;
	int r = manifest_open(&m, &p->h->folder, true);

	if (r < 0)
		return say_error(p, r);
	r = get_tree(p, &m);
	count_forgotten(p, &m);
	manifest_release(&m);
	if (r == 0)
		r = tree_begin_pass(p->request->tree, &p->shared->stop);
	if (r < 0 && p->h->fd >= 0)
		say_error(p, r);
	return r;
}

static int prepare_in_folder(struct preparation *p)
{
	struct files_handle *h = p->h;
	int r = files_session_name(p->plan->parent, h->entry.session, sizeof(h->entry.session));

	if (r < 0)
		return say_error(p, r);
	h->entry.seed = p->plan->spec.seed;
	h->entry.group = p->plan->group;
	h->entry.keep = p->plan->spec.keep;
	p->may_shrink = p->plan->default_size;
	p->wanted_bytes =
		(p->plan->size_bytes + SIZE_STEP_BYTES - 1) / SIZE_STEP_BYTES * SIZE_STEP_BYTES;
	p->sought_bytes = p->wanted_bytes;
	r = p->request->tree ? prepare_tree(p) : prepare_file(p);
	if (r < 0)
		return r;
	manifest_file_name(p->shared->file, &h->entry);
	say_forgotten(p);
	return 0;
}

int files_prepare(const struct files_request *request, struct shared *shared,
		  struct files_handle *ret)
{
	struct files_handle h = FILES_HANDLE_INIT;
	struct preparation p = {
		.request = request, .shared = shared, .plan = &shared->plan, .h = &h
	};
	int r = files_check_place(&shared->plan, request->directory);

	signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error like others */
	if (r < 0)
		return say_error(&p, r);
	r = files_folder_open(&h.folder, request->directory, FILES_HOLD_SHARED,
			      shared->plan.spec.target, shared->sentence, sizeof(shared->sentence));
	if (r == 0)
		r = prepare_in_folder(&p);
	if (r < 0) {
		files_release(&h);
		return r;
	}
	*ret = h;
	return 0;
}

/* Its files are too many to leave lying around between two streams. */
static void remove_tree(struct files_handle *h)
{
	struct files_report nobody = { 0 };
	struct manifest m;
	char why[96];

	if (manifest_open(&m, &h->folder, false) < 0)
		return;
	(void)files_remove_entry(&m, &h->folder, &h->entry, &nobody, why, sizeof(why));
	manifest_release(&m);
}

void files_release(struct files_handle *h)
{
	if (h->lock >= 0)
		close(h->lock);
	if (h->fd >= 0)
		close(h->fd);
	if (h->fd >= 0 && h->entry.is_tree && !h->entry.keep)
		remove_tree(h);
	files_folder_release(&h->folder);
	*h = (struct files_handle)FILES_HANDLE_INIT;
}
