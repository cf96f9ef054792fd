// SPDX-License-Identifier: GPL-2.0-only
/* Prints a call as one JSON object on a line. The texts of its values are JSON already. */
#include "base/escape.h"
#include "base/json.h"
#include "sink/follow/follow.h"

static bool has_cut(const struct changes *changes)
{
	for (unsigned i = 0; i < changes->count; i++)
		if (changes->list[i].is_cut)
			return true;
	return false;
}

static void put_args(struct strbuf *out, const struct changes *args)
{
	json_object(out, "args");
	for (unsigned i = 0; i < args->count; i++) {
		if (i)
			strbuf_putc(out, ',');
		strbuf_json(out, args->list[i].name, strlen(args->list[i].name));
		strbuf_join(out, ":", args->list[i].is, NULL);
	}
	json_object_end(out);
	if (!has_cut(args))
		return;
	json_array(out, "cut");
	for (unsigned i = 0, count = 0; i < args->count; i++)
		if (args->list[i].is_cut) {
			strbuf_puts(out, count++ ? "," : "");
			strbuf_json(out, args->list[i].name, strlen(args->list[i].name));
		}
	json_array_end(out);
}

static void put_changes(struct strbuf *out, const struct changes *changes)
{
	json_array(out, "changes");
	for (unsigned i = 0; i < changes->count; i++) {
		json_object(out, NULL);
		json_text(out, "name", changes->list[i].name);
		if (changes->list[i].was)
			json_raw(out, "was", changes->list[i].was);
		json_raw(out, "is", changes->list[i].is);
		if (changes->list[i].is_cut)
			json_bool(out, "cut", true);
		json_object_end(out);
	}
	json_array_end(out);
}

static void put_row(const struct follow *follow, const struct call *call, const struct row *row)
{
	const struct site *site = row->probe->site;
	struct strbuf *out = follow->out;

	json_object(out, NULL);
	json_number(out, "ns", row->time - call->begun);
	if (row->kind == ROW_LINE) {
		json_number(out, "line", site->line);
		if (row->scope)
			json_text(out, "inlined", site->function);
		if (site->is_perhaps)
			json_bool(out, "perhaps", true);
		put_changes(out, &row->changes);
	} else {
		json_text(out, row->kind == ROW_INNER ? "inlines" : "calls", site->function);
		put_args(out, &row->changes);
	}
	if (row->kind == ROW_CALL)
		json_number(out, "number", row->number);
	if (is_row_perhaps(follow, call, row))
		json_bool(out, "perhaps", true);
	if (row->duration)
		json_number(out, "duration", row->duration);
	if (row->result)
		json_raw(out, "retval", row->result);
	json_object_end(out);
}

static void put_rows(const struct follow *follow, const struct call *call)
{
	struct strbuf *out = follow->out;
	uint64_t dropped = call->nrows > 2 * ROWS_HALF ? call->nrows - 2 * ROWS_HALF : 0;

	json_array(out, "lines");
	for (uint64_t i = 0; i < call->nrows; i++) {
		const struct row *row = call_row(call, i);

		if (row)
			put_row(follow, call, row);
		else
			i += dropped - 1;
	}
	json_array_end(out);
	if (dropped)
		json_number(out, "dropped_lines", dropped);
}

static void put_head(const struct follow *follow, const struct call *call)
{
	const struct site *site = call->probe->site;
	struct strbuf *out = follow->out;

	json_object(out, NULL);
	json_number(out, "time_ns", call->begun);
	json_text(out, "comm", call->comm);
	json_number(out, "pid", (uint64_t)call->thread->tid);
	json_number(out, "cpu", (uint64_t)call->cpu);
	json_number(out, "call", call->number);
	if (call->parent)
		json_number(out,
			    is_parent_perhaps(follow, call) ? "perhaps_called_in" : "called_in",
			    call->parent);
	json_text(out, "function", site->function);
	json_text(out, "file", site->file);
	json_number(out, "line", site->line);
	json_bool(out, "inlined", call->is_inlined);
	json_bool(out, "begin_seen", call->is_whole && !site->is_vague);
}

/* The lines of the function itself that can be passed without being shown. */
static void put_lacking(const struct follow *follow, const struct call *call)
{
	struct strbuf *out = follow->out;
	unsigned last = 0, count = 0;

	for (unsigned i = 0; i < follow->plan->nprobes; i++) {
		const struct probe *probe = &follow->plan->probes[i];
		const struct site *site = probe->site;

		if (role_is_companion(probe->role) || !site->may_lack || site->inner ||
		    site->copy != call->probe->site->copy || (count && site->line == last))
			continue;
		last = site->line;
		if (!count)
			json_array(out, "perhaps_unseen");
		strbuf_printf(out, "%s%u", count++ ? "," : "", site->line);
	}
	if (count)
		json_array_end(out);
}

void call_json(struct follow *follow, const struct call *call)
{
	static const char *const ends[] = {
		[END_RETURNED] = "returned", [END_JUMPED] = "jumped", [END_INLINED] = "inlined",
		[END_UNSEEN] = "unseen",     [END_OPEN] = "open",     [END_LOST] = "lost",
		[END_EVICTED] = "no room",
	};
	struct strbuf *out = follow->out;

	put_head(follow, call);
	put_args(out, &call->args);
	put_rows(follow, call);
	json_text(out, "end", ends[call->end]);
	if (call->result)
		json_raw(out, "retval", call->result);
	if (call->end <= END_JUMPED && call->is_whole)
		json_number(out, "duration", call->ended - call->begun);
	json_number(out, "lines_passed", call->npassed);
	json_number(out, "lines_of", followed(follow, call->probe)->nlines);
	put_lacking(follow, call);
	json_object_end(out);
	strbuf_putc(out, '\n');
}
