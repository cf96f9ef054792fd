// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace follow`: makes of FUNC [VAR...] what `ktrace probe` makes of specs: where calls begin,
 * where their parameters are stored, each line, and where they return.
 *
 * The surprise: a call begins at the function's first instruction, but a program's parameters may
 * only be stored some instructions later; so there may be a probe for each.
 */
#include <limits.h>
#include <string.h>

#include "base/glob.h"
#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/follow.h"
#include "cmd/live/live_run.h"
#include "spec/spec.h"
#include "target/target.h"

static struct error *bad_place(struct arena *arena, const struct spec *spec, struct span span,
			       const char *message)
{
	return error_hint(arena,
			  error_at(error_new(arena, ERROR_USAGE, "%s", message), spec->text, span),
			  "write FUNC, FUNC@FILE or FUNC:FIRST-LAST, then the variables");
}

static struct error *check_place(struct arena *arena, const struct spec *spec)
{
	const struct place *place = &spec->place;
	struct error *error;

	if ((place->kind != PLACE_FUNCTION && place->kind != PLACE_LINE) || spec->pairing)
		return bad_place(arena, spec, place->span,
				 "only the calls of a function can be followed");
	if (place->kind == PLACE_LINE && place->line == place->last_line) {
		struct span function = {place->span.start, place->line_span.start - 1};

		error = error_new(arena, ERROR_USAGE,
				  "a single line is not a path through a function");
		return error_command(arena, error_at(error, spec->text, place->line_span), "follow",
				     arena_strndup(arena, spec->text + function.start,
						   function.end - function.start),
				     "all lines of its calls");
	}
	if (!is_glob(place->function))
		return NULL;
	error = error_at(error_new(arena, ERROR_USAGE, "one function is followed at a time"),
			 spec->text, place->function_span);
	return error_command(arena, error, "funcs", place->function, "which there are");
}

static struct error *check_want(struct arena *arena, const struct spec *spec,
				const struct want *want)
{
	const char *message, *hint;

	if (want->kind == WANT_RAW && strstr(want->base, "$ret")) {
		message = "a call shows what it returns in any case";
		hint = "calls are chosen by it: --calls 'retval < 0'";
	} else if (want->kind == WANT_STACK || want->kind == WANT_PLACE) {
		message = want->kind == WANT_STACK ? "a call can't show a stack" :
						     "a call shows its lines in any case";
		hint = want->kind == WANT_STACK ? "ktrace probe shows it, where a call begins" :
						  "name variables only";
	} else {
		return NULL;
	}
	return error_hint(arena,
			  error_at(error_new(arena, ERROR_USAGE, "%s", message), spec->text,
				   want->span),
			  "%s", hint);
}

static struct error *check_spec(struct arena *arena, const struct spec *spec)
{
	struct error *error = check_place(arena, spec);

	if (error)
		return error;
	if (spec->naggregates || spec->nkeys || spec->event || spec->group)
		return bad_place(arena, spec, (struct span){0, (unsigned)strlen(spec->text)},
				 "calls have no event names and no tables");
	for (unsigned i = 0; i < spec->nwants && !error; i++)
		error = check_want(arena, spec, &spec->wants[i]);
	return error;
}

static struct spec *spec_like(struct arena *arena, const struct spec *spec, enum followed followed)
{
	struct spec *ret = arena_new(arena, struct spec);

	*ret = *spec;
	ret->followed = followed;
	return ret;
}

/* The same function as another place; base: its only want, or NULL. */
static struct spec *other_place(struct arena *arena, const struct spec *spec,
				enum followed followed, enum place_kind kind, const char *base)
{
	struct spec *ret = spec_like(arena, spec, followed);
	struct span span = spec->place.function_span;

	ret->is_optional = followed == FOLLOWED_END;
	ret->place.kind = kind;
	ret->place.line = ret->place.last_line = 0;
	ret->nwants = base ? 1 : 0;
	ret->wants = arena_array(arena, struct want, 1);
	ret->wants[0] = (struct want){
		.kind = kind == PLACE_RETURN ? WANT_RAW : WANT_ALL,
		.span = span,
		.base = base,
		.base_span = span,
		.is_expanded = true,
	};
	return ret;
}

static struct spec *lines_spec(struct arena *arena, const struct spec *spec)
{
	struct spec *ret = spec_like(arena, spec, FOLLOWED_LINE);

	if (spec->place.kind == PLACE_FUNCTION) {
		ret->place.kind = PLACE_LINE;
		ret->place.line = 1;
		ret->place.last_line = UINT_MAX;
	}
	if (!spec->nwants) {
		ret->wants = arena_array(arena, struct want, 1);
		ret->nwants = 1;
		ret->wants[0] = (struct want){
			.kind = WANT_ALL,
			.span = spec->place.function_span,
			.base = ALL_VARIABLES,
			.base_span = spec->place.function_span,
			.is_expanded = true,
		};
	}
	return ret;
}

