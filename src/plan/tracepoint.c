// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a probe that shows an existing event: nothing is defined, and each field of its format is
 * a value (tracepoint_value.c).
 */
#include "plan/fetch.h"
#include "plan/internal.h"
#include "plan/names.h"
#include "plan/pairing.h"

/* The plan's first probe for the event from the index `first` on, or NULL. */
static struct probe *same_event(const struct plan *plan, unsigned first,
				const struct tracepoint *tracepoint)
{
	for (unsigned i = first; i < plan->nprobes; i++)
		if (plan->probes[i].kind == PROBE_TRACEPOINT &&
		    !strcmp(plan->probes[i].group, tracepoint->system) &&
		    !strcmp(plan->probes[i].event, tracepoint->event))
			return &plan->probes[i];
	return NULL;
}

/* Two globs may match an event, which is shown once if neither asks for values. */
static bool is_there(const struct plan *plan, const struct spec *spec,
		     const struct tracepoint *tracepoint)
{
	const struct probe *probe = same_event(plan, 0, tracepoint);

	while (probe && (probe->pair || probe->spec->nwants || probe->spec->naggregates))
		probe = same_event(plan, (unsigned)(probe - plan->probes) + 1, tracepoint);
	return probe && !spec->nwants && !spec->naggregates;
}

/* "__syscall_nr", "__probe_ip": the kernel's own fields, which repeat what the event's name
 * says. */
static bool is_hidden(const struct tracepoint_field *field)
{
	return !strncmp(field->name, "__", 2);
}

static unsigned add_fetch(struct arena *arena, const struct tracepoint_field *field,
			  struct span span, struct probe *probe)
{
	probe->fetches[probe->nfetches] = (struct fetch){
		.field = field->name,
		.body = type_name(arena, field),
		.type = kernel_type(field),
		.want_span = span,
	};
	return probe->nfetches++;
}

static const struct tracepoint_field *find_field(const struct tracepoint *tracepoint,
						 const char *name)
{
	for (unsigned i = 0; i < tracepoint->nfields; i++)
		if (!strcmp(tracepoint->fields[i].name, name))
			return &tracepoint->fields[i];
	return NULL;
}

/* A want's value; that this event has no such field is no error, since another event of the glob
 * may. */
static struct error *wanted_value(struct arena *arena, const struct tracepoint *tracepoint,
				  const struct want *want, struct probe *probe, struct value *value)
{
	const struct tracepoint_field *field = find_field(tracepoint, want->base);
	const char *reason = NULL;

	*value = (struct value){
		.name = want->name ?: want->base, .type_name = "", .finish_text = ""};
	if (want->kind == WANT_STACK) {
		value->name = want->name ?: want->base + 1;
		value->type_name = "stack";
		value->stack = strcmp(want->base, KERNEL_STACK) ? STACK_POINTERS : STACK_KERNEL;
		value->depth = want->depth;
		return NULL;
	}
	if (!field) {
		value->status = VALUE_UNAVAILABLE;
		value->reason = "this event has no such field";
		return NULL;
	}
	field_value(arena, field, add_fetch(arena, field, want->span, probe), value);
	value->name = want->name ?: want->base;
	if (want->type)
		reason = cast_field(arena, field, want->type, value);
	return reason ? error_hint(arena,
				   error_at(error_new(arena, ERROR_INEXPRESSIBLE, "'%s' %s",
						      want->base, reason),
					    probe->spec->text, want->type_span),
				   "without ':%s' it is shown as the event has it", want->type) :
			NULL;
}

/* What a pair's end has besides its own fields: its start's values, and the time between. Returns
 * false if it is a field. */
static struct error *pair_value(struct arena *arena, const struct pair *pair,
				const struct want *want, const struct probe *probe,
				struct value *ret)
{
	if (want->is_start) {
		start_value(pair, want->start, ret);
		return NULL;
	}
	*ret = (struct value){
		.name = want->name ?: want->base + 1,
		.type_name = "ns",
		.render = want->type ? RENDER_TIME : RENDER_UNSIGNED,
		.size = 8,
		.is_between = true,
		.finish_text = "",
	};
	return !want->type || !strcmp(want->type, "time") ?
		       NULL :
		       error_hint(arena,
				  error_at(error_new(arena, ERROR_INEXPRESSIBLE,
						     "$duration is a time, not ':%s'", want->type),
					   probe->spec->text, want->type_span),
				  "write $duration, in ns, or $duration:time");
}

static bool is_pairs(const struct spec *spec, const struct want *want)
{
	return want->is_start || (spec_is_end(spec) && !strcmp(want->base, DURATION));
}

static struct error *wanted_values(struct arena *arena, const struct pair *pair,
				   const struct tracepoint *tracepoint, const struct spec *spec,
				   struct probe *probe, struct value *values)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < spec->nwants && !error; i++)
		error = is_pairs(spec, &spec->wants[i]) ?
			pair_value(arena, pair, &spec->wants[i], probe, &values[i]) :
			wanted_value(arena, tracepoint, &spec->wants[i], probe, &values[i]);
	return error;
}

