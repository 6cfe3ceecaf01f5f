/*
 * Readers of what tools print of sensors: just enough of each form to make the files of sysfs
 * again that the tool had read.
 */
#include "sensor_listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <ctype.h>
#include <string.h>

#include "raidtop/number.h"
#include "raidtop/text.h"

/* ---- building ---- */

static struct listing_chip *add_chip(struct listing *l, const char *name)
{
	struct listing_chip *c = l->n_chips ? &l->chips[l->n_chips - 1] : NULL;

	if (c && strcmp(c->name, name) == 0)
		return c;
	assert_true(l->n_chips < LISTING_CHIPS);
	c = &l->chips[l->n_chips++];
	text_copy(c->name, sizeof(c->name), name);
	return c;
}

static struct listing_feature *add_feature(struct listing_chip *c, const char *label)
{
	struct listing_feature *f;

	assert_true(c->n_features < LISTING_FEATURES);
	f = &c->features[c->n_features++];
	f->number = (int)c->n_features;
	text_copy(f->label, sizeof(f->label), label);
	return f;
}

static void set_value(struct listing_value *v, int64_t milli)
{
	if (v && v->presence == LISTING_ABSENT)
		*v = (struct listing_value){ LISTING_THERE, milli };
}

int64_t listing_number(const char *text, size_t *ret_len)
{
	size_t before = strspn(text, " +"), n = strspn(text + before, "-0123456789.");
	int64_t milli;

	if (ret_len)
		*ret_len = before + n;
	return number_parse_fixed(text + before, n, 3, &milli) == 0 ? milli : 0;
}

char *listing_next_line(char **at)
{
	char *line = *at;
	size_t n = strcspn(line, "\n");

	if (!*line)
		return NULL;
	*at += n + (line[n] == '\n');
	line[n] = '\0';
	return line;
}

struct listing_value *listing_value_of(struct listing_feature *f, const char *key)
{
	const char *what = strchr(key, '_');

	if (!what || strncmp(key, "temp", 4) != 0)
		return NULL;
	what++;
	return strcmp(what, "input") == 0  ? &f->input
	       : strcmp(what, "max") == 0  ? &f->max
	       : strcmp(what, "crit") == 0 ? &f->crit
					   : NULL;
}

static void set_by_key(struct listing_feature *f, const char *key, int64_t milli)
{
	if (!f || strncmp(key, "temp", 4) != 0)
		return;
	f->number = (int)(listing_number(key + 4, NULL) / 1000);
	set_value(listing_value_of(f, key), milli);
}

/* ---- objects in braces ---- */

struct reader {
	struct listing *l;
	struct listing_chip *chip;
	struct listing_feature *feature;
	int depth;
};

/* "nvme-pci-0300_sensor 1": the chip and the feature in one, the latter's capital lost. */
static void open_flat(struct reader *r, char *key)
{
	char *at = strchr(key, '_');

	*at++ = '\0';
	*at = (char)(strncmp(at, "temp", 4) == 0 ? *at : toupper((unsigned char)*at));
	r->chip = add_chip(r->l, key);
	r->feature = add_feature(r->chip, at);
}

static void open_object(struct reader *r, char *key)
{
	r->depth++;
	if (r->depth == 2 && strncmp(key, "ucsi_", 5) != 0 && strncmp(key, "iwlwifi_1-", 10) != 0 &&
	    strchr(key, '_') && strchr(key, '-') && strchr(key, '-') < strchr(key, '_'))
		open_flat(r, key);
	else if (r->depth == 2)
		r->chip = add_chip(r->l, key);
	else if (r->depth == 3)
		r->feature = add_feature(r->chip, key);
}

static const char *take_string(const char *at, char *dst, size_t size)
{
	char quote = *at++;
	size_t n = 0;

	for (; *at && *at != quote; at++)
		if (n + 1 < size)
			dst[n++] = *at;
	dst[n] = '\0';
	return *at ? at + 1 : at;
}

/* A complaint that was mixed in ends with its line; it has a quote of its own ("Can't"). */
static const char *skip_complaint(const char *at)
{
	return strncmp(at, "ERROR", 5) == 0 ? at + strcspn(at, "\n") : at;
}

