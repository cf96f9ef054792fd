/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of debuginfo/ that read DWARF. */
#ifndef DEBUGINFO_INTERNAL_H
#define DEBUGINFO_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/error.h"
#include "debuginfo/debuginfo.h"

struct unit; /* one compilation unit: its offsets, and what is known about it */

/* What is left to spend on one question; dwarf_budget.c. */
struct budget {
	uint64_t left;     /* steps */
	size_t memory;     /* bytes: the most that the arenas may hold */
	const char *stack; /* where the stack was at the beginning */
	bool is_spent;     /* for good: an incomplete answer may have been kept */
};

enum { CFA_ROWS_KEPT = 16 };

/* dwarf_neighbours.c: what has code beside the instances of one function in an out-of-line one. */
struct neighbours {
	Dwarf_Off outer;    /* the out-of-line one; 0: nothing is known */
	Dwarf_Off function; /* that of the instances, and its line */
	unsigned line;
	/* the functions of the same file, declared behind it: rows of their lines aren't the
	 * instances' */
	struct other_list {
		struct other {
			unsigned line;
			unsigned end; /* see local_end() */
			uint64_t entry;
			struct range *ranges;
			unsigned nranges;
		} *list;
		unsigned count;
	} others;
	bool has_copies; /* else they weren't listed */
	struct copy {
		Dwarf_Off source;
		uint64_t entry;
		unsigned entry_view;
		struct range *ranges;
		unsigned nranges;
	} *copies; /* the instances, the out-of-line function itself included */
	unsigned ncopies;
	struct stretch {
		uint64_t start;
		Dwarf_Off source;
		uint64_t reach; /* the furthest end of this one and those before it, and whose */
		Dwarf_Off reaching;
	} *stretches; /* of their code, sorted */
	unsigned nstretches;
	/* dwarf_line.c: the rows of the line table in the out-of-line one, as they are for all
	 * instances */
	struct outer_row {
		struct row row;
		bool is_own; /* its line may be the function's */
		struct nearest {
			Dwarf_Off source; /* 0: there are no copies */
			uint64_t away;    /* bytes; 0: it has the address */
		} nearest; /* if it may: the nearest copy, the first of those as near */
	} *rows;
	unsigned nrows;
	bool are_rows_listed;
	bool has_marks; /* see look_for_marks() */
	struct arena arena; /* has the lists */
};