static struct error *add_conditions(struct arena *arena, struct following *following,
				    const struct filter *filter)
{
	struct error *error;

	if (filter->op > FILTER_NOT) {
		if (following->nconditions == FOLLOWED_CONDITIONS)
			return error_at(error_new(arena, ERROR_LIMIT,
						  "--calls makes more than %d comparisons",
						  FOLLOWED_CONDITIONS),
					following->calls_text, filter->span);
		following->conditions[following->nconditions++] = filter;
		return NULL;
	}
	error = add_conditions(arena, following, filter->left);
	return error || !filter->right ? error : add_conditions(arena, following, filter->right);
}

static struct error *begin_following(struct arena *arena, const struct options *options,
				     struct plan *plan)
{
	struct following *following = arena_new(arena, struct following);
	struct error *error;

	plan->following = following;
	following->has_ends = true;
	following->calls_text = options->calls;
	if (!options->calls)
		return NULL;
	error = filter_parse(arena, options->calls, &following->calls);
	return error ? error : add_conditions(arena, following, following->calls);
}

static char *joined(struct arena *arena, const struct options *options)
{
	char *text = arena_strdup(arena, options->operands[0]);

	for (unsigned i = 1; i < options->noperands; i++)
		text = arena_printf(arena, "%s %s", text, options->operands[i]);
	return text;
}

struct error *follow_specs(struct arena *arena, const struct options *options, struct plan *plan,
			   struct spec ***ret, unsigned *count)
{
	struct spec *spec;
	struct error *error = spec_parse(arena, joined(arena, options), &spec);

	if (!error)
		error = check_spec(arena, spec);
	if (!error)
		error = begin_following(arena, options, plan);
	if (error)
		return error;
	*ret = NULL;
	*count = 0;
	arena_append(arena, *ret, *count) =
		other_place(arena, spec, FOLLOWED_HEAD, PLACE_FUNCTION, ALL_PARAMETERS);
	arena_append(arena, *ret, *count) =
		other_place(arena, spec, FOLLOWED_BEGIN, PLACE_FUNCTION, NULL);
	arena_append(arena, *ret, *count) = lines_spec(arena, spec);
	arena_append(arena, *ret, *count) =
		other_place(arena, spec, FOLLOWED_END, PLACE_RETURN, RETURN_VALUE);
	return NULL;
}

const struct spec *follow_begin(struct spec *const *specs, unsigned count)
{
	while (count > 1 && specs[count - 1]->followed != FOLLOWED_BEGIN)
		count--;
	return specs[count - 1];
}

static bool has_begun(const struct sites *heads, uint64_t copy)
{
	for (unsigned i = 0; heads && i < heads->nsites; i++)
		if (heads->sites[i].begins && heads->sites[i].copy == copy)
			return true;
	return false;
}

/* The call's title stands for the line of its '{'. */
static bool is_needed(const struct sites *heads, const struct site *site)
{
	return !(site->begins && has_begun(heads, site->copy)) &&
	       !(site->is_opening && !site->may_repeat);
}

bool follow_needs(struct sites *sites, const struct sites **heads)
{
	unsigned kept = 0;

	if (sites->spec->followed == FOLLOWED_HEAD)
		*heads = sites;
	if (sites->spec->followed != FOLLOWED_BEGIN && sites->spec->followed != FOLLOWED_LINE)
		return true;
	for (unsigned i = 0; i < sites->nsites; i++)
		if (is_needed(*heads, &sites->sites[i]))
			sites->sites[kept++] = sites->sites[i];
	sites->nsites = kept;
	return kept;
}

/* Whether it is every line of a function, with every variable. */
static bool is_all(const struct spec *spec)
{
	return spec->followed == FOLLOWED_LINE && spec->place.line == 1 &&
	       spec->place.last_line == UINT_MAX && spec->nwants == 1 &&
	       spec->wants[0].kind == WANT_ALL && spec->wants[0].is_expanded;
}

struct error *follow_without(const struct options *options, const struct spec *spec,
			     struct error *error)
{
	bool is_counted = error->code != ERROR_NO_DEBUGINFO;
	bool has_no_lines = is_all(spec) && (error->code == ERROR_NOT_FOUND || !is_counted);

	if (spec->followed != FOLLOWED_END && !has_no_lines)
		return error;
	if (!options->quiet && has_no_lines && !is_counted)
		tell("ktrace: calls are shown without lines: %s\n", error->message);
	else if (!options->quiet && has_no_lines)
		tell("ktrace: calls are shown without lines: all of '%s' is on one\n",
		     spec->place.function);
	else if (!options->quiet)
		tell("ktrace: the end of calls isn't seen: %s\n", error->message);
	return NULL;
}

static struct error *unknown_name(struct arena *arena, const struct following *following,
				  const struct filter *filter)
{
	return error_hint(arena,
			  error_at(error_new(arena, ERROR_NOT_FOUND, "a call has no value '%s'",
					     filter->field),
				   following->calls_text, filter->field_span),
			  strcmp(filter->field, "retval") != 0 ?
				  "there are retval, duration, the parameters, and the variables "
				  "of its lines, or the VARs that were named" :
				  "the function returns nothing, or what can't be read; there are "
				  "duration, the parameters, and the variables of its lines");
}

