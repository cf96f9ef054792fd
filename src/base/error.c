// SPDX-License-Identifier: GPL-2.0-only
/* Makes errors, in an arena. */
#include "base/error.h"

#include <errno.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/strbuf.h"

/* Names in the arguments may have any bytes: strbuf_vprintf() escapes them. */
static const char *words(struct arena *arena, const char *format, va_list args)
{
	struct strbuf text = {0};
	const char *ret;

	strbuf_vprintf(&text, format, args);
	ret = arena_strndup(arena, text.data ? text.data : "", text.length);
	strbuf_deinit(&text);
	return ret;
}

struct error *error_new(struct arena *arena, enum error_code code, const char *format, ...)
{
	struct error *error = arena_new(arena, struct error);
	va_list args;

	error->code = code;
	va_start(args, format);
	error->message = words(arena, format, args);
	va_end(args);
	return error;
}

struct error *error_errno(struct arena *arena, int errno_value, const char *format, ...)
{
	struct error *error = arena_new(arena, struct error);
	/* the C library has no text for the kernel's own errors, which tracefs gives too */
	const char *own = errno_value >= 512 ? errno_name(errno_value) : NULL;
	va_list args;

	error->code = ERROR_SYSTEM;
	va_start(args, format);
	error->message = arena_printf(arena, "%s: %s", words(arena, format, args),
				      own ? own : strerror(errno_value));
	va_end(args);
	if (errno_value == EMFILE)
		error->hint = "the limit of open files is too low; raise it: ulimit -n 1024";
	return error;
}

struct error *error_hint(struct arena *arena, struct error *error, const char *format, ...)
{
	va_list args;

	if (error->hint)
		return error;
	va_start(args, format);
	error->hint = words(arena, format, args);
	va_end(args);
	return error;
}

struct error *error_command(struct arena *arena, struct error *error, const char *verb,
			    const char *operand, const char *format, ...)
{
	va_list args;

	if (error->hint)
		return error;
	va_start(args, format);
	error->hint = arena_vprintf(arena, format, args);
	va_end(args);
	error->verb = verb;
	/* names are often a mapped file's, which is closed before the error is printed */
	error->operand = operand ? arena_strdup(arena, operand) : NULL;
	return error;
}

struct error *error_at(struct error *error, const char *text, struct span span)
{
	if (error->text)
		return error;
	error->text = text;
	error->span = span;
	return error;
}

struct error *error_copy(struct arena *arena, const struct error *error)
{
	struct error *copy = arena_new(arena, struct error);

	*copy = *error;
	copy->message = arena_strdup(arena, error->message);
	copy->hint = error->hint ? arena_strdup(arena, error->hint) : NULL;
	copy->operand = error->operand ? arena_strdup(arena, error->operand) : NULL;
	copy->lacks = error->lacks ? arena_strdup(arena, error->lacks) : NULL;
	copy->replaces = error->replaces ? arena_strdup(arena, error->replaces) : NULL;
	copy->text = error->text ? arena_strdup(arena, error->text) : NULL;
	return copy;
}
