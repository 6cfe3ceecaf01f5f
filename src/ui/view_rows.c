/*
 * Which lines the scrolled part has. Arrays in the order of their names, each with its members
 * under it, then the disks that are in none. What there is room for beyond that is spent in this
 * order: blank lines between the panels, then a graph for each array (without arrays, for each
 * disk). Where not even the plain lines fit, an array becomes one line and its spares fall away;
 * on the smallest screens the other members do too. A container of volumes comes after the other
 * arrays, as a title alone, with only those disks under it that no volume shows already: it moves
 * no bytes itself.
 */
#include "view.h"

#include <ctype.h>
#include <string.h>

#include "raidtop/memory.h"

/* Below this many lines members are folded into their array's line. */
#define FOLD_BELOW 9
/* A graph has at least two lines for reading and two for writing. */
#define GRAPH_MIN_LINES 4
#define GRAPH_MAX_LINES 20

/* ---- which devices ---- */

static size_t digits_at(const char *text)
{
	size_t n = 0;

	while (isdigit((unsigned char)text[n]))
		n++;
	return n;
}

/* Names in the order of people: sd2 before sd10, sdz before sdaa. */
static int compare_names(const char *a, const char *b)
{
	size_t letters_a = strcspn(a, "0123456789"), letters_b = strcspn(b, "0123456789");

	if (letters_a != letters_b && strncmp(a, b, 2) == 0)
		return letters_a < letters_b ? -1 : 1;
	while (*a && *b) {
		size_t len_a = digits_at(a), len_b = digits_at(b);

		if (len_a > 0 && len_b > 0 && len_a != len_b)
			return len_a < len_b ? -1 : 1;
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	return (*a != 0) - (*b != 0);
}

static bool is_container(const struct device *d)
{
	return d->array && array_is_container(d->array);
}

/* Containers last, and by their names. */
static bool stands_before(const struct device *a, const struct device *b)
{
	if (is_container(a) != is_container(b))
		return is_container(b);
	return compare_names(a->name, b->name) <= 0;
}

/* Puts a slot in its place of a sorted list. */
static void insert_sorted(const struct topology *t, int *slots, size_t *n, int slot)
{
	size_t i = (*n)++;

	for (; i > 0; i--) {
		if (stands_before(t->devices[slots[i - 1]], t->devices[slot]))
			break;
		slots[i] = slots[i - 1];
	}
	slots[i] = slot;
}

void rows_survey(struct view *v)
{
	struct screen_scratch *c = v->scratch;
	const struct topology *t = v->m->topology;

	if (c->topology == t && c->generation == t->generation && c->n_devices == t->n_devices)
		return;
	if (t->n_devices > c->devices_capacity) {
		c->arrays = memory_resize(c->arrays, t->n_devices, sizeof(*c->arrays));
		c->disks = memory_resize(c->disks, t->n_devices, sizeof(*c->disks));
		c->devices_capacity = t->n_devices;
	}
	c->n_arrays = c->n_disks = 0;
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct device *d = t->devices[i];

		if (!d->present)
			continue;
		if (d->array)
			insert_sorted(t, c->arrays, &c->n_arrays, (int)i);
		else if (d->kind == DEVICE_DISK && !d->minor_interest &&
			 !topology_is_member(t, (int)i))
			insert_sorted(t, c->disks, &c->n_disks, (int)i);
	}
	c->topology = t;
	c->generation = t->generation;
	c->n_devices = t->n_devices;
}

/* ---- which lines ---- */

struct plan {
	bool folded; /* an array is one line */
	bool with_members, with_spares;
	bool with_blanks;
	size_t n_graphs; /* the first arrays (or disks, without arrays) have one */
	int graph_lines;
};

static const struct array *array_at(const struct view *v, size_t i)
{
	return v->m->topology->devices[v->scratch->arrays[i]]->array;
}

static bool shows_member(const struct plan *p, const struct member *member)
{
	return p->with_members && member->state != MEMBER_HELD &&
	       (p->with_spares ||
		(member->state != MEMBER_SPARE && member->state != MEMBER_UNUSED));
}

