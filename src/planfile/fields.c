// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the words of a row into the members of a struct, by the table of them that the writer goes
 * by too. A word that the table doesn't have, or has had already, is an error.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "expr/expr.h"
#include "planfile/internal.h"

static bool read_number(const char *text, uint64_t most, uint64_t *ret)
{
	bool is_negative = *text == '-';
	char *end;

	text += is_negative;
	errno = 0;
	*ret = strtoull(text, &end, 0);
	if (is_negative)
		*ret = 0 - *ret;
	return !errno && isdigit((unsigned char)*text) && !*end && *ret <= most;
}

static bool read_register(const struct reading *reading, const char *name, size_t length,
			  uint64_t *ret)
{
	const struct arch *arch = reading->variant->arch;
	const char *text = arena_strndup(reading->arena, name, length);

	for (*ret = 0; arch && *ret < arch->nregisters; (*ret)++)
		if (arch->registers[*ret] && !strcmp(arch->registers[*ret], text))
			return true;
	return arch && read_number(text, UINT8_MAX, ret);
}

static const struct expr *read_leaf(void *cookie, struct arena *arena, const char **at)
{
	const struct reading *reading = cookie;
	size_t length = strspn(*at + !!**at, "abcdefghijklmnopqrstuvwxyz0123456789");
	char *text = arena_strndup(arena, *at, length + !!**at);
	enum expr_op op = *text == '%' ? EXPR_REG : *text == '@' ? EXPR_STATIC : EXPR_CPU;
	uint64_t number = 0;

	if (op == EXPR_REG    ? !read_register(reading, text + 1, length, &number) :
	    op == EXPR_STATIC ? !read_number(text + 1, UINT64_MAX, &number) :
				strcmp(text, "cpu") != 0)
		return NULL;
	*at += strlen(text);
	return expr_leaf(arena, op, number);
}

static bool read_enum(const struct field *field, const char *value, unsigned *ret)
{
	for (*ret = 0; *ret < field->nwords; (*ret)++)
		if (field->words[*ret] && !strcmp(field->words[*ret], value))
			return true;
	return false;
}

static void put_pointer(void *at, const void *pointer)
{
	memcpy(at, &pointer, sizeof(pointer));
}

static struct error *read_integer(struct reading *reading, const struct field *field,
				  const char *value, void *at)
{
	size_t size = field->kind == FIELD_U8 ? 1 : field->kind == FIELD_U32 ? 4 : 8;
	uint64_t number;

	if (!read_number(value, size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1, &number))
		return bad(reading,
			   "'%s' is not such a number: %s", field->name ?: reading->word, value);
	memcpy(at, &number, size); /* little endian */
	return NULL;
}

static struct error *read_shape_number(struct reading *reading, const char *value, void *at)
{
	uint64_t number;

	if (!read_number(value, reading->nshapes, &number) || !number)
		return bad(reading, "there is no shape %s before this", value);
	put_pointer(at, reading->shapes[number - 1].shape);
	return NULL;
}

static struct error *read_field(struct reading *reading, const struct field *field,
				const char *value, void *at)
{
	const struct expr *expr;
	unsigned word;
	uint64_t number;

	switch (field->kind) {
	case FIELD_FLAG:
		*(bool *)at = true;
		return NULL;
	case FIELD_TEXT:
		put_pointer(at, value);
		return NULL;
	case FIELD_WORD:
		if (!read_enum(field, value, &word))
			return bad(reading, "this ktrace doesn't know '%s'", value);
		memcpy(at, &word, sizeof(word));
		return NULL;
	case FIELD_EXPR:
		expr = expr_read(reading->arena, value, read_leaf, reading);
		put_pointer(at, expr);
		return expr ? NULL : bad(reading, "'%s' can't be computed", value);
	case FIELD_SHAPE:
		return read_shape_number(reading, value, at);
	case FIELD_REGISTER:
		if (!read_register(reading, value, strlen(value), &number))
			return bad(reading, "there is no register '%s'", value);
		memcpy(at, &number, sizeof(number));
		return NULL;
	default:
		return read_integer(reading, field, value, at);
	}
}

/* The field that a word of the row is for; NULL: none. */
static const struct field *find_field(const struct row_kind *kind, const char *name,
				      const char *value, bool is_first)
{
	const struct field *first = kind->fields;

	if (is_first && !first->name)
		return name && value ? NULL : first;
	for (unsigned i = 0; name && i < kind->nfields; i++) {
		const struct field *field = &kind->fields[i];

		if (field->name && !strcmp(field->name, name) &&
		    (field->kind == FIELD_FLAG) == !value)
			return field;
	}
	return NULL;
}

struct error *read_fields(struct reading *reading, const struct row_kind *kind, void *object)
{
	uint64_t seen = 0;
	bool is_first = true;

	for (;; is_first = false) {
		const struct field *field;
		const char *name, *value;
		struct error *error = next_word(reading, &name, &value);

		if (error)
			return error;
		if (!name && !value)
			break;
		field = find_field(kind, name, value, is_first);
		if (!field || seen & (uint64_t)1 << (field - kind->fields))
			return bad(reading, "'%s' is %s a '%s'", name ?: value,
				   field ? "given twice in" : "nothing of", kind->word);
		seen |= (uint64_t)1 << (field - kind->fields);
		error = read_field(reading, field, value ?: name, (char *)object + field->offset);
		if (error)
			return error;
	}
	return is_first && !kind->fields->name ? bad(reading, "'%s' of what?", kind->word) : NULL;
}

struct error *read_one_word(struct reading *reading, const char **ret)
{
	const char *name, *value, *more;
	struct error *error = next_word(reading, &name, &value);

	*ret = value ?: name;
	if (!error && ((name && value) || !*ret))
		return bad(reading, "'%s' has one word behind it", reading->word);
	if (!error)
		error = next_word(reading, &name, &more);
	return error || (!name && !more) ?
		       error :
		       bad(reading, "'%s' has one word behind it", reading->word);
}
