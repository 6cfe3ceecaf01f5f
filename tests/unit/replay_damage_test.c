/*
 * Recordings as they come: torn, damaged, joined, edited, made by other programs, or no
 * recordings at all. What cannot be read is told or counted, and the rest is shown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/clock.h"
#include "recording_support.h"

/* ---- what is refused ---- */

#define HEADER "kind,elapsed_s,name,state,key,value,read_bytes\n"

static const struct refusal {
	const char *name;
	const char *text;
	int r;
	const char *says;
} refusals[] = {
	{ "empty", "", -ENODATA, "is empty: nothing was recorded" },
	{ "one line of prose", "Dear diary\n", -EBADMSG, "is not a recording of raidtop" },
	{ "without a line feed", "Dear diary", -EBADMSG, "is not a recording of raidtop" },
	{ "another table", "Device,r/s,w/s\nsda,1,2\n", -EBADMSG, "is not a recording of raidtop" },
	{ "gzip", "\x1f\x8b\x08", -EBADMSG, "is compressed: unpack it first, with gunzip" },
	{ "zstd", "\x28\xb5\x2f\xfd\x04", -EBADMSG, "is compressed: unpack it first, with zstd" },
	{ "a header alone", HEADER, -ENODATA, "holds no whole line of a recording (yet)" },
	{ "a header and rubbish", HEADER "a,b\n\n", -ENODATA, "holds no whole line" },
	{ "a torn first line", HEADER "session,0,,,for", -ENODATA, "holds no whole line" },
	{ "a torn first tick",
	  HEADER "session,0,,,format,1,\ndevice,0,a,present,device_kind,disk,\n", -ENODATA,
	  "holds no whole tick of a recording (yet)" },
	{ "a newer format", HEADER "session,0,,,format,2,\nsample,0,a,,,,5\n", -EPROTO,
	  "was written by a newer raidtop (format 2); this one reads format 1" },
};

static void assert_refused(const char *path, int r, const char *says)
{
	struct provider *provider;
	char why[256] = "";

	assert_int_equal(provider_replay_new(path, &provider, why, sizeof(why)), r);
	assert_int_equal(strncmp(why, path, strlen(path)), 0);
	if (!strstr(why, says))
		fail_msg("%s", why);
}

static void what_is_no_recording_is_told(void **state)
{
	const char *path = scratch_path("refused.csv");

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		print_message("  %s\n", refusals[i].name);
		write_whole(path, refusals[i].text, strlen(refusals[i].text));
		assert_refused(path, refusals[i].r, refusals[i].says);
	}
	unlink(path);
	assert_refused(path, -ENOENT, "cannot be opened: No such file or directory");
	assert_refused("/tmp", -EISDIR, "is a directory, not a recording");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(path, -ESPIPE, "is no regular file: a replay goes back and forth");
	unlink(path);
}

static void standard_input_is_told(void **state)
{
	struct provider *provider;
	char why[256] = "";

	(void)state;
	assert_int_equal(provider_replay_new("-", &provider, why, sizeof(why)), -ESPIPE);
	assert_int_equal(strncmp(why, "standard input cannot be replayed: ", 35), 0);
}

/* ---- what is read all the same ---- */

/* What a whole replay comes to: `t` for a tick, then each device with its bytes or `-`. */
static void outline(struct buffer *out, const char *path, struct replay_position *ret)
{
	struct player p;

	player_open(&p, path);
	while (player_step(&p) == 0) {
		buffer_format(out, "t%" PRIu64 "%s", (uint64_t)(p.tick->elapsed_us / US_PER_SEC),
			      p.tick->gap == GAP_NONE ? "" : "!");
		for (size_t i = 0; i < p.topology.n_devices; i++) {
			const struct counters *c = &p.tick->devices[i].totals;

			if (!p.topology.devices[i]->present)
				continue;
			buffer_format(out, " %s=", p.topology.devices[i]->name);
			if (counters_has(c, COUNTER_READ_BYTES))
				buffer_format(out, "%" PRIu64, c->value[COUNTER_READ_BYTES]);
			else
				buffer_add_char(out, '-');
		}
		buffer_add_char(out, '\n');
	}
	*ret = p.at;
	player_close(&p);
}

#define BEGIN "session,0,,,format,1,\n"
#define DISK_A "device,0,a,present,device_kind,disk,\n"
#define DISK_B "device,0,b,present,device_kind,disk,\n"
#define SAMPLE_A(second, bytes) "sample," second ",a,,,," bytes "\n"
#define SAMPLE_B(second, bytes) "sample," second ",b,,,," bytes "\n"

