// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans a table that the kernel itself keeps, by a BPF program (counter/) or else by a histogram
 * trigger on the probe's event; it isn't recorded then. A trigger knows unsigned numbers only and
 * what is in the record as it is, so most values can't be used; each is refused by its name, as
 * nothing may be counted wrong.
 */
#include "counter/counter.h"
#include "plan/fetch.h"
#include "plan/internal.h"

#define TRIGGER_KEYS_MAX   3 /* TRACING_MAP_KEYS_MAX */
#define TRIGGER_VALUES_MAX 2 /* TRACING_MAP_VALS_MAX less the hits */

#define COUNTED_ROWS_MIN     128
#define COUNTED_ROWS_DEFAULT 8192
#define COUNTED_ROWS_MAX     131072
#define PROGRAM_BYTES        ((size_t)32 << 20)

struct counting_work {
	struct arena *arena;
	const struct plan_input *input;
	struct probe *probe;
	struct counting *counting;
};

static struct error *refuse(const struct counting_work *work, struct span span, const char *name,
			    const char *reason)
{
	struct arena *arena = work->arena;

	return error_hint(arena,
			  error_at(error_new(arena, ERROR_INEXPRESSIBLE,
					     "the kernel can't count '%s': %s", name, reason),
				   work->probe->spec->text, span),
			  "without --in-kernel ktrace counts it");
}

/* Why the kernel's field isn't the value, or NULL. */
static const char *not_as_recorded(const struct probe *probe, const struct value *value)
{
	if (value->status != VALUE_OK)
		return value->reason;
	if (value->is_duration || value->finish || value->by_cpu || value->parts ||
	    value->nfetches > 1 || value->fetch >= probe->nfetches)
		return "it is computed of what is recorded";
	if (value->windows || value->string_max)
		return "it is a text of which ktrace bounds the length";
	if (fetch_is_guarded(&probe->fetches[value->fetch]))
		return "where memory can't be read, its field has what was there before";
	if (value->count ||
	    (value->shape && (value->shape->kind != SHAPE_NUMBER || value->shape->size > 8)))
		return "it is not one number";
	return value_is_float(value) ? "it is a floating-point number" : NULL;
}

/* The same for what is added up or put into buckets. */
static const char *not_a_number(const struct probe *probe, const struct value *value)
{
	const char *reason = not_as_recorded(probe, value);

	if (reason)
		return reason;
	if (value->render == RENDER_STRING)
		return "it is a text";
	if (value->is_narrowed)
		return "it is recorded wider than it is";
	return value->is_signed ? "its histograms take every number for unsigned" : NULL;
}

static struct error *add_key(struct counting_work *work, struct counted_key key, struct span span)
{
	struct counting *counting = work->counting;

	for (unsigned i = 0; key.is_text && i < counting->nkeys; i++)
		if (counting->keys[i].is_text)
			return refuse(work, span, key.field,
				      "its histograms take one text as a key, not two");
	if (counting->nkeys == TRIGGER_KEYS_MAX)
		return refuse(work, span, key.field,
			      "its histograms have at most 3 keys, of which hist() is one");
	counting->keys[counting->nkeys++] = key;
	return NULL;
}

static struct error *value_key(struct counting_work *work, const struct key *key)
{
	const struct value *value = &work->probe->values[key->want];
	const char *reason;
	struct counted_key counted = {.kind = COUNTED_VALUE, .index = key->want};

	if (value->text)
		return NULL; /* all hits of the probe have it */
	reason = not_as_recorded(work->probe, value);
	if (reason)
		return refuse(work, key->span, value->name, reason);
	counted.field = work->probe->fetches[value->fetch].field;
	counted.is_text = value->render == RENDER_STRING;
	return add_key(work, counted, key->span);
}

