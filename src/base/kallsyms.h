/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/kallsyms: the running kernel's symbols, modules' included. */
#ifndef BASE_KALLSYMS_H
#define BASE_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* A line: "ffffffff81000000 T _stext", with "\t[module]" for a module's symbol. */
struct ksym {
	uint64_t address; /* 0: hidden (kptr_restrict) */
	char type;        /* as in nm(1) */
	const char *name; /* in the text, `length` bytes */
	size_t length;
	const char *module; /* the same; NULL: the kernel's own */
	size_t module_length;
};

/* The whole text. Returns NULL when it can't be read. */
char *kallsyms_read(struct arena *arena);
/* The first symbol from *at on; moves *at behind its line. Returns false when there is none. */
bool kallsyms_next(const char **at, struct ksym *ret);
/* Likewise, the first with that name. text: where the lines begin. */
bool kallsyms_next_named(const char *text, const char **at, const char *name, struct ksym *ret);

#endif
