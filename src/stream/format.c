// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a format file: where its fields lie and what they are. libtraceevent parses it, but
 * silently drops a line it doesn't understand and all lines behind it. So the lines are counted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "stream/internal.h"

#include <traceevent/event-parse.h> /* last: it makes macros of our enum filter_op's names */

#define FIELD_LINE "\tfield:"
#define PRINT_LINE "\nprint fmt:"
#define NO_PRINT   "\nprint fmt: \"\"\n" /* libtraceevent 1.9 refuses a format without one */

static bool begins(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/* libtraceevent doesn't know a probe event's array of strings, `__data_loc char[][2] names`: it
 * is given one string instead. The field's size says how many there are. */
static void put_fields(struct strbuf *text, const char *from, const char *end)
{
	while (from < end) {
		const char *strings = memmem(from, (size_t)(end - from), "[][", 3);

		strbuf_add(text, from, (size_t)((strings ? strings + 2 : end) - from));
		from = strings ? strings + 2 + strcspn(strings + 2, " ;\n") : end;
	}
}

static unsigned count_fields(const char *text, const char *end)
{
	unsigned count = 0;

	for (; (text = strstr(text, FIELD_LINE)) && text < end; text++)
		count++;
	return count;
}

/* Parses one event. Returns NULL when it can't be understood. The caller frees *tep, which owns
 * it. */
static const struct tep_event *parse(struct tep_handle **tep, const char *format, bool is_whole)
{
	const char *end = strstr(format, PRINT_LINE) ?: format + strlen(format);
	const struct tep_event *event;
	struct strbuf text;

	*tep = tep_alloc();
	if (!*tep)
		return NULL;
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(*tep, sizeof(uint64_t));
	strbuf_init(&text);
	put_fields(&text, format, end);
	strbuf_puts(&text, is_whole ? end : NO_PRINT);
	tep_parse_event(*tep, text.data, text.length, "x");
	strbuf_deinit(&text);
	event = tep_get_first_event(*tep);
	if (!event || (unsigned)(event->format.nr_common + event->format.nr_fields) !=
			      count_fields(format, end))
		return NULL;
	return event;
}

/* A struct stored in place is bytes, even if it has the size of a number. */
static bool is_number(const struct tep_format_field *field)
{
	if (field->flags & TEP_FIELD_IS_ARRAY ||
	    (!strchr(field->type, '*') &&
	     (begins(field->type, "struct ") || begins(field->type, "union "))))
		return false;
	return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
}

static struct field field_place(const struct tep_format_field *from)
{
	struct field field = {
		.offset = (uint16_t)from->offset,
		.size = (uint16_t)from->size,
		.is_signed = from->flags & TEP_FIELD_IS_SIGNED,
		.kind = is_number(from) ? FIELD_INT : FIELD_BYTES,
	};

	if (!(from->flags & TEP_FIELD_IS_DYNAMIC))
		return field;
	field.kind = FIELD_STRING;
	field.count = field.size / 4;
	/* __rel_loc counts from the end of the field, __data_loc from the record's beginning */
	field.base =
		from->flags & TEP_FIELD_IS_RELATIVE ? (uint16_t)(field.offset + field.size) : 0;
	return field;
}

/* "char[16]", "__data_loc char[]": "char" */
static const char *element_type(struct arena *arena, const struct tep_format_field *from)
{
	const char *type = from->type;
	size_t length;

	if (from->flags & TEP_FIELD_IS_DYNAMIC)
		type += strcspn(type, " ") + 1;
	length = strcspn(type, "[");
	while (length && type[length - 1] == ' ')
		length--;
	return arena_strndup(arena, type, length);
}

static struct tracepoint_field field_described(struct arena *arena,
					       const struct tep_format_field *from,
					       const struct field *place)
{
	bool is_array = from->flags & TEP_FIELD_IS_ARRAY;

	return (struct tracepoint_field){
		.name = arena_strdup(arena, from->name),
		.type = element_type(arena, from),
		.size = place->size,
		.is_signed = place->is_signed,
		.is_array = is_array || place->kind == FIELD_BYTES,
		.is_dynamic = place->kind == FIELD_STRING,
		.count = is_array ? from->arraylen : 0,
	};
}

static struct error *not_understood(struct arena *arena, const char *text)
{
	return error_new(arena, ERROR_SYSTEM, "cannot make sense of the kernel's format '%.*s'",
			 (int)strcspn(text, "\n"), text);
}

struct error *format_read(struct arena *arena, const char *text, struct format *ret)
{
	struct tep_handle *tep;
	const struct tep_event *event = parse(&tep, text, false);
	const struct tep_format_field *lists[] = {event ? event->format.common_fields : NULL,
						  event ? event->format.fields : NULL};

	*ret = (struct format){0};
	for (unsigned i = 0; i < 2; i++)
		for (const struct tep_format_field *field = lists[i]; field; field = field->next)
			arena_append(arena, ret->fields, ret->nfields) = (struct named_field){
				arena_strdup(arena, field->name), field_place(field)};
	tep_free(tep);
	return event ? NULL : not_understood(arena, text);
}

void format_field(const struct format *format, const char *name, struct field *ret)
{
	for (unsigned i = 0; i < format->nfields; i++)
		if (!strcmp(format->fields[i].name, name)) {
			*ret = format->fields[i].field;
			return;
		}
	*ret = (struct field){.kind = FIELD_ABSENT};
}

struct error *format_describe(struct arena *arena, struct tracepoint *tracepoint)
{
	/* system calls' print fmts are generated, all numbers in hexadecimal
	 * (kernel/trace/trace_syscalls.c) */
	bool has_meaning = strcmp(tracepoint->system, "syscalls");
	struct tep_handle *tep;
	const struct tep_event *event = parse(&tep, tracepoint->format, has_meaning);
	const struct tep_format_field *from = event ? event->format.fields : NULL;

	for (; from; from = from->next) {
		const struct field place = field_place(from);

		arena_append(arena, tracepoint->fields, tracepoint->nfields) =
			field_described(arena, from, &place);
	}
	if (event && has_meaning && !(event->flags & TEP_EVENT_FL_FAILED))
		print_shapes(arena, event, tracepoint);
	tep_free(tep);
	return event ? NULL : not_understood(arena, tracepoint->format);
}

/* header_page lists fields like a format file. It lacks the common fields, without which
 * libtraceevent 1.9 refuses a format. */
#define HEADER_PAGE                                 \
	"name: header_page\nID: 1\nformat:\n"       \
	"\tfield:char common;\toffset:0;\tsize:1;\tsigned:0;\n\n%s"

struct error *shape_read(struct arena *arena, const char *header_page, struct page_shape *ret)
{
	struct format format;
	struct field commit, data;
	struct error *error = format_read(arena, arena_printf(arena, HEADER_PAGE, header_page),
					  &format);

	if (error)
		return error;
	format_field(&format, "commit", &commit);
	format_field(&format, "data", &data);
	*ret = (struct page_shape){
		.size = (uint32_t)data.offset + data.size,
		.data = data.offset,
		.commit = commit.offset,
	};
	if (data.kind == FIELD_ABSENT || commit.kind == FIELD_ABSENT || ret->data < 12 ||
	    ret->commit + 4 > ret->data || ret->size <= ret->data)
		return error_new(arena, ERROR_SYSTEM, "cannot make sense of events/header_page");
	return NULL;
}
