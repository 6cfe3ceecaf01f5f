/* Allocation that ends the program with a sentence instead of returning NULL. */
#ifndef RAIDTOP_MEMORY_H
#define RAIDTOP_MEMORY_H

#include <stddef.h>

/*
 * As calloc, realloc (of `n` elements of `size` bytes; an overflow of the product ends the
 * program too) and strdup. The caller owns what they return and gives it to free().
 */
void *memory_new(size_t n, size_t size);
void *memory_resize(void *old, size_t n, size_t size);
char *memory_copy_text(const char *text);

/* Allocations made so far through this file: a test holds a tick to none. */
size_t memory_allocations(void);

#endif
