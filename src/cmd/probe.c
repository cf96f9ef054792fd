// SPDX-License-Identifier: GPL-2.0-only
/* `ktrace probe`: specs in, a plan out, which is printed (-n, -D) or run. */
#include <string.h>

#include "cmd/cmd.h"
#include "plan/plan.h"
#include "session/session.h"
#include "spec/spec.h"
#include "target/target.h"

/* The source a spec is resolved with; one without for what the kernel can resolve alone. */
static struct error *find_source(struct sources *sources, const struct spec *spec, bool live,
				 struct resolver **ret)
{
	const struct options *options = sources->options;
	bool named = options->vmlinux || options->module;
	struct error *error;

	*ret = NULL;
	if (options->program && spec->place.module)
		return error_hint(sources->arena, error_at(
			error_new(sources->arena, ERROR_USAGE, "-x and a module exclude each other"),
			spec->text, spec->place.span), "leave '%s:' away, or -x", spec->place.module);
	if (options->program)
		return sources_get(sources, NULL, live, ret);
	if (spec_is_raw(spec) && (spec->place.module || (!named &&
	    spec->place.kind != PLACE_FUNCTION)))
		return NULL;
	error = sources_get(sources, spec->place.module, live, ret);
	if (!error)
		return NULL;
	*ret = NULL;
	if (spec_is_raw(spec) && !named)
		return NULL; /* no debug information: the symbol may do */
	return error;
}

static struct error *plan_spec(struct sources *sources, const char *text, bool live,
			       struct plan_input *input, struct plan *plan)
{
	struct resolver bare = {.arena = sources->arena};
	struct resolver *resolver;
	struct sites *sites;
	struct spec *spec;
	unsigned first;
	struct error *error = spec_parse(sources->arena, text, &spec);

	if (!error)
		error = find_source(sources, spec, live, &resolver);
	if (error)
		return error;
	if (!resolver)
		resolver = &bare;
	error = resolve_spec(resolver, spec, &sites);
	if (error)
		return error;
	for (unsigned i = 0; i < sites->nwarnings && !sources->options->quiet; i++)
		fprintf(stderr, "ktrace: %s: %s\n", text, sites->warnings[i]);
	for (unsigned i = 0; i < sites->nnotes && sources->options->verbose; i++)
		fprintf(stderr, "ktrace: %s: %s\n", text, sites->notes[i]);
	input->arch = resolver->arch;
	input->name_static = resolver->target ? name_static : NULL;
	input->constant = name_constant;
	input->cookie = resolver;
	first = plan->nprobes;
	error = plan_add(sources->arena, input, sites, plan);
	if (!error && live)
		relocate_values(resolver, plan, first);
	return error;
}

/* `ktrace probe vfs_read count`: the shell made two specs of one. */
static struct error *hint_quotes(struct arena *arena, const struct options *options,
				 unsigned index, struct error *error)
{
	if (index && error->code == ERROR_NOT_FOUND && !strpbrk(options->operands[index], " :+%"))
		error->hint = arena_printf(arena, "a spec is one word to the shell; did you mean "
					   "'%s %s'?", options->operands[index - 1],
					   options->operands[index]);
	return error;
}

static struct error *make_plan(struct sources *sources, const struct options *options,
			       const struct caps *caps, bool live, struct plan *plan)
{
	struct plan_input input = {.caps = caps, .filter_text = options->filter};
	struct error *error = NULL;

	input.ncpus = live ? possible_cpus() : (unsigned)options->cpus;
	input.has_guards = live;
	if (options->filter)
		error = filter_parse(sources->arena, options->filter, &input.filter);
	for (unsigned i = 0; i < options->noperands && !error; i++) {
		error = plan_spec(sources, options->operands[i], live, &input, plan);
		if (error)
			error = hint_quotes(sources->arena, options, i, error);
	}
	return error ? error : plan_events(sources->arena, options, &input, plan);
}

/* A dry run says it on standard output, which is the events' here. */
static void tell_places(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		fprintf(stderr, "ktrace: %s: %s\n", probe->event, probe->definition);
		if (probe->site->note)
			fprintf(stderr, "ktrace: %s: address %s\n", probe->event,
				probe->site->note);
	}
}

struct error *cmd_probe(struct arena *arena, const struct options *options)
{
	bool live = !options->dry_run && !options->definition;
	struct caps caps = caps_assumed();
	struct sources sources;
	struct plan plan = {0};
	struct resolver *program = NULL;
	struct error *error = live ? caps_read(arena, &caps) : NULL;

	if (error)
		return error;
	sources_init(&sources, arena, options);
	error = make_plan(&sources, options, &caps, live, &plan);
	if (!error && live && options->verbose)
		tell_places(&plan);
	if (!error && live && options->program)
		error = sources_get(&sources, NULL, live, &program);
	if (!error && live)
		error = run_live(arena, options, &plan, program ? program->target : NULL);
	else if (!error)
		print_dry_run(options, &plan);
	sources_deinit(&sources);
	return error;
}
