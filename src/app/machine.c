/*
 * Watching, recording and listing look at the same machine; only how often they want its
 * temperatures differs.
 */
#include "machine.h"

#include <sys/stat.h>

#include "say.h"

int machine_open(const struct options *o, uint64_t temperature_ns, struct provider **ret)
{
	struct provider_options options = {
		.root = o->root,
		.temperature_ns = temperature_ns,
		.show_all = o->show_all,
	};
	char why[512];
	int r = provider_system_new(&options, ret, why, sizeof(why));

	if (r < 0)
		say("%s", why);
	return r;
}

bool machine_is_elsewhere(const struct options *o)
{
	struct stat root, ours;

	if (!o->root[0])
		return false;
	return stat(o->root, &root) < 0 || stat("/", &ours) < 0 || root.st_dev != ours.st_dev ||
	       root.st_ino != ours.st_ino;
}
