/*
 * Metadata that md does not understand itself ("external") are kept by mdadm and mdmon. The kernel
 * is given an array that it never runs, which holds the disks (metadata "external:imsm"), and one
 * for each volume on them ("external:/md127/0": volume 0 of the container md127; a '-' in place of
 * the first '/' while mdmon is to leave it alone). To md all disks of a container are spares
 * without a place. They are shown as what can be known of them: held, where a volume stands on
 * them, else not used. Such a disk is a spare or one that failed: mdmon takes a failed disk out of
 * the volume, and the container keeps it as before, also when another one has taken its place.
 */
#include "md_container.h"

#include <string.h>

#include "raidtop/number.h"
#include "raidtop/text.h"

static const char external[] = "external:";

void md_container_name(struct array *a)
{
	const char *name = a->metadata + strlen(external), *slash;
	uint64_t volume;

	if (strncmp(a->metadata, external, strlen(external)) != 0)
		return;
	if (name[0] != '/' && name[0] != '-') {
		if (a->state == ARRAY_INACTIVE && !a->level[0])
			text_copy(a->level, sizeof(a->level), "container");
		return;
	}
	slash = strchr(++name, '/');
	if (!slash || slash == name || number_parse_u64(slash + 1, strlen(slash + 1), &volume))
		return;
	text_copy_n(a->container, sizeof(a->container), name, (size_t)(slash - name));
	a->container_volume = volume;
}

/* ---- the members of containers ---- */

static bool is_volume_of(const struct device *d, const struct device *container)
{
	return d->present && d->array && strcmp(d->array->container, container->kernel_name) == 0;
}

static bool stands_on(const struct array *volume, const struct member *m)
{
	for (size_t i = 0; i < volume->n_members; i++) {
		const struct member *of = &volume->members[i];

		if (of->state != MEMBER_FAULTY && of->name[0] && strcmp(of->name, m->name) == 0)
			return true;
	}
	return false;
}

static void settle_member(const struct topology *t, const struct device *container,
			  struct member *m)
{
	if (m->state != MEMBER_SPARE)
		return;
	m->state = MEMBER_UNUSED;
	for (size_t i = 0; i < t->n_devices; i++) {
		const struct device *d = t->devices[i];

		if (is_volume_of(d, container) && stands_on(d->array, m))
			m->state = MEMBER_HELD;
	}
}

static uint64_t count_spares(const struct array *a)
{
	uint64_t n = 0;

	if (a->n_members == 0 || array_is_container(a))
		return UNKNOWN_U64;
	for (size_t i = 0; i < a->n_members; i++)
		n += a->members[i].state == MEMBER_SPARE;
	return n;
}

void md_container_settle(struct topology *t)
{
	for (size_t i = 0; i < t->n_devices; i++) {
		struct device *d = t->devices[i];

		if (!d->array)
			continue;
		for (size_t k = 0; array_is_container(d->array) && k < d->array->n_members; k++)
			settle_member(t, d, &d->array->members[k]);
		d->array->spares = count_spares(d->array);
	}
}
