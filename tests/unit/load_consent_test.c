/*
 * Devices that have a serial number, as a made-up /sys says: what a person must type before one is
 * overwritten, and what becomes of it when another disk takes its place between check and open.
 */
#include "load_support.h"

#include <sys/sysmacros.h>

#include "load/safety.h"
#include "loop_device.h"
#include "machine_files.h"
#include "raidtop/consent.h"

static const struct workload writer = { .name = "seq-write", .writes = true };

struct scene {
	struct loop_device loop;
	struct machine_files machine;
	struct stream_spec spec;
	struct place place;
	struct safety_case c;
};

static void scene_write(const struct scene *s, const char *attribute, const char *text)
{
	char path[128];

	text_format(path, sizeof(path), "sys/dev/block/%u:%u/%s", major(s->loop.number),
		    minor(s->loop.number), attribute);
	machine_write(&s->machine, path, text);
}

static void scene_make(struct scene *s)
{
	char number[32], seq[32];
	int path_fd;

	*s = (struct scene){ .place = PLACE_INIT };
	loop_take(&s->loop, test_dir);
	machine_make(&s->machine);
	text_format(number, sizeof(number), "%u:%u\n", major(s->loop.number),
		    minor(s->loop.number));
	text_format(seq, sizeof(seq), "%llu\n",
		    (unsigned long long)safety_diskseq("", s->loop.number));
	scene_write(s, "dev", number);
	scene_write(s, "diskseq", seq);
	scene_write(s, "serial", "  WD-WX12345 \n");
	scene_write(s, "holders/.keep", "");
	machine_write(&s->machine, "proc/self/mountinfo", "");
	machine_write(&s->machine, "proc/swaps", "");
	s->spec = write_to(s->loop.path);
	s->c = (struct safety_case){ .spec = &s->spec,
				     .workload = &writer,
				     .kind = SHARED_TARGET_DEVICE,
				     .place = &s->place,
				     .fd = -1,
				     .root = s->machine.dir };
	text_copy(s->c.resolved, sizeof(s->c.resolved), s->loop.path);
	path_fd = open(s->loop.path, O_PATH | O_CLOEXEC);
	assert_int_equal(fstat(path_fd, &s->c.st), 0);
	assert_int_equal(place_find(&s->place, path_fd, s->machine.dir), 0);
	close(path_fd);
	s->c.diskseq = safety_diskseq(s->machine.dir, s->loop.number);
}

static void scene_end(struct scene *s)
{
	consent_set_ask(NULL, NULL);
	place_release(&s->place);
	machine_remove(&s->machine);
	loop_remove(&s->loop);
}

struct typist {
	const char *types;
	int r;
	char question[512];
	unsigned int asked;
};

static int type_answer(void *context, const char *question, char *answer, size_t size)
{
	struct typist *t = context;

	t->asked++;
	text_copy(t->question, sizeof(t->question), question);
	text_copy(answer, size, t->types);
	return t->r;
}

static void the_serial_must_be_typed(void **state)
{
	static const struct {
		const char *types;
		int r, wanted;
		const char *says;
	} cases[] = {
		{ "WD-WX12345", 0, 0, "" },
		{ " WD-WX12345\t", 0, 0, "" },
		{ "WD-WX1234", 0, -EPERM, "that is not the serial number" },
		{ "WD-WX123456", 0, -EPERM, "that is not the serial number" },
		{ "wd-wx12345", 0, -EPERM, "that is not the serial number" },
		{ "", 0, -EPERM, "that is not the serial number" },
		{ "yes", 0, -EPERM, "that is not the serial number" },
		{ "WD-WX12345", -ENOTTY, -ENOTTY, "use a terminal" },
		{ "WD-WX12345", -EINTR, -EINTR, "nothing was typed" },
	};
	struct scene s;

	(void)state;
	scene_make(&s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct typist typist = { .types = cases[i].types, .r = cases[i].r };
		uint64_t before = loop_sum(&s.loop);
		char why[160] = "";

		print_message("  '%s' %d\n", cases[i].types, cases[i].r);
		consent_set_ask(type_answer, &typist);
		assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), cases[i].wanted);
		assert_in(why, cases[i].says);
		assert_int_equal(typist.asked, 1);
		assert_in(typist.question, "will be overwritten");
		assert_null(strstr(typist.question, "WX12345"));
		assert_int_equal(loop_sum(&s.loop), before);
		assert_int_equal(s.c.fd >= 0, cases[i].wanted == 0);
		if (s.c.fd >= 0)
			close(s.c.fd);
		s.c.fd = -1;
	}
	scene_end(&s);
}

