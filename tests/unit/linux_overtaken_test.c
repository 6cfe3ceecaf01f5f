/*
 * Devices that change while a survey reads them: the list has been made, and then another disk
 * takes the name. The survey reads the array's members through opendir(), which stands here before
 * the C library's and lets things happen at that moment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "machine_raid1.h"
#include "raidtop/text.h"

static struct raid1_machine machine;
static int changes; /* that are still to come, one each time */
static int diskseq;

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

static void replace_disk(void)
{
	char text[32];

	diskseq++;
	text_format(text, sizeof(text), "%d\n", diskseq);
	machine_write(&machine.files, VIRTUAL "/vda/diskseq", text);
	text_format(text, sizeof(text), "DISK%d\n", diskseq);
	machine_write(&machine.files, VIRTUAL "/vda/serial", text);
}

DIR *opendir(const char *name)
{
	int fd;

	if (changes > 0 && ends_with(name, "/md0/md")) {
		changes--;
		replace_disk();
	}
	fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? NULL : fdopendir(fd);
}

static void number_disk(const struct machine_files *m)
{
	machine_write(m, VIRTUAL "/vda/diskseq", "1\n");
	machine_write(m, VIRTUAL "/vda/serial", "DISK1\n");
}

static const struct device *disk(void)
{
	int slot = topology_find(&machine.held, "vda");

	assert_int_not_equal(slot, NO_SLOT);
	return machine.held.devices[slot];
}

static const struct overtaken_case {
	const char *name;
	int changes;
	bool is_settled; /* the survey has caught up with them */
} cases[] = {
	{ "nothing", 0, true },
	{ "replaced once", 1, true },
	{ "replaced twice", 2, true },
	{ "replaced again and again", 3, false },
};

static void who_is_told_is_who_is_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char serial[32];

		print_message("  %s\n", cases[i].name);
		diskseq = 1;
		raid1_init(&machine, number_disk);
		changes = cases[i].changes;
		raid1_survey(&machine);
		assert_int_equal(changes, 0);
		assert_int_equal(raid1_is_dirty(&machine), !cases[i].is_settled);
		if (!cases[i].is_settled) /* the next tick's */
			raid1_survey(&machine);
		assert_false(raid1_is_dirty(&machine));
		text_format(serial, sizeof(serial), "DISK%d", diskseq);
		assert_string_equal(disk()->disk.serial, serial);
		assert_int_equal(disk()->diskseq, diskseq);
		assert_string_equal(disk()->name, cases[i].changes == 0 ? "vda"
						  : cases[i].is_settled ? "vda#2"
									: "vda#3");
		raid1_release(&machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(who_is_told_is_who_is_there) };

	return cmocka_run_group_tests_name("surveys that are overtaken", tests, NULL, NULL);
}
