// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the instance that the symbol of a function's part or clone (foo.cold, foo.isra.0) is code
 * of. Debug information knows it by the function's own name.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
#include "target/target.h"

const struct instance *clone_instance(struct resolver *resolver, const char *name, uint64_t address)
{
	char *base = arena_strndup(resolver->arena, name, strcspn(name, "."));
	struct instance **instances;
	unsigned count;

	if (debuginfo_instances(resolver->info, base, &instances, &count))
		return NULL;
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; !instances[i]->inlined && j < instances[i]->nranges; j++)
			if (address >= instances[i]->ranges[j].start &&
			    address < instances[i]->ranges[j].end)
				return instances[i];
	return NULL;
}

/* The instance, cut down to what lies in the symbol. */
static struct instance *restrict_to(struct arena *arena, const struct instance *instance,
				    const struct symbol *symbol)
{
	struct instance *part = arena_new(arena, struct instance);

	*part = *instance;
	part->ranges = arena_array(arena, struct range, instance->nranges);
	part->nranges = 0;
	for (unsigned i = 0; i < instance->nranges; i++)
		if (instance->ranges[i].start >= symbol->address &&
		    instance->ranges[i].start < symbol->address + symbol->size)
			part->ranges[part->nranges++] = instance->ranges[i];
	part->entry = symbol->address;
	return part;
}

static void find_clones(struct resolver *resolver, const char *name, bool only_part,
			struct instance ***ret, unsigned *count)
{
	const struct symbol *symbols;
	size_t nsymbols;

	*count = 0;
	if (!strchr(name, '.'))
		return;
	symbols = target_symbols(resolver->target, name, &nsymbols);
	for (size_t i = 0; i < nsymbols; i++) {
		const struct symbol *symbol = &symbols[i];
		const struct instance *instance;

		if (!symbol->is_function || strcmp(symbol->name, name))
			continue;
		instance = clone_instance(resolver, name, symbol->address);
		if (!instance)
			continue;
		*ret = arena_grow(resolver->arena, *ret, *count * sizeof(**ret),
				  (*count + 1) * sizeof(**ret));
		(*ret)[(*count)++] = only_part ? restrict_to(resolver->arena, instance, symbol) :
				     (struct instance *)instance;
	}
}

void clone_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count)
{
	find_clones(resolver, name, false, ret, count);
}

void clone_ranges(struct resolver *resolver, const char *name, struct instance ***ret,
		  unsigned *count)
{
	find_clones(resolver, name, true, ret, count);
}
