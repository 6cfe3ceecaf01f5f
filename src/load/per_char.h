/* Reading and writing by the character, through a buffer, as programs do with getc and putc. */
#ifndef LOAD_PER_CHAR_H
#define LOAD_PER_CHAR_H

#include <stdint.h>

#include "random.h"

/* Takes each character out of the block by a call of its own. Their sum. */
uint64_t per_char_read(unsigned char *block, uint64_t bytes, struct random *random);
/* Puts random characters into the block, by a call each. Their sum. */
uint64_t per_char_write(unsigned char *block, uint64_t bytes, struct random *random);

#endif
