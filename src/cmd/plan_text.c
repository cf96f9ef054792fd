// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace plan`, and the command that ends `ktrace -nv`. What is written is read again at once and
 * planned a second time: it must give the same definitions, finishes and shapes, so that a plan
 * never lacks what a newer part of ktrace has put into a site.
 */
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/plan_text.h"
#include "planfile/planfile.h"
#include "target/target.h"

#define COMMAND_MAX ((size_t)64 << 10) /* an argument of execve(2) may have 128 KB */

void plan_text_begin(struct plan_text *text, struct arena *arena, const struct sources *sources,
		     const struct plan_input *input, struct strbuf *out)
{
	*text = (struct plan_text){.arena = arena, .sources = sources, .input = input};
	text->again.arena = arena;
	text->out = out ? out : &text->own;
	planfile_begin(text->out);
	for (unsigned i = 0; i < input->nfilters; i++)
		planfile_filter(text->out, input->filter_texts[i]);
}

static void put_build(struct plan_text *text, const struct build *build, const char *path)
{
	size_t before = text->out->length;

	for (unsigned i = 0; i < text->nids; i++)
		if (!strcmp(text->ids[i], build->id))
			return;
	arena_append(text->arena, text->ids, text->nids) = build->id;
	planfile_build(text->out, build);
	strbuf_add(&text->builds, text->out->data + before, text->out->length - before);
	if (path && build->kind != TARGET_PROGRAM)
		strbuf_printf(text->out, "# of %s\n", path);
}

static struct error *no_build(const struct plan_text *text, const struct sites *sites,
			      const char *what)
{
	return error_hint(
		text->arena,
		error_at(error_new(text->arena, ERROR_NO_DEBUGINFO,
				   "%s has no build-id, so a plan can't say what it is for", what),
			 sites->spec->text, sites->spec->place.span),
		"link it with --build-id, as compilers do by default");
}

/* The builds of all files that were opened. */
static struct error *put_targets(struct plan_text *text, const struct sites *sites)
{
	const struct target *target;

	for (unsigned i = 0; (target = sources_target(text->sources, i)); i++) {
		const struct build build = {
			.kind = target->kind,
			.name = target->kind == TARGET_PROGRAM ? target->path : target->module,
			.id = target->build_id,
		};

		if (!build.id)
			return no_build(text, sites,
					arena_printf(text->arena, "'%s'", target->path));
		put_build(text, &build, target->path);
	}
	return NULL;
}

/* A raw spec may be of a kernel or a module that no file was opened of: the running one. */
static struct error *put_running(struct plan_text *text, const struct sites *sites)
{
	const char *module = sites->sites[0].module;
	const struct build build = {
		.kind = module ? TARGET_MODULE : TARGET_KERNEL,
		.name = module,
		.id = target_running_id(text->arena, module),
	};
	const struct target *target;

	for (unsigned i = 0; (target = sources_target(text->sources, i)); i++)
		if (target->kind == TARGET_PROGRAM || (!target->module && !module) ||
		    (target->module && module && !strcmp(target->module, module)))
			return NULL;
	if (!build.id)
		return no_build(text, sites,
				module ? arena_printf(text->arena,
						      "the module '%s', which isn't loaded,",
						      module) :
					 "the running kernel");
	put_build(text, &build, NULL);
	return NULL;
}

/* why: an error in what was written, or NULL. */
static struct error *not_held(const struct plan_text *text, const struct sites *sites,
			      const struct error *why)
{
	return error_hint(text->arena,
			  error_at(error_new(text->arena, ERROR_INEXPRESSIBLE,
					     "a plan can't hold all of this%s%s", why ? ": " : "",
					     why ? why->message : ""),
				   sites->spec->text,
				   (struct span){0, (unsigned)strlen(sites->spec->text)}),
			  "trace it with debug information, without a plan");
}

static void print_plan(const struct plan *plan, struct strbuf *out)
{
	static const struct options as_text = {.verbose = true}, as_json = {.json = true};

	dry_run_text(&as_text, plan, out);
	dry_run_text(&as_json, plan, out);
}

