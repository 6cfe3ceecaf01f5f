/* Sentences to the person at the command line. */
#ifndef RAIDTOP_SAY_H
#define RAIDTOP_SAY_H

/* Exit statuses. */
enum { STATUS_FINE = 0, STATUS_FAILURE = 1, STATUS_USAGE = 2 };

/* "raidtop: …" on standard error, control characters neutralised, a new line added. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of a sentence that is ready: a removal's (raidtop/files_clean.h). */
void say_sentence(void *data, const char *sentence);

#endif
