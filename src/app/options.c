/*
 * Each option is one line of a table: its names, its argument, what it does and what the help
 * says. The table feeds getopt_long and --help alike. Options that contradict each other are
 * refused here, so that no mode has to guess what was meant.
 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "raidtop/clock.h"
#include "raidtop/stream_spec.h"
#include "say.h"

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const uint64_t interval_min_ns = 100 * NS_PER_MS;
static const uint64_t interval_max_ns = 60 * NS_PER_SEC;
/* Each reading can keep a drive from sleeping, or warm it. */
static const uint64_t temperature_default_ns = 10 * NS_PER_SEC;
static const uint64_t temperature_max_ns = 24 * 3600 * NS_PER_SEC;

struct option_spec {
	char letter; /* 0: long only */
	const char *name;
	const char *argument; /* NULL: none */
	int (*take)(struct options *o, const char *value);
	const char *help;
};

static int refuse(const char *name, const char *value, const char *what)
{
	say("--%s: '%s' is %s", name, value, what);
	return STATUS_USAGE;
}

static int take_interval(struct options *o, const char *value)
{
	if (units_parse_duration(value, &o->interval_ns) < 0 || o->interval_ns < interval_min_ns ||
	    o->interval_ns > interval_max_ns)
		return refuse("interval", value,
			      "no interval; give 0.1 to 60 seconds, as in -i 0.5 or -i 2s");
	return 0;
}

static int take_duration(struct options *o, const char *value)
{
	if (units_parse_duration(value, &o->duration_ns) < 0 || o->duration_ns == 0)
		return refuse("duration", value, "no duration; give for instance 30s, 5m or 1h");
	return 0;
}

static int take_temperatures(struct options *o, const char *value)
{
	if (units_parse_duration(value, &o->temperature_ns) < 0 ||
	    (o->temperature_ns != 0 && o->temperature_ns < NS_PER_SEC) ||
	    o->temperature_ns > temperature_max_ns)
		return refuse("temperatures", value,
			      "no time between readings; give 1s to 24h, or 0 for never");
	return 0;
}

static int take_units(struct options *o, const char *value)
{
	if (units_parse(value, &o->units) < 0)
		return refuse("units", value, "neither si (MB/s) nor iec (MiB/s)");
	return 0;
}

static int take_colours(struct options *o, const char *value)
{
	static const struct {
		const char *name;
		enum colour_mode mode;
	} modes[] = {
		{ "auto", COLOUR_AUTO }, { "none", COLOUR_NONE }, { "8", COLOUR_8 },
		{ "16", COLOUR_16 },     { "256", COLOUR_256 },   { "true", COLOUR_TRUE },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(modes); i++) {
		if (strcmp(value, modes[i].name) == 0) {
			o->colours = modes[i].mode;
			return 0;
		}
	}
	return refuse("colours", value, "none of auto, none, 8, 16, 256, true");
}

static int take_root(struct options *o, const char *value)
{
	if (value[0] == '\0')
		return refuse("root", value, "empty; name the directory that holds proc and sys");
	o->root = value;
	return 0;
}

static int take_record(struct options *o, const char *value)
{
	if (value[0] == '\0')
		return refuse("record", value, "empty; name a file, or - for standard output");
	o->record = value;
	if (o->mode != MODE_LOAD)
		o->mode = MODE_RECORD;
	return 0;
}

static int take_stream(struct options *o, const char *value)
{
	struct stream_spec spec;
	char why[512];

	if (stream_spec_parse(value, &spec, why, sizeof(why)) < 0) {
		say("--stream: %s", why);
		return STATUS_USAGE;
	}
	if (o->n_streams == OPTIONS_STREAMS_MAX) {
		say("--stream is given more than %d times", OPTIONS_STREAMS_MAX);
		return STATUS_USAGE;
	}
	o->streams[o->n_streams++] = value;
	o->mode = MODE_LOAD;
	return 0;
}

static int take_clean(struct options *o, const char *value)
{
	if (value[0] == '\0')
		return refuse("clean", value, "empty; name the directory that streams ran in");
	o->clean = value;
	o->mode = MODE_CLEAN;
	return 0;
}

