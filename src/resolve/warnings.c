// SPDX-License-Identifier: GPL-2.0-only
/* Warns of what a spec's points, which can all be probed, don't see or see too often. */
#include <string.h>

#include "base/glob.h"
#include "resolve/flow/function_code.h"
#include "resolve/internal.h"
#include "resolve/passes/merged.h"
#include "resolve/points/points.h"
#include "target/code.h"
#include "target/target.h"

enum { MANY_POINTS = 300 };

void sites_warn(struct resolver *resolver, struct sites *sites, const char *text)
{
	if (!sites->is_silent)
		arena_append(resolver->arena, sites->warnings, sites->nwarnings) = text;
}

/* libc's memcpy, for one: its code only chooses the function that is called in the end. */
static void warn_resolver(struct resolver *resolver, struct sites *sites,
			  const struct point *points, unsigned count)
{
	const struct symbol *symbol;

	for (unsigned i = 0; i < count; i++) {
		if (resolver->target->kind != TARGET_PROGRAM)
			return;
		symbol = target_symbol_at(resolver->target, points[i].at.address,
					  sites->spec->place.function);
		if (!symbol || !symbol->is_resolver)
			continue;
		sites_warn(resolver, sites, indirect_text(resolver->arena, symbol->name));
		return;
	}
}

/* Where libc was built with _FORTIFY_SOURCE, its read() is not the read() of its headers. */
static void warn_left_out(struct resolver *resolver, struct sites *sites)
{
	const struct place *place = &sites->spec->place;
	unsigned count;
	const struct instance *copy = left_out_copies(resolver, place, &count);
	const char *file = copy ? strrchr(copy->function->file, '/') : NULL;

	if (copy)
		sites_warn(resolver, sites,
		     arena_printf(resolver->arena,
				  "left out %u %s of another '%s', of a header or a unit: "
				  "%s@%s means %s", count, count == 1 ? "copy" : "copies",
				  place->function, place->function,
				  file ? file + 1 : copy->function->file,
				  count == 1 ? "it" : "those"));
}

/* A count of returns would pass for one of all calls. */
static void warn_returnless(struct resolver *resolver, struct sites *sites)
{
	const struct instance *first = NULL;
	unsigned count = 0;

	for (unsigned i = 0; i < resolver->nreturnless; i++) {
		const struct instance *copy = resolver->returnless[i];

		if (dead_reason(resolver, &(struct point){.at.address = copy->entry}))
			continue;
		first = first ?: copy;
		count++;
	}
	resolver->nreturnless = 0; /* once, of all batches */
	if (count && sites->spec->followed == FOLLOWED_NOT)
		sites_warn(resolver, sites,
			   arena_printf(resolver->arena,
					"%u inlined %s of '%s' (in '%s'%s) %s no return: %s calls "
					"have no event", count, count == 1 ? "copy" : "copies",
					sites->spec->place.function, first->outer,
					count == 1 ? "" : " and elsewhere",
					count == 1 ? "has" : "have", count == 1 ? "its" : "their"));
}

/* As a loop that was turned round, whose first instruction each round runs. */
static void warn_doubtful(struct resolver *resolver, struct sites *sites,
			  const struct point *points, unsigned count)
{
	const char *outer = NULL;
	unsigned doubtful = 0, ncopies = count;

	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points[i].instance;

		if (instance && points[i].at.address != instance->entry &&
		    is_begun_at(instance, points[i].at.address))
			ncopies--;
		else if (instance && instance->is_entry_doubtful &&
			 points[i].at.address == instance->entry) {
			doubtful++;
			outer = instance->outer;
		}
	}
	if (doubtful)
		sites_warn(resolver, sites,
		     arena_printf(resolver->arena,
				  "the compiler doesn't say where %u of %u copies begin%s: "
				  "calls in '%s' may be missed, or counted more than once",
				  doubtful, ncopies, doubtful == 1 ? "s" : "", outer));
}

/* gcc marks several lines at one instruction; of these llvm-bolt keeps one. */
static void warn_rearranged(struct resolver *resolver, struct sites *sites,
			    const struct point *points, unsigned count)
{
	const struct place *place = &sites->spec->place;
	bool is_lossy = false;

	if (place->kind != PLACE_LINE && place->kind != PLACE_FILE && place->kind != PLACE_PATTERN)
		return;
	for (unsigned i = 0; i < count; i++)
		is_lossy |= points[i].instance && points[i].instance->is_by_gcc &&
			    !points[i].instance->is_unoptimised;
	if (is_lossy && target_is_rearranged(resolver->target))
		sites_warn(resolver, sites,
		     "llvm-bolt moved this code and lost where gcc says that lines begin: fewer or "
		     "more events than passes are possible; count in the program before llvm-bolt");
}

