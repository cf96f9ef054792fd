// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the functions of a call graph: from its roots, the functions that their code calls, and so on, level by
 * level. Calls by pointer and into other files can't be seen ahead; they are counted.
 *
 * The surprise: every call instruction is kept, followed or not. A hit's return address is then looked up
 * among them: it tells whose code the call is in.
 */
#include <stdlib.h>

#include "arch/arch.h"
#include "base/lookup.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"
#include "target/code.h"
#include "target/placing.h"
#include "target/target.h"

#define FUNCTIONS_MAX 4096u

struct graphing {
	struct resolver *resolver;
	struct graph graph;
	struct point *points; /* of graph.functions[i]: its entry */
	unsigned npoints;
	struct lookup by_entry; /* out-of-line functions */
	struct point *inlined;  /* copies of named functions, wherever they are */
	unsigned ninlined;
	const struct spec **inlined_specs; /* of inlined[i] */
	unsigned ninlined_specs;
	bool sees_jumps; /* no return probe of the kernel's may be used: an end by a jump is seen at the jump alone */
	unsigned scanned; /* the function whose code is read */
	struct function_code code;
};

static size_t find_function(const struct graphing *graphing, uint64_t entry)
{
	return lookup_find(&graphing->by_entry, number_hash(entry), i, graphing->points[i].at.address == entry);
}

static unsigned add_function(struct graphing *graphing, const struct point *point, unsigned level)
{
	struct arena *arena = graphing->resolver->arena;
	struct graph *graph = &graphing->graph;
	const struct instance *instance = point->instance;
	const struct symbol *symbol = target_symbol_at(graphing->resolver->target, point->at.address, point->symbol);

	arena_append(arena, graphing->points, graphing->npoints) = *point;
	arena_append(arena, graph->functions, graph->nfunctions) = (struct graph_function){
		/* while a trace runs, the file isn't open */
		.name = arena_strdup(arena, instance ? instance->function->name :
				     point->symbol ?: symbol ? symbol->name : "?"),
		.entry = target_file_address(graphing->resolver->target, point->at.address),
		.level = level,
		.is_inlined = instance && instance->inlined,
	};
	if (!instance || !instance->inlined)
		lookup_add(arena, &graphing->by_entry, number_hash(point->at.address), graph->nfunctions - 1);
	return graph->nfunctions - 1;
}

/* The kernel's calls by pointer go through these; a static call's target changes while it runs. */
static bool is_thunk(const char *name)
{
	return !strncmp(name, "__x86_indirect_", 15) || !strncmp(name, "__SCT__", 7);
}

/* Called, or jumped to, by the compiler's own doing. */
static bool is_no_call(const char *name)
{
	return !strcmp(name, "__fentry__") || !strcmp(name, "mcount") || !strncmp(name, "__x86_return_", 13) ||
	       strstr(name, ".cold");
}

static void note_indirect(struct graphing *graphing, uint64_t address)
{
	struct graph *graph = &graphing->graph;
	const struct graph_function *function = &graph->functions[graphing->scanned];

	if (function->level >= graph->depth)
		return;
	if (!graph->nindirect++)
		graph->indirect = arena_printf(graphing->resolver->arena, "%s+0x%llx", function->name,
					       (unsigned long long)(address - graphing->code.entry));
}

/* A call, or a jump out of the function, at `address`. */
static void take_callee(struct graphing *graphing, uint64_t address, uint64_t callee, bool is_jump)
{
	struct resolver *resolver = graphing->resolver;
	const struct symbol *symbol = target_symbol_at(resolver->target, callee, NULL);
	unsigned level = graphing->graph.functions[graphing->scanned].level;
	struct point point = {.at = {.address = callee, .view = VIEW_LAST}};

	if (symbol && is_no_call(symbol->name))
		return;
	graphing->graph.functions[graphing->scanned].may_jump |= is_jump;
	if (symbol && is_thunk(symbol->name)) {
		note_indirect(graphing, address);
		return;
	}
	/* what is jumped to ends the call that is shown */
	if (level >= graphing->graph.depth && is_jump && graphing->sees_jumps)
		level = graphing->graph.depth;
	else if (level >= graphing->graph.depth)
		return;
	if (find_function(graphing, callee) != LOOKUP_NONE)
		return;
	if (!symbol || symbol->address != callee || !symbol->is_function) {
		graphing->graph.nforeign++;
		return;
	}
	point.symbol = symbol->name;
	if (resolver->target->kind == TARGET_PROGRAM)
		point.instance = instance_around(resolver, symbol, callee);
	add_function(graphing, &point, level + 1);
}

static void take_insn(void *cookie, const struct insn *insn, const struct insn *before, uint64_t address)
{
	struct graphing *graphing = cookie;
	struct graph *graph = &graphing->graph;

	(void)before;
	if (insn->is_call)
		arena_append(graphing->resolver->arena, graph->calls, graph->ncalls) = (struct graph_call){
			target_file_address(graphing->resolver->target, address + insn->length), graphing->scanned};
	if (insn->callee)
		take_callee(graphing, address, insn->callee, false);
	else if (insn->is_call)
		note_indirect(graphing, address);
	else if (insn->is_branch && !code_has(&graphing->code, insn->target))
		take_callee(graphing, address, insn->target, true);
	else if (insn->is_indirect)
		graph->functions[graphing->scanned].may_jump = true;
}