struct dwarf_info {
	struct debuginfo base;
	struct arena *arena; /* for answers */
	struct arena *kept;  /* for what is found out once and used by later questions */
	Dwarf *dwarf;
	Dwarf_Addr bias; /* add to a DWARF address for the target's */
	Dwarf_CFI *cfi[2]; /* .debug_frame, which may cover a few functions only, and .eh_frame; or
			    * NULL */
	struct unit *units;
	size_t nunits;
	/* dwz moves what several units, or several files, share to units of its own; those in
	 * another file are alt's. Then the names that a unit mentions don't tell what it needs. */
	Dwarf *alt; /* NULL: none */
	Dwarf *fetched_alt; /* the same, if debuginfod gave it: ours to close */
	Dwarf_Off *alt_units;
	size_t nalt_units;
	bool is_shared;
	struct far *far; /* dwarf_far.c's, or NULL: not asked for yet */
	bool has_far; /* link-time optimisation: some units hold other units' functions */
	bool is_far_known;
	struct split {
		Dwarf_Off tag; /* bits in its handles */
		Dwarf *dwarf;  /* the .dwo file's */
		size_t unit;   /* its skeleton's */
	} *splits; /* -gsplit-dwarf: units with their DIEs in files of their own */
	size_t nsplits;
	uint64_t *begins; /* dwarf_begin.c's, once they were needed */
	size_t nbegins;
	bool are_begins_listed;
	size_t nmissing; /* how many such files can't be read */
	struct pack_image *pack; /* whose units are filled in when they are asked for; or NULL */
	bool is_pack_damaged;
	/* what the question is about, which a pack of --only may know in part */
	const char *beyond;
	struct searched *searched; /* search/names.c's, and the search still running, or NULL */
	struct search *search;
	struct index *index; /* search/name_cache.c's, or NULL */
	struct seen *seen;   /* dwarf_cache.c's, or NULL */
	struct local_scopes *local_scopes; /* dwarf_local_scope.c's, or NULL */
	const struct tree *tree; /* dwarf_tree.c's, or NULL */
	struct neighbours neighbours;
	struct files *files; /* dwarf_line_files.c's, or NULL */
	struct line_rows *rows; /* dwarf_line_rows.c's, or NULL */
	struct siblings *siblings; /* dwarf_sibling.c's, or NULL */
	struct kept_children *children; /* dwarf_children.c's, or NULL */
	struct known_section {
		struct known_section *next;
		const char *name;
		Elf_Data *data; /* NULL: the file has none */
		bool is_asked; /* whether its bytes are a mapped file's, which can be given back */
		bool is_mapped;
	} *sections; /* the sections asked for so far */
	struct unit_code {
		struct range *ranges;
		unsigned nranges;
	} *code; /* by unit; NULL: not asked for yet */
	Dwarf_Off end_unit, end_function; /* dwarf_owner.c: of the last end that was looked for */
	unsigned end;
	struct unit_functions {
		Dwarf_Off unit;
		struct unit_function {
			Dwarf_Die die;
			Dwarf_Off end, origin;
			int line;         /* 0: not said, or a mere declaration */
			const char *file; /* NULL: not asked for yet, or not said */
		} *list;
		unsigned count;
	} functions; /* dwarf_owner.c: the last unit's */
	size_t nread; /* how many units libdw has read: all up to the last one asked for */
	bool may_bridge;  /* search/unit.c: bridges may be built */
	bool has_bridges;
	Dwarf *whole;     /* opened again without bridges, or NULL; then it is also `dwarf` */
	unsigned nturns; /* how often answer_in() was called */
	struct budget budget;
	struct whole_frame { /* dwarf_frame.c's last answer */
		const void *function;
		uint64_t reg;
		int64_t offset;
	} whole_frame;
	/* rows of the call frame information that dwarf_frame.c has read: the CFA is reg + offset
	 * from start to end */
	struct cfa_row {
		uint64_t start, end, reg;
		int64_t offset;
		Dwarf_Op op;
		bool has_saved; /* a register of the caller's is on the stack */
	} cfa_rows[CFA_ROWS_KEPT];
	unsigned ncfa_rows; /* how often one was put there */
	struct one_frame *one_frame; /* dwarf_one_frame.c's, or NULL */
	bool is_mapped; /* of .debug_info: a mapped file's bytes, unchanged, which can be given
			 * back */
};

struct unit {
	Dwarf_Off start; /* of the header in .debug_info */
	Dwarf_Off end;
	Dwarf_Off die;
	uint8_t version;
	bool is_candidate; /* scratch of candidate_units() */
	bool is_bridged;   /* libdw takes it for part of another unit */
	bool is_split; /* die is a handle, into the .dwo file */
	bool is_far; /* its DIEs' origins may be in another unit: see has_far_units() */
	struct scopes *scopes; /* dwarf_scope.c's */
};

static inline struct dwarf_info *dwarf_info(struct debuginfo *info)
{
	return (struct dwarf_info *)info;
}

struct error *dwarf_error(struct dwarf_info *info, const char *what) must_check;

/* dwarf_partial.c: for packs of --only. Notes that the question is about what such a pack may know
 * in part: it then has an error for an answer. */
void note_beyond(struct dwarf_info *info, const char *what);
/* Does so unless all that has the name, or such names, is in the pack. */
void note_named(struct dwarf_info *info, const char *name);
/* Whether the pack has all of that name. */
bool has_all_named(const struct dwarf_info *info, const char *name);
struct error *beyond_pack(struct dwarf_info *info) must_check;

/* dwarf_cache.c: remembers the variables of the function in scope at a position, without the
 * unit's. Copies the list in both directions: a caller may change its own. */
void remember_variables(struct dwarf_info *info, const struct instance *instance,
			struct position at, const struct variable *list, unsigned count);
/* Returns false when not seen yet. */
bool recall_variables(const struct dwarf_info *info, const struct instance *instance,
		      struct position at, struct variable **ret, unsigned *count);
