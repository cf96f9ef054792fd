// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace graph`: the calls of a function, as a tree. Each function found in advance is probed
 * where it is entered and where it returns; the sink puts the hits together.
 */
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/live/child.h"
#include "cmd/options.h"
#include "cmd/sources.h"
#include "ktrace/graph.h"
#include "plan/plan.h"
#include "session/session.h"
#include "spec/spec.h"
#include "target/target.h"

#define DEPTH 2u

struct graph_run {
	struct arena *arena;
	const struct options *options;
	struct sources sources;
	struct resolver *resolver;
	struct graphing *graphing;
	struct graph *graph;
	struct plan_input input;
	struct plan plan;
	bool is_live;
};

static struct error *no_graph(struct arena *arena, const struct spec *spec, const char *what,
			      const char *hint)
{
	return error_hint(
		arena,
		error_at(error_new(arena, ERROR_USAGE, "%s", what), spec->text, spec->place.span),
		"%s", hint);
}

static struct error *check_spec(struct arena *arena, const struct spec *spec)
{
	if (spec->pairing || spec->naggregates || spec->nkeys || spec->group || spec->event)
		return no_graph(arena, spec, "a call graph shows calls one by one",
				"write 'FUNC [ARG...]'");
	if (spec->place.kind != PLACE_FUNCTION)
		return no_graph(
			arena, spec, "a call graph shows whole functions only",
			"write 'FUNC [ARG...]'; an ARG with $retval is shown at the return");
	if (is_glob(spec->place.function))
		return no_graph(arena, spec, "a call graph begins with one function",
				"write its name");
	for (unsigned i = 0; i < spec->nwants; i++) {
		const struct want *want = &spec->wants[i];

		if (want->kind == WANT_STACK || (want->base && !strcmp(want->base, "$duration")))
			return error_hint(
				arena,
				error_at(error_new(arena, ERROR_USAGE,
						   "'%s' can't be shown in a call graph",
						   want->base),
					 spec->text, want->span),
				"each call shows its duration; stacks are shown by 'ktrace probe'");
	}
	return NULL;
}

