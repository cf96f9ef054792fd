/* SPDX-License-Identifier: GPL-2.0-only */
/* Included in front of every file: bans calls that overrun buffers or keep hidden state. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets

#endif
