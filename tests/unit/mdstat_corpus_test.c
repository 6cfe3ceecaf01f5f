/*
 * The whole corpus of /proc/mdstat, field by field against the reading beside each text. Where
 * that is not strict (a mail program broke the lines, a poster cut the text), a field may be
 * unknown, but never something else; how many are is bounded, so that it gets no worse unseen.
 * And each text cut anywhere says less, never something else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "corpus.h"
#include "provider/linux/mdstat.h"
#include "raidtop/memory.h"

/* Fields of texts that are not strict which are unknown: 058 has words broken in two. */
#define UNKNOWN_AT_MOST 13

struct reading {
	const char *file;
	const char *array;
	bool strict;
	size_t compared, unknown, wrong;
};

/* ---- one field ---- */

static void judge(struct reading *r, const char *field, bool same, bool known)
{
	r->compared++;
	if (same)
		return;
	if (!known && !r->strict) {
		r->unknown++;
		print_message("  %s %s: %s unknown\n", r->file, r->array, field);
		return;
	}
	r->wrong++;
	print_error("%s %s: %s differs\n", r->file, r->array, field);
}

static struct json_object *get(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value))
		fail_msg("no key %s", key);
	return value;
}

static void compare_text(struct reading *r, struct json_object *o, const char *key,
			 const char *text)
{
	struct json_object *want = get(o, key);
	const char *wanted = want ? json_object_get_string(want) : "";

	judge(r, key, strcmp(wanted, text) == 0, text[0] != '\0');
}

static void compare_u64(struct reading *r, struct json_object *o, const char *key, uint64_t value)
{
	struct json_object *want = get(o, key);
	uint64_t wanted = want ? json_object_get_uint64(want) : UNKNOWN_U64;

	judge(r, key, wanted == value && (!want || json_object_is_type(want, json_type_int)),
	      value != UNKNOWN_U64);
}

/* Decimals in the JSON, tenths here. */
static void compare_tenths(struct reading *r, struct json_object *o, const char *key,
			   uint64_t tenths)
{
	struct json_object *want = get(o, key);
	uint64_t wanted = want ? (uint64_t)(json_object_get_double(want) * 10 + 0.5) : UNKNOWN_U64;

	judge(r, key, wanted == tenths, tenths != UNKNOWN_U64);
}

/* ---- members, bitmap, action ---- */

static bool flags_equal(struct json_object *want, const char *flags)
{
	size_t n = json_object_array_length(want);

	if (n != strlen(flags))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *flag = json_object_get_string(json_object_array_get_idx(want, i));

		if (strlen(flag) != 1 || flag[0] != flags[i])
			return false;
	}
	return true;
}

static void compare_members(struct reading *r, struct json_object *o, const struct mdstat_array *a)
{
	struct json_object *want = get(o, "members");
	size_t n = json_object_array_length(want);

	judge(r, "number of members", n == a->n_members, a->n_members > 0);
	for (size_t i = 0; i < n && i < a->n_members; i++) {
		struct json_object *m = json_object_array_get_idx(want, i);

		compare_text(r, m, "dev", a->members[i].name);
		judge(r, "slot", json_object_get_int64(get(m, "slot")) == a->members[i].number,
		      true);
		judge(r, "flags", flags_equal(get(m, "flags"), a->members[i].flags), true);
	}
}

static void compare_bitmap(struct reading *r, struct json_object *o, const struct mdstat_array *a)
{
	struct json_object *detail = get(o, "bitmap_detail");
	const struct mdstat_bitmap *b = &a->bitmap;
	bool want = json_object_get_boolean(get(o, "bitmap"));

	judge(r, "bitmap", b->present == (want ? TRUTH_YES : TRUTH_NO),
	      b->present != TRUTH_UNKNOWN);
	if (!detail) {
		judge(r, "bitmap detail",
		      b->pages == UNKNOWN_U64 && b->pages_total == UNKNOWN_U64 &&
			      b->kib == UNKNOWN_U64 && b->chunk_bytes == UNKNOWN_U64 && !b->file[0],
		      true);
		return;
	}
	compare_u64(r, detail, "pages", b->pages);
	compare_u64(r, detail, "pages_total", b->pages_total);
	compare_u64(r, detail, "kib", b->kib);
	compare_u64(r, detail, "chunk_bytes", b->chunk_bytes);
	compare_text(r, detail, "file", b->file);
}

