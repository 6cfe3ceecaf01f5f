/*
 * Who a disk is. udev has asked the disk itself and knows names in full length; where it is silent,
 * sysfs has what the kernel asked for its own use, which for SCSI and ATA is shorter (16 characters
 * of the model, 4 of the firmware) but not wrong. Each field is a list of sources in the order of
 * trust; the first that says something is taken. How it is attached is read off the path.
 */
#include "disk_identity.h"

#include <string.h>

#include "block.h"
#include "raidtop/file.h"
#include "raidtop/text.h"
#include "sysfs.h"

/* ---- attachment ---- */

/*
 * The first line that a component of the path fits decides: the name, then a digit. USB comes first
 * because a bridge shows a SCSI host behind it, hosts come before virtio for the same reason.
 */
static const struct transport_rule {
	const char *component;
	const char *transport;
} transport_rules[] = {
	{ "usb", "usb" },   { "nvme", "nvme" },     { "nvme-subsys", "nvme" },
	{ "ata", "ata" },   { "mmc", "mmc" },       { "session", "iscsi" },
	{ "rport-", "fc" }, { "fw", "firewire" },   { "end_device-", "sas" },
	{ "host", "scsi" }, { "virtio", "virtio" }, { "vbd-", "xen" },
	{ "loop", "loop" }, { "dm-", "dm" },        { "ram", "ram" },
	{ "zram", "ram" },  { "nbd", "nbd" },
};

static bool has_component(const char *path, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/'))
		if (strncmp(at + 1, name, len) == 0 && at[1 + len] >= '0' && at[1 + len] <= '9')
			return true;
	return false;
}

const char *disk_transport(const char *path)
{
	for (size_t i = 0; i < sizeof(transport_rules) / sizeof(transport_rules[0]); i++)
		if (has_component(path, transport_rules[i].component))
			return transport_rules[i].transport;
	return "";
}

/* A host adapter that knows serial links only: AHCI by its PCI class, others by their driver. */
static bool is_sata_adapter(const char *dir)
{
	char class[16], link[SYSFS_PATH_BYTES], driver[64];

	sysfs_text(dir, "class", class, sizeof(class));
	if (strncmp(class, "0x0106", 6) == 0)
		return true;
	return sysfs_path(link, sizeof(link), dir, "driver") &&
	       file_read_link_name(link, driver, sizeof(driver)) == 0 &&
	       (strncmp(driver, "ahci", 4) == 0 || strncmp(driver, "sata_", 5) == 0);
}

/* ATA is serial where the disk says so (through udev) or its adapter knows nothing else. */
static bool is_sata(const struct block *b)
{
	const char *port = strstr(b->path, "/ata");
	char adapter[SYSFS_PATH_BYTES];

	if (strcmp(block_property(b, "ID_ATA_SATA"), "1") == 0)
		return true;
	return port && text_copy_n(adapter, sizeof(adapter), b->dir, (size_t)(port - b->dir)) &&
	       is_sata_adapter(adapter);
}

static const char *transport_of(const struct block *b)
{
	const char *transport = disk_transport(b->path);
	char vendor[16];

	if (strcmp(transport, "ata") == 0)
		return is_sata(b) ? "sata" : "ata";
	if (strcmp(transport, "sas") != 0 && strcmp(transport, "scsi") != 0)
		return transport;
	/* A SATA disk on a SAS adapter, whose translation layer gives ATA as the vendor. */
	sysfs_text(b->dir, "device/vendor", vendor, sizeof(vendor));
	return strcmp(vendor, "ATA") == 0 ? "sata" : transport;
}

/* ---- sources ---- */

static int hex_value(char c)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	if (!at)
		return -1;
	return at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
}

void disk_decode_udev(char *dst, size_t size, const char *encoded)
{
	size_t n = 0;

	while (*encoded && n + 1 < size) {
		int high = -1, low = -1;

		if (encoded[0] == '\\' && encoded[1] == 'x') {
			high = hex_value(encoded[2]);
			low = high < 0 ? -1 : hex_value(encoded[3]);
		}
		if (low < 0 || (high == 0 && low == 0)) {
			dst[n++] = *encoded++;
			continue;
		}
		dst[n++] = (char)(high * 16 + low);
		encoded += 4;
	}
	dst[n] = '\0';
}

enum source_kind {
	SOURCE_UDEV,         /* a property */
	SOURCE_UDEV_ENCODED, /* one with \x20 in it */
	SOURCE_UDEV_VIRTIO,  /* ID_SERIAL, which other buses put the model in as well */
	SOURCE_SYSFS,        /* an attribute below the block device */
	SOURCE_SYSFS_ASKED,  /* one that the kernel asks the disk for at each read */
	SOURCE_VPD_SERIAL,   /* the unit serial number page as the disk sent it */
	SOURCE_SCSI_WWN,     /* an attribute with "naa." before a WWN */
	SOURCE_T10_MODEL,    /* an ATA disk's T10 name has its model and its serial in full */
	SOURCE_T10_SERIAL,
};

struct source {
	enum source_kind kind;
	const char *key;
};

