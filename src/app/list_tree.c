/*
 * The list for people: each array with its members below it, then the disks that serve none.
 * Rows of one sort share their columns, so each sort is gone through twice: to measure, and to
 * print.
 */
#include "list.h"

#include <string.h>

#include "raidtop/array_facts.h"

#define MAX_CELLS 7
#define CELL_BYTES 128
#define LONGEST_SLOTS 40 /* of a slot map, before it is cut */

enum sort { ROW_ARRAY, ROW_MEMBER, ROW_DISK, ROW_SORTS };

struct row {
	char cell[MAX_CELLS][CELL_BYTES];
	size_t n;
};

struct tree {
	const struct topology *t;
	enum units units;
	bool utf8;
	struct buffer *out; /* NULL while measuring */
	int width[ROW_SORTS][MAX_CELLS];
};

/* Figures are easier to compare where their ends meet. */
static const bool to_the_right[ROW_SORTS][MAX_CELLS] = {
	[ROW_ARRAY] = { [2] = true },
	[ROW_MEMBER] = { [2] = true, [5] = true, [6] = true },
	[ROW_DISK] = { [3] = true, [4] = true },
};

/* ---- cells ---- */

/* One '?' for each character (the text is clean) that is not ASCII. */
static void make_ascii(char *text)
{
	char *out = text;

	for (const char *at = text; *at; at++) {
		unsigned char byte = (unsigned char)*at;

		if (byte < 0x80)
			*out++ = *at;
		else if (byte >= 0xc0) /* a first byte; those after it have 10 in front */
			*out++ = '?';
	}
	*out = '\0';
}

/* Adds a cell; "" is unknown. */
static void add_cell(const struct tree *tree, struct row *row, const char *text)
{
	char *cell = row->cell[row->n++];

	text_clean(cell, CELL_BYTES, text);
	if (!cell[0])
		text_copy(cell, CELL_BYTES, "-");
	if (!tree->utf8)
		make_ascii(cell);
}

static void add_size_cell(const struct tree *tree, struct row *row, uint64_t bytes)
{
	char text[32];

	units_format_size(text, sizeof(text), tree->units, bytes);
	add_cell(tree, row, text);
}

static void add_temperature_cell(const struct tree *tree, struct row *row, const struct disk *disk)
{
	int32_t temp_mc = disk->temperature_mc, half = temp_mc < 0 ? -500 : 500;
	char text[32] = "";

	if (disk->asleep == TRUTH_YES)
		text_copy(text, sizeof(text), "asleep");
	else if (temp_mc != UNKNOWN_I32)
		text_format(text, sizeof(text), "%d %sC", (int)(((int64_t)temp_mc + half) / 1000),
			    tree->utf8 ? "\xc2\xb0" : "");
	add_cell(tree, row, text);
}

static void append(char *text, const char *between, const char *more)
{
	size_t len = strlen(text);

	if (more && more[0])
		text_format(text + len, CELL_BYTES - len, "%s%s", len ? between : "", more);
}

static void add_slots_cell(const struct tree *tree, struct row *row, const struct array *a)
{
	char text[CELL_BYTES] = "";

	if (strlen(a->slots) > LONGEST_SLOTS)
		text_format(text, sizeof(text), "[%.*s...]", LONGEST_SLOTS - 3, a->slots);
	else if (a->slots[0])
		text_format(text, sizeof(text), "[%s]", a->slots);
	add_cell(tree, row, text);
}

static void add_state_cell(const struct tree *tree, struct row *row, const struct array *a)
{
	const char *word = array_state_name(a->state);
	char text[CELL_BYTES] = "";

	/* Of a container, that it is inactive says nothing: it is never run. */
	append(text, "", word && !array_is_container(a) ? word : "-");
	append(text, ", ", a->degraded > 0 && a->degraded != UNKNOWN_U64 ? "degraded" : "");
	append(text, ", ", array_readonly_name(a->readonly));
	append(text, ", ", a->frozen == TRUTH_YES ? "frozen" : "");
	add_cell(tree, row, text);
}

/* A chunk is a power of two, whatever the units of sizes. */
static void add_chunk_cell(const struct tree *tree, struct row *row, uint64_t bytes)
{
	char text[CELL_BYTES] = "chunk -";

	if (bytes != UNKNOWN_U64 && bytes % 1024 == 0)
		text_format(text, sizeof(text), "chunk %lluK", (unsigned long long)bytes / 1024);
	else if (bytes != UNKNOWN_U64)
		text_format(text, sizeof(text), "chunk %llu", (unsigned long long)bytes);
	add_cell(tree, row, text);
}

