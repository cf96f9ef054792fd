// SPDX-License-Identifier: GPL-2.0-only
/* Checks a plan against who is traced, and tells its definitions: the same for `probe` and for
 * `run`. */
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "plan/plan.h"
#include "spec/spec.h"

/* Prints to standard error; strings are escaped. */
void tell(const char *format, ...)
{
	struct strbuf text = {0};
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	fputs(text.data, stderr);
	strbuf_deinit(&text);
}

/* An end that isn't recorded leaves its start to the next end of the same values. So where a task
 * that isn't traced may be the one that ends a pair, all must be. A program's own tasks are, all of
 * them. */
static struct error *check_whom(struct arena *arena, const struct options *options,
				const struct plan *plan)
{
	bool is_some = !options->all && (options->pids.count || options->command);

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		const struct pairing *pairing =
			probe->pair ? plan->pairs[probe->pair - 1].pairing : NULL;

		if (!pairing || !pairing->njoins ||
		    !(options->comms.count || (is_some && !probe->site->path)))
			continue;
		return error_hint(
			arena,
			error_at(error_new(arena, ERROR_USAGE,
					   "%s hides ends of this pair that another task reaches",
					   options->comms.count ? "--comm" :
					   options->pids.count	? "-p" :
								  "COMMAND"),
				 probe->spec->text, pairing->joins[0].span),
			"%s; --filter 'comm == \"NAME\"' selects by the task of the start",
			options->comms.count ? "leave --comm out" : "add -a");
	}
	return NULL;
}

/* Only for a live run: a dry run prints this on standard output. */
static void tell_places(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		struct strbuf definition = {0};

		strbuf_expand(&definition, probe->definition, GROUP_MARK, probe->group);
		tell("ktrace: %s: %s%s\n", probe->event, probe->host ? "with " : "",
		     probe->host ? plan->probes[probe->host - 1].event : definition.data);
		strbuf_deinit(&definition);
		if (probe->counting && probe->counting->no_program)
			tell("ktrace: %s: counted by a hist trigger, not by a program: %s\n",
			     probe->event, probe->counting->no_program);
		if (probe->site->note)
			tell("ktrace: %s: %s\n", probe->event, probe->site->note);
	}
}

struct error *before_live(struct arena *arena, const struct options *options,
			  const struct plan *plan)
{
	struct error *error = check_whom(arena, options, plan);

	if (!error && options->verbose)
		tell_places(plan);
	return error;
}
