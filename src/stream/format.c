// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of a format file in, where a field lies out. Each field is one regular line:
 *	field:s32 size;	offset:16;	size:4;	signed:1;
 * Not libtraceevent's parser: it drops, without a word, all that follows a field of type
 * `__data_loc char[][2]`, or one that is called like a C keyword.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/internal.h"

/* "u8 b[]", "__data_loc char[] s": the name is the last word, brackets aside. */
static bool is_named(const char *declaration, size_t length, const char *name)
{
	const char *blank = memrchr(declaration, ' ', length);
	const char *word = blank ? blank + 1 : declaration;
	size_t n = strcspn(word, "[;\n");

	return strlen(name) == n && !strncmp(word, name, n);
}

static unsigned number_after(const char *line, const char *key)
{
	const char *found = strstr(line, key);

	return found ? (unsigned)strtoul(found + strlen(key), NULL, 10) : 0;
}

static void field_parse(const char *line, size_t declaration, struct field *ret)
{
	bool is_dynamic = !strncmp(line, "__data_loc", 10);
	bool is_array = memchr(line, '[', declaration);

	*ret = (struct field){
		.offset = (uint16_t)number_after(line + declaration, "\toffset:"),
		.size = (uint16_t)number_after(line + declaration, "\tsize:"),
		.is_signed = number_after(line + declaration, "\tsigned:"),
	};
	ret->count = is_dynamic ? ret->size / 4 : 0;
	if (is_dynamic)
		ret->kind = FIELD_STRING;
	else if (!is_array && (ret->size == 1 || ret->size == 2 || ret->size == 4 ||
			       ret->size == 8))
		ret->kind = FIELD_INT;
	else
		ret->kind = FIELD_BYTES;
}

void format_field(const char *format, const char *name, struct field *ret)
{
	const char *line = format;

	*ret = (struct field){.kind = FIELD_ABSENT};
	while ((line = strstr(line, "field:"))) {
		size_t declaration;

		line += strlen("field:");
		line += strspn(line, " ");
		declaration = strcspn(line, ";\n");
		if (is_named(line, declaration, name)) {
			field_parse(line, declaration, ret);
			return;
		}
	}
}

struct error *text_read(struct arena *arena, const char *path, char **ret)
{
	size_t size = 65536, length = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : 1;
	char *text;

	if (fd < 0)
		return error_errno(arena, errno, "cannot read '%s'", path);
	text = arena_alloc(arena, size);
	while (n > 0 && length < size - 1) {
		n = read(fd, text + length, size - 1 - length);
		length += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	*ret = text;
	return n < 0 ? error_errno(arena, errno, "cannot read '%s'", path) : NULL;
}

struct error *shape_read(struct arena *arena, const char *directory, struct page_shape *ret)
{
	const char *path = arena_printf(arena, "%s/events/header_page", directory);
	struct field commit, data;
	struct error *error;
	char *text;

	/* an instance of an older kernel has none of its own */
	if (access(path, F_OK))
		path = arena_printf(arena, "%s/../../events/header_page", directory);
	error = text_read(arena, path, &text);
	if (error)
		return error;
	format_field(text, "commit", &commit);
	format_field(text, "data", &data);
	*ret = (struct page_shape){
		.size = (uint32_t)data.offset + data.size,
		.data = data.offset,
		.commit = commit.offset,
	};
	if (data.kind == FIELD_ABSENT || commit.kind == FIELD_ABSENT || ret->data < 12 ||
	    ret->commit + 4 > ret->data || ret->size <= ret->data)
		return error_new(arena, ERROR_SYSTEM, "cannot make sense of '%s'", path);
	return NULL;
}
