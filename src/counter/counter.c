// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says how a program would keep a probe's table, or why it can't. The surprise: that is found out
 * by making the program.
 */
#include <limits.h>
#include <string.h>

#include "counter/assemble.h"

static struct error *refuse(const struct code *code, struct span span, const char *name,
			    const char *reason)
{
	struct error *error = error_new(code->arena, ERROR_INEXPRESSIBLE,
					"the kernel can't count '%s': %s", name, reason);

	return error_hint(code->arena, error_at(error, code->probe->spec->text, span),
			  "without --in-kernel ktrace counts it");
}

static struct error *use_want(struct code *code, struct span span, unsigned want, unsigned *ret)
{
	const struct value *value = &code->probe->values[want];
	bool may_fault;
	const char *obstacle = fetch_obstacle(code->arena, code->probe, value, &may_fault);

	if (obstacle)
		return refuse(code, span, value->name, obstacle);
	*ret = use(code, USED_VALUE, want, may_fault);
	return NULL;
}

/* used: its index in code->used; UINT_MAX: there was no room. */
static struct error *add_key(struct code *code, struct counting *counting, struct span span,
			     struct counted_key key, unsigned used)
{
	const char *name = code->probe->spec->text + span.start;

	if (counting->nkeys == COUNTED_KEYS_ROOM || used == UINT_MAX)
		return refuse(code, span, arena_strndup(code->arena, name, span.end - span.start),
			      "there is no room for that many values");
	key.used = used;
	counting->keys[counting->nkeys++] = key;
	return NULL;
}

static struct error *one_key(struct code *code, struct counting *counting, const struct key *key)
{
	static const struct {
		enum counted_kind kind;
		enum used_kind used;
	} kinds[KEY_KINDS] = {
		[KEY_TID] = {COUNTED_TID, USED_TID},
		[KEY_PID] = {COUNTED_PID, USED_PID},
		[KEY_CPU] = {COUNTED_CPU, USED_CPU},
	};
	struct counted_key counted = {.kind = kinds[key->kind].kind, .index = key->want};
	struct error *error = NULL;
	unsigned used = 0;

	if (key->kind == KEY_VALUE && code->probe->values[key->want].text)
		return NULL; /* all hits of the probe have it */
	if (key->kind == KEY_EVENT)
		return NULL;
	if (key->kind == KEY_COMM) {
		counted = (struct counted_key){.kind = COUNTED_COMM, .is_text = true};
		code->uses_comm = true;
	} else if (key->kind == KEY_VALUE) {
		error = use_want(code, key->span, key->want, &used);
	} else {
		used = use(code, kinds[key->kind].used, 0, false);
	}
	return error ? error : add_key(code, counting, key->span, counted, used);
}

static struct error *one_aggregate(struct code *code, struct counting *counting, unsigned index)
{
	const struct aggregate *aggregate = &code->probe->spec->aggregates[index];
	struct error *error;
	unsigned used, i = 0;

	if (aggregate->kind == AGGREGATE_COUNT)
		return NULL;
	error = use_want(code, aggregate->span, aggregate->want, &used);
	while (!error && i < counting->nvalues && counting->values[i].want != aggregate->want)
		i++;
	if (!error && (used == UINT_MAX || i == COUNTED_VALUES_ROOM))
		error = refuse(code, aggregate->span, aggregate->name,
			       "there is no room for that many values");
	if (error)
		return error;
	counting->values[i] = (struct counted_value){.want = aggregate->want, .used = used};
	counting->nvalues += i == counting->nvalues;
	if (aggregate->kind != AGGREGATE_HIST)
		return NULL;
	for (i = 0; i < counting->nkeys; i++)
		if (counting->keys[i].kind == COUNTED_BUCKET)
			return refuse(code, aggregate->span, aggregate->name,
				      "it keeps one hist() at a time");
	error = add_key(code, counting, aggregate->span,
			(struct counted_key){.kind = COUNTED_BUCKET, .index = index}, used);
	if (!error && aggregate->step)
		error = add_key(code, counting, aggregate->span, (struct counted_key){
			.kind = COUNTED_STEP, .index = index, .step = aggregate->step}, used);
	return error;
}

struct error *code_take(struct code *code, struct counting *counting)
{
	const struct spec *spec = code->probe->spec;
	struct error *error = filter_use(code, code->probe->whole_filter);

	for (unsigned i = 0; i < spec->naggregates && !error; i++)
		error = one_aggregate(code, counting, i);
	for (unsigned i = 0; i < spec->nkeys && !error; i++)
		error = one_key(code, counting, &spec->keys[i]);
	for (unsigned i = 0; i < counting->nkeys; i++)
		counting->may_fault |= counting->keys[i].kind == COUNTED_VALUE &&
				       code->used[counting->keys[i].used].may_fault;
	if (!error && counting->may_fault)
		error = add_key(code, counting, spec->place.span,
				(struct counted_key){.kind = COUNTED_FAULTS}, 0);
	return error;
}

/* A hit for which the kernel runs no program must be told by the hits it counts. It counts none of
 * a tracepoint, and of a uretprobe the calls, of which some have not returned. */
static struct error *probe_obstacle(const struct code *code)
{
	const struct probe *probe = code->probe;
	struct span span = probe->spec->place.span;
	const char *place =
		arena_strndup(code->arena, probe->spec->text + span.start, span.end - span.start);

	if (probe->kind == PROBE_TRACEPOINT)
		return refuse(code, span, place,
			      "it has no count of a tracepoint's hits to hold a program's against");
	if (probe->kind == PROBE_RETURN && probe->site->path)
		return refuse(code, span, place,
			      "it counts calls of a function, and no returns, to hold a program's "
			      "against");
	return NULL;
}

struct error *counter_plan(struct arena *arena, const struct probe *probe, struct counting **ret)
{
	struct code code = {.arena = arena, .probe = probe};
	struct counting *counting = arena_new(arena, struct counting);
	struct error *error = probe_obstacle(&code);
	struct bpf_insn *insns;

	if (!error)
		error = code_take(&code, counting);
	*ret = error ? NULL : counting;
	if (error)
		return error;
	counting->by_program = true;
	counting->ninsns =
		counter_program(arena, probe, counting, &(struct counter_live){.ncpus = 1}, &insns);
	return NULL;
}

