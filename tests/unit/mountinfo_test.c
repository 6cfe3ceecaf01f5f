/* Which mount a path lies in, and damaged tables of mounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "provider/linux/mountinfo.h"

static const char table[] =
	"22 27 0:20 / /proc rw,relatime shared:12 - proc proc rw\n"
	"27 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw,errors=remount-ro\n"
	"30 27 253:1 / /srv rw shared:2 master:7 - xfs /dev/mapper/vg-srv rw\n"
	"31 27 0:45 /@home /home rw - btrfs /dev/sdb1 rw,subvol=/@home\n"
	"32 27 8:33 / /mnt/a\\040b\\134c rw - ext4 /dev/sd\\040c1 rw\n"
	"33 27 8:49 / /twice rw - ext4 /dev/sdd1 rw\n"
	"34 33 8:65 / /twice rw - ext4 /dev/sde1 rw\n"
	"35 27 0:50 / /nosource rw -\n"
	"36 27 8:81 / /nodash rw ext4 /dev/sdf1 rw\n"
	"37 27 8x81 / /nonumber rw - ext4 /dev/sdf1 rw\n"
	"38 27 8:97\n"
	"\n"
	"39 27 8:98 / /bad\\0 rw - ext4 /dev/sdg1 rw\n"
	"40 27 0:51 / /last rw - tmpfs tmpfs";

static const struct mount_case {
	const char *path;
	bool found;
	uint32_t major, minor;
	const char *source;
} cases[] = {
	{ "/var/disk.img", true, 8, 2, "/dev/sda2" },
	{ "/srv", true, 253, 1, "/dev/mapper/vg-srv" },
	{ "/srv/vm/disk.img (deleted)", true, 253, 1, "/dev/mapper/vg-srv" },
	{ "/srv2/disk.img", true, 8, 2, "/dev/sda2" },
	{ "/home/me/x", true, 0, 45, "/dev/sdb1" },
	{ "/mnt/a b\\c/x", true, 8, 33, "/dev/sd c1" },
	{ "/twice/x", true, 8, 65, "/dev/sde1" },
	{ "/nosource/x", true, 0, 50, "" },
	{ "/nodash/x", true, 8, 2, "/dev/sda2" },
	{ "/nonumber/x", true, 8, 2, "/dev/sda2" },
	{ "/last/x", true, 0, 51, "tmpfs" },
	{ "disk.img", false, 0, 0, "" },
	{ "", false, 0, 0, "" },
};

static void which_mount(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct mount_case *c = &cases[i];
		struct mountinfo_mount m;

		print_message("  %s\n", c->path);
		assert_int_equal(mountinfo_find(table, strlen(table), c->path, &m), c->found);
		if (!c->found)
			continue;
		assert_int_equal(m.major, c->major);
		assert_int_equal(m.minor, c->minor);
		assert_string_equal(m.source, c->source);
	}
}

/* Cut anywhere, it is a table of fewer mounts. */
static void any_part_of_a_table(void **state)
{
	struct mountinfo_mount m;
	size_t found = 0;

	(void)state;
	for (size_t len = 0; len <= strlen(table); len++)
		found += mountinfo_find(table, len, "/srv/x", &m);
	assert_true(found > 0 && found <= strlen(table));
	assert_false(mountinfo_find(table, 0, "/srv/x", &m));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_mount),
		cmocka_unit_test(any_part_of_a_table),
	};

	return cmocka_run_group_tests_name("mountinfo", tests, NULL, NULL);
}
