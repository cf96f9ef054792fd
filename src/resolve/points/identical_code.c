// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds functions whose identical code a compiler (gcc -fipa-icf, part of -O2) or a linker
 * (--icf) has merged: one address has the calls of all of them.
 *
 * The surprise: such a function and an alias look the same in the symbol table. But an alias, as in
 * libc, is only declared in the source, and a user that asks for one means the other too.
 */
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "resolve/points/points.h"
#include "target/target.h"

#define SHOWN 4 /* of merged functions that a warning names */

struct folded {
	struct resolver *resolver;
	const struct instance *instance; /* whose code it is */
	const char *name; /* of the symbol in question, without .part.0 and the like */
	const char *other; /* the function found behind it, or NULL */
};

static void note_definition(void *cookie, const char *name, const char *linkage, bool has_code,
			    bool inlined)
{
	struct folded *folded = cookie;

	(void)has_code;
	(void)inlined;
	if (!strcmp(name, folded->name) || (linkage && !strcmp(linkage, folded->name)))
		folded->other = name;
}

/* The name of the function that is defined in the source under a symbol's name, or NULL. */
static const char *defined_as(struct folded *folded)
{
	struct debuginfo *info = folded->resolver->info;
	const struct function *own = folded->instance->function;
	struct instance **instances;
	unsigned count;

	if (debuginfo_instances(info, folded->name, &instances, &count))
		return NULL;
	for (unsigned i = 0; i < count; i++)
		if (instances[i]->function->source == own->source ||
		    !strcmp(instances[i]->function->name, own->name))
			return NULL; /* both constructors of a class, for one, are one function */
	if (count)
		return instances[0]->function->name;
	/* the compiler leaves a definition without code */
	if (debuginfo_functions(info, folded->name, note_definition, folded))
		return NULL;
	return folded->other;
}

/* The symbol's name, without .part.0 and the like, if it isn't the function's own. */
static const char *other_name(struct resolver *resolver, const struct instance *instance,
			      const struct symbol *symbol)
{
	const char *name =
		arena_strndup(resolver->arena, symbol->name, strcspn(symbol->name, ".@"));

	return *name && strcmp(name, instance->function->name) ? name : NULL;
}

static const char *folded_with(struct resolver *resolver, const struct instance *instance,
			       const struct symbol *symbol)
{
	struct folded folded = {
		.resolver = resolver,
		.instance = instance,
		.name = other_name(resolver, instance, symbol),
	};

	return folded.name ? defined_as(&folded) : NULL;
}

/* The symbols at the beginning of a function that is out of line. */
static const struct symbol *const *symbols_of(struct resolver *resolver,
					      const struct instance *instance, uint64_t address,
					      unsigned *count)
{
	*count = 0;
	return !instance || instance->inlined || !resolver->info ?
		       NULL :
		       target_functions_from(resolver->arena, resolver->target, address,
					     instance->entry, count);
}

void folded_expect(struct resolver *resolver, const struct point *points, unsigned npoints)
{
	const char **names = NULL;
	unsigned count, nnames = 0;

	for (unsigned i = 0; i < npoints; i++) {
		const struct instance *instance = points[i].instance;
		const struct symbol *const *symbols =
			symbols_of(resolver, instance, points[i].at.address, &count);

		for (unsigned j = 0; count > 1 && j < count; j++) {
			const char *name = other_name(resolver, instance, symbols[j]);

			if (name)
				arena_append(resolver->arena, names, nnames) = name;
		}
	}
	if (nnames)
		debuginfo_expect(resolver->info, names, nnames);
}

static bool is_among(const char *const *list, unsigned count, const char *name)
{
	unsigned i = 0;

	while (i < count && strcmp(list[i], name))
		i++;
	return i < count;
}

static const char *list_of(struct arena *arena, const char *const *names, unsigned count)
{
	const char *text = arena_printf(arena, "'%s'", names[0]);

	for (unsigned i = 1; i < count && i < SHOWN; i++)
		text = arena_printf(arena, "%s, '%s'", text, names[i]);
	return count <= SHOWN ? text : arena_printf(arena, "%s and %u more", text, count - SHOWN);
}

const char *folded_functions(struct resolver *resolver, const struct instance *instance,
			     uint64_t address)
{
	const char **names = NULL;
	unsigned count, nnames = 0;
	const struct symbol *const *symbols = symbols_of(resolver, instance, address, &count);

	for (unsigned i = 0; count > 1 && i < count; i++) {
		const char *name = folded_with(resolver, instance, symbols[i]);

		if (name && !is_among(names, nnames, name))
			arena_append(resolver->arena, names, nnames) = name;
	}
	return nnames ? list_of(resolver->arena, names, nnames) : NULL;
}

const char *folded_into(const struct resolver *resolver, const char *name)
{
	struct instance **instances;
	unsigned nsymbols, count;
	const struct symbol *symbol = target_symbol_named(resolver->target, name, &nsymbols);

	if (!symbol || !symbol->is_function || !symbol->section ||
	    debuginfo_function_at(resolver->info, symbol->address, &instances, &count))
		return NULL;
	for (unsigned i = 0; i < count; i++)
		if (!instances[i]->inlined && instances[i]->entry == symbol->address &&
		    strcmp(instances[i]->function->name, name) != 0)
			return instances[i]->function->name;
	return NULL;
}
