/* The rules of safety.c that need more than a line: each is 0, or -errno with a sentence. */
#ifndef LOAD_SAFETY_RULES_H
#define LOAD_SAFETY_RULES_H

#include "safety.h"

/* Directories, and what lies below anything that is written to: safety_place.c */
int rule_lies_on(const struct safety_case *c, char *why, size_t size);
int rule_no_kernel_files(const struct safety_case *c, char *why, size_t size);
int rule_mounted(const struct safety_case *c, char *why, size_t size);
int rule_mount_writable(const struct safety_case *c, char *why, size_t size);
int rule_thick(const struct safety_case *c, char *why, size_t size);
int rule_arrays_sound(const struct safety_case *c, char *why, size_t size);

/* Devices, before they are opened: safety_device.c */
int rule_one_copy(const struct safety_case *c, char *why, size_t size);
int rule_raw_allowed(const struct safety_case *c, char *why, size_t size);
int rule_not_mounted(const struct safety_case *c, char *why, size_t size);
int rule_no_swap(const struct safety_case *c, char *why, size_t size);
int rule_no_holder(const struct safety_case *c, char *why, size_t size);
int rule_no_loop(const struct safety_case *c, char *why, size_t size);
int rule_no_pool(const struct safety_case *c, char *why, size_t size);

/* Devices, on the descriptor: safety_opened.c */
int rule_same_device(const struct safety_case *c, char *why, size_t size);
int rule_nothing_on_it(const struct safety_case *c, char *why, size_t size);
int rule_nothing_around_it(const struct safety_case *c, char *why, size_t size);
int rule_no_process(const struct safety_case *c, char *why, size_t size);
int rule_blank(const struct safety_case *c, char *why, size_t size);

/* Who it is, and whether the person means it: safety_identity.c */
int rule_has_identity(const struct safety_case *c, char *why, size_t size);
int rule_typed(const struct safety_case *c, char *why, size_t size);

/* A disk has 256 minors at most; with partitions beyond it is refused. */
#define SAFETY_FAMILY_MAX 300
/*
 * The numbers of a device, its partitions, and the disk that it is a partition of. 0, or -errno
 * where that cannot be told; *ret_n is untouched then.
 */
int safety_find_family(const struct safety_case *c, dev_t *numbers, size_t max, size_t *ret_n);

/* Whether a name that was typed (a path, or one below /dev) is a node of that number. */
bool safety_names_device(const char *typed, dev_t number);

#endif
