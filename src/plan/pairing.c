// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans a pair: the probes where it begins, the probes where it ends, and by what the two belong
 * together. A pair of one place has probes that do both, since two probes at one address would be
 * hit in an order that nothing promises.
 */
#include "plan/fetch.h"
#include "plan/internal.h"
#include "plan/pairing.h"

struct pair *pair_of(const struct plan *plan, const struct spec *spec)
{
	for (unsigned i = 0; spec->pairing && i < plan->npairs; i++)
		if (plan->pairs[i].pairing == spec->pairing)
			return &plan->pairs[i];
	return NULL;
}

static char *place_text(struct arena *arena, const struct spec *spec)
{
	struct span span = spec->place.span;

	return arena_strndup(arena, spec->text + span.start, span.end - span.start);
}

struct pair *pair_begin(struct plan *plan, const struct pairing *pairing)
{
	struct arena *arena = plan->arena;
	const char *start = place_text(arena, pairing->start),
		   *end = place_text(arena, pairing->end);

	arena_append(arena, plan->pairs, plan->npairs) = (struct pair){
		.pairing = pairing,
		.title = arena_printf(arena, "%s -> %s", start, end),
		.is_one_place = !strcmp(start, end),
	};
	return &plan->pairs[plan->npairs - 1];
}

char *pair_text(struct arena *arena, const struct pair *pair)
{
	const struct pairing *pairing = pair->pairing;
	char *names = arena_strdup(arena, "by");

	if (pair->by == PAIR_BY_CALL)
		return arena_strdup(arena, pair->nests ? "by thread and call" :
				    "by thread and call, the call's last start");
	if (pair->by == PAIR_BY_THREAD)
		return arena_strdup(
			arena, pair->nests ? "by thread, the innermost start that hasn't ended" :
					     "by thread, the last start");
	for (unsigned i = 0; i < pairing->njoins; i++) {
		struct span span = pairing->joins[i].span;

		names = arena_printf(arena, "%s %.*s", names, (int)(span.end - span.start),
				     pairing->end->text + span.start);
	}
	return arena_printf(arena, "%s, the last start", names);
}

void start_value(const struct pair *pair, unsigned start, struct value *ret)
{
	*ret = pair->values[start];
	ret->is_start = true;
	ret->start = start;
	ret->is_duration = ret->is_narrowed = false;
	ret->finish = NULL;
	ret->by_cpu = NULL;
	ret->parts = NULL;
	ret->windows = NULL;
	ret->text = NULL;
	ret->nparts = ret->nfetches = ret->ncpus = 0;
	ret->finish_text = "";
}

/* Whether a datum of one can be printed and compared as the other's. */
static bool looks_like(const struct value *a, const struct value *b)
{
	return a->render == b->render && a->size == b->size && a->is_signed == b->is_signed &&
	       a->count == b->count && a->is_pointee == b->is_pointee &&
	       a->is_duration == b->is_duration && a->stack == b->stack && !a->shape == !b->shape &&
	       !strcmp(a->type_name, b->type_name) &&
	       (!a->shape ||
		(a->shape->kind == b->shape->kind && a->shape->size == b->shape->size));
}

/* What can't be shown as the pair's value is unavailable. */
static void check_types(const struct pair *pair, struct value *values)
{
	for (unsigned i = 0; i < pair->nvalues; i++) {
		if (values[i].status != VALUE_OK || looks_like(&values[i], &pair->values[i]))
			continue;
		values[i].status = VALUE_UNAVAILABLE;
		values[i].reason = "it has another type here than at the pair's other starts";
	}
}

void pair_values(struct arena *arena, struct plan *plan, struct pair *pair, unsigned first)
{
	unsigned nvalues = pair->pairing->start->nwants;
	struct value *values = arena_array(arena, struct value, nvalues + 1);

	pair->values = values;
	pair->nvalues = nvalues;
	for (unsigned i = first; i < plan->nprobes; i++)
		for (unsigned j = 0; j < nvalues && plan->probes[i].role == ROLE_START; j++)
			if (!values[j].name || (values[j].status != VALUE_OK &&
						plan->probes[i].values[j].status == VALUE_OK))
				values[j] = plan->probes[i].values[j];
	for (unsigned i = first; i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_START)
			check_types(pair, plan->probes[i].values);
}

/* The start's site where a probe of the end is, if the pair is of one place. */
static const struct site *twin_of(const struct pair *pair, const struct site *site)
{
	for (unsigned i = 0; i < pair->ntwins; i++)
		for (unsigned j = 0; j < pair->twins[i]->nsites; j++) {
			const struct site *twin = &pair->twins[i]->sites[j];

			if (twin->offset == site->offset && twin->is_return == site->is_return &&
			    !strcmp(twin->symbol ?: "", site->symbol ?: "") &&
			    !strcmp(twin->module ?: "", site->module ?: "") &&
			    twin->inlined == site->inlined)
				return twin;
		}
	return NULL;
}

