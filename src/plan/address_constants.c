// SPDX-License-Identifier: GPL-2.0-only
/*
 * The constants of filters on values that are shown as addresses: "10.0.0.1" becomes the bytes that
 * a record has, "8:0" a device's number, a function's name the range of its code, since `call_site
 * == vfs_read` means any instruction in it.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include "plan/kernel_filter.h"

#define BYTES_MAX 24

struct bytes {
	uint8_t data[BYTES_MAX];
	uint8_t mask[BYTES_MAX];
	unsigned length;
};

static void add(struct bytes *bytes, const void *data, unsigned length)
{
	memcpy(bytes->data + bytes->length, data, length);
	memset(bytes->mask + bytes->length, 0xff, length);
	bytes->length += length;
}

/* "02:42:ac:11:00:02", a UUID: two digits per byte, at most one separator between two bytes. */
static bool read_digits(const char *text, unsigned length, struct bytes *ret)
{
	for (unsigned i = 0; i < length; i++) {
		const char pair[] = {text[0], text[0] ? text[1] : '\0', '\0'};
		uint8_t byte = (uint8_t)strtoul(pair, NULL, 16);

		if (!isxdigit((unsigned char)pair[0]) || !isxdigit((unsigned char)pair[1]))
			return false;
		add(ret, &byte, 1);
		text += 2;
		text += i + 1 < length && (*text == ':' || *text == '-');
	}
	return !*text;
}

static bool read_ip(const char *text, int family, struct bytes *ret)
{
	uint8_t address[16];

	if (inet_pton(family, text, address) != 1)
		return false;
	add(ret, address, family == AF_INET ? 4 : 16);
	return true;
}

/* "10.0.0.1:80", "[::1]:80": the flow of a struct sockaddr_in6 isn't shown, so it isn't
 * compared. */
static bool read_socket(struct arena *arena, const char *text, struct bytes *ret)
{
	const char *colon = strrchr(text, ':');
	bool is_six = *text == '[';
	uint16_t family = is_six ? AF_INET6 : AF_INET;
	const char *address;
	char *end;
	unsigned long port;
	uint16_t wire;

	if (!colon || !isdigit((unsigned char)colon[1]) ||
	    (is_six && (colon == text || colon[-1] != ']')))
		return false;
	address = arena_strndup(arena, text + is_six, (size_t)(colon - text) - 2 * is_six);
	port = strtoul(colon + 1, &end, 10);
	wire = htons((uint16_t)port);
	if (*end || port > 65535)
		return false;
	add(ret, &family, 2);
	add(ret, &wire, 2);
	if (is_six) {
		add(ret, "\0\0\0", 4);
		memset(ret->mask + 4, 0, 4);
	}
	return read_ip(address, family, ret);
}

static bool read_bytes(struct arena *arena, const char *text, enum render render, struct bytes *ret)
{
	switch (render) {
	case RENDER_IP4: return read_ip(text, AF_INET, ret);
	case RENDER_IP6: return read_ip(text, AF_INET6, ret);
	case RENDER_SOCKADDR: return read_socket(arena, text, ret);
	case RENDER_MAC: return read_digits(text, 6, ret);
	default: return read_digits(text, 16, ret);
	}
}

/* "8:0" and "8,0", packed as the kernel does it; in 8 bytes, as a program does. */
static bool read_device(const char *text, unsigned size, uint64_t *ret)
{
	unsigned major, minor;
	int end = 0;

	if (sscanf(text, "%u%*[:,]%u%n", &major, &minor, &end) != 2 || text[end] ||
	    (size != 8 && (major > 0xfff || minor > 0xfffff)))
		return false;
	*ret = size == 8 ? makedev(major, minor) : (uint64_t)major << 20 | minor;
	return true;
}

static const char *example(enum render render)
{
	switch (render) {
	case RENDER_DEV: return "8:0";
	case RENDER_IP4: return "10.0.0.1";
	case RENDER_IP6: return "fe80::1";
	case RENDER_SOCKADDR: return "10.0.0.1:80";
	case RENDER_MAC: return "02:42:ac:11:00:02";
	default: return "123e4567-e89b-12d3-a456-426614174000";
	}
}

static enum render render_of(const struct value *value)
{
	return value->shape ? value->shape->render : value->render;
}

bool is_address(const struct value *value)
{
	return value && ((value->shape && value->shape->kind == SHAPE_FORMATTED) ||
			 render_of(value) == RENDER_DEV);
}

static bool device_constant(struct filter *filter, const struct value *value)
{
	if (!filter->is_string)
		return !filter->constant && !filter->decimal; /* the number itself */
	filter->is_string = false;
	return read_device(filter->string, value_size(value), &filter->number);
}

static bool bytes_constant(const struct assign *assign, struct filter *filter,
			   const struct value *value)
{
	struct bytes *bytes = arena_new(assign->arena, struct bytes);

	*bytes = (struct bytes){0};
	if (!filter->is_string ||
	    !read_bytes(assign->arena, filter->string, value->shape->render, bytes) ||
	    bytes->length > value->shape->size)
		return false;
	filter->bytes = bytes->data;
	filter->mask = bytes->mask;
	filter->nbytes = bytes->length;
	return true;
}

struct error *address_constant(const struct assign *assign, struct filter *filter,
			       const struct value *value)
{
	bool is_device = render_of(value) == RENDER_DEV;
	bool is_order = filter->op != FILTER_EQ && filter->op != FILTER_NE &&
			(!is_device || filter->is_string);
	struct error *error;

	if (!is_order &&
	    (is_device ? device_constant(filter, value) : bytes_constant(assign, filter, value)))
		return NULL;
	error = error_new(assign->arena, ERROR_SYNTAX, "'%s' is not compared so", filter->field);
	return error_hint(assign->arena, error_at(error, assign->text, filter->value_span),
			  "write it as it is shown, in quotes: %s == \"%s\"", filter->field,
			  example(render_of(value)));
}

static struct filter *node(const struct assign *assign, enum filter_op op,
			   const struct filter *left, const struct filter *right)
{
	struct filter *filter = arena_new(assign->arena, struct filter);

	*filter = (struct filter){.op = op, .left = left, .right = right};
	return filter;
}

static const struct filter *limit(const struct assign *assign, const struct filter *filter,
				  enum filter_op op, uint64_t number)
{
	struct filter *copy = arena_new(assign->arena, struct filter);

	*copy = *filter;
	copy->op = op;
	copy->constant = NULL;
	copy->number = number;
	return copy;
}

bool function_constant(const struct assign *assign, struct filter *filter,
		       const struct value *value)
{
	const struct plan_input *input = assign->input;
	const struct filter *any = NULL, *one;

	if (value->render != RENDER_SYMBOL || (filter->op != FILTER_EQ && filter->op != FILTER_NE))
		return false;
	for (unsigned i = 0; i < input->ncode; i++) {
		if (strcmp(input->code[i].name, filter->constant))
			continue;
		one = node(assign, FILTER_AND,
			   limit(assign, filter, FILTER_GE, input->code[i].start),
			   limit(assign, filter, FILTER_LT, input->code[i].end));
		any = any ? node(assign, FILTER_OR, any, one) : one;
	}
	if (any)
		*filter = filter->op == FILTER_EQ ? *any : *node(assign, FILTER_NOT, any, NULL);
	return any;
}
