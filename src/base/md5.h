/* SPDX-License-Identifier: GPL-2.0-only */
/* MD5 (RFC 1321), by which line tables tell which file was compiled. */
#ifndef BASE_MD5_H
#define BASE_MD5_H

#include <stddef.h>
#include <stdint.h>

enum { MD5_SIZE = 16 }; /* bytes */

void md5_of(const void *bytes, size_t length, uint8_t ret[MD5_SIZE]);

#endif
