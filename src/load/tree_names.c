/*
 * Every name ends in its number, and the number with the seed gives back the whole name: so each
 * name found on disk is looked up without a list, and one that is a letter off is not ours.
 *
 * A tree of sources has five folders in each folder (so that 1000 folders are five deep), 1 to 30
 * files in each, and sizes after a table of quantiles: the median is 5 KiB, one file in a hundred
 * has over 120 KiB, and the mean is about 14 KiB.
 */
#include "tree_names.h"

#include "random.h"
#include "raidtop/number.h"
#include "raidtop/text.h"

#include <string.h>

#define FOLDERS_IN_FOLDER 5
#define SOURCE_FILES_MAX 30

/* What is asked for about one folder; each file takes one more. */
enum { ABOUT_NAME, ABOUT_FILES, ABOUT_ENDING, ABOUT_KINDS };

static uint64_t random_at(uint64_t seed, uint64_t index)
{
	return random_mix(seed ^ random_mix(index));
}

static uint64_t folder_seed(const struct tree_names *t, unsigned int folder)
{
	return random_at(t->seed, folder);
}

static uint64_t about_file(const struct tree_names *t, unsigned int folder, unsigned int file,
			   unsigned int what)
{
	return random_at(folder_seed(t, folder), ABOUT_KINDS * (uint64_t)(file + 1) + what);
}

struct tree_names tree_names_flat(uint64_t files, uint64_t seed)
{
	struct tree_names t = { .kind = TREE_FLAT, .seed = seed };

	t.files = files < TREE_FILES_MAX ? (unsigned int)files : TREE_FILES_MAX;
	t.folders = (t.files + TREE_FLAT_FILES - 1) / TREE_FLAT_FILES;
	return t;
}

struct tree_names tree_names_sources(uint64_t bytes, uint64_t seed)
{
	struct tree_names t = { .kind = TREE_SOURCES, .seed = seed };
	uint64_t sum = 0;

	do {
		unsigned int n = tree_folder_files(&t, t.folders);

		for (unsigned int i = 0; i < n; i++)
			sum += tree_file_bytes(&t, t.folders, i);
		t.folders++;
		t.files += n;
	} while (sum < bytes && t.folders < TREE_FOLDERS_MAX);
	return t;
}

int tree_folder_parent(const struct tree_names *t, unsigned int folder)
{
	if (t->kind == TREE_FLAT || folder == 0)
		return -1;
	return (int)((folder - 1) / FOLDERS_IN_FOLDER);
}

unsigned int tree_folder_files(const struct tree_names *t, unsigned int folder)
{
	uint64_t left;

	if (t->kind == TREE_SOURCES)
		return 1 + (unsigned int)(random_at(folder_seed(t, folder), ABOUT_FILES) %
					  SOURCE_FILES_MAX);
	left = t->files - (uint64_t)folder * TREE_FLAT_FILES;
	return left < TREE_FLAT_FILES ? (unsigned int)left : TREE_FLAT_FILES;
}

uint64_t tree_file_bytes(const struct tree_names *t, unsigned int folder, unsigned int file)
{
	/* Sizes at 0, 10, 25, 50, 75, 90, 97, 99 and 100 % of the files; straight in between. */
	static const struct {
		unsigned int permille;
		uint64_t bytes;
	} table[] = {
		{ 0, 60 },      { 100, 600 },    { 250, 1700 },
		{ 500, 5000 },  { 750, 13000 },  { 900, 32000 },
		{ 970, 75000 }, { 990, 120000 }, { 1000, TREE_SOURCE_BYTES_MAX },
	};
	uint64_t at = about_file(t, folder, file, ABOUT_FILES) % 1000000;
	size_t i = 1;

	while (at >= table[i].permille * 1000ULL)
		i++;
	return table[i - 1].bytes + (table[i].bytes - table[i - 1].bytes) *
					    (at - table[i - 1].permille * 1000ULL) /
					    ((table[i].permille - table[i - 1].permille) * 1000ULL);
}

/* Two to four syllables, so that names are as long, and as unlike each other, as names are. */
static void add_word(char name[TREE_NAME_BYTES], uint64_t random)
{
	static const char syllables[][4] = { "ab",  "con", "dev", "em", "fre", "get", "in",  "ker",
					     "lo",  "map", "net", "op", "pro", "qua", "ra",  "sys",
					     "tab", "un",  "ver", "wo", "xen", "yi",  "zo",  "ar",
					     "bus", "cli", "dis", "es", "fil", "gen", "hub", "it" };
	unsigned int n = 2 + (unsigned int)(random % 3);
	size_t len = 0;

	random >>= 8;
	for (unsigned int i = 0; i < n; i++, random >>= 5) {
		text_copy(name + len, TREE_NAME_BYTES - len, syllables[random % 32]);
		len += strlen(name + len);
	}
}

/* "WORD-12" and an ending. */
static void build_name(char name[TREE_NAME_BYTES], uint64_t random, unsigned int number,
		       const char *ending)
{
	char word[TREE_NAME_BYTES], digits[NUMBER_BYTES];

	add_word(word, random);
	number_format_u64(digits, number);
	text_format(name, TREE_NAME_BYTES, "%s-%s%s", word, digits, ending);
}

void tree_folder_name(const struct tree_names *t, unsigned int folder, char name[TREE_NAME_BYTES])
{
	build_name(name, random_at(folder_seed(t, folder), ABOUT_NAME), folder, "");
}

void tree_file_name(const struct tree_names *t, unsigned int folder, unsigned int file,
		    char name[TREE_NAME_BYTES])
{
	static const char *const endings[] = { ".c", ".c", ".c", ".h", ".h", ".txt", ".mk", "" };
	uint64_t ending = about_file(t, folder, file, ABOUT_ENDING) % 8;

	build_name(name, about_file(t, folder, file, ABOUT_NAME), file,
		   t->kind == TREE_SOURCES ? endings[ending] : "");
}

/* The number behind the first hyphen. */
static bool find_number(const char *name, unsigned int limit, unsigned int *ret)
{
	const char *at = strchr(name, '-');
	uint64_t number;

	if (!at || number_parse_u64(at + 1, strcspn(at + 1, "."), &number) < 0 || number >= limit)
		return false;
	*ret = (unsigned int)number;
	return true;
}

bool tree_find_folder(const struct tree_names *t, int parent, const char *name,
		      unsigned int *ret_folder)
{
	char expected[TREE_NAME_BYTES];
	unsigned int folder;

	if (!find_number(name, t->folders, &folder) || tree_folder_parent(t, folder) != parent)
		return false;
	tree_folder_name(t, folder, expected);
	if (strcmp(name, expected) != 0)
		return false;
	*ret_folder = folder;
	return true;
}

bool tree_find_file(const struct tree_names *t, unsigned int folder, const char *name)
{
	char expected[TREE_NAME_BYTES];
	unsigned int file;

	if (folder >= t->folders || !find_number(name, tree_folder_files(t, folder), &file))
		return false;
	tree_file_name(t, folder, file, expected);
	return strcmp(name, expected) == 0;
}