static struct error *one_key(struct counting_work *work, const struct key *key)
{
	switch (key->kind) {
	case KEY_VALUE:
		return value_key(work, key);
	case KEY_COMM:
		if (work->probe->kind == PROBE_TRACEPOINT)
			return refuse(work, key->span, "comm", "the event doesn't record it");
		return add_key(work,
			       (struct counted_key){
				       .kind = COUNTED_COMM, .field = COMM_FIELD, .is_text = true},
			       key->span);
	case KEY_TID:
		return add_key(work,
			       (struct counted_key){.kind = COUNTED_TID, .field = "common_pid"},
			       key->span);
	case KEY_CPU:
		return add_key(work,
			       (struct counted_key){.kind = COUNTED_CPU, .field = "common_cpu"},
			       key->span);
	case KEY_PID:
		return refuse(work, key->span, "pid",
			      "no record says which process a thread is of; tid is the thread");
	default:
		return NULL; /* the probe's own */
	}
}

/* sum(E) and avg(E) are one value of the kernel's. */
static struct error *add_value(struct counting_work *work, const struct aggregate *aggregate)
{
	struct counting *counting = work->counting;
	const struct value *value = &work->probe->values[aggregate->want];

	for (unsigned i = 0; i < counting->nvalues; i++)
		if (counting->values[i].want == aggregate->want)
			return NULL;
	if (counting->nvalues == TRIGGER_VALUES_MAX)
		return refuse(work, aggregate->span, aggregate->name,
			      "its histograms add up at most 2 values");
	counting->values[counting->nvalues++] = (struct counted_value){
		.want = aggregate->want, .field = work->probe->fetches[value->fetch].field};
	return NULL;
}

static struct error *one_aggregate(struct counting_work *work, const struct aggregate *aggregate,
				   unsigned index)
{
	const struct value *value = &work->probe->values[aggregate->want];
	const char *reason;

	if (aggregate->kind == AGGREGATE_COUNT)
		return NULL;
	if (aggregate->kind == AGGREGATE_MIN || aggregate->kind == AGGREGATE_MAX)
		return refuse(work, aggregate->span, aggregate->name,
			      "its histograms keep sums, and no bounds");
	reason = not_a_number(work->probe, value);
	if (reason)
		return refuse(work, aggregate->span, value->name, reason);
	if (aggregate->kind != AGGREGATE_HIST)
		return add_value(work, aggregate);
	for (unsigned i = 0; i < work->counting->nkeys; i++)
		if (work->counting->keys[i].kind == COUNTED_BUCKET)
			return refuse(work, aggregate->span, aggregate->name,
				      "it keeps one hist() at a time");
	return add_key(work, (struct counted_key){
		.kind = COUNTED_BUCKET,
		.index = index,
		.field = work->probe->fetches[value->fetch].field,
		.step = aggregate->step,
	}, aggregate->span);
}

/* The kernel takes a power of two. */
static unsigned rows_of(const struct plan_input *input)
{
	unsigned rows = COUNTED_ROWS_MIN;

	while (rows < COUNTED_ROWS_MAX && rows < (input->counted_rows ?: COUNTED_ROWS_DEFAULT))
		rows *= 2;
	return rows;
}

/* A program's rows: a histogram takes one for each of its buckets. All are allocated beforehand, on
 * each CPU. */
static unsigned program_rows(const struct plan_input *input, const struct counting *counting)
{
	struct counter_layout layout = counter_layout(counting);
	size_t size = layout.key_size + (size_t)8 * layout.row_words * (input->ncpus ?: 1);
	unsigned rows = COUNTED_ROWS_MAX;

	if (input->counted_rows)
		return input->counted_rows;
	while (rows > COUNTED_ROWS_DEFAULT && rows * size > PROGRAM_BYTES)
		rows /= 2;
	return rows;
}

