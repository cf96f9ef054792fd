// SPDX-License-Identifier: GPL-2.0-only
/* `ktrace list`: every probe event there is, whose it is, and its hits and misses. */
#include <string.h>

#include "base/escape.h"
#include "cmd/cmd.h"
#include "session/session.h"

static const char *owner_text(struct arena *arena, const struct live_probe *probe)
{
	if (!probe->owner.pid)
		return "not ktrace's";
	return arena_printf(arena, "%sktrace %d%s", probe->owner_alive ? "" : "dead ", (int)probe->owner.pid,
			    probe->owner_alive && !probe->owner_is_here ? " of another pid namespace" : "");
}

static void print_json(struct strbuf *out, const struct live_probe *probe)
{
	strbuf_puts(out, "{\"group\":");
	strbuf_json(out, probe->group, strlen(probe->group));
	strbuf_puts(out, ",\"event\":");
	strbuf_json(out, probe->event, strlen(probe->event));
	strbuf_puts(out, ",\"definition\":");
	strbuf_json(out, probe->definition, strlen(probe->definition));
	strbuf_printf(out, ",\"owner\":%d,\"alive\":%s,\"enabled\":%s,\"hits\":%llu,"
		      "\"misses\":%llu}\n", (int)probe->owner.pid,
		      probe->owner_alive ? "true" : "false", probe->enabled ? "true" : "false",
		      (unsigned long long)probe->hits, (unsigned long long)probe->misses);
}

static void print_text(struct arena *arena, struct strbuf *out, const struct live_probe *probe)
{
	strbuf_printf(out, "%s:%s  [%s, %s] %llu hits, %llu misses\n    %s\n", probe->group,
		      probe->event, owner_text(arena, probe),
		      probe->enabled ? "enabled" : "not enabled", (unsigned long long)probe->hits,
		      (unsigned long long)probe->misses, probe->definition);
}

struct error *cmd_list(struct arena *arena, const struct options *options)
{
	struct live_probe *probes;
	unsigned count;
	struct caps caps;
	struct strbuf out;
	struct error *error = caps_read(arena, &caps);

	if (!error)
		error = live_probes(arena, &probes, &count);
	if (error)
		return error;
	strbuf_init(&out);
	for (unsigned i = 0; i < count; i++) {
		if (options->json)
			print_json(&out, &probes[i]);
		else
			print_text(arena, &out, &probes[i]);
	}
	fwrite(out.data ? out.data : "", 1, out.length, stdout);
	strbuf_deinit(&out);
	return NULL;
}