static int take_allow_degraded(struct options *o, const char *value)
{
	(void)value;
	o->allow_degraded = true;
	return 0;
}

/* Of what the name is the name is found out by the rules that it is for. */
static int take_name(const char **ret, const char *option, const char *value)
{
	if (value[0] == '\0' || strlen(value) >= STREAM_TARGET_BYTES)
		return refuse(option, value, "no name of a device");
	*ret = value;
	return 0;
}

static int take_allow_raw_write(struct options *o, const char *value)
{
	return take_name(&o->allow_raw_write, "allow-raw-write", value);
}

static int take_allow_raw_overwrite(struct options *o, const char *value)
{
	return take_name(&o->allow_raw_overwrite, "allow-raw-overwrite", value);
}

static int take_allow_thin_write(struct options *o, const char *value)
{
	return take_name(&o->allow_thin_write, "allow-thin-write", value);
}

static int take_list(struct options *o, const char *value)
{
	(void)value;
	o->mode = MODE_LIST;
	return 0;
}

static int take_replay(struct options *o, const char *value)
{
	(void)value;
	o->mode = MODE_REPLAY;
	return 0;
}

static int take_demo(struct options *o, const char *value)
{
	(void)value;
	o->mode = MODE_DEMO;
	return 0;
}

static int take_json(struct options *o, const char *value)
{
	(void)value;
	o->json = true;
	return 0;
}

static int take_force(struct options *o, const char *value)
{
	(void)value;
	o->force = true;
	return 0;
}

static int take_all(struct options *o, const char *value)
{
	(void)value;
	o->show_all = true;
	return 0;
}

static int take_ascii(struct options *o, const char *value)
{
	(void)value;
	o->ascii = true;
	return 0;
}

static int take_help(struct options *o, const char *value)
{
	(void)value;
	o->mode = MODE_HELP;
	return 0;
}

static int take_version(struct options *o, const char *value)
{
	(void)value;
	o->mode = MODE_VERSION;
	return 0;
}

enum option_row {
	ROW_INTERVAL,
	ROW_LIST,
	ROW_JSON,
	ROW_RECORD,
	ROW_FORCE,
	ROW_DURATION,
	ROW_STREAM,
	ROW_CLEAN,
	ROW_ALLOW_DEGRADED,
	ROW_ALLOW_RAW_WRITE,
	ROW_ALLOW_RAW_OVERWRITE,
	ROW_ALLOW_THIN_WRITE,
	ROW_REPLAY,
	ROW_DEMO,
	ROW_ROOT,
	ROW_ALL,
	ROW_TEMPERATURES,
	ROW_UNITS,
	ROW_COLOURS,
	ROW_ASCII,
	ROW_HELP,
	ROW_VERSION,
	ROW_COUNT,
};

