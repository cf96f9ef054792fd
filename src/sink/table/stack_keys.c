// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the stacks that are keys of a table. A key is JSON, whichever run it comes from: so its
 * frames are read from there, to be shown below a row, folded, or drawn.
 */
#include <stdlib.h>

#include "base/json_tree.h"
#include "sink/table/show.h"
#include "sink/value.h"

#define SHORT 40u /* columns of a stack in a line */

static const char *text_of(const struct json *json)
{
	return json && json->kind == JSON_TEXT ? json->text : NULL;
}

static uint64_t number_of(const struct json *json)
{
	uint64_t number = 0;

	return json_counter(json, &number) ? number : 0;
}

static struct stack_frame read_frame(const struct json *json)
{
	const struct json *inlined = json_member(json, "inlined"),
			  *unproven = json_member(json, "unproven");
	const char *address = text_of(json_member(json, "address"));

	return (struct stack_frame){
		.address = address ? strtoull(address, NULL, 16) : 0,
		.function = text_of(json_member(json, "function")),
		.offset = number_of(json_member(json, "offset")),
		.file = text_of(json_member(json, "file")),
		.line = (unsigned)number_of(json_member(json, "line")),
		.module = text_of(json_member(json, "module")),
		.is_inlined = inlined && inlined->kind == JSON_TRUE,
		.is_unproven = unproven && unproven->kind == JSON_TRUE,
	};
}

bool stack_read(struct arena *arena, const char *element, struct stack *ret)
{
	const struct json *json = json_read(arena, element, strlen(element)), *frame;
	const struct json *cut =
		json && json->kind == JSON_OBJECT ? json_member(json, "cut") : NULL;

	*ret = (struct stack){.is_cut = cut};
	json = cut ?: json;
	if (!json || json->kind != JSON_ARRAY || !json->first || json->first->kind != JSON_OBJECT ||
	    !json_member(json->first, "function") || !json_member(json->first, "inlined"))
		return false;
	for (frame = json->first; frame; frame = frame->next)
		arena_append(arena, ret->frames, ret->count) = read_frame(frame);
	return true;
}

/* A function's name; else where it is. */
static void put_name(struct strbuf *out, const struct stack_frame *frame)
{
	if (frame->function || frame->module)
		strbuf_printf(out, "%s", frame->function ?: frame->module);
	else
		put_hex(out, frame->address);
	if (!frame->function && frame->module)
		strbuf_printf(out, "+0x%llx", (unsigned long long)frame->offset);
}

char *stack_name(struct arena *arena, const struct stack_frame *frame)
{
	struct strbuf out = {0};
	char *ret;

	put_name(&out, frame);
	ret = arena_strndup(arena, out.data, out.length);
	strbuf_deinit(&out);
	return ret;
}

char *stack_short(struct arena *arena, const struct stack *stack)
{
	char *text = arena_strdup(arena, "");

	for (unsigned i = 0; i < stack->count; i++) {
		char *longer = arena_printf(arena, "%s%s%s", text, i ? " < " : "",
					    stack_name(arena, &stack->frames[i]));

		if (i && text_width(longer) > SHORT)
			return arena_printf(arena, "%s < ...", text);
		text = longer;
	}
	return stack->is_cut ? arena_printf(arena, "%s < ...", text) : text;
}

void stack_show(struct arena *arena, struct strbuf *out, const struct table *table,
		const struct row *row)
{
	const char *at = row->key;

	for (unsigned i = 0; at && i < table->nkeys; i++) {
		const char *end = element_end(at);
		struct stack stack;

		if (*at != '"' &&
		    stack_read(arena, arena_strndup(arena, at, (size_t)(end - at)), &stack)) {
			for (unsigned j = 0; j < stack.count; j++)
				text_frame(out, &stack.frames[j]);
			strbuf_puts(out, stack.is_cut ? "\t... (cut)\n" : "");
		}
		at = *end ? end + 1 : end;
	}
}