/* "recovery 43.1 %, 4 min left", "check 0.0 %, stalled", "resync delayed". */
static void add_action_cell(const struct tree *tree, struct row *row, const struct action *a)
{
	char text[CELL_BYTES] = "", part[64];
	bool runs = a->state == ACTION_RUNNING || a->state == ACTION_STALLED;

	if (a->kind == ACTION_NONE)
		return;
	append(text, "", action_kind_name(a->kind));
	if (runs && a->percent_tenths != UNKNOWN_I32) {
		text_format(part, sizeof(part), "%d.%d %%", (int)a->percent_tenths / 10,
			    (int)a->percent_tenths % 10);
		append(text, " ", part);
	} else if (runs) {
		append(text, " ", "- %");
	}
	if (a->state != ACTION_RUNNING)
		append(text, runs ? ", " : " ", action_state_name(a->state));
	else if (a->finish_s <= UINT64_MAX / 1000000000) {
		units_format_left(part, sizeof(part), a->finish_s * 1000000000);
		append(part, "", " left");
		append(text, ", ", part);
	}
	add_cell(tree, row, text);
}

/* ---- rows ---- */

static void fill_array(const struct tree *tree, struct row *row, const struct device *d)
{
	const struct array *a = d->array;
	char text[CELL_BYTES] = "";

	append(text, "", d->name);
	if (a->alias[0] && strcmp(a->alias, d->name) != 0) {
		append(text, " (", a->alias);
		append(text, "", ")");
	}
	add_cell(tree, row, text);
	text[0] = '\0';
	append(text, "", a->level);
	append(text, " ", a->layout);
	add_cell(tree, row, text);
	add_size_cell(tree, row, d->size_bytes);
	add_slots_cell(tree, row, a);
	add_state_cell(tree, row, a);
	add_chunk_cell(tree, row, a->chunk_bytes);
	add_action_cell(tree, row, &a->action);
}

/* The flag that the word for a state says already. */
static uint32_t flag_said_by(enum member_state state)
{
	static const uint32_t said[] = {
		[MEMBER_SPARE] = MEMBER_FLAG_SPARE,     [MEMBER_FAULTY] = MEMBER_FLAG_FAULTY,
		[MEMBER_JOURNAL] = MEMBER_FLAG_JOURNAL, [MEMBER_MISSING] = 0,
		[MEMBER_HELD] = MEMBER_FLAG_SPARE,      [MEMBER_UNUSED] = MEMBER_FLAG_SPARE,
	};

	return said[state];
}

/* "in_sync" is a word for programs; "in sync W" is for people. */
static void add_member_state_cell(const struct tree *tree, struct row *row, const struct member *m)
{
	const char *word = member_state_name(m->state);
	char text[CELL_BYTES] = "", flags[16];

	append(text, "", word ? word : "-");
	for (char *at = text; *at; at++)
		if (*at == '_')
			*at = ' ';
	member_flags_format(flags, m->flags & ~flag_said_by(m->state), ' ');
	append(text, " ", flags);
	add_cell(tree, row, text);
}

static void fill_member(const struct tree *tree, struct row *row, const struct member *m)
{
	static const struct disk unknown = { .temperature_mc = UNKNOWN_I32,
					     .asleep = TRUTH_UNKNOWN };
	const struct topology *t = tree->t;
	int slot = topology_disk_of(t, m->device); /* NO_SLOT where that is none, too */
	const struct disk *disk = slot == NO_SLOT ? &unknown : &t->devices[slot]->disk;
	bool known = m->device >= 0 && (size_t)m->device < t->n_devices;
	char number[32] = "";

	add_cell(tree, row, m->name);
	add_member_state_cell(tree, row, m);
	if (m->slot != UNKNOWN_I32)
		text_format(number, sizeof(number), "[%d]", (int)m->slot);
	add_cell(tree, row, number);
	add_cell(tree, row, disk->model);
	add_cell(tree, row, disk->serial);
	add_size_cell(tree, row, known ? t->devices[m->device]->size_bytes : UNKNOWN_U64);
	add_temperature_cell(tree, row, disk);
}

static void fill_disk(const struct tree *tree, struct row *row, const struct device *d)
{
	add_cell(tree, row, d->name);
	add_cell(tree, row, d->disk.model);
	add_cell(tree, row, d->disk.serial);
	add_size_cell(tree, row, d->size_bytes);
	add_temperature_cell(tree, row, &d->disk);
}

/* ---- print ---- */

static void add_blanks(struct buffer *out, int n)
{
	while (n-- > 0)
		buffer_add_char(out, ' ');
}

