// SPDX-License-Identifier: GPL-2.0-only
/* Says at the end what of the calls isn't shown, or not whole. */
#include <stddef.h>

#include "base/json.h"
#include "ktrace/graph.h"
#include "sink/end.h"

#define COUNT(name) offsetof(struct graph_counts, name)

static const struct {
	size_t at; /* in struct graph_counts */
	const char *key;
	const char *text;
} remarks[] = {
	{COUNT(strays), "began_before", "returns of calls that began before the trace"},
	{COUNT(open), "not_ended", "calls that had not ended when the trace did"},
	{COUNT(lost), "cut_by_losses", "calls cut, as events were lost"},
	{COUNT(evicted), "cut_for_room", "calls cut, as there was no room"},
	{COUNT(dropped), "left_out_for_room", "calls left out, as there was no room"},
	{COUNT(unplaced), "left_out_unplaced", "calls left out, as their caller isn't known"},
	{COUNT(unknown), "unknown_frame", "hits whose frame isn't known"},
};

#define REMARKS (sizeof(remarks) / sizeof(*remarks))

static uint64_t count_of(const struct graph_counts *counts, size_t remark)
{
	return *(const uint64_t *)((const char *)counts + remarks[remark].at);
}

void graph_remarks(struct strbuf *out, const char *before, const struct graph *graph,
		   const struct graph_counts *counts)
{
	for (size_t i = 0; i < REMARKS; i++)
		if (count_of(counts, i))
			strbuf_printf(out, "%s%s: %s: %llu\n", before, graph->functions[0].name,
				      remarks[i].text, (unsigned long long)count_of(counts, i));
}

void graph_end_json(struct strbuf *out, const struct graph_counts *counts)
{
	json_object(out, "calls");
	for (size_t i = 0; i < REMARKS; i++)
		if (count_of(counts, i))
			json_number(out, remarks[i].key, count_of(counts, i));
	json_object_end(out);
}
