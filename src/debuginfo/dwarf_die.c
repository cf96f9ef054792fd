// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the DIE of a function, block or unit says of itself: where its code is and begins, its
 * origin, where it is declared.
 *
 * The surprise: an instance without a byte of code still has an entry, and its variables are
 * visible there.
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

bool ranges_contain(const struct range *ranges, unsigned count, uint64_t pc)
{
	for (unsigned i = 0; i < count; i++)
		if (pc >= ranges[i].start && pc < ranges[i].end)
			return true;
	return false;
}

#define RANGE_STEPS 32

void die_ranges(struct dwarf_info *info, Dwarf_Die *die, struct range **ret, unsigned *count)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	*ret = NULL;
	*count = 0;
	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (!budget_take(info, RANGE_STEPS))
			return;
		if (start >= end)
			continue;
		arena_append(info->arena, *ret, *count) =
			(struct range){start + info->bias, end + info->bias};
	}
}

bool die_contains(struct dwarf_info *info, Dwarf_Die *die, uint64_t pc)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	while (budget_take(info, RANGE_STEPS) &&
	       (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
		if (pc - info->bias >= start && pc - info->bias < end)
			return true;
	return false;
}

bool dwarf_die_entry(struct dwarf_info *info, Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr address, base, end;
	Dwarf_Word offset;

	if (dwarf_attr(die, DW_AT_entry_pc, &attribute)) {
		if (!dwarf_formaddr(&attribute, &address)) {
			*ret = address + info->bias;
			return true;
		}
		if (!dwarf_formudata(&attribute, &offset) && !dwarf_lowpc(die, &address)) {
			*ret = address + offset + info->bias;
			return true;
		}
	}
	/* beside a list, it is what the list is relative to: BOLT leaves 0 there */
	if (!dwarf_hasattr(die, DW_AT_ranges) && dwarf_attr(die, DW_AT_low_pc, &attribute) &&
	    !dwarf_formaddr(&attribute, &address)) {
		*ret = address + info->bias;
		return true;
	}
	/* the first of the list, which may be empty (its views aren't): die_ranges() skips it */
	if (dwarf_ranges(die, 0, &base, &address, &end) <= 0)
		return false;
	*ret = ranges_begin(info, die, address + info->bias);
	return true;
}

#ifndef DW_AT_GNU_entry_view
#define DW_AT_GNU_entry_view 0x2138
#endif

unsigned dwarf_die_entry_view(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word view;

	if (dwarf_attr(die, DW_AT_GNU_entry_view, &attribute) &&
	    !dwarf_formudata(&attribute, &view))
		return (unsigned)view;
	return 0;
}

/* Most DIEs at the end of a chain have neither, which their abbreviations say: to look for it in
 * the DIE takes three times as long. */
static bool find_origin(Dwarf_Die *die, Dwarf_Attribute *ret)
{
	return (dwarf_hasattr(die, DW_AT_abstract_origin) &&
		dwarf_attr(die, DW_AT_abstract_origin, ret)) ||
	       (dwarf_hasattr(die, DW_AT_specification) &&
		dwarf_attr(die, DW_AT_specification, ret));
}

Dwarf_Off die_origin(Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attribute;

	for (unsigned steps = 0; steps < 8; steps++) {
		if (!find_origin(&at, &attribute) || !dwarf_formref_die(&attribute, &next))
			break;
		at = next;
	}
	/* only the alt file is referred to from another file */
	return dwarf_dieoffset(&at) | split_tag(at.cu) |
	       (dwarf_cu_getdwarf(at.cu) != dwarf_cu_getdwarf(die->cu) ? HANDLE_ALT : 0);
}

Dwarf_Off origin_handle(const struct dwarf_info *info, Dwarf_Die *die)
{
	return die_origin(die) | (die_handle(info, die) & HANDLE_ALT);
}

/* libdw takes file 0, the first in clang's DWARF 5, for none. */
static const char *file_named(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Attribute *attribute)
{
	Dwarf_Files *files;
	Dwarf_Word index;
	Dwarf_Die unit;
	size_t count;
	Dwarf_Half version = 0;
	const char *name;

	if (dwarf_formudata(attribute, &index) ||
	    !dwarf_cu_die(attribute->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	if (file_name(info, &unit, index, &name))
		return name;
	if (index && die && !split_tag(attribute->cu)) /* in a .dwo file, libdw would abort */
		return short_path(dwarf_decl_file(die));
	if (dwarf_cu_info(attribute->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    (version < 5 && !index) || dwarf_getsrcfiles(&unit, &files, &count) || index >= count)
		return NULL;
	return short_path(dwarf_filesrc(files, index, NULL, NULL));
}

/* The class whose object a method is called on; false for other functions. */
static bool class_of_method(Dwarf_Die *method, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Die at;
	unsigned steps = 0;

	if (!dwarf_attr_integrate(method, DW_AT_object_pointer, &attribute) ||
	    !dwarf_formref_die(&attribute, &at))
		return false;
	do { /* const, pointer, perhaps const again */
		if (!dwarf_attr_integrate(&at, DW_AT_type, &attribute) ||
		    !dwarf_formref_die(&attribute, &at))
			return false;
	} while (dwarf_tag(&at) != DW_TAG_structure_type && dwarf_tag(&at) != DW_TAG_class_type &&
		 ++steps < 8);
	*ret = at;
	return steps < 8;
}

bool is_flagged(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	bool flag = false;

	return dwarf_attr_integrate(die, name, &attribute) && !dwarf_formflag(&attribute, &flag) &&
	       flag;
}

/* The function around one that the compiler made of a part of it, as gcc does of an OpenMP region:
 * work._omp_fn.0, in work. */
static bool function_of_part(Dwarf_Die *part, Dwarf_Die *ret)
{
	const char *name = dwarf_diename(part);
	Dwarf_Die *scopes;
	int count = name && strchr(name, '.') ? dwarf_getscopes_die(part, &scopes) : 0;
	bool is_found = false;

	for (int i = 1; i < count && !is_found; i++) {
		*ret = scopes[i];
		is_found = dwarf_tag(ret) == DW_TAG_subprogram;
	}
	if (count > 0)
		free(scopes);
	return is_found;
}

/* The DIE that says where a function is declared: its own, but for a lambda g++ says it of the
 * class alone, and of a part gcc says it of the whole. */
static Dwarf_Die *declaring_die(Dwarf_Die *die, Dwarf_Die *other)
{
	return !dwarf_hasattr_integrate(die, DW_AT_decl_line) &&
			       is_flagged(die, DW_AT_artificial) &&
			       (class_of_method(die, other) || function_of_part(die, other)) ?
		       other :
		       die;
}

const char *declared_file(struct dwarf_info *info, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die other, *at = declaring_die(die, &other);

	return dwarf_attr_integrate(at, DW_AT_decl_file, &attribute) ?
	       file_named(info, at, &attribute) : NULL;
}

bool declared_line(Dwarf_Die *die, int *ret)
{
	Dwarf_Die other;

	return !dwarf_decl_line(declaring_die(die, &other), ret);
}

const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
			       dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute) ?
		       dwarf_formstring(&attribute) :
		       NULL;
}

const char *calling_file(struct dwarf_info *info, Dwarf_Die *inlined)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(inlined, DW_AT_call_file, &attribute) ?
	       file_named(info, NULL, &attribute) : NULL;
}

unsigned calling_line(Dwarf_Die *inlined)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line;

	return !dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) &&
			       line <= INT32_MAX ?
		       (unsigned)line :
		       0;
}

