// SPDX-License-Identifier: GPL-2.0-only
/*
 * A raw argument in, its value out, of the shape that its type says. Without a type the kernel records 64 bits
 * in hexadecimal (DEFAULT_FETCH_TYPE), or a string for $comm.
 */
#include <stdlib.h>

#include "plan/internal.h"

static const char *default_type(const char *text)
{
	if (!strcmp(text, "$comm") || !strcmp(text, "$COMM") || !strncmp(text, "\\\"", 2))
		return "string";
	return "x64";
}

/* What the type says of the value. */
static void raw_shape(struct arena *arena, const struct capture *capture, struct value *ret,
		      const char **type)
{
	const char *text = capture->raw_type ? capture->raw_type : default_type(capture->text);
	const char *bracket = strchr(text, '[');
	size_t digits = strcspn(text, "0123456789");
	unsigned bits = (unsigned)strtoul(text + digits, NULL, 10);

	if (!strcmp(text, "u") || !strcmp(text, "s") || !strcmp(text, "x"))
		text = arena_printf(arena, "%s64", text);
	else if (!strcmp(text, "c"))
		text = "u8";
	else if (!strcmp(text, "sym"))
		text = "symbol";
	else if (!strcmp(text, "errno"))
		text = "s64";
	*type = capture->raw_type ? text : NULL;
	ret->size = 8;
	ret->render = RENDER_HEX;
	if (bracket)
		ret->count = (uint32_t)strtoul(bracket + 1, NULL, 10);
	if (strstr(text, "string")) {
		ret->render = RENDER_STRING;
		ret->size = 1;
	} else if (!strncmp(text, "sym", 3)) {
		ret->render = RENDER_SYMBOL;
		*type = "x64"; /* ktrace finds the name: a uprobe event knows no such type */
	} else if (text[0] == 'b') {
		const char *slash = strchr(text, '/');

		ret->render = RENDER_UNSIGNED;
		ret->size = (uint8_t)(slash ? strtoul(slash + 1, NULL, 10) / 8 : 8);
	} else if (!strncmp(text, "char", 4)) {
		ret->render = RENDER_CHAR;
		ret->size = 1;
		ret->is_signed = true;
	} else if (strchr("usx", text[0]) && bits) {
		ret->size = (uint8_t)(bits / 8);
		ret->is_signed = text[0] == 's';
		ret->render = text[0] == 's' ? RENDER_SIGNED :
			      text[0] == 'u' ? RENDER_UNSIGNED : RENDER_HEX;
	}
	if (capture->raw_type && !strcmp(capture->raw_type, "c"))
		ret->render = RENDER_CHAR;
	if (capture->raw_type && !strcmp(capture->raw_type, "errno"))
		ret->render = RENDER_ERRNO;
}

void raw_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct fetch_text text = {.body = arena_strdup(work->arena, capture->text), .part = PART_OWN};
	const char *type;

	raw_shape(work->arena, capture, ret, &type);
	if (capture->shape)
		ret->render = capture->render;
	if (ret->render == RENDER_STRING && !ret->count && work->input->text_bytes &&
	    raw_text_value(work, &text, type && type[0] == 'u', ret))
		return;
	direct_value(work, &text, type, 0, ret);
	if (ret->render != RENDER_STRING)
		guard_raw(work, ret->fetch, &text, fetch_size(&work->probes[PART_OWN]->fetches[ret->fetch]));
	if (capture->shape && capture->shape->kind != SHAPE_NUMBER)
		ret->finish_text = capture->shape->name;
}
