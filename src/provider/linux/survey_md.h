/* The md arrays of a survey. */
#ifndef RAIDTOP_PROVIDER_LINUX_SURVEY_MD_H
#define RAIDTOP_PROVIDER_LINUX_SURVEY_MD_H

#include <stdbool.h>

#include "block.h"
#include "mdstat.h"
#include "raidtop/topology.h"

bool survey_md_is_array(const struct block *b);
/* Whether it is the node that a stopped array leaves behind. */
bool survey_md_is_empty(const struct block *b, const struct mdstat *printed);

/* Adds the array with its names. */
struct device *survey_md_add(struct topology *t, const struct block *b, const char *root);

/*
 * Once all devices are there: fills the arrays and their members, adds those that only mdstat
 * knows, and makes whatever carries an array be of interest.
 */
void survey_md_fill(struct topology *t, const struct block_list *blocks,
		    const struct mdstat *printed);

#endif
