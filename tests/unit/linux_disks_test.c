/*
 * Which block devices there are and who they are, from made-up directories of sysfs: attachments
 * that no capture has, hostile names, links out of the root.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_files.h"
#include "provider/linux/block.h"
#include "provider/linux/disk_identity.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- attachment ---- */

#define PCI "/sys/devices/pci0000:00/0000:00:17.0"

static const struct transport_case {
	const char *path, *transport;
} transport_cases[] = {
	{ PCI "/ata3/host2/target2:0:0/2:0:0:0/block/sda", "ata" },
	{ PCI "/0000:01:00.0/nvme/nvme0/nvme0n1", "nvme" },
	{ "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1", "nvme" },
	{ "/sys/devices/virtual/nvme-fabrics/ctl/nvme3/nvme3n1", "nvme" },
	{ PCI "/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdb", "usb" },
	{ PCI "/virtio2/block/vda", "virtio" },
	{ PCI "/virtio1/host0/target0:0:0/0:0:0:0/block/sda", "scsi" },
	{ PCI "/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0/block/sda", "sas" },
	{ PCI
	  "/host0/port-0:0/expander-0:0/port-0:0:3/end_device-0:0:3/target0:0:3/0:0:3:0/block/sdc",
	  "sas" },
	{ PCI "/host7/rport-7:0-2/target7:0:0/7:0:0:1/block/sdd", "fc" },
	{ "/sys/devices/platform/host3/session1/target3:0:0/3:0:0:1/block/sde", "iscsi" },
	{ "/sys/devices/platform/soc/mmc_host/mmc0/mmc0:0001/block/mmcblk0", "mmc" },
	{ "/sys/devices/vbd-51712/block/xvda", "xen" },
	{ "/sys/devices/virtual/block/loop0", "loop" },
	{ "/sys/devices/virtual/block/dm-3", "dm" },
	{ "/sys/devices/virtual/block/zram0", "ram" },
	{ "/sys/devices/virtual/block/nbd11", "nbd" },
	{ "/sys/devices/virtual/block/md0", "" },
	{ "/sys/devices/atari/block/sda", "" },
	{ "", "" },
};

static void transports(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(transport_cases); i++) {
		print_message("  %s\n", transport_cases[i].path);
		assert_string_equal(disk_transport(transport_cases[i].path),
				    transport_cases[i].transport);
	}
}

static void escapes_of_udev(void **state)
{
	static const struct {
		const char *encoded, *text;
	} cases[] = {
		{ "QEMU\\x20HARDDISK\\x20\\x20", "QEMU HARDDISK  " },
		{ "plain", "plain" },
		{ "\\x2fslash\\x2F", "/slash/" },
		{ "torn\\x2", "torn\\x2" },
		{ "torn\\x", "torn\\x" },
		{ "no hex\\xzz", "no hex\\xzz" },
		{ "end\\x00here", "end\\x00here" }, /* never a terminator */
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[64], tiny[4];

		disk_decode_udev(text, sizeof(text), cases[i].encoded);
		assert_string_equal(text, cases[i].text);
		disk_decode_udev(tiny, sizeof(tiny), cases[i].encoded);
		assert_true(strlen(tiny) < sizeof(tiny));
	}
}

/* ---- identity ---- */

#define SCSI "sys/devices/pci0000:00/0000:00:17.0/host0/target0:0:0/0:0:0:0"
#define SDA SCSI "/block/sda"

struct attribute {
	const char *path, *text;
};

