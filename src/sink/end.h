/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside sink/: what a run counted, as the last line of JSON has it. */
#ifndef SINK_END_H
#define SINK_END_H

#include "sink/sink.h"

struct json;

/* Appends the members, without braces. */
void end_json(struct strbuf *out, const struct table_end *end);
/* graph/remarks.c: appends "calls":{...}, of what is above 0. */
void graph_end_json(struct strbuf *out, const struct graph_counts *counts);
/* Adds such an object to *sum; a sum with an unknown part is unknown. Returns false if it isn't
 * one. */
bool end_add(struct arena *arena, const struct json *end, struct table_end *sum);

#endif
