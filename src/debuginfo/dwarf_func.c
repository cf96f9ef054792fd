// SPDX-License-Identifier: GPL-2.0-only
/*
 * A name in, every copy of the functions of that name out: out of line, cloned (.isra, .part) and
 * inlined. A unit's tree is walked only where code can be: functions, blocks, inlined calls.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "debuginfo/internal.h"

bool ranges_contain(const struct range *ranges, unsigned count, uint64_t pc)
{
	for (unsigned i = 0; i < count; i++)
		if (pc >= ranges[i].start && pc < ranges[i].end)
			return true;
	return false;
}

void die_ranges(struct dwarf_info *info, Dwarf_Die *die, struct range **ret, unsigned *count)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	unsigned capacity = 0;

	*ret = NULL;
	*count = 0;
	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (*count == capacity) {
			size_t size = capacity * sizeof(**ret);

			capacity = capacity ? capacity * 2 : 1; /* most have one */
			*ret = arena_grow(info->arena, *ret, size, capacity * sizeof(**ret));
		}
		(*ret)[(*count)++] = (struct range){start + info->bias, end + info->bias};
	}
}

/* DW_AT_entry_pc as an address or (DWARF 5) an offset from low_pc; else low_pc; else the first
 * range. false: the DIE has no code and never had. */
static bool die_entry(struct dwarf_info *info, Dwarf_Die *die, const struct range *ranges,
		      unsigned nranges, uint64_t *ret)
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
	if (dwarf_attr(die, DW_AT_low_pc, &attribute) && !dwarf_formaddr(&attribute, &address)) {
		*ret = address + info->bias;
		return true;
	}
	/* the first of the list, which may be empty (its views are not) and so not among ranges */
	if (dwarf_ranges(die, 0, &base, &address, &end) > 0)
		*ret = address + info->bias;
	else if (nranges)
		*ret = ranges[0].start;
	else
		return false;
	return true;
}

bool dwarf_die_entry(struct dwarf_info *info, Dwarf_Die *die, uint64_t *ret)
{
	return die_entry(info, die, NULL, 0, ret);
}

Dwarf_Off die_origin(Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attribute;

	for (unsigned steps = 0; steps < 8; steps++) {
		if (!dwarf_attr(&at, DW_AT_abstract_origin, &attribute) &&
		    !dwarf_attr(&at, DW_AT_specification, &attribute))
			break;
		if (!dwarf_formref_die(&attribute, &next))
			break;
		at = next;
	}
	/* only the alt file is referred to from another one */
	return dwarf_dieoffset(&at) |
	       (dwarf_cu_getdwarf(at.cu) != dwarf_cu_getdwarf(die->cu) ? HANDLE_ALT : 0);
}

/* The same of any DIE. */
static Dwarf_Off origin_handle(const struct dwarf_info *info, Dwarf_Die *die)
{
	return die_origin(die) | (die_handle(info, die) & HANDLE_ALT);
}