/* Adds the fields that filters name, for a table, whose values aren't shown. */
static void add_filtered(struct arena *arena, const struct tracepoint *tracepoint,
			 const struct filter *filter, struct probe *probe)
{
	const struct tracepoint_field *field =
		filter && filter->field ? find_field(tracepoint, filter->field) : NULL;

	if (!filter)
		return;
	for (unsigned i = 0; field && i < probe->nvalues; i++)
		if (!strcmp(probe->values[i].name, field->name))
			field = NULL;
	if (field && probe->nvalues < KERNEL_ARGS_MAX)
		field_value(arena, field, add_fetch(arena, field, probe->spec->place.span, probe),
			    &probe->values[probe->nvalues++]);
	add_filtered(arena, tracepoint, filter->left, probe);
	add_filtered(arena, tracepoint, filter->right, probe);
}

static void all_values(struct arena *arena, const struct tracepoint *tracepoint,
		       struct probe *probe)
{
	for (unsigned i = 0; i < tracepoint->nfields && probe->nfetches < KERNEL_ARGS_MAX; i++) {
		const struct tracepoint_field *field = &tracepoint->fields[i];

		if (!is_hidden(field))
			field_value(arena, field,
				    add_fetch(arena, field, probe->spec->place.span, probe),
				    &probe->values[probe->nvalues++]);
	}
}

/* Refuses `by comm` if the event itself has a field comm, which a filter's `comm` would mean. */
static struct error *check_keys(struct arena *arena, const struct tracepoint *tracepoint,
				const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nkeys; i++) {
		const struct key *key = &spec->keys[i];

		if (key->kind != KEY_VALUE && !key->is_marked && find_field(tracepoint, key->name))
			return error_hint(
				arena,
				error_at(error_new(arena, ERROR_AMBIGUOUS,
						   "'%s' is a field of %s:%s, too", key->name,
						   tracepoint->system, tracepoint->event),
					 spec->text, key->span),
				"$%s is the running task's, (%s) is the field", key->name,
				key->name);
	}
	return NULL;
}

/* A probe without values, but with room for the spec's, its pair's start's, and all fields. */
static void new_probe(struct arena *arena, const struct spec *spec,
		      const struct tracepoint *tracepoint, struct probe *probe)
{
	unsigned room = tracepoint->nfields + spec->nwants + KERNEL_ARGS_MAX + 1;

	*probe = (struct probe){
		.spec = spec,
		.site = arena_new(arena, struct site), /* it has no place in code */
		.group = tracepoint->system,
		.event = tracepoint->event,
		.kind = PROBE_TRACEPOINT,
		.fetches = arena_array(arena, struct fetch, 2 * room),
		.values = arena_array(arena, struct value, room),
	};
	probe->head = probe->definition = arena_printf(arena, "%s:%s", probe->group, probe->event);
}

/* The kernel has one filter for an event, and one list of rows. */
static struct error *share(struct arena *arena, const struct plan_input *input,
			   const struct spec *spec, struct probe *before)
{
	if (input->counts_in_kernel)
		return error_hint(arena,
				  error_at(error_new(arena, ERROR_INEXPRESSIBLE,
						     "--in-kernel keeps one table of '%s:%s'",
						     before->group, before->event),
					   spec->text, spec->place.span),
				  "leave --in-kernel out, or count each in a run of its own");
	before->is_shared = true;
	if (!before->kernel_filter)
		return NULL;
	before->kernel_filter = NULL;
	before->filter = NULL;
	before->is_filter_partly_ours = false;
	return plan_filter(arena, input, NULL, before);
}

/* before: another probe of the event, or NULL. */
static struct error *add_event(struct arena *arena, const struct plan_input *input,
			       const struct spec *spec, const struct tracepoint *tracepoint,
			       struct probe *before, struct probe *probe)
{
	struct error *error = check_keys(arena, tracepoint, spec);

	if (!error && before)
		error = share(arena, input, spec, before);
	new_probe(arena, spec, tracepoint, probe);
	probe->is_shared = before;
	probe->nvalues = spec->nwants;
	if (!error)
		error = wanted_values(arena, NULL, tracepoint, spec, probe, probe->values);
	if (error)
		return error;
	for (unsigned i = 0; i < input->nfilters && spec->naggregates; i++)
		add_filtered(arena, tracepoint, input->filters[i], probe);
	if (!spec->nwants && !spec->naggregates)
		all_values(arena, tracepoint, probe);
	error = plan_filter(arena, input, NULL, probe);
	return error ? error : plan_counting(arena, input, probe);
}

static char *field_names(struct arena *arena, const struct tracepoint *tracepoint)
{
	char *names = arena_strdup(arena, "");

	for (unsigned i = 0; i < tracepoint->nfields; i++)
		if (!is_hidden(&tracepoint->fields[i]))
			names = arena_printf(arena, "%s%s%s", names, *names ? " " : "",
					     tracepoint->fields[i].name);
	return names;
}

