/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_SYSCALL_NAME_H
#define BASE_SYSCALL_NAME_H

#include <stdint.h>

/* "openat"; NULL: there is none of that number. */
const char *syscall_name(uint64_t number);

#endif
