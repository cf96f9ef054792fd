// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses /proc/kallsyms. It has 10 MB and more: a name is searched in the text, and only lines that
 * contain it are parsed.
 */
#include "base/kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define USUAL_SIZE ((size_t)16 << 20)

char *kallsyms_read(struct arena *arena)
{
	char *text;

	return file_read(arena, "/proc/kallsyms", USUAL_SIZE, &text) ? NULL : text;
}

/* line: its beginning; end: its newline, or the text's NUL. */
static bool read_line(const char *line, const char *end, struct ksym *ret)
{
	char *type;
	const char *behind;

	ret->address = strtoull(line, &type, 16);
	if (type == line || end - type < 4 || type[0] != ' ' || type[2] != ' ')
		return false;
	ret->type = type[1];
	ret->name = type + 3;
	ret->length = strcspn(ret->name, " \t\n");
	behind = ret->name + ret->length;
	ret->module = end - behind > 2 && behind[0] == '\t' && behind[1] == '[' ? behind + 2 : NULL;
	ret->module_length = ret->module ? strcspn(ret->module, "]\n") : 0;
	return ret->length;
}

bool kallsyms_next(const char **at, struct ksym *ret)
{
	while (**at) {
		const char *line = *at, *end = strchrnul(line, '\n');

		*at = end + (*end == '\n');
		if (read_line(line, end, ret))
			return true;
	}
	return false;
}

bool kallsyms_next_named(const char *text, const char **at, const char *name, struct ksym *ret)
{
	size_t length = strlen(name);
	const char *found;

	while (length && (found = strstr(*at, name))) {
		const char *line = found, *end = strchrnul(found, '\n');

		*at = found + 1;
		while (line > text && line[-1] != '\n')
			line--;
		if (!read_line(line, end, ret) || ret->name != found || ret->length != length)
			continue;
		*at = end + (*end == '\n');
		return true;
	}
	return false;
}
