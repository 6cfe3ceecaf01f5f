/*
 * The list in the value of a `stream` line: what a stream is beside the columns that it shares
 * with devices, as `key=text` with one blank between. A new key needs no new column.
 */
#include <errno.h>
#include <string.h>

#include "raidtop/number.h"
#include "raidtop/recording.h"
#include "recording_fields.h"

static bool must_be_escaped(unsigned char byte)
{
	return byte <= ' ' || byte == 0x7f || byte == '%' || byte == '=';
}

void record_list_add(struct buffer *list, const char *key, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";

	if (list->len > 0)
		buffer_add_char(list, ' ');
	buffer_add_text(list, key);
	buffer_add_char(list, '=');
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		char escape[3] = { '%', digits[byte >> 4], digits[byte & 15] };

		if (must_be_escaped(byte))
			buffer_add(list, escape, sizeof(escape));
		else
			buffer_add_char(list, *text);
	}
}

void record_list_add_u64(struct buffer *list, const char *key, uint64_t value)
{
	char text[NUMBER_BYTES];

	number_format_u64(text, value);
	record_list_add(list, key, text);
}

/* The still escaped text of a key and its length, or NULL. */
static const char *find(const char *list, const char *key, size_t *ret_len)
{
	size_t key_len = strlen(key);

	while (*list) {
		size_t len = strcspn(list, " ");

		if (len > key_len && list[key_len] == '=' && memcmp(list, key, key_len) == 0) {
			*ret_len = len - key_len - 1;
			return list + key_len + 1;
		}
		list += len;
		list += *list == ' ';
	}
	return NULL;
}

static char unescape(const char **at, const char *end)
{
	const char *text = *at;
	int high, low;

	*at = text + 1;
	if (text[0] != '%' || end - text < 3)
		return text[0];
	high = record_hex_digit(text[1]);
	low = record_hex_digit(text[2]);
	if (high < 0 || low < 0 || high + low == 0)
		return text[0];
	*at = text + 3;
	return (char)(high << 4 | low);
}

bool record_list_text(const char *list, const char *key, char *buf, size_t size)
{
	size_t len = 0, out = 0;
	const char *at = find(list, key, &len), *end = at ? at + len : NULL;

	if (size == 0)
		return false;
	while (at < end && out < size - 1)
		buf[out++] = unescape(&at, end);
	buf[out] = '\0';
	return end != NULL;
}

int record_list_u64(const char *list, const char *key, uint64_t *ret)
{
	size_t len;
	const char *text = find(list, key, &len);

	return text ? number_parse_u64(text, len, ret) : -ENOENT;
}
