/* Numbers as text: what is one, what is not, and that nothing is lost on the way there and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/number.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define UNTOUCHED 99

static const struct whole_case {
	const char *text;
	int r_u64;
	uint64_t u64;
	int r_i64;
	int64_t i64;
} wholes[] = {
	{ "0", 0, 0, 0, 0 },
	{ "7", 0, 7, 0, 7 },
	{ "007", 0, 7, 0, 7 },
	{ "-0", -EINVAL, UNTOUCHED, 0, 0 },
	{ "-1", -EINVAL, UNTOUCHED, 0, -1 },
	{ "+1", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "-", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "--1", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ " 1", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "1 ", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "1\n", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "0x10", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "1.0", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "1e3", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "none", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
	{ "\xd9\xa1", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED }, /* an Arabic digit */
	{ "9223372036854775807", 0, INT64_MAX, 0, INT64_MAX },
	{ "9223372036854775808", 0, (uint64_t)INT64_MAX + 1, -ERANGE, UNTOUCHED },
	{ "-9223372036854775808", -EINVAL, UNTOUCHED, 0, INT64_MIN },
	{ "-9223372036854775809", -EINVAL, UNTOUCHED, -ERANGE, UNTOUCHED },
	{ "18446744073709551615", 0, UINT64_MAX, -ERANGE, UNTOUCHED },
	{ "18446744073709551616", -ERANGE, UNTOUCHED, -ERANGE, UNTOUCHED },
	{ "99999999999999999999999999999999", -ERANGE, UNTOUCHED, -ERANGE, UNTOUCHED },
	{ "99999999999999999999999999999999x", -EINVAL, UNTOUCHED, -EINVAL, UNTOUCHED },
};

static void whole_numbers_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(wholes); i++) {
		const struct whole_case *c = &wholes[i];
		uint64_t u64 = UNTOUCHED;
		int64_t i64 = UNTOUCHED;

		print_message("  '%s'\n", c->text);
		assert_int_equal(number_parse_u64(c->text, strlen(c->text), &u64), c->r_u64);
		assert_true(u64 == c->u64);
		assert_int_equal(number_parse_i64(c->text, strlen(c->text), &i64), c->r_i64);
		assert_true(i64 == c->i64);
	}
}

static void only_the_length_given_is_read(void **state)
{
	uint64_t u64 = 0;
	int64_t fixed = 0;

	(void)state;
	assert_int_equal(number_parse_u64("1234", 2, &u64), 0);
	assert_int_equal(u64, 12);
	assert_int_equal(number_parse_fixed("1.2.3", 3, 1, &fixed), 0);
	assert_int_equal(fixed, 12);
	assert_int_equal(number_parse_u64("1\0", 2, &u64), -EINVAL);
}

static const struct fixed_case {
	const char *text;
	unsigned int digits;
	int r;
	int64_t value;
} fixeds[] = {
	{ "12", 0, 0, 12 },
	{ "12", 3, 0, 12000 },
	{ "43.17", 1, 0, 431 },
	{ "43.17", 2, 0, 4317 },
	{ "43.17", 6, 0, 43170000 },
	{ "-0.5", 1, 0, -5 },
	{ "-0.5", 0, 0, 0 },
	{ "0.05", 1, 0, 0 },
	{ "0.999999999999999999999999999999", 3, 0, 999 },
	{ "1.", 1, -EINVAL, UNTOUCHED },
	{ ".5", 1, -EINVAL, UNTOUCHED },
	{ ".", 1, -EINVAL, UNTOUCHED },
	{ "", 1, -EINVAL, UNTOUCHED },
	{ "-", 1, -EINVAL, UNTOUCHED },
	{ "-.5", 1, -EINVAL, UNTOUCHED },
	{ "1.2.3", 2, -EINVAL, UNTOUCHED },
	{ "1.2.3", 1, -EINVAL, UNTOUCHED },
	{ "1,5", 1, -EINVAL, UNTOUCHED },
	{ "1.5e3", 1, -EINVAL, UNTOUCHED },
	{ "1.-5", 1, -EINVAL, UNTOUCHED },
	{ "1.5%", 1, -EINVAL, UNTOUCHED },
	{ "nan", 1, -EINVAL, UNTOUCHED },
	{ "9223372036854775.807", 3, 0, INT64_MAX },
	{ "9223372036854775.808", 3, -ERANGE, UNTOUCHED },
	{ "-9223372036854775.808", 3, 0, INT64_MIN },
	{ "9223372036854775807", 3, -ERANGE, UNTOUCHED },
	{ "99999999999999999999999", 3, -ERANGE, UNTOUCHED },
	{ "99999999999999999999999.x", 3, -EINVAL, UNTOUCHED },
	{ "1", 19, -EINVAL, UNTOUCHED },
	{ "9", 18, 0, 9000000000000000000 },
};

