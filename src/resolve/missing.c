// SPDX-License-Identifier: GPL-2.0-only
/*
 * Combines the reasons why a spec's places lack a value into one error. Instances of a function may
 * lack it for different reasons, so the first three are named, each with its number of places;
 * places with other reasons are counted. The caret and the hint are those of the first reason.
 */
#include "resolve/internal.h"

/* A missing name is reported with its function; for all functions of a glob that counts as one
 * reason. */
static bool is_alike(const struct error *a, const struct error *b)
{
	return !strcmp(a->message, b->message) ||
	       (a->code == ERROR_NOT_FOUND && b->code == ERROR_NOT_FOUND &&
		a->span.start == b->span.start && a->span.end == b->span.end);
}

void missing_note(struct missing *missing, struct error *error)
{
	missing->places++;
	missing->found |= !error;
	for (unsigned i = 0; error && i < missing->nreasons; i++)
		if (is_alike(missing->reasons[i].error, error)) {
			missing->reasons[i].is_many |= !!strcmp(missing->reasons[i].error->message,
								error->message);
			missing->reasons[i].places++;
			return;
		}
	if (error && missing->nreasons < MISSING_REASONS)
		missing->reasons[missing->nreasons++] = (struct missing_reason){error, 1, false};
}

struct error *missing_error(struct arena *arena, const struct missing *missing)
{
	const struct missing_reason *reasons = missing->reasons;
	struct error *first = missing->nreasons ? reasons[0].error : NULL;
	unsigned told = 0;
	char *text = NULL;

	if (missing->found || !first)
		return NULL;
	if (missing->nreasons == 1) {
		if (reasons[0].is_many)
			first->message = arena_printf(arena, "%s, and the like at %u other places",
						      first->message, missing->places - 1);
		return first;
	}
	for (unsigned i = 0; i < missing->nreasons; i++) {
		text = arena_printf(arena, "%s%s%s (%u of %u places)", text ? text : "",
				    text ? "; " : "", reasons[i].error->message, reasons[i].places,
				    missing->places);
		told += reasons[i].places;
	}
	if (told < missing->places)
		text = arena_printf(arena, "%s; and the like at %u more", text,
				    missing->places - told);
	first->message = text;
	return first;
}
