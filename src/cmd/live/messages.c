// SPDX-License-Identifier: GPL-2.0-only
/*
 * The messages of a live run on standard error: at its start what is unavailable, at its end what
 * was lost. -q leaves out all but losses and skipped probes.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/live/child.h"
#include "cmd/live/live.h"

void say_summary(struct strbuf *out, const struct options *options, const struct plan *plan,
		 uint64_t events, const struct stream_counts *counts, const struct missed *missed)
{
	uint64_t all = missed_sum(missed);

	if (options->quiet && !counts->lost && !counts->lost_is_unknown && !all &&
	    !missed->entries && !missed->is_unknown && !missed->dropped && !missed->unsure &&
	    !counts->unknown && !missed->unrecorded)
		return;
	strbuf_printf(out, "ktrace: %llu %s%s, ", (unsigned long long)events,
		      plan->graph || plan->following ? "call" : "event",
		      events == 1 ? "" : "s");
	if (counts->lost_is_unknown)
		strbuf_puts(out, "lost: not known, ");
	else
		strbuf_printf(out, "%llu lost, ", (unsigned long long)counts->lost);
	if (missed->is_unknown)
		strbuf_puts(out, "missed: not known");
	else
		strbuf_printf(out, "%llu missed", (unsigned long long)all);
	if (counts->filtered)
		strbuf_printf(out, ", %llu filtered", (unsigned long long)counts->filtered);
	if (missed->dropped)
		strbuf_printf(out,
			      ", %llu dropped: the kernel's table was full, --keys makes it larger",
			      (unsigned long long)missed->dropped);
	if (missed->unrecorded)
		strbuf_printf(out, ", %llu not recorded", (unsigned long long)missed->unrecorded);
	strbuf_putc(out, '\n');
	if (counts->unknown)
		strbuf_printf(out,
			      "ktrace: left out %llu: their threads had ended before it was known "
			      "whether they belong to -p or to a child\n",
			      (unsigned long long)counts->unknown);
	for (unsigned i = 0; i < counts->ncpus; i++)
		if (counts->lost_per_cpu[i])
			strbuf_printf(out,
				      "ktrace: CPU %u lost %llu; a larger buffer (-b) keeps more\n",
				      i, (unsigned long long)counts->lost_per_cpu[i]);
	pairs_text(out, "ktrace: ", counts->pairs, counts->npairs);
	missed_say(out, options, plan, missed);
}

/* What is true of several probes of a spec is said of the first, unless -v is given. */
struct remark {
	const struct options *options;
	const struct plan *plan;
	struct session *session;
	unsigned probe;
	unsigned value; /* UINT_MAX: it is skipped */
};

static bool is_true_of(const struct remark *remark, unsigned index)
{
	const struct probe *probe = &remark->plan->probes[index];

	if (role_is_companion(probe->role) ||
	    probe->spec != remark->plan->probes[remark->probe].spec)
		return false;
	if (remark->value == UINT_MAX || session_skipped(remark->session, index))
		return remark->value == UINT_MAX && session_skipped(remark->session, index);
	return probe->values[remark->value].status != VALUE_OK;
}

/* Whether no earlier probe's remark has said it. *more: ", and 12 more", or "". */
static bool is_first(const struct remark *remark, const char **more)
{
	unsigned others = 0;

	for (unsigned i = 0; i < remark->plan->nprobes && !remark->options->verbose; i++) {
		if (!is_true_of(remark, i))
			continue;
		if (i < remark->probe)
			return false;
		others += i > remark->probe;
	}
	*more = others ? arena_printf(remark->plan->arena, ", and %u more", others) : "";
	return true;
}

/* Said even with -q: hits there are not shown. */
static void say_skipped(struct strbuf *out, const struct remark *remark, const struct error *error)
{
	const struct probe *probe = &remark->plan->probes[remark->probe];
	const char *more;

	if (!role_is_companion(probe->role) && is_first(remark, &more))
		strbuf_printf(out, "ktrace: %s is skipped%s: %s; %s\n", probe->event, more,
			      error->message, advice(remark->plan->arena, remark->options, error));
}

static void say_unavailable(struct strbuf *out, const struct remark *remark)
{
	const struct probe *probe = &remark->plan->probes[remark->probe];
	const struct value *value = &probe->values[remark->value];
	const char *more;

	/* of a call's lines, each shows what it has */
	if (value->status != VALUE_OK && !remark->options->quiet && !remark->plan->following &&
	    is_first(remark, &more))
		strbuf_printf(out, "ktrace: %s%s: '%s' is unavailable: %s\n", probe->event, more,
			      value->name, value->reason);
}

