/*
 * A removal may take long (a file of many extents) or never end (a disk that does not answer). So
 * it is this program once more, started with the directory's descriptor and a pipe for what it has
 * to say; raidtop reads the pipe with a limit of time and says where it is still at work. It is
 * not killed then: what it does is what was to be done, and it ends by itself.
 */
#include "raidtop/remover.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "files_session.h"
#include "raidtop/clock.h"
#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/stream_spec.h"
#include "sentence.h"
#include "spawn.h"

/* Sentences of a remover are read up to that much. */
#define WORDS_BYTES_MAX 65536
#define EXIT_WAIT_NS (2 * NS_PER_MS)

enum { REMOVER_FINE = 0, REMOVER_LEFT = 1, REMOVER_NOT_ASKED = 2 };

struct place_of_files {
	int directory; /* owned */
	char target[STREAM_TARGET_BYTES];
	dev_t device;
	ino_t inode;
	pid_t pid; /* its remover; 0: none yet, or it has ended */
	int words; /* the pipe's end for reading; owned; -1 */
	struct buffer heard;
};

static struct {
	struct place_of_files *places; /* owned */
	size_t n;
} noted;

int remover_note(int directory, const char *target)
{
	struct place_of_files *p;
	struct stat st;
	int fd;

	if (fstat(directory, &st) < 0)
		return -errno;
	for (size_t i = 0; i < noted.n; i++) {
		if (noted.places[i].device == st.st_dev && noted.places[i].inode == st.st_ino)
			return 0;
	}
	fd = fcntl(directory, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	noted.places = memory_resize(noted.places, noted.n + 1, sizeof(*noted.places));
	p = &noted.places[noted.n++];
	*p = (struct place_of_files){
		.directory = fd, .device = st.st_dev, .inode = st.st_ino, .words = -1
	};
	text_copy(p->target, sizeof(p->target), target);
	return 0;
}

static void say(struct files_report *report, const struct place_of_files *p, const char *words)
{
	char sentence[256], buf[SENTENCE_NAME_BYTES];
	const char *name = sentence_name(buf, p->target);

	report->left++;
	if (!report->say)
		return;
	sentence_set(0, sentence, sizeof(sentence),
		     "the test files in %s/.raidtop %s: "
		     "raidtop --clean %s",
		     name, words, name);
	report->say(report->data, sentence);
}

static int start(struct place_of_files *p, const char *session)
{
	int fds[2];
	int r;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	(void)fcntl(fds[1], F_SETFL, 0);
	r = spawn_remover(p->directory, fds[1], session, p->target, &p->pid);
	close(fds[1]);
	if (r < 0) {
		close(fds[0]);
		return r;
	}
	p->words = fds[0];
	return 0;
}

/* Whether it has said all that it has to say. */
static bool hear(struct place_of_files *p)
{
	char text[512];
	ssize_t n;

	while ((n = read(p->words, text, sizeof(text))) > 0) {
		if (p->heard.len + (size_t)n <= WORDS_BYTES_MAX)
			buffer_add(&p->heard, text, (size_t)n);
	}
	return n == 0 || (errno != EAGAIN && errno != EINTR);
}

static int time_left_ms(uint64_t until_ns)
{
	uint64_t now_ns = clock_monotonic_ns();

	return now_ns >= until_ns ? 0 : (int)((until_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS);
}

/* Its status, or -1 where it does not end within the time. */
static int wait_for_end(struct place_of_files *p, uint64_t until_ns)
{
	int status;
	pid_t r;

	while (!hear(p)) {
		struct pollfd wait = { p->words, POLLIN, 0 };
		int left_ms = time_left_ms(until_ns);

		if (left_ms == 0)
			return -1;
		(void)poll(&wait, 1, left_ms);
	}
	while ((r = waitpid(p->pid, &status, WNOHANG)) == 0 && time_left_ms(until_ns) > 0)
		nanosleep(&(struct timespec){ .tv_nsec = EXIT_WAIT_NS }, NULL);
	if (r == 0)
		return -1;
	if (r < 0) /* SIGCHLD is ignored: somebody else has its status */
		return REMOVER_FINE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : REMOVER_NOT_ASKED;
}

static void pass_on(const struct place_of_files *p, struct files_report *report)
{
	char sentence[512];
	const char *at = buffer_text(&p->heard), *end;

	for (; report->say && (end = strchr(at, '\n')); at = end + 1) {
		text_copy_n(sentence, sizeof(sentence), at, (size_t)(end - at));
		text_clean(sentence, sizeof(sentence), sentence);
		report->say(report->data, sentence);
	}
}

static void finish(struct place_of_files *p, uint64_t until_ns, struct files_report *report)
{
	int status = wait_for_end(p, until_ns);

	pass_on(p, report);
	if (status < 0)
		say(report, p, "are not removed yet, as their disk is slow to answer");
	else if (status == REMOVER_LEFT)
		report->left++;
	else if (status != REMOVER_FINE)
		say(report, p, "could not be removed");
}

static void forget_all(void)
{
	for (size_t i = 0; i < noted.n; i++) {
		close(noted.places[i].directory);
		if (noted.places[i].words >= 0)
			close(noted.places[i].words);
		buffer_release(&noted.places[i].heard);
	}
	free(noted.places);
	noted.places = NULL;
	noted.n = 0;
}

int remover_run(uint64_t patience_ns, struct files_report *report)
{
	uint64_t until_ns = clock_monotonic_ns() + patience_ns;
	char session[128];
	int r = noted.n ? files_session_name(getpid(), session, sizeof(session)) : 0;

	/* All of them at once: one that hangs does not take the others' time. */
	for (size_t i = 0; i < noted.n; i++) {
		if (r < 0 || start(&noted.places[i], session) < 0)
			say(report, &noted.places[i], "could not be removed");
	}
	for (size_t i = 0; i < noted.n; i++) {
		if (noted.places[i].pid > 0)
			finish(&noted.places[i], until_ns, report);
	}
	forget_all();
	return report->left > 0 ? -EBUSY : 0;
}

/* ---- the process ---- */

static void write_words(void *data, const char *sentence)
{
	int fd = *(int *)data;

	/* Nobody may be there to hear it any more. */
	if (file_write_all(fd, sentence, strlen(sentence)) == 0)
		(void)file_write_all(fd, "\n", 1);
}

int remover_main(int argc, char **argv)
{
	int output = SPAWN_REMOVER_OUTPUT_FD;
	struct files_report report = { .say = write_words, .data = &output };
	struct stat st;
	int r;

	if (argc != 4 || fstat(SPAWN_REMOVER_FD, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    fcntl(output, F_GETFD) < 0)
		return REMOVER_NOT_ASKED;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	r = files_clean_session(SPAWN_REMOVER_FD, argv[3], argv[2], &report);
	return r == 0 ? REMOVER_FINE : REMOVER_LEFT;
}
