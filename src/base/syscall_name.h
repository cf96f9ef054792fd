/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_SYSCALL_NAME_H
#define BASE_SYSCALL_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* "openat". Returns NULL when the number has no name. */
const char *syscall_name(uint64_t number);

/* Whether the glob is for the function: it matches its name or, of one that SYSCALL_DEFINE makes
 * (__x64_sys_openat,
 * __do_sys_openat), the system call's, "sys_openat" or "openat". */
bool syscall_glob_matches(const char *glob, const char *function);

#endif