static struct error *too_many(const struct graphing *graphing)
{
	return error_hint(graphing->resolver->arena, error_new(
		graphing->resolver->arena, ERROR_LIMIT, "%u levels of calls are more than %u functions",
		graphing->graph.depth, FUNCTIONS_MAX), "--depth %u shows less", graphing->graph.depth - 1);
}

static struct error *scan_level(struct graphing *graphing, unsigned level)
{
	struct graph *graph = &graphing->graph;

	for (unsigned i = 0; i < graph->nfunctions; i++) {
		const char *why;

		if (graph->functions[i].level != level)
			continue;
		graphing->scanned = i;
		why = code_find(graphing->resolver, &graphing->points[i], &graphing->code);
		if (why && level < graph->depth && !graph->undecoded)
			graph->undecoded = arena_printf(graphing->resolver->arena, "'%s': %s", graph->functions[i].name,
							why);
		if (!why)
			code_each(&graphing->code, take_insn, graphing);
		if (graph->nfunctions > FUNCTIONS_MAX)
			return too_many(graphing);
	}
	return NULL;
}

static struct error *inlined_everywhere(const struct graphing *graphing, const struct spec *spec,
					const struct point *point)
{
	return error_hint(graphing->resolver->arena, error_at(
		error_new(graphing->resolver->arena, ERROR_NOT_FOUND, "'%s' is inlined everywhere: it isn't called",
			  spec->place.function), spec->text, spec->place.span),
		"begin with a function around it: '%s' '%s'", point->instance->outer, spec->text);
}

static void take_point(struct graphing *graphing, const struct spec *spec, const struct point *point, unsigned level)
{
	size_t at;

	if (point->instance && point->instance->inlined) {
		arena_append(graphing->resolver->arena, graphing->inlined, graphing->ninlined) = *point;
		arena_append(graphing->resolver->arena, graphing->inlined_specs, graphing->ninlined_specs) = spec;
		return;
	}
	if (point->instance && is_part(graphing->resolver, point->instance))
		return;
	at = find_function(graphing, point->at.address);
	if (at == LOOKUP_NONE)
		at = add_function(graphing, point, level);
	graphing->graph.functions[at].spec = spec;
}

static struct error *take_spec(struct graphing *graphing, const struct spec *spec, unsigned level)
{
	const struct spec *aliases[ALIASES_MAX];
	unsigned naliases = alias_specs(graphing->resolver, spec, aliases), count;
	struct point *points;
	struct error *error = resolve_points(graphing->resolver, naliases ? aliases[0] : spec, &points, &count);
	unsigned before = graphing->graph.nfunctions;

	for (unsigned i = 0; i < count && !error; i++)
		take_point(graphing, naliases ? aliases[0] : spec, &points[i], level);
	if (!error && level == 1 && graphing->graph.nfunctions == before)
		error = inlined_everywhere(graphing, spec, &points[0]);
	return error;
}

/* Whether the copy is in the code of one of the functions. */
static bool is_in_graph(const struct graphing *graphing, const struct instance *instance)
{
	for (unsigned i = 0; i < instance->nouter_ranges; i++)
		if (find_function(graphing, instance->outer_ranges[i].start) != LOOKUP_NONE)
			return true;
	return false;
}

static void take_inlined(struct graphing *graphing)
{
	for (unsigned i = 0; i < graphing->ninlined; i++) {
		unsigned at;

		if (!is_in_graph(graphing, graphing->inlined[i].instance))
			continue;
		at = add_function(graphing, &graphing->inlined[i], graphing->graph.depth + 1);
		graphing->graph.functions[at].spec = graphing->inlined_specs[i];
	}
}

static int call_compare(const void *left, const void *right)
{
	const struct graph_call *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

struct error *graph_resolve(struct resolver *resolver, const struct spec *const *specs, unsigned nspecs,
			    unsigned depth, struct graphing **ret, struct graph **graph)
{
	struct graphing *graphing = arena_new(resolver->arena, struct graphing);
	struct error *error = NULL;

	graphing->resolver = resolver;
	graphing->graph.depth = depth;
	graphing->sees_jumps = resolver->target->kind == TARGET_PROGRAM && target_stack_walker(resolver->target);
	*ret = graphing;
	*graph = &graphing->graph;
	for (unsigned i = 0; i < nspecs && !error; i++)
		error = take_spec(graphing, specs[i], i ? 2 : 1);
	for (unsigned level = 1; level <= depth + 1 && !error; level++)
		error = scan_level(graphing, level);
	if (error)
		return error;
	take_inlined(graphing);
	qsort(graphing->graph.calls, graphing->graph.ncalls, sizeof(*graphing->graph.calls), call_compare);
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

struct error *graph_sites(struct graphing *graphing, unsigned index, bool is_return, struct sites **ret)
{
	struct resolver *resolver = graphing->resolver;
	struct sites *sites = arena_new(resolver->arena, struct sites);
	struct point *point = arena_new(resolver->arena, struct point);

	memcpy(point, &graphing->points[index], sizeof(*point));
	sites->spec = spec_of_end(graphing, index, is_return);
	sites->arch = resolver->arch;
	*ret = sites;
	return resolve_at(resolver, sites->spec, point, 1, sites);
}