static const struct source model_sources[] = {
	{ SOURCE_UDEV_ENCODED, "ID_MODEL_ENC" }, { SOURCE_UDEV, "ID_MODEL" },
	{ SOURCE_T10_MODEL, "device/wwid" },     { SOURCE_SYSFS, "device/model" },
	{ SOURCE_SYSFS, "device/name" }, /* mmc */
};
static const struct source serial_sources[] = {
	{ SOURCE_UDEV, "ID_SCSI_SERIAL" },    { SOURCE_UDEV, "ID_SERIAL_SHORT" },
	{ SOURCE_UDEV_VIRTIO, "ID_SERIAL" },  { SOURCE_SYSFS_ASKED, "serial" },
	{ SOURCE_SYSFS, "device/serial" },    { SOURCE_VPD_SERIAL, "device/vpd_pg80" },
	{ SOURCE_T10_SERIAL, "device/wwid" },
};
static const struct source firmware_sources[] = {
	{ SOURCE_UDEV, "ID_REVISION" },
	{ SOURCE_SYSFS, "device/firmware_rev" },
	{ SOURCE_SYSFS, "device/rev" },
	{ SOURCE_SYSFS, "device/fwrev" },
};
static const struct source wwn_sources[] = {
	{ SOURCE_UDEV, "ID_WWN_WITH_EXTENSION" },
	{ SOURCE_UDEV, "ID_WWN" },
	{ SOURCE_SYSFS, "wwid" },
	{ SOURCE_SCSI_WWN, "device/wwid" },
};

/* Page 0x80: four bytes of header, the last two of them the length, then the text. */
static void read_vpd_serial(const struct block *b, const char *attribute, char *dst, size_t size)
{
	struct buffer page = BUFFER_INIT;
	char path[SYSFS_PATH_BYTES], text[256];
	size_t len;

	if (sysfs_path(path, sizeof(path), b->dir, attribute) &&
	    file_read(path, 4096, &page) == 0 && page.len > 4 && page.data[1] == (char)0x80) {
		len = (size_t)(unsigned char)page.data[2] << 8 | (unsigned char)page.data[3];
		if (len > page.len - 4)
			len = page.len - 4;
		text_copy_n(text, sizeof(text), page.data + 4, len);
		text_clean(dst, size, text);
	}
	buffer_release(&page);
}

static void read_scsi_wwn(const struct block *b, const char *attribute, char *dst, size_t size)
{
	char text[DEVICE_TEXT_BYTES];

	sysfs_text(b->dir, attribute, text, sizeof(text));
	if (strncmp(text, "naa.", 4) == 0 || strncmp(text, "eui.", 4) == 0)
		text_format(dst, size, "0x%s", text + 4);
}

/* "t10.", then vendor, model and serial in fields of 8, 40 and 20 characters (SAT-3). */
static void read_t10(const struct block *b, const char *attribute, size_t from, size_t len,
		     char *dst, size_t size)
{
	static const char vendor[] = "t10.ATA     ";
	char path[SYSFS_PATH_BYTES], line[128], part[64];

	if (!sysfs_path(path, sizeof(path), b->dir, attribute) ||
	    file_read_line(path, line, sizeof(line)) ||
	    strncmp(line, vendor, strlen(vendor)) != 0 || strlen(line) < from)
		return;
	text_copy_n(part, sizeof(part), line + from, len);
	text_clean(dst, size, part);
}

/*
 * virtio-blk sends a request for its serial number. A disk that hangs would keep us waiting, so it
 * is asked once, and not where udev has done so.
 */
static void read_asked(struct block *b, const char *attribute, char *dst, size_t size)
{
	if (!b->serial[0])
		sysfs_text(b->dir, attribute, b->serial, sizeof(b->serial));
	text_copy(dst, size, b->serial);
}

static void read_source(const struct source *s, struct block *b, char *dst, size_t size)
{
	char text[4 * DEVICE_TEXT_BYTES];

	switch (s->kind) {
	case SOURCE_UDEV:
		text_clean(dst, size, block_property(b, s->key));
		break;
	case SOURCE_UDEV_ENCODED:
		disk_decode_udev(text, sizeof(text), block_property(b, s->key));
		text_clean(dst, size, text);
		break;
	case SOURCE_UDEV_VIRTIO:
		if (strcmp(disk_transport(b->path), "virtio") == 0)
			text_clean(dst, size, block_property(b, s->key));
		break;
	case SOURCE_SYSFS_ASKED:
		read_asked(b, s->key, dst, size);
		break;
	case SOURCE_SYSFS:
		sysfs_text(b->dir, s->key, dst, size);
		break;
	case SOURCE_VPD_SERIAL:
		read_vpd_serial(b, s->key, dst, size);
		break;
	case SOURCE_SCSI_WWN:
		read_scsi_wwn(b, s->key, dst, size);
		break;
	case SOURCE_T10_MODEL:
		read_t10(b, s->key, 12, 40, dst, size);
		break;
	case SOURCE_T10_SERIAL:
		read_t10(b, s->key, 52, 20, dst, size);
		break;
	}
}

static void read_first(const struct source *sources, size_t n, struct block *b, char *dst,
		       size_t size)
{
	for (size_t i = 0; i < n && !dst[0]; i++)
		read_source(&sources[i], b, dst, size);
}

#define READ_FIRST(sources, b, field) \
	read_first(sources, sizeof(sources) / sizeof((sources)[0]), b, field, sizeof(field))

void disk_identity_read(struct disk *disk, struct block *b)
{
	READ_FIRST(model_sources, b, disk->model);
	READ_FIRST(serial_sources, b, disk->serial);
	READ_FIRST(firmware_sources, b, disk->firmware);
	READ_FIRST(wwn_sources, b, disk->wwn);
	text_copy(disk->transport, sizeof(disk->transport), transport_of(b));
	disk->rotational = sysfs_truth(b->dir, "queue/rotational");
}
