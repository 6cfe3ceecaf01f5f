/*
 * Memory either is there or the program ends: no caller could go on sensibly without it, and
 * the branches that would try are never run. What is counted here is held to none per tick.
 */
#include "raidtop/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t allocations; /* temperatures are read in a thread of their own */

static _Noreturn void die(void)
{
	fputs("raidtop: out of memory\n", stderr);
	exit(EXIT_FAILURE);
}

static size_t product(size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		die();
	return n && size ? n * size : 1;
}

void *memory_new(size_t n, size_t size)
{
	void *p = calloc(1, product(n, size));

	if (!p)
		die();
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return p;
}

void *memory_resize(void *old, size_t n, size_t size)
{
	void *p = realloc(old, product(n, size));

	if (!p)
		die();
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return p;
}

char *memory_copy_text(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(memory_new(size, 1), text, size);
}

size_t memory_allocations(void)
{
	return atomic_load_explicit(&allocations, memory_order_relaxed);
}