static void compare_progress(struct reading *r, struct json_object *want,
			     const struct mdstat_action *a)
{
	static const char *const kinds[] = {
		[ACTION_RESYNC] = "resync",   [ACTION_RECOVERY] = "recovery",
		[ACTION_CHECK] = "check",     [ACTION_REPAIR] = "repair",
		[ACTION_RESHAPE] = "reshape",
	};
	const char *kind = a->kind == ACTION_NONE ? "" : kinds[a->kind];

	compare_text(r, want, "kind", kind);
	judge(r, "state", a->state == ACTION_RUNNING, true);
	compare_tenths(r, want, "percent", a->percent_tenths);
	compare_u64(r, want, "done", a->done_kib);
	compare_u64(r, want, "total", a->total_kib);
	compare_tenths(r, want, "finish_min", a->finish_tenths_min);
	compare_u64(r, want, "speed_kps", a->speed_kib_per_sec);
}

static void compare_action(struct reading *r, struct json_object *o, const struct mdstat_array *a)
{
	static const char *const states[] = {
		[ACTION_RUNNING] = "running", [ACTION_DELAYED] = "delayed",
		[ACTION_PENDING] = "pending", [ACTION_REMOTE] = "remote",
		[ACTION_STALLED] = "stalled",
	};
	struct json_object *want = get(o, "action");

	compare_text(r, o, "action_word", a->action.word);
	if (!want)
		judge(r, "action", a->action.kind == ACTION_NONE, true);
	else if (json_object_is_type(want, json_type_object))
		compare_progress(r, want, &a->action);
	else
		judge(r, "action",
		      strcmp(json_object_get_string(want), states[a->action.state]) == 0,
		      a->action.kind != ACTION_NONE);
}

/* ---- one array, one text ---- */

static const char *const state_words[] = {
	[ARRAY_STATE_UNKNOWN] = "",
	[ARRAY_ACTIVE] = "active",
	[ARRAY_INACTIVE] = "inactive",
	[ARRAY_BROKEN] = "broken",
};
static const char *const readonly_words[] = {
	[ARRAY_READ_WRITE] = "",
	[ARRAY_READ_ONLY] = "read-only",
	[ARRAY_AUTO_READ_ONLY] = "auto-read-only",
};

static void compare_array(struct reading *r, struct json_object *o, const struct mdstat_array *a)
{
	r->array = a->name;
	compare_text(r, o, "name", a->name);
	compare_text(r, o, "state", state_words[a->state]);
	compare_text(r, o, "readonly", readonly_words[a->readonly]);
	compare_text(r, o, "level", a->level);
	compare_members(r, o, a);
	compare_u64(r, o, "size_blocks", a->size_kib);
	compare_text(r, o, "super", a->super);
	compare_u64(r, o, "chunk_kib", a->chunk_kib);
	compare_text(r, o, "layout", a->layout);
	compare_u64(r, o, "algorithm", a->algorithm);
	compare_u64(r, o, "raid_disks", a->raid_disks);
	compare_u64(r, o, "working", a->working);
	compare_text(r, o, "map", a->map);
	compare_bitmap(r, o, a);
	compare_action(r, o, a);
}

static void compare_words(struct reading *r, struct json_object *want, const char *what,
			  const char *words, size_t width, size_t n)
{
	judge(r, what, json_object_array_length(want) == n, n > 0);
	for (size_t i = 0; i < n && i < json_object_array_length(want); i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(want, i));

		judge(r, what, strcmp(word, words + i * width) == 0, true);
	}
}

static void compare_all(struct reading *r, struct json_object *want, const struct mdstat *m)
{
	struct json_object *arrays = get(want, "arrays"), *unused = get(want, "unused");
	size_t n = json_object_array_length(arrays);

	r->array = "";
	compare_words(r, get(want, "personalities"), "personalities", m->personalities[0],
		      sizeof(m->personalities[0]), m->n_personalities);
	compare_text(r, want, "read_ahead", m->read_ahead);
	judge(r, "unused devices", (unused != NULL) == m->has_unused, m->has_unused);
	if (unused)
		compare_words(r, unused, "unused", m->unused[0], sizeof(m->unused[0]), m->n_unused);
	judge(r, "number of arrays", n == m->n_arrays, true);
	for (size_t i = 0; i < n && i < m->n_arrays; i++)
		compare_array(r, json_object_array_get_idx(arrays, i), &m->arrays[i]);
}

