// SPDX-License-Identifier: GPL-2.0-only
/*
 * A field of an existing event as a value. The surprise: the format doesn't give the size and sign
 * of all types, so those are in a table here; and a system call's argument is recorded as 64 bits
 * whatever its type (`int dfd`, size 8, signed 0), of which the call itself uses the low ones: so
 * does the value.
 */
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"

/* Types whose size and sign the format doesn't give: those of a dynamic array's elements, and of
 * what is recorded wider. */
static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} c_types[] = {
	{"char", 1, false},	    {"signed char", 1, true},	{"unsigned char", 1, false},
	{"u8", 1, false},	    {"__u8", 1, false},		{"uint8_t", 1, false},
	{"s8", 1, true},	    {"__s8", 1, true},		{"int8_t", 1, true},
	{"short", 2, true},	    {"unsigned short", 2, false}, {"u16", 2, false},
	{"__u16", 2, false},	    {"uint16_t", 2, false},	{"s16", 2, true},
	{"__s16", 2, true},	    {"int16_t", 2, true},	{"umode_t", 2, false},
	{"int", 4, true},	    {"unsigned int", 4, false},	{"unsigned", 4, false},
	{"uint", 4, false},	    {"u32", 4, false},		{"__u32", 4, false},
	{"uint32_t", 4, false},	    {"s32", 4, true},		{"__s32", 4, true},
	{"int32_t", 4, true},	    {"pid_t", 4, true},		{"uid_t", 4, false},
	{"gid_t", 4, false},	    {"key_t", 4, true},		{"key_serial_t", 4, true},
	{"clockid_t", 4, true},	    {"timer_t", 4, true},	{"mqd_t", 4, true},
	{"qid_t", 4, false},	    {"rwf_t", 4, true},		{"dev_t", 4, false},
	{"long", 8, true},	    {"unsigned long", 8, false}, {"long long", 8, true},
	{"unsigned long long", 8, false}, {"u64", 8, false},	{"__u64", 8, false},
	{"uint64_t", 8, false},	    {"s64", 8, true},		{"__s64", 8, true},
	{"int64_t", 8, true},	    {"size_t", 8, false},	{"ssize_t", 8, true},
	{"off_t", 8, true},	    {"loff_t", 8, true},	{"cpumask_t", 8, false},
};

static const char *bare_type(const char *type)
{
	static const char *const qualifiers[] = {"const ", "volatile "};

	for (unsigned i = 0; i < 2; i++)
		if (!strncmp(type, qualifiers[i], strlen(qualifiers[i])))
			return bare_type(type + strlen(qualifiers[i]));
	return type;
}

/* Returns false if nothing is known about the type. */
static bool known_type(const char *type, uint8_t *size, bool *is_signed)
{
	for (unsigned i = 0; i < sizeof(c_types) / sizeof(*c_types); i++) {
		if (strcmp(c_types[i].name, type))
			continue;
		*size = c_types[i].size;
		*is_signed = c_types[i].is_signed;
		return true;
	}
	return false;
}

static bool is_text(const char *type)
{
	return !strcmp(bare_type(type), "char");
}

/* Bytes of unknown meaning are shown in hexadecimal, one by one. */
static void array_value(const struct tracepoint_field *field, struct value *ret)
{
	const char *type = bare_type(field->type);
	bool is_signed;

	if (field->shape && field->shape->kind == SHAPE_FORMATTED) {
		ret->shape = field->shape;
		return;
	}
	ret->count = UINT32_MAX; /* as many as the record has */
	ret->size = 1;
	if (is_text(type)) {
		ret->count = 0;
		ret->render = RENDER_STRING;
		return;
	}
	if (!field->is_dynamic && field->count && field->size % field->count == 0 &&
	    field->size / field->count <= 8)
		ret->size = (uint8_t)(field->size / field->count);
	else if (!known_type(type, &ret->size, &is_signed))
		ret->render = RENDER_HEX;
	if (strchr(type, '*') || !strcmp(type, "cpumask_t") || field->shape)
		ret->render = RENDER_HEX;
	if (ret->render == RENDER_HEX)
		ret->is_signed = false;
}

static void number_value(const struct tracepoint_field *field, struct value *ret)
{
	const char *type = bare_type(field->type);
	bool is_signed = ret->is_signed;
	uint8_t size = ret->size;

	if (strchr(type, '*')) {
		ret->render = RENDER_HEX;
	} else if (ret->size == 1 && (!strcmp(type, "bool") || !strcmp(type, "_Bool"))) {
		ret->render = RENDER_BOOL;
	} else if (ret->size == 1 && is_text(type)) {
		ret->render = RENDER_CHAR;
	} else if (known_type(type, &size, &is_signed) && size <= ret->size) {
		ret->is_narrowed = size < ret->size || is_signed != ret->is_signed;
		ret->size = size;
		ret->is_signed = is_signed;
	}
	if (!field->shape)
		return;
	ret->shape = field->shape;
	ret->render = field->shape->render;
	if (ret->render != RENDER_HEX && ret->render != RENDER_SYMBOL)
		return;
	ret->is_narrowed |= ret->is_signed; /* the kernel's filter sees it as a signed number */
	ret->is_signed = false;
}

/* The kernel compares a `char *` with the string it points to: then the kernel's filter can't
 * test our number. */
struct fetch_type kernel_type(const struct tracepoint_field *field)
{
	struct fetch_type none = {.kind = FETCH_DEFAULT};

	if (field->is_dynamic || field->is_array)
		return is_text(field->type) ? (struct fetch_type){.kind = FETCH_STRING} : none;
	if (strchr(field->type, '*') && strstr(field->type, "char"))
		return none;
	return number_type(field->is_signed ? 's' : 'u', field->size * 8u);
}

const char *type_name(struct arena *arena, const struct tracepoint_field *field)
{
	if (!field->is_array)
		return field->type;
	if (!field->count)
		return arena_printf(arena, "%s[]", field->type);
	return arena_printf(arena, "%s[%u]", field->type, field->count);
}

void field_value(struct arena *arena, const struct tracepoint_field *field, unsigned number,
		 struct value *ret)
{
	unsigned *fetches = arena_new(arena, unsigned);

	*fetches = number;
	*ret = (struct value){
		.name = field->name,
		.type_name = type_name(arena, field),
		.size = (uint8_t)field->size,
		.is_signed = field->is_signed,
		.fetch = number,
		.fetches = fetches,
		.nfetches = 1,
		.finish_text = "",
	};
	if (field->is_array || field->is_dynamic)
		array_value(field, ret);
	else
		number_value(field, ret);
	if (ret->render == RENDER_SIGNED && !ret->is_signed)
		ret->render = RENDER_UNSIGNED;
}
