// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a raw argument into a value of the shape that its type names. Without a type the kernel
 * records 64 bits in hexadecimal (DEFAULT_FETCH_TYPE), or a string for $comm.
 */
#include <stdlib.h>

#include "plan/fetch.h"
#include "plan/fetch_type.h"
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

static const struct fetch_way *named_way(struct work *work, const char *name, size_t length)
{
	const struct arch *arch = work->arch;

	for (unsigned i = 0; arch && i < arch->nregisters; i++)
		if (arch->registers[i] && strlen(arch->registers[i]) == length &&
		    !strncmp(arch->registers[i], name, length))
			return register_way(work, i);
	return NULL;
}

/* What the user wrote, "+8(-16(%di))": the outermost read is the last. */
static const struct fetch_way *raw_way(struct work *work, const char *text, size_t length)
{
	const char *inner = memchr(text, '(', length);
	uint64_t number;
	char *end;

	if (length > 1 && *text == '%')
		return named_way(work, text + 1, length - 1);
	if (length == 7 && !strncmp(text, "$retval", length))
		return work->arch ? register_way(work, work->arch->return_register) : NULL;
	if (length > 1 && (*text == '\\' || !strncmp(text, "@0x", 3))) {
		number = strtoull(text + 1, &end, 0);
		if (end != text + length)
			return NULL;
		return *text == '@' ? fetch_step(work, number_way(work, number), 0, false) :
				      number_way(work, number);
	}
	if ((*text == '+' || *text == '-') && inner && text[length - 1] == ')') {
		bool is_user = text[1] == 'u';
		long long offset = strtoll(text + 1 + is_user, &end, 0);

		if (end != inner || offset != (int32_t)offset)
			return NULL;
		return fetch_step(work,
				  raw_way(work, inner + 1, length - (size_t)(inner - text) - 2),
				  (int32_t)(*text == '-' ? -offset : offset), is_user);
	}
	return NULL;
}

void raw_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct fetch_text text = {.body = arena_strdup(work->arena, capture->text),
				  .part = PART_OWN,
				  .way = raw_way(work, capture->text, strlen(capture->text))};
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
