/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of the user's cache: they and their directory belong to the user, and no other user can
 * write to them. */
#ifndef BASE_OWN_FILE_H
#define BASE_OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Makes a directory and those above it, but nothing in a directory that belongs to another user.
 * Returns -1 when it isn't there then. */
int make_own_directory(const char *path);
/* Opens such a directory. Returns -1 when it isn't one. */
int open_own_directory(const char *path);
/* Opens such a file for reading. Returns -1 when it isn't one. */
int open_own_file(int directory, const char *name, struct stat *status);
/* Writes a file, in place of one of that name. Returns false, and leaves that one, when it
 * can't. */
bool replace_own_file(int directory, const char *name, const void *data, size_t length);
/* Returns false when not all could be written. */
bool write_whole(int fd, const void *data, size_t length);

#endif