/* A field that none of a glob's events has is an error. */
static struct error *check_fields(struct arena *arena, const struct spec *spec,
				  const struct tracepoint *tracepoints, unsigned count)
{
	for (unsigned i = 0; i < spec->nwants; i++) {
		const struct want *want = &spec->wants[i];
		bool found = is_pairs(spec, want);

		for (unsigned j = 0; j < count; j++)
			found |=
				want->kind == WANT_STACK || find_field(&tracepoints[j], want->base);
		if (!found)
			return error_hint(
				arena,
				error_at(error_new(arena, ERROR_NOT_FOUND,
						   count == 1 ? "'%s:%s' has no field '%s'" :
								"none of the events '%s:%s' has a "
								"field '%s'",
						   spec->group, spec->event, want->base),
					 spec->text, want->base_span),
				"%s:%s has: %s", tracepoints[0].system, tracepoints[0].event,
				field_names(arena, &tracepoints[0]));
	}
	return NULL;
}

struct error *plan_tracepoints(struct arena *arena, const struct plan_input *input,
			       const struct spec *spec, const struct tracepoint *tracepoints,
			       unsigned count, struct plan *plan)
{
	struct error *error = check_fields(arena, spec, tracepoints, count);

	plan_make_room(plan, count);
	for (unsigned i = 0; i < count && !error; i++) {
		struct probe *before = same_event(plan, 0, &tracepoints[i]);

		if (!is_there(plan, spec, &tracepoints[i]))
			error = add_event(arena, input, spec, &tracepoints[i], before,
					  &plan->probes[plan->nprobes++]);
	}
	return error;
}

/* At one event two probes would be one record: a pair of one event has probes that are both
 * halves. */
static struct error *add_half(struct arena *arena, const struct plan_input *input,
			      const struct spec *spec, const struct tracepoint *tracepoint,
			      const struct pair *pair, struct plan *plan)
{
	const struct spec *start = pair->pairing->start;
	struct probe *before = same_event(plan, 0, tracepoint);
	struct probe *probe = &plan->probes[plan->nprobes++];
	struct error *error = check_keys(arena, tracepoint, spec);

	if (!error && before)
		error = share(arena, input, spec, before);
	new_probe(arena, spec, tracepoint, probe);
	probe->is_shared = before;
	probe->role = spec_is_start(spec) ? ROLE_START : ROLE_SHOWN;
	probe->pair = (unsigned)(pair - plan->pairs) + 1;
	probe->nvalues = spec->nwants;
	if (!error)
		error = wanted_values(arena, pair, tracepoint, spec, probe, probe->values);
	if (!error && pair->is_one_place && spec_is_end(spec)) {
		probe->nstarts = start->nwants;
		probe->starts = arena_array(arena, struct value, start->nwants + 1);
		error = wanted_values(arena, pair, tracepoint, start, probe, probe->starts);
	}
	for (unsigned i = 0; i < input->nfilters && spec->naggregates && !error; i++)
		add_filtered(arena, tracepoint, input->filters[i], probe);
	return error;
}

/* first: of the pair's own probes in the plan. */
static struct error *add_halves(struct arena *arena, const struct plan_input *input,
				const struct tracepoints *half, const struct pair *pair,
				struct plan *plan, unsigned first)
{
	const struct spec *spec = half->spec;
	struct error *error = check_fields(arena, spec, half->list, half->count);

	plan_make_room(plan, half->count);
	for (unsigned i = 0; i < half->count && !error; i++) {
		const struct probe *start = same_event(plan, first, &half->list[i]);

		if (start)
			error = error_hint(arena,
					   error_at(error_new(arena, ERROR_INEXPRESSIBLE,
							      "'%s:%s' begins the pair, too: no "
							      "time passes between",
							      start->group, start->event),
						    spec->text, spec->place.span),
					   "from one to the next: %s:%s -> %s:%s", start->group,
					   start->event, start->group, start->event);
		else
			error = add_half(arena, input, spec, &half->list[i], pair, plan);
	}
	return error;
}

struct error *plan_tracepoint_pair(struct arena *arena, const struct plan_input *input,
				   const struct tracepoints *starts, const struct tracepoints *ends,
				   struct plan *plan)
{
	struct pair *pair = pair_begin(plan, ends->spec->pairing);
	struct plan apart = {.arena = arena, .pairs = plan->pairs, .npairs = plan->npairs};
	struct plan *begun = pair->is_one_place ? &apart : plan; /* only to know the values */
	unsigned first = plan->nprobes;
	struct error *error;

	pair->by = pair->pairing->njoins ? PAIR_BY_VALUES : PAIR_BY_THREAD;
	pair->nests = pair->by == PAIR_BY_THREAD;
	error = add_halves(arena, input, starts, pair, begun, begun == plan ? first : 0);
	if (!error)
		pair_values(arena, begun, pair, begun == plan ? first : 0);
	if (!error)
		error = add_halves(arena, input, ends, pair, plan, first);
	return error ? error : pair_end(arena, input, NULL, plan, first);
}