static int array_lines(const struct array *a, const struct plan *p)
{
	int lines = p->folded || array_is_container(a) ? 1 : 2;

	for (size_t i = 0; i < a->n_members; i++)
		lines += shows_member(p, &a->members[i]);
	return lines;
}

/* A list of disks alone needs no heading over it. */
static bool has_heading(const struct view *v, const struct plan *p)
{
	return v->scratch->n_disks > 0 && v->scratch->n_arrays > 0 && !p->folded;
}

static int plan_lines(const struct view *v, const struct plan *p)
{
	const struct screen_scratch *c = v->scratch;
	int lines = (int)c->n_disks + has_heading(v, p);

	for (size_t i = 0; i < c->n_arrays; i++)
		lines += array_lines(array_at(v, i), p);
	if (p->with_blanks && c->n_arrays > 0)
		lines += (int)c->n_arrays - (c->n_disks == 0);
	return lines + (int)p->n_graphs * p->graph_lines;
}

static size_t n_plain_arrays(const struct view *v)
{
	size_t n = v->scratch->n_arrays;

	while (n > 0 && array_is_container(array_at(v, n - 1)))
		n--;
	return n;
}

/*
 * Spends the lines left over on graphs, the same for all: for the arrays, or as many of them as
 * there is room for; without arrays for the disks, if there is room for all of them.
 */
static void plan_graphs(const struct view *v, struct plan *p, int left)
{
	const struct screen_scratch *c = v->scratch;
	int n = (int)(c->n_arrays > 0 ? n_plain_arrays(v) : c->n_disks);
	int most = left / GRAPH_MIN_LINES;

	if (n == 0 || most == 0 || (c->n_arrays == 0 && most < n))
		return;
	p->n_graphs = (size_t)(n < most ? n : most);
	p->graph_lines = left / (int)p->n_graphs;
	if (p->graph_lines > GRAPH_MAX_LINES)
		p->graph_lines = GRAPH_MAX_LINES;
	p->graph_lines -= p->graph_lines % 2;
}

static struct plan make_plan(const struct view *v, int height)
{
	struct plan p = { .with_members = true, .with_spares = true, .with_blanks = true };
	int lines = plan_lines(v, &p);

	if (lines <= height) {
		plan_graphs(v, &p, height - lines);
		return p;
	}
	p.with_blanks = false;
	if (plan_lines(v, &p) <= height)
		return p;
	p.folded = true;
	if (plan_lines(v, &p) <= height)
		return p;
	p.with_spares = false;
	p.with_members = plan_lines(v, &p) <= height || height >= FOLD_BELOW;
	return p;
}

int rows_used(const struct view *v, int height)
{
	struct plan p = make_plan(v, height);
	int lines = plan_lines(v, &p);

	return lines < height ? lines : height;
}

static void add_row(struct screen_scratch *c, struct row row)
{
	if (c->n_rows == c->rows_capacity) {
		c->rows_capacity = c->rows_capacity ? 2 * c->rows_capacity : 64;
		c->rows = memory_resize(c->rows, c->rows_capacity, sizeof(*c->rows));
	}
	c->rows[c->n_rows++] = row;
}

static void add_members(struct view *v, int slot, const struct array *a, const struct plan *p)
{
	size_t last = a->n_members;

	for (size_t i = 0; i < a->n_members; i++)
		if (shows_member(p, &a->members[i]))
			last = i;
	for (size_t i = 0; i < a->n_members; i++)
		if (shows_member(p, &a->members[i]))
			add_row(v->scratch, (struct row){ .kind = ROW_MEMBER,
							  .slot = a->members[i].device,
							  .array = slot,
							  .member = i,
							  .is_last = i == last });
}

/* The lines of a graph under a row that says how many there are. */
static void add_graph(struct screen_scratch *c, struct row row)
{
	row.kind = ROW_GRAPH;
	for (row.line = 0; row.line < row.lines; row.line++)
		add_row(c, row);
}

static void add_disks(struct view *v, const struct plan *p)
{
	struct screen_scratch *c = v->scratch;
	size_t n_graphs = c->n_arrays > 0 ? 0 : p->n_graphs;

	for (size_t i = 0; i < c->n_disks; i++) {
		struct row row = { .kind = ROW_DISK, .slot = c->disks[i], .array = NO_SLOT };

		row.lines = i < n_graphs ? p->graph_lines : 0;
		add_row(c, row);
		add_graph(c, row);
	}
}

