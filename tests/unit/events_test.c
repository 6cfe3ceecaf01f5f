/* The event log: numbers, the ring, and sentences made of hostile names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/events.h"
#include "raidtop/text.h"

static struct event_log event_log;

static void kinds_there_and_back(void **state)
{
	static const char *const refused[] = { "", "mar", "marks", "MARK", "appeared ", "nothing" };

	(void)state;
	for (unsigned int i = 0; i < EVENT_KIND_COUNT; i++) {
		const char *name = event_kind_name((enum event_kind)i);
		enum event_kind kind = EVENT_KIND_COUNT;

		assert_int_equal(event_kind_parse(name, strlen(name), &kind), 0);
		assert_int_equal(kind, i);
	}
	assert_string_equal(event_kind_name(EVENT_MEMBER_FAILED), "member_failed");
	assert_string_equal(event_kind_name(EVENT_GONE), "gone");
	assert_null(event_kind_name(EVENT_KIND_COUNT));
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		enum event_kind kind = EVENT_MARK;

		print_message("  '%s'\n", refused[i]);
		assert_int_equal(event_kind_parse(refused[i], strlen(refused[i]), &kind), -EINVAL);
		assert_int_equal(kind, EVENT_MARK);
	}
}

static void the_newest_are_kept(void **state)
{
	struct event_log *log = &event_log;
	const uint64_t n = 3 * EVENT_LOG_SIZE + 5;

	(void)state;
	event_log_init(log);
	assert_null(event_log_get(log, 0));
	assert_null(event_log_get(log, 1));
	for (uint64_t i = 1; i <= n; i++) {
		event_log_stamp(log, i * 10, (int64_t)i - 1000);
		event_log_add(log, EVENT_MARK, "md0", "", "mark %llu", (unsigned long long)i);
		assert_int_equal(log->last, i);
	}
	for (uint64_t i = 0; i <= n + 1; i++) {
		const struct event *e = event_log_get(log, i);
		char text[32];

		if (i == 0 || i > n || i + EVENT_LOG_SIZE <= n) {
			assert_null(e);
			continue;
		}
		text_format(text, sizeof(text), "mark %llu", (unsigned long long)i);
		assert_int_equal(e->number, i);
		assert_int_equal(e->elapsed_us, i * 10);
		assert_true(e->realtime_ms == (int64_t)i - 1000);
		assert_string_equal(e->text, text);
	}
	assert_null(event_log_get(log, UINT64_MAX));
}

static void sentences_are_harmless(void **state)
{
	struct event_log *log = &event_log;
	const struct event *e;
	char name[200];

	(void)state;
	event_log_init(log);
	event_log_add(log, EVENT_APPEARED, "sda", "md0", "%s appeared", "\x1b[2J\n\xff");
	e = event_log_get(log, 1);
	assert_string_equal(e->text, "?[2J?? appeared");
	assert_string_equal(e->name, "sda");
	assert_string_equal(e->parent, "md0");
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	event_log_add(log, EVENT_MARK, name, name, "%s%s%s", name, name, name);
	e = event_log_get(log, 2);
	assert_int_equal(strlen(e->name), sizeof(e->name) - 1);
	assert_int_equal(strlen(e->parent), sizeof(e->parent) - 1);
	assert_int_equal(strlen(e->text), sizeof(e->text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_there_and_back),
		cmocka_unit_test(the_newest_are_kept),
		cmocka_unit_test(sentences_are_harmless),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
