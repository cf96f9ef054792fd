// SPDX-License-Identifier: GPL-2.0-only
/*
 * Marks the listed lines that the optimiser merged with others, as probe says it of each.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/line_code.h"
#include "resolve/internal.h"
#include "resolve/listing.h"
#include "resolve/passes/merged.h"
#include "resolve/points/points.h"

/* Whether the line is probed at the address. */
static bool is_probed(struct resolver *resolver, const struct instance *instance, unsigned line,
		      uint64_t address)
{
	struct candidates list;

	return line_addresses(resolver, instance, line, &list) && has_address(&list, address);
}

static void mark_findings(struct line_list *list, const struct instance *instance)
{
	struct findings findings;

	merged_find(list->resolver, instance, &findings);
	for (unsigned i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.list[i];
		struct listed_line *at = &list->lines[finding->line - list->first];

		if (finding->line < list->first || finding->line > list->last ||
		    at->owner != instance->function->line)
			continue;
		at->has_fewer |= !finding->is_shared;
		at->has_more |=
			finding->is_shared && !at->has_more &&
			is_probed(list->resolver, instance, finding->line, finding->address);
	}
}

static void mark_lacking(struct line_list *list, unsigned line, struct copies *copies)
{
	struct unmarked unmarked;
	struct listed_line *at = &list->lines[line - list->first];
	struct point *points = arena_array(list->resolver->arena, struct point, at->count + 1);

	for (unsigned i = 0; i < at->count; i++)
		points[i] = (struct point){.instance = at->places[i].instance, .line = line};
	lacking_copies(list->resolver, points, at->count, copies);
	unmarked_copies(list->resolver, points, at->count, &unmarked);
	at->has_fewer |= copies->lacking || unmarked.unmarked;
	at->has_more |= unmarked.unmarked;
}

/* Lines of one function follow each other. */
static void mark_vanished(struct line_list *list)
{
	const struct function *last = NULL;
	bool is_gone = false;

	for (unsigned i = 0; i <= list->last - list->first; i++) {
		const struct function *function =
			list->lines[i].count && list->lines[i].places->instance ?
				list->lines[i].places->instance->function : NULL;

		if (!function)
			continue;
		if (!last || last->line != function->line || strcmp(last->name, function->name))
			is_gone = vanished_text(list->resolver, function, false) != NULL;
		last = function;
		list->lines[i].has_fewer |= is_gone;
	}
}

/* What the probe says of the line's loops, in each instance. */
static void mark_rounds(struct line_list *list, const struct instance *instance, unsigned line)
{
	struct listed_line *at = &list->lines[line - list->first];
	struct candidates chosen;
	struct rounds rounds;

	if ((at->has_fewer && at->has_more) || line == instance->function->line ||
	    !line_addresses(list->resolver, instance, line, &chosen) || !chosen.count)
		return;
	rounds_find(list->resolver, instance, line, &chosen, &rounds);
	at->has_fewer |= rounds.fewer != NULL;
	at->has_more |= rounds.more != NULL;
}

/* asked: for which instance each line was asked about last. */
static void mark_all_rounds(struct line_list *list, const struct instance *instance,
			    unsigned number, unsigned *asked)
{
	struct row *rows;
	unsigned count;

	if (strcmp(instance->function->file, list->file) != 0 ||
	    debuginfo_rows(list->resolver->info, instance, &rows, &count))
		return;
	for (unsigned i = 0; i < count; i++) {
		unsigned line = rows[i].line;

		if (line < list->first || line > list->last || strcmp(rows[i].file, list->file) ||
		    list->lines[line - list->first].owner != instance->function->line ||
		    asked[line - list->first] == number)
			continue;
		asked[line - list->first] = number;
		mark_rounds(list, instance, line);
	}
}

void mark_merged(struct line_list *list, struct instance *const *instances, unsigned count,
		 struct spare *spare)
{
	unsigned nlines = list->last - list->first + 1;
	unsigned *asked = arena_array(list->arena, unsigned, nlines);
	struct copies copies = {0};

	for (unsigned i = 0; i < count; i++) {
		mark_findings(list, instances[i]);
		mark_all_rounds(list, instances[i], i + 1, asked);
		spare_tidy(spare, list->resolver);
	}
	for (unsigned i = 0; i < nlines; i++) {
		mark_lacking(list, list->first + i, &copies);
		if (spare_tidy(spare, list->resolver))
			copies = (struct copies){0};
	}
	mark_vanished(list);
}