static void add_array(struct view *v, size_t i, const struct plan *p)
{
	struct screen_scratch *c = v->scratch;
	int slot = c->arrays[i];
	struct row row = { .slot = slot, .array = slot };

	row.kind = p->folded ? ROW_FOLDED : ROW_TITLE;
	add_row(c, row);
	if (!p->folded && !array_is_container(array_at(v, i))) {
		row.kind = ROW_FIGURES;
		row.lines = i < p->n_graphs ? p->graph_lines : 0;
		add_row(c, row);
	}
	add_graph(c, row);
	add_members(v, slot, array_at(v, i), p);
}

void rows_build(struct view *v, int height)
{
	struct screen_scratch *c = v->scratch;
	struct plan p = make_plan(v, height);
	const struct row none = { .slot = NO_SLOT, .array = NO_SLOT };
	struct row row;

	c->n_rows = 0;
	for (size_t i = 0; i < c->n_arrays; i++) {
		row = none;
		row.kind = ROW_BLANK;
		if (i > 0 && p.with_blanks)
			add_row(c, row);
		add_array(v, i, &p);
	}
	row = none;
	row.kind = ROW_BLANK;
	if (c->n_disks > 0 && c->n_arrays > 0 && p.with_blanks)
		add_row(c, row);
	row.kind = ROW_HEADING;
	if (has_heading(v, &p))
		add_row(c, row);
	add_disks(v, &p);
}

/* ---- the selection ---- */

bool row_is_selectable(const struct row *row)
{
	switch (row->kind) {
	case ROW_TITLE:
	case ROW_FOLDED:
	case ROW_DISK:
		return true;
	case ROW_MEMBER:
		return row->slot != NO_SLOT;
	case ROW_FIGURES:
	case ROW_GRAPH:
	case ROW_HEADING:
	case ROW_BLANK:
		break;
	}
	return false;
}

/* The array under which a row is selected: a member's. */
static int parent_of(const struct row *row)
{
	return row->kind == ROW_MEMBER ? row->array : NO_SLOT;
}

static int nearest_selectable(const struct screen_scratch *c, int from)
{
	int n = (int)c->n_rows;

	for (int away = 0; away < n; away++) {
		if (from - away >= 0 && from - away < n && row_is_selectable(&c->rows[from - away]))
			return from - away;
		if (from + away >= 0 && from + away < n && row_is_selectable(&c->rows[from + away]))
			return from + away;
	}
	return -1;
}

int rows_find_selected(struct view *v)
{
	struct screen_scratch *c = v->scratch;
	struct screen *s = v->screen;
	int found = -1;

	for (size_t i = 0; i < c->n_rows && s->selected != NO_SLOT; i++) {
		const struct row *row = &c->rows[i];

		if (!row_is_selectable(row) || row->slot != s->selected)
			continue;
		if (found < 0 || parent_of(row) == s->selected_array)
			found = (int)i;
		if (parent_of(row) == s->selected_array)
			break;
	}
	if (found < 0)
		found = nearest_selectable(c, c->selected_row > 0 ? c->selected_row : 0);
	s->selected = found < 0 ? NO_SLOT : c->rows[found].slot;
	s->selected_array = found < 0 ? NO_SLOT : parent_of(&c->rows[found]);
	c->selected_row = found;
	return found;
}

void rows_scroll(struct view *v, int height)
{
	struct screen_scratch *c = v->scratch;
	int n = (int)c->n_rows, first = c->selected_row, last = first;
	int *top = &v->screen->top;

	if (first >= 0) {
		/* What stands above the first device and below the last one is seen with them. */
		if (nearest_selectable(c, 0) == first)
			first = 0;
		while (last + 1 < n && !row_is_selectable(&c->rows[last + 1]))
			last++;
		if (last - first >= height)
			last = first + height - 1;
		if (first < *top)
			*top = first;
		if (last >= *top + height)
			*top = last - height + 1;
	}
	if (*top > n - height)
		*top = n - height;
	if (*top < 0)
		*top = 0;
}
