/*
 * What bonnie's per-character tests measure is the CPU: a call for each character, which looks
 * whether the buffer is used up and moves one byte. stdio itself is not used, because its buffer
 * could be neither timed nor counted block by block; the work for each character is the same.
 */
#include "per_char.h"

#include <stddef.h>

/* As a FILE has it. */
struct char_stream {
	unsigned char *at, *end;
};

/* Not inlined, as it is not where a library has it; -1 at the end of the buffer. */
__attribute__((noinline)) static int char_get(struct char_stream *s)
{
	return s->at < s->end ? *s->at++ : -1;
}

__attribute__((noinline)) static int char_put(struct char_stream *s, unsigned char c)
{
	if (s->at == s->end)
		return -1;
	*s->at++ = c;
	return c;
}

uint64_t per_char_read(unsigned char *block, uint64_t bytes, struct random *random)
{
	struct char_stream s = { block, block + bytes };
	uint64_t sum = 0;
	int c;

	(void)random;
	while ((c = char_get(&s)) >= 0)
		sum += (uint64_t)c;
	return sum;
}

uint64_t per_char_write(unsigned char *block, uint64_t bytes, struct random *random)
{
	struct char_stream s = { block, block + bytes };
	uint64_t sum = 0, bits = 0;

	for (uint64_t i = 0; i < bytes; i++) {
		if (i % sizeof(bits) == 0)
			bits = random_next(random);
		sum += (uint64_t)char_put(&s, (unsigned char)bits);
		bits >>= 8;
	}
	return sum;
}
