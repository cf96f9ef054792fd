// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes the hits of one instruction, in the order of the source: a call begins, passes lines, ends.
 * What a line changed is known when the next line of its function is reached, and stands with the
 * line.
 *
 * The surprise: a call that is left by longjmp(3) or an exception has no end of its own. It ends
 * when its frame becomes another call's, which only a new call can do. Until then it may also be on
 * a stack of its own that was switched away from, so which call a new one belongs to isn't known
 * while one like that lies between.
 */
#include <stdlib.h>

#include "sink/follow/follow.h"

static unsigned rank(const struct hit *hit)
{
	enum followed followed = hit->probe->spec->followed;

	return hit->probe->site->begins	 ? 0 :
	       followed == FOLLOWED_HEAD ? 1 :
	       followed == FOLLOWED_END	 ? 3 :
					   2;
}

static int hit_compare(const void *left, const void *right)
{
	const struct hit *a = left, *b = right;
	const struct site *as = a->probe->site, *bs = b->probe->site;

	if (rank(a) != rank(b))
		return rank(a) < rank(b) ? -1 : 1;
	if (as->view != bs->view)
		return as->view < bs->view ? -1 : 1;
	return (a->probe > b->probe) - (a->probe < b->probe);
}

static struct call *find_call(const struct thread *thread, const struct hit *hit)
{
	uint64_t copy = hit->probe->site->copy;
	struct call *around = NULL;

	for (struct call *call = thread->calls; call; call = call->next) {
		if (call->frame == thread->frame && (!copy || call->copy == copy))
			return call;
		if (!copy && !call->is_inlined && call->frame > thread->frame &&
		    (!around || call->frame < around->frame))
			around = call;
	}
	return around;
}

static bool is_around(const struct call *outer, const struct call *inner)
{
	return outer != inner && !outer->is_inlined && outer->frame >= inner->frame;
}

/* Whether a call around it has gone on since its last hit. */
static bool is_overtaken(const struct thread *thread, const struct call *call)
{
	for (const struct call *other = thread->calls; other && !call->is_overtaken;
	     other = other->next)
		if (is_around(other, call) && other->frame > call->frame &&
		    other->last_hit > call->last_hit)
			return true;
	return call->is_overtaken;
}

static void overtake(const struct thread *thread)
{
	for (struct call *call = thread->calls; call; call = call->next)
		call->is_overtaken |= call->frame < thread->frame;
}

/* The nearest call around it that isn't overtaken. */
static void find_parent(const struct thread *thread, struct call *child)
{
	const struct call *nearest = NULL, *parent = NULL;

	for (const struct call *call = thread->calls; call; call = call->next) {
		if (!is_around(call, child))
			continue;
		if (!nearest || call->frame < nearest->frame)
			nearest = call;
		if ((!parent || call->frame < parent->frame) && !is_overtaken(thread, call))
			parent = call;
	}
	child->is_perhaps = nearest != parent;
	parent = parent ?: nearest;
	child->parent = parent ? parent->number : 0;
}

static void note_in_parent(struct follow *follow, const struct thread *thread, struct call *call)
{
	struct hit hit = {.probe = call->probe, .time = call->begun};
	struct call *parent = thread->calls;
	struct row *row;

	while (parent && parent->number != call->parent)
		parent = parent->next;
	row = parent ? call_add_row(follow, parent, ROW_CALL, &hit) : NULL;
	if (!row)
		return;
	row->number = call->number;
	row->is_perhaps = call->is_perhaps;
	row->duration = call->end <= END_JUMPED ? call->ended - call->begun : 0;
	row->result = call->result ? strdup(call->result) : NULL;
	for (unsigned i = 0; i < call->args.count; i++) {
		struct change *list = realloc(row->changes.list, (i + 1) * sizeof(*list));

		if (!list)
			break;
		row->changes.list = list;
		list[i] = (struct change){call->args.list[i].name, NULL,
					  strdup(call->args.list[i].is)};
		if (!list[i].is)
			break;
		row->changes.count++;
	}
}

static void count(struct follow *follow, const struct call *call, enum chosen chosen)
{
	struct follow_counts *counts = &follow->counts;

	counts->shown += chosen == CHOSEN_YES;
	counts->dropped += chosen == CHOSEN_NO;
	counts->unknown += chosen == CHOSEN_UNKNOWN;
	counts->lost += call->end == END_LOST;
	counts->evicted += call->end == END_EVICTED;
	counts->open += call->end == END_OPEN;
	counts->partial += !call->is_whole;
}

void call_end(struct follow *follow, struct thread *thread, struct call *call, enum call_end end,
	      uint64_t time)
{
	struct call **link = &thread->calls;
	enum chosen chosen;

	while (*link != call)
		link = &(*link)->next;
	*link = call->next;
	call->end = end;
	call->ended = time;
	note_in_parent(follow, thread, call);
	chosen = call_chosen(follow, call);
	if (follow->options.limit && follow->counts.shown >= follow->options.limit) {
		call_free(follow, call);
		return;
	}
	count(follow, call, chosen);
	if (chosen == CHOSEN_YES)
		(follow->options.is_json ? call_json : call_text)(follow, call);
	call_free(follow, call);
}

