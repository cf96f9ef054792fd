// SPDX-License-Identifier: GPL-2.0-only
/* Errors about a function or a file that isn't there, or that its symbol alone tells of. */
#include <string.h>

#include "base/demangle.h"
#include "base/glob.h"
#include "base/nearest.h"
#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"
#include "resolve/points/points.h"
#include "target/target.h"

static void offer_function(void *cookie, const char *name, const char *linkage, bool has_code,
			   bool inlined)
{
	(void)linkage;
	if (has_code || inlined)
		nearest_offer(cookie, name);
}

static const char *whose_functions(struct resolver *resolver)
{
	const struct target *target = resolver->target;

	if (target->kind == TARGET_PROGRAM)
		return arena_printf(resolver->arena, "'%s'", target->path);
	return target->module ? arena_printf(resolver->arena, "module '%s'", target->module)
			      : "the kernel";
}

struct error *blame_missing(struct resolver *resolver, struct error *error)
{
	const struct error *absent = resolver->info->absent;

	/* if only symbols are known, the error says so itself */
	if (!absent || !debuginfo_has_functions(resolver->info))
		return error;
	error->hint = arena_printf(resolver->arena, "%s%s%s", absent->message,
				   absent->hint ? "; " : "", absent->hint ?: "");
	return error;
}

struct wanted_file {
	struct nearest nearest;
	unsigned slashes; /* in its name: as many components of a path are compared */
};

static void offer_file(void *cookie, const char *path)
{
	struct wanted_file *wanted = cookie;
	const char *end = path + strlen(path);
	unsigned slashes = wanted->slashes;

	while (end > path && (end[-1] != '/' || slashes--))
		end--;
	nearest_offer_path(&wanted->nearest, path, end, false);
}

struct error *hint_files(struct resolver *resolver, const char *name, struct error *error)
{
	enum { SHORT = 8 }; /* with its ending: one letter of it may be wrong, of others two */
	struct wanted_file wanted = {0};
	const char *names;

	nearest_init(&wanted.nearest, name);
	wanted.nearest.limit = strlen(name) < SHORT ? 1 : 2;
	for (const char *at = name; *at; at++)
		wanted.slashes += *at == '/';
	debuginfo_source_files(resolver->info, offer_file, &wanted);
	names = nearest_text(resolver->arena, &wanted.nearest);
	return names ? error_hint(resolver->arena, error, "did you mean %s?", names) :
		       error_hint(resolver->arena, error,
				  "file names are matched by whole path components from the end, "
				  "as in net/core/dev.c");
}

/* "ns::Box<int>::get(int)" as "ns::Box::get", which is what a symbol can be compared with. */
static char *without_arguments(struct arena *arena, const char *name)
{
	char *plain = arena_strdup(arena, name), *to = plain;
	unsigned depth = 0;

	for (const char *at = name; *at; at++) {
		depth += *at == '<' || *at == '(';
		if (!depth)
			*to++ = *at;
		depth -= depth && (*at == '>' || *at == ')');
	}
	*to = '\0';
	return strncmp(plain, "std::", 5) ? plain : plain + 5;
}

static bool is_called(struct arena *arena, const char *symbol, const char *name)
{
	const char *names = demangled_names(arena, symbol);

	return names && (glob_matches(name, names) ||
			 glob_matches(arena_printf(arena, "*::%s", name), names));
}

/* The symbols of functions that C++ or Rust calls so. Returns NULL when there is none. */
static char *symbols_of(struct resolver *resolver, const char *name)
{
	char *plain = without_arguments(resolver->arena, name), *list = NULL;
	const char *colon = strrchr(plain, ':'), *last = colon ? colon + 1 : plain;
	char *word = arena_strndup(resolver->arena, last + (*last == '~'),
				   strcspn(last + (*last == '~'), "*?["));
	size_t nsymbols, count = 0;
	const struct symbol *symbols = target_symbols(resolver->target, NULL, &nsymbols);

	for (size_t i = 0; i < nsymbols && *word; i++) {
		/* most symbols needn't be read */
		if (!symbols[i].is_function || !strstr(symbols[i].name, word) ||
		    !is_called(resolver->arena, symbols[i].name, plain))
			continue;
		if (count++ < NEAREST)
			list = arena_printf(resolver->arena, "%s%s%s", list ?: "", list ? ", " : "",
					    symbols[i].name);
	}
	return count > NEAREST ? arena_printf(resolver->arena, "%s or %zu more", list,
					      count - NEAREST) : list;
}