/* Events of a merged function would pass for this one's. */
static void warn_folded(struct resolver *resolver, struct sites *sites, const struct point *points,
			unsigned count)
{
	const struct instance *last = NULL;

	folded_expect(resolver, points, count);
	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points[i].instance;
		const char *others = instance == last ? NULL :
				     folded_functions(resolver, instance, points[i].at.address);

		last = instance;
		if (others)
			sites_warn(resolver, sites,
			     arena_printf(resolver->arena,
					  "'%s' shares its code with %s, which was merged or is "
					  "another name: the events are those of all",
					  instance->function->name, others));
	}
}

static void warn_thunks(struct resolver *resolver, struct sites *sites, const struct point *points,
			unsigned count)
{
	const char **texts;
	unsigned ntexts = thunk_texts(resolver, points, count, &texts);

	for (unsigned i = 0; i < ntexts; i++)
		sites_warn(resolver, sites, texts[i]);
}

static void warn_merged(struct resolver *resolver, struct sites *sites, const struct point *points,
			unsigned count)
{
	const char *texts[MERGED_TEXTS];
	unsigned ntexts = merged_texts(resolver, &sites->spec->place, points, count, texts);

	for (unsigned i = 0; i < ntexts; i++)
		sites_warn(resolver, sites, texts[i]);
}

/* Writes the numbers of the lines that may have more events than passes, or fewer. */
static const char *lines_of(struct resolver *resolver, const struct point *points, unsigned count,
			    bool are_fewer)
{
	const char *list = NULL;
	unsigned last = 0;

	for (unsigned i = 0; i < count; i++) {
		if (!(are_fewer ? points[i].may_lack : points[i].is_perhaps) ||
		    points[i].line == last)
			continue;
		last = points[i].line;
		list = arena_printf(resolver->arena, "%s%s%u", list ?: "", list ? ", " : "",
				    last - points[i].instance->function->line);
	}
	return list;
}

/* Of many lines at once only which they are: each alone says why. A function's first copy speaks
 * for the others. */
static void warn_range(struct resolver *resolver, struct sites *sites, const struct point *points,
		       unsigned count)
{
	for (int are_fewer = 0; are_fewer < 2 && is_function_range(sites->spec); are_fewer++) {
		const char *list = lines_of(resolver, points, count, are_fewer);

		if (list)
			sites_warn(resolver, sites,
				   arena_printf(resolver->arena,
						"%s events than passes are possible at %s %s",
						are_fewer ? "fewer" : "more",
						strchr(list, ',') ? "lines" : "line", list));
	}
}

/* Of a line merged_texts() says it. */
static void warn_vanished(struct resolver *resolver, struct sites *sites,
			  const struct point *points, unsigned count)
{
	const struct place *place = &sites->spec->place;
	const char *text;

	if (place->kind != PLACE_FUNCTION || is_glob(place->function) || !count ||
	    !points->instance)
		return;
	text = vanished_text(resolver, points->instance->function, true);
	if (text)
		sites_warn(resolver, sites, text);
}

/* gcc makes functions of OpenMP regions: lines of work() are code of work._omp_fn.0. */
static void warn_regions(struct resolver *resolver, struct sites *sites)
{
	const struct place *place = &sites->spec->place;
	const struct symbol *symbols;
	size_t nsymbols;
	char *glob, *names = NULL;

	if (resolver->target->kind != TARGET_PROGRAM || place->kind != PLACE_LINE ||
	    !place_is_range(place) || is_glob(place->function))
		return;
	glob = arena_printf(resolver->arena, "%s._omp_fn.*", place->function);
	symbols = target_symbols(resolver->target, glob, &nsymbols);
	for (size_t i = 0; i < nsymbols; i++)
		if (glob_matches(glob, symbols[i].name))
			names = arena_printf(resolver->arena, "%s%s'%s:*'", names ?: "",
					     names ? ", " : "", symbols[i].name);
	if (names)
		sites_warn(resolver, sites,
			   arena_printf(resolver->arena,
					"the lines of its OpenMP regions are code of functions of "
					"their own: %s", names));
}

static void warn_many(struct resolver *resolver, struct sites *sites, unsigned count)
{
	if (count >= MANY_POINTS)
		sites_warn(resolver, sites,
			   arena_printf(resolver->arena,
					"%u points: setting them up takes the kernel long, and "
					"each slows down the code it is in", count));
}

void warn_of_points(struct resolver *resolver, struct sites *sites, const struct point *points,
		    unsigned count)
{
	warn_resolver(resolver, sites, points, count);
	warn_left_out(resolver, sites);
	warn_returnless(resolver, sites);
	warn_folded(resolver, sites, points, count);
	warn_thunks(resolver, sites, points, count);
	warn_merged(resolver, sites, points, count);
	warn_range(resolver, sites, points, count);
	warn_vanished(resolver, sites, points, count);
	warn_doubtful(resolver, sites, points, count);
	warn_rearranged(resolver, sites, points, count);
	warn_regions(resolver, sites);
	warn_many(resolver, sites, count);
}
