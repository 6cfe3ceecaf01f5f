/* The shared corpus, read where it lies: beside the repository, or nowhere. */
#ifndef RAIDTOP_TESTS_CORPUS_H
#define RAIDTOP_TESTS_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

/* The files of a folder of the corpus whose names end in `suffix`, sorted. */
struct corpus {
	char folder[64];
	char **names;
	size_t n;
};

/* Whether the folder is there; where not, says so. */
bool corpus_open(struct corpus *c, const char *folder, const char *suffix);
void corpus_close(struct corpus *c);

/*
 * One file with another suffix, in memory of just its size, so that a read beyond its end is
 * found: the caller frees it. Ends the test where it cannot be read.
 */
char *corpus_read(const struct corpus *c, size_t i, const char *suffix, size_t *ret_len);

#endif
