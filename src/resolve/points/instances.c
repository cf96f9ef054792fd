// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a function's instances by its name, and perhaps its file. Names are looked up in the debug
 * information first, then among the symbols of a program; other names are handled by other files
 * (clone.c, alias.c, generic.c).
 */

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"
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

struct error *named_instances(struct resolver *resolver, const char *name, struct instance ***ret,
			      unsigned *count)
{
	struct error *error = debuginfo_instances(resolver->info, name, ret, count);

	/* foo.part.0 means exactly that symbol, not all of foo */
	if (error || *count || resolver->target->kind != TARGET_PROGRAM || is_glob(name) ||
	    strchr(name, '.'))
		return error;
	error = symbol_instances(resolver, name, ret, count);
	if (error || *count)
		return error;
	return generic_instances(resolver, name, ret, count);
}

struct error *choose_instances(struct resolver *resolver, const struct named_function *named,
			       struct instance ***ret, unsigned *count)
{
	unsigned all;

	if (!*count)
		clone_instances(resolver, named->name, ret, count);
	if (!*count)
		alias_instances(resolver, named->name, ret, count);
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
	struct error *error = named_instances(resolver, named->name, ret, count);

	return error ? error : choose_instances(resolver, named, ret, count);
}