/* Returns the call that goes round, if that is what it is. */
static struct call *end_before(struct follow *follow, struct thread *thread, const struct hit *hit)
{
	const struct site *site = hit->probe->site;

	for (struct call *call = thread->calls, *next; call; call = next) {
		next = call->next;
		if (call->frame != thread->frame || (site->inlined && call->copy != site->copy))
			continue;
		if (site->may_repeat && call->copy == site->copy)
			return call;
		call_end(follow, thread, call, call->is_inlined ? END_INLINED : END_UNSEEN,
			 hit->time);
	}
	return NULL;
}

static struct call *begin(struct follow *follow, struct thread *thread, const struct hit *hit)
{
	struct call *call = end_before(follow, thread, hit);

	if (call)
		return call;
	overtake(thread);
	call = call_new(follow, thread, hit);
	if (!call)
		return NULL;
	call->is_whole = true;
	find_parent(thread, call);
	return call;
}

/* A change that is seen at a line was made by the line before it; one seen at the first line has no
 * known cause. */
static void pass(struct follow *follow, struct thread *thread, struct call *call,
		 const struct hit *hit)
{
	uint64_t last = call->last[followed(follow, hit->probe)->scope];
	struct row *row = last ? call_row(call, last - 1) : NULL;

	if (row && row->kind != ROW_LINE)
		last = 0;
	if (!last)
		row = call_add_row(follow, call, ROW_LINE, hit);

	call_values(follow, call, thread, hit, false, row ? &row->changes : NULL);
	if (last)
		call_add_row(follow, call, ROW_LINE, hit);
}

/* Values of its last run are no longer known. */
static void enter(struct follow *follow, struct thread *thread, struct call *call,
		  const struct hit *hit)
{
	struct row *row = call_add_row(follow, call, ROW_INNER, hit);
	unsigned scope = followed(follow, hit->probe)->scope;

	for (unsigned i = 0; i < follow->nslots; i++)
		if (follow->slot_scopes[i] == scope) {
			free(call->values[i]);
			call->values[i] = NULL;
		}
	if (row)
		call_values(follow, call, thread, hit, true, &row->changes);
}

static void end(struct follow *follow, struct thread *thread, struct call *call,
		const struct hit *hit)
{
	call->tested |= hit->tested;
	call->held |= hit->held;
	overtake(thread);
	for (struct call *other = thread->calls, *next; other; other = next) {
		next = other->next;
		if (other != call && other->frame == call->frame && other->is_inlined)
			call_end(follow, thread, other, END_INLINED, hit->time);
	}
	call->result =
		hit->count ? strdup(thread->words.data + thread->texts[hit->first].at) : NULL;
	call_end(follow, thread, call, hit->probe->site->is_jump ? END_JUMPED : END_RETURNED,
		 hit->time);
}

static void apply(struct follow *follow, struct thread *thread, const struct hit *hit)
{
	enum followed followed = hit->probe->spec->followed;
	struct call *call =
		hit->probe->site->begins ? begin(follow, thread, hit) : find_call(thread, hit);

	if (!call && followed == FOLLOWED_END) {
		follow->counts.strays++;
		return;
	}
	/* an inlined copy belongs to a call, and this one's isn't known */
	if (!call && !hit->probe->site->inner)
		call = call_new(follow, thread, hit);
	if (!call)
		return;
	call->last_hit = ++thread->applied;
	call->is_overtaken = false;
	switch (followed) {
	case FOLLOWED_HEAD:
		if (!call->nrows)
			call_values(follow, call, thread, hit, false, &call->args);
		break;
	case FOLLOWED_LINE:
		pass(follow, thread, call, hit);
		break;
	case FOLLOWED_INNER:
		enter(follow, thread, call, hit);
		break;
	case FOLLOWED_END:
		end(follow, thread, call, hit);
		return;
	default:
		break;
	}
}

/* Gives up the oldest calls. */
static void keep_bounds(struct follow *follow)
{
	while (follow->bytes > FOLLOW_BYTES && follow->oldest)
		call_end(follow, follow->oldest->thread, follow->oldest, END_EVICTED, 0);
}

void hits_apply(struct follow *follow, struct thread *thread)
{
	for (unsigned i = 1; i < thread->nhits; i++)
		if (thread->hits[i].time < thread->hits[0].time)
			thread->hits[0].time = thread->hits[i].time;
	for (unsigned i = 1; i < thread->nhits; i++) /* one instruction, one time */
		thread->hits[i].time = thread->hits[0].time;
	if (thread->nhits > 1)
		qsort(thread->hits, thread->nhits, sizeof(*thread->hits), hit_compare);
	for (unsigned i = 0; i < thread->nhits; i++)
		apply(follow, thread, &thread->hits[i]);
	thread->nhits = thread->ntexts = 0;
	thread->words.length = 0;
	keep_bounds(follow);
}
