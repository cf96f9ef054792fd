// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refuses questions that a pack of --only could answer in part alone: it has all functions and
 * variables of some names, the functions that they are inlined into, and of other functions what
 * happens to be in these.
 */
#include <string.h>

#include "base/glob.h"
#include "base/strbuf.h"
#include "base/syscall_name.h"
#include "debuginfo/die.h"
#include "debuginfo/questions.h"
#include "pack/pack.h"

static const char *const *globs_of(const struct dwarf_info *info, unsigned *count)
{
	*count = 0;
	return info->pack ? pack_only(info->pack, count) : NULL;
}

/* Whether each name that the asked one, which may be a glob itself, stands for matches the glob:
 * its '*' are letters to those of the glob, which has no other wildcards. */
static bool is_within(const char *glob, const char *asked)
{
	return (!is_glob(asked) || !strpbrk(glob, "?[")) && syscall_glob_matches(glob, asked);
}

bool has_all_named(const struct dwarf_info *info, const char *name)
{
	unsigned count;
	const char *const *globs = globs_of(info, &count);

	for (unsigned i = 0; i < count; i++)
		if (is_within(globs[i], name))
			return true;
	return !count;
}

void note_beyond(struct dwarf_info *info, const char *what)
{
	unsigned count;

	globs_of(info, &count);
	if (count && !info->beyond)
		info->beyond = what;
}

void note_named(struct dwarf_info *info, const char *name)
{
	if (!has_all_named(info, name))
		note_beyond(info, arena_printf(info->arena, "'%s'", name));
}

struct error *beyond_pack(struct dwarf_info *info)
{
	struct strbuf words = {0};
	struct error *error;
	unsigned count;
	const char *const *globs = globs_of(info, &count);

	for (unsigned i = 0; i < count; i++)
		strbuf_printf(&words, " --only '%s'", globs[i]);
	error = error_hint(info->arena,
			   error_new(info->arena, ERROR_NO_DEBUGINFO,
				     "the pack '%s' doesn't have all of %s: it was made with%s",
				     pack_path(info->base.target->pack), info->beyond, words.data),
			   "make it with one more --only, or with all");
	strbuf_deinit(&words);
	return error;
}