static const struct option_spec specs[ROW_COUNT] = {
	[ROW_INTERVAL] = { 'i', "interval", "TIME", take_interval,
			   "time between two looks, 0.1 to 60 s (1s)" },
	[ROW_LIST] = { 'l', "list", NULL, take_list, "print arrays, members and disks, and end" },
	[ROW_JSON] = { 0, "json", NULL, take_json, "with --list or --stream: as one JSON object" },
	[ROW_RECORD] = { 0, "record", "FILE", take_record,
			 "record to FILE (- is standard output) without a screen" },
	[ROW_FORCE] = { 0, "force", NULL, take_force, "with --record: overwrite FILE" },
	[ROW_DURATION] = { 0, "duration", "TIME", take_duration,
			   "with --record or --stream: end after TIME (30s, 5m, 1h)" },
	[ROW_STREAM] = { 0, "stream", "SPEC", take_stream,
			 "run load: seq-read,target=/mnt/md0,copies=3,time=60s" },
	[ROW_CLEAN] = { 0, "clean", "DIR", take_clean,
			"remove the files that streams left below DIR, and end" },
	[ROW_ALLOW_DEGRADED] = { 0, "allow-degraded", NULL, take_allow_degraded,
				 "with --stream: write to a degraded array, too" },
	[ROW_ALLOW_RAW_WRITE] = { 0, "allow-raw-write", "DEVICE", take_allow_raw_write,
				  "with --stream: overwrite DEVICE itself, after asking" },
	[ROW_ALLOW_RAW_OVERWRITE] = { 0, "allow-raw-overwrite", "DEVICE", take_allow_raw_overwrite,
				      "... even where it is not all zero" },
	[ROW_ALLOW_THIN_WRITE] = { 0, "allow-thin-write", "NAME", take_allow_thin_write,
				   "with --stream: write to a thin pool or snapshot, too" },
	[ROW_REPLAY] = { 0, "replay", NULL, take_replay, "show the recording named as operand" },
	[ROW_DEMO] = { 0, "demo", NULL, take_demo, "replay the recording shipped with raidtop" },
	[ROW_ROOT] = { 0, "root", "DIR", take_root,
		       "read DIR/proc and DIR/sys instead of this machine's" },
	[ROW_ALL] = { 'a', "all", NULL, take_all, "show ram, zram and empty loop devices too" },
	[ROW_TEMPERATURES] = { 0, "temperatures", "TIME", take_temperatures,
			       "time between two readings of temperatures, 0: never (10s)" },
	[ROW_UNITS] = { 0, "units", "si|iec", take_units, "MB/s of 10^6 or MiB/s of 2^20 (si)" },
	[ROW_COLOURS] = { 0, "colours", "MODE", take_colours,
			  "auto, none, 8, 16, 256 or true (auto)" },
	[ROW_ASCII] = { 0, "ascii", NULL, take_ascii, "draw without UTF-8" },
	[ROW_HELP] = { 'h', "help", NULL, take_help, "print this help, and end" },
	[ROW_VERSION] = { 'V', "version", NULL, take_version, "print the version, and end" },
};

static bool was_given(const struct options *o, enum option_row row)
{
	return o->given >> row & 1;
}

/* Options that mean something only beside another, and the modes that exclude each other. */
static int check_together(const struct options *o)
{
	static const enum option_row modes[] = { ROW_LIST,  ROW_RECORD, ROW_STREAM,
						 ROW_CLEAN, ROW_REPLAY, ROW_DEMO };
	static const struct {
		enum option_row row, needs, or_needs;
	} needs[] = {
		{ ROW_JSON, ROW_LIST, ROW_STREAM },
		{ ROW_FORCE, ROW_RECORD, ROW_RECORD },
		{ ROW_DURATION, ROW_RECORD, ROW_STREAM },
		{ ROW_ALLOW_DEGRADED, ROW_STREAM, ROW_STREAM },
		{ ROW_ALLOW_RAW_WRITE, ROW_STREAM, ROW_STREAM },
		{ ROW_ALLOW_RAW_OVERWRITE, ROW_STREAM, ROW_STREAM },
		{ ROW_ALLOW_THIN_WRITE, ROW_STREAM, ROW_STREAM },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(modes); i++) {
		for (size_t j = i + 1; j < ARRAY_LENGTH(modes); j++) {
			if (modes[i] == ROW_RECORD && modes[j] == ROW_STREAM)
				continue; /* that is a recording of load */
			if (was_given(o, modes[i]) && was_given(o, modes[j])) {
				say("--%s and --%s exclude each other; give one of them",
				    specs[modes[i]].name, specs[modes[j]].name);
				return STATUS_USAGE;
			}
		}
	}
	for (size_t i = 0; i < ARRAY_LENGTH(needs); i++) {
		if (was_given(o, needs[i].row) && !was_given(o, needs[i].needs) &&
		    !was_given(o, needs[i].or_needs)) {
			bool one = needs[i].needs == needs[i].or_needs;

			say("--%s goes with --%s%s%s", specs[needs[i].row].name,
			    specs[needs[i].needs].name, one ? "" : " or --",
			    one ? "" : specs[needs[i].or_needs].name);
			return STATUS_USAGE;
		}
	}
	if (o->mode == MODE_LOAD && o->json && o->record && strcmp(o->record, "-") == 0) {
		say("--json and --record - both want standard output; record to a file");
		return STATUS_USAGE;
	}
	if ((o->mode == MODE_REPLAY || o->mode == MODE_DEMO) &&
	    (was_given(o, ROW_INTERVAL) || was_given(o, ROW_ROOT))) {
		say("a replay has the recording's own interval and machine; leave out --%s",
		    was_given(o, ROW_INTERVAL) ? "interval" : "root");
		return STATUS_USAGE;
	}
	return 0;
}

