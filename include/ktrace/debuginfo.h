/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source of debug information: the small questions that it answers. A new source (BTF, a pack)
 * implements those that it can; resolve/ composes the answers and is written once. Callers ask
 * through debuginfo_NAME() (debuginfo/debuginfo.h), which also answers for a source that can't.
 *
 * Answers live in the arena that the source was opened with, or in the one that answer_in() gave
 * last; what the source keeps for itself lives in the first.
 */
#ifndef KTRACE_DEBUGINFO_H
#define KTRACE_DEBUGINFO_H

#include "ktrace/error.h"
#include "ktrace/loc.h"
#include "ktrace/target.h"
#include "ktrace/type.h"

/* A point of execution. Several statements can begin at one instruction; views (DWARF proposal
 * 170427.1, gcc's -gvariable-location-views) number the source-level states at that address. A
 * probe sees the same machine state in all of them, but a variable's location or value may differ
 * from one view to the next. */
struct position {
	uint64_t address;
	unsigned view;
	bool is_straight; /* known to be reached only from the instruction before it */
	unsigned line;    /* the line whose statement begins there, or 0 */
	bool is_entry;    /* instance's entry: arguments are set after the view, before any
			   * statement */
};
#define VIEW_LAST (~0u) /* after all views of the address: the state that the instruction sees */

/* Half-open, in the target's address space. */
struct range {
	uint64_t start;
	uint64_t end;
};

/* A function of the source language. */
struct function {
	const char *name;
	const char *file; /* where it is declared, as the compiler was given it */
	const char *directory; /* where the compiler ran */
	unsigned line;
	bool is_elsewhere; /* `line` isn't where it is declared: lines can't be counted from it */
	uint64_t source;  /* the source's handle; for DWARF, that of the abstract or only DIE */
};

/* One out-of-line or inlined copy of a function's code. */
struct instance {
	const struct function *function;
	const char *brief; /* its name without anonymous and inline namespaces; NULL: the same */
	bool inlined;
	uint64_t entry;
	unsigned entry_view;
	bool is_entry_told; /* by DW_AT_entry_pc; else it is the lowest address */
	bool is_entry_doubtful; /* calls may begin elsewhere; resolve may find out */
	/* further addresses at which calls begin: a call passes the entry or one of these; resolve
	 * finds them */
	const uint64_t *other_entries;
	unsigned nother_entries;
	struct range *ranges; /* empty where inlining left no instruction */
	unsigned nranges;
	bool is_by_gcc;
	bool is_by_llvm;        /* by clang, rustc... */
	bool is_fortran;        /* by gfortran */
	bool is_unoptimised;    /* none of its loops is unrolled */
	bool is_optimised;      /* calls in it that only compute may be gone */
	/* gcc split it, and inlined the second half back: a reason to call it inlined */
	bool is_split;
	/* its compiler names one register for all of a scope, whatever the code uses that for */
	bool has_rough_registers;
	const char *outer;        /* the out-of-line function around it: itself unless inlined */
	struct range *outer_ranges; /* the code of that function */
	unsigned nouter_ranges;
	uint64_t outer_source;
	unsigned call_line; /* inlined: where it is called; 0: not said */
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
	/* a copy of the function, inlined into the instance, ends here: it may be that copy's last
	 * line */
	bool may_be_inner;
	bool is_stray; /* outside the instance's ranges: its variables are unknown there */
	bool is_mark; /* is_stmt at a statement frontier: each execution of the statement passes
		       * it */
	/* the compiler's scheduler (not gcc's) leaves statements in their order */
	bool is_in_order;
	uint64_t end; /* where its instructions end; equal to address: a later row has them */
};

/* A function around an address. */
struct code_place {
	const char *function; /* NULL: it has no name */
	const char *file; /* of the address; of what is inlined in it, the call's. NULL: not said */
	unsigned line;
	bool is_inlined;
	uint64_t entry; /* not of an inlined one */
};

/* The frame of the out-of-line function around an address. cfa: its canonical frame address (DWARF
 * 5, 6.4), the same number throughout a call, as computed at that address; entry_cfa: as computed
 * at the entry. */
struct frame {
	uint64_t entry;
	const struct expr *cfa;
	const struct expr *entry_cfa;
	const char *reason; /* NULL, or why the CFA is unknown */
};

enum scope {
	SCOPE_PARAMETER,
	SCOPE_LOCAL,
	SCOPE_STATIC,
	SCOPE_GLOBAL,
};

