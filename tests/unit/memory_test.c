/* Memory: zeroed, counted, and the end of the program where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "raidtop/memory.h"

static void what_is_given_is_zeroed_and_counted(void **state)
{
	size_t before = memory_allocations();
	unsigned char *p = memory_new(1000, 3);
	char *text;

	(void)state;
	for (size_t i = 0; i < 3000; i++)
		assert_int_equal(p[i], 0);
	p[2999] = 7;
	p = memory_resize(p, 2000, 3);
	assert_int_equal(p[2999], 7);
	text = memory_copy_text("md0");
	assert_string_equal(text, "md0");
	assert_int_equal(memory_allocations() - before, 3);
	free(text);
	free(p);
	p = memory_new(0, 8);
	assert_non_null(p);
	p = memory_resize(p, 0, 8);
	assert_non_null(p);
	free(p);
}

/* In a process of its own, which must end with status 1 and say why. */
static void ends_with_a_sentence(void (*what)(void))
{
	char said[64] = "";
	int ends[2], status = 0;
	pid_t child;
	ssize_t n;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		what();
		_exit(0);
	}
	close(ends[1]);
	n = read(ends[0], said, sizeof(said) - 1);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_FAILURE);
	assert_true(n > 0);
	assert_string_equal(said, "raidtop: out of memory\n");
}

static void resize_beyond_all(void)
{
	free(memory_resize(NULL, SIZE_MAX / 2, 3));
}

static void new_beyond_all(void)
{
	free(memory_new(SIZE_MAX / 2, 3));
}

static void too_much_ends_the_program(void **state)
{
	(void)state;
	ends_with_a_sentence(resize_beyond_all);
	ends_with_a_sentence(new_beyond_all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_given_is_zeroed_and_counted),
		cmocka_unit_test(too_much_ends_the_program),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
