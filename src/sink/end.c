// SPDX-License-Identifier: GPL-2.0-only
/* Writes a run's counts, and where it ran, as JSON; reads the counts back and adds them up. */
#include "base/json.h"
#include "base/json_tree.h"
#include "sink/end.h"
#include "sink/pair_counts.h"

static void put_count(struct strbuf *out, const char *key, uint64_t count)
{
	if (count == NOT_KNOWN)
		json_null(out, key);
	else
		json_number(out, key, count);
}

static void put_origin(struct strbuf *out, const struct origin *origin)
{
	json_text(out, "host", origin->host);
	json_text(out, "build_id", origin->kernel);
	if (!origin->clock)
		return;
	json_object(out, "clock");
	json_number(out, "within_ns", origin->within);
	put_count(out, "reference_ns", origin->is_synchronized ? origin->off : NOT_KNOWN);
	json_object_end(out);
}

void end_json(struct strbuf *out, const struct table_end *end)
{
	if (end->origin)
		put_origin(out, end->origin);
	json_number(out, "events", end->events);
	put_count(out, "lost", end->lost);
	put_count(out, "missed", end->missed);
	if (end->unsure)
		json_number(out, "unsure", end->unsure);
	if (end->unrecorded)
		json_number(out, "unrecorded", end->unrecorded);
	if (end->dropped)
		json_number(out, "dropped", end->dropped);
	pairs_json(out, end->pairs, end->npairs);
	if (end->calls)
		graph_end_json(out, end->calls);
}

static bool add_up(uint64_t *sum, const struct json *json)
{
	uint64_t number;

	return json_counter(json, &number) && !__builtin_add_overflow(*sum, number, sum);
}

static bool add_known(uint64_t *sum, const struct json *json)
{
	if (!json || json->kind == JSON_NULL) {
		*sum = NOT_KNOWN;
		return json;
	}
	return *sum == NOT_KNOWN ? true : add_up(sum, json);
}

bool end_add(struct arena *arena, const struct json *end, struct table_end *sum)
{
	const struct json *unrecorded = json_member(end, "unrecorded"),
			  *dropped = json_member(end, "dropped"),
			  *unsure = json_member(end, "unsure");

	return add_up(&sum->events, json_member(end, "events")) &&
	       add_known(&sum->lost, json_member(end, "lost")) &&
	       add_known(&sum->missed, json_member(end, "missed")) &&
	       (!unsure || add_up(&sum->unsure, unsure)) &&
	       (!unrecorded || add_up(&sum->unrecorded, unrecorded)) &&
	       (!dropped || add_up(&sum->dropped, dropped)) &&
	       pairs_read(arena, json_member(end, "pairs"), &sum->pairs, &sum->npairs);
}
