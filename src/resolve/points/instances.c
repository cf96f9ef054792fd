// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a function's instances by its name, and perhaps its file. Names are looked up in the debug
 * information first, then among the symbols of a program; other names are handled by other files
 * (clone.c, alias.c, generic.c).
 */

#include <string.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
#include "target/code.h"
#include "target/target.h"

static void keep_file(struct instance **instances, unsigned *count, const char *file)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < *count; i++)
		if (file_matches(instances[i]->function->file, file))
			instances[kept++] = instances[i];
	*count = kept;
}

static struct error *not_in_file(struct resolver *resolver, const struct named_function *named,
				 struct instance *const *instances, unsigned count)
{
	const char *text = named->text, *file = named->file;
	const char *at = strstr(text + named->span.end, file); /* not where it is quoted */
	struct span span = named->span;
	char *files = NULL;
	struct error *error;

	if (at)
		span = (struct span){(unsigned)(at - text), (unsigned)(at - text + strlen(file))};
	for (unsigned i = 0; i < count; i++)
		if (!files || !strstr(files, instances[i]->function->file))
			files = files ? arena_printf(resolver->arena, "%s, %s", files,
						     instances[i]->function->file)
				      : arena_strdup(resolver->arena, instances[i]->function->file);
	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "no '%s' in a file '%s'",
				   named->name, file), text, span);
	return error_hint(resolver->arena, error, "it is in %s", files);
}

static void append_instances(struct resolver *resolver, struct instance **more, unsigned nmore,
			     struct instance ***ret, unsigned *count)
{
	*ret = arena_grow(resolver->arena, *ret, *count * sizeof(**ret),
			  (*count + nmore) * sizeof(**ret));
	for (unsigned i = 0; i < nmore; i++)
		(*ret)[*count + i] = more[i];
	*count += nmore;
}

/* malloc is a symbol of libc at the entry of a function that the source calls __libc_malloc. */
static struct error *symbol_instances(struct resolver *resolver, const char *name,
				      struct instance ***ret, unsigned *count)
{
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(resolver->target, name, &nsymbols);
	uint64_t last = 0;

	for (size_t i = 0; i < nsymbols; i++) {
		const struct symbol *symbol = &symbols[i];
		struct instance **more;
		struct error *error;
		unsigned nmore;

		if (!symbol->is_function || symbol->is_resolver || symbol->address == last ||
		    !glob_matches(name, symbol->name))
			continue;
		last = symbol->address;
		error = debuginfo_function_at(resolver->info, last, &more, &nmore);
		if (error)
			return error;
		append_instances(resolver, more, nmore, ret, count);
	}
	return NULL;
}

/* The program's own function of that name. */
static const struct symbol *own_symbol(const struct resolver *resolver, const char *name)
{
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(resolver->target, name, &nsymbols);
	const struct symbol *own = NULL;

	for (size_t i = 0; i < nsymbols; i++)
		if ((symbols[i].is_global || symbols[i].is_resolver) && symbols[i].is_function &&
		    symbols[i].section && !strcmp(symbols[i].name, name))
			own = &symbols[i];
	return own;
}

/* Whether the instance is what an indirect function of that name chooses from: target_clones makes
 * NAME.avx2 and NAME.default of NAME. */
static bool is_version(const struct resolver *resolver, const char *name,
		       const struct instance *instance)
{
	const struct symbol *symbol = target_symbol_at(resolver->target, instance->entry, NULL);
	size_t length = strlen(name);

	return symbol && !strncmp(symbol->name, name, length) && symbol->name[length] == '.';
}

/* Whether debug information has that function under another name or not at all: what it has under
 * this one are copies of a header's wrapper, as those of libc's headers with _FORTIFY_SOURCE, or a
 * static function. */
static bool is_elsewhere(const struct resolver *resolver, const char *name,
			 struct instance *const *instances, unsigned count)
{
	const struct symbol *own = own_symbol(resolver, name);

	for (unsigned i = 0; own && i < count; i++)
		if (!instances[i]->inlined &&
		    ((own->is_resolver ? is_version(resolver, name, instances[i]) :
					 instances[i]->entry == own->address) ||
		     !target_is_code(resolver->target, instances[i]->entry)))
			own = NULL; /* or the linker merged it with another function */
	return own;
}

const struct instance *left_out_copies(struct resolver *resolver, const struct place *place,
				       unsigned *count)
{
	struct instance **instances;

	*count = 0;
	if (resolver->target->kind != TARGET_PROGRAM || !place->function || place->file ||
	    is_glob(place->function) ||
	    !own_symbol(resolver, place->function) || /* spares a walk through units */
	    debuginfo_instances(resolver->info, place->function, &instances, count) || !*count ||
	    !is_elsewhere(resolver, place->function, instances, *count))
		return NULL;
	return instances[0];
}

struct error *named_instances(struct resolver *resolver, const struct named_function *named,
			      struct instance ***ret, unsigned *count)
{
	const char *name = named->name;
	struct error *error = debuginfo_instances(resolver->info, name, ret, count);

	/* foo.part.0 means exactly that symbol, not all of foo */
	if (error || resolver->target->kind != TARGET_PROGRAM || is_glob(name) || strchr(name, '.'))
		return error;
	if (*count && (named->file || !is_elsewhere(resolver, name, *ret, *count)))
		return NULL;
	*count = 0;
	error = symbol_instances(resolver, name, ret, count);
	if (error || *count)
		return error;
	return generic_instances(resolver, name, ret, count);
}

/* D writes shop.cart.Cart.add; debug information has a module, whose name may have dots, and what
 * is in it: shop.cart::Cart::add. */
static void dotted_instances(struct resolver *resolver, const char *name, struct instance ***ret,
			     unsigned *count)
{
	const char *other = name, *dot;

	if (resolver->target->kind != TARGET_PROGRAM || is_glob(name) || strchr(name, ':'))
		return;
	while (!*count && (dot = strrchr(other, '.')) && dot > other) {
		struct error *ignored;

		other = arena_printf(resolver->arena, "%.*s::%s", (int)(dot - other), other,
				     dot + 1);
		ignored = debuginfo_instances(resolver->info, other, ret, count);
		(void)ignored; /* that there is none of the name as given is the better error */
	}
}

struct error *choose_instances(struct resolver *resolver, const struct named_function *named,
			       struct instance ***ret, unsigned *count)
{
	unsigned all;

	if (!*count)
		clone_instances(resolver, named->name, ret, count);
	if (!*count)
		alias_instances(resolver, named->name, ret, count);
	if (!*count)
		dotted_instances(resolver, named->name, ret, count);
	all = *count;
	if (!all)
		return unknown_function(resolver, named->name, named->text, named->span);
	if (named->file)
		keep_file(*ret, count, named->file);
	return *count ? NULL : not_in_file(resolver, named, *ret, all);
}

struct error *resolve_instances(struct resolver *resolver, const struct named_function *named,
				struct instance ***ret, unsigned *count)
{
	struct error *error = named_instances(resolver, named, ret, count);

	return error ? error : choose_instances(resolver, named, ret, count);
}