static struct json_object *read_json(const struct corpus *c, size_t i)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *o;
	char *text;
	size_t len;

	text = corpus_read(c, i, ".json", &len);
	o = json_tokener_parse_ex(tokener, text, (int)len);
	assert_non_null(o);
	json_tokener_free(tokener);
	free(text);
	return o;
}

static void every_field_is_as_read(void **state)
{
	struct reading r = { 0 };
	struct mdstat m;
	struct corpus c;

	(void)state;
	if (!corpus_open(&c, "mdstat", ".mdstat"))
		skip();
	assert_true(c.n >= 151);
	mdstat_init(&m);
	for (size_t i = 0; i < c.n; i++) {
		struct json_object *want = read_json(&c, i);
		size_t len;
		char *text = corpus_read(&c, i, ".mdstat", &len);

		r.file = c.names[i];
		r.strict = json_object_get_boolean(get(want, "strict"));
		mdstat_parse(&m, text, len);
		compare_all(&r, want, &m);
		json_object_put(want);
		free(text);
	}
	print_message("  %zu texts, %zu fields compared, %zu unknown, %zu wrong\n", c.n, r.compared,
		      r.unknown, r.wrong);
	assert_int_equal(r.wrong, 0);
	assert_true(r.unknown <= UNKNOWN_AT_MOST);
	mdstat_release(&m);
	corpus_close(&c);
}

/* ---- cut and damaged texts ---- */

static void assert_no_more(const char *file, size_t len, const char *what, bool agrees)
{
	if (!agrees)
		fail_msg("%s cut at %zu: %s is not as in the whole text", file, len, what);
}

static bool no_other_u64(uint64_t cut, uint64_t whole)
{
	return cut == UNKNOWN_U64 || cut == whole;
}

static bool no_other_text(const char *cut, const char *whole)
{
	return !cut[0] || strcmp(cut, whole) == 0;
}

static bool no_other_member(const struct mdstat_member *cut, const struct mdstat_member *whole)
{
	return strcmp(cut->name, whole->name) == 0 && cut->number == whole->number &&
	       strcmp(cut->flags, whole->flags) == 0;
}

static bool no_other_action(const struct mdstat_action *cut, const struct mdstat_action *whole)
{
	return cut->kind == ACTION_NONE ||
	       (cut->kind == whole->kind && cut->state == whole->state &&
		strcmp(cut->word, whole->word) == 0 &&
		no_other_u64(cut->percent_tenths, whole->percent_tenths) &&
		no_other_u64(cut->done_kib, whole->done_kib) &&
		no_other_u64(cut->total_kib, whole->total_kib) &&
		no_other_u64(cut->finish_tenths_min, whole->finish_tenths_min) &&
		no_other_u64(cut->speed_kib_per_sec, whole->speed_kib_per_sec));
}

static void assert_array_says_no_other(const char *file, size_t len, const struct mdstat_array *cut,
				       const struct mdstat_array *whole)
{
	bool size = no_other_u64(cut->size_kib, whole->size_kib) &&
		    no_other_u64(cut->chunk_kib, whole->chunk_kib) &&
		    no_other_u64(cut->algorithm, whole->algorithm) &&
		    no_other_u64(cut->raid_disks, whole->raid_disks) &&
		    no_other_u64(cut->working, whole->working);

	assert_no_more(file, len, "name", strcmp(cut->name, whole->name) == 0);
	assert_no_more(file, len, "state", cut->state == whole->state);
	assert_no_more(file, len, "level", no_other_text(cut->level, whole->level));
	assert_no_more(file, len, "super", no_other_text(cut->super, whole->super));
	assert_no_more(file, len, "map", no_other_text(cut->map, whole->map));
	assert_no_more(file, len, "size", size);
	/* of "2 near-copies 2 far-copies" the first half may be all there is */
	assert_no_more(file, len, "layout",
		       strncmp(cut->layout, whole->layout, strlen(cut->layout)) == 0);
	assert_no_more(file, len, "members", cut->n_members <= whole->n_members);
	for (size_t i = 0; i < cut->n_members; i++)
		assert_no_more(file, len, "member",
			       no_other_member(&cut->members[i], &whole->members[i]));
	assert_no_more(file, len, "action", no_other_action(&cut->action, &whole->action));
	assert_no_more(file, len, "bitmap file",
		       no_other_text(cut->bitmap.file, whole->bitmap.file));
	assert_no_more(file, len, "bitmap chunk",
		       no_other_u64(cut->bitmap.chunk_bytes, whole->bitmap.chunk_bytes));
}

