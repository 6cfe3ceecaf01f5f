/*
 * A refusal or a failure is told in one sentence that says what to do. Names in it come from
 * outside (a typed path, a udev link) and may hold anything, so each sentence is cleaned as a
 * whole after it has been put together.
 */
#include "sentence.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/text.h"

int sentence_set(int r, char *why, size_t size, const char *format, ...)
{
	char raw[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	text_clean(why, size, raw);
	return r;
}

const char *sentence_name(char buf[SENTENCE_NAME_BYTES], const char *target)
{
	size_t len = strlen(target);
	size_t kept = SENTENCE_NAME_BYTES - sizeof("...");

	if (len < SENTENCE_NAME_BYTES)
		return target;
	while (kept > 0 && ((unsigned char)target[len - kept] & 0xc0) == 0x80)
		kept--; /* not from the middle of a UTF-8 character */
	text_format(buf, SENTENCE_NAME_BYTES, "...%s", target + len - kept);
	return buf;
}
