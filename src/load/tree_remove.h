/* Emptying a test tree of what its names say is ours. */
#ifndef LOAD_TREE_REMOVE_H
#define LOAD_TREE_REMOVE_H

#include <stdatomic.h>
#include <stdint.h>

#include "raidtop/files_clean.h"
#include "tree_names.h"

/*
 * Removes below `fd` (of N.tree, checked) plain files and folders whose names and places are the
 * tree's own. 0; -ENOTEMPTY where something else is there, each of which is told; or -errno.
 */
int tree_remove_content(const struct tree_names *names, int fd, struct files_report *report);

#endif
