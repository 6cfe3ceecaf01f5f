/*
 * What goes wrong is said in one sentence on standard error. File names and option values in it
 * come from outside, so the whole sentence is cleaned before it reaches a terminal.
 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

#include "raidtop/text.h"

void say(const char *format, ...)
{
	char raw[1024], clean[1024];
	va_list args;

	va_start(args, format);
	if (vsnprintf(raw, sizeof(raw), format, args) < 0)
		raw[0] = '\0';
	va_end(args);
	text_clean(clean, sizeof(clean), raw);
	fprintf(stderr, "raidtop: %s\n", clean);
}

void say_sentence(void *data, const char *sentence)
{
	(void)data;
	say("%s", sentence);
}