static int check_operands(const struct options *o)
{
	if (o->mode == MODE_REPLAY && o->n_operands != 1) {
		say(o->n_operands == 0 ? "--replay: name the recording, as in raidtop --replay FILE"
				       : "--replay plays one recording at a time; name one file");
		return STATUS_USAGE;
	}
	if (o->mode != MODE_REPLAY && o->n_operands > 0) {
		say("'%s' is not understood here; 'raidtop --help' lists the options",
		    o->operands[0]);
		return STATUS_USAGE;
	}
	return 0;
}

/* getopt's own tables, made from ours. `longs` has ROW_COUNT + 1 rows, `shorts` 2 * that + 2. */
static void make_getopt_tables(struct option *longs, char *shorts)
{
	char *s = shorts;

	*s++ = ':'; /* the sentences are ours */
	for (size_t i = 0; i < ROW_COUNT; i++) {
		longs[i] = (struct option){
			.name = specs[i].name,
			.has_arg = specs[i].argument ? required_argument : no_argument,
			.val = 0x100 + (int)i,
		};
		if (specs[i].letter) {
			*s++ = specs[i].letter;
			if (specs[i].argument)
				*s++ = ':';
		}
	}
	*s = '\0';
	longs[ROW_COUNT] = (struct option){ 0 };
}

/* The row of what getopt_long returned, or ROW_COUNT. */
static size_t row_of(int c)
{
	if (c >= 0x100 && c < 0x100 + ROW_COUNT)
		return (size_t)(c - 0x100);
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (specs[i].letter && specs[i].letter == c)
			return i;
	}
	return ROW_COUNT;
}

/* Of letters in one word, -aZ, getopt tells the letter; else the word is what is wrong. */
static int refuse_option(bool lacks_value, const char *word)
{
	char letter[] = { '-', optopt > 0 && optopt < 0x100 ? (char)optopt : '\0', '\0' };

	say(lacks_value ? "%s needs a value; 'raidtop --help' tells which"
			: "%s is no option; 'raidtop --help' lists them",
	    letter[1] ? letter : word);
	return STATUS_USAGE;
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[ROW_COUNT + 1];
	char shorts[3 * ROW_COUNT + 2];
	int c, r;

	*o = (struct options){ .mode = MODE_WATCH,
			       .interval_ns = NS_PER_SEC,
			       .temperature_ns = temperature_default_ns,
			       .root = "" };
	make_getopt_tables(longs, shorts);
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		size_t row = row_of(c);

		if (row == ROW_COUNT) {
			return refuse_option(c == ':', argv[optind - 1]);
		}
		o->given |= 1u << row;
		r = specs[row].take(o, optarg);
		if (r)
			return r;
		if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
			return 0;
	}
	o->operands = argv + optind;
	o->n_operands = argc - optind;
	r = check_together(o);
	return r ? r : check_operands(o);
}

void options_print_help(void)
{
	puts("raidtop: live throughput of RAID arrays and the disks under them\n"
	     "\n"
	     "  raidtop                   watch this machine's arrays and disks\n"
	     "  raidtop --list            print them, and end\n"
	     "  raidtop --record FILE     record without a screen, as CSV\n"
	     "  raidtop --stream SPEC     run load on an array, and print what came of it\n"
	     "  raidtop --replay FILE     show a recording on the same screen\n");
	for (size_t i = 0; i < ROW_COUNT; i++) {
		char names[48];

		text_format(names, sizeof(names), "%c%c%s--%s%s%s", specs[i].letter ? '-' : ' ',
			    specs[i].letter ? specs[i].letter : ' ', specs[i].letter ? ", " : "  ",
			    specs[i].name, specs[i].argument ? " " : "",
			    specs[i].argument ? specs[i].argument : "");
		/* The words stand below a name that reaches into their column. */
		if (strlen(names) > 26)
			printf("  %s\n%29s%s\n", names, "", specs[i].help);
		else
			printf("  %-26s %s\n", names, specs[i].help);
	}
	puts("\nTimes are 0.5, 5s, 2m, 1h. The manual page raidtop(1) tells the rest.");
}
