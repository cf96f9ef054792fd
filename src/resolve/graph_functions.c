// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the functions of a call graph: from its roots, the functions that their code calls, and so
 * on, level by level. Calls by pointer and into other files can't be followed; they are counted.
 *
 * The surprise: every call instruction is kept, followed or not. A hit's return address is then
 * looked up among them: it tells which function's code called.
 */
#include <stdlib.h>
#include <string.h>

#include "resolve/graphing.h"
#include "target/code.h"
#include "target/placing.h"
#include "target/target.h"

size_t graph_find(const struct graphing *graphing, uint64_t entry)
{
	return lookup_find(&graphing->by_entry, number_hash(entry), i,
			   graphing->points[i].at.address == entry);
}

static int name_compare(const void *name, const void *entry)
{
	return strcmp(name, *(const char *const *)entry);
}

static bool is_among(const char *name, const char *const *names, unsigned count)
{
	return count && bsearch(name, names, count, sizeof(*names), name_compare);
}

/* The image tells of any kernel, the running kernel's lists of that one alone, and not always. */
static bool is_hidden(const struct graphing *graphing, const struct symbol *symbol)
{
	const struct graph_wanted *wanted = graphing->wanted;

	return target_function_limit(graphing->resolver->target, symbol->address) != KPROBE_TAKEN ||
	       is_among(symbol->name, wanted->blacklisted, wanted->nblacklisted) ||
	       (graphing->has_traceable &&
		!is_among(symbol->name, wanted->traceable, wanted->ntraceable));
}

unsigned graph_add(struct graphing *graphing, const struct point *point, unsigned level)
{
	struct arena *arena = graphing->resolver->arena;
	struct graph *graph = &graphing->graph;
	const struct instance *instance = point->instance;
	const struct symbol *symbol =
		target_symbol_at(graphing->resolver->target, point->at.address, point->symbol);
	unsigned copy = graph->nfunctions;

	/* the list has nothing of a module that isn't loaded */
	if (!graph->nfunctions && symbol)
		graphing->has_traceable = is_among(symbol->name, graphing->wanted->traceable,
						   graphing->wanted->ntraceable);
	if (graph->nfunctions && instance && instance->inlined &&
	    graphing->points[graph->nfunctions - 1].instance == instance)
		copy = graph->functions[graph->nfunctions - 1].copy;
	arena_append(arena, graphing->points, graphing->npoints) = *point;
	arena_append(arena, graph->functions, graph->nfunctions) = (struct graph_function){
		/* while a trace runs, the file isn't open */
		.name = arena_strdup(arena, instance	  ? instance->function->name :
					    point->symbol ?:
					    symbol	  ? symbol->name :
							    "?"),
		.entry = target_file_address(graphing->resolver->target, point->at.address),
		.level = level,
		.is_inlined = instance && instance->inlined,
		.is_hidden = symbol && !(instance && instance->inlined) &&
			     is_hidden(graphing, symbol),
		.copy = copy,
		.host = NO_COPY,
	};
	if (!instance || !instance->inlined)
		lookup_add(arena, &graphing->by_entry, number_hash(point->at.address),
			   graph->nfunctions - 1);
	return graph->nfunctions - 1;
}

static struct error *inlined_everywhere(const struct graphing *graphing, const struct spec *spec,
					const struct point *point)
{
	return error_hint(graphing->resolver->arena,
			  error_at(error_new(graphing->resolver->arena, ERROR_NOT_FOUND,
					     "'%s' is inlined everywhere: it isn't called",
					     spec->place.function),
				   spec->text, spec->place.span),
			  "begin with a function around it: '%s' '%s'", point->instance->outer,
			  spec->text);
}

static void take_point(struct graphing *graphing, const struct spec *spec,
		       const struct point *point, unsigned level)
{
	size_t at;

	if (point->instance && point->instance->inlined) {
		arena_append(graphing->resolver->arena, graphing->inlined, graphing->ninlined) =
			*point;
		arena_append(graphing->resolver->arena, graphing->inlined_specs,
			     graphing->ninlined_specs) = spec;
		return;
	}
	if (point->instance && is_part(graphing->resolver, point->instance))
		return;
	at = graph_find(graphing, point->at.address);
	if (at == LOOKUP_NONE)
		at = graph_add(graphing, point, level);
	graphing->graph.functions[at].spec = spec;
	graphing->graph.functions[at].is_anywhere |= level > 1;
}

