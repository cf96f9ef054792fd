/* SPDX-License-Identifier: GPL-2.0-only */
/* The most address space that this process may take, for while somebody else's file is read. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdint.h>

/* What it has now, and so much more. The limit before, for memory_unbound(). */
uint64_t memory_bound(uint64_t more);
/* So much more, where it is bound. */
void memory_extend(uint64_t more);
void memory_unbound(uint64_t limit);

#endif