struct variable {
	const char *name;
	const struct type *type;
	struct loc loc; /* at the position that was asked for */
	/* the addresses around the position for which debug information gives that location at
	 * once; end is 0: for all of its scope */
	struct range holds;
	unsigned holds_view; /* the view of its start; VIEW_LAST: no views are told */
	unsigned parts; /* of the code that have a location, apart from each other; 0: all */
	/* is_home, or one number wherever it has a value: the code of the block that declares it:
	 * behind it, the place may be another variable's */
	struct range *block;
	unsigned nblock; /* 0: all of the function's code */
	unsigned line; /* the position's or a later one, which declares it, where it has one place
			* for all of its scope; else 0 */
	uint64_t half; /* the part of its function, which gcc has split, that describes it once more
			* begins here; 0: none does */
	uint64_t source;
	unsigned declared; /* one number for all of its scope: the line that declares it, in the
			    * position's file; else 0 */
	enum scope scope;
	/* where debug information gives a location at all, it is the same operations */
	bool is_uniform;
	/* one place for all of its scope, in code whose optimiser may leave out stores to it */
	bool is_home;
	bool is_declared; /* only declared here: the symbol of that name may tell the address */
	bool is_outside; /* of the function: at file or namespace scope */
	bool is_artificial; /* made by the compiler, such as a method's `this` */
};

/* FILE:first-last; the file is matched by its last path components. */
struct file_lines {
	const char *file;
	unsigned first;
	unsigned last;
};

/* Lines of a source file, as debug information names it, that are the code of an address or of
 * what is declared near it. */
struct source_lines {
	const char *directory; /* what a relative file is relative to */
	const char *file;
	uint64_t address;
	unsigned first;
	unsigned last;
	bool is_unfetched; /* the file is only wanted if it is here already */
};

/* By what a file can be told from another one of its name. */
struct source_marks {
	const uint8_t *md5; /* 16 bytes, of the whole text; NULL: not said */
	struct source_name { /* declared at a line, in no order */
		unsigned line;
		const char *name;
		bool is_local; /* a function's variable: a macro may declare it */
	} *names;
	unsigned nnames;
	unsigned *lines; /* with code, in no order */
	unsigned nlines;
};

struct arena;
struct debuginfo;

