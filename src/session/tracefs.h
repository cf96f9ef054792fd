/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs through libtracefs, with errors that say what failed. instance: NULL is the top one. file: below the
 * instance's directory, "events/sched/enable".
 */
#ifndef SESSION_TRACEFS_H
#define SESSION_TRACEFS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct tracefs_instance;

/* Looks where tracefs is mounted, and tells libtracefs, once for all calls that follow. Mounts nothing. */
struct error *tfs_find(struct arena *arena) must_check;
/* file: NULL is the instance's own directory. */
const char *tfs_path(struct arena *arena, struct tracefs_instance *instance, const char *file);
/* What a failure to `verb` a file of it means, and what to do. */
struct error *tfs_error(struct arena *arena, const char *path, const char *verb, int err);
/* The whole file, NUL-terminated; an open that is forbidden says by what. */
struct error *tfs_read(struct arena *arena, struct tracefs_instance *instance, const char *file,
		       char **ret) must_check;
struct error *tfs_error_log(struct arena *arena, struct tracefs_instance *instance, char **ret) must_check;
/* One write, never truncating; 0 or an errno, because what a refusal means depends on the file. */
int tfs_write(struct tracefs_instance *instance, const char *file, const char *text);
/* The same; an errno becomes an error that names the file. */
struct error *tfs_set(struct arena *arena, struct tracefs_instance *instance, const char *file,
		      const char *text) must_check;
/* Whether there is such a file; an error where that can't be told. */
struct error *tfs_look(struct arena *arena, struct tracefs_instance *instance, const char *file,
		       bool *ret) must_check;
/* The names in a directory; ret: one more, NULL. */
struct error *tfs_list(struct arena *arena, struct tracefs_instance *instance, const char *directory,
		       const char ***ret) must_check;
/* A new instance, to be freed with tracefs_instance_free(). */
struct error *tfs_create(struct arena *arena, const char *name, struct tracefs_instance **ret) must_check;
/* The instance of that name; *ret NULL: there is none. To be freed as well. */
struct error *tfs_instance(struct arena *arena, const char *name, struct tracefs_instance **ret) must_check;
/* Removes an instance, once nobody holds a file of it open; one that isn't there is no error. */
struct error *tfs_destroy(struct arena *arena, struct tracefs_instance *instance) must_check;
/* Is the kernel locked down to "confidentiality"? Then even root gets EPERM. */
bool is_locked_down(struct arena *arena);

/* Lines and words of a text that was read, cut in place. NULL after the last one. */
char *text_line(char **text);
char *text_word(char **text);

#endif