static const struct identity_case {
	const char *name, *dir; /* of the block device */
	struct attribute attributes[6];
	const char *model, *serial, *firmware, *wwn, *transport;
} identity_cases[] = {
	{ "a SCSI disk",
	  SDA,
	  { { SCSI "/vendor", "SEAGATE \n" },
	    { SCSI "/model", "ST4000NM0023    \n" },
	    { SCSI "/rev", "0006\n" },
	    { SCSI "/wwid", "naa.5000c50057b9bbcf\n" } },
	  "ST4000NM0023",
	  "",
	  "0006",
	  "0x5000c50057b9bbcf",
	  "scsi" },
	{ "a SATA disk on a RAID adapter",
	  SDA,
	  { { SCSI "/vendor", "ATA     \n" }, { SCSI "/model", "WDC WD40EFRX-68N\n" } },
	  "WDC WD40EFRX-68N",
	  "",
	  "",
	  "",
	  "sata" },
	{ "a T10 name with model and serial",
	  SDA,
	  { { SCSI "/model", "QEMU HARDDISK   \n" },
	    { SCSI "/wwid", "t10.ATA     A model name that is more than sixteen  "
			    "SERIAL0123          \n" } },
	  "A model name that is more than sixteen",
	  "SERIAL0123",
	  "",
	  "",
	  "scsi" },
	{ "a T10 name that is cut",
	  SDA,
	  { { SCSI "/model", "QEMU HARDDISK   \n" }, { SCSI "/wwid", "t10.ATA     short\n" } },
	  "short",
	  "",
	  "",
	  "",
	  "scsi" },
	{ "a memory card",
	  "sys/devices/platform/mmc_host/mmc0/mmc0:0001/block/mmcblk0",
	  { { "sys/devices/platform/mmc_host/mmc0/mmc0:0001/name", "SD32G\n" },
	    { "sys/devices/platform/mmc_host/mmc0/mmc0:0001/serial", "0x1234abcd\n" } },
	  "SD32G",
	  "0x1234abcd",
	  "",
	  "",
	  "mmc" },
	{ "names that would steer a terminal",
	  SDA,
	  { { SCSI "/model", "bad\033[2Jdisk\a\n" }, { SCSI "/rev", "\xff\xfe\n" } },
	  "bad?[2Jdisk?",
	  "",
	  "??",
	  "",
	  "scsi" },
	{ "nothing readable", SDA, { { SDA "/size", "0\n" } }, "", "", "", "", "scsi" },
};

static void list_of(struct block_list *list, const struct machine_files *m)
{
	char real[PATH_MAX];

	assert_non_null(realpath(m->dir, real));
	block_list_init(list);
	block_list_read(list, NULL, real);
}

static void link_block(const struct machine_files *m, const char *dir)
{
	char link[PATH_MAX], target[PATH_MAX], device[PATH_MAX];

	text_format(link, sizeof(link), "sys/block/%s", strrchr(dir, '/') + 1);
	text_format(target, sizeof(target), "../../%s", dir);
	machine_link(m, link, target);
	text_format(device, sizeof(device), "%s/device", dir);
	machine_link(m, device, "../..");
}

static void identities(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(identity_cases); i++) {
		const struct identity_case *c = &identity_cases[i];
		struct disk disk = { .rotational = TRUTH_YES };
		struct machine_files m;
		struct block_list list;

		print_message("  %s\n", c->name);
		machine_make(&m);
		link_block(&m, c->dir);
		for (size_t k = 0; k < COUNT(c->attributes) && c->attributes[k].path; k++)
			machine_write(&m, c->attributes[k].path, c->attributes[k].text);
		list_of(&list, &m);
		assert_int_equal(list.n, 1);
		disk_identity_read(&disk, &list.blocks[0]);
		assert_string_equal(disk.model, c->model);
		assert_string_equal(disk.serial, c->serial);
		assert_string_equal(disk.firmware, c->firmware);
		assert_string_equal(disk.wwn, c->wwn);
		assert_string_equal(disk.transport, c->transport);
		assert_int_equal(disk.rotational, TRUTH_UNKNOWN);
		block_list_release(&list);
		machine_remove(&m);
	}
}

