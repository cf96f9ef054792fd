/* SPDX-License-Identifier: GPL-2.0-only */
/* The limit of files that this process may have open at once (RLIMIT_NOFILE). */
#ifndef BASE_OPEN_FILES_H
#define BASE_OPEN_FILES_H

#include <stdint.h>

/* Raises the limit to the hard one. Returns the limit before. */
uint64_t open_files_allow(void);
void open_files_limit(uint64_t most);

#endif
