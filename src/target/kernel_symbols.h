/* SPDX-License-Identifier: GPL-2.0-only */
/* The running kernel's symbols, including those of modules. */
#ifndef TARGET_KERNEL_SYMBOLS_H
#define TARGET_KERNEL_SYMBOLS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/kallsyms.h"

struct kallsyms;

/* Returns NULL when not readable, or when all addresses are hidden (kptr_restrict). */
struct kallsyms *kallsyms_open(struct arena *arena);
/* "symbol+0x1f", in a buffer that the next call overwrites; NULL when in no symbol. */
const char *kallsyms_name(struct kallsyms *kallsyms, uint64_t address);

/* The symbol that the address is in. Returns false when in none. */
bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address, struct ksym *ret);

/* Where the kernel's own code begins (_stext); 0: not known. */
uint64_t kallsyms_start(const struct kallsyms *kallsyms);

/* What names mean to the running kernel; /proc/kallsyms is read when one is first asked for. */
struct kallsyms_names;
struct kallsyms_names *kallsyms_names_new(struct arena *arena);

struct kallsyms_meaning {
	unsigned inside;  /* symbols of that name in the module (NULL: in the kernel itself) */
	unsigned outside; /* and elsewhere */
	uint64_t address; /* of the first inside, else outside; 0: none or hidden (kptr_restrict) */
};
void kallsyms_mean(struct kallsyms_names *names, const char *name, const char *module,
		   struct kallsyms_meaning *ret);

#endif
