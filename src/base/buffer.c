/*
 * The text that grows (raidtop/text.h). It doubles, so that adding is cheap, and a reset keeps
 * what it has grown to, so that a loop that fills it anew each time soon allocates no more.
 */
#include "raidtop/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"

#define SMALLEST 64

void buffer_init(struct buffer *b)
{
	*b = (struct buffer)BUFFER_INIT;
}

void buffer_release(struct buffer *b)
{
	free(b->data);
	buffer_init(b);
}

void buffer_reset(struct buffer *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

/* Room for `more` bytes and the terminator. */
void buffer_reserve(struct buffer *b, size_t more)
{
	size_t size = b->size ? b->size : SMALLEST;

	if (b->size > b->len && more < b->size - b->len)
		return;
	while (more >= size - b->len && size <= SIZE_MAX / 2)
		size *= 2;
	if (more >= size - b->len)
		size = SIZE_MAX; /* more than there is: the allocation says so */
	b->data = memory_resize(b->data, size, 1);
	b->size = size;
	b->data[b->len] = '\0';
}

void buffer_add(struct buffer *b, const void *bytes, size_t len)
{
	buffer_reserve(b, len);
	if (len)
		memcpy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buffer_add_text(struct buffer *b, const char *text)
{
	buffer_add(b, text, strlen(text));
}

void buffer_add_char(struct buffer *b, char c)
{
	buffer_add(b, &c, 1);
}

void buffer_format(struct buffer *b, const char *format, ...)
{
	va_list arguments;
	int n;

	buffer_reserve(b, SMALLEST);
	va_start(arguments, format);
	n = vsnprintf(b->data + b->len, b->size - b->len, format, arguments);
	va_end(arguments);
	if (n > 0 && (size_t)n >= b->size - b->len) {
		buffer_reserve(b, (size_t)n);
		va_start(arguments, format);
		n = vsnprintf(b->data + b->len, b->size - b->len, format, arguments);
		va_end(arguments);
	}
	if (n > 0)
		b->len += (size_t)n;
	b->data[b->len] = '\0';
}

const char *buffer_text(const struct buffer *b)
{
	return b->data ? b->data : "";
}
