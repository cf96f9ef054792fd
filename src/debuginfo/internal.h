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

/* dwarf_ask.c: the functions below, each with a budget. */
extern const struct debuginfo_ops dwarf_ops;

/* dwarf.c */
void dwarf_close(struct debuginfo *info);
void dwarf_answer_in(struct debuginfo *info, struct arena *arena);

/* A DIE's offset; where it is in the alt file, with a bit that no offset has; where it is in a .dwo file,
 * with bits that are made of the unit's identifier. */
#define HANDLE_ALT ((Dwarf_Off)1 << 63)
#define SPLIT_SHIFT 32
#define SPLIT_MASK  (0x3fffffff * ((Dwarf_Off)1 << SPLIT_SHIFT))
/* dwarf_split.c: these bits; 0: the unit is no .dwo file's. */
Dwarf_Off split_tag(Dwarf_CU *unit);
/* Finds the .dwo files of the units that are skeletons. An error where some can't be read; the others can. */
struct error *find_splits(struct dwarf_info *info) must_check;
/* By a handle's bits, or NULL. */
const struct split *split_of(const struct dwarf_info *info, Dwarf_Off handle);
/* A section of the file that the unit's DIEs are in. */
Elf_Data *unit_section(struct dwarf_info *info, Dwarf_CU *unit, const char *name);
static inline bool is_alt(const struct dwarf_info *info, Dwarf_CU *unit)
{
	return info->alt && dwarf_cu_getdwarf(unit) == info->alt;
}

/* The same where it is an offset of .debug_types, a section that DWARF 4 alone has. */
#define HANDLE_TYPES ((Dwarf_Off)1 << 62)
static inline bool is_of_types(Dwarf_CU *unit)
{
	Dwarf_Half version;
	uint8_t kind;

	return !dwarf_cu_info(unit, &version, &kind, NULL, NULL, NULL, NULL, NULL) && version < 5 &&
	       kind == DW_UT_type;
}

static inline Dwarf_Off die_handle(const struct dwarf_info *info, Dwarf_Die *die)
{
	return dwarf_dieoffset(die) | split_tag(die->cu) | (is_alt(info, die->cu) ? HANDLE_ALT : 0) |
	       (is_of_types(die->cu) ? HANDLE_TYPES : 0);
}

/* search/unit.c: the DIE of a handle that isn't the alt file's; NULL: there is none. */
Dwarf_Die *die_at(struct dwarf_info *info, Dwarf_Off offset, Dwarf_Die *ret);

static inline Dwarf_Die *handle_die(struct dwarf_info *info, Dwarf_Off handle, Dwarf_Die *ret)
{
	if (handle & HANDLE_ALT)
		return dwarf_offdie(info->alt, handle & ~HANDLE_ALT, ret);
	if (handle & HANDLE_TYPES)
		return dwarf_offdie_types(info->dwarf, handle & ~HANDLE_TYPES, ret);
	return die_at(info, handle, ret);
}

/* dwarf_scope.c */
bool holds_functions(int tag);
/* Whether it is said that the unit is C, where no type has functions. */
bool is_c(Dwarf_Die *unit);
/* Whether names have scopes in the language of the DIE's unit. */
bool has_scopes(Dwarf_Die *die);
/* "Foo::bar" is "wanted" itself, or ends in it at a scope. */
bool is_scope_tail(const char *name, const char *wanted);
/* "Foo::bar" of a method, "bar" of a function of C. NULL: it has no name. */
const char *scoped_name(struct dwarf_info *info, Dwarf_Die *die);
/* "bar" of "Foo<a::b>::bar" */
const char *last_component(const char *name);

/* dwarf_func.c */
struct error *dwarf_instances(struct debuginfo *info, const char *name, struct instance ***ret,
			      unsigned *count) must_check;

/* dwarf_func_list.c */
struct error *dwarf_functions(struct debuginfo *info, const char *glob,
			      void (*each)(void *cookie, const char *name, const char *linkage,
					   bool has_code, bool inlined), void *cookie) must_check;

