/*
 * The corpus lies outside of the repository and none of it is copied in, so a checkout without it
 * skips what reads it. Where it is, all of it must be readable.
 */
#include "corpus.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raidtop/file.h"
#include "raidtop/memory.h"
#include "raidtop/text.h"

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), n = strlen(suffix);

	return len > n && strcmp(name + len - n, suffix) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool corpus_open(struct corpus *c, const char *folder, const char *suffix)
{
	struct dirent *entry;
	DIR *dir;

	memset(c, 0, sizeof(*c));
	text_format(c->folder, sizeof(c->folder), "../shared/corpus/%s", folder);
	dir = opendir(c->folder);
	if (!dir) {
		print_message("  %s is not there\n", c->folder);
		return false;
	}
	while ((entry = readdir(dir))) {
		if (!has_suffix(entry->d_name, suffix))
			continue;
		c->names = memory_resize(c->names, c->n + 1, sizeof(*c->names));
		c->names[c->n] = memory_copy_text(entry->d_name);
		c->names[c->n][strlen(entry->d_name) - strlen(suffix)] = '\0';
		c->n++;
	}
	closedir(dir);
	qsort(c->names, c->n, sizeof(*c->names), by_name);
	return true;
}

void corpus_close(struct corpus *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->names[i]);
	free(c->names);
	memset(c, 0, sizeof(*c));
}

char *corpus_read(const struct corpus *c, size_t i, const char *suffix, size_t *ret_len)
{
	struct buffer b = BUFFER_INIT;
	char path[512];
	char *exact;

	assert_true(text_format(path, sizeof(path), "%s/%s%s", c->folder, c->names[i], suffix));
	assert_int_equal(file_read(path, 16 << 20, &b), 0);
	exact = memory_new(b.len ? b.len : 1, 1);
	if (b.len)
		memcpy(exact, b.data, b.len);
	*ret_len = b.len;
	buffer_release(&b);
	return exact;
}
