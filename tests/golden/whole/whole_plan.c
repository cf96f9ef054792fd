// SPDX-License-Identifier: GPL-2.0-only
/*
 * whole_plan VMLINUX DIRECTORY SPEC...: what `ktrace -k VMLINUX FORM --cpus 4 SPEC...` would print, with one plan
 * for all, and nothing thrown away before the end. A file in DIRECTORY for each FORM: -n, -nv, -D and --json. How many
 * probes there are is on standard output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void print(struct whole *whole, const char *directory, const char *form)
{
	struct dry_run dry = {.options = &whole->options};
	struct error *error;

	if (!freopen(arena_printf(whole->arena, "%s/%s", directory, form), "w", stdout))
		perror(form), exit(1);
	whole->options.json = !strcmp(form, "--json");
	whole->options.definition = !strcmp(form, "-D");
	whole->options.verbose = !strcmp(form, "-nv");
	dry_run_print(&dry, &whole->plan);
	error = dry_run_end(&dry, whole->arena, NULL);
	if (error)
		fprintf(stderr, "%s\n", error->message);
	exit(error ? 1 : 0);
}

/* Each form in a process of its own: what one leaves behind is nothing to the next. */
static int print_all(struct whole *whole, const char *directory)
{
	static const char *const forms[] = {"-n", "-nv", "-D", "--json"};
	int failed = 0;

	for (unsigned i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		int status = -1;
		pid_t child = fork();

		if (!child)
			print(whole, directory, forms[i]);
		failed |= child < 0 || waitpid(child, &status, 0) != child || status;
	}
	return failed;
}

int main(int argc, char **argv)
{
	struct caps caps = caps_assumed();
	struct arena arena;
	struct whole whole = {.arena = &arena, .plan.arena = &arena};
	struct sources sources;
	struct error *error = NULL;
	int failed;

	if (argc < 4)
		return 2;
	arena_init(&arena);
	whole.options.vmlinux = argv[1];
	whole.options.no_cache = true;
	whole.input.caps = &caps;
	whole.input.ncpus = 4;
	sources_init(&sources, &arena, &whole.options);
	for (int i = 3; i < argc && !error; i++)
		error = add_spec(&whole, &sources, argv[i]);
	if (error)
		fprintf(stderr, "%s\n", error->message);
	printf("%u\n", whole.plan.nprobes);
	fflush(stdout);
	failed = error || print_all(&whole, argv[2]);
	sources_deinit(&sources);
	arena_deinit(&arena);
	return failed;
}