/* dwarf_func_at.c */
struct error *dwarf_function_at(struct debuginfo *info, uint64_t address, struct instance ***ret,
				unsigned *count) must_check;
struct error *dwarf_instances_at_lines(struct debuginfo *info, const char *file, unsigned first,
				       unsigned last, struct instance ***ret, unsigned *count,
				       bool *file_known) must_check;

/* dwarf_budget.c: all walks go by it. A question begins and ends, and has what is left of its error. */
void budget_begin(struct dwarf_info *info);
struct error *budget_end(struct dwarf_info *info, struct error *error);
/* false: it is spent, and the walk ends. */
bool budget_take(struct dwarf_info *info, uint64_t steps);
/* As dwarf_child() and dwarf_siblingof(); not 0: also where the budget is spent. */
int die_child(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret);
int die_sibling(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret);

/* dwarf_die.c */
bool ranges_contain(const struct range *ranges, unsigned count, uint64_t pc);
/* The code of a DIE; empty ones left out. */
void die_ranges(struct dwarf_info *info, Dwarf_Die *die, struct range **ret, unsigned *count);
/* Whether its code holds the address. */
bool die_contains(struct dwarf_info *info, Dwarf_Die *die, uint64_t pc);
/* DW_AT_entry_pc as an address or (DWARF 5) an offset from low_pc; else low_pc; else the first
 * range. false: the DIE has no code and never had. */
bool dwarf_die_entry(struct dwarf_info *info, Dwarf_Die *die, uint64_t *ret);
/* The handle of the DIE that DW_AT_abstract_origin or DW_AT_specification lead to in the end; of the
 * DIE itself, which is not the alt file's, where there is neither. */
Dwarf_Off die_origin(Dwarf_Die *die);
/* The same of any DIE. */
Dwarf_Off origin_handle(const struct dwarf_info *info, Dwarf_Die *die);
/* Where it is declared; NULL: not said. */
const char *declared_file(struct dwarf_info *info, Dwarf_Die *die);
/* Where an inlined copy is called; NULL: not said. */
const char *calling_file(struct dwarf_info *info, Dwarf_Die *inlined);
/* The unit that says so, or NULL. */
Dwarf_CU *declaring_unit(Dwarf_Die *die);
/* Where the compiler ran, which the unit's relative names begin at; "": not said. */
const char *directory_of(Dwarf_CU *cu);
/* Whether a name in the unit means the file that the function is declared in. */
bool is_file_of(Dwarf_CU *cu, const char *file, const struct function *function);
/* Whether an inlined copy of `function` is no call at all: gcc splits a function in two and inlines
 * the second half back into the first, at the function's own declaration (-fpartial-inlining). */
bool is_split_half(Dwarf_Die *inlined, Dwarf_Off function);
/* false: it only declares the function. */
bool is_definition(Dwarf_Die *die);
/* What has compiled a unit, and how; "": not said. */
const char *producer_of(Dwarf_Die *unit);
/* The version of gcc that has optimised the unit; 0: none has. */
unsigned optimising_gcc(Dwarf_Die *unit);

/* dwarf_line.c */
struct error *dwarf_rows(struct debuginfo *info, const struct instance *instance, struct row **ret,
			 unsigned *count) must_check;

/* dwarf_var.c */
struct error *dwarf_variables(struct debuginfo *info, const struct instance *instance,
			      struct position at, bool externs, struct variable **ret,
			      unsigned *count) must_check;
struct error *dwarf_variable(struct debuginfo *info, const struct instance *instance,
			     struct position at, const char *name, struct variable **ret) must_check;
struct error *dwarf_global(struct debuginfo *info, const char *name,
			   struct variable **ret) must_check;
struct error *dwarf_object(struct debuginfo *info, const struct instance *instance,
			   struct position at, uint64_t source, struct variable **ret) must_check;

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
struct error *dwarf_return_type(struct debuginfo *info, const struct function *function,
				const struct type **ret) must_check;

