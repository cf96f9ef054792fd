// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds functions by name or address: BTF knows names and prototypes, the target's symbols know
 * where the code is.
 *
 * The surprise: a name is all that joins the two. So where several functions, or several symbols,
 * have one, or where the compiler made a clone with parameters of its own, the code is known but
 * not its prototype, and no parameter has a value.
 */
#include <string.h>

#include "base/glob.h"
#include "base/search.h"
#include "debuginfo/btf/btf.h"

const struct btf_place *btf_place_of(uint64_t source)
{
	return (const struct btf_place *)(uintptr_t)source;
}

static struct btf_function *find_function(const struct btf_info *info, const char *name)
{
	size_t at = lookup_find(&info->by_name, text_hash(name), i,
				!strcmp(info->functions[i].name, name));

	return at == LOOKUP_NONE ? NULL : &info->functions[at];
}

static struct btf_function *add_function(struct btf_info *info, const char *name)
{
	struct btf_function *function = find_function(info, name);

	if (function)
		return function;
	lookup_add(info->kept, &info->by_name, text_hash(name), info->nfunctions);
	function = &arena_append(info->kept, info->functions, info->nfunctions);
	function->name = name;
	return function;
}

/* A part of a function (foo.cold, foo.part.0) is no function, nor is the padding before one; all
 * other suffixes are clones'. */
static bool is_part(const char *name)
{
	return strstr(name, ".cold") || strstr(name, ".part.") || !strncmp(name, "__pfx_", 6) ||
	       !strncmp(name, "__cfi_", 6);
}

static void add_symbol(struct btf_info *info, const struct symbol *symbol)
{
	size_t length = strcspn(symbol->name, ".");
	bool is_clone = length && symbol->name[length];
	struct btf_function *function;
	struct btf_place *place;

	if (!symbol->is_function || !symbol->section || (is_clone && is_part(symbol->name)))
		return;
	function = is_clone ? add_function(info, arena_strndup(info->kept, symbol->name, length)) :
			      find_function(info, symbol->name);
	if (!function)
		return;
	place = arena_new(info->kept, struct btf_place);
	*place = (struct btf_place){function->places, (size_t)(function - info->functions), symbol,
				    is_clone};
	function->places = place;
	function->nsymbols += !is_clone;
}

void btf_list_functions(struct btf_info *info)
{
	for (uint32_t id = info->own; id < info->end; id++) {
		const struct btf_type *type = btf__type_by_id(info->btf, id);
		struct btf_function *function;

		if (!btf_is_func(type))
			continue;
		function = add_function(info, btf_name(info, type->name_off));
		function->prototype = function->prototype ?: type->type;
		function->count++;
	}
	for (size_t i = 0; i < info->input.nsymbols; i++)
		add_symbol(info, &info->input.symbols[i]);
}

const char *btf_doubt(struct btf_info *info, const struct btf_place *place)
{
	const struct btf_function *function = &info->functions[place->function];

	if (place->is_clone)
		return arena_printf(info->arena,
				    "'%s' is a clone that the compiler made of '%s': it may have "
				    "removed or exchanged parameters, and BTF doesn't say so",
				    place->symbol->name, function->name);
	if (function->count > 1)
		return arena_printf(info->arena,
				    "BTF has %u functions '%s', and doesn't tell which of them is "
				    "here",
				    function->count, function->name);
	if (function->nsymbols > 1)
		return arena_printf(info->arena,
				    "%u functions are called '%s', and BTF doesn't tell which of "
				    "them it describes",
				    function->nsymbols, function->name);
	return NULL;
}

static struct instance *make_instance(struct btf_info *info, const struct btf_place *place)
{
	const struct symbol *symbol = place->symbol;
	struct function *function = arena_new(info->arena, struct function);
	struct instance *instance = arena_new(info->arena, struct instance);
	struct range *range = arena_new(info->arena, struct range);

	*function = (struct function){
		.name = info->functions[place->function].name,
		.file = "",
		.directory = "",
		.source = (uintptr_t)place,
	};
	*range = (struct range){symbol->address, symbol->address + symbol->size};
	*instance = (struct instance){
		.function = function,
		.entry = symbol->address,
		.ranges = range,
		.nranges = 1,
		.outer = symbol->name,
		.outer_ranges = range,
		.nouter_ranges = 1,
		.outer_source = (uintptr_t)place,
		.source = (uintptr_t)place,
	};
	return instance;
}

struct found {
	struct instance **list;
	unsigned count;
};

static void add_instances(struct btf_info *info, const struct btf_function *function,
			  struct found *found)
{
	for (const struct btf_place *place = function->places; place; place = place->next)
		arena_append(info->arena, found->list, found->count) = make_instance(info, place);
}

struct error *btf_instances(struct debuginfo *base, const char *name, struct instance ***ret,
			    unsigned *count)
{
	struct btf_info *info = btf_info(base);
	const struct btf_function *function = is_glob(name) ? NULL : find_function(info, name);
	struct found found = {0};

	if (function)
		add_instances(info, function, &found);
	for (size_t i = 0; is_glob(name) && i < info->nfunctions; i++)
		if (glob_matches(name, info->functions[i].name))
			add_instances(info, &info->functions[i], &found);
	*ret = found.list;
	*count = found.count;
	return NULL;
}

struct error *btf_function_at(struct debuginfo *base, uint64_t address, struct instance ***ret,
			      unsigned *count)
{
	struct btf_info *info = btf_info(base);
	const struct symbol *symbols = info->input.symbols;
	size_t at = partition_point(info->input.nsymbols, i, symbols[i].address < address);
	struct found found = {0};

	for (; at < info->input.nsymbols && symbols[at].address == address && !found.count; at++) {
		const char *name = symbols[at].name;
		const struct btf_function *function =
			find_function(info, arena_strndup(info->arena, name, strcspn(name, ".")));

		for (const struct btf_place *place = function ? function->places : NULL; place;
		     place = place->next)
			if (place->symbol == &symbols[at])
				arena_append(info->arena, found.list, found.count) =
					make_instance(info, place);
	}
	*ret = found.list;
	*count = found.count;
	return NULL;
}

struct error *btf_functions(struct debuginfo *base, const char *glob,
			    void (*each)(void *cookie, const char *name, const char *linkage,
					 bool has_code, bool inlined), void *cookie)
{
	struct btf_info *info = btf_info(base);

	for (size_t i = 0; i < info->nfunctions; i++)
		if (info->functions[i].places &&
		    (!glob || glob_matches(glob, info->functions[i].name)))
			each(cookie, info->functions[i].name, NULL, true, false);
	return NULL;
}
