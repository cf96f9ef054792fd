// SPDX-License-Identifier: GPL-2.0-only
/* `ktrace probe`: makes a plan from specs and prints it (-n, -D) or runs it. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "cmd/add_value.h"
#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/follow.h"
#include "cmd/live/child.h"
#include "cmd/options.h"
#include "cmd/plan_text.h"
#include "cmd/sources.h"
#include "cmd/stacks/stack_frames.h"
#include "plan/plan.h"
#include "planfile/planfile.h"
#include "session/session.h"
#include "sink/sink.h"
#include "spec/spec.h"
#include "target/target.h"

/* $retval without a type has the function's own, by which -2 is told from 2^64 - 2. */
static bool wants_return_type(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind == WANT_RAW && !spec->wants[i].type &&
		    !strcmp(spec->wants[i].base, RETURN_VALUE))
			return true;
	return false;
}

struct error *find_source(struct sources *sources, const struct spec *spec, bool live,
			  struct resolver **ret)
{
	const struct options *options = sources->options;
	bool named = options->vmlinux || options->module;
	struct error *error;

	*ret = NULL;
	if (options->program && spec->place.module)
		return error_hint(sources->arena,
				  error_at(error_new(sources->arena, ERROR_USAGE,
						     "-x and a module exclude each other"),
					   spec->text, spec->place.span),
				  "a blank separates the value: '%s %s'; for a function of the "
				  "kernel, leave -x out",
				  spec->place.module, spec->place.function);
	if (options->program)
		return sources_get(sources, NULL, live, ret);
	if (spec->place.path)
		return error_hint(
			sources->arena,
			error_at(error_new(sources->arena, ERROR_USAGE,
					   "a definition in a program needs that program"),
				 spec->text, spec->place.span),
			"add -x %s", spec->place.path);
	if (spec_is_raw(spec) && (spec->place.module || (!named &&
	    spec->place.kind != PLACE_FUNCTION && !wants_return_type(spec))))
		return NULL;
	error = sources_get(sources, spec->place.module, live, ret);
	if (!error)
		return NULL;
	*ret = NULL;
	if (spec_is_raw(spec) && !named)
		return NULL; /* without debug information the symbol may do */
	return error;
}

/* What is needed to plan a spec's sites. */
struct planning {
	const struct options *options;
	struct resolver *resolver;
	struct resolver *bare; /* of raw specs, which need no debug information; NULL: none yet */
	struct plan_input *input;
	struct plan *plan;
	struct dry_run *dry; /* NULL: live */
	struct plan_text *text; /* NULL: no plan file, and no command, is asked for */
	struct spec **specs;
	unsigned nspecs;
	const struct sites *heads; /* of a call that is followed: where its parameters are */
	struct arena batch;  /* for a dry run, which forgets a probe once it is printed */
};

static struct error *take_sites(const struct planning *planning, struct sites *sites)
{
	struct plan_input *input = planning->input;

	for (unsigned i = 0; i < sites->nwarnings && !planning->options->quiet; i++)
		tell("ktrace: %s: %s\n", sites->spec->text, sites->warnings[i]);
	for (unsigned i = 0; i < sites->nnotes && planning->options->verbose; i++)
		tell("ktrace: %s: %s\n", sites->spec->text, sites->notes[i]);
	return resolve_constants(planning->resolver, input->filters, input->nfilters, sites);
}

/* A plan file must have all; without it the dry run goes on. */
static struct error *write_planned(const struct planning *planning, const struct planned *planned)
{
	struct plan_text *text = planning->text;
	struct error *error = text->why_not ? NULL : plan_text_add(text, planned, planning->plan);

	if (error && !planning->options->plan) {
		text->why_not = error->message;
		error = NULL;
	}
	return error;
}

/* What was planned from `first` on. */
static struct error *take_plan(struct planning *planning, unsigned first,
			       const struct planned *planned)
{
	struct error *error = tables_check(planning->resolver->arena, planning->plan, first);

	if (!error && planning->text)
		error = write_planned(planning, planned);
	/* the probes of a call share events, whichever spec they are of */
	if (!error && planning->dry && !planning->plan->following)
		dry_run_print(planning->dry, planning->plan);
	return error;
}

static struct error *plan_sites(struct planning *planning, struct sites *sites)
{
	const struct sites *ends = sites;
	unsigned first = planning->plan->nprobes;
	struct error *error;

	if (sites->spec->followed && !follow_needs(sites, &planning->heads))
		return NULL;
	error = take_sites(planning, sites);
	if (!error)
		error = plan_add(planning->resolver->arena, planning->input, sites, planning->plan);
	return error ? error :
		       take_plan(planning, first, &(struct planned){.ends = {&ends, 1}});
}

/* A trace keeps what each spec was resolved with: some 4 MB where a program is one large unit. */
#define MEMORY_A_SPEC ((uint64_t)32 << 20)