const char *directory_of(Dwarf_CU *cu)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;

	if (!cu || !dwarf_cu_die(cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return "";
	return dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute)) ?: "";
}

Dwarf_CU *declaring_unit(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die class;

	return dwarf_attr_integrate(declaring_die(die, &class), DW_AT_decl_file, &attribute) ?
	       attribute.cu : NULL;
}

bool is_file_of(Dwarf_CU *cu, const char *file, const struct function *function)
{
	const char *slash = strrchr(function->file, '/');

	if (!strcmp(file, function->file))
		return true;
	return file_matches(file, slash ? slash + 1 : function->file) &&
	       same_file(directory_of(cu), file, function->directory, function->file);
}

static bool attribute_number(Dwarf_Die *die, unsigned name, Dwarf_Word *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, name, &attribute) && !dwarf_formudata(&attribute, ret);
}

bool is_split_half(Dwarf_Die *inlined, Dwarf_Off function)
{
	Dwarf_Word call, declared;

	return dwarf_tag(inlined) == DW_TAG_inlined_subroutine && die_origin(inlined) == function &&
	       attribute_number(inlined, DW_AT_call_line, &call) &&
	       attribute_number(inlined, DW_AT_decl_line, &declared) && call == declared;
}

bool is_definition(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	bool declaration = false;

	if (dwarf_attr(die, DW_AT_declaration, &attribute))
		dwarf_formflag(&attribute, &declaration);
	return !declaration;
}

const char *producer_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute)) ?: "";
}

bool is_gcc_unit(Dwarf_Die *unit)
{
	return !strncmp(producer_of(unit), "GNU ", 4);
}

bool is_llvm_unit(Dwarf_Die *unit)
{
	const char *producer = producer_of(unit);

	return strstr(producer, "clang") || strstr(producer, "LLVM") || strstr(producer, "rustc");
}

bool is_gfortran_unit(Dwarf_Die *unit)
{
	return !strncmp(producer_of(unit), "GNU Fortran", 11);
}

/* The others here say by lists where a register holds a variable; Free Pascal knows no lists. */
bool has_rough_registers(Dwarf_Die *unit)
{
	static const char *const exact[] = {"GNU ",  "clang", "LLVM",    "rustc", "Go cmd/compile",
					    "Swift", "zig",   "Crystal", "Flang", "Intel"};
	const char *producer = producer_of(unit);

	for (unsigned i = 0; i < sizeof(exact) / sizeof(*exact); i++)
		if (strstr(producer, exact[i]))
			return false;
	return *producer;
}

/* The last -O of gcc's producer, without the letter; NULL: none. */
static const char *level_of(const char *producer)
{
	const char *level = NULL;

	for (const char *at = producer; (at = strstr(at, " -O")); at += 3)
		level = at + 3;
	return level;
}

/* gcc leaves out none with -Og. Others don't name their options, but they list all calls of a
 * function only if they optimise it. */
bool leaves_out_stores(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	const char *producer, *level;
	Dwarf_Die unit;

	if (!dwarf_diecu(function, &unit, NULL, NULL))
		return false;
	producer = producer_of(&unit);
	level = level_of(producer);
	if (is_gcc_unit(&unit))
		return level && *level != '0' && *level != 'g';
	return dwarf_attr_integrate(function, DW_AT_call_all_calls, &attribute) ||
	       dwarf_attr_integrate(function, DW_AT_GNU_all_call_sites, &attribute);
}

unsigned optimising_gcc(Dwarf_Die *unit)
{
	const char *producer = producer_of(unit), *level;

	if (strncmp(producer, "GNU C", 5) && strncmp(producer, "GNU GIMPLE", 10)) /* from -flto */
		return 0;
	level = level_of(producer);
	producer = strchr(producer + 5, ' '); /* "GNU C17 12.2.0" */
	return producer && level && *level != '0' ? (unsigned)strtoul(producer, NULL, 10) : 0;
}
