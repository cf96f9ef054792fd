// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides how a program's returns are probed: at each place where the function ends, by the
 * kernel's return probe, or not at all, with an error that says why.
 *
 * The surprise: the kernel's return probe (uretprobe) replaces the return address by one of its
 * own. Code that walks the stack meets it: an exception that passes kills the program. So it is
 * used only where the exits can't tell all that is asked for and nothing in the program is known to
 * walk the stack.
 */
#include "base/glob.h"
#include "expr/expr.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/kinds.h"
#include "target/code.h"
#include "target/target.h"

enum way {
	WAY_EXITS,
	WAY_TRAMPOLINE,
	WAY_NEVER, /* there is no return to miss */
	WAY_NONE,
};

struct returns {
	struct resolver *resolver;
	const struct spec *spec;
	const struct point *all;
	unsigned nall;
	struct points points;
	bool is_many;       /* a glob: what can't be probed is left out */
	const char *walker; /* what walks stacks in the program, or NULL */
	unsigned nleft_out;
	const char *left_out; /* the first left out, and why */
	struct error *error;  /* its error, or that of one whose returns would be missed */
	bool would_miss;
};

/* These return twice, or elsewhere, or walk the stack themselves, whatever else the file
 * contains. */
bool resolve_is_stack_magic(const char *name)
{
	static const char *const names[] = {
		"setjmp",	   "_setjmp",	   "__sigsetjmp",   "sigsetjmp",   "longjmp",
		"_longjmp",	   "siglongjmp",   "__longjmp_chk", "vfork",	   "__vfork",
		"clone",	   "__clone",	   "getcontext",    "setcontext",  "swapcontext",
		"__start_context", "__restore_rt", "backtrace",	    "__backtrace",
	};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return name && (!strncmp(name, "_Unwind_", 8) || !strncmp(name, "__cxa_", 6) ||
			!strncmp(name, "_dl_runtime_", 12));
}

static const char *name_of(struct resolver *resolver, const struct point *point)
{
	const struct symbol *symbol = target_symbol_at(resolver->target, point->at.address,
						       point->symbol);

	return point->instance ? point->instance->function->name : symbol ? symbol->name :
	       point->symbol ?: "?";
}

/* Why a replaced return address would be noticed, or NULL. */
static const char *hazard(const struct returns *returns, const struct point *point,
			  const struct exits *exits)
{
	const struct symbol *symbol = target_symbol_at(returns->resolver->target, point->at.address,
						       point->symbol);

	if (resolve_is_stack_magic(symbol ? symbol->name : point->symbol))
		return "it returns twice or walks the stack";
	return returns->walker && (exits->has_calls || exits->njumps || exits->unknown) ?
	       arena_printf(returns->resolver->arena, "the program has %s", returns->walker) : NULL;
}

static bool is_later(const struct want *want)
{
	return strstr(want->base, RETURN_VALUE) || !strcmp(want->base, DURATION);
}

/* Whether a want is only known after the function that an exit jumps to has returned. */
static bool wants_later(const struct spec *spec)
{
	if (spec->is_call)
		return true;
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind != WANT_ALL && !spec->wants[i].is_start &&
		    is_later(&spec->wants[i]))
			return true;
	return false;
}

/* *why: for EXITS a note about them, or NULL; for the others the reason. */
static enum way choose_way(struct returns *returns, const struct point *point,
			   const struct exits *exits, const char **why)
{
	struct arena *arena = returns->resolver->arena;
	const char *danger = hazard(returns, point, exits);

	*why = NULL;
	if (target_stack_state(returns->resolver->target, point->at.address) > STACK_BARE) {
		*why = "it isn't called, but jumped to: it has no return address";
		return WAY_NEVER;
	}
	if (!exits->unknown && !exits->count) {
		*why = "its code has no ret instruction: it never returns";
		return WAY_NEVER;
	}
	if (!exits->unknown && (!exits->njumps || danger || !wants_later(returns->spec))) {
		if (exits->njumps)
			*why = arena_printf(arena,
					    ", %u of them a jump to another one, which returns in "
					    "its place%s%s",
					    exits->njumps,
					    danger ? "; a return probe of the "
						     "kernel's could break the program: " :
						     "",
					    danger ?: "");
		return WAY_EXITS;
	}
	*why = exits->unknown ?:
				"it ends in a jump to another function, which returns in its place";
	if (!danger)
		return WAY_TRAMPOLINE;
	*why = arena_printf(
		arena,
		"%s; so its exits can't all be probed, and a return probe of the kernel's "
		"could break the program: %s",
		*why, danger);
	return WAY_NONE;
}

static void add_point(struct returns *returns, const struct point *point, const struct exit *exit,
		      unsigned number, const char *note)
{
	points_add(returns->resolver, &returns->points, NULL, point->at, 0);
	point = memcpy(&returns->points.list[returns->points.count - 1], point, sizeof(*point));
	returns->points.list[returns->points.count - 1].exit = exit;
	returns->points.list[returns->points.count - 1].exit_number = number;
	returns->points.list[returns->points.count - 1].note = note;
}

