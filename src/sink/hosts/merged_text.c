// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes an event's line of JSON as text, as sink/event_text.c does, with its host in front and the
 * wall clock's time. The surprise: JSON doesn't tell a string from a pointer or a name, so a string
 * that looks like a pointer is without quotes.
 */
#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "base/json_tree.h"
#include "sink/hosts/hosts.h"

static const char *text_of(const struct json *line, const char *name)
{
	const struct json *member = json_member(line, name);

	return member && (member->kind == JSON_TEXT || member->kind == JSON_NUMBER) ? member->text :
										      NULL;
}

/* "2026-11-22T14:41:06.123456Z" */
static void put_time(struct strbuf *out, const struct json *line)
{
	uint64_t wall = 0;
	struct tm tm;
	char text[40];
	time_t seconds;

	json_counter(json_member(line, "wall_ns"), &wall);
	seconds = (time_t)(wall / 1000000000);
	if (!gmtime_r(&seconds, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(text, sizeof(text), "%llu", (unsigned long long)seconds);
	strbuf_puts(out, text);
	snprintf(text, sizeof(text), ".%06uZ", (unsigned)(wall % 1000000000 / 1000));
	strbuf_puts(out, text);
}

static void put_place(struct strbuf *out, const struct json *line)
{
	const char *symbol = text_of(line, "symbol"), *caller = text_of(line, "caller");
	const char *offset = text_of(line, "offset"), *ip = text_of(line, "ip");
	uint64_t number = 0;

	if (caller)
		strbuf_printf(out, " (%s <- %s)", caller, symbol ?: "?");
	else if (symbol && json_counter(json_member(line, "offset"), &number))
		strbuf_printf(out, " (%s+0x%llx)", symbol, (unsigned long long)number);
	else if (offset || ip)
		strbuf_printf(out, " (%s)", ip ?: offset);
}

static bool is_pointer(const char *text)
{
	return !strncmp(text, "0x", 2) && text[2] &&
	       !text[2 + strspn(text + 2, "0123456789abcdef")];
}

static void put_value(struct strbuf *out, const struct json *line, const struct json *value)
{
	const char *reason =
		value->kind == JSON_NULL ? text_of(json_member(line, "errors"), value->name) : NULL;

	strbuf_printf(out, " %s=", value->name);
	if (reason)
		strbuf_printf(out, "(%s)", reason);
	else if (value->kind == JSON_TEXT && is_pointer(value->text))
		strbuf_puts(out, value->text);
	else
		json_write(out, value);
}

void event_text(struct strbuf *out, const struct json *line)
{
	const struct json *args = json_member(line, "args"), *value;

	strbuf_printf(out, "%s %s %s [%s] ", text_of(line, "host") ?: "?",
		      text_of(line, "comm") ?: "?", text_of(line, "pid") ?: "?",
		      text_of(line, "cpu") ?: "?");
	put_time(out, line);
	strbuf_printf(out, ": %s:%s:", text_of(line, "group") ?: "?",
		      text_of(line, "event") ?: "?");
	put_place(out, line);
	for (value = args && args->kind == JSON_OBJECT ? args->first : NULL; value;
	     value = value->next)
		put_value(out, line, value);
	strbuf_putc(out, '\n');
}
