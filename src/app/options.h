/* The command line: one table of options gives the parser and --help. */
#ifndef RAIDTOP_OPTIONS_H
#define RAIDTOP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "raidtop/terminal.h"
#include "raidtop/units.h"

enum mode {
	MODE_WATCH,
	MODE_LIST,
	MODE_RECORD,
	MODE_LOAD,
	MODE_CLEAN,
	MODE_REPLAY,
	MODE_DEMO,
	MODE_HELP,
	MODE_VERSION,
};

#define OPTIONS_STREAMS_MAX 64

struct options {
	enum mode mode;
	uint64_t interval_ns;
	uint64_t duration_ns;                     /* 0: until stopped */
	uint64_t temperature_ns;                  /* between two readings; 0: never */
	const char *record;                       /* file, "-" standard output; NULL */
	const char *streams[OPTIONS_STREAMS_MAX]; /* specifications, as they were typed */
	unsigned int n_streams;
	const char *clean; /* a target directory; NULL */
	bool allow_degraded;
	const char *allow_raw_write, *allow_raw_overwrite, *allow_thin_write; /* or NULL */
	const char *root; /* "" the machine itself */
	bool force;
	bool json;
	bool show_all;
	enum units units;
	enum colour_mode colours;
	bool ascii;
	char **operands; /* what is left: recordings or patterns; of argv */
	int n_operands;
	uint32_t given; /* which options were given, by their row in the table */
};

/* 0, or STATUS_USAGE after a sentence on standard error. */
int options_parse(struct options *o, int argc, char **argv);
/* The text of --help on standard output. */
void options_print_help(void);

#endif
