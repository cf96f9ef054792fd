/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to tracefs through libtracefs, with errors that say what failed. instance: NULL is the top
 * one. file: a path below the instance's directory, "events/sched/enable".
 */
#ifndef SESSION_TRACEFS_H
#define SESSION_TRACEFS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct tracefs_instance;

/* Finds where tracefs is mounted and tells libtracefs; call it before any other. Mounts nothing. */
struct error *tfs_find(struct arena *arena) must_check;
/* file: NULL is the instance's own directory. */
const char *tfs_path(struct arena *arena, struct tracefs_instance *instance, const char *file);
/* The error for a failure to `verb` (read, write...) a file, with a hint if there is a known
 * cause. */
struct error *tfs_error(struct arena *arena, const char *path, const char *verb, int err);
/* The whole file, NUL-terminated. Where the open is forbidden, the error says by what. */
struct error *tfs_read(struct arena *arena, struct tracefs_instance *instance, const char *file,
		       char **ret) must_check;
/* One write, without truncating. Returns 0 or an errno, because what a refusal means depends on
 * the file. */
int tfs_write(struct tracefs_instance *instance, const char *file, const char *text);
/* Removes all triggers of an event of ours; opening their file truncated is what does it
 * (kernel/trace/trace_events_trigger.c, event_trigger_regex_open()). */
struct error *tfs_clear(struct arena *arena, struct tracefs_instance *instance,
			const char *file) must_check;
/* Like tfs_write(), with an error that names the file. */
struct error *tfs_set(struct arena *arena, struct tracefs_instance *instance, const char *file,
		      const char *text) must_check;
/* Whether the file exists; an error when that can't be told. */
struct error *tfs_look(struct arena *arena, struct tracefs_instance *instance, const char *file,
		       bool *ret) must_check;
/* The names in a directory, in an array that ends with NULL. */
struct error *tfs_list(struct arena *arena, struct tracefs_instance *instance,
		       const char *directory, const char ***ret) must_check;
/* Makes a new instance. The caller frees it with tracefs_instance_free(). */
struct error *tfs_create(struct arena *arena, const char *name,
			 struct tracefs_instance **ret) must_check;
/* The instance of that name; *ret is NULL when there is none. The caller frees it with
 * tracefs_instance_free(). */
struct error *tfs_instance(struct arena *arena, const char *name,
			   struct tracefs_instance **ret) must_check;
/* Removes an instance; retries for half a second while another process holds a file of it
 * open. One that is gone already is no error. */
struct error *tfs_destroy(struct arena *arena, struct tracefs_instance *instance) must_check;
/* Is the kernel locked down to "confidentiality"? Then even root gets EPERM. */
bool is_locked_down(struct arena *arena);

/* Take a line or a word off *text, cut in place. Return NULL after the last one. */
char *text_line(char **text);
char *text_word(char **text);

#endif