const char *declared_file(struct dwarf_info *info, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word index;
	Dwarf_Die unit;
	size_t count;
	Dwarf_Half version = 0;
	const char *name;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) ||
	    dwarf_formudata(&attribute, &index) ||
	    !dwarf_cu_die(attribute.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	if (file_name(info, &unit, index, &name))
		return name;
	if (index)
		return dwarf_decl_file(die);
	if (dwarf_cu_info(attribute.cu, &version, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    version < 5 || dwarf_getsrcfiles(&unit, &files, &count))
		return NULL;
	return dwarf_filesrc(files, 0, NULL, NULL);
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

static bool holds_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

/* The function out of line that a walk is in. */
struct outer {
	const char *name;
	struct range *ranges;
	unsigned nranges;
	Dwarf_Off source;
};

struct walk {
	struct dwarf_info *info;
	const char *glob; /* NULL: see functions */
	const char *name;
	bool is_c; /* the unit */
	struct function **functions; /* of this unit and those before */
	size_t nfunctions;
	size_t functions_size;
	struct function **known; /* the same as a hash table, by source */
	size_t known_mask;
	struct instance **instances;
	unsigned ninstances;
	size_t instances_size;
	/* instances_at_lines */
	const uint64_t *addresses;
	unsigned naddresses;
	const char *file;
	unsigned first;
	unsigned last;
	struct outer outer;
};

static bool is_definition(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	bool declaration = false;

	if (dwarf_attr(die, DW_AT_declaration, &attribute))
		dwarf_formflag(&attribute, &declaration);
	return !declaration;
}

static struct function *function_new(struct dwarf_info *info, Dwarf_Die *die)
{
	struct function *function = arena_new(info->arena, struct function);
	int line = 0;

	function->name = scoped_name(info, die) ?: "";
	function->file = declared_file(info, die) ?: "";
	dwarf_decl_line(die, &line);
	function->line = line > 0 ? (unsigned)line : 0;
	function->source = origin_handle(info, die);
	return function;
}

static size_t origin_place(const struct walk *walk, Dwarf_Off origin)
{
	size_t at = (size_t)(origin * 0x9e3779b97f4a7c15u >> 32) & walk->known_mask;

	while (walk->known[at] && walk->known[at]->source != origin)
		at = (at + 1) & walk->known_mask;
	return at;
}

static struct function *known_function(const struct walk *walk, Dwarf_Off origin)
{
	return walk->nfunctions ? walk->known[origin_place(walk, origin)] : NULL;
}

static void know_function(struct walk *walk, struct function *function)
{
	if (2 * walk->nfunctions < walk->known_mask) {
		walk->known[origin_place(walk, function->source)] = function;
		return;
	}
	walk->known_mask = walk->known_mask ? 2 * walk->known_mask + 1 : 15;
	walk->known = arena_array(walk->info->arena, struct function *, walk->known_mask + 1);
	for (size_t i = 0; i < walk->nfunctions; i++)
		walk->known[origin_place(walk, walk->functions[i]->source)] = walk->functions[i];
}

static struct function *add_function(struct walk *walk, Dwarf_Die *die)
{
	if (walk->nfunctions == walk->functions_size) {
		size_t size = walk->functions_size * sizeof(*walk->functions);

		walk->functions_size = walk->functions_size ? walk->functions_size * 2 : 8;
		walk->functions = arena_grow(walk->info->arena, walk->functions, size,
					     walk->functions_size * sizeof(*walk->functions));
	}
	walk->functions[walk->nfunctions++] = function_new(walk->info, die);
	know_function(walk, walk->functions[walk->nfunctions - 1]);
	return walk->functions[walk->nfunctions - 1];
}

#ifndef DW_AT_GNU_entry_view
#define DW_AT_GNU_entry_view 0x2138
#endif

static unsigned entry_view(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word view;

	if (dwarf_attr(die, DW_AT_GNU_entry_view, &attribute) && !dwarf_formudata(&attribute, &view))
		return (unsigned)view;
	return 0;
}

static struct instance *add_instance(struct walk *walk, const struct function *function,
				     Dwarf_Die *die)
{
	struct instance *instance = arena_new(walk->info->arena, struct instance);

	die_ranges(walk->info, die, &instance->ranges, &instance->nranges);
	if (!die_entry(walk->info, die, instance->ranges, instance->nranges, &instance->entry))
		return NULL;
	instance->entry_view = entry_view(die);
	instance->function = function;
	instance->inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	instance->outer = walk->outer.name;
	instance->outer_ranges = walk->outer.ranges;
	instance->nouter_ranges = walk->outer.nranges;
	instance->outer_source = walk->outer.source;
	instance->source = dwarf_dieoffset(die);
	if (walk->ninstances == walk->instances_size) {
		size_t size = walk->instances_size * sizeof(*walk->instances);

		walk->instances_size = walk->instances_size ? walk->instances_size * 2 : 8;
		walk->instances = arena_grow(walk->info->arena, walk->instances, size,
					     walk->instances_size * sizeof(*walk->instances));
	}
	walk->instances[walk->ninstances++] = instance;
	return instance;
}

/* false: a declaration or abstract, without code of its own. */
static bool enter_function(struct walk *walk, Dwarf_Die *die)
{
	struct outer outer = {.name = dwarf_diename(die), .source = dwarf_dieoffset(die)};

	die_ranges(walk->info, die, &outer.ranges, &outer.nranges);
	if (!outer.nranges)
		return false;
	walk->outer = outer;
	return true;
}

bool is_scope_tail(const char *name, const char *wanted)
{
	size_t length = strlen(name), tail = strlen(wanted);

	return length >= tail && !strcmp(name + length - tail, wanted) &&
	       (length == tail || name[length - tail - 1] == ':');
}

static bool name_matches(const struct walk *walk, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (!name)
		return false;
	if (walk->glob)
		return !fnmatch(walk->glob, name, 0) ||
		       (strstr(walk->glob, "::") &&
			!fnmatch(walk->glob, scoped_name(walk->info, die), 0));
	/* the name alone first: the scopes cost a walk through the unit */
	return !strcmp(last_component(walk->name), name) &&
	       is_scope_tail(scoped_name(walk->info, die), walk->name);
}

/* First pass: the functions themselves. */
static void find_functions(struct walk *walk, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && is_definition(&die) &&
		    name_matches(walk, &die) &&
		    !known_function(walk, origin_handle(walk->info, &die)))
			add_function(walk, &die);
		else if (!walk->is_c && holds_functions(tag))
			find_functions(walk, &die);
	} while (!dwarf_siblingof(&die, &die));
}

