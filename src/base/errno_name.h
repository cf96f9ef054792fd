/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of error numbers, the kernel's own (512 and up) included. */
#ifndef BASE_ERRNO_NAME_H
#define BASE_ERRNO_NAME_H

#define ERRNO_MAX 4095 /* include/linux/err.h: MAX_ERRNO */

/* "ENOENT". Returns NULL when the number has no name. */
const char *errno_name(int number);
/* Returns 0 when there is no such name. */
int errno_number(const char *name);

#endif