static struct error *check_conditions(struct arena *arena, const struct following *following)
{
	for (unsigned i = 0; i < following->nconditions; i++) {
		const struct filter *filter = following->conditions[i];

		if (following->is_known[i])
			continue;
		if (strcmp(filter->field, CALL_DURATION) != 0)
			return unknown_name(arena, following, filter);
		if (filter->constant || filter->is_string || filter->decimal ||
		    filter->is_negative || filter->op > FILTER_GE)
			return error_hint(arena,
					  error_at(error_new(arena, ERROR_SYNTAX,
							     "a duration is compared with a time"),
						   following->calls_text, filter->span),
					  "duration > 10ms, or in ns: duration > 10000000");
	}
	return NULL;
}

static bool has_one_of(const struct target *target, const char *const *names, unsigned nnames)
{
	const char *library;
	unsigned count;

	for (unsigned i = 0; i < nnames; i++)
		if (target_imports(target, names[i], &library) ||
		    target_symbol_named(target, names[i], &count))
			return true;
	return false;
}

/* Whether the program has a function that leaves calls, or another library's. One that is always at
 * the same address may execute itself, which no hit shows. */
static bool may_be_left(const struct target *target)
{
	static const char *const leaving[] = {
		"setjmp",      "_setjmp",	    "sigsetjmp",      "__sigsetjmp",
		"longjmp",     "_longjmp",	    "siglongjmp",     "__longjmp_chk",
		"setcontext",  "swapcontext",	    "_Unwind_Resume", "_Unwind_RaiseException",
		"__cxa_throw", "__cxa_begin_catch",
	};
	static const char *const executing[] = {
		"execve", "execv",  "execvp",  "execvpe",  "execl",
		"execlp", "execle", "fexecve", "execveat",
	};

	return target->kind == TARGET_PROGRAM &&
	       (has_one_of(target, leaving, sizeof(leaving) / sizeof(*leaving)) ||
		(target->is_fixed &&
		 has_one_of(target, executing, sizeof(executing) / sizeof(*executing))));
}

struct error *follow_check(struct sources *sources, struct resolver *resolver,
			   const struct dry_run *dry, struct plan *plan)
{
	struct error *error = check_conditions(sources->arena, plan->following);

	plan->following->may_be_left = may_be_left(resolver->target);
	if (!error && !dry)
		follow_read_texts(sources, resolver, plan);
	return error;
}

/* Where a call hits probes. */
struct follow_hits {
	const char *symbol; /* of the function's code; probes elsewhere aren't among those of: */
	uint64_t *offsets;
	unsigned count;
	unsigned returns;    /* probes of returns, each hit at one, wherever it is */
};

static void count_hits(struct arena *arena, const struct plan *plan, struct follow_hits *hits)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		const char *symbol = probe->site->shown_symbol;

		if (probe->host)
			continue;
		if (!hits->symbol && symbol)
			hits->symbol = symbol;
		if (probe->kind == PROBE_RETURN)
			hits->returns = 1;
		else if (probe->kind == PROBE_HIT && symbol && !strcmp(symbol, hits->symbol))
			arena_append(arena, hits->offsets, hits->count) =
				probe->role == ROLE_ENTRY ? 0 : probe->site->shown_offset;
	}
}

/* The kernel's figures are of its Documentation/trace/kprobes.rst. */
struct error *follow_cost(struct resolver *resolver, const struct spec *begin,
			  const struct plan *plan, struct strbuf *out)
{
	bool is_program = resolver->target->kind == TARGET_PROGRAM;
	struct follow_hits hits = {0};
	unsigned least;
	struct error *error;

	count_hits(plan->arena, plan, &hits);
	error = resolve_least(resolver, begin, hits.offsets, hits.count, &least);
	if (error)
		return error;
	if (least)
		strbuf_printf(out,
			      "a call hits at least %u of them, and one more for each further line "
			      "and pass\n",
			      least + hits.returns);
	strbuf_puts(out, is_program ?
		    "each hit is a trap of some microseconds, in every process that runs the "
		    "file\n" :
		    "each hit takes 0.1 us if the kernel can use a jump, 1 us if it traps, and the "
		    "time to record; in every task\n");
	return NULL;
}

struct follow *follow_open(struct arena *arena, const struct options *options,
			   const struct plan *plan, struct session *session,
			   const struct sink_context *context)
{
	bool *skipped = arena_array(arena, bool, plan->nprobes + 1);
	const struct follow_options wanted = {
		.is_json = options->json,
		.is_colored = !options->json && !options->output && is_colored(),
		.is_whole = options->verbose,
		.is_utf8 = is_utf8_locale(),
		.columns = options->output || options->verbose ? 0 : terminal_columns(),
		.limit = options->count,
		.skipped = skipped,
	};

	for (unsigned i = 0; i < plan->nprobes; i++)
		skipped[i] = session_skipped(session, i);
	return follow_new(arena, plan, context, &wanted);
}

struct error *cmd_follow(struct arena *arena, const struct options *options)
{
	return cmd_probe(arena, options);
}
