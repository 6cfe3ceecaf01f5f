/* A loop device of a test's own, with a file of zeros behind it. Needs root. */
#ifndef RAIDTOP_TESTS_LOOP_DEVICE_H
#define RAIDTOP_TESTS_LOOP_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct loop_device {
	char path[64]; /* /dev/loop3 */
	dev_t number;
	char file[128]; /* behind it */
	uint64_t bytes;
	uint64_t offset; /* where in the file it begins */
};

#define DEVICE_BYTES (24 << 20)

/* One of DEVICE_BYTES, its file in `dir`. Where none can be made, the test is skipped. */
void loop_take(struct loop_device *l, const char *dir);
void loop_remove(struct loop_device *l);
/* Another one, whose file is the first one from `offset` on. */
void loop_stack(struct loop_device *upper, const struct loop_device *below, uint64_t offset);
void loop_unstack(struct loop_device *upper);
/* Takes the file away from the device and puts it behind it again: another disk, same node. */
void loop_renew(struct loop_device *l);

void loop_write(const struct loop_device *l, uint64_t offset, const void *data, size_t len);
/* Of all bytes, read through the device: the same number, the same bytes, as far as it goes. */
uint64_t loop_sum(const struct loop_device *l);
/* Its first partition, whatever tables the kernel can read; the node's path into `path`. */
void loop_add_partition(const struct loop_device *l, uint64_t offset, uint64_t bytes, char *path,
			size_t size);

/* Runs a program to its end; its exit status, 127 where there is none. */
int run_program(const char *const *argv);

#endif
