// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints plans: the bare definitions (-D), the steps (-n, -v), or one JSON object per probe point.
 * A pure function of the plans. All or nothing: output is held back until the end, beyond 1 MiB (a
 * whole kernel's functions) in a file instead of memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cmd/dry.h"
#include "cmd/live/live.h"
#include "cmd/live/output.h"
#include "plan/plan.h"
#include "spec/spec.h"

static const char *const role_names[] = {
	[ROLE_SHOWN] = "shown",
	[ROLE_RELAY] = "relay",
	[ROLE_SUM] = "sum",
	[ROLE_SYNTHETIC] = "synthetic",
	[ROLE_MEMORY] = "memory",
	[ROLE_ENTRY] = "entry",
	[ROLE_START] = "start",
};

static void json_fetches(struct strbuf *out, const struct plan *plan, const struct probe *probe,
			 const struct value *value)
{
	json_array(out, "fetch");
	for (unsigned i = 0; i < value->nfetches; i++) {
		const struct fetch *fetch = plan_fetch(plan, probe, value->fetches[i]);
		struct strbuf text;

		strbuf_init(&text);
		strbuf_puts(&text, fetch->body);
		fetch_type_print(&text, &fetch->type);
		json_bytes(out, NULL, text.data, text.length);
		strbuf_deinit(&text);
	}
	json_array_end(out);
}

/* For each of fetch[]: whether it is recorded at the function's entry. */
static void json_entries(struct strbuf *out, const struct value *value)
{
	json_array(out, "entry");
	for (unsigned i = 0; i < value->nfetches; i++)
		json_bool(out, NULL, value->fetches[i] / KERNEL_ARGS_MAX == PART_ENTRY);
	json_array_end(out);
}

/* The role of the companion that records the value; "" when the shown probe does. */
static const char *companion_of(const struct plan *plan, const struct probe *probe,
				const struct value *value)
{
	for (unsigned i = 0; i < value->nfetches; i++) {
		unsigned part = value->fetches[i] / KERNEL_ARGS_MAX;

		if (part != PART_OWN)
			return role_names[plan->probes[probe->companions[part]].role];
	}
	return "";
}

static void json_value(struct strbuf *out, const struct plan *plan, const struct probe *probe,
		       const struct value *value)
{
	json_object(out, NULL);
	json_text(out, "name", value->name);
	json_text(out, "type", value->type_name);
	json_fetches(out, plan, probe, value);
	json_entries(out, value);
	json_text(out, "companion", companion_of(plan, probe, value));
	json_text(out, "finish", value->finish_text);
	if (value->is_pointee)
		json_bool(out, "pointee", true);
	json_text(out, "status", value->status == VALUE_OK ? "ok" : "unavailable");
	json_text(out, "reason", value->reason ? value->reason : "");
	json_object_end(out);
}

static const char *kind_text(const struct probe *probe)
{
	if (probe->kind == PROBE_TRACEPOINT)
		return "tracepoint";
	if (probe->site->path)
		return probe->kind == PROBE_RETURN ? "uretprobe" : "uprobe";
	return probe->kind == PROBE_RETURN ? "kretprobe" : "kprobe";
}

static void json_place(struct strbuf *out, const struct spec *spec)
{
	struct span span = spec->place.span;

	json_bytes(out, "place", spec->text + span.start, span.end - span.start);
}

/* A companion's action, as one would write it by hand. */
static void put_action(struct strbuf *out, const struct probe *probe, const struct action *action)
{
	strbuf_printf(out, "events/%s/%s/trigger: ", probe->group, probe->event);
	strbuf_expand(out, action->text, GROUP_MARK, probe->group);
}

/* The definition with the group as it is shown. The caller frees it. */
static struct strbuf definition_of(const struct probe *probe)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_expand(&text, probe->definition, GROUP_MARK, probe->group);
	return text;
}

static void json_definition(struct strbuf *out, const struct probe *probe)
{
	struct strbuf text = definition_of(probe);

	json_text(out, "definition", text.data);
	strbuf_deinit(&text);
}