/* A program's functions without debug information are known by symbol only. */
static struct error *unknown_in_program(struct resolver *resolver, const char *name,
					struct nearest *nearest, struct error *error)
{
	const struct target *target = resolver->target;
	size_t nsymbols;
	const struct symbol *symbols = target_symbols(target, NULL, &nsymbols);
	struct error *absent = resolver->info->absent;
	char *names;

	for (size_t i = 0; i < nsymbols; i++) {
		const struct symbol *symbol = &symbols[i];

		if (absent && symbol->is_function && !strcmp(symbol->name, name)) {
			absent->text = error->text;
			absent->span = error->span;
			return absent;
		}
		if (symbol->is_function)
			nearest_offer(nearest, symbol->name);
	}
	names = symbols_of(resolver, name) ?: nearest_text(resolver->arena, nearest);
	if (names)
		return error_hint(resolver->arena, error, "did you mean %s?%s%s%s%s", names,
				  absent ? " Only symbols are known: " : "",
				  absent ? absent->message : "", absent && absent->hint ? "; " : "",
				  absent && absent->hint ? absent->hint : "");
	if (!absent)
		return error_command(resolver->arena, error, "funcs",
				     nearest_glob(resolver->arena, nearest), "list its functions");
	return error_command(resolver->arena, error, "funcs",
			     nearest_glob(resolver->arena, nearest),
			     "there is no debug information, only symbols (%s); list them",
			     absent->hint ? absent->hint : "build it with -g");
}

static bool is_indirect(const struct target *target, const char *name)
{
	unsigned count;
	const struct symbol *symbol = target_symbol_named(target, name, &count);

	return symbol && symbol->is_resolver;
}

char *indirect_text(struct arena *arena, const char *name)
{
	return arena_printf(arena, "'%s' is an indirect function: its code runs once in a process, "
				   "to choose another function, which is called in its place: one "
				   "that often has '%s' in its name, or one of the kernel's vdso, "
				   "which can't be probed", name, name);
}

struct error *symbol_only(struct resolver *resolver, const struct spec *spec, struct span span)
{
	const struct error *absent = resolver->info ? resolver->info->absent : NULL;
	struct error *error =
		error_at(error_new(resolver->arena, ERROR_NO_DEBUGINFO,
				   "'%s' is known by its symbol only: %s", spec->place.function,
				   absent ? absent->message :
					    "debug information doesn't describe it"),
			 spec->text, span);

	if (is_indirect(resolver->target, spec->place.function))
		return error_hint(resolver->arena, error, "%s",
				  indirect_text(resolver->arena, spec->place.function));
	return error_command(resolver->arena, error, "probe",
			     arena_printf(resolver->arena, "%s %%di +8(%%si):u64",
					  spec->place.function),
			     "%s%sname registers", absent && absent->hint ? absent->hint : "",
			     absent && absent->hint ? "; or " : "");
}

/* Debug information has other functions, and of this one nothing. */
static struct error *no_lines(struct resolver *resolver, const char *name, struct error *error)
{
	error->message = arena_printf(resolver->arena,
				      "'%s' is known by its symbol only: debug information "
				      "doesn't describe it", name);
	if (is_indirect(resolver->target, name))
		return error_hint(resolver->arena, error, "%s",
				  indirect_text(resolver->arena, name));
	return error_hint(resolver->arena, error, "probe its beginning, %s, or %s+OFFSET", name,
			  name);
}

struct error *check_lines_known(struct resolver *resolver, const char *text, struct span span)
{
	struct error *absent = resolver->info->absent;

