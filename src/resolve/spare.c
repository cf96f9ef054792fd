// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bounds the memory of many answers that aren't kept.
 *
 * The surprise: it is emptied when it has grown, and not behind each answer, since the next one is
 * often found by what the last one read.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"

enum { MOST_SPARE = 16 << 20 };

void resolver_use(struct resolver *resolver, struct arena *arena)
{
	resolver->arena = arena;
	resolver->flow = NULL;
	resolver->inner_copies = (struct inner_copies){0};
	if (resolver->info)
		debuginfo_answer_in(resolver->info, arena);
}

void spare_begin(struct spare *spare, struct resolver *resolver)
{
	*spare = (struct spare){.kept = resolver->arena};
	resolver_use(resolver, &spare->own);
}

bool spare_tidy(struct spare *spare, struct resolver *resolver)
{
	if (spare->own.total < MOST_SPARE)
		return false;
	resolver_use(resolver, spare->kept);
	arena_reset(&spare->own);
	resolver_use(resolver, &spare->own);
	return true;
}

struct error *spare_end(struct spare *spare, struct resolver *resolver, struct error *error)
{
	resolver_use(resolver, spare->kept);
	error = error ? error_copy(spare->kept, error) : NULL;
	arena_deinit(&spare->own);
	return error;
}
