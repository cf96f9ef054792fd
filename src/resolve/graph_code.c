// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the code of a call graph's functions, for the functions that it calls, or jumps to. What a
 * pointer leads to, and what is in another file, can't be seen; it is counted.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/graphing.h"
#include "target/code.h"
#include "target/placing.h"
#include "target/target.h"

/* The kernel's static calls: the code at such a symbol jumps to what they lead to, until the kernel
 * changes that. */
static bool is_static_call(const char *name)
{
	return !strncmp(name, "__SCT__", 7);
}

/* The kernel's calls by pointer go through these. */
static bool is_thunk(const char *name)
{
	return !strncmp(name, "__x86_indirect_", 15) || is_static_call(name);
}

/* Called, or jumped to, by the compiler's own doing. */
static bool is_no_call(const char *name)
{
	return !strcmp(name, "__fentry__") || !strcmp(name, "mcount") ||
	       !strncmp(name, "__x86_return_", 13) || strstr(name, ".cold");
}

static void note_indirect(struct graphing *graphing, uint64_t address)
{
	struct graph *graph = &graphing->graph;
	const struct graph_function *function = &graph->functions[graphing->scanned];

	if (function->level < graph->depth)
		arena_append(graphing->resolver->arena, graph->indirect, graph->nindirect) =
			arena_printf(graphing->resolver->arena, "%s+0x%llx", function->name,
				     (unsigned long long)(address - graphing->code.entry));
}

/* The function that begins at the symbol: what debug information calls it. */
struct error *graph_instance(struct resolver *resolver, const struct symbol *symbol,
			     const struct instance **ret)
{
	struct code_place *places;
	struct instance **instances;
	struct error *error;
	unsigned count;

	*ret = instance_around(resolver, symbol, symbol->address);
	if (*ret)
		return NULL;
	/* of a function in several parts, DWARF need not say which is the entry */
	error = debuginfo_places(resolver->info, symbol->address, &places, &count);
	if (error || !count || !places[count - 1].function)
		return error;
	error = debuginfo_instances(resolver->info, places[count - 1].function, &instances, &count);
	for (unsigned i = 0; i < count && !error && !*ret; i++)
		if (!instances[i]->inlined && instances[i]->entry == symbol->address)
			*ret = instances[i];
	return error;
}

/* Where the file's static call leads to; 0: nowhere. */
static uint64_t static_target(const struct resolver *resolver, uint64_t address)
{
	struct decoder *decoder = decoder_open(resolver->arch);
	struct insn insn = {0};
	size_t length;
	const uint8_t *bytes = target_bytes(resolver->target, address, &length);

	if (decoder && bytes)
		decoder_next(decoder, bytes, length, address, &insn);
	decoder_close(decoder);
	return insn.length && insn.is_branch ? insn.target : 0;
}

/* A call, or a jump out of the function, at `address`. */
static void take_callee(struct graphing *graphing, uint64_t address, uint64_t callee, bool is_jump)
{
	struct resolver *resolver = graphing->resolver;
	const struct symbol *symbol = target_symbol_at(resolver->target, callee, NULL);
	const struct graph_function *caller = &graphing->graph.functions[graphing->scanned];
	/* which the kernel's tracers don't have either */
	unsigned level = caller->level - caller->is_hidden;
	struct point point = {.at = {.address = callee, .view = VIEW_LAST}};
	struct error *ignored = NULL;

	if (symbol && is_no_call(symbol->name))
		return;
	graphing->graph.functions[graphing->scanned].may_jump |= is_jump;
	if (symbol && is_static_call(symbol->name) && static_target(resolver, callee)) {
		graphing->graph.nstatic += caller->level < graphing->graph.depth;
		callee = static_target(resolver, callee);
		symbol = target_symbol_at(resolver->target, callee, NULL);
		point.at.address = callee;
	}
	if (symbol && is_thunk(symbol->name)) {
		note_indirect(graphing, address);
		return;
	}
	/* what is jumped to ends the call that is shown */
	if (level >= graphing->graph.depth && is_jump && graphing->sees_jumps)
		level = graphing->graph.depth;
	else if (level >= graphing->graph.depth)
		return;
	if (graph_find(graphing, callee) != LOOKUP_NONE)
		return;
	if (!symbol || symbol->address != callee || !symbol->is_function) {
		graphing->graph.nforeign++;
		return;
	}
	point.symbol = symbol->name;
	if (resolver->target->kind == TARGET_PROGRAM)
		ignored = graph_instance(resolver, symbol, &point.instance);
	(void)ignored; /* it has a symbol, at least */
	graph_add(graphing, &point, level + 1);
}

/* Bytes of a call's or jump's target, its last: the distance from behind it. */
#define TARGET_SIZE 4

/* In a module's file, targets are told by relocations. Returns false if there is nothing to
 * follow. */
static bool find_target(struct graphing *graphing, const struct insn *insn, uint64_t address,
			uint64_t *callee)
{
	struct reference reference;

	if (!graphing->resolver->target->is_relocatable ||
	    !target_reference(graphing->resolver->target, address + insn->length - TARGET_SIZE,
			      &reference))
		return true;
	*callee = reference.address + TARGET_SIZE;
	if (reference.address)
		return true;
	if (is_thunk(reference.name))
		note_indirect(graphing, address);
	else if (!is_no_call(reference.name) &&
		 graphing->graph.functions[graphing->scanned].level < graphing->graph.depth)
		graphing->graph.nforeign++;
	return false;
}

static void take_insn(void *cookie, const struct insn *insn, const struct insn *before,
		      uint64_t address)
{
	struct graphing *graphing = cookie;
	struct graph *graph = &graphing->graph;

	uint64_t callee = insn->callee, target = insn->target;

	(void)before;
	if (insn->is_call)
		arena_append(graphing->resolver->arena, graph->calls, graph->ncalls) =
			(struct graph_call){target_file_address(graphing->resolver->target,
								address + insn->length),
					    graphing->scanned, NO_COPY};
	if (callee && find_target(graphing, insn, address, &callee))
		take_callee(graphing, address, callee, false);
	else if (insn->is_call && !callee)
		note_indirect(graphing, address);
	else if (insn->is_branch && find_target(graphing, insn, address, &target) &&
		 !code_has(&graphing->code, target))
		take_callee(graphing, address, target, true);
	else if (insn->is_indirect)
		graph->functions[graphing->scanned].may_jump = true;
}

struct error *graph_too_many(const struct graphing *graphing)
{
	return error_hint(graphing->resolver->arena,
			  error_new(graphing->resolver->arena, ERROR_LIMIT,
				    "%u levels of calls are more than %u functions",
				    graphing->graph.depth, FUNCTIONS_MAX),
			  "--depth %u shows less", graphing->graph.depth - 1);
}

struct error *graph_scan(struct graphing *graphing, unsigned level)
{
	struct graph *graph = &graphing->graph;

	for (unsigned i = 0; i < graph->nfunctions; i++) {
		const char *why;

		if (graph->functions[i].level != level)
			continue;
		graphing->scanned = i;
		why = code_find(graphing->resolver, &graphing->points[i], &graphing->code);
		if (why && level < graph->depth && !graph->undecoded)
			graph->undecoded = arena_printf(graphing->resolver->arena, "'%s': %s",
							graph->functions[i].name, why);
		if (!why)
			code_each(&graphing->code, take_insn, graphing);
		if (graph->nfunctions > FUNCTIONS_MAX)
			return graph_too_many(graphing);
	}
	return NULL;
}
