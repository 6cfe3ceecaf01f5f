/* What tools have printed of sensors, in their several forms, as chips with their values. */
#ifndef RAIDTOP_TESTS_SENSOR_LISTING_H
#define RAIDTOP_TESTS_SENSOR_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LISTING_CHIPS 12
#define LISTING_FEATURES 16

/* A value that was printed, one that is said not to be readable, or none. */
enum listing_presence { LISTING_ABSENT, LISTING_THERE, LISTING_UNREADABLE };

struct listing_value {
	enum listing_presence presence;
	int64_t milli;
};

struct listing_feature {
	int number; /* temp1_input: 1 */
	char label[32];
	struct listing_value input, max, crit;
};

struct listing_chip {
	char name[64]; /* drivetemp-scsi-4-0, nvme-pci-0100 */
	struct listing_feature features[LISTING_FEATURES];
	size_t n_features;
};

struct listing {
	struct listing_chip chips[LISTING_CHIPS];
	size_t n_chips;
};

/* `sensors -j`, also with complaints between the lines, and as a tool flattened it. */
void listing_parse_json(struct listing *l, const char *text);
/* `sensors` and `sensors -u`, with complaints. */
void listing_parse_plain(struct listing *l, const char *text);
/* psutil's list of shwtemp(label=, current=, high=, critical=): a Composite begins a drive. */
void listing_parse_psutil(struct listing *l, const char *text);

/*
 * The number that a text begins with, after blanks and a plus, in thousandths; 0 where there is
 * none. `ret_len` (NULL: no matter) is where it ends.
 */
int64_t listing_number(const char *text, size_t *ret_len);
/* The next line of a text, cut out of it; NULL at its end. Moves `at` behind it. */
char *listing_next_line(char **at);

/* The value that "temp2_max" is of the feature, NULL where it is none that counts. */
struct listing_value *listing_value_of(struct listing_feature *f, const char *key);

#endif