static void json_companion(struct strbuf *out, const struct probe *probe)
{
	struct strbuf trigger;

	strbuf_init(&trigger);
	json_object(out, NULL);
	json_text(out, "role", role_names[probe->role]);
	json_definition(out, probe);
	for (unsigned i = 0; i < probe->nactions; i++) {
		strbuf_puts(&trigger, i ? "\n" : "");
		put_action(&trigger, probe, &probe->actions[i]);
	}
	json_text(out, "trigger", trigger.data);
	json_object_end(out);
	strbuf_deinit(&trigger);
}

/* A shown probe's companions follow it in the plan. */
static void json_companions(struct strbuf *out, const struct plan *plan, const struct probe *probe)
{
	const struct probe *end = plan->probes + plan->nprobes;

	json_array(out, "companions");
	for (const struct probe *p = probe + 1; p < end && role_is_companion(p->role); p++)
		json_companion(out, p);
	json_array_end(out);
}

static void json_pair(struct strbuf *out, const struct plan *plan, const struct probe *probe)
{
	const struct pair *pair = &plan->pairs[probe->pair - 1];

	json_object(out, "pair");
	json_text(out, "is",
		  pair->is_one_place	    ? "end and start" :
		  probe->role == ROLE_START ? "start" :
					      "end");
	json_text(out, "joined", pair_text(plan->arena, pair));
	json_object_end(out);
}

static void json_probe(struct strbuf *out, const struct plan *plan, const struct probe *probe)
{
	const struct site *site = probe->site;

	json_object(out, NULL);
	json_text(out, "spec", probe->spec->text);
	json_text(out, "event", probe->event);
	if (probe->host)
		json_text(out, "with", plan->probes[probe->host - 1].event);
	json_text(out, "group", probe->group);
	json_text(out, "kind", kind_text(probe));
	if (probe->pair)
		json_pair(out, plan, probe);
	json_place(out, probe->spec);
	json_text(out, "module", site->module);
	if (site->path)
		json_text(out, "path", site->path);
	json_text(out, "symbol", site->symbol);
	json_number(out, "offset", site->path ? site->shown_offset : site->offset);
	if (site->has_address)
		json_address(out, "address", site->address);
	else
		json_null(out, "address");
	json_text(out, "function", site->function);
	json_text(out, "file", site->file);
	if (site->line)
		json_number(out, "line", site->line);
	else
		json_null(out, "line");
	json_bool(out, "inlined", site->inlined);
	json_definition(out, probe);
	json_companions(out, plan, probe);
	json_array(out, "args");
	for (unsigned i = 0; i < probe->nvalues; i++)
		json_value(out, plan, probe, &probe->values[i]);
	json_array_end(out);
	json_object_end(out);
	strbuf_putc(out, '\n');
}

/* A hosted probe's value may be an argument that has another value's name. */
static void text_renamed(struct strbuf *out, const struct plan *plan, const struct probe *probe,
			 const struct value *value)
{
	const char *field = probe->host && value->nfetches == 1 ?
				    plan_fetch(plan, probe, value->fetches[0])->field :
				    value->name;

	if (strcmp(field, value->name) != 0)
		strbuf_printf(out, "  %s is %s\n", value->name, field);
}

static void text_values(struct strbuf *out, const struct plan *plan, const struct probe *probe)
{
	for (unsigned i = 0; i < probe->nvalues; i++) {
		const struct value *value = &probe->values[i];

		if (value->status != VALUE_OK) {
			strbuf_printf(out, "  %s: <unavailable: %s>\n", value->name, value->reason);
			continue;
		}
		if (!*value->finish_text) {
			text_renamed(out, plan, probe, value);
			continue;
		}
		strbuf_printf(out, "  %s = %s, where", value->name, value->finish_text);
		for (unsigned j = 0; j < value->nfetches; j++)
			strbuf_printf(out, "%s f%u is %s", j ? "," : "", j,
				      plan_fetch(plan, probe, value->fetches[j])->field);
		strbuf_puts(out, value->nfetches ? "\n" : " nothing is fetched\n");
	}
}