static int name_compare(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char *const *sorted(struct arena *arena, const char *const *names, unsigned *count)
{
	const char **ret;

	for (*count = 0; names[*count]; ++*count)
		;
	ret = arena_array(arena, const char *, *count + 1);
	memcpy(ret, names, *count * sizeof(*ret));
	qsort(ret, *count, sizeof(*ret), name_compare);
	return ret;
}

/* What the running kernel says about its functions. */
static void find_hidden(struct arena *arena, struct graph_wanted *wanted)
{
	wanted->blacklisted = sorted(arena, blacklisted_functions(arena), &wanted->nblacklisted);
	wanted->traceable = sorted(arena, traceable_functions(arena), &wanted->ntraceable);
}

static struct error *resolve(struct graph_run *run)
{
	const struct options *options = run->options;
	const struct spec **specs =
		arena_array(run->arena, const struct spec *, options->noperands);
	struct graph_wanted *wanted = arena_new(run->arena, struct graph_wanted);
	struct error *error = NULL;

	*wanted = (struct graph_wanted){
		.specs = specs,
		.nspecs = options->noperands,
		.depth = options->depth ? (unsigned)options->depth : DEPTH,
		.has_inlined = options->inlined,
	};
	for (unsigned i = 0; i < options->noperands && !error; i++) {
		struct spec *spec;

		error = spec_parse(run->arena, options->operands[i], &spec);
		if (!error)
			error = check_spec(run->arena, spec);
		if (!error)
			sources_expect(&run->sources, spec->place.function);
		specs[i] = spec;
	}
	if (!error && !options->program)
		error = check_module(run->arena, options, specs[0]);
	if (!options->program && !options->vmlinux)
		find_hidden(run->arena, wanted);
	if (!error)
		error = find_source(&run->sources, specs[0], run->is_live, &run->resolver);
	if (!error)
		error = graph_resolve(run->resolver, wanted, &run->graphing, &run->graph);
	return error && options->noperands > 1 ? hint_quotes(run->arena, options, 1, error) : error;
}

static bool is_followed(const struct graph *graph, uint64_t address)
{
	for (unsigned i = 0; i < graph->nfunctions; i++)
		if (graph->functions[i].entry == address && !graph->functions[i].is_inlined)
			return address;
	return false;
}

static enum graph_part part_of(const struct graph *graph, unsigned function,
			       const struct site *site)
{
	if (graph->functions[function].is_inlined)
		return GRAPH_INLINED;
	if (!site->is_return)
		return GRAPH_ENTRY;
	if (!site->is_jump)
		return GRAPH_RETURN;
	return is_followed(graph, site->jump_to) ? GRAPH_JUMP : GRAPH_LEAVE;
}

/* Plans one end of a function's calls. What isn't known of a function that no spec names is no
 * error. */
static struct error *plan_end(struct graph_run *run, unsigned index, bool is_return)
{
	struct graph_function *function = &run->graph->functions[index];
	bool is_asked = function->level == 1 || (function->spec && !is_return);
	unsigned first = run->plan.nprobes;
	struct sites *sites;
	struct error *error = graph_sites(run->graphing, index, is_return, &sites);

	for (unsigned i = 0; i < sites->nwarnings && !error && !run->options->quiet; i++)
		tell("ktrace: %s: %s\n", sites->spec->text, sites->warnings[i]);
	if (!error)
		error = plan_add(run->arena, &run->input, sites, &run->plan);
	if (error && is_return)
		function->unseen = error->message;
	else if (error)
		function->left_out = error->message;
	if (error)
		return is_asked || sites->spec->nwants ? error : NULL;
	run->graph->probes =
		arena_grow(run->arena, run->graph->probes, first * sizeof(*run->graph->probes),
			   run->plan.nprobes * sizeof(*run->graph->probes));
	for (unsigned i = first; i < run->plan.nprobes; i++)
		run->graph->probes[i] = (struct graph_probe){
			index, part_of(run->graph, index, run->plan.probes[i].site)};
	run->graph->nprobes = run->plan.nprobes;
	return NULL;
}

/* The entry comes first: what comes first is defined last (define_all()), and runs first at an
 * address. The return's handler would put another return address in the place of the one that tells
 * the caller. */
static struct error *plan_function(struct graph_run *run, unsigned index)
{
	struct error *error = plan_end(run, index, false);

	return error || run->graph->functions[index].is_inlined ||
	       run->graph->functions[index].left_out ? error : plan_end(run, index, true);
}

static struct error *make_plan(struct graph_run *run)
{
	struct error *error = resolve(run);

	for (unsigned i = 0; !error && i < run->graph->nfunctions; i++)
		error = plan_function(run, i);
	run->plan.graph = run->graph;
	return error;
}

static void tell_indirect(struct strbuf *out, const struct graph *graph, const char *before,
			  bool is_whole)
{
	unsigned most = is_whole ? graph->nindirect : 3;

	strbuf_printf(out, "%s%u call%s by pointer not followed (at ", before, graph->nindirect,
		      graph->nindirect == 1 ? "" : "s");
	for (unsigned i = 0; i < graph->nindirect && i < most; i++)
		strbuf_printf(out, "%s%s", i ? ", " : "", graph->indirect[i]);
	strbuf_puts(out, graph->nindirect > most ?
		    ", ...): name the function called\n" : "): name the function called\n");
}

static void tell_left_out(struct strbuf *out, const struct graph *graph, const char *before,
			  bool is_whole)
{
	unsigned count = 0;

	for (unsigned i = 0; i < graph->nfunctions; i++) {
		const struct graph_function *function = &graph->functions[i];

		if (function->left_out && (++count <= 3 || is_whole))
			strbuf_printf(out, "%scalls of '%s' aren't shown: %s\n", before,
				      function->name, function->left_out);
	}
	if (count > 3 && !is_whole)
		strbuf_printf(out, "%snor are those of %u more functions: -v names them\n", before,
			      count - 3);
}

/* What can't be followed, for -n and -v. */
static void tell_limits(struct strbuf *out, const struct graph *graph, const char *before,
			bool is_whole)
{
	unsigned out_of_line = 0, inlined = 0;

	for (unsigned i = 0; i < graph->nfunctions; i++)
		if (!graph->functions[i].left_out)
			(*(graph->functions[i].is_inlined ? &inlined : &out_of_line))++;
	strbuf_printf(out, "%s%u function%s, %u level%s; each call of one of them hits 2 probes\n",
		      before, out_of_line, out_of_line == 1 ? "" : "s", graph->depth,
		      graph->depth == 1 ? "" : "s");
	if (inlined)
		strbuf_printf(out, "%s%u inlined %s; each pass of one of them hits 1 probe\n",
			      before, inlined, inlined == 1 ? "copy" : "copies");
	if (graph->nindirect)
		tell_indirect(out, graph, before, is_whole);
	if (graph->nstatic)
		strbuf_printf(out,
			      "%s%u static call%s followed to the function in the file, which the "
			      "running kernel may have replaced\n",
			      before, graph->nstatic, graph->nstatic == 1 ? " is" : "s are");
	if (graph->nforeign)
		strbuf_printf(out, "%s%u call%s into other files %s followed\n", before,
			      graph->nforeign, graph->nforeign == 1 ? "" : "s",
			      graph->nforeign == 1 ? "isn't" : "aren't");
	if (graph->undecoded)
		strbuf_printf(out, "%scalls of %s\n", before, graph->undecoded);
	tell_left_out(out, graph, before, is_whole);
	for (unsigned i = 0; i < graph->nfunctions; i++)
		if (graph->functions[i].unseen)
			strbuf_printf(out, "%sreturns of '%s' aren't seen: %s\n", before,
				      graph->functions[i].name, graph->functions[i].unseen);
}

static struct error *print(struct graph_run *run)
{
	struct dry_run dry = {.options = run->options};
	struct error *error = make_plan(run);

	if (!error)
		dry_run_print(&dry, &run->plan);
	if (!error && !run->options->json && !run->options->definition)
		tell_limits(&dry.command, run->graph, "", run->options->verbose);
	return dry_run_end(&dry, run->arena, error);
}

static struct error *trace(struct graph_run *run)
{
	struct resolver *program = NULL;
	struct caps caps;
	struct child child;
	struct strbuf words = {0};
	struct error *error = input_begin(run->arena, run->options, &child, &caps, &run->input);

	if (error)
		return error;
	error = make_plan(run);
	if (!error && run->options->program)
		error = sources_get(&run->sources, NULL, true, &program);
	sources_unbound(&run->sources);
	if (error)
		return error;
	if (run->options->verbose)
		tell_limits(&words, run->graph, "ktrace: ", true);
	else if (run->graph->nindirect && !run->options->quiet)
		tell_indirect(&words, run->graph, "ktrace: ", false);
	if (!run->options->verbose && !run->options->quiet)
		tell_left_out(&words, run->graph, "ktrace: ", false);
	if (words.length)
		fwrite(words.data, 1, words.length, stderr);
	strbuf_deinit(&words);
	return go_live(&run->sources, &run->plan, program ? program->target : NULL, &child);
}

struct error *cmd_graph(struct arena *arena, const struct options *options)
{
	const struct caps assumed = caps_assumed();
	struct graph_run run = {
		.arena = arena,
		.options = options,
		.input = {.caps = &assumed},
		.plan = {.arena = arena},
		.is_live = !options->dry_run && !options->definition,
	};
	struct error *error;

	sources_init(&run.sources, arena, options);
	error = run.is_live ? trace(&run) : print(&run);
	sources_deinit(&run.sources);
	return error;
}
