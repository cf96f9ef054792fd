// SPDX-License-Identifier: GPL-2.0-only
/* A call while it is open: its rows, of which the first and the last are kept, and the values it
 * had. */
#include <stdlib.h>

#include "sink/follow/follow.h"

void changes_free(struct changes *changes)
{
	for (unsigned i = 0; i < changes->count; i++) {
		free(changes->list[i].was);
		free(changes->list[i].is);
	}
	free(changes->list);
	*changes = (struct changes){0};
}

/* Keeps a copy of the change. */
static void changes_add(struct follow *follow, struct call *call, struct changes *changes,
			const struct change *change)
{
	struct change *list = realloc(changes->list, (changes->count + 1) * sizeof(*list));
	const char *was = change->was;

	if (!list)
		return;
	changes->list = list;
	list[changes->count] = *change;
	list[changes->count].was = was ? strdup(was) : NULL;
	list[changes->count].is = strdup(change->is);
	if (list[changes->count].is)
		changes->count++;
	else
		free(list[changes->count].was);
	call_charge(follow, call, sizeof(*list) + strlen(change->is) + (was ? strlen(was) : 0));
}

struct call *call_new(struct follow *follow, struct thread *thread, const struct hit *hit)
{
	struct call *call = calloc(1, sizeof(*call));

	if (!call)
		return NULL;
	call->thread = thread;
	call->cpu = thread->cpu;
	memcpy(call->comm, thread->comm, sizeof(call->comm));
	call->probe = hit->probe;
	call->number = ++follow->number;
	call->frame = thread->frame;
	call->copy = hit->probe->site->copy;
	call->begun = hit->time;
	call->is_inlined = hit->probe->site->inlined;
	call->values = calloc(follow->nslots + 1, sizeof(*call->values));
	call->last = calloc(follow->nscopes, sizeof(*call->last));
	call->passed = calloc(follow->nlines + 1, 1);
	call_charge(follow, call,
		    sizeof(*call) + follow->nslots * sizeof(*call->values) + follow->nlines);
	call->next = thread->calls;
	thread->calls = call;
	call->older = follow->newest;
	*(call->older ? &call->older->newer : &follow->oldest) = call;
	follow->newest = call;
	return call;
}

static void row_free(struct row *row)
{
	changes_free(&row->changes);
	free(row->result);
}

void call_free(struct follow *follow, struct call *call)
{
	uint64_t kept = call->nrows < 2 * ROWS_HALF ? call->nrows : 2 * ROWS_HALF;

	for (uint64_t i = 0; i < kept; i++)
		row_free(&call->rows[i]);
	for (unsigned i = 0; i < follow->nslots && call->values; i++)
		free(call->values[i]);
	changes_free(&call->args);
	*(call->older ? &call->older->newer : &follow->oldest) = call->newer;
	*(call->newer ? &call->newer->older : &follow->newest) = call->older;
	follow->bytes -= call->bytes;
	free(call->rows);
	free(call->values);
	free(call->last);
	free(call->passed);
	free(call->result);
	free(call);
}

/* Makes room for one more row. Returns false when memory has run out. */
static bool make_room(struct call *call)
{
	unsigned room = call->room ? 2 * call->room : 16;
	struct row *rows;

	if (call->nrows < call->room || call->room == 2 * ROWS_HALF)
		return true;
	room = room > 2 * ROWS_HALF ? 2 * ROWS_HALF : room;
	rows = realloc(call->rows, room * sizeof(*rows));
	if (!rows)
		return false;
	call->rows = rows;
	call->room = room;
	return true;
}

struct row *call_add_row(struct follow *follow, struct call *call, enum row_kind kind,
			 const struct hit *hit)
{
	const struct followed_probe *its = followed(follow, hit->probe);
	struct row *row;

	if (!make_room(call))
		return NULL;
	call->nrows++;
	row = call_row(call, call->nrows - 1);
	if (call->nrows > 2 * ROWS_HALF)
		row_free(row);
	else
		call_charge(follow, call, sizeof(*row));
	*row = (struct row){
		.kind = kind, .scope = its->scope, .time = hit->time, .probe = hit->probe};
	if (kind == ROW_CALL)
		return row;
	call->last[its->scope] = call->nrows;
	if (its->line != NO_SLOT && !call->passed[its->line]) {
		call->passed[its->line] = 1;
		call->npassed++;
	}
	return row;
}

bool is_parent_perhaps(const struct follow *follow, const struct call *call)
{
	return call->is_perhaps || follow->plan->following->may_be_left;
}

static uint64_t last_time(const struct follow *follow, const struct call *call)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < follow->nscopes; i++) {
		const struct row *row = call->last[i] ? call_row(call, call->last[i] - 1) : NULL;

		if (row && row->time > last)
			last = row->time;
	}
	return last;
}

/* One that goes on afterwards was not left before. */
bool is_row_perhaps(const struct follow *follow, const struct call *call, const struct row *row)
{
	return row->kind == ROW_CALL &&
	       (row->is_perhaps || (follow->plan->following->may_be_left &&
				    call->end > END_JUMPED && row->time > last_time(follow, call)));
}

static const char *slot_name(const struct follow *follow, const struct probe *probe, uint32_t slot)
{
	const struct followed_probe *its = followed(follow, probe);
	unsigned i = 0;

	while (its->slots[i] != slot)
		i++;
	return probe->values[i].name;
}

void call_values(struct follow *follow, struct call *call, const struct thread *thread,
		 const struct hit *hit, bool all, struct changes *to)
{
	for (unsigned i = hit->first; i < hit->first + hit->count; i++) {
		uint32_t slot = thread->texts[i].slot;
		char *is = thread->words.data + thread->texts[i].at, *was = call->values[slot];
		char *copy;

		if (was && !strcmp(was, is) && !all)
			continue;
		if (to)
			changes_add(follow, call, to,
				    &(struct change){
					    .name = slot_name(follow, hit->probe, slot),
					    .was = all ? NULL : was,
					    .is = is,
					    .is_cut = thread->texts[i].is_cut,
				    });
		copy = strdup(is);
		if (!copy)
			continue;
		call_charge(follow, call, was ? 0 : strlen(is));
		free(call->values[slot]);
		call->values[slot] = copy;
	}
	call->tested |= hit->tested;
	call->held |= hit->held;
}
