/* Sentences for people about a stream: bounded, and safe to show on a terminal. */
#ifndef LOAD_SENTENCE_H
#define LOAD_SENTENCE_H

#include <stddef.h>

/* Writes a sentence, control characters neutralised. Returns `r`, for telling an error at once. */
int sentence_set(int r, char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * A target's name as a sentence shows it: the whole, or "..." and the end of a long one, so that
 * what comes after it in the sentence is not cut off. Points into `target` or to `buf`.
 */
#define SENTENCE_NAME_BYTES 64
const char *sentence_name(char buf[SENTENCE_NAME_BYTES], const char *target);

#endif
