/*
 * TARGET/.raidtop/manifest: JSON Lines, one for each thing that happened to a test file. The last
 * line of a name holds, whole; so a crash loses at most what was not yet done. It is what the
 * removal goes by, and is written before the thing that it names is there.
 */
#ifndef LOAD_MANIFEST_H
#define LOAD_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "files_folder.h"
#include "raidtop/text.h"
#include "tree_names.h"

#define MANIFEST_NAME "manifest"
#define MANIFEST_NEW_NAME "manifest.new" /* while it is being written anew */
#define MANIFEST_FILE_BYTES 32           /* of a file's name */
#define MANIFEST_SESSION_BYTES 64

enum manifest_state {
	MANIFEST_INTENT,  /* it may be about to be made: the identity is not known */
	MANIFEST_MADE,    /* it is there, or about to get its name */
	MANIFEST_WRITTEN, /* all of it */
	MANIFEST_REMOVED,
};

struct manifest_entry {
	uint64_t number; /* of its name: 3 for "3.data" */
	bool is_tree;    /* "3.tree" */
	enum manifest_state state;
	/* Identity. A file has the device or the filesystem (0: unknown), and all the rest. */
	uint64_t device, filesystem, inode;
	uint64_t uid;
	uint64_t size_bytes;
	uint64_t seed;
	struct tree_names names;              /* of a tree */
	char session[MANIFEST_SESSION_BYTES]; /* the raidtop that it was made for; session.h */
	uint64_t group;                       /* streams started together: the first's number */
	bool keep;                            /* it outlives that raidtop */
	size_t line;                          /* where it was read */
};

struct manifest {
	int fd;                         /* locked against other writers; owned; -1 */
	struct manifest_entry *entries; /* by number, the last line of each; owned */
	size_t n;
	size_t lines;
	/* Lines that say nothing that can be trusted; the first of them and what it named. */
	size_t bad_lines, first_bad_line;
	char bad_name[MANIFEST_FILE_BYTES];
};

#define MANIFEST_INIT    \
	{                \
		.fd = -1 \
	}

/*
 * Opens it, makes it where it is missing (`create`), waits for those who write in it, and reads
 * all of it. 0 or -errno: -ENOENT; -EPERM where it is no plain file of our own,
 * -EBADMSG where it is too large.
 */
int manifest_open(struct manifest *m, const struct files_folder *f, bool create);
void manifest_release(struct manifest *m);

/* The first number from `from` on (> 0) that no entry has. */
uint64_t manifest_free_number(const struct manifest *m, uint64_t from);
/* The largest size of its files that is not above `most`; 0: there is none. */
uint64_t manifest_largest(const struct manifest *m, uint64_t most);

/* Adds a line, and is sure that it is on the disk, where `sync`. 0 or -errno. */
int manifest_add(struct manifest *m, const struct manifest_entry *e, bool sync);
/* Removes the file itself; for who holds the folder alone. 0 or -errno. */
int manifest_unlink(const struct files_folder *f);

/* "3.data" */
void manifest_file_name(char name[MANIFEST_FILE_BYTES], const struct manifest_entry *e);
/* Whether that is the very file that the entry tells of, and nobody else's as well. */
bool manifest_entry_matches(const struct manifest_entry *e, const struct files_folder *f,
			    const struct stat *st);

/* One line as text, with its newline; and back: 0 or -EINVAL, `bad_name` what it names. */
void manifest_format(struct buffer *b, const struct manifest_entry *e);
int manifest_parse(const char *line, size_t len, struct manifest_entry *ret,
		   char bad_name[MANIFEST_FILE_BYTES]);

#endif
