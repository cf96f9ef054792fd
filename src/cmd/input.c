// SPDX-License-Identifier: GPL-2.0-only
/* What plan/ is told besides the sites. */
#include <sys/random.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/live/child.h"
#include "plan/plan.h"
#include "session/session.h"
#include "spec/spec.h"

#define TEXT_BYTES 256 /* recorded of a string, unless the spec asks for more */

/* A random 1 to 2 GiB; the kernel keeps 32 bits of an offset. A small number minus it isn't a
 * user address, and a traced program can't know the offset and prepare for it. */
static uint64_t guard_offset(void)
{
	uint32_t random = 0x1a2b3c4d;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
		random ^= (uint32_t)getpid() << 8;
	return 0x40000000 + random % 0x40000000;
}

void input_live(struct plan_input *input)
{
	input->ncpus = possible_cpus();
	input->guard_offset = guard_offset();
	input->text_bytes = TEXT_BYTES;
}

struct error *input_begin(struct arena *arena, const struct options *options, struct child *child,
			  struct caps *caps, struct plan_input *input)
{
	struct error *error = child_find(arena, options->command, child);

	if (!error)
		error = caps_read(arena, caps);
	if (error)
		return error;
	input->caps = caps;
	input_live(input);
	return NULL;
}

void input_counting(struct arena *arena, const struct options *options, bool is_live,
		    struct plan_input *input)
{
	const char *engine = options->in_kernel;

	input->counts_in_kernel = engine;
	input->counted_rows = (unsigned)options->keys;
	input->needs_program = engine && !strcmp(engine, "program");
	input->needs_trigger = engine && !strcmp(engine, "trigger");
	if (!engine)
		return;
	if (input->needs_trigger)
		input->no_program = "--in-kernel=trigger rules out a BPF program";
	else if (options->pids.count || (options->command && !options->all))
		input->no_program = "a BPF program doesn't know which tasks -p or COMMAND mean; -a "
				    "counts those of all";
	else if (is_live)
		input->no_program = programs_obstacle(arena);
}

struct error *input_filters(struct arena *arena, const char *const *texts, unsigned count,
			    struct plan_input *input)
{
	const struct filter **filters = arena_array(arena, const struct filter *, count + 1);
	struct error *error = NULL;

	input->filters = filters;
	input->filter_texts = texts;
	for (unsigned i = 0; i < count && !error; i++)
		error = filter_parse(arena, texts[i], &filters[i]);
	input->nfilters = count;
	return error;
}
