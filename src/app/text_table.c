/*
 * A table for people who read it in a terminal or paste it into a mail: rows are kept until all
 * widths are known, and then printed at once.
 */
#include "text_table.h"

#include <stdlib.h>
#include <string.h>

#include "raidtop/memory.h"

void text_table_init(struct text_table *t)
{
	memset(t, 0, sizeof(*t));
	text_table_add_row(t);
}

void text_table_release(struct text_table *t)
{
	free(t->rows);
	memset(t, 0, sizeof(*t));
}

size_t text_table_add_column(struct text_table *t, const char *heading, bool at_right)
{
	size_t i = t->n_columns++;

	t->at_right[i] = at_right;
	text_copy(t->rows[0].cell[i], TEXT_TABLE_CELL_BYTES, heading);
	return i;
}

struct text_table_row *text_table_add_row(struct text_table *t)
{
	if (t->n_rows == t->size) {
		t->size = t->size ? 2 * t->size : 16;
		t->rows = memory_resize(t->rows, t->size, sizeof(*t->rows));
	}
	memset(&t->rows[t->n_rows], 0, sizeof(*t->rows));
	return &t->rows[t->n_rows++];
}

static void measure(const struct text_table *t, int *widths)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		bool is_empty = true;

		widths[c] = text_width(t->rows[0].cell[c]);
		for (size_t r = 1; r < t->n_rows; r++) {
			int width = text_width(t->rows[r].cell[c]);

			is_empty = is_empty && width == 0;
			widths[c] = width > widths[c] ? width : widths[c];
		}
		if (is_empty)
			widths[c] = 0;
	}
}

static void add_blanks(struct buffer *out, int n)
{
	while (n-- > 0)
		buffer_add_char(out, ' ');
}

/* What stands side by side: the keys, and of the others those from `first` on, before `end`. */
struct block {
	size_t n_keys, first, end;
};

static bool is_shown(const struct block *b, const int *widths, size_t column)
{
	bool is_in_block = column < b->n_keys || (column >= b->first && column < b->end);

	return is_in_block && widths[column] > 0;
}

static void print_row(const struct text_table *t, const int *widths, const struct block *b,
		      const struct text_table_row *row, struct buffer *out)
{
	int owed = 0; /* blanks that are written only before more text */

	for (size_t c = 0; c < t->n_columns; c++) {
		const char *text = row->cell[c];
		int rest = widths[c] - text_width(text);

		if (!is_shown(b, widths, c))
			continue;
		if (t->at_right[c]) {
			owed += rest;
			rest = 0;
		}
		if (text[0]) {
			add_blanks(out, owed);
			buffer_add_text(out, text);
			owed = 0;
		}
		owed += rest + 2;
	}
	buffer_add_char(out, '\n');
}

/* The end of the block: as many columns as there is room for, at least one that is not empty. */
static size_t find_end(const struct text_table *t, const int *widths, const struct block *b,
		       int width)
{
	int used = 0;
	bool any = false;
	size_t c;

	for (c = 0; c < b->n_keys; c++)
		used += widths[c] > 0 ? widths[c] + 2 : 0;
	for (c = b->first; c < t->n_columns; c++) {
		if (widths[c] == 0)
			continue;
		if (any && width > 0 && used + widths[c] > width)
			break;
		used += widths[c] + 2;
		any = true;
	}
	return c;
}

void text_table_print(const struct text_table *t, int width, size_t n_keys, struct buffer *out)
{
	int widths[TEXT_TABLE_COLUMNS] = { 0 };
	struct block b = { n_keys, n_keys, 0 };

	measure(t, widths);
	for (; b.first < t->n_columns; b.first = b.end) {
		b.end = find_end(t, widths, &b, width);
		if (b.first > n_keys)
			buffer_add_char(out, '\n');
		for (size_t r = 0; r < t->n_rows; r++)
			print_row(t, widths, &b, &t->rows[r], out);
	}
}