/* The kernel prints keys in this order: a text comes last, as only its end can't be told. */
static const char *keys_text(struct arena *arena, struct counting *counting)
{
	const char *text = "";

	for (unsigned i = 0; i + 1 < counting->nkeys; i++)
		if (counting->keys[i].is_text) {
			struct counted_key last = counting->keys[counting->nkeys - 1];

			counting->keys[counting->nkeys - 1] = counting->keys[i];
			counting->keys[i] = last;
		}
	for (unsigned i = 0; i < counting->nkeys; i++) {
		const struct counted_key *key = &counting->keys[i];

		text = arena_printf(arena, "%s%s%s", text, i ? "," : "", key->field);
		if (key->kind == COUNTED_BUCKET)
			text = key->step ? arena_printf(arena, "%s.buckets=%llu", text,
							(unsigned long long)key->step) :
					   arena_printf(arena, "%s.log2", text);
	}
	return counting->nkeys ? text : "common_cpu"; /* it needs one: rows of all CPUs are added */
}

static void add_action(struct counting_work *work)
{
	struct arena *arena = work->arena;
	struct probe *probe = work->probe;
	struct action *actions =
		arena_grow(arena, probe->actions, probe->nactions * sizeof(*actions),
			   (probe->nactions + 1) * sizeof(*actions));
	const char *text =
		arena_printf(arena, "hist:keys=%s:vals=hitcount", keys_text(arena, work->counting));

	for (unsigned i = 0; i < work->counting->nvalues; i++)
		text = arena_printf(arena, "%s,%s", text, work->counting->values[i].field);
	text = arena_printf(arena, "%s:size=%u", text, rows_of(work->input));
	actions[probe->nactions++] = (struct action){ACTION_COUNT, text};
	probe->actions = actions;
}

static struct error *by_trigger(struct arena *arena, const struct plan_input *input,
				struct probe *probe, const char *no_program)
{
	struct counting_work work = {arena, input, probe, NULL};
	const struct spec *spec = probe->spec;
	struct error *error = NULL;

	if (!input->caps->has_histograms)
		return error_hint(arena,
				  error_new(arena, ERROR_SYSTEM,
					    "the kernel can't count here: %s, and this kernel has "
					    "no histogram triggers",
					    no_program),
				  "it was built without CONFIG_HIST_TRIGGERS; %swithout "
				  "--in-kernel ktrace counts",
				  input->needs_trigger ?
					  "--in-kernel=program may do it, and " : "");
	if (probe->filter)
		return error_hint(arena,
				  error_new(arena, ERROR_INEXPRESSIBLE,
					    "the kernel can't test the filter alone, "
					    "and so can't count what passes"),
				  "without --in-kernel ktrace tests it");
	work.counting = arena_new(arena, struct counting);
	for (unsigned i = 0; i < spec->naggregates && !error; i++)
		error = one_aggregate(&work, &spec->aggregates[i], i);
	for (unsigned i = 0; i < spec->nkeys && !error; i++)
		error = one_key(&work, &spec->keys[i]);
	if (error)
		return error;
	add_action(&work);
	work.counting->no_program = no_program;
	probe->counting = work.counting;
	return NULL;
}

/* A program is preferred: it can do nearly all that a trigger can, for less. What neither can do is
 * refused with the program's reason, unless there is no program for anything. */
struct error *plan_counting(struct arena *arena, const struct plan_input *input,
			    struct probe *probe)
{
	const struct spec *spec = probe->spec;
	struct error *refused = NULL, *error;
	struct counting *counting = NULL;

	if (!input->counts_in_kernel || !spec->naggregates)
		return NULL;
	if (spec->pairing)
		return error_hint(arena,
				  error_at(error_new(arena, ERROR_INEXPRESSIBLE,
						     "the kernel can't count a pair: "
						     "ktrace joins its halves"),
					   spec->text, spec->place.span),
				  "without --in-kernel ktrace counts it");
	if (!input->no_program)
		refused = counter_plan(arena, probe, &counting);
	if (counting) {
		counting->rows = program_rows(input, counting);
		probe->counting = counting;
		return NULL;
	}
	if (input->needs_program)
		return refused ?:
				 error_new(arena, ERROR_INEXPRESSIBLE,
					   "no program can count here: %s", input->no_program);
	error = by_trigger(arena, input, probe, refused ? refused->message : input->no_program);
	return error && refused ? refused : error;
}
