/* SPDX-License-Identifier: GPL-2.0-only */
/* The verbs, and how a trace is planned and run. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "cmd/options.h"

struct plan;
struct target;

struct error *cmd_probe(struct arena *arena, const struct options *options) must_check;
struct error *cmd_plan(struct arena *arena, const struct options *options) must_check;
struct error *cmd_run(struct arena *arena, const struct options *options) must_check;
struct error *cmd_follow(struct arena *arena, const struct options *options) must_check;
struct error *cmd_graph(struct arena *arena, const struct options *options) must_check;
struct error *cmd_lines(struct arena *arena, const struct options *options) must_check;
struct error *cmd_vars(struct arena *arena, const struct options *options) must_check;
struct error *cmd_funcs(struct arena *arena, const struct options *options) must_check;
struct error *cmd_list(struct arena *arena, const struct options *options) must_check;
struct error *cmd_merge(struct arena *arena, const struct options *options) must_check;
struct error *cmd_pack(struct arena *arena, const struct options *options) must_check;
struct error *cmd_clean(struct arena *arena, const struct options *options) must_check;

struct caps;
struct child;
struct plan_input;
struct spec;
struct tracepoint;
/* input.c: what a live run adds: CPUs, guards, bounds of strings. */
void input_live(struct plan_input *input);
/* Whether the kernel counts, and by what. */
void input_counting(struct arena *arena, const struct options *options, bool is_live,
		    struct plan_input *input);
/* Begins a live run of a plan that is still to be made: finds the command, and what the kernel can
 * do. All but the arena must outlive the run. */
struct error *input_begin(struct arena *arena, const struct options *options, struct child *child,
			  struct caps *caps, struct plan_input *input) must_check;
struct error *input_filters(struct arena *arena, const char *const *texts, unsigned count,
			    struct plan_input *input) must_check;
/* filter_functions.c: fills input->code with the functions that filters name. */
void find_code(struct arena *arena, const struct spec *spec, const struct tracepoint *tracepoints,
	       unsigned count, struct plan_input *input);
/* plan_tracepoints.c: appends the probes for each -e to the plan. */
struct error *plan_events(struct arena *arena, const struct options *options,
			  const struct plan_input *input, struct plan *plan) must_check;

struct child;
struct resolver;
struct sources;
/* probe.c: finds the resolver for a spec; NULL where the kernel can resolve the spec alone. */
struct error *find_source(struct sources *sources, const struct spec *spec, bool live,
			  struct resolver **ret) must_check;
/* `ktrace probe vfs_read count`: the shell split one spec in two. index: of the operand with the
 * error. */
struct error *hint_quotes(struct arena *arena, const struct options *options, unsigned index,
			  struct error *error) must_check;
/* before_live.c: prints on standard error, without control characters of names. */
void __attribute__((format(printf, 1, 2))) tell(const char *format, ...);
/* Refuses to trace only some tasks where that would hide ends of pairs; with -v, tells the
 * definitions. */
struct error *before_live(struct arena *arena, const struct options *options,
			  const struct plan *plan) must_check;
/* Closes the sources and runs the trace: so during it no file is open that others can write to. */
struct error *go_live(struct sources *sources, struct plan *plan, struct target *program,
		      struct child *child) must_check;
struct code_places;
/* live.c: runs the trace. program: the one of -x, for the names of its addresses; or NULL. files:
 * those of the kernel that are known by now, ends with a path of NULL; or NULL. */
struct error *run_live(struct arena *arena, const struct options *options,
		       const struct plan *plan, const struct target *program,
		       const struct code_places *places, struct child *child) must_check;

#endif
