/* SPDX-License-Identifier: GPL-2.0-only */
/* What the command line names: targets, their debug information, their source text. */
#ifndef CMD_SOURCES_H
#define CMD_SOURCES_H

#include "cmd/options.h"
#include "resolve/resolve.h"

/* The targets and sources of one run: each opened once, when it is first needed. */
struct sources {
	struct arena *arena;
	const struct options *options;
	struct source *list;
	const char **names; /* of functions that the sources will be asked for */
	unsigned nnames;
};
void sources_init(struct sources *sources, struct arena *arena, const struct options *options);
void sources_deinit(struct sources *sources);
/* All is read that has to be: the bounds of memory for it end. */
void sources_unbound(const struct sources *sources);
/* Before the first sources_get(): a function, or NULL, that will be asked for. Debug information is searched
 * once for all of them, while it is being opened. */
void sources_expect(struct sources *sources, const char *function);
/* The resolver for a module, or (NULL) what the options name. `live`: the build-id must be that of
 * what runs here. */
struct error *sources_get(struct sources *sources, const char *module, bool live,
			  struct resolver **ret) must_check;

/* source_text.c: a file of the source, as the compiler was told its name, under DIR (-s) or, that NULL, where
 * it was. NULL: it isn't there, or must not be shown: *refused says why. */
const char *source_text(struct arena *arena, const struct target *target, const char *dir,
			const char *path, const char **refused);
/* package.c: the command that installs the debug information of a program, or of the running kernel; NULL:
 * none is known. */
const char *program_package(struct arena *arena, const char *path);
const char *kernel_package(struct arena *arena);

struct spec;
/* module.c: MODULE:FUNC of a module that this kernel can't have. */
struct error *check_module(struct arena *arena, const struct options *options,
			   const struct spec *spec) must_check;

#endif