/* Second pass: the copies. inside: the origin of the function that parent is part of. */
static void find_copies(struct walk *walk, Dwarf_Die *parent, Dwarf_Off inside)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		struct function *function;
		Dwarf_Off origin = inside;

		if (tag == DW_TAG_subprogram && !enter_function(walk, &die))
			continue;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			origin = die_origin(&die);
			function = known_function(walk, origin);
			if (function && !is_split_half(&die, inside))
				add_instance(walk, function, &die);
		}
		if (holds_code(tag) || (!walk->is_c && holds_functions(tag)))
			find_copies(walk, &die, origin);
	} while (!dwarf_siblingof(&die, &die));
}

/* What dwz moved elsewhere, before any unit that has copies of it. */
static void find_shared_functions(struct walk *walk)
{
	struct dwarf_info *info = walk->info;
	Dwarf_Die unit;

	for (size_t i = 0; i < info->nalt_units; i++)
		if (dwarf_offdie(info->alt, info->alt_units[i], &unit))
			find_functions(walk, &unit);
	for (size_t i = 0; i < info->nunits; i++)
		if (dwarf_offdie(info->dwarf, info->units[i].die, &unit) &&
		    dwarf_tag(&unit) == DW_TAG_partial_unit)
			find_functions(walk, &unit);
}

