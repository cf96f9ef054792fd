/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of a process that can't go on. What must be undone is undone by exit(3). */
#ifndef BASE_LAST_H
#define BASE_LAST_H

#include <stddef.h>

/* On standard error, unless that would have to wait for its reader. */
void last_words(const char *text, size_t length);
_Noreturn void out_of_memory(void);

#endif