const struct site *pair_site(struct arena *arena, const struct pair *pair, const struct spec *spec,
			     const struct site *site)
{
	const struct site *twin =
		pair && pair->is_one_place && spec_is_end(spec) ? twin_of(pair, site) : NULL;
	struct site *both;

	if (!twin || !twin->entry || site->entry)
		return site;
	both = arena_new(arena, struct site);
	*both = *site;
	both->entry = twin->entry;
	both->frame = twin->frame;
	both->entry_frame = twin->entry_frame;
	return both;
}

static struct error *not_joined(struct arena *arena, const struct spec *spec, const char *reason)
{
	return error_hint(arena,
			  error_at(error_new(arena, ERROR_INEXPRESSIBLE, "%s", reason), spec->text,
				   spec->place.span),
			  "join them by a value that both places have: on NAME");
}

static struct error *plan_starts(struct work *work, const struct site *twin, struct probe *probe)
{
	const struct spec *spec = work->pair->pairing->start;
	struct error *error = NULL;

	probe->starts = arena_array(work->arena, struct value, twin->ncaptures + 1);
	probe->nstarts = twin->ncaptures;
	for (unsigned i = 0; i < twin->ncaptures && !error; i++) {
		work->want = &spec->wants[i];
		error = plan_value(work, &twin->captures[i], &probe->starts[i]);
	}
	if (error)
		return error;
	values_running(work->arena, twin->captures, probe->starts, probe->nstarts);
	check_types(work->pair, probe->starts);
	return NULL;
}

struct error *pair_probe(struct work *work, const struct plan *plan, const struct site *site)
{
	struct probe *probe = work->probes[PART_OWN];
	const struct pair *pair = work->pair;
	bool is_both = pair->is_one_place && spec_is_end(probe->spec);
	const struct site *twin = is_both ? twin_of(pair, site) : NULL;
	struct error *error = NULL;

	probe->pair = (unsigned)(pair - plan->pairs) + 1;
	probe->role = spec_is_start(probe->spec) ? ROLE_START : ROLE_SHOWN;
	if (is_both && !twin)
		return not_joined(work->arena, probe->spec,
				  "the two places are one, but their addresses differ");
	if (twin)
		error = plan_starts(work, twin, probe);
	if (error || pair->by != PAIR_BY_CALL)
		return error;
	if (site->entry && spec_is_end(probe->spec))
		work_probe(work, PART_ENTRY);
	probe->frame = cut_frame(work, PART_OWN, site->frame);
	return probe->frame ? NULL :
	       not_joined(work->arena, probe->spec, "one call can't be told from another here");
}

/* Whether some site of the half has the function. */
static bool has_function(const struct half *half, const char *function)
{
	for (unsigned i = 0; i < half->count; i++)
		for (unsigned j = 0; j < half->batches[i]->nsites; j++) {
			const struct site *site = &half->batches[i]->sites[j];

			if (site->function && !strcmp(site->function, function))
				return true;
		}
	return false;
}

/* How many of the sites are in a function that the other half has too, and have a frame. */
struct shared {
	unsigned sites;
	unsigned same;
	unsigned framed;
};

static void count_shared(const struct half *half, const struct half *other, struct shared *ret)
{
	for (unsigned i = 0; i < half->count; i++)
		for (unsigned j = 0; j < half->batches[i]->nsites; j++) {
			const struct site *site = &half->batches[i]->sites[j];

			ret->sites++;
			ret->same += site->function && has_function(other, site->function);
			ret->framed += site->frame != NULL;
		}
}

static bool lacks_entry(const struct half *ends)
{
	for (unsigned i = 0; i < ends->count; i++)
		for (unsigned j = 0; j < ends->batches[i]->nsites; j++)
			if (!ends->batches[i]->sites[j].entry)
				return true;
	return false;
}

/* Two places of one function are joined in the same call of it; at its entry a call begins, so what
 * ends there began in another. Without debug information a call isn't known, but calls that return
 * nest. */