struct error *dwarf_instances(struct debuginfo *base, const char *name, struct instance ***ret,
			      unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct walk walk = {.info = info, .name = name, .glob = is_glob(name) ? name : NULL};

	if (recall_instances(info, name, ret, count))
		return NULL;
	candidate_units(info, walk.glob ? NULL : last_component(name));
	if (info->is_shared)
		find_shared_functions(&walk);
	for (size_t i = 0; i < info->nunits; i++) {
		size_t before = walk.nfunctions;
		Dwarf_Die unit;

		if (!info->units[i].is_candidate)
			continue;
		if (!dwarf_offdie(info->dwarf, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		walk.is_c = is_c(&unit);
		find_functions(&walk, &unit);
		if (walk.nfunctions > before || (info->is_shared && walk.nfunctions))
			find_copies(&walk, &unit, 0);
		if (walk.glob)
			pass_unit(info, &info->units[i]);
	}
	*ret = walk.instances;
	*count = walk.ninstances;
	remember_instances(info, name, *ret, *count);
	return NULL;
}

/* The function out of line that begins there; false: none in this unit. */
static bool function_entry(struct dwarf_info *info, Dwarf_Die *parent, uint64_t address,
			   Dwarf_Die *ret)
{
	Dwarf_Die die;
	Dwarf_Addr low;

	if (dwarf_child(parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && !dwarf_entrypc(&die, &low) &&
		    low + info->bias == address) {
			*ret = die;
			return true;
		}
		if (holds_functions(tag) && function_entry(info, &die, address, ret))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* The code of each unit, as its own DIE has it. */
static void list_code(struct dwarf_info *info)
{
	struct arena *answers = info->arena;

	info->arena = info->kept;
	info->code = arena_array(info->arena, struct unit_code, info->nunits + 1);
	for (size_t i = 0; i < info->nunits; i++) {
		struct unit_code *code = &info->code[i];
		Dwarf_Die unit;

		if (dwarf_offdie(info->dwarf, info->units[i].die, &unit))
			die_ranges(info, &unit, &code->ranges, &code->nranges);
		pass_unit(info, &info->units[i]);
	}
	info->arena = answers;
}

/* .debug_aranges may be incomplete, or not there at all (clang). */
static bool find_entry(struct dwarf_info *info, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Die unit;

	if (dwarf_addrdie(info->dwarf, address - info->bias, &unit) &&
	    function_entry(info, &unit, address, ret))
		return true;
	if (!info->code)
		list_code(info);
	for (size_t i = 0; i < info->nunits; i++)
		if (ranges_contain(info->code[i].ranges, info->code[i].nranges, address) &&
		    dwarf_offdie(info->dwarf, info->units[i].die, &unit) &&
		    function_entry(info, &unit, address, ret))
			return true;
	return false;
}

struct error *dwarf_function_at(struct debuginfo *base, uint64_t address, struct instance ***ret,
				unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct error *error = NULL;
	unsigned kept = 0;
	Dwarf_Die die;

	*count = 0;
	if (!find_entry(info, address, &die) || !dwarf_diename(&die))
		return NULL;
	error = dwarf_instances(base, dwarf_diename(&die), ret, count);
	for (unsigned i = 0; !error && i < *count; i++)
		if ((*ret)[i]->function->source == die_origin(&die))
			(*ret)[kept++] = (*ret)[i];
	*count = kept;
	return error;
}

/* Whether a copy's code holds one of the addresses that the line table gives for the line, and
 * its function is declared in that file, above the line. */
static bool is_at_line(struct walk *walk, Dwarf_Die *die)
{
	struct range *ranges;
	unsigned count;
	const char *file;
	int line;

	die_ranges(walk->info, die, &ranges, &count);
	file = declared_file(walk->info, die);
	if (!file || !file_matches(file, walk->file) || dwarf_decl_line(die, &line) ||
	    line > (int)walk->last)
		return false;
	for (unsigned i = 0; i < walk->naddresses; i++)
		if (ranges_contain(ranges, count, walk->addresses[i]))
			return true;
	return false;
}

/* Instances with code at the line; keep_nearest() chooses among nested ones. */
static void find_at_line(struct walk *walk, Dwarf_Die *parent, Dwarf_Off inside)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Off origin = inside;

		if (tag == DW_TAG_subprogram && !enter_function(walk, &die))
			continue;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			struct function *function = known_function(walk, origin = die_origin(&die));

			if (!is_split_half(&die, inside) && is_at_line(walk, &die))
				add_instance(walk, function ?: add_function(walk, &die), &die);
		}
		if (holds_code(tag) || holds_functions(tag))
			find_at_line(walk, &die, origin);
	} while (!dwarf_siblingof(&die, &die));
}

/* A line belongs to the function of its file declared last before it. */
static void keep_nearest(struct walk *walk)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < walk->ninstances; i++) {
		const struct function *function = walk->instances[i]->function;
		bool is_nearest = true;

		for (size_t j = 0; j < walk->nfunctions && is_nearest; j++)
			is_nearest = walk->functions[j]->line <= function->line ||
				     strcmp(walk->functions[j]->file, function->file) != 0;
		if (is_nearest)
			walk->instances[kept++] = walk->instances[i];
	}
	walk->ninstances = kept;
}