/* The answer to the question for one name there, without the unit's. variable: NULL: there is none;
 * it is copied. */
void remember_variable(struct dwarf_info *info, const struct instance *instance,
		       struct position at, const char *name, const struct variable *variable);
/* Returns false when not seen yet. externs: the question is for the unit's, too. */
bool recall_variable(struct dwarf_info *info, const struct instance *instance,
		     struct position at, const char *name, bool externs, struct variable **ret);
/* Only the last two instances' rows are remembered. They aren't copied: all callers read the same
 * ones. */
void remember_rows(struct dwarf_info *info, const struct instance *instance, struct row *rows,
		   unsigned count);
bool recall_rows(struct dwarf_info *info, const struct instance *instance, struct row **ret,
		 unsigned *count);
/* Only the last name, which may be a glob, is remembered. */
void remember_instances(struct dwarf_info *info, const char *name, struct instance **list,
			unsigned count);
bool recall_instances(struct dwarf_info *info, const char *name, struct instance ***ret,
		      unsigned *count);

/* dwarf_type.c */
/* Whether the base type's bytes are in big-endian order. */
bool is_big_endian(Dwarf_Die *die);
/* dwarf_array.c: the array whose DIE and element are given; TYPE_OTHER where its elements can't be
 * found. */
const struct type *dwarf_array(struct dwarf_info *info, Dwarf_Die *die, const struct type *element);
const struct type *dwarf_type_of(struct dwarf_info *info, Dwarf_Die *die);
/* dwarf_bytes.c: where an object is that is described by its bytes alone, and its type: NULL if it
 * isn't such, or its bytes aren't whole elements. */
const struct type *dwarf_bare_bytes(struct dwarf_info *info, Dwarf_Die *die,
				    const struct type *element, struct loc *ret);
/* The type that the DIE itself describes; dwarf_type_of(): that of its DW_AT_type. */
const struct type *dwarf_type_from(struct dwarf_info *info, Dwarf_Die *die);

/* dwarf_locview.c: the operations that describe a variable at a position. Returns 1 with ret->ops
 * set; 0 when nothing describes it there; -1 when something does that can't be read. ret->reason
 * says why for the last two. */
struct described {
	Dwarf_Attribute *attribute; /* the location that they are of */
	Dwarf_Op *ops;
	size_t count;
	struct range holds; /* this and the next three are as of struct variable */
	unsigned holds_view;
	bool is_uniform;
	unsigned parts;
	const char *reason;
};
int dwarf_ops_at(struct dwarf_info *info, Dwarf_Die *variable, Dwarf_Attribute *location,
		 struct position at, struct described *ret);

/* dwarf_locate.c: sets the variable's location, of its type at the position, and what is known of
 * where it holds. instance: NULL outside functions. */
void dwarf_locate(struct dwarf_info *info, const struct instance *instance, Dwarf_Die *die,
		  struct position at, struct variable *ret);

/* dwarf_untold.c */
bool has_no_arguments(struct dwarf_info *info, Dwarf_Die *function);
/* Whether the variable may be elsewhere than in the register that its description names; *ret:
 * where it is, or why that isn't known. */
bool untold_register(struct dwarf_info *info, const struct instance *instance, Dwarf_Die *die,
		     const struct described *described, struct position at, struct loc *ret);

/* dwarf_width.c: makes what is calculated on a width that debug information doesn't tell have a
 * value only where the width doesn't matter. */
void leave_out_unsure_widths(struct dwarf_info *info, Dwarf_Die *die, const struct type *type,
			     struct loc *loc);

/* dwarf_expr.c: evaluates a description's operations at pc. frame: the DIE of the enclosing
 * concrete function, for DW_OP_fbreg, or NULL. */
void dwarf_evaluate(struct dwarf_info *info, const struct described *described, Dwarf_Die *frame,
		    uint64_t pc, struct loc *ret);

/* dwarf_extern.c: in a module's debug information, replaces references to other files' symbols by
 * the addresses of target->externs, and what lies outside its section by that of externs[0]. */
void mark_externs(struct dwarf_info *info);

#endif
