// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether two names mean the same source file. Compilers write a name as they were given it,
 * or with the directory they ran in: lib/x.c, ./lib/x.c and /build/lib/x.c may be one file, even
 * within a unit (gcc -flto).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "debuginfo/debuginfo.h"

bool file_matches(const char *path, const char *wanted)
{
	size_t length = strlen(path), tail;

	if (!strncmp(wanted, "./", 2))
		wanted += 2;
	tail = strlen(wanted);
	if (tail > length || strcmp(path + length - tail, wanted))
		return false;
	return tail == length || wanted[0] == '/' || path[length - tail - 1] == '/';
}

/* The path without "." and "..", textually: symbolic links aren't followed. Returns false when too
 * long. */
static bool plain_path(const char *directory, const char *path, char plain[PATH_MAX])
{
	char whole[PATH_MAX], *rest = whole, *part;
	size_t length = 0;
	int size = snprintf(whole, sizeof(whole), "%s/%s", path[0] == '/' ? "" : directory, path);

	if (size < 0 || (size_t)size >= sizeof(whole))
		return false;
	while ((part = strsep(&rest, "/"))) {
		if (!strcmp(part, "..")) {
			while (length && plain[--length] != '/')
				;
		} else if (*part && strcmp(part, ".") != 0) {
			plain[length++] = '/';
			memcpy(plain + length, part, strlen(part));
			length += strlen(part);
		}
	}
	plain[length] = '\0';
	return true;
}

bool same_file(const char *directory, const char *path, const char *other_directory,
	       const char *other)
{
	char plain[PATH_MAX], other_plain[PATH_MAX];

	return !strcmp(path, other) ||
	       (plain_path(directory, path, plain) &&
		plain_path(other_directory, other, other_plain) && !strcmp(plain, other_plain));
}