static const struct oddity {
	const char *name;
	const char *text;
	const char *outline;
	uint64_t damaged, unknown; /* damaged: one for the header where a format is told */
} oddities[] = {
	{ "the least", HEADER DISK_A SAMPLE_A("0", "1") SAMPLE_A("1", "2"), "t0! a=1\nt1 a=2\n", 0,
	  0 },
	{ "columns are missing though the format is told", HEADER BEGIN DISK_A SAMPLE_A("0", "1"),
	  "t0! a=1\n", 1, 0 },
	{ "kinds and columns of tomorrow",
	  "new,kind,elapsed_s,name,state,key,value,read_bytes,newer\n"
	  ",device,0,a,present,device_kind,disk,,\n5,smell,0,a,,,,,6\n7,sample,0,a,,,,1,8\n",
	  "t0! a=1\n", 0, 1 },
	{ "keys and events of tomorrow",
	  HEADER DISK_A "fact,0,a,,colour,red,\nfact,0,,,weather,rain,\nevent,0,a,,sneezed,,\n"
			"session,0,,,mood,good,\nlink,0,a,,mate,b,\n" SAMPLE_A("0", "1"),
	  "t0! a=1\n", 1, 1 },
	{ "CRLF",
	  "kind,elapsed_s,name,state,key,value,read_bytes\r\n"
	  "device,0,a,present,device_kind,disk,\r\nsample,0,a,,,,1\r\n",
	  "t0! a=1\n", 0, 0 },
	{ "all quoted",
	  "\"kind\",\"elapsed_s\",\"name\",\"state\",\"key\",\"value\",\"read_bytes\"\n"
	  "\"device\",\"0\",\"a,\"\"b\",\"present\",\"device_kind\",\"disk\",\"\"\n"
	  "\"sample\",\"0\",\"a,\"\"b\",\"\",\"\",\"\",\"1\"\n",
	  "t0! a,\"b=1\n", 0, 0 },
	{ "line feeds in quotes",
	  HEADER DISK_A "mark,0,,,,\"one\ntwo\n\"\"three\"\"\n\",\n" SAMPLE_A("0", "1")
		  SAMPLE_A("1", "2"),
	  "t0! a=1\nt1 a=2\n", 0, 0 },
	{ "a quote that nobody closes",
	  HEADER DISK_A "mark,0,,,,\"one,\n" SAMPLE_A("0", "1") SAMPLE_A("1", "2"),
	  "t0! a=1\nt1 a=2\n", 1, 0 },
	{ "two such quotes",
	  HEADER DISK_A
	  "mark,0,,,,\"one,\n" SAMPLE_A("0", "1") "mark,1,,,,\"one,\n" SAMPLE_A("1", "2"),
	  "t0! a=1\nt1 a=2\n", 2, 0 },
	{ "rubbish in the middle",
	  HEADER DISK_A SAMPLE_A("0", "1") "\xff\xfe\n\n,,\n" SAMPLE_A("1", "2"),
	  "t0! a=1\nt1 a=2\n", 3, 0 },
	{ "a torn last line", HEADER DISK_A SAMPLE_A("0", "1") "sample,1,a,,,,", "t0! a=1\n", 1,
	  0 },
	{ "a last tick that is not whole",
	  HEADER DISK_A DISK_B SAMPLE_A("0", "1") SAMPLE_B("0", "1") SAMPLE_A("1", "2"),
	  "t0! a=1 b=1\n", 1, 0 },
	{ "a sample is missing in the middle",
	  HEADER DISK_A DISK_B SAMPLE_A("0", "1") SAMPLE_B("0", "1") SAMPLE_A("1", "2")
		  SAMPLE_A("2", "3") SAMPLE_B("2", "3"),
	  "t0! a=1 b=1\nt1 a=2 b=-\nt2 a=3 b=3\n", 0, 0 },
	{ "a sample twice", HEADER DISK_A SAMPLE_A("0", "1") SAMPLE_A("0", "9"), "t0! a=1\n", 1,
	  0 },
	{ "a sample of nobody", HEADER DISK_A SAMPLE_A("0", "1") SAMPLE_B("0", "9"), "t0! a=1\n", 1,
	  0 },
	{ "a counter that is no number",
	  HEADER DISK_A SAMPLE_A("0", "1") SAMPLE_A("1", "1x") SAMPLE_A("2", "3"),
	  "t0! a=1\nt1 a=-\nt2 a=3\n", 1, 0 },
	{ "a time of one line is damaged: in its tick",
	  HEADER DISK_A DISK_B SAMPLE_A("0", "1") SAMPLE_B("0", "1") SAMPLE_A("71", "2")
		  SAMPLE_B("1", "2") SAMPLE_A("2", "3") SAMPLE_B("2", "3"),
	  "t0! a=1 b=1\nt1 a=- b=2\nt2 a=3 b=3\n", 1, 0 },
	{ "a time of one line is damaged: at the end of its tick",
	  HEADER DISK_A DISK_B SAMPLE_A("0", "1") SAMPLE_B("0", "1") SAMPLE_A("1", "2")
		  SAMPLE_B("71", "2") SAMPLE_A("2", "3") SAMPLE_B("2", "3"),
	  "t0! a=1 b=1\nt1 a=2 b=-\nt2 a=3 b=3\n", 1, 0 },
	{ "a time of one line is damaged: to that of the tick before",
	  HEADER DISK_A DISK_B SAMPLE_A("0", "1") SAMPLE_B("0", "1") SAMPLE_A("1", "2")
		  SAMPLE_B("0", "2") SAMPLE_A("2", "3") SAMPLE_B("2", "3"),
	  "t0! a=1 b=1\nt2 a=3 b=3\n", 2, 0 },
	{ "a time of one line is damaged: the very first",
	  HEADER "mark,9,,,,,\n" DISK_A SAMPLE_A("0", "1") SAMPLE_A("1", "2"), "t0! a=1\nt1 a=2\n",
	  1, 0 },
	{ "time begins anew, and nobody says why",
	  HEADER DISK_A DISK_B SAMPLE_A("5", "1") SAMPLE_B("5", "1") SAMPLE_A("1", "2")
		  SAMPLE_B("1", "2"),
	  "t0! a=- b=-\nt5 a=1 b=1\nt1! a=2 b=2\n", 1, 0 },
	{ "a device that goes and comes",
	  HEADER DISK_A SAMPLE_A(
		  "0",
		  "1") "device,1,a,gone,,,\ndevice,2,a,present,device_kind,disk,\n" SAMPLE_A("2",
											     "3"),
	  "t0! a=1\nt1\nt2 a=3\n", 0, 0 },
	{ "a device without a kind", HEADER "device,0,a,present,,,\n" SAMPLE_A("0", "1"), "t0!\n",
	  2, 0 },
	{ "a device that is of no kind",
	  HEADER "device,0,a,present,device_kind,cloud,\n" SAMPLE_A("0", "1"), "t0!\n", 2, 0 },
	{ "a device that nothing says is there", HEADER "device,0,a,,device_kind,disk,\n", "t0!\n",
	  1, 0 },
	{ "facts of nobody", HEADER "fact,0,q,,model,x,\n" DISK_A SAMPLE_A("0", "1"), "t0! a=1\n",
	  1, 0 },
	{ "facts that are none",
	  HEADER DISK_A
	  "fact,0,a,,size_bytes,much,\nfact,0,a,,name,b,\nfact,0,a,,device_kind,array,\n"
	  "fact,0,a,,level,raid5,\n" SAMPLE_A("0", "1"),
	  "t0! a=1\n", 4, 0 },
	{ "links that are none",
	  HEADER DISK_A "link,0,a,,slot,0,\ndevice,0,m,present,device_kind,array,\n"
			"link,0,a,,role,0,\nlink,0,a,in_sync,slot,0,\n" SAMPLE_A("0", "1"),
	  "t0! a=1 m=-\n", 3, 0 },
};

static void oddities_are_taken_or_counted(void **state)
{
	const char *path = scratch_path("odd.csv");

	(void)state;
	for (size_t i = 0; i < sizeof(oddities) / sizeof(oddities[0]); i++) {
		const struct oddity *o = &oddities[i];
		struct buffer out = BUFFER_INIT;
		struct replay_position at;

		print_message("  %s\n", o->name);
		write_whole(path, o->text, strlen(o->text));
		outline(&out, path, &at);
		assert_string_equal(buffer_text(&out), o->outline);
		assert_int_equal(at.damaged_lines, o->damaged);
		assert_int_equal(at.unknown_lines, o->unknown);
		buffer_release(&out);
	}
	unlink(path);
}

static int make(void **state)
{
	(void)state;
	scratch_make();
	return 0;
}

static int clean(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_recording_is_told),
		cmocka_unit_test(standard_input_is_told),
		cmocka_unit_test(oddities_are_taken_or_counted),
	};

	return cmocka_run_group_tests_name("replay of damage", tests, make, clean);
}
