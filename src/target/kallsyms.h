/* SPDX-License-Identifier: GPL-2.0-only */
/* The running kernel's symbols, modules' included. */
#ifndef TARGET_KALLSYMS_H
#define TARGET_KALLSYMS_H

#include <stdint.h>

#include "base/arena.h"

struct kallsyms;

/* NULL: not readable, or all addresses hidden (kptr_restrict). */
struct kallsyms *kallsyms_open(struct arena *arena);
/* "symbol+0x1f", in a buffer that the next call overwrites; NULL: in none. */
const char *kallsyms_name(struct kallsyms *kallsyms, uint64_t address);

#endif