static void leave_out(struct returns *returns, const struct point *point, const char *why,
		      bool would_miss)
{
	struct resolver *resolver = returns->resolver;
	const char *name = name_of(resolver, point);

	if (returns->nleft_out++ && (returns->would_miss || !would_miss))
		return;
	returns->would_miss |= would_miss;
	returns->left_out = arena_printf(resolver->arena, "'%s': %s", name, why);
	returns->error =
		error_hint(resolver->arena,
			   error_at(error_new(resolver->arena, ERROR_REFUSED,
					      "'%s' can't be probed at its return: %s", name, why),
				    returns->spec->text, returns->spec->place.span),
			   "its entry can be probed, and its lines");
}

static void one_function(struct returns *returns, const struct point *point)
{
	struct arena *arena = returns->resolver->arena;
	struct exits *exits = arena_new(arena, struct exits);
	const char *why, *note;

	exits_find(returns->resolver, point, returns->all, returns->nall, exits);
	if (returns->is_many && exits->is_unsized) {
		leave_out(returns, point, exits->unknown, false);
		return;
	}
	switch (choose_way(returns, point, exits, &why)) {
	case WAY_EXITS:
		note = arena_printf(
			arena, "return probed at the %u instruction%s where the function ends%s",
			exits->count, exits->count == 1 ? "" : "s", why ?: "");
		for (unsigned i = 0; i < exits->count; i++)
			add_point(returns, point, &exits->list[i], i, i ? NULL : note);
		break;
	case WAY_TRAMPOLINE:
		add_point(returns, point, NULL, 0,
			  arena_printf(arena,
				       "return probed by the kernel's own return probe: %s",
				       why));
		break;
	case WAY_NEVER:
		leave_out(returns, point, why, false);
		break;
	case WAY_NONE:
		leave_out(returns, point, why, true);
	}
}

struct error *return_exits(struct resolver *resolver, const struct spec *spec, struct sites *sites,
			   struct point **points, unsigned *count)
{
	struct returns returns = {
		.resolver = resolver,
		.spec = spec,
		.is_many = spec->place.function && is_glob(spec->place.function),
	};

	if (resolver->target->kind != TARGET_PROGRAM || spec->place.kind != PLACE_RETURN)
		return NULL;
	returns.all = *points;
	returns.nall = *count;
	returns.walker = target_stack_walker(resolver->target);
	for (unsigned i = 0; i < *count; i++)
		one_function(&returns, &(*points)[i]);
	/* a clone of the name that throws, and never returns, is no loss */
	if (returns.error && (!returns.points.count || (!returns.is_many && returns.would_miss)))
		return returns.error;
	if (returns.nleft_out)
		arena_append(resolver->arena, sites->notes, sites->nnotes) = arena_printf(
			resolver->arena,
			"left out %u of %u functions, whose returns can't be probed; %s",
			returns.nleft_out, *count, returns.left_out);
	*points = returns.points.list;
	*count = returns.points.count;
	return NULL;
}

/* "+8($retval)" with the register that holds the return value at the ret instruction. */
static const char *in_register(struct resolver *resolver, const char *text)
{
	const char *at = strstr(text, RETURN_VALUE);

	return !at ? text : arena_printf(resolver->arena, "%.*s%%%s%s", (int)(at - text), text,
		resolver->arch->registers[resolver->arch->return_register],
		at + strlen(RETURN_VALUE));
}

static bool capture_uses(const struct capture *capture, uint8_t number)
{
	bool uses = expr_reads(capture->expr, number);

	for (unsigned i = 0; i < capture->nparts; i++)
		uses |= expr_reads(capture->parts[i].expr, number);
	return uses;
}

/* At the kernel's return probe the instruction is the caller's, which may lie in another file. */
static void trampoline_captures(struct resolver *resolver, struct site *site)
{
	for (unsigned i = 0; i < site->ncaptures; i++) {
		struct capture *capture = &site->captures[i];

		if (capture->kind == CAPTURE_RAW || capture->at_entry ||
		    !capture_uses(capture, resolver->arch->ip_register))
			continue;
		capture->kind = CAPTURE_NONE;
		capture->reason =
			"at the kernel's return probe, where the program is loaded isn't known";
	}
}

void exit_captures(struct resolver *resolver, const struct spec *spec, const struct point *point,
		   struct site *site)
{
	if (!point->exit) {
		trampoline_captures(resolver, site);
		return;
	}
	for (unsigned i = 0; i < site->ncaptures; i++) {
		struct capture *capture = &site->captures[i];

		if (point->exit->is_jump && !spec->wants[i].is_start && is_later(&spec->wants[i])) {
			capture->kind = CAPTURE_NONE;
			capture->reason = "the function ends here in a jump to another one, which "
					  "returns in its place";
		} else if (capture->kind == CAPTURE_RAW) {
			capture->text = in_register(resolver, capture->text);
		}
	}
}
