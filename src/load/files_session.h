/* Which raidtop a test file was made for, so that none takes away what another one still uses. */
#ifndef LOAD_FILES_SESSION_H
#define LOAD_FILES_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* "BOOT-PID-START"; 0 or -errno where there is no such process. */
int files_session_name(pid_t raidtop, char *name, size_t size);
/* Whether that one still runs (as far as this process can see others). */
bool files_session_is_alive(const char *name);

#endif