void listing_parse_json(struct listing *l, const char *text)
{
	struct reader r = { .l = l };
	char key[64] = "";

	for (const char *at = text; *(at = skip_complaint(at));) {
		if (*at == '"' || *at == '\'') {
			at = take_string(at, key, sizeof(key));
		} else if (*at == '{') {
			open_object(&r, key);
			at++;
		} else if (*at == '}') {
			r.depth--;
			at++;
		} else if (isdigit((unsigned char)*at) || *at == '-') {
			size_t n;

			set_by_key(r.feature, key, listing_number(at, &n));
			at += n;
		} else {
			at++;
		}
	}
}

/* ---- lines ---- */

/* The number after "high" in "(low  = -0.1, high = +74.8)"; a unit of degrees follows. */
static void set_named(struct listing_value *v, const char *line, const char *name)
{
	const char *at = line;

	while ((at = strstr(at, name))) {
		const char *value = at + strlen(name);

		value += strspn(value, " ");
		if (*value == '=' && (at == line || at[-1] == ' ' || at[-1] == '(')) {
			set_value(v, listing_number(value + 1, NULL));
			return;
		}
		at++;
	}
}

/* "ERROR: Can't get value of subfeature temp2_max: I/O error": tells of the feature that follows */
static void note_complaint(struct listing_feature *next, const char *line)
{
	const char *at = strstr(line, "subfeature ");
	struct listing_value *v;
	char key[32];

	if (!at)
		return;
	text_copy(key, sizeof(key), at + 11);
	key[strcspn(key, ":")] = '\0';
	v = listing_value_of(next, key);
	if (v)
		v->presence = LISTING_UNREADABLE;
}

static void take_plain_feature(struct listing_chip *c, char *line, struct listing_feature *next)
{
	char *colon = strchr(line, ':'), *value = colon + 1;
	struct listing_feature *f;
	int number;

	*colon = '\0';
	f = add_feature(c, line);
	number = f->number;
	f->input = next->input;
	f->max = next->max;
	f->crit = next->crit;
	f->number = number;
	memset(next, 0, sizeof(*next));
	value += strspn(value, " ");
	if (*value == '+' || *value == '-')
		set_value(&f->input, listing_number(value, NULL));
	set_named(&f->max, value, "high");
}

static void take_line(struct reader *r, char *line, struct listing_feature *next)
{
	struct listing_feature *last = NULL;
	char *colon = strchr(line, ':');

	if (r->chip && r->chip->n_features)
		last = &r->chip->features[r->chip->n_features - 1];
	if (strncmp(line, "ERROR", 5) == 0) {
		note_complaint(next, line);
	} else if (strncmp(line, "Adapter", 7) == 0 || strncmp(line, "fan", 3) == 0 || !*line) {
		return;
	} else if (*line != ' ' && !colon) {
		r->chip = add_chip(r->l, line);
	} else if (*line != ' ') {
		assert_non_null(r->chip);
		take_plain_feature(r->chip, line, next);
	} else if (colon && last) {
		*colon = '\0';
		set_by_key(last, line + strspn(line, " "), listing_number(colon + 1, NULL));
	} else if (last) {
		set_named(&last->crit, line, "crit");
	}
}

void listing_parse_plain(struct listing *l, const char *text)
{
	struct reader r = { .l = l };
	struct listing_feature next = { 0 };

	while (*text) {
		size_t n = strcspn(text, "\n");
		char line[256];

		assert_true(n < sizeof(line));
		memcpy(line, text, n);
		line[n] = '\0';
		take_line(&r, line, &next);
		text += n + (text[n] == '\n');
	}
}

/* ---- psutil ---- */

static int64_t number_after(const char *at, const char *name)
{
	const char *found = strstr(at, name);

	assert_non_null(found);
	return listing_number(found + strlen(name), NULL);
}

void listing_parse_psutil(struct listing *l, const char *text)
{
	struct listing_chip *c = NULL;

	for (const char *at = text; (at = strstr(at, "shwtemp(")); at++) {
		struct listing_feature *f;
		char label[32], name[64];

		take_string(strchr(at, '\''), label, sizeof(label));
		text_format(name, sizeof(name), "nvme-pci-0%zu00", l->n_chips + 1);
		if (!c || strcmp(label, "Composite") == 0)
			c = add_chip(l, name);
		f = add_feature(c, label);
		set_value(&f->input, number_after(at, "current="));
		set_value(&f->max, number_after(at, "high="));
		set_value(&f->crit, number_after(at, "critical="));
	}
}
