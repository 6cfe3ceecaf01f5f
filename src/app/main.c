/*
 * raidtop: what was asked for decides which of the few modes runs. A load stream's worker is this
 * same program, started by itself under a name that no user types.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "demo.h"
#include "list.h"
#include "load.h"
#include "machine.h"
#include "options.h"
#include "raidtop/file.h"
#include "raidtop/provider.h"
#include "raidtop/remover.h"
#include "raidtop/stream.h"
#include "raidtop/version.h"
#include "record.h"
#include "say.h"
#include "watch.h"

static int run_list(const struct options *o)
{
	struct buffer out = BUFFER_INIT;
	struct topology t;
	struct provider *provider;
	int r;

	if (machine_open(o, o->temperature_ns ? MACHINE_TEMPERATURES_ONCE : 0, &provider) < 0)
		return STATUS_FAILURE;
	topology_init(&t);
	r = provider->ops->survey(provider, &t);
	if (r < 0) {
		say("the devices cannot be listed: %s", strerror(-r));
	} else {
		if (o->json)
			list_print_json(&t, &out);
		else
			list_print_tree(&t, o->units,
					!o->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
					&out);
		r = file_write_all(STDOUT_FILENO, out.data, out.len);
		if (r < 0)
			say("the list cannot be written: %s", strerror(-r));
	}
	buffer_release(&out);
	topology_release(&t);
	provider_free(provider);
	return r < 0 ? STATUS_FAILURE : STATUS_FINE;
}

static int run_demo(const struct options *o)
{
	char path[PATH_MAX];

	if (demo_find(path, sizeof(path)) < 0) {
		say("the demonstration is not installed; 'make install' brings it");
		return STATUS_FAILURE;
	}
	return watch_replay(o, path);
}

/* What was put there with puts(): told where it did not get out. */
static int end_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return STATUS_FINE;
	say("standard output cannot be written: %s", strerror(errno));
	return STATUS_FAILURE;
}

static int run_mode(const struct options *o)
{
	switch (o->mode) {
	case MODE_WATCH:
		return watch_run(o);
	case MODE_LIST:
		return run_list(o);
	case MODE_RECORD:
		return record_run(o);
	case MODE_LOAD:
		return load_run(o);
	case MODE_CLEAN:
		return clean_run(o);
	case MODE_REPLAY:
		return watch_replay(o, o->operands[0]);
	case MODE_DEMO:
		return run_demo(o);
	case MODE_HELP:
		options_print_help();
		return end_output();
	case MODE_VERSION:
		puts("raidtop " RAIDTOP_VERSION);
		return end_output();
	}
	return STATUS_USAGE;
}

/*
 * A standard descriptor that is closed would become the next file's number, and what is meant for
 * it would go into that file. It is opened the wrong way round, so that using it stays an error.
 */
static void hold_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			_exit(STATUS_FAILURE); /* and nowhere to say it */
	}
}

int main(int argc, char **argv)
{
	struct options options;
	int r;

	hold_standard_descriptors();
	if (argc > 1 && strcmp(argv[1], STREAM_WORKER_ARGUMENT) == 0) {
		r = stream_worker_main(argc, argv);
		if (r == STATUS_USAGE)
			say("%s is how raidtop starts its own workers; leave it out", argv[1]);
		return r;
	}
	if (argc > 1 && strcmp(argv[1], REMOVER_ARGUMENT) == 0) {
		r = remover_main(argc, argv);
		if (r == STATUS_USAGE)
			say("%s is how raidtop takes its test files away; try --clean", argv[1]);
		return r;
	}
	setlocale(LC_CTYPE, "");
	r = options_parse(&options, argc, argv);
	return r ? r : run_mode(&options);
}
