/*
 * A stream in one sentence. Reading is not quite free either: md mends a sector that it cannot read
 * by writing it, and may throw a disk out over it; a sleeping disk wakes up. So that is said too,
 * where it can be: of anything that lies on a disk, and of an array.
 */
#include "raidtop/outlook.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "plan.h"
#include "raidtop/file.h"
#include "raidtop/text.h"
#include "reserve.h"
#include "safety.h"
#include "sentence.h"
#include "target.h"

#define FILE_BYTES (1ULL << 30) /* of a file, where no size is given */

static bool lies_on_md(const struct place *p)
{
	for (size_t i = 0; i < p->n_devices; i++) {
		if (p->devices[i].kind == PLACE_MD)
			return true;
	}
	return false;
}

static void add_price_of_reading(const struct place *p, struct buffer *b)
{
	if (lies_on_md(p))
		buffer_add_text(b,
				"; md mends sectors that it cannot read by writing them, and may "
				"fail a member over it");
	if (p->n_devices > 0)
		buffer_add_text(b, "; sleeping disks wake");
}

static uint64_t bytes_of(const struct safety_case *c)
{
	const struct place *p = c->place;
	char dir[PATH_MAX], path[PATH_MAX];
	uint64_t sectors;

	if (S_ISREG(c->st.st_mode))
		return (uint64_t)c->st.st_size;
	if (p->n_devices > 0 &&
	    place_sysfs_dir(dir, sizeof(dir), c->root, p->devices[0].major, p->devices[0].minor) &&
	    text_format(path, sizeof(path), "%s/size", dir) && file_read_u64(path, &sectors) == 0 &&
	    sectors <= UINT64_MAX / 512)
		return sectors * 512;
	return UNKNOWN_U64;
}

/* The part of a device or file that is asked for; of unknown size, what is asked for. */
static uint64_t part_of(const struct safety_case *c)
{
	const struct stream_spec *spec = c->spec;
	uint64_t all = bytes_of(c), copies = spec->copies ? spec->copies : 1, left;

	if (all == UNKNOWN_U64)
		return spec->size_bytes ? spec->size_bytes : UNKNOWN_U64;
	left = all > spec->offset_bytes ? all - spec->offset_bytes : 0;
	if (spec->size_bytes == 0 || spec->size_bytes > left / copies)
		return left;
	return spec->size_bytes * copies;
}

/* Of a file or a device; what is in a directory is made to fit. */
static int check_part(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *shown = sentence_name(buf, c->spec->target);

	if (c->kind == SHARED_TARGET_DIRECTORY || part_of(c) > 0)
		return 0;
	if (bytes_of(c) == 0)
		return sentence_set(-ENODATA, why, size, "%s is empty: there is nothing to %s",
				    shown, c->workload->writes ? "write to" : "read");
	return sentence_set(-EINVAL, why, size,
			    "%s has %" PRIu64 " bytes, nothing is left behind offset %" PRIu64,
			    shown, bytes_of(c), c->spec->offset_bytes);
}

static void tell_reading(const struct safety_case *c, enum units units, const char *shown,
			 struct buffer *b)
{
	char size[32], offset[32];

	units_format_size(size, sizeof(size), units, part_of(c));
	buffer_format(b, "reads %s of %s", size, shown);
	if (c->spec->offset_bytes > 0) {
		units_format_size(offset, sizeof(offset), units, c->spec->offset_bytes);
		buffer_format(b, " from %s on", offset);
	}
	buffer_add_text(b, ", writes nothing and leaves nothing behind");
	add_price_of_reading(c->place, b);
}

static void tell_overwriting(const struct safety_case *c, enum units units, const char *shown,
			     struct buffer *b)
{
	char size[32], offset[32];

	units_format_size(size, sizeof(size), units, part_of(c));
	units_format_size(offset, sizeof(offset), units, c->spec->offset_bytes);
	buffer_format(b, "OVERWRITES %s of %s", size, shown);
	if (c->spec->offset_bytes > 0)
		buffer_format(b, " from %s on", offset);
	buffer_add_text(b, ": what is there is lost");
}

/* Where none is asked for it is smaller on a filesystem that has no room for it. */
static uint64_t file_bytes(const struct stream_spec *spec, uint64_t spare_bytes)
{
	if (spec->size_bytes > 0)
		return spec->size_bytes;
	return reserve_share(spare_bytes, spec->copies ? spec->copies : 1, FILE_BYTES);
}