static void unit_addresses(struct dwarf_info *info, Dwarf_Die *unit, struct walk *walk,
			   bool *file_known)
{
	Dwarf_Lines *lines;
	uint64_t *addresses;
	size_t count;

	walk->naddresses = 0;
	if (dwarf_getsrclines(unit, &lines, &count) || !count)
		return;
	addresses = NULL;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		const char *file = dwarf_linesrc(row, NULL, NULL);
		Dwarf_Addr address;
		int line;
		bool end;

		if (!file || dwarf_lineendsequence(row, &end) || end ||
		    !file_matches(file, walk->file))
			continue;
		*file_known = true;
		if (dwarf_lineno(row, &line) || line < (int)walk->first ||
		    line > (int)walk->last || dwarf_lineaddr(row, &address))
			continue;
		if (!addresses)
			addresses = arena_array(info->arena, uint64_t, count - i);
		addresses[walk->naddresses++] = address + info->bias;
	}
	walk->addresses = addresses;
}

struct error *dwarf_instances_at_lines(struct debuginfo *base, const char *file, unsigned first,
				       unsigned last, struct instance ***ret, unsigned *count,
				       bool *file_known)
{
	struct dwarf_info *info = dwarf_info(base);
	struct walk walk = {.info = info, .file = file, .first = first, .last = last};

	*file_known = false;
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;

		if (!dwarf_offdie(info->dwarf, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		unit_addresses(info, &unit, &walk, file_known);
		if (walk.naddresses)
			find_at_line(&walk, &unit, 0);
	}
	if (first == last)
		keep_nearest(&walk);
	*ret = walk.instances;
	*count = walk.ninstances;
	return NULL;
}

struct error *dwarf_return_type(struct debuginfo *base, const struct function *function,
				const struct type **ret)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die die;

	if (!handle_die(info, function->source, &die))
		return dwarf_error(info, "function");
	*ret = dwarf_type_of(info, &die);
	return NULL;
}

struct listing {
	struct dwarf_info *info;
	const char *glob;
	void (*each)(void *cookie, const char *name, const char *linkage, bool has_code,
		     bool inlined);
	void *cookie;
};

/* The symbol of a function that the source calls otherwise, or NULL. */
static const char *linkage_name(Dwarf_Die *die, const char *name)
{
	Dwarf_Attribute attribute;
	const char *linkage;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return NULL;
	linkage = dwarf_formstring(&attribute);
	return linkage && strcmp(linkage, name) ? linkage : NULL;
}

static void list_function(const struct listing *listing, Dwarf_Die *die)
{
	const char *plain = dwarf_diename(die);
	const char *name = plain ? scoped_name(listing->info, die) : NULL;
	Dwarf_Attribute attribute;
	Dwarf_Word how = DW_INL_not_inlined;

	if (!name || (listing->glob && fnmatch(listing->glob, plain, 0) &&
		      fnmatch(listing->glob, name, 0)))
		return;
	if (dwarf_attr(die, DW_AT_inline, &attribute))
		dwarf_formudata(&attribute, &how);
	listing->each(listing->cookie, name, linkage_name(die, name),
		      dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges),
		      how == DW_INL_inlined || how == DW_INL_declared_inlined);
}

static void list_functions(const struct listing *listing, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (holds_functions(tag))
			list_functions(listing, &die);
		if (tag == DW_TAG_subprogram && is_definition(&die))
			list_function(listing, &die);
	} while (!dwarf_siblingof(&die, &die));
}

struct error *dwarf_functions(struct debuginfo *base, const char *glob,
			      void (*each)(void *cookie, const char *name, const char *linkage,
					   bool has_code, bool inlined), void *cookie)
{
	struct dwarf_info *info = dwarf_info(base);
	struct listing listing = {.info = info, .glob = glob, .each = each, .cookie = cookie};

	candidate_units(info, glob && !is_glob(glob) ? last_component(glob) : NULL);
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;

		if (!info->units[i].is_candidate)
			continue;
		if (!dwarf_offdie(info->dwarf, info->units[i].die, &unit))
			return dwarf_error(info, "unit");
		list_functions(&listing, &unit);
	}
	for (size_t i = 0; i < info->nalt_units; i++) {
		Dwarf_Die unit;

		if (dwarf_offdie(info->alt, info->alt_units[i], &unit))
			list_functions(&listing, &unit);
	}
	return NULL;
}
