/*
 * Containers and their volumes, from our own guest's captures (tests/vm/cases/container-imsm and
 * container-ddf): what is said of each, whose disks are whose, and what is told when they change.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/list.h"
#include "machine_files.h"
#include "raidtop/events.h"
#include "raidtop/fields.h"
#include "raidtop/text.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define IMSM(moment) ROOTS "/container-imsm/" moment
#define DDF(moment) ROOTS "/container-ddf/" moment

static void survey(const char *capture, struct topology *t)
{
	struct machine_files m;
	struct provider *p;

	assert_true(machine_unpack(&m, capture));
	p = machine_provider(&m);
	machine_survey(p, t);
	provider_free(p);
	machine_remove(&m);
}

static struct device *find_array(const struct topology *t, const char *name)
{
	int slot = topology_find(t, name);

	assert_int_not_equal(slot, NO_SLOT);
	assert_non_null(t->devices[slot]->array);
	return t->devices[slot];
}

/* ---- fields ---- */

static const struct fact {
	const char *capture, *array, *key, *value;
} facts[] = {
	{ IMSM("t0"), "md127", "level", "container" },
	{ IMSM("t0"), "md127", "metadata", "external:imsm" },
	{ IMSM("t0"), "md127", "size_bytes", "" },
	{ IMSM("t0"), "md127", "spares", "" },
	{ IMSM("t0"), "md127", "container", "" },
	{ IMSM("t0"), "md127", "counts_io", "" },
	{ IMSM("t0"), "md126", "container", "md127" },
	{ IMSM("t0"), "md126", "container_volume", "0" },
	{ IMSM("t0"), "md126", "level", "raid5" },
	{ IMSM("t0"), "md126", "size_bytes", "41943040" },
	{ IMSM("t0"), "md126", "slots", "UUU" },
	{ IMSM("t0"), "md126", "stripe_cache_size", "256" },
	{ IMSM("t0"), "md125", "container", "md127" },
	{ IMSM("t0"), "md125", "container_volume", "1" },
	{ IMSM("t0"), "md125", "level", "raid0" },
	{ IMSM("t1"), "md126", "degraded", "0" },
	{ IMSM("t2"), "md126", "degraded", "1" },
	{ IMSM("t2"), "md126", "slots", "U_U" },
	{ IMSM("t2"), "md126", "container", "md127" },
	{ DDF("t0"), "md127", "level", "container" },
	{ DDF("t0"), "md127", "metadata", "external:ddf" },
	{ DDF("t0"), "md126", "container_volume", "0" },
	{ DDF("t0"), "md126", "level", "raid1" },
	{ DDF("t0"), "md125", "container_volume", "1" },
	{ DDF("t0"), "md125", "layout", "left-symmetric" },
	{ DDF("t1"), "md125", "slots", "UU_" },
	{ DDF("t1"), "md125", "degraded", "1" },
	{ DDF("t1"), "md126", "degraded", "0" },
};

static void check_fact(const struct topology *t, const struct fact *f)
{
	const enum field_owner owners[] = { FIELD_OF_ARRAY, FIELD_OF_DEVICE };
	struct device *d = find_array(t, f->array);
	const struct field *field = NULL;
	char value[FIELD_VALUE_BYTES];

	print_message("  %s %s %s\n", f->capture, f->array, f->key);
	for (size_t i = 0; i < COUNT(owners) && !field; i++) {
		field = field_find(owners[i], f->key, strlen(f->key));
		if (field)
			field_format(field, field_owner_of(owners[i], d), value, sizeof(value));
	}
	assert_non_null(field);
	assert_string_equal(value, f->value);
}

static void fields_of_containers(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(facts); i++) {
		struct topology t;

		survey(facts[i].capture, &t);
		check_fact(&t, &facts[i]);
		topology_release(&t);
	}
}

/* ---- members ---- */

