/*
 * A process number alone is used again soon; together with the boot and with when the process
 * began, in clock ticks since then, it is not.
 */
#include "files_session.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

/* "starttime" of proc_pid_stat(5), counted from the state, which follows on the name. */
#define WORDS_BEFORE_START 19
#define BOOT_CHARACTERS 8

static int read_start(pid_t pid, uint64_t *ret)
{
	char path[64], line[1024];
	const char *at;
	int r;

	text_format(path, sizeof(path), "/proc/%d/stat", pid);
	r = file_read_line(path, line, sizeof(line));
	if (r < 0)
		return r;
	at = strrchr(line, ')'); /* the name may hold anything */
	at = at && at[1] == ' ' ? at + 2 : NULL;
	for (int i = 0; at && i < WORDS_BEFORE_START; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at ? number_parse_u64(at, strcspn(at, " "), ret) : -EINVAL;
}

int files_session_name(pid_t raidtop, char *name, size_t size)
{
	char boot[64];
	uint64_t start;
	int r = read_start(raidtop, &start);

	if (r < 0)
		return r;
	r = file_read_line("/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	if (r < 0)
		return r;
	text_format(name, size, "%.*s-%d-%" PRIu64, BOOT_CHARACTERS, boot, raidtop, start);
	return 0;
}

bool files_session_is_alive(const char *name)
{
	const char *at = strchr(name, '-');
	char now[128];
	int64_t pid;

	if (!at || number_parse_i64(at + 1, strcspn(at + 1, "-"), &pid) < 0 || pid <= 0 ||
	    pid > INT32_MAX)
		return false;
	return files_session_name((pid_t)pid, now, sizeof(now)) == 0 && strcmp(now, name) == 0;
}