/* A step that leaves no text over a second of work: the long ones repeat themselves. */
static size_t step_of(size_t len)
{
	return len < 4096 ? 1 : len / 1024;
}

static void a_cut_text_says_less(void **state)
{
	struct mdstat whole, part;
	struct corpus c;

	(void)state;
	if (!corpus_open(&c, "mdstat", ".mdstat"))
		skip();
	mdstat_init(&whole);
	mdstat_init(&part);
	for (size_t i = 0; i < c.n; i++) {
		size_t len;
		char *text = corpus_read(&c, i, ".mdstat", &len);

		mdstat_parse(&whole, text, len);
		for (size_t n = 0; n < len; n += step_of(len)) {
			mdstat_parse(&part, text, n);
			assert_true(part.n_arrays <= whole.n_arrays);
			for (size_t k = 0; k < part.n_arrays; k++)
				assert_array_says_no_other(c.names[i], n, &part.arrays[k],
							   &whole.arrays[k]);
		}
		free(text);
	}
	mdstat_release(&whole);
	mdstat_release(&part);
	corpus_close(&c);
}

static void assert_clean(const char *text, size_t size)
{
	assert_non_null(memchr(text, '\0', size));
	for (; *text; text++)
		assert_true((unsigned char)*text >= 0x20 && *text != 0x7f);
}

static void assert_all_clean(const struct mdstat *m)
{
	for (size_t i = 0; i < m->n_arrays; i++) {
		const struct mdstat_array *a = &m->arrays[i];

		assert_clean(a->name, sizeof(a->name));
		assert_clean(a->level, sizeof(a->level));
		assert_clean(a->super, sizeof(a->super));
		assert_clean(a->layout, sizeof(a->layout));
		assert_clean(a->map, sizeof(a->map));
		assert_clean(a->bitmap.file, sizeof(a->bitmap.file));
		for (size_t k = 0; k < a->n_members; k++)
			assert_clean(a->members[k].name, sizeof(a->members[k].name));
	}
	for (size_t i = 0; i < m->n_personalities; i++)
		assert_clean(m->personalities[i], sizeof(m->personalities[i]));
	for (size_t i = 0; i < m->n_unused; i++)
		assert_clean(m->unused[i], sizeof(m->unused[i]));
	assert_clean(m->read_ahead, sizeof(m->read_ahead));
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void damage_is_survived(void **state)
{
	uint32_t seed = 1;
	struct mdstat m;
	struct corpus c;

	(void)state;
	if (!corpus_open(&c, "mdstat", ".mdstat"))
		skip();
	mdstat_init(&m);
	for (size_t i = 0; i < c.n; i++) {
		size_t len;
		char *text = corpus_read(&c, i, ".mdstat", &len);

		for (int round = 0; len > 0 && round < 50; round++) {
			text[next_random(&seed) % len] = (char)next_random(&seed);
			mdstat_parse(&m, text, len);
			assert_all_clean(&m);
		}
		free(text);
	}
	mdstat_release(&m);
	corpus_close(&c);
}

static void a_warm_parser_allocates_nothing(void **state)
{
	struct mdstat m;
	struct corpus c;

	(void)state;
	if (!corpus_open(&c, "mdstat", ".mdstat"))
		skip();
	for (size_t i = 0; i < c.n; i++) {
		size_t len, before;
		char *text = corpus_read(&c, i, ".mdstat", &len);

		mdstat_init(&m);
		mdstat_parse(&m, text, len);
		before = memory_allocations();
		for (int again = 0; again < 3; again++)
			mdstat_parse(&m, text, len);
		assert_int_equal(memory_allocations() - before, 0);
		mdstat_release(&m);
		free(text);
	}
	corpus_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_as_read),
		cmocka_unit_test(a_cut_text_says_less),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(a_warm_parser_allocates_nothing),
	};

	return cmocka_run_group_tests_name("mdstat_corpus", tests, NULL, NULL);
}
