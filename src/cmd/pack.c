// SPDX-License-Identifier: GPL-2.0-only
/* ktrace pack: makes a pack of the debug information of a kernel, of modules or of programs. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/live/output.h"
#include "cmd/sources.h"
#include "pack/pack.h"
#include "target/target.h"

#define MEGABYTE 1000000

struct showing {
	bool is_terminal;
	unsigned percent; /* shown last */
	const char *step;
	const char *name;
};

/* On a terminal, one line that changes. */
static void show_progress(void *cookie, const char *name, const char *step, unsigned percent)
{
	struct showing *showing = cookie;

	if (!showing->is_terminal ||
	    (showing->step == step && showing->percent == percent && showing->name == name))
		return;
	*showing = (struct showing){true, percent, step, name};
	fputs("\r\033[K", stderr);
	tell("ktrace: packing '%s': %s %u%%", name, step, percent);
	fflush(stderr);
}

static void clear_progress(const struct showing *showing)
{
	if (showing->is_terminal && showing->step)
		fputs("\r\033[K", stderr);
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* By its name, as -m and -k take it; all else is a program. */
static struct error *open_input(struct arena *arena, const char *path, struct target **ret)
{
	const char *name = last_part(path);
	const struct target_places places = {.may_fetch = true};

	if (strstr(name, ".ko"))
		return target_open_module(
			arena, strchr(path, '/') ? path : arena_printf(arena, "./%s", path), NULL,
			&places, ret);
	if (!strncmp(name, "vmlinux", strlen("vmlinux")) ||
	    !strncmp(name, "vmlinuz", strlen("vmlinuz")) || ends_in(name, ".vmlinux"))
		return target_open_kernel(arena, path, NULL, &places, ret);
	return target_open_program(arena, path, &places, ret);
}

/* Why debuginfod didn't help, if it was asked. */
static struct error *say_unfetched(struct arena *arena, const struct target *target,
				   struct error *error)
{
	if (!error || error->code != ERROR_NO_DEBUGINFO || !target->unfetched)
		return error;
	error->message = arena_printf(arena, "%s, and none from debuginfod: %s", error->message,
				      target->unfetched);
	return error;
}

static struct error *add(struct arena *arena, const struct options *options,
			 struct pack_output *output, const char *path)
{
	struct target *target = NULL;
	bool by_units;
	struct error *error = open_input(arena, path, &target);
	struct pack_input input = {.name = arena_strdup(arena, last_part(path))};

	if (error)
		return error;
	target_unbound(target);
	if (!target->build_id)
		error = error_hint(arena,
				   error_new(arena, ERROR_NO_DEBUGINFO,
					     "'%s' has no build-id, by which a pack is found",
					     path),
				   "link it with --build-id");
	if (!error)
		error = say_unfetched(arena, target, target_debug_elf(arena, target, &input.debug));
	input.build_id = target->build_id;
	input.kind = (uint8_t)target->kind;
	if (!error)
		error = pack_add(output, &input, &by_units);
	if (!error && options->verbose)
		tell("ktrace: '%s', build-id %s: packed %s by %s\n", path,
			target->build_id, by_units ? "unit" : "section",
			by_units ? "unit" : "section");
	target_close(target);
	return error;
}

static struct error *write_pack(struct arena *arena, const struct options *options,
				struct pack_output *output)
{
	const char *path = options->output;
	const char *glob;
	unsigned next = 0;
	uint64_t size = 0;
	unsigned long tenths;
	bool is_small;
	struct error *error;

	(void)arena;
	while (!options->quiet && (glob = pack_unfound(output, &next)))
		tell(
			"ktrace: warning: no function and no variable outside functions matches "
			"--only '%s'\n",
			glob);
	error = pack_end(output, path, &size);
	is_small = size < MEGABYTE / 10;
	tenths = is_small ? (size + 50) / 100 : (size + MEGABYTE / 20) / (MEGABYTE / 10);
	if (!error && !options->quiet)
		tell("ktrace: '%s': %lu.%lu %s\n", path, tenths / 10, tenths % 10,
		     is_small ? "kB" : "MB");
	return error;
}

struct error *cmd_pack(struct arena *arena, const struct options *options)
{
	struct showing showing = {.is_terminal = !options->quiet && isatty(STDERR_FILENO)};
	struct pack_writing writing = {.only = options->only.texts,
				       .nonly = options->only.count,
				       .progress = show_progress,
				       .cookie = &showing};
	struct pack_output *output = pack_begin(arena, &writing);
	struct error *error = NULL;

	if (!options->noperands)
		return error_hint(
			arena, error_new(arena, ERROR_USAGE, "nothing to pack"),
			"name a vmlinux, modules or programs: ktrace pack VMLINUX -o kernel.ktp");
	if (!options->output)
		return error_hint(arena, error_new(arena, ERROR_USAGE, "where to?"),
				  "name the file: -o FILE.ktp");
	error = precious_check(arena, "-o", options->output,
			       precious_files(arena, options, NULL, 0));
	for (unsigned i = 0; !error && i < options->noperands; i++)
		error = add(arena, options, output, options->operands[i]);
	clear_progress(&showing);
	return error ?: write_pack(arena, options, output);
}
