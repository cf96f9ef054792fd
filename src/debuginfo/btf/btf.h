/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files that read BTF. */
#ifndef DEBUGINFO_BTF_BTF_H
#define DEBUGINFO_BTF_BTF_H

#include <bpf/btf.h>

#include "base/error.h"
#include "base/lookup.h"
#include "debuginfo/debuginfo.h"

struct btf_info {
	struct debuginfo base;
	struct arena *arena; /* for answers */
	struct arena *kept;
	struct btf_input input;
	struct btf *btf;
	struct btf *kernel; /* a module's BTF goes on where its kernel's ends; or NULL */
	uint32_t own;       /* the first type that isn't the kernel's */
	uint32_t end;       /* one more than the last type */
	struct btf_function *functions;
	size_t nfunctions;
	struct lookup by_name;
};

/* A name of functions: of FUNCs, or of those that clones were made of. */
struct btf_function {
	const char *name;
	uint32_t prototype; /* type of its (first) FUNC_PROTO; 0: BTF doesn't describe it */
	unsigned count;     /* how many FUNCs have the name */
	unsigned nsymbols;  /* how many symbols have it as it is */
	struct btf_place *places; /* by address, from the last on */
};

/* A symbol of a function. A clone (foo.isra.0) may have other parameters than the function. */
struct btf_place {
	struct btf_place *next;
	size_t function; /* index: the list moves while it grows */
	const struct symbol *symbol;
	bool is_clone;
};

static inline struct btf_info *btf_info(struct debuginfo *info)
{
	return (struct btf_info *)info;
}

/* A type's name, or NULL when it has none. */
const char *btf_name(const struct btf_info *info, uint32_t offset);

/* check.c: whether all references, names and sizes in types [first, btf__type_cnt()) are sound, so
 * that they can be followed. names: the end of its string section; own_names: where those begin
 * that aren't the base's. Returns NULL, or what is damaged. */
const char *btf_check(struct arena *arena, const struct btf *btf, uint32_t first,
		      uint32_t own_names, uint32_t names);

/* type.c: the type of a number, of which btf_check() has said that it is sound. */
const struct type *btf_type(struct btf_info *info, uint32_t id);
/* The struct, union or enum that a type of that kind is, its definition if it is only declared:
 * NULL when no type defines it. */
const struct btf_type *btf_definition(struct btf_info *info, const struct type *type);
struct error *btf_type_named(struct debuginfo *info, const struct instance *instance,
			     const char *name, const struct type **ret) must_check;

/* func.c */
void btf_list_functions(struct btf_info *info);
struct error *btf_instances(struct debuginfo *info, const char *name, struct instance ***ret,
			    unsigned *count) must_check;
struct error *btf_function_at(struct debuginfo *info, uint64_t address, struct instance ***ret,
			      unsigned *count) must_check;
struct error *btf_functions(struct debuginfo *info, const char *glob,
			    void (*each)(void *cookie, const char *name, const char *linkage,
					 bool has_code, bool inlined), void *cookie) must_check;
/* The name and the symbol that a function or an instance was made of. */
const struct btf_place *btf_place_of(uint64_t source);
/* Why the prototype isn't known to be that of the place's code; NULL: it is. */
const char *btf_doubt(struct btf_info *info, const struct btf_place *place);

/* variable.c */
struct error *btf_variables(struct debuginfo *info, const struct instance *instance,
			    struct position at, bool externs, struct variable **ret,
			    unsigned *count) must_check;
struct error *btf_variable(struct debuginfo *info, const struct instance *instance,
			   struct position at, const char *name, bool externs,
			   struct variable **ret) must_check;
struct error *btf_global(struct debuginfo *info, const char *name,
			 struct variable **ret) must_check;
struct error *btf_return_type(struct debuginfo *info, const struct function *function,
			      const struct type **ret) must_check;
struct error *btf_frame(struct debuginfo *info, const struct instance *instance, uint64_t address,
			struct frame *ret) must_check;

/* member.c */
struct error *btf_member(struct debuginfo *info, const struct type *type, const char *name,
			 struct member **ret) must_check;
struct error *btf_list_members(struct debuginfo *info, const struct type *type, struct member **ret,
			       unsigned *count) must_check;
struct error *btf_enumerators(struct debuginfo *info, const struct type *type,
			      struct enumerator **ret, unsigned *count) must_check;
struct error *btf_constant(struct debuginfo *info, const char *name, uint64_t numbers[2],
			   unsigned *count) must_check;

#endif
