// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a raw argument into a value of the shape that its type names. Without a type the kernel
 * records 64 bits in hexadecimal (DEFAULT_FETCH_TYPE), or a string for $comm.
 */
#include "plan/fetch.h"
#include "plan/internal.h"

static const char *default_type(const char *text)
{
	if (!strcmp(text, "$comm") || !strcmp(text, "$COMM") || !strncmp(text, "\\\"", 2))
		return "string";
	return "x64";
}

/* The kernel's name of a type of ktrace's own. */
static const char *full_type(const char *words)
{
	static const char *const names[][2] = {
		{"u", "u64"}, {"s", "s64"},	 {"x", "x64"},
		{"c", "u8"},  {"sym", "symbol"}, {"errno", "s64"},
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(words, names[i][0]))
			return names[i][1];
	return words;
}

/* What the type says about the value. */
static void raw_shape(const struct capture *capture, struct value *ret, struct fetch_type *type)
{
	const char *words = capture->raw_type ? capture->raw_type : default_type(capture->text);

	*type = read_type(full_type(words));
	ret->size = 8;
	ret->render = RENDER_HEX;
	ret->count = type->count;
	if (!strncmp(type->words, "sym", 3)) {
		ret->render = RENDER_SYMBOL;
		*type = array_type('x', 64, type->count); /* ktrace finds the name: uprobe events
							   * have no such type */
	} else if (fetch_type_is_string(type)) {
		ret->render = RENDER_STRING;
		ret->size = 1;
	} else if (type->kind != FETCH_OTHER) {
		ret->size = (uint8_t)element_size(type);
		ret->is_signed = type->kind == FETCH_CHAR || type->letter == 's';
		ret->render = type->kind == FETCH_CHAR ? RENDER_CHAR :
			      type->letter == 's'      ? RENDER_SIGNED :
			      type->letter == 'x'      ? RENDER_HEX :
							 RENDER_UNSIGNED;
	}
	if (!strcmp(words, "c"))
		ret->render = RENDER_CHAR;
	if (!strcmp(words, "errno"))
		ret->render = RENDER_ERRNO;
	if (!capture->raw_type)
		type->kind = FETCH_DEFAULT;
}

void raw_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct fetch_text text = {.body = arena_strdup(work->arena, capture->text),
				  .part = PART_OWN};
	struct fetch_type type;

	raw_shape(capture, ret, &type);
	if (capture->shape)
		ret->render = capture->render;
	if (ret->render == RENDER_STRING && !ret->count && work->input->text_bytes &&
	    raw_text_value(work, &text, type.kind == FETCH_USTRING, ret))
		return;
	direct_value(work, &text, &type, 0, ret);
	if (ret->render != RENDER_STRING)
		guard_raw(work, ret->fetch, &text, fetch_size(&type));
	if (capture->shape && capture->shape->kind != SHAPE_NUMBER)
		ret->finish_text = capture->shape->name;
}