/* All specs of a call that is followed are of one function: what one has found serves the next. */
static struct error *plan_batches(struct planning *planning, const struct spec *spec)
{
	bool stays = !planning->dry || planning->plan->following;
	struct batches *batches =
		resolve_open(planning->resolver, spec, stays ? NULL : &planning->batch);
	struct sites *sites;
	struct error *error;

	memory_extend(MEMORY_A_SPEC); /* the file's own bound is for one question */
	do {
		error = resolve_next(batches, &sites);
		if (!error && sites)
			error = plan_sites(planning, sites);
	} while (!error && sites);
	return resolve_close(batches, error);
}

static struct resolver *bare_resolver(struct arena *arena, struct planning *planning)
{
	if (!planning->bare) {
		planning->bare = arena_new(arena, struct resolver);
		planning->bare->arena = arena;
		planning->bare->arch = arch_running();
	}
	return planning->bare;
}

static struct error *choose_resolver(struct sources *sources, const struct spec *spec,
				     struct planning *planning)
{
	struct error *error = sources->options->program ? NULL :
			      check_module(sources->arena, sources->options, spec);

	if (!error)
		error = find_source(sources, spec, !planning->dry, &planning->resolver);
	if (!error && !planning->resolver)
		planning->resolver = bare_resolver(sources->arena, planning);
	return error;
}

/* One place of a pair: all batches, which are kept until the other place is known too. */
static struct error *resolve_half(struct sources *sources, const struct spec *spec,
				  struct planning *planning, struct half *ret)
{
	struct batches *batches;
	struct sites *its;
	struct error *error = choose_resolver(sources, spec, planning);

	if (error)
		return error;
	batches = resolve_open(planning->resolver, spec, NULL);
	do {
		error = resolve_next(batches, &its);
		if (error || !its)
			break;
		error = take_sites(planning, its);
		if (error)
			break;
		arena_append(sources->arena, ret->batches, ret->count) = its;
	} while (true);
	return resolve_close(batches, error);
}

static struct error *plan_both(struct sources *sources, const struct spec *spec,
			       struct planning *planning)
{
	unsigned first = planning->plan->nprobes;
	struct planned all = {0};
	struct error *error = resolve_half(sources, spec->pairing->start, planning, &all.starts);

	if (!error)
		error = resolve_half(sources, spec, planning, &all.ends);
	if (!error)
		error = plan_pair(sources->arena, planning->input, &all.starts, &all.ends,
				  planning->plan);
	return error ? error : take_plan(planning, first, &all);
}

static struct error *plan_spec(struct sources *sources, const struct spec *spec,
			       struct planning *planning)
{
	struct error *error;

	if (spec->pairing)
		return plan_both(sources, spec, planning);
	error = choose_resolver(sources, spec, planning);
	return error ? error : plan_batches(planning, spec);
}

struct trial {
	struct sources *sources;
	const struct planning *planning;
};

/* Plans a spec without a trace of it. */
static struct error *try_spec(void *cookie, struct spec *spec)
{
	const struct trial *trial = cookie;
	struct options options = *trial->planning->options;
	struct plan plan = {.arena = trial->sources->arena};
	struct planning planning = *trial->planning;

	options.quiet = true;
	options.verbose = false;
	planning.options = &options;
	planning.plan = &plan;
	planning.dry = NULL;
	planning.text = NULL;
	return plan_spec(trial->sources, spec, &planning);
}

static struct error *propose_value(struct sources *sources, const struct planning *planning,
				   struct spec *spec, struct error *error)
{
	struct trial trial = {sources, planning};

	return add_value(sources->arena,
			 &(struct adding){spec->text, spec_parse, try_spec, &trial}, spec, error);
}

struct error *hint_quotes(struct arena *arena, const struct options *options,
				 unsigned index, struct error *error)
{
	if (index && error->code == ERROR_NOT_FOUND && !strpbrk(options->operands[index], " :+%"))
		error->hint = arena_printf(arena,
					   "a spec is one word to the shell; did you mean "
					   "'%s %s'?%s%s",
					   options->operands[index - 1], options->operands[index],
					   error->hint ? " Or else: " : "",
					   error->hint ? error->hint : "");
	return error;
}

/* "./prog main", with the -x left out. */
static struct error *hint_program(struct arena *arena, const char *operand, struct error *error)
{
	struct stat status;

	if (!strchr(operand, '/') || stat(operand, &status) || !S_ISREG(status.st_mode) ||
	    access(operand, X_OK))
		return error;
	error->message = arena_printf(arena, "'%s' is a program, not a place", operand);
	error->hint = arena_printf(arena, "it goes behind -x, and its function follows: -x %s FUNC",
				   operand);
	return error;
}

/* Parses all specs first: debug information is searched once for all their functions. */
static struct error *parse_specs(struct sources *sources, struct planning *planning)
{
	const struct options *options = planning->options;
	struct spec **specs = arena_array(sources->arena, struct spec *, options->noperands + 1);
	struct error *error = NULL;

