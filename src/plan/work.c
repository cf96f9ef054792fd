// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe in the making: its companions, and the arguments added to it or to one of them. A
 * companion is made once something asks for it.
 */
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"
#include "plan/names.h"

struct probe *work_probe(struct work *work, enum part part)
{
	if (!work->probes[part])
		work->probes[part] = arena_new(work->arena, struct probe);
	return work->probes[part];
}

unsigned work_fetch(struct work *work, const struct fetch_text *text, const char *field,
		    const struct fetch_type *type)
{
	struct probe *probe = work_probe(work, text->part);

	probe->fetches = arena_grow(work->arena, probe->fetches,
				    probe->nfetches * sizeof(*probe->fetches),
				    (probe->nfetches + 1) * sizeof(*probe->fetches));
	probe->fetches[probe->nfetches] = (struct fetch){
		.field = field_name(work->arena, probe, field),
		.body = text->body,
		.way = text->way,
		.type = *type,
		.want_span = work->want ? work->want->span : probe->spec->place.span,
	};
	return fetch_number(text->part, probe->nfetches++);
}

/* Which of the part's first `count` fetches records the same, by that name if there is one of it;
 * or a new one. */
static unsigned fetch_among(struct work *work, unsigned count, const struct fetch_text *text,
			    const char *field, const struct fetch_type *type)
{
	const struct probe *probe = work_probe(work, text->part);
	unsigned found = count;

	for (unsigned i = 0; i < count; i++) {
		const struct fetch *fetch = &probe->fetches[i];

		if (!strcmp(fetch->body, text->body) && same_type(&fetch->type, type) &&
		    (found == count || !strcmp(fetch->field, field)))
			found = i;
	}
	return found < count ? fetch_number(text->part, found) :
			       work_fetch(work, text, field, type);
}

unsigned work_fetch_once(struct work *work, const struct fetch_text *text, const char *field,
			 const struct fetch_type *type)
{
	return fetch_among(work, work_probe(work, text->part)->nfetches, text, field, type);
}

unsigned work_fetch_hosted(struct work *work, const struct fetch_text *text, const char *field,
			   const struct fetch_type *type)
{
	return fetch_among(work, text->part == PART_OWN ? work->nhosted : 0, text, field, type);
}