	return debuginfo_has_lines(resolver->info) ? NULL :
	       error_at(error_copy(resolver->arena, absent), text, span);
}

static const struct symbol *symbol_of(const struct target *target, const char *name)
{
	unsigned count;
	const struct symbol *symbol =
		is_glob(name) ? NULL : target_symbol_named(target, name, &count);

	return symbol && symbol->section ? symbol : NULL;
}

/* A program's function that is a library's. A probe there is hit by all programs that use it. */
static bool hint_library(struct resolver *resolver, const char *name, struct error *error)
{
	const char *library;

	if (resolver->target->kind != TARGET_PROGRAM ||
	    !target_imports(resolver->target, name, &library))
		return false;
	error_hint(
		resolver->arena, error,
		"it is a function of a library that the program uses: -x %s, and behind the specs "
		"-- %s, or -p PID",
		library ?: "LIBRARY", resolver->target->path);
	return true;
}

/* Whether a source file is called so: not every name with a dot is taken for a file's. */
static bool is_file(struct resolver *resolver, const char *name)
{
	struct instance **instances;
	unsigned count;
	bool known;

	return strchr(name, '.') &&
	       !debuginfo_instances_at_lines(resolver->info, (struct file_lines){name, 1, 1},
					     &instances, &count, &known) &&
	       known;
}

/* sys_open* matches nothing, and *sys_open* does. */
static struct error *hint_wider(struct resolver *resolver, const char *name, struct error *error)
{
	const char *glob = arena_printf(resolver->arena, "*%s", name), *first = NULL;
	const struct symbol *symbols;
	size_t nsymbols, count = 0;

	if (!is_glob(name) || *name == '*')
		return NULL;
	symbols = target_symbols(resolver->target, NULL, &nsymbols);
	for (size_t i = 0; i < nsymbols; i++)
		if (symbols[i].is_function && glob_matches(glob, symbols[i].name)) {
			first = first ?: symbols[i].name;
			count++;
		}
	return count ? error_command(resolver->arena, error, "funcs", glob,
				     "'%s' matches %zu %s, as '%s'; list them", glob, count,
				     count == 1 ? "function" : "functions", first) : NULL;
}

struct error *unknown_function(struct resolver *resolver, const char *name, const char *text,
			       struct span span)
{
	const struct target *target = resolver->target;
	const struct symbol *symbol = symbol_of(target, name);
	struct nearest nearest;
	struct error *error, *ignored;
	char *names;

	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "no function '%s' in %s", name,
				   whose_functions(resolver)), text, span);
	if (hint_library(resolver, name, error) || hint_wider(resolver, name, error))
		return error;
	if (is_file(resolver, name))
		return error_hint(resolver->arena, error,
				  "it is a source file; with a '/' the name is taken for one: "
				  "./%s:LINE", name);
	if (symbol && !symbol->is_function)
		return error_hint(resolver->arena, error,
				  "it isn't code; memory there is shown at a place in "
				  "code, as @%s:u64",
				  name);
	if (symbol && !resolver->info->absent)
		return no_lines(resolver, name, error);
	nearest_init(&nearest, name);
	ignored = debuginfo_functions(resolver->info, NULL, offer_function, &nearest);
	(void)ignored; /* the error in question matters more than a better hint */
	if (nearest.count && !nearest.scores[0])
		return error_hint(resolver->arena, error,
				  "debug information describes it, but its code "
				  "isn't there: the compiler or the linker dropped it, or took "
				  "another function's");
	if (target->kind == TARGET_PROGRAM)
		return blame_missing(resolver, unknown_in_program(resolver, name, &nearest, error));
	error->is_kernel_name = !target->module;
	names = nearest_text(resolver->arena, &nearest);
	if (names)
		return error_hint(resolver->arena, error, "did you mean %s?", names);
	return error_command(
		resolver->arena, error, "funcs", nearest_glob(resolver->arena, &nearest),
		target->module ? "list its functions" :
				 "a module's function needs -m MODULE; list the kernel's");
}
