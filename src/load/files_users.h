/* Who holds a lock that we would have liked to have: for a sentence, nothing depends on it. */
#ifndef LOAD_FILES_USERS_H
#define LOAD_FILES_USERS_H

#include <stddef.h>

/* "raidtop-stream (process 1234)", or "another process" where the kernel does not tell. */
void files_users_find(int fd, char *who, size_t size);

#endif
