// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a finished plan to its trace: what resolved it is closed first, as it takes much memory, and
 * only what names addresses in stacks is kept.
 */
#include "cmd/cmd.h"
#include "cmd/live/child.h"
#include "cmd/sources.h"
#include "cmd/stacks/stack_frames.h"
#include "plan/plan.h"
#include "target/target.h"

/* The kernel's files that the sources have read, for the names in its stacks. */
static struct code_file *kernel_files(struct sources *sources)
{
	struct code_file *list = NULL;
	const struct target *target;
	unsigned count = 0;

	for (unsigned i = 0; (target = sources_target(sources, i)); i++)
		if (target->kind != TARGET_PROGRAM)
			arena_append(sources->arena, list, count) = (struct code_file){
				.module = target->module,
				.path = target->path,
				.is_fetched = target->fetched,
			};
	arena_append(sources->arena, list, count) = (struct code_file){0};
	return list;
}

struct error *go_live(struct sources *sources, struct plan *plan, struct target *program,
		      struct child *child)
{
	struct code_places *places = arena_new(sources->arena, struct code_places);

	places->files = kernel_files(sources);
	sources_places(sources, &places->places, &places->cache);
	plan_keep(plan);
	if (program)
		target_keep_symbols(program);
	sources_deinit(sources);
	return run_live(sources->arena, sources->options, plan, program, places, child);
}
