/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of tracefs, by plain open and write: libtracefs mounts things and truncates files. */
#ifndef SESSION_TRACEFS_H
#define SESSION_TRACEFS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* Where tracefs is mounted. Mounts nothing. */
struct error *tracefs_find(struct arena *arena, const char **ret) must_check;
/* What a failure to `verb` a file of it means, and what to do. */
struct error *tracefs_error(struct arena *arena, const char *path, const char *verb, int err);
/* The whole file, NUL-terminated; an open that is forbidden says by what. */
struct error *tracefs_read(struct arena *arena, const char *path, char **ret) must_check;
/* One write, never truncating; 0 or an errno, because what a refusal means depends on the file. */
int tracefs_write(const char *path, const char *text);
/* The same; an errno becomes an error that names the file. */
struct error *tracefs_set(struct arena *arena, const char *path, const char *text) must_check;
bool tracefs_exists(const char *path);
/* The same, where it matters whether there is none or it can't be told. */
struct error *tracefs_look(struct arena *arena, const char *path, bool *ret) must_check;
/* An instance's directory, once nobody holds a file of it open; one that isn't there is no error. */
struct error *tracefs_remove(struct arena *arena, const char *path) must_check;
/* Is the kernel locked down to "confidentiality"? Then even root gets EPERM. */
bool tracefs_locked_down(void);

/* Lines and words of a text that was read, cut in place. NULL after the last one. */
char *text_line(char **text);
char *text_word(char **text);

#endif