static void fractions_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(fixeds); i++) {
		const struct fixed_case *c = &fixeds[i];
		int64_t value = UNTOUCHED;

		print_message("  '%s' in %u digits\n", c->text, c->digits);
		assert_int_equal(number_parse_fixed(c->text, strlen(c->text), c->digits, &value),
				 c->r);
		assert_true(value == c->value);
	}
}

static const struct format_case {
	int64_t value;
	unsigned int digits;
	const char *text;
} formats[] = {
	{ 0, 0, "0" },
	{ 0, 3, "0.000" },
	{ 43172, 3, "43.172" },
	{ 7, 3, "0.007" },
	{ -7, 3, "-0.007" },
	{ -5, 1, "-0.5" },
	{ 1000, 1, "100.0" },
	{ INT64_MAX, 0, "9223372036854775807" },
	{ INT64_MIN, 0, "-9223372036854775808" },
	{ INT64_MIN, 3, "-9223372036854775.808" },
	{ INT64_MIN, 18, "-9.223372036854775808" },
};

static void numbers_are_written(void **state)
{
	char buf[NUMBER_BYTES];

	(void)state;
	for (size_t i = 0; i < COUNT(formats); i++) {
		const struct format_case *c = &formats[i];
		int64_t back = UNTOUCHED;

		print_message("  %s\n", c->text);
		assert_int_equal(number_format_fixed(buf, c->value, c->digits), strlen(c->text));
		assert_string_equal(buf, c->text);
		assert_int_equal(number_parse_fixed(buf, strlen(buf), c->digits, &back), 0);
		assert_true(back == c->value);
	}
	assert_int_equal(number_format_u64(buf, UINT64_MAX), 20);
	assert_string_equal(buf, "18446744073709551615");
	assert_int_equal(number_format_i64(buf, -12), 3);
	assert_string_equal(buf, "-12");
}

static const struct double_case {
	const char *name;
	double value;
	unsigned int digits;
	const char *text;
} doubles[] = {
	{ "zero", 0, 3, "0.000" },
	{ "minus zero", -0.0, 1, "0.0" },
	{ "rounds up", 2.0 / 3, 3, "0.667" },
	{ "half goes away from zero", 0.5, 0, "1" },
	{ "half goes away from zero, below it", -0.5, 0, "-1" },
	{ "half of an even number too", 2.5, 0, "3" },
	{ "rounds to nothing without a sign", -0.0004, 3, "0.000" },
	{ "not a number", NAN, 3, "" },
	{ "infinite", INFINITY, 3, "" },
	{ "minus infinite", -INFINITY, 0, "" },
	{ "the largest", 9e15, 0, "9000000000000000" },
	{ "too large", 9.1e15, 0, "" },
	{ "too large for its digits", 9.1e12, 3, "" },
	{ "more digits than there are", 1.5, 9, "1.500000" },
	{ "huge", 1e300, 6, "" },
	{ "tiny", 1e-300, 6, "0.000000" },
};

static void doubles_are_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(doubles); i++) {
		const struct double_case *c = &doubles[i];
		char buf[NUMBER_BYTES];

		print_message("  %s\n", c->name);
		assert_int_equal(number_format_double(buf, c->value, c->digits), strlen(c->text));
		assert_string_equal(buf, c->text);
	}
}

/* A locale with a decimal comma, where the machine has one: nothing may change. */
static void the_locale_has_no_say(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE" };
	const char *set = NULL;

	(void)state;
	for (size_t i = 0; i < COUNT(names) && !set; i++)
		set = setlocale(LC_ALL, names[i]);
	if (!set) {
		print_message("  no locale with a decimal comma on this machine\n");
		skip();
	}
	fractions_are_read(NULL);
	numbers_are_written(NULL);
	doubles_are_written(NULL);
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_read),
		cmocka_unit_test(only_the_length_given_is_read),
		cmocka_unit_test(fractions_are_read),
		cmocka_unit_test(numbers_are_written),
		cmocka_unit_test(doubles_are_written),
		cmocka_unit_test(the_locale_has_no_say),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
