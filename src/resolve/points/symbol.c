// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds points by the symbol table: of a name that debug information doesn't know, or of the
 * symbols that match a glob and that debug information has under another name or not at all.
 */
#include <stdlib.h>

#include "base/glob.h"
#include "base/search.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
#include "target/code.h"
#include "target/target.h"

/* A cold part is jumped to, never called. */
static struct error *no_return(struct resolver *resolver, const struct spec *spec, const char *name)
{
	struct error *error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
						 "'%s' is a part of a function: it is not "
						 "called, so it has no return of its own",
						 name),
				       spec->text, spec->place.span);

	return error_hint(resolver->arena, error, "write %.*s%%return",
			  (int)strcspn(name, "."), name);
}

struct error *symbol_points(struct resolver *resolver, const struct spec *spec, const char *name,
			    struct points *points)
{
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(resolver->target, name, &nsymbols);
	uint64_t offset = spec->place.offset, size = 0;
	bool is_return = spec_is_return(spec);

	for (size_t i = 0; i < nsymbols; i++) {
		const struct symbol *symbol = &symbols[i];

		if (!symbol->section || !glob_matches(name, symbol->name))
			continue;
		if (!symbol->is_function &&
		    (symbol->size || !target_is_code(resolver->target, symbol->address)))
			continue; /* data, or a linker's marker */
		size = symbol->size ?: size;
		if (offset && offset >= symbol->size)
			continue;
		if (is_return && strstr(symbol->name, ".cold"))
			return no_return(resolver, spec, symbol->name);
		points_add(
			resolver, points, clone_instance(resolver, symbol->name, symbol->address),
			(struct position){.address = symbol->address + offset, .view = VIEW_LAST},
			0);
		points->list[points->count - 1].symbol = symbol->name;
	}
	return size && offset && !points->count ? offset_outside(resolver, spec, size) : NULL;
}

/* Padding before functions, for a compiler's checks. */
static bool is_no_function(const char *name)
{
	return !strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6);
}

/* A part of a function is only wanted if the glob names it. */
static bool is_wanted(const struct symbol *symbol, const char *glob)
{
	return symbol->is_function && symbol->section && !symbol->is_resolver &&
	       glob_matches(glob, symbol->name) && !is_no_function(symbol->name) &&
	       (!strchr(symbol->name, '.') || strchr(glob, '.'));
}

static int address_compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The points' addresses, sorted. */
static uint64_t *addresses_of(struct arena *arena, const struct points *points)
{
	uint64_t *addresses = arena_array(arena, uint64_t, points->count + 1);

	for (unsigned i = 0; i < points->count; i++)
		addresses[i] = points->list[i].at.address;
	qsort(addresses, points->count, sizeof(*addresses), address_compare);
	return addresses;
}

/* The out-of-line instances that the glob has found, by name: a kernel has thousands of symbols
 * that debug information may know as a part of one of them, and searching it for each takes
 * seconds. */
struct known {
	struct resolver *resolver;
	struct arena *scratch; /* for this list, which is as long as the kernel's */
	const char *glob;
	const uint64_t *addresses; /* of all points, sorted */
	unsigned naddresses;
	struct named {
		const char *name;
		unsigned order;
		const struct instance *instance;
	} *named; /* sorted; NULL: not asked for yet */
	unsigned nnamed;
};

static int named_compare(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static void list_named(struct known *known, const struct points *points, unsigned count)
{
	known->named = arena_array(known->scratch, struct named, count + 1);
	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points->list[i].instance;
		const char *scope;

		if (!instance || instance->inlined)
			continue;
		scope = strrchr(instance->function->name, ':');
		known->named[known->nnamed++] = (struct named){
			scope ? scope + 1 : instance->function->name, i, instance
		};
	}
	qsort(known->named, known->nnamed, sizeof(*known->named), named_compare);
}

/* clone_instance() of a symbol whose function the glob has found, if there is one. */
static const struct instance *known_clone(const struct known *known, const char *base,
					  uint64_t address)
{
	size_t first = partition_point(known->nnamed, i, strcmp(known->named[i].name, base) < 0);

	for (; first < known->nnamed && !strcmp(known->named[first].name, base); first++) {
		const struct instance *instance = known->named[first].instance;

		for (unsigned i = 0; i < instance->nranges; i++)
			if (address >= instance->ranges[i].start &&
			    address < instance->ranges[i].end)
				return instance;
	}
	return NULL;
}

static const struct instance *find_clone(struct known *known, const struct symbol *symbol,
					 const struct points *points)
{
	struct resolver *resolver = known->resolver;
	const char *base = arena_strndup(known->scratch, symbol->name, strcspn(symbol->name, "."));

	if (!glob_matches(known->glob, base))
		return clone_instance(resolver, symbol->name, symbol->address);
	if (!known->named)
		list_named(known, points, known->naddresses);
	return known_clone(known, base, symbol->address);
}

static struct error *add_symbol(struct known *known, const struct symbol *symbol, bool is_return,
				struct points *points)
{
	struct resolver *resolver = known->resolver;
	struct debuginfo *info = resolver->info;
	struct instance **instances;
	unsigned count, first = points->count;
	struct error *error;

	error = debuginfo_function_at(info, symbol->address, &instances, &count);
	if (error)
		return error;
	for (unsigned i = 0; i < count; i++) {
		if (is_return && instances[i]->inlined)
			continue;
		points_add(resolver, points, instances[i], entry_of(instances[i]),
			  instances[i]->function->line);
		if (!instances[i]->inlined && instances[i]->entry == symbol->address)
			points->list[points->count - 1].symbol = symbol->name;
	}
	if (points->count > first)
		return NULL;
	points_add(resolver, points, find_clone(known, symbol, points),
		  (struct position){.address = symbol->address, .view = VIEW_LAST}, 0);
	points->list[points->count - 1].symbol = symbol->name;
	return NULL;
}

struct error *glob_symbols(struct resolver *resolver, const char *glob, bool is_return,
			   struct points *points)
{
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(resolver->target, glob, &nsymbols);
	struct arena scratch;
	struct known known = {.resolver = resolver,
			      .scratch = &scratch,
			      .glob = glob,
			      .naddresses = points->count};
	struct error *error = NULL;
	uint64_t last = 0;

	arena_init(&scratch);
	known.addresses = addresses_of(&scratch, points);
	for (size_t i = 0; i < nsymbols && !error; i++) {
		const struct symbol *symbol = &symbols[i];

		if (!is_wanted(symbol, glob) || (is_return && strstr(symbol->name, ".cold")) ||
		    symbol->address == last ||
		    bsearch(&symbol->address, known.addresses, known.naddresses, sizeof(uint64_t),
			    address_compare))
			continue;
		last = symbol->address;
		error = add_symbol(&known, symbol, is_return, points);
	}
	arena_deinit(&scratch);
	return error;
}
