// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a spec's place into the points to probe, and a point's address into what the kernel is
 * told. Each kind of place has a file (function.c, file_line.c, pattern.c, address.c); here is what
 * all need: the addresses after a program's entry where its arguments are stored, and one point per
 * address.
 */
#include "base/lookup.h"
#include "resolve/flow/written.h"
#include "resolve/points/kinds.h"
#include "target/placing.h"
#include "target/target.h"

struct error *place_site(struct resolver *resolver, const struct point *point, uint64_t address,
			 struct site *site)
{
	const struct target *target = resolver->target;
	const struct instance *instance = point->instance;
	const char *prefer = instance ? (instance->outer ?: instance->function->name) : NULL;
	const struct symbol *symbol = target_symbol_at(target, address, prefer);
	struct placement placement;
	struct error *error;

	site->line = point->line;
	site->asked_line = point->asked_line;
	if (target->kind == TARGET_PROGRAM)
		return program_place(resolver, point, address, site);
	error = target_place(resolver->arena, target, address, prefer, &placement);

	if (error)
		return error;
	site->module = target->module;
	site->symbol = placement.symbol;
	site->offset = placement.offset;
	site->shown_symbol = symbol->name;
	site->shown_offset = address - symbol->address;
	site->address = target_file_address(target, address);
	site->has_address = true;
	site->function = instance ? instance->function->name : symbol->name;
	site->file = instance && *instance->function->file ? instance->function->file : NULL;
	site->directory = site->file ? instance->function->directory : NULL;
	site->inlined = instance && instance->inlined;
	return NULL;
}

static bool is_at_entry(const struct point *point)
{
	return is_begun_at(point->instance, point->at.address);
}

/* before: the point before it, or NULL: points behind the entry of one instance share what was
 * read. */
static const struct prologue *prologue_of(struct resolver *resolver, const struct point *point,
					  const struct point *before)
{
	if (before && before->prologue && before->instance == point->instance &&
	    !is_at_entry(point) && !is_at_entry(before))
		return before->prologue;
	return prologue_read(resolver, point->instance, is_at_entry(point));
}

/* If a program's arguments are not stored yet at the entry, the point may move to after the
 * stores. */
static void add_prologues(struct resolver *resolver, struct points *points)
{
	if (resolver->target->kind != TARGET_PROGRAM)
		return;
	for (unsigned i = 0; i < points->count; i++) {
		struct point *point = &points->list[i];

		if (!point->instance || point->instance->inlined)
			continue;
		point->prologue = prologue_of(resolver, point, i ? point - 1 : NULL);
		if (is_at_entry(point))
			point->nalternatives = prologue_addresses(resolver, point->prologue,
								  &point->alternatives);
	}
}

/* A place that is told by lines or files, to a source that knows none. */
static struct error *check_lines(struct resolver *resolver, const struct spec *spec)
{
	const struct place *place = &spec->place;

	if (place->file)
		return check_lines_known(resolver, spec->text, place->file_span);
	if (place->kind == PLACE_PATTERN)
		return check_lines_known(resolver, spec->text, place->pattern_span);
	return place->kind == PLACE_LINE && place->line ?
	       check_lines_known(resolver, spec->text, place->line_span) : NULL;
}

static struct error *find_points(struct resolver *resolver, const struct spec *spec, bool every,
				 struct point **ret, unsigned *count)
{
	struct points points = {0};
	const struct place *place = &spec->place;
	struct error *error = check_lines(resolver, spec);

	resolver->returnless = NULL;
	resolver->nreturnless = 0;
	if (error)
		return error;
	error = place->kind == PLACE_FILE ?
		file_points(resolver, spec, every, &points) :
		place->kind == PLACE_PATTERN ? pattern_points(resolver, spec, every, &points) :
		place->has_address ? address_points(resolver, spec, &points) :
		function_points(resolver, spec, every, &points);

	if (!error)
		add_prologues(resolver, &points);
	*ret = points.list;
	*count = points.count;
	return error;
}

/* Instances of one template are one function here: which of them a row is of, where no code of
 * either is left, the line table doesn't say. */
static bool is_same_function(const struct function *a, const struct function *b)
{
	size_t length = strcspn(a->name, "<");

	return a->source == b->source ||
	       (length == strcspn(b->name, "<") && !strncmp(a->name, b->name, length));
}

/* Whether both are the same line's, or the same function's beginning. Lines and functions that
 * share an instruction have an event each. */
static bool is_same_line(const struct point *a, const struct point *b)
{
	return a->at.address == b->at.address && a->line == b->line &&
	       (!a->instance || !b->instance ||
		is_same_function(a->instance->function, b->instance->function));
}

/* Whether both are the same pass: not if two copies, or two bodies of a loop, begin at one address,
 * each with a marker of its own. kept: those that stay, other among them. */
static bool is_double(const struct point *point, const struct point *other,
		      const struct point *kept, unsigned nkept)
{
	unsigned there = 0;

	if (!is_same_line(point, other))
		return false;
	if (!point->instance || !other->instance)
		return true;
	if (point->at.view != other->at.view)
		return false;
	if (point->instance->entry == other->instance->entry &&
	    point->instance->entry_view == other->instance->entry_view)
		return true;
	for (unsigned i = 0; i < nkept; i++)
		there += is_same_line(point, &kept[i]);
	return there >= point->marks;
}

static unsigned drop_doubles(struct point *points, unsigned count)
{
	struct lookup by_address = {0};
	struct arena scratch;
	unsigned kept = 0;

	arena_init(&scratch);
	for (unsigned n = 0; n < count; n++) {
		uint64_t address = points[n].at.address;
		uint32_t hash = number_hash(address);

		if (lookup_find(&by_address, hash, i,
				is_double(&points[n], &points[i], points, kept)) != LOOKUP_NONE)
			continue;
		lookup_add(&scratch, &by_address, hash, kept);
		points[kept++] = points[n];
	}
	arena_deinit(&scratch);
	return kept;
}

/* openat is __se_sys_openat in __x64_sys_openat, and for 32-bit programs in __ia32_sys_openat: a
 * user's openat means the first. */
static void compat_last(struct resolver *resolver, struct point *points, unsigned count)
{
	struct point *others = arena_array(resolver->arena, struct point, count);
	unsigned kept = 0, nothers = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = points[i].instance;

		if (instance && instance->outer && !strncmp(instance->outer, "__ia32_", 7))
			others[nothers++] = points[i];
		else
			points[kept++] = points[i];
	}
	memcpy(points + kept, others, nothers * sizeof(*points));
}

struct error *resolve_points(struct resolver *resolver, const struct spec *spec,
			     struct point **ret, unsigned *count)
{
	struct error *error = find_points(resolver, spec, false, ret, count);

	if (!error)
		*count = drop_jumps_to_others(resolver, *ret, drop_doubles(*ret, *count));
	if (!error && *count > 1 && *count < 64 && resolver->target->kind == TARGET_KERNEL)
		compat_last(resolver, *ret, *count);
	return error;
}

struct error *resolve_all_points(struct resolver *resolver, const struct spec *spec,
				 struct point **ret, unsigned *count)
{
	return find_points(resolver, spec, true, ret, count);
}