static void text_place(struct strbuf *out, const struct probe *probe)
{
	const struct site *site = probe->site;

	strbuf_printf(out, "Probe point: %s", site->function);
	if (site->file)
		strbuf_printf(out, " at %s", site->file);
	if (site->line)
		strbuf_printf(out, ":%u", site->line);
	strbuf_printf(out, ", %s+%#llx%s\n", site->shown_symbol,
		      (unsigned long long)site->shown_offset,
		      site->inlined ? " (inlined there)" : "");
	if (site->note)
		strbuf_printf(out, "  %s\n", site->note);
}

/* A line for each of the probe's actions. before: what it begins with. */
static void put_actions(struct strbuf *out, const struct probe *probe, const char *before)
{
	if (probe->counting && probe->counting->by_program)
		strbuf_printf(out, "# counted by a BPF program of %u instructions\n",
			      probe->counting->ninsns);
	for (unsigned i = 0; i < probe->nactions; i++) {
		strbuf_puts(out, before);
		put_action(out, probe, &probe->actions[i]);
		strbuf_putc(out, '\n');
	}
}

static void text_probe(struct strbuf *out, const struct plan *plan, const struct probe *probe,
		       bool verbose)
{
	bool is_tracepoint = probe->kind == PROBE_TRACEPOINT;
	struct strbuf definition = definition_of(probe);

	if (verbose && !role_is_companion(probe->role) && !is_tracepoint)
		text_place(out, probe);
	strbuf_printf(out, "%s event: %s\n", is_tracepoint ? "Enabling" : "Writing",
		      definition.data);
	strbuf_deinit(&definition);
	put_actions(out, probe, "Writing ");
	text_values(out, plan, probe);
	if (probe->kernel_filter)
		strbuf_printf(out, "Filter in the kernel: %s\n", probe->kernel_filter);
	if (probe->filter) {
		struct arena arena;

		arena_init(&arena);
		strbuf_printf(out, "Filter in ktrace: %s\n", filter_print(&arena, probe->filter));
		arena_deinit(&arena);
	}
}

/* Lines that kprobe_events doesn't take begin with '#'. */
static void bare_definition(struct strbuf *out, const struct probe *probe)
{
	bool is_chain = (role_is_companion(probe->role) && probe->role != ROLE_ENTRY) ||
			probe->kind == PROBE_TRACEPOINT;
	struct strbuf definition = definition_of(probe);

	strbuf_printf(out, "%s%s\n", is_chain ? "# " : "", definition.data);
	strbuf_deinit(&definition);
	put_actions(out, probe, "# ");
}

/* Whose hits a probe's event has, too. */
static void print_hosted(const struct options *options, const struct plan *plan, unsigned host,
			 struct strbuf *out)
{
	for (unsigned i = host; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		if (probe->host != host + 1)
			continue;
		if (options->verbose && !options->definition)
			text_place(out, probe);
		strbuf_printf(out, "%s %s\n", options->definition ? "# with it:" : "With it:",
			      probe->event);
		if (!options->definition)
			text_values(out, plan, probe);
	}
}

#define HELD_MAX ((size_t)1 << 20)

/* Moves the text to a temporary file; where that can't be made, it stays in memory. */
static void spill(struct dry_run *run)
{
	struct strbuf *text = &run->text;

	run->file = run->file ? run->file : tmpfile();
	run->is_full = !run->file || pwrite(fileno(run->file), text->data, text->length,
					    (off_t)run->written) != (ssize_t)text->length;
	if (run->is_full)
		return;
	run->written += text->length;
	text->length = 0;
}

static void print_pair(const struct options *options, const struct plan *plan,
		       const struct pair *pair, struct strbuf *out)
{
	char *text = pair_text(plan->arena, pair);

	if (!options->json)
		strbuf_printf(out, "%s%s, joined %s\n",
			      options->definition ? "# " : "Pair: ", pair->title, text);
}

void dry_run_text(const struct options *options, const struct plan *plan, struct strbuf *out)
{
	for (unsigned i = 0; i < plan->npairs; i++)
		print_pair(options, plan, &plan->pairs[i], out);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		if (options->json && !role_is_companion(probe->role))
			json_probe(out, plan, probe);
		if (options->json || probe->host)
			continue;
		if (options->definition)
			bare_definition(out, probe);
		else
			text_probe(out, plan, probe, options->verbose);
		print_hosted(options, plan, i, out);
	}
}

