/* Whom a removal tells what it did, and what it left and why: one sentence a thing. */
#ifndef LOAD_FILES_REPORT_H
#define LOAD_FILES_REPORT_H

#include <stdint.h>

struct files_report {
	void (*say)(void *data, const char *sentence); /* NULL: nobody listens */
	void *data;
	uint64_t removed_files, removed_bytes; /* counted by the removal */
	unsigned int left; /* things that it would have removed, or does not know */
	unsigned int kept; /* files of the manifest that are to stay */
};

#endif
