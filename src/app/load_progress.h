/* The lines of running streams on a terminal, rewritten in place. Elsewhere nothing is shown. */
#ifndef RAIDTOP_LOAD_PROGRESS_H
#define RAIDTOP_LOAD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load_tally.h"
#include "raidtop/text.h"
#include "raidtop/units.h"

struct load_progress {
	int fd; /* -1: it is no terminal */
	int width, height;
	int n_lines;           /* that stand there now */
	uint64_t preparing_ns; /* since when files are made; 0: they are not */
	struct buffer out, line;
};

void load_progress_init(struct load_progress *p, int fd);
/* The terminal may have another size. */
void load_progress_resize(struct load_progress *p);
void load_progress_draw(struct load_progress *p, const struct load_tally *t, enum units units,
			uint64_t now_ns);
/* Takes the lines away again. */
void load_progress_end(struct load_progress *p);

#endif