static void put_row(struct tree *tree, enum sort sort, const char *prefix, const struct row *row)
{
	int *width = tree->width[sort];

	if (tree->out)
		buffer_add_text(tree->out, prefix);
	for (size_t i = 0; i < row->n; i++) {
		int cells = text_width(row->cell[i]);

		if (!tree->out) {
			width[i] = cells > width[i] ? cells : width[i];
			continue;
		}
		if (to_the_right[sort][i])
			add_blanks(tree->out, width[i] - cells);
		buffer_add_text(tree->out, row->cell[i]);
		if (i + 1 == row->n)
			break;
		add_blanks(tree->out, 2 + (to_the_right[sort][i] ? 0 : width[i] - cells));
	}
	if (tree->out)
		buffer_add_char(tree->out, '\n');
}

/* One line of whatever else there is to say. */
static void put_facts(const struct tree *tree, const struct device *d)
{
	static const char *const prefixes[2] = { "|  ", "\xe2\x94\x82 " };
	char fact[ARRAY_FACT_BYTES], clean[ARRAY_FACT_BYTES];
	bool is_first = true;

	for (int i = 0; i < ARRAY_FACTS; i++) {
		if (!array_fact_format((enum array_fact)i, tree->t, d, tree->units, fact,
				       sizeof(fact)))
			continue;
		text_clean(clean, sizeof(clean), fact);
		if (!tree->utf8)
			make_ascii(clean);
		if (is_first && d->array->n_members == 0)
			buffer_add_text(tree->out, tree->utf8 ? "  " : "   ");
		else
			buffer_add_text(tree->out, is_first ? prefixes[tree->utf8] : "; ");
		buffer_add_text(tree->out, clean);
		is_first = false;
	}
	if (!is_first)
		buffer_add_char(tree->out, '\n');
}

static void put_array(struct tree *tree, const struct device *d)
{
	static const char *const branches[2][2] = { { "|- ", "`- " },
						    { "\xe2\x94\x9c ", "\xe2\x94\x94 " } };
	const struct array *a = d->array;
	struct row row = { .n = 0 };

	fill_array(tree, &row, d);
	put_row(tree, ROW_ARRAY, "", &row);
	if (tree->out)
		put_facts(tree, d);
	for (size_t i = 0; i < a->n_members; i++) {
		row.n = 0;
		fill_member(tree, &row, &a->members[i]);
		put_row(tree, ROW_MEMBER, branches[tree->utf8][i + 1 == a->n_members], &row);
	}
}

static void put_arrays(struct tree *tree)
{
	for (size_t i = 0; i < tree->t->n_devices; i++)
		if (list_has_array(tree->t, i))
			put_array(tree, tree->t->devices[i]);
}

static void put_free_disks(struct tree *tree)
{
	for (size_t i = 0; i < tree->t->n_devices; i++) {
		struct row row = { .n = 0 };

		if (!list_has_disk(tree->t, i) || topology_is_member(tree->t, (int)i))
			continue;
		fill_disk(tree, &row, tree->t->devices[i]);
		put_row(tree, ROW_DISK, "  ", &row);
	}
}

static void put_host(const struct tree *tree)
{
	char host[DEVICE_TEXT_BYTES], kernel[DEVICE_TEXT_BYTES];

	text_clean(host, sizeof(host), tree->t->host);
	text_clean(kernel, sizeof(kernel), tree->t->kernel);
	if (!tree->utf8) {
		make_ascii(host);
		make_ascii(kernel);
	}
	if (host[0] || kernel[0])
		buffer_format(tree->out, "%s%s%s\n\n", host, host[0] && kernel[0] ? ", " : "",
			      kernel);
}

static void put_sentences(const struct tree *tree, size_t arrays, size_t disks)
{
	if (arrays == 0)
		buffer_add_text(tree->out, "No RAID array is assembled on this machine.\n");
	if (disks == 0)
		buffer_add_text(tree->out, "No disk is to be seen here; "
					   "a container, for one, often shows none.\n");
}

void list_print_tree(const struct topology *t, enum units units, bool utf8, struct buffer *out)
{
	struct tree tree = { .t = t, .units = units, .utf8 = utf8 };
	size_t arrays = 0, disks = 0, free_disks = 0;

	for (size_t i = 0; i < t->n_devices; i++) {
		arrays += list_has_array(t, i);
		disks += list_has_disk(t, i);
		free_disks += list_has_disk(t, i) && !topology_is_member(t, (int)i);
	}
	put_arrays(&tree);
	put_free_disks(&tree);
	tree.out = out;
	put_host(&tree);
	put_arrays(&tree);
	put_sentences(&tree, arrays, disks);
	if (free_disks) {
		buffer_add_text(out, arrays ? "\nfree disks\n" : "\ndisks\n");
		put_free_disks(&tree);
	}
}
