/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of debuginfo/ that read DWARF. */
#ifndef DEBUGINFO_INTERNAL_H
#define DEBUGINFO_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/error.h"
#include "debuginfo/debuginfo.h"

struct unit; /* one compilation unit: its offsets and, once asked for, its line rows */

/* What one question may still cost; dwarf_budget.c. */
struct budget {
	uint64_t left;     /* steps */
	size_t memory;     /* the arenas', at most */
	const char *stack; /* where it began */
	bool is_spent;     /* for good: what was made of a part of the answer may have been kept */
};

struct dwarf_info {
	struct debuginfo base;
	struct arena *arena; /* of answers */
	struct arena *kept;  /* of what is found out once, for the next question */
	Dwarf *dwarf;
	Dwarf_Addr bias; /* of DWARF addresses against the target's */
	Dwarf_CFI *cfi[2]; /* .debug_frame, which may have a few functions only, and .eh_frame; or NULL */
	struct unit *units;
	size_t nunits;
	/* dwz moves what several units, or several files, have in common to units of its own: those of
	 * another file are alt's. Then no unit can be told by the names it mentions. */
	Dwarf *alt; /* NULL: none */
	Dwarf_Off *alt_units;
	size_t nalt_units;
	bool is_shared;
	bool has_far; /* link-time optimisation: some units have copies of other units' functions */
	bool is_far_known;
	struct split {
		Dwarf_Off tag; /* of its handles */
		Dwarf *dwarf;  /* the .dwo file's */
		size_t unit;   /* its skeleton's */
	} *splits; /* -gsplit-dwarf: units whose DIEs are in files of their own */
	size_t nsplits;
	size_t nmissing; /* such files that can't be read */
	struct searched *searched; /* search/names.c's, and what is still being searched for, or NULL */
	struct search *search;
	struct index *index; /* search/index.c's, or NULL */
	struct seen *seen;   /* dwarf_cache.c's, or NULL */
	struct files *files; /* dwarf_line_files.c's, or NULL */
	struct known_section {
		struct known_section *next;
		const char *name;
		Elf_Data *data; /* NULL: there is none */
	} *sections; /* those that were asked for */
	struct unit_code {
		struct range *ranges;
		unsigned nranges;
	} *code; /* by unit; NULL: not asked for yet */
	Dwarf_Off end_unit, end_function; /* whose end dwarf_owner.c looked for last */
	unsigned end;
	size_t nread; /* units that libdw knows: it reads all headers before the one it needs */
	bool may_bridge;  /* search/unit.c's */
	bool has_bridges;
	Dwarf *whole;     /* opened anew without them, or NULL; it is `dwarf` then */
	unsigned nturns; /* how often another arena was given for the answers */
	struct budget budget;
	struct whole_frame { /* dwarf_frame.c's last answer */
		const void *function;
		uint64_t reg;
		int64_t most;
	} whole_frame;
	bool is_mapped; /* .debug_info is a file's, unchanged: its pages can be given back */
};

struct unit {
	Dwarf_Off start; /* of the header in .debug_info */
	Dwarf_Off end;
	Dwarf_Off die;
	uint8_t version;
	bool is_candidate; /* scratch of candidate_units() */
	bool is_bridged;   /* libdw takes it for a part of another */
	bool is_split; /* die is a handle, of the .dwo file's */
	bool is_far; /* what its DIEs are copies of may be in another unit: has_far_units() knows */
	struct scopes *scopes; /* dwarf_scope.c's */
};

static inline struct dwarf_info *dwarf_info(struct debuginfo *info)
{
	return (struct dwarf_info *)info;
}

struct error *dwarf_error(struct dwarf_info *info, const char *what) must_check;

/* dwarf_cache.c: the variables of the function that are in scope at a position, those of the unit not
 * included. Both ways it is copied: the list is the caller's to change. */
void remember_variables(struct dwarf_info *info, const struct instance *instance, struct position at,
			const struct variable *list, unsigned count);
/* false: not seen yet. */
bool recall_variables(const struct dwarf_info *info, const struct instance *instance, struct position at,
		      struct variable **ret, unsigned *count);
/* NULL: not seen yet, or none of the function's has that name. */
struct variable *recall_variable(const struct dwarf_info *info, const struct instance *instance,
				 struct position at, const char *name);
/* Of the last name only, which may be a glob. */
void remember_instances(struct dwarf_info *info, const char *name, struct instance **list,
			unsigned count);
bool recall_instances(struct dwarf_info *info, const char *name, struct instance ***ret,
		      unsigned *count);

/* dwarf_type.c */
const struct type *dwarf_type_of(struct dwarf_info *info, Dwarf_Die *die);
/* The type that the DIE itself is. */
const struct type *dwarf_type_from(struct dwarf_info *info, Dwarf_Die *die);

/* dwarf_locview.c: the operations that describe a variable at a position. 1: *ops are set; 0: none do;
 * -1: some do that can't be read, *reason says why. */
int dwarf_ops_at(struct dwarf_info *info, Dwarf_Die *variable, Dwarf_Attribute *location,
		 struct position at, Dwarf_Op **ops, size_t *count, const char **reason);

/* dwarf_expr.c: what operations mean at pc. attribute: where they come from; frame: the DIE of the
 * enclosing concrete function, for DW_OP_fbreg. */
void dwarf_evaluate(struct dwarf_info *info, Dwarf_Attribute *attribute, Dwarf_Die *frame,
		    uint64_t pc, const Dwarf_Op *ops, size_t count, struct loc *ret);

/* dwarf_extern.c: gives what a module's debug information says of others' symbols the addresses of
 * target->externs, and what lies outside its section that of externs[0]. */
void mark_externs(struct dwarf_info *info);

#endif