/* A NULL member: the source can't answer that question. */
struct debuginfo_ops {
	const char *name;
	void (*close)(struct debuginfo *info);
	void (*answer_in)(struct debuginfo *info, struct arena *arena);
	/* Called before each of the questions below and after it; end() returns the question's
	 * error or one of its own. Both or neither. */
	void (*begin)(struct debuginfo *info);
	struct error *(*end)(struct debuginfo *info, struct error *error);
	/* These functions will be asked for by name: looking for all at once costs little more than
	 * for one. The names are copied. No question: no begin(), no end(). */
	void (*expect)(struct debuginfo *info, const char *const *names, unsigned count);
	/* Every instance of every function of that name, which may be a glob. *count is 0 when
	 * there is none; that isn't an error. */
	struct error *(*instances)(struct debuginfo *info, const char *name,
				   struct instance ***ret, unsigned *count);
	/* Every instance with a line table row at one of the lines in it. *file_known: some unit
	 * has rows of such a file. */
	struct error *(*instances_at_lines)(struct debuginfo *info, struct file_lines lines,
					    struct instance ***ret, unsigned *count,
					    bool *file_known);
	/* Every instance of the function whose out-of-line code begins at the address, whatever
	 * symbol it was found by (malloc is __libc_malloc's code). *count is 0 when there is
	 * none. */
	struct error *(*function_at)(struct debuginfo *info, uint64_t address,
				     struct instance ***ret, unsigned *count);
	/* The functions whose code is at an address: those inlined there, innermost first, and the
	 * one that they are inlined into. Assembler code has a line only. */
	struct error *(*places)(struct debuginfo *info, uint64_t address, struct code_place **ret,
				unsigned *count);
	/* What the unit of the lines' address says of their file: of all its lines. */
	struct error *(*source_marks)(struct debuginfo *info, const struct source_lines *lines,
				      struct source_marks *ret);
	/* The copies inlined directly into an instance. */
	struct error *(*inner)(struct debuginfo *info, const struct instance *instance,
			       struct instance ***ret, unsigned *count);
	/* The line table rows inside an instance, by address, including those of code inlined into
	 * it. Not to be changed: the same question has the same list. */
	struct error *(*rows)(struct debuginfo *info, const struct instance *instance,
			      struct row **ret, unsigned *count);
	/* The last address up to `address` with a row of the instance's unit, whatever function it
	 * is of: an instruction begins there. 0: not known. No question: no begin(), no end(). */
	uint64_t (*row_before)(struct debuginfo *info, const struct instance *instance,
			       uint64_t address);
	struct error *(*frame)(struct debuginfo *info, const struct instance *instance,
			       uint64_t address, struct frame *ret);
	/* All variables in scope at a position, inner before outer; externs: also those at file
	 * scope. */
	struct error *(*variables)(struct debuginfo *info, const struct instance *instance,
				   struct position at, bool externs, struct variable **ret,
				   unsigned *count);
	/* Whether the instance's unit describes any variable at all: -g1 leaves them out. */
	bool (*has_variables)(struct debuginfo *info, const struct instance *instance);
	/* The variable that `name` means there; *ret is NULL when there is none. externs: also
	 * outside the function. */
	struct error *(*variable)(struct debuginfo *info, const struct instance *instance,
				  struct position at, const char *name, bool externs,
				  struct variable **ret);
	/* The global variable of that name, of any unit; *ret is NULL when there is none. */
	struct error *(*global)(struct debuginfo *info, const char *name, struct variable **ret);
	/* The object that an implicit pointer points to; source: its loc.target; pointed: what the
	 * pointer's type says, for an object that has no type of its own, as a text. */
	struct error *(*object)(struct debuginfo *info, const struct instance *instance,
				struct position at, uint64_t source, const struct type *pointed,
				struct variable **ret);
	/* The type called "struct sock", "union x", "enum x", or "u32" (a typedef, a base type, a
	 * C++ class): that of the instance's unit, else (or if instance is NULL) that of any unit.
	 * *ret is NULL when no unit has it. ERROR_AMBIGUOUS: the instance's unit doesn't have it,
	 * and other units' differ in size. */
	struct error *(*type_named)(struct debuginfo *info, const struct instance *instance,
				    const char *name, const struct type **ret);
	/* A member by name, members of anonymous members included; *ret is NULL when there is
	 * none. */
	/* The same type, or where the function's own unit only declares it, what others define
	 * under its name. ERROR_AMBIGUOUS: in different ways. */
	struct error *(*definition)(struct debuginfo *info, const struct type *type,
				    const struct type **ret);
	struct error *(*member)(struct debuginfo *info, const struct type *type, const char *name,
				struct member **ret);
	/* All named members, in order. */
	struct error *(*members)(struct debuginfo *info, const struct type *type,
				 struct member **ret, unsigned *count);
	/* Where a base class lies in a class, in bytes; *found: it is a base. ERROR_AMBIGUOUS: it
	 * is one in several ways; ERROR_INEXPRESSIBLE: a virtual one, whose place isn't fixed. */
	struct error *(*base)(struct debuginfo *info, const struct type *type,
			      const struct type *base, bool *found, uint64_t *offset);
	/* The constants of an enum type, in order. */
	struct error *(*enumerators)(struct debuginfo *info, const struct type *type,
				     struct enumerator **ret, unsigned *count);
	/* The distinct numbers that enum constants of this name have across all units; at most two,
	 * enough to see that the name is ambiguous. */
	struct error *(*constant)(struct debuginfo *info, const char *name, uint64_t numbers[2],
				  unsigned *count);
	/* The type that a function returns; TYPE_VOID when it returns nothing. */
	struct error *(*return_type)(struct debuginfo *info, const struct function *function,
				     const struct type **ret);
	/* Calls each() for the functions whose names match the glob (NULL: all), for listing; a
	 * name may come several times, as that of a static function in a header does, once per
	 * unit. linkage: its symbol where that differs, or NULL; has_code: out of line; inlined:
	 * somewhere. */
	struct error *(*functions)(struct debuginfo *info, const char *glob,
				   void (*each)(void *cookie, const char *name, const char *linkage,
						bool has_code, bool inlined), void *cookie);
	/* Calls each() for the source file of each unit, as the compiler was told its name;
	 * headers are none. The path lives as long as the source. */
	void (*source_files)(struct debuginfo *info, void (*each)(void *cookie, const char *path),
			     void *cookie);
};

struct debuginfo {
	const struct debuginfo_ops *ops;
	const struct target *target;
	/* set behind the opening; NULL: nothing is said by calling conventions */
	const struct arch *arch;
	/* Why something is missing, with the remedy as its hint; NULL: nothing is. A source that
	 * lacks some of the functions always has one: it is the error that those questions
	 * return. */
	struct error *absent;
};

#endif
