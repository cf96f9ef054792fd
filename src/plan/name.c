// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names in, names the kernel takes out: C identifiers, short enough, and each one once. A name that
 * is too long keeps its beginning and gets a hash of the whole, the same on every machine.
 */
#include <ctype.h>
#include <fnmatch.h>

#include "base/glob.h"
#include "base/hash.h"
#include "plan/internal.h"

static char *fit(struct arena *arena, const char *text, unsigned limit)
{
	char *name = arena_printf(arena, "%s%s", isdigit((unsigned char)text[0]) ? "_" : "", text);

	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
	if (strlen(name) > limit)
		name = arena_printf(arena, "%.*s_%08x", (int)limit - 9, name, text_hash(text));
	return name;
}

static bool event_taken(const struct plan *plan, const char *name)
{
	/* from the end: a clash is most likely with the copy before */
	for (unsigned i = plan->nprobes; i > 0; i--)
		if (!strcmp(plan->probes[i - 1].event, name))
			return true;
	return false;
}

/* A program's symbol may be another name of a function's (malloc): the event bears the one asked for. */
static const char *shown_function(const struct spec *spec, const struct site *site)
{
	const char *name = spec->place.function;

	if (!name || spec->place.has_address)
		return site->function;
	if (!is_glob(name))
		return site->path ? name : site->function;
	return fnmatch(name, site->function, 0) ? site->shown_symbol : site->function;
}

static char *default_event(struct arena *arena, const struct spec *spec, const struct site *site)
{
	const char *name = shown_function(spec, site);
	size_t length = strcspn(name, ".@");
	const char *function = arena_strndup(arena, name, length ? length : strlen(name));

	if (spec->place.has_address)
		return arena_printf(arena, site->is_return ? "abs_%llx__return" : "abs_%llx",
				    (unsigned long long)spec->place.address);
	if (spec->place.kind == PLACE_PATTERN)
		return arena_printf(arena, "%s_L%u", function, site->asked_line);
	if (spec->place.kind == PLACE_LINE || spec->place.kind == PLACE_FILE)
		return arena_printf(arena, "%s_L%u", function, spec->place.line);
	if (site->is_return)
		return arena_printf(arena, "%s__return", function);
	return arena_strdup(arena, function);
}

char *event_name(struct arena *arena, const struct plan *plan, const struct sites *sites,
		 const struct site *site, unsigned *number)
{
	const char *base = sites->spec->event ? sites->spec->event
					      : default_event(arena, sites->spec, site);
	char *name = fit(arena, base, KERNEL_NAME_MAX);
	const char *asked = sites->spec->place.function;
	bool is_one_of_many = asked && is_glob(asked) && !sites->spec->event;

	for (unsigned n = is_one_of_many ? 1 : *number; event_taken(plan, name); n++) {
		name = fit(arena, arena_printf(arena, "%s_%u", base, n), KERNEL_NAME_MAX);
		*number = n + 1;
	}
	return name;
}

#define COMPANION_MAX 48 /* "ktrace_4194304_" is put before the name of a synthetic event */

char *companion_name(struct arena *arena, const char *event, const char *suffix, unsigned number)
{
	return arena_printf(arena, "%s__%s%u", fit(arena, event, COMPANION_MAX - 12), suffix, number);
}

static bool field_taken(const struct probe *probe, const char *name)
{
	for (unsigned i = 0; i < probe->nfetches; i++)
		if (!strcmp(probe->fetches[i].field, name))
			return true;
	return false;
}

char *field_name(struct arena *arena, const struct probe *probe, const char *wanted)
{
	const char *base = wanted;
	char *name;

	if (!strncmp(wanted, "common_", 7) || !strncmp(wanted, "__probe_", 8))
		base = arena_printf(arena, "_%s", wanted); /* reserved by the kernel */
	name = fit(arena, base, KERNEL_ARGNAME_MAX);
	for (unsigned n = 1; field_taken(probe, name); n++)
		name = fit(arena, arena_printf(arena, "%s_%u", base, n), KERNEL_ARGNAME_MAX);
	return name;
}
