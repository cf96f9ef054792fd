/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is probed: the kernel, a module or a program (or shared library), as an ELF file with symbols.
 * Addresses are those of the file; of an ET_REL module, those that libdwfl lays its sections out at.
 */
#ifndef KTRACE_TARGET_H
#define KTRACE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum target_kind {
	TARGET_KERNEL,
	TARGET_MODULE,
	TARGET_PROGRAM,
};

struct symbol {
	const char *name;
	uint64_t address;
	uint64_t size;
	uint32_t section; /* index in the main file; 0: absolute */
	bool is_function;
	bool is_global;
	bool is_resolver; /* STT_GNU_IFUNC: its code only chooses the one that is called */
};

/* A jump that the code itself does not show. */
struct edge {
	uint64_t from;
	uint64_t to;
};

struct Dwfl;
struct Dwfl_Module;

struct target {
	enum target_kind kind;
	const char *path;
	const char *module;   /* as the kernel calls it, '_' for '-'; NULL: the kernel itself */
	const char *build_id; /* hex, or NULL */
	uint16_t machine;     /* EM_* */
	struct symbol *symbols; /* by address */
	size_t nsymbols;
	uint32_t *names; /* hash table over symbols' names: index + 1, 0 is empty */
	size_t names_mask;
	struct Dwfl *dwfl; /* libdw's, for debuginfo/ */
	struct Dwfl_Module *dwfl_module;
	bool is_relocatable; /* ET_REL */
	bool is_fixed;       /* ET_EXEC: runs at the addresses of the file */
	bool has_edges;      /* edges were read */
	struct edge *edges;  /* by from */
	size_t nedges;
};

#endif
