/*
 * A table of phrases. Each is a function of the array that says nothing where there is nothing to
 * say: no spares, no bitmap, the speed limits of an array that nothing runs on and that has none
 * of its own.
 */
#include "raidtop/array_facts.h"

#include <string.h>

#include "raidtop/text.h"

struct phrase {
	const struct topology *t;
	const struct device *d;
	const struct array *a;
	enum units units;
	char *buf;
	size_t size;
};

/* "n thing(s)" */
static void say_count(const struct phrase *p, uint64_t n, const char *what, const char *plural)
{
	text_format(p->buf, p->size, "%llu %s%s", (unsigned long long)n, what,
		    n == 1 ? "" : plural);
}

/* ---- containers ---- */

static void say_volume(const struct phrase *p)
{
	if (p->a->container[0] && p->a->container_volume != UNKNOWN_U64)
		text_format(p->buf, p->size, "volume %llu of %s",
			    (unsigned long long)p->a->container_volume, p->a->container);
}

static void say_holds(const struct phrase *p)
{
	const char *between = "holds ", *colon = strchr(p->a->metadata, ':');
	bool is_empty = true;

	if (!array_is_container(p->a))
		return;
	if (colon)
		text_format(p->buf, p->size, "%s, ", colon + 1);
	for (size_t i = 0; i < p->t->n_devices; i++) {
		const struct device *d = p->t->devices[i];
		size_t len = strlen(p->buf);

		if (!d->present || !d->array || strcmp(d->array->container, p->d->kernel_name) != 0)
			continue;
		text_format(p->buf + len, p->size - len, "%s%s", between, d->name);
		between = ", ";
		is_empty = false;
	}
	if (is_empty)
		text_format(p->buf + strlen(p->buf), p->size - strlen(p->buf),
			    "holds no volume that runs");
}

/* ---- shape ---- */

static void say_disks(const struct phrase *p)
{
	if (p->a->raid_disks_before != UNKNOWN_U64 && p->a->raid_disks != UNKNOWN_U64)
		text_format(p->buf, p->size, "%llu (%llu) disks",
			    (unsigned long long)p->a->raid_disks,
			    (unsigned long long)p->a->raid_disks_before);
}

static void say_reshape(const struct phrase *p)
{
	char at[32];

	if (p->a->action.kind != ACTION_RESHAPE || p->a->reshape_position_bytes == UNKNOWN_U64)
		return;
	units_format_size(at, sizeof(at), p->units, p->a->reshape_position_bytes);
	text_format(p->buf, p->size, "reshape at %s", at);
}

static void say_spares(const struct phrase *p)
{
	if (p->a->spares > 0 && p->a->spares != UNKNOWN_U64)
		say_count(p, p->a->spares, "spare", "s");
}

/* ---- what makes it consistent ---- */

static void say_journal(const struct phrase *p)
{
	if (p->a->journal_mode[0])
		text_format(p->buf, p->size, "journal %s", p->a->journal_mode);
}

/* The others show by themselves: as a bitmap, a journal, or a resync. */
static void say_policy(const struct phrase *p)
{
	if (strcmp(p->a->consistency_policy, "ppl") == 0)
		text_copy(p->buf, p->size, "partial parity log");
}

static void say_bitmap(const struct phrase *p)
{
	size_t len;

	if (p->a->bitmap != TRUTH_YES)
		return;
	text_format(p->buf, p->size, "bitmap%s%s", p->a->bitmap_location[0] ? " " : "",
		    p->a->bitmap_location);
	len = strlen(p->buf);
	if (p->a->bitmap_chunk_bytes != UNKNOWN_U64)
		text_format(p->buf + len, p->size - len, " by %lluK",
			    (unsigned long long)p->a->bitmap_chunk_bytes / 1024);
}

/* ---- at work ---- */

static void say_stripe_cache(const struct phrase *p)
{
	if (p->a->stripe_cache_size == UNKNOWN_U64)
		return;
	if (p->a->stripe_cache_active == UNKNOWN_U64)
		text_format(p->buf, p->size, "stripe cache of %llu",
			    (unsigned long long)p->a->stripe_cache_size);
	else
		text_format(p->buf, p->size, "stripe cache %llu of %llu",
			    (unsigned long long)p->a->stripe_cache_active,
			    (unsigned long long)p->a->stripe_cache_size);
}

static void format_limit(const struct phrase *p, uint64_t bytes_per_sec, enum truth is_local,
			 char *buf, size_t size)
{
	char number[32] = "-";

	if (bytes_per_sec != UNKNOWN_U64)
		units_format_three(number, sizeof(number),
				   units_rate(p->units, (double)bytes_per_sec));
	text_format(buf, size, "%s %s%s", number, units_rate_name(p->units),
		    is_local == TRUTH_YES  ? " (local)"
		    : is_local == TRUTH_NO ? " (system)"
					   : "");
}

static void say_limits(const struct phrase *p)
{
	const struct array *a = p->a;
	char min[64], max[64];

	if (a->sync_min_bytes_per_sec == UNKNOWN_U64 && a->sync_max_bytes_per_sec == UNKNOWN_U64)
		return;
	if (a->action.kind == ACTION_NONE && a->sync_min_is_local != TRUTH_YES &&
	    a->sync_max_is_local != TRUTH_YES)
		return;
	format_limit(p, a->sync_min_bytes_per_sec, a->sync_min_is_local, min, sizeof(min));
	format_limit(p, a->sync_max_bytes_per_sec, a->sync_max_is_local, max, sizeof(max));
	text_format(p->buf, p->size, "sync limits %s to %s", min, max);
}

static void say_mismatches(const struct phrase *p)
{
	size_t len;

	if (p->a->mismatch_count == 0 || p->a->mismatch_count == UNKNOWN_U64)
		return;
	say_count(p, p->a->mismatch_count, "mismatch", "es");
	len = strlen(p->buf);
	if (array_mismatches_are_faults(p->a) == TRUTH_NO)
		text_format(p->buf + len, p->size - len, ", no fault on %s", p->a->level);
}

bool array_fact_format(enum array_fact which, const struct topology *t, const struct device *d,
		       enum units units, char *buf, size_t size)
{
	static void (*const phrases[ARRAY_FACTS])(const struct phrase *p) = {
		[ARRAY_FACT_VOLUME] = say_volume,
		[ARRAY_FACT_HOLDS] = say_holds,
		[ARRAY_FACT_DISKS] = say_disks,
		[ARRAY_FACT_RESHAPE] = say_reshape,
		[ARRAY_FACT_SPARES] = say_spares,
		[ARRAY_FACT_JOURNAL] = say_journal,
		[ARRAY_FACT_POLICY] = say_policy,
		[ARRAY_FACT_BITMAP] = say_bitmap,
		[ARRAY_FACT_STRIPE_CACHE] = say_stripe_cache,
		[ARRAY_FACT_LIMITS] = say_limits,
		[ARRAY_FACT_MISMATCHES] = say_mismatches,
	};
	const struct phrase p = { t, d, d->array, units, buf, size };

	buf[0] = '\0';
	if (d->array)
		phrases[which](&p);
	return buf[0] != '\0';
}
