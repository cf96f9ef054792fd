// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace run`: traces by a plan. No debug information is opened, and no option names a target but
 * -x, for a program that lies elsewhere here.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/live/child.h"
#include "cmd/plan_text.h"
#include "cmd/run.h"
#include "plan/plan.h"
#include "session/session.h"
#include "sink/sink.h"

#define PLAN_MAX ((size_t)64 << 20)

struct run {
	struct arena *arena;
	const struct options *options;
	const struct variant *variant;
	struct target *program; /* or NULL */
	bool is_live;
	struct plan_input input;
	struct plan plan;
};

static struct error *read_plan(struct arena *arena, const char *name, const char **ret)
{
	bool is_input = !strcmp(name, "-");
	int fd = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	size_t length;

	if (fd < 0)
		return error_errno(arena, errno, "can't read '%s'", name);
	*ret = file_read_most(arena, fd, PLAN_MAX, &length);
	if (!is_input)
		close(fd);
	return strlen(*ret) == length && length < PLAN_MAX ? NULL :
	       error_new(arena, ERROR_SYNTAX,
			 "'%s' is not a plan: it has a NUL byte, or too many", name);
}

/* All variants of all files. */
static struct error *read_plans(struct arena *arena, const struct options *options,
				struct planfile *ret)
{
	unsigned count = options->text ? 1 : options->noperands;
	struct error *error = NULL;

	*ret = (struct planfile){0};
	for (unsigned i = 0; i < count && !error; i++) {
		const char *name = options->text ? "--text" : options->operands[i],
			   *text = options->text;
		struct planfile one = {0};

		error = text ? NULL : read_plan(arena, name, &text);
		if (!error)
			error = planfile_read(arena, name, text, &one);
		for (unsigned j = 0; j < one.nvariants; j++)
			arena_append(arena, ret->variants, ret->nvariants) = one.variants[j];
		ret->name = ret->name ? arena_printf(arena, "%s %s", ret->name, name) : name;
	}
	return error;
}

/* The variant's filters, and those of the command line. */
static struct text_list all_filters(struct arena *arena, const struct variant *variant,
				    const struct text_list *more)
{
	struct text_list ret = {.count = variant->nfilters + more->count};

	ret.texts = arena_array(arena, const char *, ret.count + 1);
	for (unsigned i = 0; i < ret.count; i++)
		ret.texts[i] = i < variant->nfilters ? variant->filters[i] :
						       more->texts[i - variant->nfilters];
	return ret;
}

static struct error *other_definition(const struct run *run, const struct planned *planned,
				      const char *said, const char *made)
{
	return error_hint(
		run->arena,
		error_new(run->arena, ERROR_SYNTAX,
			  "the plan's spec at line %u contradicts itself:\n"
			  "  its definition is     %s\n  its values make this  %s",
			  planned->line, said, made),
		"it was changed, or written by another version of ktrace; --force uses the values");
}

/* The definitions in a plan are what people read: they must be what the values make. */
static struct error *check_definitions(struct run *run)
{
	const struct caps caps = caps_assumed();
	struct plan_input input = {.caps = &caps, .ncpus = 1};
	struct plan plan = {.arena = run->arena};
	struct error *error =
		input_filters(run->arena, run->variant->filters, run->variant->nfilters, &input);

	for (unsigned i = 0; i < run->variant->nspecs && !error; i++) {
		const struct planned *planned = run->variant->specs[i];

		error = plan_planned(run->arena, &input, planned, &plan);
		for (unsigned j = 0; j < planned->ndefinitions && !error; j++) {
			struct strbuf made = {0};

			if (j < plan.nprobes)
				strbuf_expand(&made, plan.probes[j].definition, GROUP_MARK,
					      plan.probes[j].group);
			if (strcmp(made.data ?: "nothing", planned->definitions[j]) != 0)
				error = other_definition(run, planned, planned->definitions[j],
							 made.data ?: "nothing");
			strbuf_deinit(&made);
		}
		plan_forget(&plan);
	}
	return error;
}

static void say_warnings(const struct half *half)
{
	for (unsigned i = 0; i < half->count; i++)
		for (unsigned j = 0; j < half->batches[i]->nwarnings; j++)
			tell("ktrace: %s: %s\n", half->batches[i]->spec->text,
			     half->batches[i]->warnings[j]);
}

static struct error *plan_variant(struct run *run)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < run->variant->nspecs && !run->options->quiet; i++) {
		say_warnings(&run->variant->specs[i]->starts);
		say_warnings(&run->variant->specs[i]->ends);
	}

	for (unsigned i = 0; i < run->variant->nspecs && !error; i++) {
		struct planned *planned = run->variant->specs[i];
		unsigned first = run->plan.nprobes;

		if (run->is_live)
			place_planned(run->arena, run->program, planned);
		if (run->is_live)
			error = place_check(run->arena, run->program, planned);
		if (!error)
			error = plan_planned(run->arena, &run->input, planned, &run->plan);
		if (!error)
			error = tables_check(run->arena, &run->plan, first);
	}
	return error;
}

static struct error *make_plan(struct run *run, const struct options *options)
{
	struct error *error = run->options->force ? NULL : check_definitions(run);

	if (!error)
		error = input_filters(run->arena, options->filters.texts, options->filters.count,
				      &run->input);
	if (!error)
		error = plan_variant(run);
	return error ? error : plan_events(run->arena, options, &run->input, &run->plan);
}

static struct error *print(struct run *run, const struct options *options)
{
	struct dry_run dry = {.options = options};
	struct error *error = make_plan(run, options);

	if (!error)
		dry_run_print(&dry, &run->plan);
	return dry_run_end(&dry, run->arena, error);
}

static struct error *trace(struct run *run, const struct options *options)
{
	struct child child;
	struct caps caps;
	struct error *error = input_begin(run->arena, options, &child, &caps, &run->input);

	if (error)
		return error;
	error = make_plan(run, options);
	if (!error)
		error = before_live(run->arena, options, &run->plan);
	if (run->program) {
		target_unbound(run->program);
		target_keep_symbols(run->program);
		target_close(run->program);
	}
	if (error)
		return error;
	plan_keep(&run->plan);
	return run_live(run->arena, options, &run->plan, run->program, NULL, &child);
}

struct error *cmd_run(struct arena *arena, const struct options *options)
{
	const struct caps assumed = caps_assumed();
	struct run run = {
		.arena = arena,
		.options = options,
		.is_live = !options->dry_run && !options->definition,
		.input = {.caps = &assumed, .ncpus = (unsigned)options->cpus},
		.plan = {.arena = arena},
	};
	struct options own = *options;
	struct planfile file;
	struct error *error = read_plans(arena, options, &file);

	if (error)
		return error;
	input_counting(arena, options, run.is_live, &run.input);
	run.variant = &file.variants[0];
	if (run.is_live)
		error = fit_variant(arena, options, &file, &run.variant, &run.program);
	if (error)
		return error;
	own.filters = all_filters(arena, run.variant, &options->filters);
	own.events.texts = run.variant->events;
	own.events.count = run.variant->nevents;
	return run.is_live ? trace(&run, &own) : print(&run, &own);
}
