/*
 * /proc/locks names each lock's process, device and inode:
 *	"1: FLOCK  ADVISORY  READ 1234 fe:00:5678 0 EOF"
 * The device is the filesystem's, which is not always what stat says (btrfs), and processes of
 * another namespace have no number here; then nobody is named.
 */
#include "files_users.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "raidtop/file.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#define LOCKS_BYTES_MAX (4 << 20)

/* The number that ends before `place`, in a text that begins at `start`. */
static bool number_before(const char *start, const char *place, uint64_t *ret)
{
	const char *from = place;

	while (from > start && from[-1] >= '0' && from[-1] <= '9')
		from--;
	return number_parse_u64(from, (size_t)(place - from), ret) == 0;
}

static void name_process(uint64_t pid, char *who, size_t size)
{
	char path[64], name[32];

	text_format(path, sizeof(path), "/proc/%" PRIu64 "/comm", pid);
	if (file_read_line(path, name, sizeof(name)) < 0)
		return;
	text_clean(name, sizeof(name), name);
	text_format(who, size, "%s (process %" PRIu64 ")", name, pid);
}

void files_users_find(int fd, char *who, size_t size)
{
	struct buffer locks = BUFFER_INIT;
	const char *found = NULL;
	char key[64];
	struct stat st;
	uint64_t pid;

	text_copy(who, size, "another process");
	if (fstat(fd, &st) == 0 && file_read("/proc/locks", LOCKS_BYTES_MAX, &locks) == 0) {
		text_format(key, sizeof(key), " %02x:%02x:%ju ", major(st.st_dev), minor(st.st_dev),
			    (uintmax_t)st.st_ino);
		found = strstr(buffer_text(&locks), key);
	}
	if (found && number_before(locks.data, found, &pid) && pid > 0)
		name_process(pid, who, size);
	buffer_release(&locks);
}