	if (options->verb->run == cmd_follow) {
		error = follow_specs(sources->arena, options, planning->plan, &planning->specs,
				     &planning->nspecs);
		if (!error)
			sources_expect(sources, planning->specs[0]->place.function);
		return error;
	}
	for (unsigned i = 0; i < options->noperands && !error; i++) {
		error = spec_parse(sources->arena, options->operands[i], &specs[i]);
		if (error)
			error = hint_program(sources->arena, options->operands[i], error);
		if (!error && specs[i]->pairing)
			sources_expect(sources, specs[i]->pairing->start->place.function);
		if (!error)
			sources_expect(sources, specs[i]->place.function);
	}
	planning->specs = specs;
	planning->nspecs = options->noperands;
	return error;
}

static struct error *end_text(const struct planning *planning, struct error *error)
{
	struct plan_text *text = planning->text;

	plan_text_end(text);
	if (!error && !planning->options->plan)
		plan_text_command(text, &planning->dry->command);
	plan_text_deinit(text);
	return error;
}

/* What is inlined into a call that is followed. */
static struct error *plan_inner(struct planning *planning)
{
	struct sites **list;
	unsigned count;
	struct error *error =
		resolve_inner(planning->resolver, follow_begin(planning->specs, planning->nspecs),
			      planning->options->inlined, &list, &count);

	for (unsigned i = 0; i < count && !error; i++)
		error = plan_sites(planning, list[i]);
	return error;
}

static struct error *make_plan(struct sources *sources, const struct options *options,
			       const struct caps *caps, struct dry_run *dry, struct plan *plan)
{
	struct plan_input input = {.caps = caps,
				   .ncpus = options->plan ? 1 : (unsigned)options->cpus};
	struct planning planning = {.options = options, .input = &input, .plan = plan, .dry = dry};
	struct error *error = parse_specs(sources, &planning);

	if (!dry)
		input_live(&input);
	input_counting(sources->arena, options, !dry, &input);
	if (!error)
		error = input_filters(sources->arena, options->filters.texts,
				      options->filters.count, &input);
	if (!error && dry &&
	    (options->plan || (options->verbose && !options->json && !options->definition))) {
		planning.text = arena_new(sources->arena, struct plan_text);
		plan_text_begin(planning.text, sources->arena, sources, &input,
				options->plan ? &dry->text : NULL);
		if (plan->following)
			planning.text->why_not = "a plan is of specs, as for 'ktrace probe'; "
				"'ktrace follow' works by a pack: ktrace pack --help";
	}
	for (unsigned i = 0; i < planning.nspecs && !error; i++) {
		error = plan_spec(sources, planning.specs[i], &planning);
		if (error && plan->following)
			error = follow_without(options, planning.specs[i], error);
		else if (error && error->lacks)
			error = propose_value(sources, &planning, planning.specs[i], error);
		else if (error)
			error = hint_quotes(sources->arena, options, i, error);
	}
	if (!error && plan->following)
		error = plan_inner(&planning);
	arena_deinit(&planning.batch);
	if (!error && plan->following)
		error = follow_check(sources, planning.resolver, dry, plan);
	if (!error && plan->following && dry && !options->json && !options->definition &&
	    !options->plan)
		error = follow_cost(planning.resolver,
				    follow_begin(planning.specs, planning.nspecs), plan,
				    &dry->command);
	if (!error)
		error = plan_events(sources->arena, options, &input, plan);
	return planning.text ? end_text(&planning, error) : error;
}

struct error *cmd_probe(struct arena *arena, const struct options *options)
{
	bool live = !options->dry_run && !options->definition && !options->plan;
	struct caps caps = caps_assumed();
	struct sources sources;
	struct dry_run dry = {.options = options};
	struct plan plan = {.arena = arena};
	struct resolver *program = NULL;
	struct child child;
	struct error *error = child_find(arena, options->command, &child);

	if (!error && live)
		error = caps_read(arena, &caps);
	if (error)
		return error;
	sources_init(&sources, arena, options);
	error = make_plan(&sources, options, &caps, live ? NULL : &dry, &plan);
	if (!error && live)
		error = before_live(arena, options, &plan);
	if (!error && live && options->program)
		error = sources_get(&sources, NULL, live, &program);
	sources_unbound(&sources);
	if (!error && live)
		error = go_live(&sources, &plan, program ? program->target : NULL, &child);
	else if (!error)
		dry_run_print(&dry, &plan);
	if (!live)
		error = dry_run_end(&dry, arena, error);
	sources_deinit(&sources);
	return error;
}

struct error *cmd_plan(struct arena *arena, const struct options *options)
{
	struct options planning = *options;
	struct error *error;

	planning.dry_run = planning.plan = true;
	error = cmd_probe(arena, &planning);
	if (error && error->code == ERROR_NOT_FOUND && options->noperands &&
	    (!strcmp(options->operands[0], "follow") || !strcmp(options->operands[0], "graph"))) {
		error->verb = NULL;
		error->hint = arena_printf(arena,
					   "a plan is of specs, as for 'ktrace probe'; 'ktrace %s' "
					   "works elsewhere by a pack: ktrace pack --help",
					   options->operands[0]);
	}
	return error;
}