static bool same_text(const struct strbuf *a, const struct strbuf *b)
{
	return a->length == b->length && !memcmp(a->data, b->data, a->length);
}

/* Reads what was written, and plans and writes that. */
static struct error *repeat(struct plan_text *text, struct arena *arena, const char *written,
			    struct strbuf *ret, struct strbuf *printed)
{
	struct planfile file;
	const struct planned *planned;
	struct error *error = planfile_read(arena, "plan", written, &file);

	if (error)
		return error;
	planned = file.variants[0].specs[0];
	error = plan_planned(arena, text->input, planned, &text->again);
	if (!error)
		error = planfile_add(arena, ret, planned, &text->again);
	print_plan(&text->again, printed);
	plan_forget(&text->again);
	return error;
}

static struct error *check_again(struct plan_text *text, struct arena *arena,
				 const struct planned *planned, const struct plan *plan,
				 const struct strbuf *rows)
{
	struct strbuf whole = {0}, again = {0}, printed[2] = {{0}};
	struct error *error;

	planfile_begin(&whole);
	strbuf_add(&whole, text->builds.data, text->builds.length);
	strbuf_add(&whole, rows->data, rows->length);
	print_plan(plan, &printed[0]);
	error = repeat(text, arena, whole.data, &again, &printed[1]);
	if (error || !same_text(rows, &again) || !same_text(&printed[0], &printed[1]))
		error = not_held(text, planned->ends.batches[0], error);
	strbuf_deinit(&whole);
	strbuf_deinit(&again);
	strbuf_deinit(&printed[0]);
	strbuf_deinit(&printed[1]);
	return error;
}

static void put_machine(struct plan_text *text, const struct arch *arch)
{
	if (!arch || text->has_machine)
		return;
	text->has_machine = true;
	planfile_machine(text->out, arch);
	planfile_machine(&text->builds, arch);
}

static struct error *put_builds(struct plan_text *text, const struct sites *const *list,
				unsigned count)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < count && !error; i++) {
		error = put_targets(text, list[i]);
		if (!error)
			error = put_running(text, list[i]);
		put_machine(text, list[i]->arch);
	}
	return error;
}

struct error *plan_text_add(struct plan_text *text, const struct planned *planned,
			    const struct plan *plan)
{
	struct strbuf rows = {0};
	struct error *error;
	struct arena arena;

	arena_init(&arena);
	error = put_builds(text, planned->starts.batches, planned->starts.count);
	if (!error)
		error = put_builds(text, planned->ends.batches, planned->ends.count);
	if (!error)
		error = planfile_add(&arena, &rows, planned, plan);
	if (!error)
		error = check_again(text, &arena, planned, plan, &rows);
	if (!error)
		strbuf_add(text->out, rows.data, rows.length);
	else
		error = error_copy(text->arena, error);
	strbuf_deinit(&rows);
	arena_deinit(&arena);
	return error;
}

struct error *plan_planned(struct arena *arena, const struct plan_input *input,
			   const struct planned *planned, struct plan *plan)
{
	if (planned->starts.count)
		return plan_pair(arena, input, &planned->starts, &planned->ends, plan);
	return plan_add(arena, input, planned->ends.batches[0], plan);
}

void plan_text_end(struct plan_text *text)
{
	const struct text_list *events = &text->sources->options->events;

	for (unsigned i = 0; i < events->count; i++)
		planfile_event(text->out, events->texts[i]);
}

void plan_text_command(struct plan_text *text, struct strbuf *out)
{
	char *words[] = {NULL, NULL};

	if (!text->why_not && text->out->length > COMMAND_MAX)
		text->why_not = "it would be too long for a shell: ktrace plan writes a file";
	if (text->why_not) {
		strbuf_printf(out, "No command runs this elsewhere: %s\n", text->why_not);
		return;
	}
	words[0] = planfile_join(text->arena, text->out->data);
	strbuf_join(out, "Without debug information: ",
		    words_line(text->arena, "ktrace run --text", words), "\n", NULL);
}

void plan_text_deinit(struct plan_text *text)
{
	strbuf_deinit(&text->own);
	strbuf_deinit(&text->builds);
}
