// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ends a live run: disables the probes, reads what is left, and says what was lost or is not known.
 * With --in-kernel the tables are read from the kernel, here and for each -i.
 */
#include "cmd/live/live_run.h"

bool live_counts_in_kernel(const struct live *live)
{
	return live->options->in_kernel && live->view.tables;
}

struct error *live_take_counted(struct live *live, uint64_t *dropped)
{
	struct error *error = NULL;
	struct arena arena;

	arena_init(&arena);
	tables_restart(live->view.tables);
	live->events = *dropped = 0;
	for (unsigned i = 0; i < live->plan->nprobes && !error; i++) {
		struct counted counted;

		if (!live->plan->probes[i].counting)
			continue;
		error = session_counted(live->session, &arena, i, &counted);
		if (error)
			break;
		tables_counted(live->view.tables, i, &counted);
		*dropped += counted.dropped;
		for (unsigned j = 0; j < counted.nrows; j++)
			live->events += counted.rows[j].hits;
	}
	error = error ? error_copy(live->arena, error) : NULL;
	arena_deinit(&arena);
	return error;
}

static struct error *not_written(const struct live *live)
{
	return error_new(live->arena, ERROR_SYSTEM,
			 "nothing reads %s: the last %llu of %llu events are not written",
			 live->output.name, (unsigned long long)live->unwritten,
			 (unsigned long long)live->events);
}

static struct error *was_written(const struct live *live)
{
	return error_hint(live->arena,
			  error_new(live->arena, ERROR_SYSTEM,
				    "'%s' was written to while it was traced: other code may lie "
				    "at its probes now, so they are removed",
				    live->written),
			  "processes that have run it since then may fail; start it and ktrace "
			  "again");
}

/* Disables the probes one by one. Each takes the kernel a while; hits in between must not fill
 * the buffer, so it is drained. */
static struct error *settle(struct live *live)
{
	struct error *error = NULL;

	while (!error && !live->output.gone && session_settle(live->session))
		error = live_drain(live, false);
	return error;
}

/* Writes --flame's file; a FIFO without a reader isn't waited for. */
static struct error *draw_flame(struct live *live, const struct table_end *end)
{
	struct strbuf text = {0};
	struct error *error = live->options->flame ? output_begin(&live->flame) : NULL;

	if (error || !live->options->flame)
		return error;
	tables_show(live->view.tables, &text, TABLE_FLAME, end);
	error = output_write(&live->flame, &text);
	if (!error && text.length)
		error = error_new(live->arena, ERROR_SYSTEM, "can't write all of '%s'",
				  live->flame.name);
	strbuf_deinit(&text);
	return error;
}

static struct error *show_last(struct live *live, bool is_lost_unknown)
{
	unsigned open = live->graphs ? graphs_end(live->graphs, &live->out) :
			live->follow ? follow_end(live->follow, &live->out) : 0;
	struct error *error = open ? live_shown(live, open) : NULL;
	const struct missed *missed = &live->missed;
	struct table_end end = {
		.events = live->events,
		.lost = is_lost_unknown ? NOT_KNOWN : live->counts.lost,
		.missed = missed->is_unknown ? NOT_KNOWN : missed_sum(missed),
		.unsure = missed->unsure,
		.unrecorded = missed->unrecorded,
		.dropped = missed->dropped,
		.pairs = live->counts.pairs,
		.npairs = live->counts.npairs,
		.calls = live->graphs ? graphs_counts(live->graphs) : NULL,
		.is_final = true,
		.origin = live->context.origin,
	};

	if (error)
		return error;
	if (live->context.origin)
		origin_end(&live->keeper, live->stream);
	if (live->view.tables)
		table_view_show(&live->view, &live->out, &end, live_now());
	live->sink->end(&live->out, &end);
	return live->view.tables ? draw_flame(live, &end) : NULL;
}

struct error *live_finish(struct live *live)
{
	struct missed *missed = &live->missed;
	struct error *off = live->is_quiet ? NULL : session_check_on(live->session);
	struct error *error = settle(live), *lost, *unknown, *unwritten;

	if (!error)
		error = session_stop(live->session);
	if (!error && !live->output.gone)
		error = live_drain(live, true);
	if (!error && live_counts_in_kernel(live))
		error = live_take_counted(live, &live->dropped);
	if (error)
		return error;
	lost = stream_counts(live->stream, &live->counts);
	unknown = count_missed(live->arena, live->plan, live->session, &live->counts, missed);
	missed->is_unknown |= off != NULL;
	missed->dropped = live->dropped;
	if (live->output.gone) /* not everything was read */
		missed->unrecorded = 0;
	error = show_last(live, lost);
	unwritten = live_flush(live);
	error = error ? error : unwritten;
	if (error)
		return error;
	if (live->is_given_up)
		return not_written(live);
	return live->written ? was_written(live) : lost ? lost : unknown ? unknown : off;
}
