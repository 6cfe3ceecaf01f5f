/* md's numbers and words turned into the words of --list. */
#ifndef RAIDTOP_PROVIDER_LINUX_MD_WORDS_H
#define RAIDTOP_PROVIDER_LINUX_MD_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "raidtop/topology.h"

/*
 * Turns what sysfs has for a level into its name, in place: an array that is being assembled has a
 * number there until its personality is known.
 */
void md_level_name(char *level, size_t size);

/*
 * The layout's name, as mdadm calls it: "left-symmetric", "n2", "o2", "f2", "n2,f2". "" for levels
 * without layouts and for numbers that have no name.
 */
void md_layout_name(char *dst, size_t size, const char *level, uint64_t layout);

/* array_state of sysfs; read-only states are active arrays. */
enum array_state md_array_state(const char *word);
enum array_readonly md_array_readonly(const char *word);
/* sync_action of sysfs; idle, frozen and unknown words are no action. */
enum action_kind md_action_kind(const char *word);

/*
 * The words of a member's state ("in_sync,write_mostly"); `role` is its place or UNKNOWN_I32. A
 * spare that has a place is being rebuilt.
 */
enum member_state md_member_state(const char *words, int32_t role);
uint32_t md_member_flags(const char *words, int32_t role);

/* The word in brackets of a list to choose from: "[write-through] write-back"; "" for none. */
void md_chosen_word(char *dst, size_t size, const char *words);

/*
 * mdadm's form of a UUID, 8:8:8:8 hexadecimal digits, from sysfs' (8-4-4-4-12) or mdadm's. "" where
 * it is none or nothing but zeros. The kernel shows that of 0.90 metadata (`metadata` of the array)
 * in the bytes of its four native words, mdadm as those words.
 */
void md_uuid(char *dst, size_t size, const char *text, const char *metadata);

#endif
