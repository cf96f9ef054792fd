// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes names that the kernel accepts: C identifiers, short enough, each used once. A name that is
 * too long keeps its beginning and gets a hash of the whole, the same on every machine.
 */
#include <ctype.h>

#include "base/glob.h"
#include "base/lookup.h"
#include "plan/names.h"

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

/* The names in use: there may be as many events as functions. */
struct event_names {
	struct taken {
		const char *name;
		unsigned next; /* number to try for the next of that name: those below are taken */
	} *list;
	size_t count;
	struct lookup by_name;
};

/* Returns NULL if the name is free. */
static struct taken *taken_by(const struct plan *plan, const char *name)
{
	const struct event_names *names = plan->names;
	size_t at = names ? lookup_find(&names->by_name, text_hash(name), i,
					!strcmp(names->list[i].name, name)) : LOOKUP_NONE;

	return at == LOOKUP_NONE ? NULL : &names->list[at];
}

void take_event(struct plan *plan, const char *name)
{
	struct event_names *names = plan->names ?: arena_new(plan->arena, struct event_names);
	struct taken *taken = taken_by(plan, name);

	plan->names = names;
	if (taken) {
		taken->next = 1;
		return;
	}
	lookup_add(plan->arena, &names->by_name, text_hash(name), names->count);
	arena_append(plan->arena, names->list, names->count) = (struct taken){
		arena_strdup(plan->arena, name), 1};
}

/* A program's symbol may be another name of a function (malloc): the event gets the name the
 * user asked for. */
static const char *shown_function(const struct spec *spec, const struct site *site)
{
	const char *name = spec->place.function;

	if (!name || spec->place.has_address)
		return site->function;
	if (!is_glob(name))
		return site->path ? name : site->function;
	/* a plan may lack the symbol */
	return !glob_matches(name, site->function) && site->shown_symbol ? site->shown_symbol :
									   site->function;
}

/* "read_write" for fs/read_write.c: a file's lines are counted from its first. */
static const char *file_stem(struct arena *arena, const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');

	return dot && dot > base ? arena_strndup(arena, base, (size_t)(dot - base)) : base;
}

/* How much of a function's name is its own: it ends at a version, and at a dot with what gcc and
 * clang put after one. Go's "main.work" is whole. */
static size_t own_length(const char *name)
{
	static const char *const suffixes[] = {"isra.", "constprop.", "part.",
					       "cold.", "lto_priv.",  "llvm."};
	size_t length = strcspn(name, "@");

	for (const char *dot = strchr(name, '.'); dot && dot < name + length;
	     dot = strchr(dot + 1, '.')) {
		bool is_suffix = isdigit((unsigned char)dot[1]) || !strcmp(dot + 1, "cold");

		for (unsigned i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
			is_suffix |= !strncmp(dot + 1, suffixes[i], strlen(suffixes[i]));
		if (is_suffix && dot > name)
			return (size_t)(dot - name);
	}
	return length ?: strlen(name);
}

static char *default_event(struct arena *arena, const struct spec *spec, const struct site *site)
{
	const char *name = readable_name(arena, shown_function(spec, site));
	const char *function = arena_strndup(arena, name, own_length(name));

	if (spec->place.has_address)
		return arena_printf(arena, site->is_return ? "abs_%llx__return" : "abs_%llx",
				    (unsigned long long)spec->place.address);
	if (!spec->place.function)
		function = file_stem(arena, spec->place.file);
	if (spec->place.kind == PLACE_PATTERN || place_is_range(&spec->place))
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
	bool is_many = (asked && is_glob(asked)) || place_is_range(&sites->spec->place);
	bool is_one_of_many = is_many && !sites->spec->event;
	struct taken *taken = taken_by(plan, name);
	unsigned *next = taken && is_one_of_many ? &taken->next : number;
	bool is_skipped = taken && *next <= taken->next;

	/* a plan may have the same spec ten thousand times */
	if (is_skipped)
		*next = taken->next;
	while (taken_by(plan, name))
		name = fit(arena, arena_printf(arena, "%s_%u", base, (*next)++), KERNEL_NAME_MAX);
	if (is_skipped)
		taken->next = *next;
	return name;
}

#define COMPANION_MAX 48 /* "ktrace_4194304_" is put before the name of a synthetic event */

char *companion_name(struct arena *arena, const char *event, const char *suffix, unsigned number)
{
	return arena_printf(arena, "%s__%s%u", fit(arena, event, COMPANION_MAX - 12), suffix,
			    number);
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
