/* The machine that was asked for, as a provider: this one, or the files below --root. */
#ifndef RAIDTOP_MACHINE_H
#define RAIDTOP_MACHINE_H

#include "options.h"
#include "raidtop/clock.h"
#include "raidtop/provider.h"

/* Once, for a list. */
#define MACHINE_TEMPERATURES_ONCE UINT64_MAX

/* `temperature_ns` as in provider_options. 0, or -errno after a sentence on standard error. */
int machine_open(const struct options *o, uint64_t temperature_ns, struct provider **ret);

/* Whether that is files of another machine, or of this one at another time. */
bool machine_is_elsewhere(const struct options *o);

#endif
