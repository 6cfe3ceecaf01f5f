/* A table of text with columns as wide as their widest cell. */
#ifndef RAIDTOP_TEXT_TABLE_H
#define RAIDTOP_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "raidtop/text.h"

#define TEXT_TABLE_COLUMNS 20
#define TEXT_TABLE_CELL_BYTES 176

struct text_table_row {
	char cell[TEXT_TABLE_COLUMNS][TEXT_TABLE_CELL_BYTES];
};

struct text_table {
	size_t n_columns;
	bool at_right[TEXT_TABLE_COLUMNS];
	struct text_table_row *rows; /* the first one is the headings; owned */
	size_t n_rows, size;
};

void text_table_init(struct text_table *t);
void text_table_release(struct text_table *t);
/* A column, before any row but the headings; returns its index. */
size_t text_table_add_column(struct text_table *t, const char *heading, bool at_right);
/* An empty row; valid until the next one is added. */
struct text_table_row *text_table_add_row(struct text_table *t);
/*
 * Appends all rows, each a line; two blanks between columns, and none at the end of a line. A
 * column that is empty below its heading is left out. What is wider than `width` cells (0: no
 * limit) goes on below, behind the first `n_keys` columns once more.
 */
void text_table_print(const struct text_table *t, int width, size_t n_keys, struct buffer *out);

#endif
