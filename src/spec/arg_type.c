// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the type after an argument's ':'. The set is closed: a type that no kernel knows is found
 * here, under the user's caret, rather than by the kernel.
 */
#include "spec/parse.h"

#include <string.h>

#include "ktrace/caps.h"

#define TYPE_HINT "types: u8-u64 s8-s64 x8-x64 char string ustring symbol symstr, " \
		  "bWIDTH@OFFSET/SIZE, TYPE[N], and x u s c sym errno ip mac dev syscall time"

static const char *const type_kernel[] = {
	"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "x8", "x16", "x32", "x64",
	"char", "string", "ustring", "symbol", "symstr", NULL,
};
/* Ours: the width comes from the variable. */
static const char *const type_short[] = {"x",  "u",   "s",   "c",	"sym",	"errno",
					 "ip", "mac", "dev", "syscall", "time", NULL};
/* Only after kernel syntax: the path of a dentry or a file. */
static const char *const type_path[] = {"%pd", "%pD", NULL};

/* What people write who think of C, or of another tool. */
static const char *type_meant(const char *text)
{
	static const char *const rows[][2] = {
		{"str", "string"}, {"char*", "string"}, {"path", "string"}, {"bool", "u8"},
		{"short", "s16"}, {"int", "s32"}, {"long", "s64"}, {"unsigned", "u32"},
		{"int8_t", "s8"}, {"int16_t", "s16"}, {"int32_t", "s32"}, {"int64_t", "s64"},
		{"uint8_t", "u8"}, {"uint16_t", "u16"}, {"uint32_t", "u32"}, {"uint64_t", "u64"},
		{"size_t", "u64"}, {"hex", "x"}, {"ptr", "x64"}, {"d", "s"},
		{"i8", "s8"}, {"i16", "s16"}, {"i32", "s32"}, {"i64", "s64"},
		{"ipv4", "ip"}, {"ip4", "ip"}, {"ip6", "ip"}, {"ksym", "sym"},
		{"ns", "time"}, {"err", "errno"}, {"error", "errno"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(text, rows[i][0]))
			return rows[i][1];
	return NULL;
}

static struct error *type_error(const struct scan *scan, unsigned start, const char *text)
{
	struct span span = span_of(start, scan->end);
	const char *at = memchr(text + start, '@', scan->end - start);
	const char *meant = type_meant(scan_copy(scan, span));

	if (meant)
		return error_hint(scan->arena,
				  scan_error(scan, span, "unknown type '%s'",
					     scan_copy(scan, span)),
				  "here it is :%s; %s", meant, TYPE_HINT);

	if (at && text[start] != 'b')
		span.end = (unsigned)(at - text);
	return error_hint(scan->arena,
			  scan_error(scan, span, "unknown type '%s'", scan_copy(scan, span)),
			  "%s", TYPE_HINT);
}

/* b<width>@<offset>/<size>, from after the 'b'. */
static struct error *type_bits(struct scan *scan, unsigned start)
{
	uint64_t width, offset, size;
	struct span span, before = span_of(start, start + 1);
	struct error *error = scan_kernel_number(scan, "a width", before, 64, &width, &span);

	if (error)
		return error;
	before = scan_rest(scan);
	if (!scan_eat(scan, "@"))
		return type_error(scan, start, scan->text);
	before.end = scan->pos;
	error = scan_kernel_number(scan, "a bit offset", before, 64, &offset, &span);
	if (error)
		return error;
	before = scan_rest(scan);
	if (!scan_eat(scan, "/"))
		return type_error(scan, start, scan->text);
	before.end = scan->pos;
	error = scan_kernel_number(scan, "a size", before, 64, &size, &span);
	if (error)
		return error;
	if (size != 8 && size != 16 && size != 32 && size != 64)
		return scan_error(scan, span, "the size of a bit field is 8, 16, 32 or 64");
	if (!width || width + offset > size)
		return scan_error(scan, span_of(start, scan->pos),
				  "%u bits at bit %u don't fit into %u", (unsigned)width,
				  (unsigned)offset, (unsigned)size);
	return NULL;
}

static struct error *type_array(struct scan *scan)
{
	struct span bracket = span_of(scan->pos, scan->pos + 1), span;
	struct error *error;
	uint64_t count;

	scan->pos++;
	error = scan_kernel_number(scan, "a count", bracket, UINT64_MAX, &count, &span);
	if (error)
		return error;
	if (!scan_eat(scan, "]"))
		return scan_error(scan, span_of(bracket.start, span.end), "the '[' is not closed");
	if (!count)
		return scan_error(scan, span, "an array of no elements");
	if (count > KERNEL_ARRAY_MAX)
		return scan_limit(scan, span, "an array has at most %u elements", KERNEL_ARRAY_MAX);
	return NULL;
}

static bool type_in(const struct scan *scan, struct span span, const char *const *names)
{
	for (; *names; names++)
		if (scan_is(scan, span, *names))
			return true;
	return false;
}

static struct error *type_named(struct scan *scan, bool is_raw)
{
	unsigned start = scan->pos;
	bool is_short, is_path;
	struct span span;

	scan_eat(scan, "%");
	span = span_of(start, scan_identifier(scan).end);
	is_short = type_in(scan, span, type_short);
	if (is_raw && scan_is(scan, span, "errno"))
		return NULL; /* it has the return value's own width */
	is_path = is_raw && type_in(scan, span, type_path);
	if (!is_short && !is_path && !type_in(scan, span, type_kernel))
		return type_error(scan, start, scan->text);
	if (is_short && is_raw)
		return error_hint(scan->arena,
				  scan_error(scan, span, "'%s' alone has no width here",
					     scan_copy(scan, span)),
				  "the kernel's syntax takes u64, s32, x8, char, symbol...");
	if (scan_peek(scan, 0) != '[')
		return NULL;
	if (is_short || is_path)
		return error_hint(scan->arena,
				  scan_error(scan, span, "there are no arrays of '%s'",
					     scan_copy(scan, span)),
				  "write the width: x8[16]");
	return type_array(scan);
}

struct error *type_parse(struct scan *scan, struct span colon, struct want *want)
{
	unsigned start = scan->pos;
	struct error *error;

	if (scan_peek(scan, 0) < 0 || scan_peek(scan, 0) == '@')
		return error_hint(scan->arena,
				  scan_error(scan, colon, "a type is missing after ':'"),
				  "%s", TYPE_HINT);
	if (scan_peek(scan, 0) == 'b' && char_is_digit(scan_peek(scan, 1))) {
		scan->pos++;
		error = type_bits(scan, start);
	} else {
		error = type_named(scan, want->kind == WANT_RAW);
	}
	want->type_span = span_of(start, scan->pos);
	if (!error)
		want->type = scan_copy(scan, want->type_span);
	return error;
}