/* The same, in one line, for functions of a call graph that the user didn't name. */
static void say_left_out(struct strbuf *out, const struct options *options, const struct plan *plan,
			 struct session *session)
{
	unsigned count = 0, most = options->verbose ? UINT_MAX : 8;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		if (!probe->spec->is_optional || probe->is_return || !session_skipped(session, i))
			continue;
		if (count++ < most)
			strbuf_printf(
				out, "%s%s",
				count == 1 ?
					"ktrace: left out, as the kernel forbids probes there: " :
					", ",
				probe->site->function);
	}
	if (count > most)
		strbuf_printf(out, " and %u more (-v)", count - most);
	if (count)
		strbuf_putc(out, '\n');
}

static void put_unseen(struct strbuf *out, const struct probe *probe)
{
	const struct site *site = probe->site;

	if (probe->is_return)
		strbuf_puts(out, "where it returns");
	else if (probe->spec->followed != FOLLOWED_LINE)
		strbuf_printf(out, "%s in %s", site->function, site->shown_symbol ?: "?");
	else if (site->inner)
		strbuf_printf(out, "line %u of %s", site->line, site->function);
	else
		strbuf_printf(out, "line %u", site->line);
}

/* The same for what of a call isn't seen. Said even with -q: it is missing from what is shown. */
static void say_unseen(struct strbuf *out, const struct options *options, const struct plan *plan,
		       struct session *session)
{
	unsigned count = 0, most = options->verbose ? UINT_MAX : 8;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		if (role_is_companion(plan->probes[i].role) || !session_skipped(session, i) ||
		    count++ >= most)
			continue;
		strbuf_puts(out,
			    count == 1 ?
				    "ktrace: not shown, as the kernel allows no probe there: " :
				    ", ");
		put_unseen(out, &plan->probes[i]);
	}
	if (count > most)
		strbuf_printf(out, " and %u more (-v)", count - most);
	if (count)
		strbuf_putc(out, '\n');
}

static bool is_perhaps(const struct site *site)
{
	return site->is_perhaps;
}

static bool may_lack(const struct site *site)
{
	return site->may_lack;
}

/* Names the lines of the function itself for which that holds. */
static void say_lines(struct strbuf *out, const struct options *options, const struct plan *plan,
		      bool (*holds)(const struct site *), const char *text)
{
	unsigned count = 0, last = 0, most = options->verbose ? UINT_MAX : 8;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct site *site = plan->probes[i].site;

		if (role_is_companion(plan->probes[i].role) || !holds(site) || site->inner ||
		    (site->line == last && count))
			continue;
		last = site->line;
		if (count++ < most)
			strbuf_printf(out, "%s%u", count == 1 ? text : ", ", site->line);
	}
	if (count > most)
		strbuf_printf(out, " and %u more (-v)", count - most);
	if (count)
		strbuf_putc(out, '\n');
}

/* Which lines have a `?`, and which may be missing. */
static void say_doubtful(struct strbuf *out, const struct options *options, const struct plan *plan)
{
	say_lines(out, options, plan, is_perhaps,
		  "ktrace: lines that may not have been passed where they are shown with '?', as "
		  "their code runs in other cases, too: ");
	say_lines(out, options, plan, may_lack,
		  "ktrace: lines that may be passed without being shown, as the compiler merged or "
		  "removed code of theirs: ");
}

/* At how many lines of the plan, from a probe on, a variable is left out. */
static unsigned without_room(const struct plan *plan, unsigned from, const char *name)
{
	unsigned count = 0;

	for (unsigned i = from; i < plan->nprobes; i++)
		for (unsigned j = 0; j < plan->probes[i].nvalues; j++)
			count += plan->probes[i].values[j].status == VALUE_LEFT_OUT &&
				 !strcmp(plan->probes[i].values[j].name, name);
	return count;
}

