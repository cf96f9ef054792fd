/* SPDX-License-Identifier: GPL-2.0-only */
/* The door of debuginfo/. */
#ifndef DEBUGINFO_DEBUGINFO_H
#define DEBUGINFO_DEBUGINFO_H

#include "base/arena.h"
#include "ktrace/debuginfo.h"

/* The DWARF of a target, its separate debug file included. Errors: ERROR_NO_DEBUGINFO. The target
 * must outlive it. */
/* cache: the directory of what earlier runs found out, made if need be; or NULL. names: of functions
 * that will be asked for; together they cost little more than one, and are searched for while the
 * caller goes on. */
struct error *dwarf_open(struct arena *arena, const struct target *target, const char *cache,
			 const char *const *names, unsigned nnames,
			 struct debuginfo **ret) must_check;

/* A source that knows nothing; reason: why. */
struct debuginfo *debuginfo_none(struct arena *arena, const struct target *target,
				 struct error *reason);

/* "net/core/dev.c" matches "/build/x/net/core/dev.c": whole path components from the end. */
bool file_matches(const char *path, const char *wanted);
/* directory: what a relative path is relative to. */
bool same_file(const char *directory, const char *path, const char *other_directory, const char *other);

#endif
