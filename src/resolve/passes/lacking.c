// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the inlined copies of a function that have no code at a line, while others have: passes
 * there have no event.
 *
 * The surprise: a copy may rightly end before the line, or its arguments decide against it. With
 * markers, which a statement keeps that is executed, only copies that begin behind the line count,
 * and those whose end the source comes to by the line, a `return`.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "resolve/points/kinds.h"

/* Whether one of the points has a marker of the line. */
static bool is_statement(struct resolver *resolver, const struct point *points, unsigned count)
{
	const struct instance *last = NULL;
	struct line_code of;

	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points[i].instance;

		if (instance && instance != last &&
		    !line_code_read(resolver, instance, points[i].line, &of) && line_has_mark(&of))
			return true;
		last = instance;
	}
	return false;
}

static bool has_row(const struct instance *copy, const struct row *rows, unsigned nrows,
		    unsigned line)
{
	for (unsigned i = 0; i < nrows; i++)
		if (is_of_line(copy, &rows[i], line))
			return true;
	return false;
}

static bool has_earlier_mark(const struct instance *copy, const struct row *rows, unsigned nrows,
			     unsigned line)
{
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].is_mark && is_own_row(copy, &rows[i]) && rows[i].line < line)
			return true;
	return false;
}

/* What is known of the line that copies may lack. */
struct lacked {
	unsigned line;
	bool is_statement; /* a copy has a marker of it */
	bool is_return;
};

static bool is_lacking(struct resolver *resolver, const struct instance *copy,
		       const struct lacked *of)
{
	struct row *rows;
	unsigned nrows;

	if (debuginfo_rows(resolver->info, copy, &rows, &nrows) || !nrows ||
	    has_row(copy, rows, nrows, of->line))
		return false;
	return (copy->inlined && !(of->is_statement &&
				   has_earlier_mark(copy, rows, nrows, of->line))) ||
	       (of->is_return && is_returned_past(resolver, copy, of->line));
}

/* Whether both are the same in the source: what one template makes of several arguments is. */
static bool is_same_source(struct arena *arena, const struct function *a, const struct function *b)
{
	return a == b || (a->line == b->line && !strcmp(a->file, b->file) &&
			  !strcmp(bare_name(arena, a), bare_name(arena, b)));
}

/* A method of a class template has a name of its own, which is found at once. */
static struct error *template_copies(struct resolver *resolver, struct copies *ret)
{
	const char *name = last_component(ret->function->name);

	return strchr(name, '<') ?
		       generic_instances(resolver, ret->name, &ret->all, &ret->nall) :
		       debuginfo_instances(resolver->info, name, &ret->all, &ret->nall);
}

static void find_copies_of(struct resolver *resolver, const struct function *function,
			   struct copies *ret)
{
	enum { MOST = 1000 }; /* the rows of each are read */
	struct error *error;

	ret->function = function;
	ret->name = bare_name(resolver->arena, function);
	error = strchr(function->name, '<') ?
			template_copies(resolver, ret) :
			debuginfo_instances(resolver->info, ret->name, &ret->all, &ret->nall);
	if (error || ret->nall > MOST)
		ret->nall = 0;
}

static bool is_return(struct resolver *resolver, const struct point *point)
{
	const char *text = source_line(resolver, point->instance, point->line);

	return text && source_is_return(text);
}

void lacking_copies(struct resolver *resolver, const struct point *points, unsigned count,
		    struct copies *ret)
{
	const struct function *function =
		count && points->instance ? points->instance->function : NULL;
	struct lacked of;

	ret->count = ret->lacking = 0;
	ret->are_inlined = true;
	if (!function || points->line == function->line)
		return;
	if (!ret->function || !is_same_source(resolver->arena, ret->function, function))
		find_copies_of(resolver, function, ret);
	of = (struct lacked){
		.line = points->line,
		.is_statement = ret->nall && is_statement(resolver, points, count),
		.is_return = ret->nall > 1 && is_return(resolver, points),
	};
	for (unsigned i = 0; i < ret->nall; i++) {
		const struct instance *copy = ret->all[i];
		bool is;

		if (!(copy->inlined || of.is_return) ||
		    !is_same_source(resolver->arena, copy->function, function))
			continue;
		is = is_lacking(resolver, copy, &of);
		ret->count += copy->inlined || is;
		ret->lacking += is;
		ret->are_inlined &= copy->inlined || !is;
	}
}
