/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source of debug information, as the small questions it answers. A new source (BTF, a pack)
 * fills in those of these functions that it can answer; resolve/ composes the answers and is written once.
 * Callers ask by debuginfo_NAME() (debuginfo/debuginfo.h), which also answers for what a source can't.
 *
 * Everything returned lives in the arena that the source was opened with, or in the one it was last
 * told to answer in; what it keeps for itself, in the first.
 */
#ifndef KTRACE_DEBUGINFO_H
#define KTRACE_DEBUGINFO_H

#include "ktrace/error.h"
#include "ktrace/loc.h"
#include "ktrace/target.h"
#include "ktrace/type.h"

/* A point of execution. One instruction can begin several statements; views (DWARF proposal
 * 170427.1, gcc's -gvariable-location-views) number the states of the source program that share its
 * address. No instruction lies between them, so a probe sees the machine alike, but a variable is in
 * one place, or holds one value, in one of them and another in the next. */
struct position {
	uint64_t address;
	unsigned view;
	bool is_straight; /* known to be reached from the instruction before it, and no other way */
	unsigned line;    /* whose statement begins there, or 0 */
	bool is_entry;    /* of a copy: what it is given comes behind its view, and before its statements */
};
#define VIEW_LAST (~0u) /* behind all views of the address: what the instruction itself sees */

/* Half-open, in the target's address space. */
struct range {
	uint64_t start;
	uint64_t end;
};

/* A function of the source language. */
struct function {
	const char *name;
	const char *file; /* where it is declared, as the compiler was told */
	const char *directory; /* where the compiler ran */
	unsigned line;
	uint64_t source;  /* the source's handle: of DWARF, the offset of the abstract or only DIE */
};

/* One copy of a function's code: out of line, or inlined into another function. */
struct instance {
	const struct function *function;
	bool inlined;
	uint64_t entry;
	unsigned entry_view;
	struct range *ranges; /* empty where inlining left no instruction */
	unsigned nranges;
	const char *outer;        /* inlined: the name of the function it is part of */
	struct range *outer_ranges; /* code of that function, or its own */
	unsigned nouter_ranges;
	uint64_t outer_source;
	uint64_t source;
};

/* A row of the line table that lies inside an instance. */
struct row {
	uint64_t address;
	unsigned view;
	const char *file;
	unsigned line;
	unsigned column; /* 0: not said */
	bool is_stmt;
	bool is_stray; /* outside of the instance's ranges: nothing is known of its variables there */
	bool is_mark; /* is_stmt, and each execution of a statement has such a row, in source order */
	uint64_t end; /* its instructions are those up to here; address: a later row has them */
};

/* The frame of the function of the ELF file that an address is in. cfa: its canonical frame address
 * (DWARF 5, 6.4), one number through the whole call, as it is found at that address, and at
 * the entry. */
struct frame {
	uint64_t entry;
	const struct expr *cfa;
	const struct expr *entry_cfa;
	const char *reason; /* NULL, or why cfa can't be told */
};

enum scope {
	SCOPE_PARAMETER,
	SCOPE_LOCAL,
	SCOPE_STATIC,
	SCOPE_GLOBAL,
};

struct variable {
	const char *name;
	enum scope scope;
	const struct type *type;
	struct loc loc; /* at the position that was asked for */
	bool is_declared; /* only declared here: a symbol of the name may say where it is */
	uint64_t source;
};

struct arena;
struct debuginfo;

/* NULL: the source can't tell. */
struct debuginfo_ops {
	const char *name;
	void (*close)(struct debuginfo *info);
	void (*answer_in)(struct debuginfo *info, struct arena *arena);
	/* Every function of that name (which may be a glob), and every copy of each. ninstances is 0
	 * where there is none; that is no error. */
	struct error *(*instances)(struct debuginfo *info, const char *name,
				   struct instance ***ret, unsigned *count);
	/* Every copy of a function with a row of the line table at FILE:first..last inside it; file
	 * is matched by its last path components. *file_known: some unit has such a file. */
	struct error *(*instances_at_lines)(struct debuginfo *info, const char *file,
					    unsigned first, unsigned last, struct instance ***ret,
					    unsigned *count, bool *file_known);
	/* Every copy of the function whose code out of line begins at the address, whatever symbol it was
	 * found by (malloc is __libc_malloc's code). ninstances is 0 where there is none. */
	struct error *(*function_at)(struct debuginfo *info, uint64_t address,
				     struct instance ***ret, unsigned *count);
	/* The rows inside an instance, by address, those of code inlined into it included. */
	struct error *(*rows)(struct debuginfo *info, const struct instance *instance,
			      struct row **ret, unsigned *count);
	struct error *(*frame)(struct debuginfo *info, const struct instance *instance,
			       uint64_t address, struct frame *ret);
	/* All variables in scope at a position, inner before outer. */
	struct error *(*variables)(struct debuginfo *info, const struct instance *instance,
				   struct position at, bool externs, struct variable **ret,
				   unsigned *count);
	/* The variable that `name` means there; *ret is NULL where there is none. */
	struct error *(*variable)(struct debuginfo *info, const struct instance *instance,
				  struct position at, const char *name, struct variable **ret);
	/* The global variable of that name in whatever unit; or NULL. */
	struct error *(*global)(struct debuginfo *info, const char *name, struct variable **ret);
	/* The object that an implicit pointer leads to (loc.target); *ret is NULL: it is not described. */
	struct error *(*object)(struct debuginfo *info, const struct instance *instance,
				struct position at, uint64_t source, struct variable **ret);
	/* The type called "struct sock", "union x", "enum x", or (a typedef, a type of C++) "u32", as the
	 * unit of the instance (or NULL) has it, else as any has it; *ret is NULL where none does.
	 * ERROR_AMBIGUOUS: others have several, of different sizes. */
	struct error *(*type_named)(struct debuginfo *info, const struct instance *instance,
				    const char *name, const struct type **ret);
	/* A member by name, those of anonymous members included; *ret is NULL: no such member. */
	struct error *(*member)(struct debuginfo *info, const struct type *type, const char *name,
				struct member **ret);
	/* All named members, in order. */
	struct error *(*members)(struct debuginfo *info, const struct type *type,
				 struct member **ret, unsigned *count);
	/* The names of an enum type, in order. */
	struct error *(*enumerators)(struct debuginfo *info, const struct type *type,
				     struct enumerator **ret, unsigned *count);
	/* The different numbers that a name of an enum's has, over all units; enough of them to tell
	 * that there are several. */
	struct error *(*constant)(struct debuginfo *info, const char *name, uint64_t numbers[2],
				  unsigned *count);
	/* The type a function returns, TYPE_VOID for none. */
	struct error *(*return_type)(struct debuginfo *info, const struct function *function,
				     const struct type **ret);
	/* Each name of a function once, for listing; linkage: its symbol where that is another one, or
	 * NULL; inlined: some copy of it is. */
	struct error *(*functions)(struct debuginfo *info, const char *glob,
				   void (*each)(void *cookie, const char *name, const char *linkage,
						bool has_code, bool inlined), void *cookie);
};

struct debuginfo {
	const struct debuginfo_ops *ops;
	const struct target *target;
	/* Why not all is known, what to do about it as its hint; NULL: nothing is missing. A source without
	 * some of the functions always has one: it is their answer. */
	struct error *absent;
};

#endif