/* dwarf_type_name.c */
struct error *dwarf_type_named(struct debuginfo *info, const struct instance *instance,
			       const char *name, const struct type **ret) must_check;
/* From the DIE of a struct or enum that may only declare it to the one that defines it, which may be
 * another unit's, under the same name. false: there is none. */
bool type_definition(struct dwarf_info *info, Dwarf_Die *die);

/* dwarf_member.c */
struct error *dwarf_member(struct debuginfo *info, const struct type *type, const char *name,
			   struct member **ret) must_check;
struct error *dwarf_members(struct debuginfo *info, const struct type *type, struct member **ret,
			    unsigned *count) must_check;

/* dwarf_enum.c */
struct error *dwarf_enumerators(struct debuginfo *info, const struct type *type,
				struct enumerator **ret, unsigned *count) must_check;
struct error *dwarf_constant(struct debuginfo *info, const char *name, uint64_t numbers[2],
			     unsigned *count) must_check;

/* dwarf_read.c */
/* A section of the debug file, uncompressed and relocated; NULL: there is none. */
Elf_Data *section_data(struct dwarf_info *info, const char *name);
struct reader {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};
uint64_t read_fixed(struct reader *reader, unsigned size);
uint64_t read_leb(struct reader *reader);
uint64_t read_sleb(struct reader *reader);
const char *read_text(struct reader *reader);
void skip_bytes(struct reader *reader, uint64_t count);

/* dwarf_line_files.c: as libdw has it. false: only libdw can tell. */
/* The path, unless it is longer than any file's: it will be compared with those of a million rows. Then, and
 * where it is NULL, NULL. */
const char *short_path(const char *path);
bool file_name(struct dwarf_info *info, Dwarf_Die *unit, Dwarf_Word number, const char **ret);

/* dwarf_loclist.c: the entries of a location, in order. */
struct location_list {
	struct reader bytes;
	Dwarf_Addr base;
	uint8_t address_size;
	bool is_new;    /* DWARF 5 */
	bool is_single; /* no list: an expression, for everywhere */
};
/* false: the list is of a kind that only libdw reads. */
bool location_list_open(struct dwarf_info *info, Dwarf_Attribute *location,
			struct location_list *ret);
bool location_list_next(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end,
			struct reader *expression);
/* What is longer is no location that a compiler writes, and libdw would keep each of its operations. */
#define OPERATIONS_MAX 1000
#define EXPRESSION_MAX ((size_t)64 << 10) /* bytes: an implicit value's are among them */
#define LIST_STEPS 32 /* an entry */
/* Whether all expressions of a location, or of its list, are short enough for libdw. */
bool location_is_short(struct dwarf_info *info, Dwarf_Attribute *location);
/* NULL, or the reason why they can't be read here. */
const char *read_operations(struct arena *arena, struct reader expression, Dwarf_Op **ops,
			    size_t *count);

/* dwarf_locview.c: the operations that describe a variable at a position. 1: *ops are set; 0: none do;
 * -1: some do that can't be read, *reason says why. */
int dwarf_ops_at(struct dwarf_info *info, Dwarf_Die *variable, Dwarf_Attribute *location,
		 struct position at, Dwarf_Op **ops, size_t *count, const char **reason);

/* dwarf_frame.c */
struct error *dwarf_frame(struct debuginfo *base, const struct instance *instance, uint64_t address,
			  struct frame *ret) must_check;

/* dwarf_expr.c: what operations mean at pc. attribute: where they come from; frame: the DIE of the
 * enclosing concrete function, for DW_OP_fbreg. */
void dwarf_evaluate(struct dwarf_info *info, Dwarf_Attribute *attribute, Dwarf_Die *frame,
		    uint64_t pc, const Dwarf_Op *ops, size_t count, struct loc *ret);

/* dwarf_extern.c: gives what a module's debug information says of others' symbols the addresses of
 * target->externs, and what lies outside its section that of externs[0]. */
void mark_externs(struct dwarf_info *info);

#endif
