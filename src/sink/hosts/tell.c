// SPDX-License-Identifier: GPL-2.0-only
/* Says what each host counted, lost and missed, how far its clock is to be trusted, or why it has
 * no trace. */
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "sink/end.h"
#include "sink/hosts/hosts.h"
#include "sink/pair_counts.h"

static void put_time(struct strbuf *out, const char *key, uint64_t time)
{
	if (time == NOT_KNOWN)
		json_null(out, key);
	else
		json_number(out, key, time);
}

static void put_host(struct strbuf *out, const struct host *host)
{
	json_object(out, NULL);
	json_text(out, "host", host->name);
	json_text(out, "of", host->file);
	if (host->refused)
		json_text(out, "reason", host->refused);
	if (!host->has_end && !host->refused)
		json_bool(out, "cut", true);
	if (!host->is_table)
		json_number(out, "lines", host->events);
	if (host->has_end)
		end_json(out, &host->end);
	if (host->has_clock) {
		json_object(out, "clock");
		put_time(out, "within_ns", host->within);
		put_time(out, "reference_ns", host->reference);
		json_object_end(out);
	}
	json_object_end(out);
}

const char *hosts_json(const struct hosts *hosts)
{
	struct strbuf out = {0};
	const char *ret;

	if (!hosts->has_names)
		return NULL;
	json_array(&out, NULL);
	for (unsigned i = 0; i < hosts->count; i++)
		put_host(&out, hosts->list[i]);
	json_array_end(&out);
	ret = arena_strdup(hosts->arena, out.data);
	strbuf_deinit(&out);
	return ret;
}

static void text_count(struct strbuf *out, uint64_t count, const char *what)
{
	if (count == NOT_KNOWN)
		strbuf_printf(out, ", %s: not known", what);
	else
		strbuf_printf(out, ", %llu %s", (unsigned long long)count, what);
}

static void text_us(struct strbuf *out, uint64_t ns)
{
	strbuf_printf(out, "%llu us", (unsigned long long)(ns / 1000 + 1));
}

static void text_clock(struct strbuf *out, const struct host *host)
{
	if (host->within == NOT_KNOWN)
		return;
	strbuf_puts(out, "; times within ");
	text_us(out, host->within);
	strbuf_puts(out, " of its clock, which ");
	if (host->reference == NOT_KNOWN) {
		strbuf_puts(out, "follows no reference: they may be earlier or later than others'");
		return;
	}
	strbuf_puts(out, "is within ");
	text_us(out, host->reference);
}

static void text_end(struct strbuf *out, const struct host *host)
{
	text_count(out, host->end.lost, "lost");
	text_count(out, host->end.missed, "missed");
	if (host->end.unrecorded)
		text_count(out, host->end.unrecorded, "not recorded");
	if (host->end.unsure)
		text_count(out, host->end.unsure, "more missed at most");
	if (host->end.dropped)
		text_count(out, host->end.dropped, "dropped");
	if (host->is_table || host->end.events == host->events)
		return;
	strbuf_printf(out, "; but it counted %llu: %s", (unsigned long long)host->end.events,
		      host->end.events > host->events ? "the others didn't come" :
			"one of its traces has no end");
}

static bool is_twice(const struct hosts *hosts, const struct host *host)
{
	unsigned count = 0;

	for (unsigned i = 0; i < hosts->count; i++)
		count += hosts->list[i]->name && !strcmp(hosts->list[i]->name, host->name);
	return count > 1;
}

static void text_name(struct strbuf *out, const struct hosts *hosts, const struct host *host)
{
	if (!host->name)
		strbuf_printf(out, "ktrace: '%s': ", host->file);
	else if (is_twice(hosts, host))
		strbuf_printf(out, "ktrace: %s, '%s': ", host->name, host->file);
	else
		strbuf_printf(out, "ktrace: %s: ", host->name);
}

static void text_host(struct strbuf *out, const struct hosts *hosts, const struct host *host)
{
	uint64_t events = host->is_table ? host->end.events : host->events;

	text_name(out, hosts, host);
	if (host->refused) {
		strbuf_puts(out, "not traced: ");
		strbuf_shown(out, host->refused, strlen(host->refused), "\n\t");
		strbuf_puts(out, host->has_end || host->events ? "; and " : "");
	}
	if (host->has_end || host->events)
		strbuf_printf(out, "%llu event%s", (unsigned long long)events,
			      events == 1 ? "" : "s");
	if (host->has_end)
		text_end(out, host);
	else if (!host->refused && host->events)
		strbuf_puts(out, ", and no end: its trace was cut, and what it lost is not known");
	else if (!host->refused)
		strbuf_puts(out, "nothing came");
	if (host->has_clock && !host->is_table)
		text_clock(out, host);
	strbuf_putc(out, '\n');
	pairs_text(out, "ktrace: ", host->end.pairs, host->end.npairs);
}

void hosts_text(const struct hosts *hosts, struct strbuf *out, bool only_lacking)
{
	for (unsigned i = 0; i < hosts->count; i++)
		if (!only_lacking || host_lacks(hosts->list[i]) || hosts->list[i]->end.lost ||
		    hosts->list[i]->end.missed)
			text_host(out, hosts, hosts->list[i]);
}
