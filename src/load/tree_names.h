/*
 * The names, sizes and places of the files of a test tree (N.tree), all of them determined by a
 * few numbers in the manifest: what is to be made, and what may be removed, without a list.
 */
#ifndef LOAD_TREE_NAMES_H
#define LOAD_TREE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_FOLDERS_MAX 1000000U
#define TREE_FILES_MAX 100000000U
#define TREE_NAME_BYTES 48
#define TREE_DEPTH_MAX 16    /* of folders below N.tree; 5 ^ 9 is more than TREE_FOLDERS_MAX */
#define TREE_FLAT_FILES 1024 /* in a folder */
#define TREE_SOURCE_BYTES_MAX 262144

enum tree_kind {
	TREE_FLAT,    /* many small files alike in a few folders, as metadata tests have it */
	TREE_SOURCES, /* folders in folders, files of many sizes, as a program's sources are */
};

struct tree_names {
	enum tree_kind kind;
	unsigned int folders; /* 0 .. folders - 1; none of them is N.tree itself */
	unsigned int files;   /* of a flat tree, in all */
	uint64_t seed;
};

/* As few folders as hold that many files. */
struct tree_names tree_names_flat(uint64_t files, uint64_t seed);
/* As many folders as come to about that many bytes, at least one. */
struct tree_names tree_names_sources(uint64_t bytes, uint64_t seed);

/* The folder that a folder lies in; -1: N.tree itself. Parents have lower numbers. */
int tree_folder_parent(const struct tree_names *t, unsigned int folder);
/* Files in that folder: numbered from 0. */
unsigned int tree_folder_files(const struct tree_names *t, unsigned int folder);
void tree_folder_name(const struct tree_names *t, unsigned int folder, char name[TREE_NAME_BYTES]);
void tree_file_name(const struct tree_names *t, unsigned int folder, unsigned int file,
		    char name[TREE_NAME_BYTES]);
/* Of a tree of sources; that of a flat tree's files is not determined by the names. */
uint64_t tree_file_bytes(const struct tree_names *t, unsigned int folder, unsigned int file);

/*
 * Which folder in `parent` (-1: N.tree), or which file in `folder`, has that name: exactly, or
 * false.
 */
bool tree_find_folder(const struct tree_names *t, int parent, const char *name,
		      unsigned int *ret_folder);
bool tree_find_file(const struct tree_names *t, unsigned int folder, const char *name);

#endif