/* What comes of it is one descriptor, which keeps all others out. */
static void the_descriptor_is_exclusive(void **state)
{
	struct typist typist = { .types = "WD-WX12345" };
	struct scene s;
	char why[160] = "";

	(void)state;
	scene_make(&s);
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ENOTTY);
	consent_set_ask(type_answer, &typist);
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), 0);
	assert_int_equal(fcntl(s.c.fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDWR);
	assert_int_equal(fcntl(s.c.fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(open(s.loop.path, O_RDWR | O_EXCL), -1);
	assert_int_equal(errno, EBUSY);
	close(s.c.fd);
	scene_end(&s);
}

static void serials_that_are_none(void **state)
{
	static const char *const serials[] = { "\n", "0000000000\n", "   \n", "0x0\n" };
	struct scene s;

	(void)state;
	scene_make(&s);
	for (size_t i = 0; i < sizeof(serials) / sizeof(serials[0]); i++) {
		char why[160] = "";

		scene_write(&s, "serial", serials[i]);
		assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ENOTUNIQ);
		assert_in(why, "has no serial number, WWN or UUID");
	}
	scene_end(&s);
}

static void what_holds_it(void **state)
{
	static const struct {
		const char *path, *text, *says;
	} cases[] = {
		{ "holders/md7/dev", "9:7\n", "is a part of md7" },
		{ "holders/dm-2/dm/name", "vg-data\n", "is a part of vg-data" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene s;
		char why[160] = "";

		scene_make(&s);
		scene_write(&s, cases[i].path, cases[i].text);
		assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -EBUSY);
		assert_in(why, cases[i].says);
		scene_end(&s);
	}
}

/* What cannot be judged refuses. */
static void no_sysfs(void **state)
{
	struct scene s;
	char why[160] = "", path[128];

	(void)state;
	scene_make(&s);
	text_format(path, sizeof(path), "sys/dev/block/%u:%u/holders", major(s.loop.number),
		    minor(s.loop.number));
	machine_delete(&s.machine, path);
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ENOENT);
	assert_in(why, "cannot be told");
	machine_delete(&s.machine, "proc");
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ENOENT);
	machine_delete(&s.machine, "sys");
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ENOENT);
	scene_end(&s);
}

/* ---- races ---- */

/* The node is another one when it is opened: the very race of names. */
static void another_node_behind_the_name(void **state)
{
	struct typist typist = { .types = "WD-WX12345" };
	struct loop_device victim;
	struct scene s;
	uint64_t before;
	char why[160] = "", node[128];

	(void)state;
	scene_make(&s);
	loop_take(&victim, test_dir);
	before = loop_sum(&victim);
	consent_set_ask(type_answer, &typist);
	test_path(node, sizeof(node), "node");
	if (mknod(node, S_IFBLK | 0600, s.loop.number) < 0)
		fail_msg("mknod: %s", strerror(errno));
	assert_int_equal(stat(node, &s.c.st), 0);
	text_copy(s.c.resolved, sizeof(s.c.resolved), node);
	unlink(node);
	assert_int_equal(mknod(node, S_IFBLK | 0600, victim.number), 0);
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ESTALE);
	assert_in(why, "is no longer the device that was checked");
	unlink(node);
	assert_int_equal(symlink(victim.path, node), 0);
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ELOOP);
	assert_in(why, "cannot be opened");
	unlink(node);
	assert_int_equal(loop_sum(&victim), before);
	assert_int_equal(typist.asked, 0);
	loop_remove(&victim);
	scene_end(&s);
}

/* The same node and number, but another disk was plugged in. */
static void another_disk_behind_the_node(void **state)
{
	struct typist typist = { .types = "WD-WX12345" };
	struct scene s;
	char why[160] = "";

	(void)state;
	scene_make(&s);
	if (s.c.diskseq == UNKNOWN_U64) {
		scene_end(&s);
		print_message("skipped: this kernel does not count disks\n");
		skip();
	}
	consent_set_ask(type_answer, &typist);
	loop_renew(&s.loop);
	assert_int_equal(safety_open_for_writing(&s.c, why, sizeof(why)), -ESTALE);
	assert_in(why, "is no longer the disk that was checked");
	assert_int_equal(typist.asked, 0);
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_serial_must_be_typed),
		cmocka_unit_test(the_descriptor_is_exclusive),
		cmocka_unit_test(serials_that_are_none),
		cmocka_unit_test(what_holds_it),
		cmocka_unit_test(no_sysfs),
		cmocka_unit_test(another_node_behind_the_name),
		cmocka_unit_test(another_disk_behind_the_node),
	};

	return cmocka_run_group_tests_name("load_consent", tests, make_test_dir, remove_test_dir);
}
