/*
 * Sentences about streams. A failure is told with the target's name, the byte where it happened
 * and the system's own words for it; the worker only notes these down, because a process that
 * cannot reach its disk any more should do as little as possible.
 */
#include "stream_tell.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "raidtop/text.h"
#include "sentence.h"

static bool shared_says(const char *text, size_t size)
{
	return text[0] != '\0' && memchr(text, 0, size);
}

void stream_tell_note(const struct shared *s, bool in_memory, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *name = sentence_name(buf, s->plan.spec.target);
	enum stream_access access =
		(enum stream_access)atomic_load_explicit(&s->access, memory_order_relaxed);

	text_copy(why, size, "");
	if (in_memory)
		sentence_set(0, why, size, "%s lies in memory: no disk is measured", name);
	else if (s->plan.asked_access == STREAM_DIRECT && access != STREAM_DIRECT)
		sentence_set(0, why, size, "%s refuses direct access: %s through the page cache",
			     name, s->plan.target == SHARED_TARGET_READ ? "read" : "it goes");
	else if (atomic_load_explicit(&s->phase, memory_order_acquire) >= PHASE_READY &&
		 shared_says(s->sentence, sizeof(s->sentence)))
		sentence_set(0, why, size, "%s", s->sentence);
}

void stream_tell_ending(const struct shared *s, char *why, size_t size)
{
	switch ((enum ending)atomic_load_explicit(&s->ending, memory_order_relaxed)) {
	case ENDING_NONE:
	case ENDING_STOPPED:
		text_copy(why, size, "stopped as asked");
		break;
	case ENDING_TIME:
		text_copy(why, size, "its time was over");
		break;
	case ENDING_LIMIT:
		text_format(why, size, "it has written its limit of %" PRIu64 " bytes",
			    s->plan.spec.limit_bytes);
		break;
	case ENDING_ALL:
		text_copy(why, size, "it has done all there was to do");
		break;
	}
}

void stream_tell_exit(int exit_status, char *why, size_t size)
{
	if (WIFSIGNALED(exit_status))
		sentence_set(0, why, size, "its worker was killed by signal %d (%s)",
			     WTERMSIG(exit_status), strsignal(WTERMSIG(exit_status)));
	else
		sentence_set(0, why, size, "its worker ended with status %d",
			     WEXITSTATUS(exit_status));
}

/* FAILURE_FILE and FAILURE_MOVED: the worker knows better than an error number does. */
static void tell_own_words(const struct shared *s, const char *name, const char *error, char *why,
			   size_t size)
{
	if (shared_says(s->sentence, sizeof(s->sentence)))
		sentence_set(0, why, size, "%s", s->sentence);
	else
		sentence_set(0, why, size, "its file on %s cannot be used: %s", name, error);
}

void stream_tell_failure(const struct shared *s, int exit_status, char *why, size_t size)
{
	char buf[SENTENCE_NAME_BYTES];
	const char *name = sentence_name(buf, s->plan.spec.target);
	uint64_t offset = shared_get(&s->error_offset);
	bool writing = atomic_load_explicit(&s->error_writing, memory_order_relaxed) != 0;
	const char *error = strerror(atomic_load_explicit(&s->error, memory_order_relaxed));

	switch ((enum failure)atomic_load_explicit(&s->failure, memory_order_relaxed)) {
	case FAILURE_NONE:
		stream_tell_exit(exit_status, why, size);
		break;
	case FAILURE_SPAWN:
		sentence_set(0, why, size, "its worker could not be started: %s", error);
		break;
	case FAILURE_SETUP:
		sentence_set(0, why, size, "its worker could not begin: %s", error);
		break;
	case FAILURE_FILE:
	case FAILURE_MOVED:
		tell_own_words(s, name, error, why, size);
		break;
	case FAILURE_IO:
		sentence_set(0, why, size, "%s %s failed at byte %" PRIu64 ": %s",
			     writing ? "writing" : "reading", name, offset, error);
		break;
	case FAILURE_SHORT:
		sentence_set(0, why, size,
			     "%s ended at byte %" PRIu64 ", it had %" PRIu64 " before", name,
			     offset, s->plan.size_bytes);
		break;
	case FAILURE_GONE:
		sentence_set(0, why, size, "%s is gone, it was being %s at byte %" PRIu64, name,
			     writing ? "written" : "read", offset);
		break;
	case FAILURE_ENGINE:
		sentence_set(0, why, size, "its engine failed: %s", error);
		break;
	case FAILURE_VERIFY:
		sentence_set(0, why, size,
			     "%s does not hold at byte %" PRIu64 " what was written there", name,
			     offset);
		break;
	case FAILURE_SYNC:
		sentence_set(0, why, size,
			     "%s could not be synced, what was written may not be on the disk: %s",
			     name, error);
		break;
	}
}