static void tell_blocks(const struct safety_case *c, enum units units, const char *shown,
			uint64_t spare_bytes, struct buffer *b)
{
	uint64_t bytes = c->spec->size_bytes ? c->spec->size_bytes : FILE_BYTES;
	unsigned int copies = c->spec->copies ? c->spec->copies : 1;
	const char *each = copies == 1 ? "it" : "each of them";
	char size[32], limit[32];

	units_format_size(size, sizeof(size), units, file_bytes(c->spec, spare_bytes));
	units_format_size(limit, sizeof(limit), units, stream_spec_limit_bytes(c->spec, bytes));
	if (copies == 1)
		buffer_add_text(b, "makes a file");
	else
		buffer_format(b, "makes %u files", copies);
	/* What is left from before may be what takes the room, and is taken again then. */
	if (file_bytes(c->spec, spare_bytes) == 0)
		buffer_add_text(b, " as large as there is room for,");
	else
		buffer_format(b, " of %s", size);
	buffer_format(b, " of random data in %s/.raidtop", shown);
	if (c->workload->writes)
		buffer_format(b, ", writes up to %s to %s", limit, each);
	else
		buffer_format(b, ", reads %s", each);
}

static void tell_directory(const struct safety_case *c, enum units units, const char *shown,
			   uint64_t spare_bytes, struct buffer *b)
{
	if (stream_kind_counts_files(c->spec->workload))
		buffer_format(b, "makes small files in %s/.raidtop", shown);
	else
		tell_blocks(c, units, shown, spare_bytes, b);
	buffer_add_text(b, c->spec->keep ? ", and leaves what it made there"
					 : ", and removes what it made");
	add_price_of_reading(c->place, b);
}

static void tell_effect(const struct safety_case *c, enum units units, uint64_t spare_bytes,
			struct outlook *ret)
{
	struct buffer b = BUFFER_INIT;
	char buf[SENTENCE_NAME_BYTES];
	const char *shown = sentence_name(buf, c->spec->target);

	switch (c->kind) {
	case SHARED_TARGET_READ:
		tell_reading(c, units, shown, &b);
		break;
	case SHARED_TARGET_DEVICE:
		tell_overwriting(c, units, shown, &b);
		break;
	case SHARED_TARGET_DIRECTORY:
		tell_directory(c, units, shown, spare_bytes, &b);
		break;
	}
	text_clean(ret->effect, sizeof(ret->effect), buffer_text(&b));
	buffer_release(&b);
}

/* Behind the place of a directory: the room that there is for files. What may be taken of it. */
static uint64_t add_free_space(int path_fd, enum units units, struct outlook *ret)
{
	size_t len = strlen(ret->place);
	struct reserve reserve;
	char size[32];

	if (reserve_read(path_fd, &reserve) < 0)
		return UINT64_MAX;
	if (reserve.free_bytes < UINT64_MAX) {
		units_format_size(size, sizeof(size), units, reserve.free_bytes);
		text_format(ret->place + len, sizeof(ret->place) - len, ", %s free", size);
	}
	return reserve_spare_bytes(&reserve);
}

/* What no target could take; NULL with a sentence. */
static const struct workload *check_spec(const struct stream_spec *spec, char *why, size_t size)
{
	const struct workload *w = plan_check_spec(spec, why, size);
	struct stream_spec filled = *spec;

	if (!w)
		return NULL;
	plan_fill_defaults(&filled, w);
	return plan_check_memory(&filled, w, filled.copies, why, size) < 0 ? NULL : w;
}

int outlook_find(const struct stream_spec *spec, enum units units, struct outlook *ret, char *why,
		 size_t size)
{
	const struct workload *w;
	const struct place_device *main_device;
	struct place place = PLACE_INIT;
	struct safety_case c;
	uint64_t spare_bytes = UINT64_MAX;
	int path_fd = -1, r;

	*ret = (struct outlook){ 0 };
	text_copy(why, size, "");
	w = check_spec(spec, why, size);
	if (!w)
		return -EINVAL;
	r = target_look_up(&c, spec, w, &place, &path_fd, why, size);
	if (r == 0) {
		r = safety_check(&c, why, size);
		if (r == 0)
			r = check_part(&c, why, size);
		place_describe(&place, ret->place, sizeof(ret->place));
		if (c.kind == SHARED_TARGET_DIRECTORY)
			spare_bytes = add_free_space(path_fd, units, ret);
		close(path_fd);
		main_device = place_main_device(&place);
		if (main_device)
			text_copy(ret->device, sizeof(ret->device), main_device->name);
		tell_effect(&c, units, spare_bytes, ret);
	}
	place_release(&place);
	return r;
}
