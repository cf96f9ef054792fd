/* SPDX-License-Identifier: GPL-2.0-only */
/* The targets that the command line names, their debug information and source text. */
#ifndef CMD_SOURCES_H
#define CMD_SOURCES_H

#include "cmd/options.h"
#include "resolve/resolve.h"

/* The targets of one run, each opened when it is first needed. */
struct sources {
	struct arena *arena;
	const struct options *options;
	struct source *list;
	const char **names; /* functions that the sources will be asked for */
	unsigned nnames;
	const char **packs; /* where packs are looked for */
	unsigned npacks;
};
void sources_init(struct sources *sources, struct arena *arena, const struct options *options);
void sources_deinit(struct sources *sources);
/* Call once everything is read: ends the bound on memory. */
void sources_unbound(const struct sources *sources);
/* Call before the first sources_get(), for each function that will be asked for (or NULL). Debug
 * information is searched once for all of them, while it is being opened. */
void sources_expect(struct sources *sources, const char *function);
/* The resolver for a module, or (NULL) for what the options name. `live`: the build-id must be
 * that of what is running. */
struct error *sources_get(struct sources *sources, const char *module, bool live,
			  struct resolver **ret) must_check;

struct target_places;
/* Where else debug information may be: packs alone; and the directory for kernels that are put
 * together, or NULL. */
void sources_places(const struct sources *sources, struct target_places *ret, const char **cache);
/* The targets that were opened so far, by index; NULL behind the last. */
const struct target *sources_target(const struct sources *sources, unsigned index);

/* source_text.c: the text of the source file of some lines, below `dir` (-s), or, if NULL, at its
 * own path, or from debuginfod. Returns NULL when it isn't there, or must not be shown: *refused
 * then says why. */
const char *source_text(const struct resolver *resolver, const char *dir,
			const struct source_lines *lines, const char **refused);
/* source_check.c: why the text isn't the file that was compiled, or NULL. Sorts marks->names. */
const char *source_misfit(struct arena *arena, const struct source_lines *lines,
			  const struct source_marks *marks, const char *text, size_t length);
/* package.c: the command that installs the debug information of a program, or of the running
 * kernel. Returns NULL when unknown. */
const char *program_package(struct arena *arena, const char *path);
const char *kernel_package(struct arena *arena);

struct spec;
/* module.c: returns an error when the spec names a module that this kernel doesn't have. */
struct error *check_module(struct arena *arena, const struct options *options,
			   const struct spec *spec) must_check;

#endif