/* The serial number page as a disk sends it: a header, and a length that may say too much. */
static void serial_number_page(void **state)
{
	static const struct {
		const char *name;
		unsigned char bytes[20];
		size_t len;
		const char *serial;
	} cases[] = {
		{ "good", { 0, 0x80, 0, 8, ' ', ' ', 'Z', '1', 'X', '2', ' ', ' ' }, 12, "Z1X2" },
		{ "says more than there is", { 0, 0x80, 0xff, 0xff, 'Z', '1' }, 6, "Z1" },
		{ "says less", { 0, 0x80, 0, 2, 'Z', '1', 'X' }, 7, "Z1" },
		{ "another page", { 0, 0x83, 0, 2, 'Z', '1' }, 6, "" },
		{ "header alone", { 0, 0x80, 0, 2 }, 4, "" },
		{ "empty", { 0 }, 0, "" },
		{ "not text", { 0, 0x80, 0, 3, 0x1b, 'Z', 0x80 }, 7, "?Z?" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct disk disk = { .rotational = TRUTH_UNKNOWN };
		struct machine_files m;
		struct block_list list;

		print_message("  %s\n", cases[i].name);
		machine_make(&m);
		link_block(&m, SDA);
		machine_write_bytes(&m, SCSI "/vpd_pg80", cases[i].bytes, cases[i].len);
		list_of(&list, &m);
		disk_identity_read(&disk, &list.blocks[0]);
		assert_string_equal(disk.serial, cases[i].serial);
		block_list_release(&list);
		machine_remove(&m);
	}
}

/* ---- the list ---- */

static void order_of_names(void **state)
{
	static const char *const sorted[] = { "dm-2",    "dm-10",    "md0",       "md2",
					      "md10",    "nvme0n1",  "nvme0n1p2", "nvme0n1p10",
					      "nvme1n1", "nvme10n1", "sda",       "sda1",
					      "sda10",   "sdb",      "sdz",       "sdaa",
					      "sdab1",   "vda" };

	(void)state;
	for (size_t i = 0; i < COUNT(sorted); i++)
		for (size_t k = 0; k < COUNT(sorted); k++) {
			int r = block_name_compare(sorted[i], sorted[k]);

			assert_true(i < k ? r < 0 : i > k ? r > 0 : r == 0);
		}
}

static void paths_of_nvme(void **state)
{
	static const struct {
		const char *name;
		bool is_path;
	} cases[] = {
		{ "nvme0c0n1", true },  { "nvme12c10n3", true },  { "nvme0n1", false },
		{ "nvme0n1p1", false }, { "nvme0c0n1p1", false }, { "nvme0c0", false },
		{ "sda", false },       { "nvme", false },        { "", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(block_is_nvme_path(cases[i].name), cases[i].is_path);
}

/* What sysfs holds beside plain disks (corpus/diskstats 05 and 17, WISHES.md 8 and 17). */
static void what_is_listed(void **state)
{
	static const char *const names[] = { "cciss/c0d0", "cciss/c0d0p1", "hide0", "nvme0c0n1",
					     "nvme0n1",    "sda",          "sda1" };
	struct machine_files m;
	struct block_list list;

	(void)state;
	machine_make(&m);
	link_block(&m, "sys/devices/pci0/host0/target/0:0:0:0/block/sda");
	machine_write(&m, "sys/devices/pci0/host0/target/0:0:0:0/block/sda/sda1/partition", "1\n");
	machine_write(&m, "sys/devices/pci0/host0/target/0:0:0:0/block/sda/sda1x/size", "1\n");
	link_block(&m, "sys/devices/pci0/cciss0/block/cciss!c0d0");
	machine_write(&m, "sys/devices/pci0/cciss0/block/cciss!c0d0/cciss!c0d0p1/partition", "1\n");
	link_block(&m, "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1");
	link_block(&m, "sys/devices/pci1/nvme/nvme0/nvme0c0n1");
	link_block(&m, "sys/devices/virtual/block/hide0");
	machine_write(&m, "sys/devices/virtual/block/hide0/hidden", "1\n");
	link_block(&m, "sys/devices/virtual/block/bad\033[0m");
	machine_link(&m, "sys/block/out0", "/sys");
	machine_link(&m, "sys/block/gone0", "../devices/gone0");
	list_of(&list, &m);
	for (size_t i = 0; i < list.n; i++)
		print_message("  %s of '%s' at %s\n", list.blocks[i].name, list.blocks[i].parent,
			      list.blocks[i].path);
	assert_int_equal(list.n, COUNT(names));
	for (size_t i = 0; i < list.n; i++) {
		assert_string_equal(list.blocks[i].name, names[i]);
		assert_int_equal(list.blocks[i].is_hidden, i == 2 || i == 3);
		assert_ptr_equal(block_list_find(&list, names[i]), &list.blocks[i]);
	}
	assert_string_equal(list.blocks[1].parent, "cciss/c0d0");
	assert_string_equal(list.blocks[5].path,
			    "/sys/devices/pci0/host0/target/0:0:0:0/block/sda");
	assert_null(block_list_find(&list, "sdb"));
	block_list_release(&list);
	machine_remove(&m);
}

/* BUGS 39: where the kernel's busy time of multi-queue devices is no load. */
static void busy_by_kernel(void **state)
{
	static const struct {
		const char *release;
		bool mq;
		enum truth busy_is_load;
	} cases[] = {
		{ "3.9.11", true, TRUTH_UNKNOWN },   { "3.10.0-1160.el7.x86_64", true, TRUTH_NO },
		{ "3.10.0", false, TRUTH_UNKNOWN },  { "4.19.0-27-amd64", true, TRUTH_NO },
		{ "4.20", true, TRUTH_NO },          { "4.21-rc1", true, TRUTH_UNKNOWN },
		{ "5.0.0", true, TRUTH_UNKNOWN },    { "6.1.0-40-amd64", true, TRUTH_UNKNOWN },
		{ "nonsense", true, TRUTH_UNKNOWN }, { "4.x", true, TRUTH_UNKNOWN },
		{ "", true, TRUTH_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct machine_files m;
		struct provider *p;
		struct topology t;

		print_message("  %s\n", cases[i].release);
		machine_make(&m);
		link_block(&m, "sys/devices/pci1/nvme/nvme0/nvme0n1");
		machine_write(&m, "sys/devices/pci1/nvme/nvme0/nvme0n1/size", "8\n");
		machine_write(&m, "proc/sys/kernel/osrelease", cases[i].release);
		if (cases[i].mq)
			machine_write(&m, "sys/devices/pci1/nvme/nvme0/nvme0n1/mq/0/cpu_list", "0");
		p = machine_provider(&m);
		machine_survey(p, &t);
		assert_int_equal(t.n_devices, 1);
		assert_int_equal(t.devices[0]->busy_is_load, cases[i].busy_is_load);
		topology_release(&t);
		provider_free(p);
		machine_remove(&m);
	}
}

/* A namespace with several controllers hangs on their subsystem; the first one has the sensor. */
static void controller_of_a_subsystem(void **state)
{
	struct machine_files m;
	struct block_list list;

	(void)state;
	machine_make(&m);
	machine_link(&m, "sys/block/nvme0n1",
		     "../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1");
	machine_write(&m, "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/size", "8\n");
	machine_link(&m, "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/device",
		     "../../nvme-subsys0");
	machine_link(&m, "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme10",
		     "../../../pci1/nvme/nvme10");
	machine_link(&m, "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme2",
		     "../../../pci0/nvme/nvme2");
	machine_write(&m, "sys/devices/pci0/nvme/nvme2/model", "M\n");
	machine_write(&m, "sys/devices/pci1/nvme/nvme10/model", "M\n");
	list_of(&list, &m);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.blocks[0].device, "/sys/devices/pci0/nvme/nvme2");
	block_list_release(&list);
	machine_remove(&m);
}

/* A machine without any disk, without sysfs, without anything. */
static void nothing_at_all(void **state)
{
	struct machine_files m;
	struct provider *p;
	struct topology t;
	struct snapshot s;

	(void)state;
	machine_make(&m);
	p = machine_provider(&m);
	machine_survey(p, &t);
	assert_int_equal(t.n_devices, 0);
	assert_string_equal(t.host, "");
	snapshot_init(&s);
	assert_int_equal(p->ops->sample(p, &t, &s), 0);
	assert_int_equal(s.n_devices, 0);
	snapshot_release(&s);
	topology_release(&t);
	provider_free(p);
	machine_remove(&m);
}

static void root_that_is_not_there(void **state)
{
	struct provider_options options = { .root = "/nonexistent/machine" };
	struct provider *p = NULL;
	char why[256] = "";

	(void)state;
	assert_int_not_equal(provider_system_new(&options, &p, why, sizeof(why)), 0);
	assert_null(p);
	assert_non_null(strstr(why, "/nonexistent/machine"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transports),
		cmocka_unit_test(escapes_of_udev),
		cmocka_unit_test(identities),
		cmocka_unit_test(serial_number_page),
		cmocka_unit_test(order_of_names),
		cmocka_unit_test(paths_of_nvme),
		cmocka_unit_test(what_is_listed),
		cmocka_unit_test(busy_by_kernel),
		cmocka_unit_test(controller_of_a_subsystem),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(root_that_is_not_there),
	};

	return cmocka_run_group_tests_name("linux disks", tests, NULL, NULL);
}
