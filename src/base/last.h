/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends a process that can't go on. exit(3) undoes what must be undone. */
#ifndef BASE_LAST_H
#define BASE_LAST_H

#include <stddef.h>

/* Writes to standard error, unless that would block. */
void last_words(const char *text, size_t length);
_Noreturn void out_of_memory(void);

#endif
