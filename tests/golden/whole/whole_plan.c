// SPDX-License-Identifier: GPL-2.0-only
/*
 * whole_plan VMLINUX FORM SPEC...: what `ktrace -k VMLINUX FORM --cpus 4 SPEC...` would print, with one plan
 * for all, and nothing thrown away before the end. FORM: -n, -nv, -D or --json.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/dry.h"
#include "cmd/options.h"
#include "cmd/sources.h"
#include "plan/plan.h"
#include "spec/spec.h"

struct whole {
	struct arena *arena;
	struct options options;
	struct plan_input input;
	struct plan plan;
};

static struct error *add_spec(struct whole *whole, struct sources *sources, const char *text)
{
	struct resolver *resolver;
	struct batches *batches;
	struct sites *sites;
	struct spec *spec;
	struct error *error = spec_parse(whole->arena, text, &spec);

	if (!error)
		error = sources_get(sources, NULL, false, &resolver);
	if (error)
		return error;
	batches = resolve_open(resolver, spec, NULL);
	do {
		error = resolve_next(batches, &sites);
		if (!error && sites)
			error = plan_add(whole->arena, &whole->input, sites, &whole->plan);
	} while (!error && sites);
	return resolve_close(batches, error);
}

int main(int argc, char **argv)
{
	struct caps caps = caps_assumed();
	struct arena arena;
	struct whole whole = {.arena = &arena, .plan.arena = &arena};
	struct dry_run dry = {.options = &whole.options};
	struct sources sources;
	struct error *error = NULL;

	if (argc < 4)
		return 2;
	arena_init(&arena);
	whole.options.vmlinux = argv[1];
	whole.options.no_cache = true;
	whole.options.json = !strcmp(argv[2], "--json");
	whole.options.definition = !strcmp(argv[2], "-D");
	whole.options.verbose = !strcmp(argv[2], "-nv");
	whole.input.caps = &caps;
	whole.input.ncpus = 4;
	sources_init(&sources, &arena, &whole.options);
	for (int i = 3; i < argc && !error; i++)
		error = add_spec(&whole, &sources, argv[i]);
	fprintf(stderr, "%u\n", whole.plan.nprobes);
	if (!error)
		dry_run_print(&dry, &whole.plan);
	error = dry_run_end(&dry, &arena, error);
	if (error)
		fprintf(stderr, "%s\n", error->message);
	sources_deinit(&sources);
	arena_deinit(&arena);
	return error != NULL;
}
