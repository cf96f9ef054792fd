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
#include "resolve/values/walk.h"
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
		if (*variables[i].name == '$')
			continue; /* Free Pascal's $result: $vars shows it, but it can't be named */
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
	unsigned count, plain = 0; /* more likely to be shown than one with an inside */
	char *text = NULL;

	if (debuginfo_members(resolver->info, type, &members, &count) || !count)
		return error;
	while (plain < count && plain < MOST && type_is_struct(members[plain].type))
		plain++;
	plain = plain < count && plain < MOST ? plain : 0;
	for (unsigned i = 0; i < count && i < MOST; i++)
		text = text ? arena_printf(resolver->arena, "%s %s", text, members[i].name)
			    : arena_strdup(resolver->arena, members[i].name);
	return error_hint(resolver->arena, error, "name a member, as in %s%s%s; it has: %s%s", path,
			  step, members[plain].name, text, count > MOST ? " ..." : "");
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
