// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sites in, probes out: a name, the definition's text with the column of every argument in it, and
 * the values. Every copy of an inlined function is an event of its own, since copies differ in what
 * they can show; they share the name but for a number.
 */
#include <ctype.h>

#include "base/strbuf.h"
#include "plan/internal.h"

struct caps caps_assumed(void)
{
	return (struct caps){
		.has_kprobes = true,
		.has_uprobes = true,
		.has_immediate = true,
		.has_user = true,
		.has_hex_types = true,
		.has_return_suffix = true,
	};
}

static char *head_text(struct arena *arena, const struct site *site)
{
	const char *colon = site->module ? ":" : "";
	const char *module = site->module ? site->module : "";

	if (site->path)
		return arena_printf(arena, "%s:%#llx", site->path, (unsigned long long)site->offset);
	if (site->is_return && !site->offset)
		return arena_printf(arena, "%s%s%s", module, colon, site->symbol);
	return arena_printf(arena, "%s%s%s+%llu", module, colon, site->symbol,
			    (unsigned long long)site->offset);
}

/* As perf names it: the program's, up to what no name may hold. */
static char *group_name(struct arena *arena, const struct site *site)
{
	const char *slash = site->path ? strrchr(site->path, '/') : NULL;
	const char *name = slash ? slash + 1 : site->path;
	unsigned length = 0;

	if (!name)
		return arena_strdup(arena, "probe");
	while (isalnum((unsigned char)name[length]) || name[length] == '_')
		length++;
	if (length > KERNEL_NAME_MAX - strlen("probe_"))
		length = KERNEL_NAME_MAX - (unsigned)strlen("probe_");
	return arena_printf(arena, "probe_%.*s", (int)length, name);
}

static void write_definition(struct arena *arena, struct probe *probe)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_printf(&text, "%c:%s/%s %s", probe->kind, probe->group, probe->event, probe->head);
	for (unsigned i = 0; i < probe->nfetches; i++) {
		struct fetch *fetch = &probe->fetches[i];

		strbuf_putc(&text, ' ');
		fetch->column = (unsigned)text.length;
		strbuf_printf(&text, "%s=%s", fetch->field, fetch->body);
		if (fetch->type)
			strbuf_printf(&text, ":%s", fetch->type);
		fetch->length = (unsigned)text.length - fetch->column;
	}
	probe->definition = arena_strndup(arena, text.data, text.length);
	strbuf_deinit(&text);
}

static struct error *check_limits(struct arena *arena, const struct probe *probe)
{
	const struct spec *spec = probe->spec;
	struct error *error = NULL;

	if (probe->nfetches > KERNEL_ARGS_MAX)
		error = error_new(arena, ERROR_LIMIT, "this needs %u kernel arguments; the kernel takes "
				  "%d", probe->nfetches, KERNEL_ARGS_MAX);
	else if (strlen(probe->definition) > KERNEL_LINE_MAX)
		error = error_new(arena, ERROR_LIMIT, "the definition is %zu bytes long; the kernel "
				  "takes %d", strlen(probe->definition), KERNEL_LINE_MAX);
	if (!error)
		return NULL;
	return error_hint(arena, error_at(error, spec->text,
					  (struct span){0, (unsigned)strlen(spec->text)}),
			  "ask for fewer values, or spread them over two specs");
}

static struct error *make_probe(struct arena *arena, const struct plan_input *input,
				const struct sites *sites, const struct site *site,
				struct plan *plan, unsigned *number, struct probe *probe)
{
	struct error *error = NULL;

	probe->spec = sites->spec;
	probe->site = site;
	probe->group = sites->spec->group ? sites->spec->group : group_name(arena, site);
	probe->event = event_name(arena, plan, sites, site, number);
	probe->head = head_text(arena, site);
	probe->kind = site->is_return ? 'r' : 'p';
	probe->nvalues = site->ncaptures;
	probe->values = arena_array(arena, struct value, site->ncaptures + 1);
	for (unsigned i = 0; i < site->ncaptures && !error; i++)
		error = plan_value(arena, input, probe, &sites->spec->wants[i], &site->captures[i],
				   &probe->values[i]);
	if (error)
		return error;
	write_definition(arena, probe);
	error = check_limits(arena, probe);
	return error ? error : plan_filter(arena, input, probe);
}

/* What every site of the spec lacks is an error; what one of them has, is not. */
static struct error *check_missing(struct arena *arena, const struct sites *sites,
				   const struct probe *probes, unsigned count)
{
	for (unsigned i = 0; i < sites->spec->nwants; i++) {
		const char *reason = NULL;
		bool found = false;

		for (unsigned j = 0; j < count; j++) {
			found |= probes[j].values[i].status == VALUE_OK;
			reason = probes[j].values[i].reason;
		}
		if (!found)
			return error_hint(arena, error_at(
				error_new(arena, ERROR_INEXPRESSIBLE, "'%s' can't be shown here: %s",
					  probes[0].values[i].name, reason), sites->spec->text,
				sites->spec->wants[i].span),
				"see where it lives: ktrace vars '%.*s'",
				(int)(sites->spec->place.span.end - sites->spec->place.span.start),
				sites->spec->text + sites->spec->place.span.start);
	}
	return NULL;
}

struct error *plan_add(struct arena *arena, const struct plan_input *input,
		       const struct sites *sites, struct plan *plan)
{
	unsigned first = plan->nprobes, number = 1;

	plan->probes = arena_grow(arena, plan->probes, first * sizeof(*plan->probes),
				  (first + sites->nsites) * sizeof(*plan->probes));
	for (unsigned i = 0; i < sites->nsites; i++) {
		struct error *error = make_probe(arena, input, sites, &sites->sites[i], plan, &number,
						 &plan->probes[plan->nprobes]);

		if (error)
			return error;
		plan->nprobes++;
	}
	return check_missing(arena, sites, &plan->probes[first], plan->nprobes - first);
}
