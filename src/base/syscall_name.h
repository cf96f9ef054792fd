/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_SYSCALL_NAME_H
#define BASE_SYSCALL_NAME_H

#include <stdint.h>

/* "openat". Returns NULL when the number has no name. */
const char *syscall_name(uint64_t number);

#endif
