// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps what each host says of its own trace, and compares it with what came. The surprise: after
 * sort(1) the line that ends a trace comes before its events, so whether all are there is known
 * only by counting.
 */
#include <string.h>

#include "base/json_tree.h"
#include "sink/end.h"
#include "sink/hosts/hosts.h"

void hosts_init(struct hosts *hosts, struct arena *arena)
{
	*hosts = (struct hosts){.arena = arena};
}

static bool is_called(const struct host *host, const char *name)
{
	return host->name && name ? !strcmp(host->name, name) : host->name == name;
}

struct host *hosts_find(struct hosts *hosts, const char *name, const char *file)
{
	struct host *host;

	for (unsigned i = hosts->count; i > 0; i--) /* most often the last one */
		if (is_called(hosts->list[i - 1], name) && !strcmp(hosts->list[i - 1]->file, file))
			return hosts->list[i - 1];
	host = arena_new(hosts->arena, struct host);
	host->name = name ? arena_strdup(hosts->arena, name) : NULL;
	host->file = file;
	hosts->has_names |= host->name != NULL;
	arena_append(hosts->arena, hosts->list, hosts->count) = host;
	return host;
}

static bool text_of(const struct json *object, const char *name, const char **ret)
{
	const struct json *member = json_member(object, name);

	*ret = member && member->kind == JSON_TEXT ? member->text : NULL;
	return !member || *ret || member->kind == JSON_NULL;
}

/* The largest of several traces'. Returns false if it is no number. */
static bool take_time(const struct json *clock, const char *name, uint64_t *most)
{
	const struct json *member = json_member(clock, name);
	uint64_t time = NOT_KNOWN;

	if (!member || (member->kind != JSON_NULL && !json_counter(member, &time)))
		return false;
	if (time > *most)
		*most = time;
	return true;
}

static bool take_clock(struct host *host, const struct json *clock)
{
	if (!clock)
		return true;
	host->has_clock = true;
	return take_time(clock, "within_ns", &host->within) &&
	       take_time(clock, "reference_ns", &host->reference);
}

static bool take_end(struct hosts *hosts, const struct json *end, const char *file)
{
	const char *name;
	struct host *host;

	if (!text_of(end, "host", &name))
		return false;
	host = hosts_find(hosts, name, file);
	host->has_end = true;
	return end_add(hosts->arena, end, &host->end) &&
	       take_clock(host, json_member(end, "clock"));
}

static bool take_refusal(struct hosts *hosts, const struct json *refused, const char *file)
{
	const char *name, *reason;

	if (!text_of(refused, "host", &name) || !text_of(refused, "reason", &reason) || !reason)
		return false;
	hosts_find(hosts, name, file)->refused = arena_strdup(hosts->arena, reason);
	return true;
}

/* One of several hosts whose traces were merged before. */
static bool take_merged(struct hosts *hosts, const struct json *host, const char *file)
{
	const struct json *cut = json_member(host, "cut");
	const char *name, *reason;

	if (host->kind != JSON_OBJECT || !text_of(host, "host", &name) ||
	    !text_of(host, "reason", &reason))
		return false;
	if (reason)
		return take_refusal(hosts, host, file);
	hosts_find(hosts, name, file);
	return cut || take_end(hosts, host, file);
}

bool hosts_take(struct hosts *hosts, const struct json *line, const char *file, bool *is_one)
{
	const struct json *end = json_member(line, "end"), *refused = json_member(line, "refused");
	const struct json *merged = json_member(end, "hosts"), *host;

	*is_one = end || refused;
	if (refused)
		return take_refusal(hosts, refused, file);
	if (!merged)
		return end && take_end(hosts, end, file);
	for (host = merged->first; host; host = host->next)
		if (!take_merged(hosts, host, file))
			return false;
	return merged->kind == JSON_ARRAY;
}

bool host_lacks(const struct host *host)
{
	return !host->has_end || host->refused ||
	       (!host->is_table && host->end.events != host->events);
}

bool hosts_lack(const struct hosts *hosts)
{
	for (unsigned i = 0; i < hosts->count; i++)
		if (host_lacks(hosts->list[i]))
			return true;
	return false;
}

static void add_known(uint64_t *sum, uint64_t number)
{
	*sum = *sum == NOT_KNOWN || number == NOT_KNOWN ? NOT_KNOWN : *sum + number;
}

void hosts_sum(const struct hosts *hosts, struct table_end *ret)
{
	for (unsigned i = 0; i < hosts->count; i++) {
		const struct host *host = hosts->list[i];

		ret->events += host->events;
		if (host->refused && !host->has_end && !host->events)
			continue; /* it traced nothing */
		add_known(&ret->lost, host->has_end ? host->end.lost : NOT_KNOWN);
		add_known(&ret->missed, host->has_end ? host->end.missed : NOT_KNOWN);
		ret->unrecorded += host->end.unrecorded;
		ret->unsure += host->end.unsure;
		ret->dropped += host->end.dropped;
	}
}
