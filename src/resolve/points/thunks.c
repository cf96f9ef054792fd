// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds copies of a C++ function in its thunks: the code through which calls for another base class
 * reach it.
 *
 * The surprise: gcc inlines a short function into its thunks, and debug information describes
 * neither the thunks nor these copies. (clang describes both.)
 */
#include "arch/arch.h"
#include "base/arena.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/points.h"
#include "target/target.h"

enum {
	SHOWN = 4,    /* thunks that a warning names */
	LONGEST = 16, /* instructions of a thunk that goes on in the function itself */
};

/* Behind "hn16_" or "v0_n24_". NULL: there is none. (Itanium C++ ABI, 5.1.4.2) */
static const char *behind_offset(const char *at)
{
	unsigned numbers = *at == 'h' ? 1 : *at == 'v' ? 2 : 0;

	if (!numbers)
		return NULL;
	for (at++; numbers; numbers--) {
		size_t digits;

		at += *at == 'n';
		digits = strspn(at, "0123456789");
		if (!digits || at[digits] != '_')
			return NULL;
		at += digits + 1;
	}
	return at;
}

/* Whether it is the symbol of a thunk of the function with the other symbol. */
static bool is_thunk_of(const char *name, const char *function)
{
	static const char prefix[] = "_ZT";
	const char *rest;

	if (strncmp(name, prefix, strlen(prefix)))
		return false;
	name += strlen(prefix);
	/* with another type of what it returns, it has two */
	rest = behind_offset(*name == 'c' ? name + 1 : name);
	if (rest && *name == 'c')
		rest = behind_offset(rest);
	return rest && !strcmp(rest, function + strlen("_Z"));
}

/* Whether the thunk only moves the object's address and goes on in the function. */
static bool leads_to(struct resolver *resolver, uint64_t address, uint64_t entry)
{
	for (unsigned i = 0; i < LONGEST; i++) {
		struct effect effect;
		struct insn insn;

		if (!code_effect(resolver, address, &insn, &effect) || !insn.falls_through ||
		    insn.is_call)
			return insn.length && insn.is_branch && insn.target == entry;
		address += insn.length;
	}
	return false;
}

static bool is_described(struct resolver *resolver, uint64_t address)
{
	struct instance **instances;
	unsigned count;

	return !debuginfo_function_at(resolver->info, address, &instances, &count) && count;
}

static const struct symbol *const *list_thunks(struct resolver *resolver, unsigned *count)
{
	const struct symbol **list = NULL;
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(resolver->target, "_ZT*", &nsymbols);

	*count = 0;
	for (size_t i = 0; i < nsymbols; i++)
		if (symbols[i].is_function && !strncmp(symbols[i].name, "_ZT", 3))
			arena_append(resolver->arena, list, *count) = &symbols[i];
	return list;
}

static bool may_have_thunks(const struct instance *instance)
{
	return instance && !instance->inlined && instance->is_by_gcc &&
	       !instance->is_unoptimised && strstr(instance->function->name, "::");
}

/* Whether one of the names that begin at the function's entry (both constructors of a class have
 * one) is the thunk's function's, and the thunk has its code. */
static bool is_copy(struct resolver *resolver, const struct symbol *thunk,
		    const struct symbol *const *names, unsigned nnames, uint64_t entry)
{
	for (unsigned i = 0; i < nnames; i++)
		if (!strncmp(names[i]->name, "_Z", 2) && is_thunk_of(thunk->name, names[i]->name))
			return !leads_to(resolver, thunk->address, entry) &&
			       !is_described(resolver, thunk->address);
	return false;
}

/* Those that have the function's code, in quotes, as a text; NULL: none. */
static const char *copies_of(struct resolver *resolver, const struct instance *instance,
			     const struct symbol *const *thunks, unsigned nthunks)
{
	unsigned nnames, shown = 0;
	const struct symbol *const *names = target_functions_from(
		resolver->arena, resolver->target, instance->entry, instance->entry, &nnames);
	const char *text = NULL;

	for (unsigned i = 0; i < nthunks; i++) {
		if (!is_copy(resolver, thunks[i], names, nnames, instance->entry))
			continue;
		if (shown++ < SHOWN)
			text = arena_printf(resolver->arena, "%s%s'%s'", text ?: "",
					    text ? ", " : "", thunks[i]->name);
	}
	return shown <= SHOWN ? text :
				arena_printf(resolver->arena, "%s and %u others of the symbols _ZT*",
					     text, shown - SHOWN);
}

unsigned thunk_texts(struct resolver *resolver, const struct point *points, unsigned count,
		     const char ***ret)
{
	const struct symbol *const *thunks = NULL;
	const struct instance *last = NULL;
	unsigned nthunks = 0, ntexts = 0;

	*ret = NULL;
	for (unsigned i = 0; i < count; i++) {
		const char *copies;

		if (points[i].instance == last || !may_have_thunks(points[i].instance))
			continue;
		if (!last)
			thunks = list_thunks(resolver, &nthunks);
		last = points[i].instance;
		copies = copies_of(resolver, last, thunks, nthunks);
		if (copies)
			arena_append(resolver->arena, *ret, ntexts) = arena_printf(
				resolver->arena,
				"calls of '%s' for another base class run a copy of it, which "
				"debug information doesn't describe: fewer events than calls are "
				"possible; probe %s as well",
				last->function->name, copies);
	}
	return ntexts;
}
