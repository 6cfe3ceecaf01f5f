/*
 * A device that is to be overwritten must be one that a person can tell from all others, by what
 * is printed on it and not by where it was plugged in: a disk by its serial number or WWN, an
 * array or a mapping by its UUID. The person types it. udev has asked the disk; where it is
 * silent, sysfs has what the kernel asked. Kernel names, labels and numbers of ours are no answer.
 */
#include "safety_rules.h"

#include <ctype.h>
#include <errno.h>
#include <libudev.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "raidtop/consent.h"
#include "raidtop/file.h"
#include "raidtop/text.h"
#include "sentence.h"

#define IDENTITIES_MAX 12
#define IDENTITY_BYTES 192

struct identity {
	char texts[IDENTITIES_MAX][IDENTITY_BYTES];
	size_t n;
	char model[DEVICE_TEXT_BYTES];
	bool is_uuid;
	const char *told_by; /* what a person can look it up with */
};

static void identity_add(struct identity *id, const char *text)
{
	char clean[IDENTITY_BYTES];

	if (!text || id->n == IDENTITIES_MAX)
		return;
	text_clean(clean, sizeof(clean), text);
	/* Bridges and virtual disks fill in what is the same for all of them. */
	if (strlen(clean) < 3 || strspn(clean, "0 -:xX") == strlen(clean))
		return;
	text_copy(id->texts[id->n++], IDENTITY_BYTES, clean);
}

static void identity_add_attribute(struct identity *id, const char *dir, const char *attribute)
{
	char path[PATH_MAX], line[IDENTITY_BYTES];

	if (text_format(path, sizeof(path), "%s/%s", dir, attribute) &&
	    file_read_line(path, line, sizeof(line)) == 0)
		identity_add(id, line);
}

/* Page 0x80 of SCSI: four bytes of header, the last two of them the length, then the text. */
static void identity_add_vpd(struct identity *id, const char *dir)
{
	struct buffer page = BUFFER_INIT;
	char path[PATH_MAX], text[IDENTITY_BYTES];

	if (text_format(path, sizeof(path), "%s/device/vpd_pg80", dir) &&
	    file_read(path, 4096, &page) == 0 && page.len > 4 && page.data[1] == (char)0x80) {
		text_copy_n(text, sizeof(text), page.data + 4, page.len - 4);
		identity_add(id, text);
	}
	buffer_release(&page);
}

static void identity_add_udev(struct identity *id, dev_t number, const char *const *properties)
{
	struct udev *udev = udev_new();
	struct udev_device *d = udev ? udev_device_new_from_devnum(udev, 'b', number) : NULL;

	for (; d && *properties; properties++)
		identity_add(id, udev_device_get_property_value(d, *properties));
	if (d && udev_device_get_property_value(d, "ID_MODEL"))
		text_clean(id->model, sizeof(id->model),
			   udev_device_get_property_value(d, "ID_MODEL"));
	udev_device_unref(d);
	udev_unref(udev);
}

/* What is asked of each kind of device. */
static const struct source {
	enum place_kind kind;
	const char *udev[6];
	const char *sysfs[5];
	const char *told_by;
} sources[] = {
	{ PLACE_DISK,
	  { "ID_SCSI_SERIAL", "ID_SERIAL_SHORT", "ID_SERIAL", "ID_WWN_WITH_EXTENSION", "ID_WWN" },
	  { "serial", "device/serial", "wwid", "device/wwid" },
	  "lsblk -o NAME,SERIAL,WWN" },
	{ PLACE_MD, { "MD_UUID" }, { "md/uuid" }, "mdadm --detail" },
	{ PLACE_DM, { "DM_UUID" }, { "dm/uuid" }, "dmsetup info" },
};

static void identity_find(struct identity *id, const struct safety_case *c)
{
	const struct place *p = c->place;
	const struct place_device *d = &p->devices[0];
	char dir[PATH_MAX];

	*id = (struct identity){ 0 };
	if (p->n_devices > 1 && d->kind == PLACE_PARTITION && p->devices[1].above == 0)
		d = &p->devices[1]; /* its disk's, or its array's */
	if (p->n_devices == 0 || !place_sysfs_dir(dir, sizeof(dir), c->root, d->major, d->minor))
		return;
	id->is_uuid = d->kind != PLACE_DISK;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (sources[i].kind != d->kind)
			continue;
		id->told_by = sources[i].told_by;
		identity_add_udev(id, makedev(d->major, d->minor), sources[i].udev);
		for (const char *const *a = sources[i].sysfs; *a; a++)
			identity_add_attribute(id, dir, *a);
		if (d->kind == PLACE_DISK)
			identity_add_vpd(id, dir);
	}
}

int rule_has_identity(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	struct identity id;

	identity_find(&id, c);
	if (id.n > 0)
		return 0;
	return sentence_set(
		-ENOTUNIQ, why, size,
		"%s has no serial number, WWN or UUID to tell it by: it is not written to",
		sentence_name(buf, c->spec->target));
}

/* mdadm and the kernel write the same UUID with other separators. */
static bool is_same_uuid(const char *a, const char *b)
{
	while (*a || *b) {
		if (*a == '-' || *a == ':') {
			a++;
		} else if (*b == '-' || *b == ':') {
			b++;
		} else {
			if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
				return false;
			a++;
			b++;
		}
	}
	return true;
}

static bool identity_is(const struct identity *id, const char *typed)
{
	char clean[IDENTITY_BYTES];

	text_clean(clean, sizeof(clean), typed); /* trimmed */
	if (!clean[0] || strlen(typed) >= IDENTITY_BYTES)
		return false;
	for (size_t i = 0; i < id->n; i++) {
		if (strcmp(clean, id->texts[i]) == 0 ||
		    (id->is_uuid && is_same_uuid(clean, id->texts[i])))
			return true;
	}
	return false;
}

/* The number itself is not shown: whoever has to look it up looks at the disk. */
int rule_typed(const struct safety_case *c, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES], question[512], answer[2 * IDENTITY_BYTES] = "";
	const char *shown = sentence_name(buf, c->spec->target);
	struct identity id;
	int r;

	identity_find(&id, c);
	sentence_set(0, question, sizeof(question),
		     "%s%s%s%s will be overwritten. To allow it, type its %s (%s tells it):", shown,
		     id.model[0] ? " (" : "", id.model, id.model[0] ? ")" : "",
		     id.is_uuid ? "UUID" : "serial number or WWN",
		     id.told_by ? id.told_by : "its label");
	r = consent_ask(question, answer, sizeof(answer));
	if (r == -ENOTTY)
		return sentence_set(r, why, size,
				    "%s is written to only after its %s was typed: use a terminal",
				    shown, id.is_uuid ? "UUID" : "serial number");
	if (r < 0)
		return sentence_set(r, why, size, "nothing was typed (%s), so %s is not written to",
				    strerror(-r), shown);
	if (identity_is(&id, answer))
		return 0;
	return sentence_set(-EPERM, why, size,
			    "that is not the %s of %s, so nothing is written to it",
			    id.is_uuid ? "UUID" : "serial number", shown);
}