/* What a live trace of all the plans would refuse, too. */
static struct error *check_tables(const struct dry_run *run, struct arena *arena)
{
	struct error *error = table_options_check(arena, run->options, run->has_tables);

	if (!error)
		error = pair_options_check(arena, run->options, run->has_pairs);
	if (!error && run->unsorted && !run->is_sorted)
		error = run->unsorted;
	if (error || !run->has_tables || !run->has_lines)
		return error;
	return error_hint(arena, error_new(arena, ERROR_USAGE,
					   "a part of this gives lines, and a part a table"),
			  "add count(), or trace them separately");
}

/* plan_forget() leaves the plan's arena as it is. */
static void check_sort(struct dry_run *run, const struct plan *plan)
{
	struct error *error;
	bool has_tables = tables_wanted(plan);

	if (!run->options->sort || !has_tables || run->is_sorted)
		return;
	error = tables_check_sort(plan->arena, plan, run->options->sort);
	run->is_sorted = !error;
	run->unsorted = run->unsorted ?: error;
}

void dry_run_print(struct dry_run *run, struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		run->nprobes += !probe->host && probe->kind != PROBE_SYNTHETIC &&
				probe->kind != PROBE_TRACEPOINT;
		if (probe->role == ROLE_SHOWN)
			*(probe->spec->naggregates ? &run->has_tables : &run->has_lines) = true;
	}
	run->has_pairs |= plan->npairs;
	check_sort(run, plan);
	if (!run->options->plan)
		dry_run_text(run->options, plan, &run->text);
	plan_forget(plan);
	if (run->text.length >= HELD_MAX && !run->is_full)
		spill(run);
}

static struct error *copy_spilled(struct dry_run *run, struct arena *arena, FILE *to)
{
	char *piece = arena_alloc(arena, HELD_MAX);
	ssize_t length;

	for (size_t at = 0; at < run->written; at += (size_t)length) {
		size_t left = run->written - at;

		length = pread(fileno(run->file), piece, left < HELD_MAX ? left : HELD_MAX,
			       (off_t)at);
		if (length <= 0)
			return error_errno(arena, errno,
					   "can't read the file that held the output");
		fwrite(piece, 1, (size_t)length, to);
	}
	return NULL;
}

/* Standard output, or the file of -o, truncated. */
static struct error *open_file(const struct options *options, struct arena *arena, FILE **ret)
{
	struct output output;
	struct error *error;

	*ret = stdout;
	if (!options->output)
		return NULL;
	output_init(&output, arena, -1, options->output);
	error = output_open(&output, "-o", precious_files(arena, options, NULL, 0), options->quiet);
	if (!error)
		error = output_begin(&output);
	if (error)
		return error;
	fcntl(output.fd, F_SETFL, O_WRONLY);
	*ret = fdopen(output.fd, "w");
	return *ret ? NULL : error_errno(arena, errno, "can't write to '%s'", options->output);
}

static struct error *print_all(struct dry_run *run, struct arena *arena)
{
	const char *name = run->options->output;
	struct error *error;
	bool is_bad;
	FILE *to;

	error = open_file(run->options, arena, &to);
	if (error)
		return error;
	if (run->written)
		error = copy_spilled(run, arena, to);
	if (!error && run->text.length)
		fwrite(run->text.data, 1, run->text.length, to);
	if (to == stdout)
		return error;
	is_bad = ferror(to);
	is_bad = fclose(to) || is_bad;
	return !error && is_bad ? error_errno(arena, errno, "can't write to '%s'", name) : error;
}

struct error *dry_run_end(struct dry_run *run, struct arena *arena, struct error *error)
{
	if (run->nprobes > 1 && !run->options->json && !run->options->definition &&
	    !run->options->plan)
		strbuf_printf(&run->text, "%u probes\n", run->nprobes);
	strbuf_add(&run->text, run->command.data, run->command.length);
	if (!error)
		error = check_tables(run, arena);
	if (!error)
		error = print_all(run, arena);
	if (run->file)
		fclose(run->file);
	strbuf_deinit(&run->text);
	strbuf_deinit(&run->command);
	return error;
}