/* State by member, in the order of their serials: those of the guest's disks 0 to 3. */
static const struct states_case {
	const char *capture, *array;
	const char *states; /* "in_sync in_sync - -" */
} states_cases[] = {
	{ IMSM("t0"), "md126", "in_sync in_sync in_sync -" },
	{ IMSM("t0"), "md125", "in_sync in_sync in_sync -" },
	{ IMSM("t0"), "md127", "held held held unused" },
	/* DISK2 failed, DISK3 took over: md calls the failed one a spare, as before */
	{ IMSM("t1"), "md126", "in_sync in_sync - in_sync" },
	{ IMSM("t1"), "md127", "held held unused held" },
	{ IMSM("t2"), "md126", "in_sync - - in_sync" },
	{ IMSM("t2"), "md127", "held unused - held" },
	{ DDF("t0"), "md126", "in_sync in_sync - -" },
	{ DDF("t0"), "md127", "held held held -" },
	{ DDF("t1"), "md125", "in_sync in_sync - -" },
	{ DDF("t1"), "md127", "held held unused -" },
};

static const char *state_of_disk(const struct topology *t, const struct array *a, int disk)
{
	char serial[16];

	text_format(serial, sizeof(serial), "DISK%d", disk);
	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *m = &a->members[i];

		if (m->device != NO_SLOT && strcmp(t->devices[m->device]->disk.serial, serial) == 0)
			return member_state_name(m->state);
	}
	return "-";
}

static void states_of_their_disks(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(states_cases); i++) {
		const struct states_case *c = &states_cases[i];
		struct topology t;
		char text[128];
		const struct array *a;

		print_message("  %s %s\n", c->capture, c->array);
		survey(c->capture, &t);
		a = find_array(&t, c->array)->array;
		text_format(text, sizeof(text), "%s %s %s %s", state_of_disk(&t, a, 0),
			    state_of_disk(&t, a, 1), state_of_disk(&t, a, 2),
			    state_of_disk(&t, a, 3));
		assert_string_equal(text, c->states);
		topology_release(&t);
	}
}

/* ---- the list ---- */

static void the_list_names_the_container(void **state)
{
	struct buffer out = BUFFER_INIT;
	struct topology t;

	(void)state;
	survey(IMSM("t0"), &t);
	list_print_tree(&t, UNITS_SI, false, &out);
	assert_non_null(strstr(buffer_text(&out), "volume 0 of md127"));
	assert_non_null(strstr(buffer_text(&out), "volume 1 of md127"));
	assert_non_null(strstr(buffer_text(&out), "\n|  imsm, holds md125, md126\n"));
	assert_non_null(strstr(buffer_text(&out), " unused "));
	assert_null(strstr(buffer_text(&out), "inactive"));
	assert_null(strstr(buffer_text(&out), "free disks"));
	buffer_release(&out);
	topology_release(&t);
}

/* ---- what is told ---- */

static bool was_told(const struct event_log *log, const char *text)
{
	for (uint64_t i = 1; i <= log->last; i++) {
		const struct event *e = event_log_get(log, i);

		if (e && strcmp(e->text, text) == 0)
			return true;
	}
	return false;
}

static const char *name_of_disk(const struct topology *t, const char *serial)
{
	for (size_t i = 0; i < t->n_devices; i++)
		if (strcmp(t->devices[i]->disk.serial, serial) == 0)
			return t->devices[i]->name;
	fail_msg("no disk %s", serial);
	return "";
}

static void members_that_go_are_told(void **state)
{
	struct topology held, fresh;
	struct event_log log;
	char dropped[128], taken_out[128];

	(void)state;
	topology_init(&held);
	event_log_init(&log);
	survey(IMSM("t1"), &fresh);
	topology_adopt(&held, &fresh, &log);
	topology_release(&fresh);
	assert_int_equal(log.last, 0);
	survey(IMSM("t2"), &fresh);
	topology_adopt(&held, &fresh, &log);
	topology_release(&fresh);
	text_format(dropped, sizeof(dropped), "%s dropped out of md126 (2 of 3 left)",
		    name_of_disk(&held, "DISK1"));
	text_format(taken_out, sizeof(taken_out), "%s was taken out of md127",
		    name_of_disk(&held, "DISK2"));
	assert_true(was_told(&log, dropped));
	assert_true(was_told(&log, taken_out));
	assert_int_equal(log.last, 2);
	topology_release(&held);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_of_containers),
		cmocka_unit_test(states_of_their_disks),
		cmocka_unit_test(the_list_names_the_container),
		cmocka_unit_test(members_that_go_are_told),
	};

	return cmocka_run_group_tests_name("linux container", tests, NULL, NULL);
}