static void say_no_room(struct strbuf *out, const struct plan *plan)
{
	unsigned count = 0;

	for (unsigned i = 0; i < plan->nprobes; i++)
		for (unsigned j = 0; j < plan->probes[i].nvalues; j++) {
			const struct value *value = &plan->probes[i].values[j];
			unsigned all = value->status == VALUE_LEFT_OUT ?
					       without_room(plan, 0, value->name) :
					       0;

			if (!all || without_room(plan, i, value->name) != all)
				continue;
			strbuf_printf(out, "%s%s (at %u line%s)",
				      count++ ? ", " :
						"ktrace: left out, as a record can't hold all "
						"variables of a line: ",
				      value->name, all, all == 1 ? "" : "s");
		}
	if (count)
		strbuf_printf(out, "; name %s to see it\n", count == 1 ? "it" : "one");
}

static bool is_loaded(struct arena *arena, const char *module)
{
	return !access(arena_printf(arena, "/sys/module/%s/initstate", module), F_OK);
}

static const char *module_of(const struct plan *plan, unsigned probe)
{
	return plan->probes[probe].site ? plan->probes[probe].site->module : NULL;
}

static bool is_first_in(const struct plan *plan, const char *module, unsigned probe)
{
	for (unsigned i = 0; i < probe; i++)
		if (module_of(plan, i) && !strcmp(module_of(plan, i), module))
			return false;
	return true;
}

/* The kernel takes a probe in a module that isn't there, for when it comes. */
static void say_not_loaded(struct strbuf *out, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const char *module = module_of(plan, i);

		if (module && is_first_in(plan, module, i) && !is_loaded(plan->arena, module))
			strbuf_printf(out,
				      "ktrace: the module '%s' isn't loaded: its probes wait until "
				      "it is\n", module);
	}
}

void say_ready(struct strbuf *out, const struct options *options, const struct plan *plan,
	       struct session *session)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		const struct error *skipped = session_skipped(session, i);
		struct remark remark = {options, plan, session, i, UINT_MAX};

		if (skipped && (plan->following || (probe->spec && probe->spec->is_optional)))
			continue;
		if (skipped) {
			say_skipped(out, &remark, skipped);
			continue;
		}
		for (remark.value = 0; remark.value < probe->nvalues; remark.value++)
			say_unavailable(out, &remark);
		shown += !role_is_companion(probe->role) && !probe->host;
		if (probe->has_unguarded && !options->quiet)
			strbuf_printf(out,
				      "ktrace: %s: there is no room for guards of some reads, "
				      "which show old bytes where memory can't be read\n",
				      probe->event);
		if (options->filters.count && probe->is_filter_partly_ours && !options->quiet)
			strbuf_printf(out,
				      "ktrace: %s: ktrace tests a part of the filter, as the "
				      "kernel can't\n", probe->event);
	}
	if (!options->quiet)
		say_not_loaded(out, plan);
	if (plan->graph)
		say_left_out(out, options, plan, session);
	if (plan->following)
		say_unseen(out, options, plan, session);
	if (plan->following && !options->quiet)
		say_no_room(out, plan);
	if (plan->following && !options->quiet)
		say_doubtful(out, options, plan);
	if (!options->quiet && !options->count && !options->command && options->seconds <= 0)
		strbuf_printf(out, "ktrace: tracing %u %s%s... Ctrl-C ends it\n", shown,
			options->events.count ? "event" : "probe", shown == 1 ? "" : "s");
}

void say_goes_on(const struct child *child)
{
	tell("ktrace: '%s' (pid %d) keeps running: SIGTERM didn't end it\n",
	     child->command[0], (int)child->pid);
}

void say_left_running(struct strbuf *out, const char *command, const pid_t *pids, unsigned count)
{
	strbuf_printf(out,
		      "ktrace: the trace ended with '%s', but %u process%s that it started %s on; "
		      "to trace %s: -p ",
		      command, count, count == 1 ? "" : "es", count == 1 ? "goes" : "go",
		      count == 1 ? "it" : "them");
	for (unsigned i = 0; i < count; i++)
		strbuf_printf(out, "%s%d", i ? "," : "", (int)pids[i]);
	strbuf_putc(out, '\n');
}

void say_leftovers(struct strbuf *out, struct arena *arena, const struct options *options)
{
	struct leftover *left;
	unsigned count;

	if (options->quiet || leftovers_find(arena, &left, &count))
		return;
	for (unsigned i = 0; i < count; i++)
		strbuf_printf(out,
			      "ktrace: a killed ktrace (pid %d) left %u probe%s%s behind; 'ktrace "
			      "clean' removes them\n",
			      (int)left[i].owner.pid, left[i].nevents,
			      left[i].nevents == 1 ? "" : "s",
			      left[i].has_instance ? " and its instance" : "");
}
