// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of a format file in, where a field lies, or all there are, out. Each is one regular line:
 *	field:s32 size;	offset:16;	size:4;	signed:1;
 * Not libtraceevent's parser, which reads what fields mean (print_format.c): it drops all that follows a field
 * of type `__data_loc char[][2]`, which a probe event of ktrace's may have.
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

#define DATA_LOC "__data_loc " /* the offset counts from the record's beginning */
#define REL_LOC  "__rel_loc "  /* from the end of this field */

static bool begins(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/* A struct in place is bytes, even if there are as many as a number may have. */
static bool is_number(const char *declaration, size_t length, unsigned size)
{
	bool is_pointer = memchr(declaration, '*', length);

	if (memchr(declaration, '[', length) ||
	    (!is_pointer && (begins(declaration, "struct ") || begins(declaration, "union "))))
		return false;
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void field_parse(const char *line, size_t declaration, struct field *ret)
{
	bool is_relative = begins(line, REL_LOC);

	*ret = (struct field){
		.offset = (uint16_t)number_after(line + declaration, "\toffset:"),
		.size = (uint16_t)number_after(line + declaration, "\tsize:"),
		.is_signed = number_after(line + declaration, "\tsigned:"),
	};
	if (is_relative || begins(line, DATA_LOC)) {
		ret->kind = FIELD_STRING;
		ret->count = ret->size / 4;
		ret->base = is_relative ? (uint16_t)(ret->offset + ret->size) : 0;
	} else {
		ret->kind = is_number(line, declaration, ret->size) ? FIELD_INT : FIELD_BYTES;
	}
}

/* The next field's declaration behind `text`, and its length; NULL: it was the last. What follows the
 * fields may say anything. */
static const char *next_field(const char *text, size_t *length)
{
	const char *line = strstr(text, "\tfield:"), *end = strstr(text, "\nprint fmt:");

	if (!line || (end && line > end))
		return NULL;
	line += strlen("\tfield:");
	line += strspn(line, " ");
	*length = strcspn(line, ";\n");
	return line;
}

void format_field(const char *format, const char *name, struct field *ret)
{
	const char *line = format;
	size_t declaration;

	*ret = (struct field){.kind = FIELD_ABSENT};
	while ((line = next_field(line, &declaration))) {
		if (!is_named(line, declaration, name))
			continue;
		field_parse(line, declaration, ret);
		return;
	}
}

/* "char comm[16]", "__data_loc char[] name", "const char *const * argv" */
static void field_describe(struct arena *arena, const char *line, size_t declaration,
			   struct tracepoint_field *ret)
{
	const char *blank = memrchr(line, ' ', declaration);
	const char *bracket = memchr(line, '[', declaration);
	const char *name = blank ? blank + 1 : line, *type = line, *end = name;
	struct field field;

	field_parse(line, declaration, &field);
	if (field.kind == FIELD_STRING)
		type += strcspn(line, " ") + 1;
	if (bracket && bracket < end)
		end = bracket;
	while (end > type && end[-1] == ' ')
		end--;
	*ret = (struct tracepoint_field){
		.name = arena_strndup(arena, name, strcspn(name, "[;\n")),
		.type = arena_strndup(arena, type, end > type ? (size_t)(end - type) : 0),
		.size = field.size,
		.is_signed = field.is_signed,
		.is_array = bracket || field.kind == FIELD_BYTES,
		.is_dynamic = field.kind == FIELD_STRING,
		.count = bracket ? (uint32_t)strtoul(bracket + 1, NULL, 10) : 0,
	};
}

void format_fields(struct arena *arena, struct tracepoint *tracepoint)
{
	const char *line = tracepoint->format;
	size_t declaration;

	while ((line = next_field(line, &declaration))) {
		struct tracepoint_field field;

		field_describe(arena, line, declaration, &field);
		if (begins(field.name, "common_"))
			continue;
		arena_append(arena, tracepoint->fields, tracepoint->nfields) = field;
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
	while (n > 0) {
		n = read(fd, text + length, size - 1 - length);
		length += n > 0 ? (size_t)n : 0;
		if (length < size - 1)
			continue;
		text = arena_grow(arena, text, size, 2 * size);
		size *= 2;
	}
	close(fd);
	text[length] = '\0';
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
