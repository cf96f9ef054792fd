// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lets probes of a program share events: a definition with the name of an event that exists gives
 * it one more place. Since 6.12 the kernel waits some 50 ms whenever it disables a uprobe event,
 * holding the lock that all tracing needs, but once for all places of an event: 500 events take
 * half a minute, the same places in 20 events one second.
 *
 * The surprise: all places of an event must have the same arguments. So an event has those of its
 * model, the probe with the most; another probe's arguments take the places of the same type, and
 * zeros the rest. The plan's names don't fit all of them, and stream/ is told the new ones.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "session/internal.h"

#define JOINT_ZEROS 8  /* most arguments that a probe records for others */
#define JOINT_TYPES 64 /* arguments of a probe that is joined */
#define JOINT_LEAST 8  /* where no more probes are in a plan, each has its event */
#define PLACE_BYTES 4
#define TEXT_MOST   (KERNEL_LINE_MAX - 512) /* of a definition, which zeros make longer */

struct candidate {
	unsigned probe;
	unsigned model; /* the probe whose arguments it takes; its own number: a model */
	bool has_comm;
	unsigned slots[JOINT_TYPES]; /* where the model has its arguments */
};

struct candidates {
	struct candidate *list;
	unsigned count;
	bool *is_apart; /* of each probe of the plan: it keeps an event of its own */
};

/* The kernel records the same bytes, whatever the sign: the plan's value has its own. */
static bool is_same_type(const struct fetch_type *a, const struct fetch_type *b)
{
	return a->bits == b->bits && a->count == b->count;
}

static bool has_comm(const struct session *session, unsigned probe)
{
	return strstr(session->definitions[probe].text, " " COMM_FIELD "=");
}

static bool is_joinable(const struct session *session, unsigned probe)
{
	const struct probe *p = &session->plan->probes[probe];
	unsigned size = PLACE_BYTES + 4; /* and the comm */

	if (session->definitions[probe].file != &event_files[1] || p->kind != PROBE_HIT ||
	    p->role != ROLE_SHOWN || p->counting || p->nactions || p->kernel_filter ||
	    p->nfetches > JOINT_TYPES ||
	    strlen(session->definitions[probe].text) > TEXT_MOST)
		return false;
	for (unsigned i = 0; i < p->nfetches; i++) {
		const struct fetch_type *type = &p->fetches[i].type;

		if (type->kind != FETCH_NUMBER)
			return false;
		size += type->bits / 8 * (type->count ? type->count : 1);
	}
	return size <= KERNEL_RECORD_MAX;
}

/* Finds a place of the model's arguments for each of the probe's. Arrays have no zeros. */
static bool fits(const struct probe *model, const struct probe *probe, unsigned *slots)
{
	bool is_used[JOINT_TYPES] = {false};
	unsigned zeros = 0;

	for (unsigned i = 0; i < probe->nfetches; i++) {
		unsigned slot = 0;

		while (slot < model->nfetches &&
		       (is_used[slot] || !is_same_type(&model->fetches[slot].type,
						       &probe->fetches[i].type)))
			slot++;
		if (slot == model->nfetches)
			return false;
		is_used[slot] = true;
		slots[i] = slot;
	}
	for (unsigned slot = 0; slot < model->nfetches; slot++)
		if (!is_used[slot] && (model->fetches[slot].type.count || ++zeros > JOINT_ZEROS))
			return false;
	return true;
}

/* Sorted: those with many arguments first, as only they can be models of the others. */
static void find_candidates(struct session *session, struct candidates *all)
{
	const struct plan *plan = session->plan;

	all->count = 0;
	for (unsigned nfetches = JOINT_TYPES + 1; nfetches-- > 0;)
		for (unsigned i = 0; i < plan->nprobes; i++)
			if (plan->probes[i].nfetches == nfetches && !all->is_apart[i] &&
			    is_joinable(session, i))
				all->list[all->count++] = (struct candidate){
					.probe = i, .model = i, .has_comm = has_comm(session, i)};
}

static void choose_model(const struct plan *plan, struct candidates *all, struct candidate *mine)
{
	for (struct candidate *other = all->list; other < mine; other++)
		if (other->model == other->probe && other->has_comm == mine->has_comm &&
		    fits(&plan->probes[other->probe], &plan->probes[mine->probe], mine->slots)) {
			mine->model = other->probe;
			return;
		}
	for (unsigned i = 0; i < plan->probes[mine->probe].nfetches; i++)
		mine->slots[i] = i;
}

