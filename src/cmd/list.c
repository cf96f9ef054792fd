// SPDX-License-Identifier: GPL-2.0-only
/* `ktrace list`: every probe event of the system, its owner, its hits and misses. */
#include <string.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "session/session.h"

static const char *owner_text(struct arena *arena, const struct live_probe *probe)
{
	if (!probe->owner.pid)
		return "not ktrace's";
	return arena_printf(
		arena, "%sktrace %d%s", probe->owner_alive ? "" : "dead ", (int)probe->owner.pid,
		probe->owner_alive && !probe->owner_is_here ? " of another pid namespace" : "");
}

static void print_json(struct strbuf *out, const struct live_probe *probe)
{
	json_object(out, NULL);
	json_text(out, "group", probe->group);
	json_text(out, "event", probe->event);
	json_text(out, "definition", probe->definition);
	json_number(out, "owner", (uint64_t)probe->owner.pid);
	json_bool(out, "alive", probe->owner_alive);
	json_bool(out, "enabled", probe->enabled);
	json_number(out, "hits", probe->hits);
	json_number(out, "misses", probe->misses);
	json_object_end(out);
	strbuf_putc(out, '\n');
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
