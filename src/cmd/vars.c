// SPDX-License-Identifier: GPL-2.0-only
/* `ktrace vars`: lists every variable in scope at each address of a place: its type, and where
 * it lives or why it is unavailable. */
#include <string.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/sources.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/listing.h"
#include "spec/spec.h"
#include "target/placing.h"
#include "target/target.h"

static const char *const scope_names[] = {
	[SCOPE_PARAMETER] = "parameter",
	[SCOPE_LOCAL] = "local",
	[SCOPE_STATIC] = "static",
	[SCOPE_GLOBAL] = "global",
};

/* reason: why it is unavailable, or NULL. */
static const char *status_name(const struct variable *variable, const char *reason)
{
	if (reason)
		return "unavailable";
	return expr_uses(variable->loc.expr, EXPR_ENTRY) ? "entry" : "ok";
}

/* All about one address, for either of the two writers. */
struct view {
	struct resolver *resolver;
	const struct spec *spec;
	const struct point *point;
	const struct symbol *symbol;
	struct variable *variables;
	unsigned count;
};

/* A pointer to an optimised-out object has no value, but its pointee may; *prefix says so. */
static const struct variable *described(const struct view *view, const struct variable *variable,
					const char **prefix)
{
	*prefix = "";
	if (variable->loc.kind != LOC_IMPLICIT)
		return variable;
	*prefix = "no address; what it points to: ";
	return resolve_pointee(view->resolver, view->point, variable);
}

static void json_variable(struct strbuf *out, const struct view *view, const struct variable *which)
{
	struct resolver *resolver = view->resolver;
	const char *prefix;
	const struct variable *variable = described(view, which, &prefix);
	const char *reason = resolve_obstacle(resolver, view->point, which);

	json_object(out, NULL);
	json_text(out, "name", variable->name);
	json_text(out, "type", variable->type->name);
	json_text(out, "scope", scope_names[variable->scope]);
	json_text(out, "status", status_name(variable, reason));
	json_text(out, "location", arena_printf(resolver->arena, "%s%s", prefix,
						resolve_loc_text(resolver, &variable->loc)));
	json_text(out, "reason", reason ?: "");
	json_object_end(out);
}

static void print_json(struct strbuf *out, const struct view *view)
{
	const struct instance *instance = view->point->instance;
	uint64_t address = view->point->at.address;
	const char *unprobed = resolve_unprobed(view->resolver, view->point);

	json_object(out, NULL);
	json_text(out, "place", view->spec->text);
	json_text(out, "function", instance->function->name);
	json_text(out, "file", instance->function->file ?: "");
	json_number(out, "line", view->point->line);
	json_text(out, "symbol", view->symbol ? view->symbol->name : "");
	json_number(out, "offset", view->symbol ? address - view->symbol->address : 0);
	json_address(out, "address", target_file_address(view->resolver->target, address));
	json_bool(out, "inlined", instance->inlined);
	if (unprobed)
		json_text(out, "unprobed", unprobed);
	json_array(out, "vars");
	for (unsigned i = 0; i < view->count; i++)
		json_variable(out, view, &view->variables[i]);
	json_array_end(out);
	json_object_end(out);
	strbuf_putc(out, '\n');
}

static void print_text(struct strbuf *out, const struct view *view)
{
	const struct instance *instance = view->point->instance;
	const char *unprobed = resolve_unprobed(view->resolver, view->point);

	strbuf_printf(out, "%s at %s+%#llx", instance->function->name,
		      view->symbol ? view->symbol->name : "?", (unsigned long long)
		      (view->symbol ? view->point->at.address - view->symbol->address : 0));
	if (view->point->line)
		strbuf_printf(out, ", %s:%u", instance->function->file, view->point->line);
	strbuf_puts(out, instance->inlined ? " (inlined there)\n" : "\n");
	if (unprobed)
		strbuf_printf(out, "  <can't be probed: this is %s>\n", unprobed);
	for (unsigned i = 0; i < view->count; i++) {
		const char *prefix;
		const struct variable *variable = described(view, &view->variables[i], &prefix);
		const char *where = resolve_loc_text(view->resolver, &variable->loc);
		const char *reason =
			resolve_obstacle(view->resolver, view->point, &view->variables[i]);

		strbuf_printf(out, "  %-9s %-28s %-16s ", scope_names[variable->scope],
			      variable->type->name, variable->name);
		strbuf_printf(out, "%s%s", prefix, where);
		if (reason)
			strbuf_printf(out, "%s<%s: %s>", *where ? " " : "",
				      status_name(variable, reason), reason);
		strbuf_putc(out, '\n');
	}
	if (!view->count)
		strbuf_puts(out, debuginfo_has_variables(view->resolver->info, instance) ?
					 "  no variables\n" :
					 "  " NO_VARIABLES "\n");
}

static struct error *show_place(struct sources *sources, const struct spec *spec,
				struct strbuf *out)
{
	const struct options *options = sources->options;
	struct view view = {0};
	struct point *points;
	unsigned count;
	struct error *error = sources_get(sources, spec->place.module, false, &view.resolver);

	if (!error)
		error = resolve_all_points(view.resolver, spec, &points, &count);
	for (unsigned i = 0; !error && i < count; i++) {
		view.spec = spec;
		view.point = &points[i];
		if (!points[i].instance)
			return symbol_only(view.resolver, spec, spec->place.function_span);
		view.symbol = target_symbol_at(view.resolver->target, points[i].at.address,
					       points[i].instance->outer);
		error = resolve_variables(view.resolver, &points[i], options->externs,
					  &view.variables, &view.count);
		if (error)
			return error;
		if (options->json)
			print_json(out, &view);
		else
			print_text(out, &view);
	}
	return error;
}

struct error *cmd_vars(struct arena *arena, const struct options *options)
{
	struct spec **specs = arena_array(arena, struct spec *, options->noperands + 1);
	struct sources sources;
	struct strbuf out;
	struct error *error = NULL;

	sources_init(&sources, arena, options);
	strbuf_init(&out);
	for (unsigned i = 0; i < options->noperands && !error; i++) {
		error = spec_parse_place(arena, options->operands[i], &specs[i]);
		if (!error)
			sources_expect(&sources, specs[i]->place.function);
	}
	for (unsigned i = 0; i < options->noperands && !error; i++)
		error = show_place(&sources, specs[i], &out);
	if (!error)
		fwrite(out.data ? out.data : "", 1, out.length, stdout);
	strbuf_deinit(&out);
	sources_deinit(&sources);
	return error;
}
