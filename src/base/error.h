/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes errors: see ktrace/error.h for what they are. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/arena.h"
#include "ktrace/error.h"

struct error *error_new(struct arena *arena, enum error_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* ERROR_SYSTEM; appends ": " and strerror(errno_value), or the name that the kernel alone has for
 * it. */
struct error *error_errno(struct arena *arena, int errno_value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a hint; error_at() adds a span. All return `error`, so that calls chain, and keep a hint
 * or span that is already there. */
struct error *error_hint(struct arena *arena, struct error *error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* A hint that ends with a command, which cmd/ writes. operand: unquoted, or NULL. */
struct error *error_command(struct arena *arena, struct error *error, const char *verb,
			    const char *operand, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
struct error *error_at(struct error *error, const char *text, struct span span);
/* A deep copy, for when the first one's arena is freed. */
struct error *error_copy(struct arena *arena, const struct error *error);

#endif
