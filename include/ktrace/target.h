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

/* What an ET_REL file uses and others define has no address in it. Each such name gets one far from
 * all others, so that a location can speak of it. */
#define EXTERN_BASE 0x4000000000000000u
#define EXTERN_SHIFT 32
#define EXTERN_MIDDLE 0x80000000u /* where the object begins: offsets from it may be negative */

/* A file as it was when it was opened. Nobody but root sets the last of them. */
struct file_id {
	uint64_t device;
	uint64_t inode;
	uint64_t size;
	int64_t modified[2]; /* s, ns */
	int64_t changed[2];
};

/* Code with call frame information of its own. */
struct code_part {
	uint64_t start;
	uint64_t end;
};

struct arena;
struct Dwfl;
struct Dwfl_Module;
struct kallsyms_names;

struct target {
	struct arena *arena; /* it was opened with: of what is read later, and kept */
	enum target_kind kind;
	const char *path;
	uint64_t memory_limit; /* of this process, before the file was opened: target_unbound() */
	struct file_id file;
	struct file_id debug_file; /* a separate one, once debug information was asked for; or inode 0 */
	uint32_t owner;       /* whoever, if not root, could have made either: a uid, and its group */
	uint32_t owner_group;
	const char *module;   /* as the kernel calls it, '_' for '-'; NULL: the kernel itself */
	const char *build_id; /* hex, or NULL */
	uint16_t machine;     /* EM_* */
	struct symbols *symbols; /* target/symbols.c's */
	struct Dwfl *dwfl; /* libdw's, for debuginfo/ */
	struct Dwfl_Module *dwfl_module;
	bool is_relocatable; /* ET_REL */
	const char **externs; /* ET_REL: externs[i] is at EXTERN_BASE + (i << EXTERN_SHIFT) +
			       * EXTERN_MIDDLE; the first is of nothing that can be named */
	size_t nexterns;
	struct kernel_side *kernel_side; /* of a module: how to get at the kernel's symbols; or NULL */
	struct kallsyms_names *running; /* live: what names mean to the running kernel; or NULL */
	bool is_fixed;       /* ET_EXEC: runs at the addresses of the file */
	bool has_parts;      /* parts were read */
	struct code_part *parts;
	size_t nparts;
	bool has_edges;      /* edges were read */
	struct edge *edges;
	size_t nedges;
	size_t edges_asked; /* how often; many: they are sorted */
};

#endif
