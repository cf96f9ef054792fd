// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors that say what exists instead of something missing: the nearest names, the variables in
 * scope, the lines where a value is available. Only runs once something has failed, so it may take
 * its time.
 */
#include <stdlib.h>

#include "base/glob.h"
#include "base/nearest.h"
#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"
#include "target/target.h"

/* A function can have a hundred thousand variables and rows; a struct can contain itself in each
 * member. */
enum { MEMBER_DEPTH = 3, LISTED_MAX = 100, MEMBERS_MAX = 65536 };

char *suggest_names(struct arena *arena, const char *name, const char *const *names,
		    unsigned count)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (unsigned i = 0; i < count; i++)
		nearest_offer(&nearest, names[i]);
	return nearest_text(arena, &nearest);
}

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
	names = nearest_text(resolver->arena, nearest);
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
	return error_hint(resolver->arena, error, "name registers instead: %%di, +8(%%si):u64%s%s",
			  absent && absent->hint ? "; or: " : "",
			  absent && absent->hint ? absent->hint : "");
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

struct error *unknown_function(struct resolver *resolver, const char *name, const char *text,
			       struct span span)
{
	const struct target *target = resolver->target;
	const struct symbol *symbol = symbol_of(target, name);
	struct nearest nearest;
	struct error *error, *ignored;
	char *names;

	nearest_init(&nearest, name);
	ignored = debuginfo_functions(resolver->info, NULL, offer_function, &nearest);
	(void)ignored; /* the error in question matters more than a better hint */
	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "no function '%s' in %s", name,
				   whose_functions(resolver)), text, span);
	if (hint_library(resolver, name, error))
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
	if (nearest.count && !nearest.scores[0])
		return error_hint(resolver->arena, error,
				  "debug information describes it, but its code "
				  "isn't there: the compiler or the linker dropped it, or took "
				  "another function's");
	if (target->kind == TARGET_PROGRAM)
		return blame_missing(resolver, unknown_in_program(resolver, name, &nearest, error));
	names = nearest_text(resolver->arena, &nearest);
	if (names)
		return error_hint(resolver->arena, error, "did you mean %s?", names);
	return error_command(
		resolver->arena, error, "funcs", nearest_glob(resolver->arena, &nearest),
		target->module ? "list its functions" :
				 "a module's function needs -m MODULE; list the kernel's");
}

/* bpftrace's words for what every event shows anyway, or what is written with a '$' here. */
static const char *builtin_meaning(const char *name)
{
	static const char *const words[][2] = {
		{"retval", "what is returned is $retval, at FUNC%return"},
		{"comm", "each event shows its task, which is also $comm"},
		{"pid", "each event shows the thread's number; --filter and -p take it"},
		{"tid", "each event shows the thread's number; --filter takes it as pid"},
		{"cpu", "each event shows its CPU; --filter takes it"},
		{"nsecs", "each event shows its time; $duration is how long a call took"},
		{"kstack", "the kernel's call stack is $kstack"},
		{"ustack", "the program's call stack is $ustack"},
		{"stack", "a call stack is $kstack, or $ustack of a program"},
		{"duration", "how long a call took is $duration"},
		{"elapsed", "how long a call took is $duration"},
		{"args", "a parameter is named alone, and all of them are $params"},
		{"func", "the function's name is $function"},
		{"return", "what is returned is $retval, at FUNC%return"},
		{"curtask", "the running thread's task_struct is $current"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i][0], name))
			return words[i][1];
	return NULL;
}

struct error *unknown_variable(struct resolver *resolver, const struct instance *instance,
			       struct position at, const struct spec *spec,
			       const struct want *want)
{
	struct variable *variables;
	struct nearest nearest;
	unsigned count;
	char *names, *all = NULL;
	struct error *error, *hinted;

	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
				   "no variable '%s' in scope in '%s' here", want->base,
				   instance->function->name), spec->text, want->base_span);
	if (want->is_expanded)
		return error; /* this error is not shown */
	if (builtin_meaning(want->base))
		return error_hint(resolver->arena, error, "%s", builtin_meaning(want->base));
	hinted = hint_lines(resolver, instance, spec, want, error);
	if (hinted)
		return hinted;
	hinted = debuginfo_variables(resolver->info, instance, at, false, &variables, &count);
	if (hinted)
		return hinted; /* the variables in scope can't be listed */
	nearest_init(&nearest, want->base);
	for (unsigned i = 0; i < count; i++) {
		nearest_offer(&nearest, variables[i].name);
		if (i >= LISTED_MAX)
			continue;
		all = all ? arena_printf(resolver->arena, "%s %s", all, variables[i].name)
			  : arena_strdup(resolver->arena, variables[i].name);
	}
	if (count > LISTED_MAX)
		all = arena_printf(resolver->arena, "%s and %u more", all, count - LISTED_MAX);
	names = nearest_text(resolver->arena, &nearest);
	if (names && nearest.count == 1)
		return error_hint(resolver->arena, error, "did you mean '%s'? In scope: %s", names,
				  all);
	if (!all && !debuginfo_has_variables(resolver->info, instance))
		return error_hint(resolver->arena, error, "%s", NO_VARIABLES);
	return error_hint(resolver->arena, error, all ? "in scope: %s" : "nothing is in scope%s",
			  all ? all : "");
}