/* Writes the arguments, "aSLOT=BODY:TYPE", as the model has them; columns: of the probe's own. */
static void put_arguments(struct strbuf *text, const struct probe *model, const struct probe *probe,
			  const struct candidate *mine, struct column *columns)
{
	for (unsigned slot = 0; slot < model->nfetches; slot++) {
		const struct fetch_type *type = &model->fetches[slot].type;
		unsigned fetch = 0, start = (unsigned)text->length + 1;

		while (fetch < probe->nfetches && mine->slots[fetch] != slot)
			fetch++;
		strbuf_printf(text, " a%u=%s:%c%u", slot,
			      fetch < probe->nfetches ? probe->fetches[fetch].body : "\\0",
			      type->letter, type->bits);
		if (type->count)
			strbuf_printf(text, "[%u]", type->count);
		if (fetch < probe->nfetches)
			columns[fetch] = (struct column){start, (unsigned)text->length - start};
	}
}

static void join(struct session *session, const struct candidate *mine)
{
	const struct plan *plan = session->plan;
	const struct probe *probe = &plan->probes[mine->probe];
	struct definition *definition = &session->definitions[mine->probe];
	struct definition *joint = &session->definitions[mine->model];
	struct column *columns = arena_array(session->arena, struct column, probe->nfetches);
	struct strbuf text;

	strbuf_init(&text);
	strbuf_printf(&text, "p:%s/%s %.*s", session->group, joint->event,
		      (int)definition->head.length, definition->text + definition->head.start);
	definition->head.start = (unsigned)(text.length - definition->head.length);
	put_arguments(&text, &plan->probes[mine->model], probe, mine, columns);
	strbuf_printf(&text, " " PLACE_FIELD "=\\%u:u32%s", mine->probe + 1,
		      mine->has_comm ? " " COMM_FIELD "=$comm" : "");
	definition->text = arena_strndup(session->arena, text.data, text.length);
	strbuf_deinit(&text);
	definition->fetches = columns;
	definition->joint = joint;
	definition->event = joint->event;
	definition->fields = arena_array(session->arena, const char *, probe->nfetches + 1);
	for (unsigned i = 0; i < probe->nfetches; i++)
		definition->fields[i] = arena_printf(session->arena, "a%u", mine->slots[i]);
}

static void choose_models(struct session *session, struct candidates *all, unsigned *model)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		model[i] = i;
	find_candidates(session, all);
	for (unsigned i = 0; i < all->count; i++) {
		choose_model(session->plan, all, &all->list[i]);
		model[all->list[i].probe] = all->list[i].model;
	}
}

struct at_address {
	uint64_t address;
	unsigned probe;
};

static int by_address(const void *a, const void *b)
{
	const struct at_address *x = a, *y = b;

	return x->address != y->address ? (x->address > y->address) - (x->address < y->address) :
					  (x->probe > y->probe) - (x->probe < y->probe);
}

static unsigned sorted_places(const struct session *session, struct at_address **ret)
{
	const struct plan *plan = session->plan;
	unsigned count = 0;

	*ret = arena_array(session->arena, struct at_address, plan->nprobes + 1);
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].site)
			(*ret)[count++] = (struct at_address){plan->probes[i].site->address, i};
	qsort(*ret, count, sizeof(**ret), by_address);
	return count;
}

/* Handlers of one instruction run in the reverse order in which their events were made, which is
 * that of the plan unless events are shared; a probe that would run at another time stays apart. Of
 * a call that is followed, hits of one instruction are put in order in any case. */
static bool is_in_order(const struct session *session, struct candidates *all,
			const unsigned *model)
{
	const struct plan *plan = session->plan;
	unsigned *last = arena_array(session->arena, unsigned, plan->nprobes + 1);
	struct at_address *places;
	unsigned count = plan->following ? 0 : sorted_places(session, &places);
	bool ret = true;

	/* the last of a plan's probes is defined first */
	for (unsigned i = 0; i < plan->nprobes; i++)
		last[model[i]] = i;
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = i + 1; j < count && places[j].address == places[i].address; j++)
			if (last[model[places[i].probe]] > last[model[places[j].probe]]) {
				all->is_apart[places[i].probe] = true;
				ret = false;
			}
	return ret;
}

/* How many probes use each probe's event. */
static unsigned *count_users(const struct session *session, const struct candidates *all)
{
	unsigned *users = arena_array(session->arena, unsigned, session->plan->nprobes + 1);

	for (unsigned i = 0; i < all->count; i++)
		users[all->list[i].model]++;
	return users;
}

void joints_make(struct session *session)
{
	unsigned nprobes = session->plan->nprobes, *users;
	struct candidates all = {
		.list = arena_array(session->arena, struct candidate, nprobes + 1),
		.is_apart = arena_array(session->arena, bool, nprobes + 1),
	};
	unsigned *model = arena_array(session->arena, unsigned, nprobes + 1);

	if (!session->plan->following && nprobes <= JOINT_LEAST)
		return;
	do
		choose_models(session, &all, model);
	while (!is_in_order(session, &all, model));
	users = count_users(session, &all);
	for (unsigned i = 0; i < all.count; i++)
		if (users[all.list[i].model] > 1)
			join(session, &all.list[i]);
}
