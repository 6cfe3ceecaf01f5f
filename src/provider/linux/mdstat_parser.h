/* What the files of the mdstat parser share; nothing outside of it includes this. */
#ifndef RAIDTOP_PROVIDER_LINUX_MDSTAT_PARSER_H
#define RAIDTOP_PROVIDER_LINUX_MDSTAT_PARSER_H

#include <stdbool.h>

#include "mdstat.h"
#include "mdstat_words.h"

/* What was begun, so that its words may follow. */
enum section {
	SECTION_NONE,
	SECTION_PERSONALITIES,
	SECTION_UNUSED,
	SECTION_HEAD,
	SECTION_STATUS,
	SECTION_PROGRESS,
	SECTION_BITMAP,
};

struct parser {
	struct mdstat *m;
	struct mdstat_array *array; /* the one being read, NULL before the first */
	struct text_span text;
	const char *at; /* behind the words taken so far */
	enum section section;
	bool confused; /* something in the status line did not fit */
	bool cut;      /* the text's last word could not be used */
};

/* Goes on behind a word that was looked at ahead. */
static inline void parser_take(struct parser *p, const struct word *w)
{
	p->at = w->text + w->len;
}

/*
 * The lines of an array below its head. Each takes the word, and what belongs to it behind it,
 * and returns true; or takes nothing and returns false. The first ones begin something new: the
 * size wherever it stands, the others with the first word of a line. The last ones go on with it.
 */
bool mdstat_start_status(struct parser *p, const struct word *w);
bool mdstat_start_progress(struct parser *p, const struct word *w);
bool mdstat_start_bitmap(struct parser *p, const struct word *w);
bool mdstat_take_waiting(struct parser *p, const struct word *w);
bool mdstat_take_super(struct parser *p);

bool mdstat_continue_status(struct parser *p, const struct word *w);
bool mdstat_continue_progress(struct parser *p, const struct word *w);
bool mdstat_continue_bitmap(struct parser *p, const struct word *w);

#endif