static struct error *choose_join(struct arena *arena, const struct half *starts,
				 const struct half *ends, struct pair *pair)
{
	const struct pairing *pairing = pair->pairing;
	bool is_from_entry = pairing->start->place.kind == PLACE_FUNCTION;
	bool is_whole_call = is_from_entry && spec_is_return(pairing->end);
	bool is_to_entry = pairing->end->place.kind == PLACE_FUNCTION;
	struct shared shared = {0};

	if (pairing->njoins)
		return NULL;
	count_shared(starts, ends, &shared);
	count_shared(ends, starts, &shared);
	pair->by = !is_to_entry && shared.same == shared.sites && shared.framed == shared.sites &&
		   (is_from_entry || !lacks_entry(ends)) ? PAIR_BY_CALL : PAIR_BY_THREAD;
	pair->nests = is_whole_call || !shared.same;
	if (shared.same && shared.same < shared.sites)
		return not_joined(arena, pairing->end,
				  "some of these places are in one function and some in others: "
				  "neither the call nor the thread joins all of them");
	return shared.same && pair->by == PAIR_BY_THREAD && !is_whole_call && !is_to_entry ?
		       not_joined(arena, pairing->end,
				  "one call of this function can't be told from another") :
		       NULL;
}

static bool is_text(const struct value *value)
{
	return value->render == RENDER_STRING;
}

static bool is_number(const struct value *value)
{
	return !is_text(value) && !value->count && !value_is_float(value) &&
	       (!value->shape || (value->shape->kind == SHAPE_NUMBER && value->shape->size <= 8));
}

/* Values that can never be equal are a mistake. */
static struct error *check_joins(struct arena *arena, const struct pair *pair,
				 const struct probe *probe)
{
	for (unsigned i = 0; i < pair->pairing->njoins; i++) {
		const struct join *join = &pair->pairing->joins[i];
		const struct value *a = &pair->values[join->start], *b = &probe->values[join->end];

		if (a->status != VALUE_OK || b->status != VALUE_OK ||
		    (is_text(a) == is_text(b) && is_number(a) == is_number(b)))
			continue;
		return error_hint(
			arena,
			error_at(error_new(arena, ERROR_INEXPRESSIBLE,
					   "'%s' is a '%s' in one place and a '%s' in the other: "
					   "they are never equal",
					   b->name, a->type_name, b->type_name),
				 probe->spec->text, join->span),
			"give both the same type: NAME=VALUE:TYPE");
	}
	return NULL;
}

static struct error *check_addresses(struct arena *arena, const struct plan *plan,
				     const struct pair *pair, unsigned first)
{
	for (unsigned i = first; i < plan->nprobes; i++)
		for (unsigned j = first; plan->probes[i].role == ROLE_START && j < plan->nprobes;
		     j++) {
			const struct probe *a = &plan->probes[i], *b = &plan->probes[j];

			if (b->role != ROLE_SHOWN || a->kind != b->kind ||
			    strcmp(a->head, b->head) != 0)
				continue;
			return error_hint(
				arena,
				error_at(error_new(arena, ERROR_INEXPRESSIBLE,
						   "'%s' begins with the same instruction as '%s': "
						   "no time passes between",
						   place_text(arena, b->spec),
						   place_text(arena, a->spec)),
					 b->spec->text, b->spec->place.span),
				"from one pass to the next: %s -> %s",
				place_text(arena, pair->pairing->start),
				place_text(arena, pair->pairing->start));
		}
	return NULL;
}

struct error *pair_end(struct arena *arena, const struct plan_input *input,
		       const struct sites *sites, struct plan *plan, unsigned first)
{
	struct error *error = NULL;

	for (unsigned i = first; i < plan->nprobes && !error; i++) {
		struct probe *probe = &plan->probes[i];

		if (probe->role != ROLE_SHOWN)
			continue;
		error = check_joins(arena, &plan->pairs[probe->pair - 1], probe);
		if (!error)
			error = plan_filter(arena, input, sites, probe);
	}
	return error;
}

struct error *plan_pair(struct arena *arena, const struct plan_input *input,
			const struct half *starts, const struct half *ends,
			struct plan *plan)
{
	struct pair *pair = pair_begin(plan, starts->batches[0]->spec->pairing);
	struct plan apart = {.arena = arena, .pairs = plan->pairs, .npairs = plan->npairs};
	struct plan *begun = pair->is_one_place ? &apart : plan; /* only to know the values */
	unsigned first = plan->nprobes;
	struct error *error = choose_join(arena, starts, ends, pair);

	pair->twins = starts->batches;
	pair->ntwins = starts->count;
	for (unsigned i = 0; i < starts->count && !error; i++)
		error = plan_add(arena, input, starts->batches[i], begun);
	if (!error)
		pair_values(arena, begun, pair, begun == plan ? first : 0);
	for (unsigned i = 0; i < ends->count && !error; i++)
		error = plan_add(arena, input, ends->batches[i], plan);
	if (!error)
		error = check_addresses(arena, plan, pair, first);
	return error ? error : pair_end(arena, input, ends->batches[0], plan, first);
}
