/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is probed: the kernel, a module, or a program (or shared library), as an ELF file with
 * symbols. Addresses are the file's own; in an ET_REL module, those at which libdwfl lays out its
 * sections.
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
	uint32_t section; /* section index in the main file; 0: absolute */
	bool is_function;
	bool is_global;
	bool is_resolver; /* STT_GNU_IFUNC: its code only selects the function to call */
};

/* A jump that the code itself doesn't show. */
struct edge {
	uint64_t from;
	uint64_t to;
};

/* A symbol that an ET_REL file uses but doesn't define has no address in it. Each such name gets
 * one far from all others, so that a location can refer to it. */
#define EXTERN_BASE 0x4000000000000000u
#define EXTERN_SHIFT 32
#define EXTERN_MIDDLE 0x80000000u /* the object begins there: offsets from it may be negative */

/* A file's identity when it was opened. Only root can set `changed` (ctime) at will. */
struct file_id {
	uint64_t device;
	uint64_t inode;
	uint64_t size;
	int64_t modified[2]; /* seconds, nanoseconds */
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
struct granules;
struct kprobe_limits;
struct pack;
struct pack_image;
struct error;

struct target {
	struct arena *arena; /* the one it was opened with; what is read later is kept there */
	enum target_kind kind;
	const char *path;
	uint64_t memory_limit; /* bytes; this process's before the open: target_unbound() */
	struct file_id file;
	struct file_id debug_file; /* a separate one, once it was needed; else inode 0 */
	/* a separate one of the right name, whose checksum or build-id is another; or NULL */
	const char *refused_file;
	uint32_t owner;       /* the file's owner, or the debug file's if that is root; uid, gid */
	uint32_t owner_group;
	const char *module;   /* the kernel's name for it, '_' for '-'; NULL: the kernel itself */
	const char *build_id; /* hex, or NULL */
	uint16_t machine;     /* EM_* */
	struct pack *pack;    /* the one of its build-id; or NULL */
	struct pack_image *image; /* the debug information of it, once it was needed; or NULL */
	bool is_packed; /* its debug information, as libelf can't unpack it (zstd) */
	struct error *pack_error; /* why it can't be read; or NULL */
	bool may_fetch;       /* debuginfod may be asked for what isn't installed */
	bool uses_cache;      /* else what it gave earlier will do */
	/* Fetches the debug information of another build-id, which the target's own refers to.
	 * Returns a file descriptor, or -1. */
	int (*fetch_shared)(const struct target *target, const unsigned char *id, size_t length);
	const char *fetched;  /* where the debug information is that it gave; or NULL */
	const char *unfetched; /* why it gave none, the last time; or NULL */
	bool is_nowhere;       /* because no server has it */
	struct symbols *symbols; /* private to target/symbols.c */
	struct Dwfl *dwfl; /* libdwfl's handle; debuginfo/ uses it too */
	struct Dwfl_Module *dwfl_module;
	bool is_relocatable; /* ET_REL */
	const char **externs; /* ET_REL: externs[i] is at EXTERN_BASE + (i << EXTERN_SHIFT) +
			       * EXTERN_MIDDLE; externs[0] stands for what has no name */
	size_t nexterns;
	struct kernel_side *kernel_side; /* module: access to the kernel's symbols; or NULL */
	struct kallsyms_names *running; /* live: what names mean to the running kernel; or NULL */
	bool is_fixed;       /* ET_EXEC: runs at the addresses of the file */
	bool has_parts;      /* parts have been read */
	struct code_part *parts;
	size_t nparts;
	struct edge *edges;
	size_t nedges;
	struct granules *edges_at; /* NULL: edges haven't been read */
	struct kprobe_limits *limits; /* private to target/kprobe_limits.c; NULL: not read yet */
};

#endif