static struct error *take_spec(struct graphing *graphing, const struct spec *spec, unsigned level)
{
	const struct spec *aliases[ALIASES_MAX];
	unsigned naliases = alias_specs(graphing->resolver, spec, aliases), count;
	struct point *points;
	struct error *error =
		resolve_points(graphing->resolver, naliases ? aliases[0] : spec, &points, &count);
	unsigned before = graphing->graph.nfunctions;

	for (unsigned i = 0; i < count && !error; i++)
		take_point(graphing, naliases ? aliases[0] : spec, &points[i], level);
	if (!error && level == 1 && graphing->graph.nfunctions == before)
		error = inlined_everywhere(graphing, spec, &points[0]);
	return error;
}

static int call_compare(const void *left, const void *right)
{
	const struct graph_call *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

struct error *graph_resolve(struct resolver *resolver, const struct graph_wanted *wanted,
			    struct graphing **ret, struct graph **graph)
{
	struct graphing *graphing = arena_new(resolver->arena, struct graphing);
	struct error *error = NULL;

	graphing->resolver = resolver;
	graphing->wanted = wanted;
	graphing->graph.depth = wanted->depth;
	graphing->sees_jumps =
		resolver->target->kind == TARGET_PROGRAM && target_stack_walker(resolver->target);
	*ret = graphing;
	*graph = &graphing->graph;
	for (unsigned i = 0; i < wanted->nspecs && !error; i++)
		error = take_spec(graphing, wanted->specs[i], i ? 2 : 1);
	for (unsigned level = 1; level <= wanted->depth + 1 && !error; level++)
		error = graph_scan(graphing, level);
	if (!error)
		error = graph_copies(graphing);
	if (error)
		return error;
	if (graphing->graph.ncalls)
		qsort(graphing->graph.calls, graphing->graph.ncalls, sizeof(*graphing->graph.calls),
		      call_compare);
	return NULL;
}

static bool is_return_want(const struct want *want)
{
	return want->base && strstr(want->base, RETURN_VALUE);
}

/* The same, for one end of the function's calls: only the wants that belong there. */
static struct spec *spec_of_end(struct graphing *graphing, unsigned index, bool is_return)
{
	const struct graph_function *function = &graphing->graph.functions[index];
	struct arena *arena = graphing->resolver->arena;
	struct spec *spec = arena_new(arena, struct spec);
	const struct want *wants = function->spec ? function->spec->wants : NULL;
	unsigned count = function->spec ? function->spec->nwants : 0, namesakes = 0;

	for (unsigned i = 0; i < graphing->graph.nfunctions; i++)
		namesakes += function->spec && graphing->graph.functions[i].spec == function->spec;
	if (function->spec)
		*spec = *function->spec;
	else
		*spec = (struct spec){.text = function->name, .place = {
			.function = function->name, .span = {0, (unsigned)strlen(function->name)}}};
	spec->place.kind = is_return ? PLACE_RETURN : PLACE_FUNCTION;
	spec->is_call = true;
	spec->is_optional = function->level > 1;
	spec->wants = arena_array(arena, struct want, count + 1);
	spec->nwants = 0;
	for (unsigned i = 0; i < count; i++)
		if (is_return_want(&wants[i]) == is_return) {
			spec->wants[spec->nwants] = wants[i];
			spec->wants[spec->nwants++].is_expanded |= namesakes > 1;
		}
	graphing->graph.functions[index].has_values |= is_return && spec->nwants;
	return spec;
}

struct error *graph_sites(struct graphing *graphing, unsigned index, bool is_return,
			  struct sites **ret)
{
	struct resolver *resolver = graphing->resolver;
	struct sites *sites = arena_new(resolver->arena, struct sites);
	struct point *point = arena_new(resolver->arena, struct point);

	memcpy(point, &graphing->points[index], sizeof(*point));
	sites->spec = spec_of_end(graphing, index, is_return);
	sites->arch = resolver->arch;
	sites->is_silent = !graphing->graph.functions[index].spec;
	*ret = sites;
	return resolve_at(resolver, sites->spec, point, 1, sites);
}
