/*
 * The names of devices. A recording tells devices apart by name alone, so in one run a name
 * belongs to one slot for ever, also after its device has gone or was renamed: whoever else turns
 * up under that kernel name is called sda#2.
 */
#include "topology_adopt.h"

#include <string.h>

#include "raidtop/memory.h"
#include "raidtop/text.h"

static bool is_claimed(const struct topology *held, const char *name, int slot)
{
	for (size_t i = 0; i < held->n_devices; i++)
		if ((int)i != slot && strcmp(held->devices[i]->name, name) == 0)
			return true;
	for (size_t i = 0; i < held->n_claims; i++)
		if (held->claims[i].slot != slot && strcmp(held->claims[i].name, name) == 0)
			return true;
	return false;
}

/* The wanted name, or with the first number from 2 on that makes it one of its own. */
static void choose(const struct topology *held, int slot, const char *wanted, char *name)
{
	char end[24] = "";

	text_copy(name, DEVICE_NAME_BYTES, wanted);
	for (unsigned int n = 2; is_claimed(held, name, slot); n++) {
		text_format(end, sizeof(end), "#%u", n);
		text_copy(name, DEVICE_NAME_BYTES - strlen(end), wanted);
		text_copy(name + strlen(name), sizeof(end), end);
	}
}

static void claim(struct topology *held, const char *name, int slot)
{
	struct name_claim *c;

	for (size_t i = 0; i < held->n_claims; i++)
		if (held->claims[i].slot == slot && strcmp(held->claims[i].name, name) == 0)
			return;
	held->claims = memory_resize(held->claims, held->n_claims + 1, sizeof(*c));
	c = &held->claims[held->n_claims++];
	c->slot = slot;
	text_copy(c->name, sizeof(c->name), name);
}

/* A slot keeps its name while its device keeps the kernel's. */
void topology_name(struct topology *held, struct topology *fresh, const int *slot_of)
{
	if (fresh->names_hold)
		return;
	for (size_t i = 0; i < fresh->n_devices; i++) {
		struct device *was = held->devices[slot_of[i]], *is = fresh->devices[i];
		char name[DEVICE_NAME_BYTES];

		if (was->name[0] && strcmp(was->kernel_name, is->kernel_name) == 0) {
			text_copy(is->name, sizeof(is->name), was->name);
			continue;
		}
		choose(held, slot_of[i], is->name, name);
		text_copy(is->name, sizeof(is->name), name);
		claim(held, name, slot_of[i]);
		if (was->name[0])
			claim(held, was->name, slot_of[i]);
	}
}