struct error *missing_value(struct resolver *resolver, const struct instance *instance,
			    const struct spec *spec, const struct want *want, const char *reason)
{
	struct error *error;

	error = error_at(error_new(resolver->arena, ERROR_NO_VALUE, "'%s' has no value here: %s",
				   want->base, reason), spec->text, want->base_span);
	if (want->is_expanded || hint_lines(resolver, instance, spec, want, error))
		return error;
	if (!debuginfo_has_lines(resolver->info) && strcmp(want->base, CURRENT_TASK) != 0)
		return error_hint(resolver->arena, error,
				  "a register can always be recorded: '%s %%%s'",
				  spec->place.function,
				  resolver->arch->registers[resolver->arch->arguments[0]]);
	return error_command(resolver->arena, error, "vars", instance->function->name,
			     "'%s' has no value at any line of '%s'; see what has", want->base,
			     instance->function->name);
}

struct error *hint_members(struct resolver *resolver, const struct type *type, const char *path,
			   const char *step, struct error *error)
{
	enum { MOST = 12 };
	struct member *members;
	unsigned count;
	char *text = NULL;

	if (debuginfo_members(resolver->info, type, &members, &count) || !count)
		return error;
	for (unsigned i = 0; i < count && i < MOST; i++)
		text = text ? arena_printf(resolver->arena, "%s %s", text, members[i].name)
			    : arena_strdup(resolver->arena, members[i].name);
	return error_hint(resolver->arena, error, "name a member, as in %s%s%s; it has: %s%s", path,
			  step, members[0].name, text, count > MOST ? " ..." : "");
}

/* The nearest of a type's members, which are bounded. */
struct member_search {
	struct resolver *resolver;
	struct nearest nearest;
	unsigned tried;
};

/* Offers members of members: the kernel's `sk->sk_family` is a macro for __sk_common.skc_family,
 * which debug information doesn't know. Behind a pointer only an exact match counts. */
static void offer_members(struct member_search *search, const struct type *type, const char *path,
			  unsigned depth)
{
	struct arena *arena = search->resolver->arena;
	struct member *members;
	unsigned count;

	if (debuginfo_members(search->resolver->info, type, &members, &count))
		return;
	for (unsigned i = 0; i < count && search->tried++ < MEMBERS_MAX; i++) {
		const struct type *inner = members[i].type;
		char *name = arena_printf(arena, "%s%s", path, members[i].name);

		nearest_offer_path(&search->nearest, name, members[i].name, depth == MEMBER_DEPTH);
		if (depth + 1 < MEMBER_DEPTH &&
		    (inner->kind == TYPE_STRUCT || inner->kind == TYPE_UNION))
			offer_members(search, inner, arena_printf(arena, "%s.", name), depth + 1);
		if (!depth && inner->kind == TYPE_POINTER && inner->target->kind == TYPE_STRUCT)
			offer_members(search, inner->target, arena_printf(arena, "%s->", name),
				      MEMBER_DEPTH);
	}
}

struct error *no_member(struct resolver *resolver, const struct type *type, const char *name,
			const char *text, struct span span)
{
	struct member *members;
	struct member_search search = {.resolver = resolver};
	unsigned count;
	struct error *error;
	char *names;

	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "'%s' has no member '%s'",
				   type->name, name), text, span);
	if (debuginfo_members(resolver->info, type, &members, &count))
		return error;
	nearest_init(&search.nearest, name);
	offer_members(&search, type, "", 0);
	names = nearest_text(resolver->arena, &search.nearest);
	if (names)
		return error_hint(resolver->arena, error, "did you mean %s?", names);
	if (!count)
		return error_hint(resolver->arena, error,
				  "the members of '%s' are not described here", type->name);
	return hint_members(resolver, type, "it", ".", error);
}
