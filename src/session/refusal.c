// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a refused write into an error in the kernel's words, with a caret in the user's text.
 * error_log belongs to everybody and is never cleared: an entry counts only if its command is ours
 * and it was not there before.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/kallsyms.h"
#include "session/internal.h"

#define COMMAND "  Command: "
/* Kernels before 5.17 cut the command at this length, and their caret wraps. */
#define OLD_COMMAND_MAX 255

/* What the kernel says about the place; the first also about an argument's symbol. */
#define BAD_ADDRESS "Invalid probed address or symbol"
#define BAD_PLACE   "Failed to register probe event"

/* Part of a refusal's text, and what the user can do about it. */
static const struct {
	const char *words;
	const char *hint;
	const char *verb; /* the hint ends with this command on the place's function; or NULL */
} causes[] = {
	{"not unique", "say which one: FUNC@FILE, or write the place as _stext+OFFSET", NULL},
	{"instruction boundary", "choose an address where an instruction begins", NULL},
	{BAD_PLACE,
	 "the function may be notrace or blacklisted, which the list marks, or the kernel patches "
	 "the instruction itself",
	 "funcs"},
	{BAD_ADDRESS, "is the name in the list", "funcs"},
	{"Failed to resolve symbol", "is the name in the list", "funcs"},
	{"Unknown type is specified",
	 "the types of this kernel are listed in tracefs: grep type: README", NULL},
	{"String accepts only memory argument", "a string or array lies in memory: +0(%REG):string",
	 NULL},
	{"Failed to find the given file", "check the path of the program or library", NULL},
	{"Given file is not a regular file", "check the path of the program or library", NULL},
	{"Field not found", "name a field of the event", NULL},
};

/* The end of the entry "[ time] subsystem: error: MESSAGE\n Command: TEXT\n ^\n" that begins
 * here. */
static const char *entry_end(const char *entry)
{
	const char *p = entry;

	while (*p && (p = strchr(p, '\n'))) {
		p++;
		if (*p == '[')
			return p;
	}
	return p ? p : entry + strlen(entry);
}

static const char *entry_message(struct arena *arena, const char *entry, const char *command)
{
	const char *error = strstr(entry, " error: ");
	const char *message = error ? error + strlen(" error: ") : entry;

	/* "event filter parse error: error: TEXT" has the word twice */
	if (!strncmp(message, "error: ", 7))
		message += 7;
	return arena_strndup(arena, message, (size_t)(command - message));
}

static void entry_match(struct arena *arena, const char *entry, const char *end,
			const char *command, struct refusal *ret)
{
	const char *found = strstr(entry, "\n" COMMAND);
	const char *line, *caret;
	size_t length;

	if (!found || found >= end)
		return;
	line = found + strlen("\n" COMMAND);
	length = strcspn(line, "\n");
	if (strncmp(line, command, length) ||
	    (command[length] && length < OLD_COMMAND_MAX))
		return;
	ret->message = entry_message(arena, entry, found);
	caret = line + length + (line[length] == '\n');
	ret->column = (int)strcspn(caret, "^\n") - (int)strlen(COMMAND);
	if (caret[strcspn(caret, "^\n")] != '^' || ret->column < 0 || command[length])
		ret->column = -1;
}

void refusal_find(struct arena *arena, const char *log, const char *before, const char *command,
		  struct refusal *ret)
{
	*ret = (struct refusal){.column = -1};
	for (const char *entry = log; *entry;) {
		const char *end = entry_end(entry);
		const char *copy = arena_strndup(arena, entry, (size_t)(end - entry));

		/* entries are unique by their time stamp */
		if (!strstr(before, copy))
			entry_match(arena, entry, end, command, ret);
		entry = end;
	}
}

static struct error *with_hint(struct arena *arena, struct error *error, const struct probe *probe,
			       const char *words)
{
	for (size_t i = 0; words && i < sizeof(causes) / sizeof(causes[0]); i++)
		if (strstr(words, causes[i].words))
			return causes[i].verb && probe->site && probe->site->shown_symbol ?
				       error_command(arena, error, causes[i].verb,
						     probe->site->shown_symbol, "%s",
						     causes[i].hint) :
				       error_hint(arena, error, "%s", causes[i].hint);
	return error;
}

/* The kernel refused without an entry in error_log: only the errno is known. */
static struct error *unexplained(struct session *session, unsigned probe, int err)
{
	const struct probe *p = &session->plan->probes[probe];
	struct arena *arena = session->arena;
	struct error *error = error_errno(arena, err, "the kernel refused '%s'", p->head);

	error->code = ERROR_REFUSED;
	if ((err == EPERM || err == EACCES) && is_locked_down(arena))
		return error_hint(arena, error, "the kernel is locked down: "
				  "boot it without lockdown=confidentiality");
	if (p->site->path && access(p->site->path, F_OK))
		return error_hint(arena, error, "there is no file '%s'", p->site->path);
	return error_hint(arena, error, "it gave no reason; what it was given: %s",
			  session->definitions[probe].text);
}

/* The argument that holds the column, or NULL. */
static const struct fetch *column_fetch(struct session *session, unsigned probe, int column)
{
	const struct probe *p = &session->plan->probes[probe];
	const struct definition *definition = &session->definitions[probe];

	for (unsigned i = 0; i < p->nfetches; i++) {
		const struct column *fetch = &definition->fetches[i];

		if ((unsigned)column >= fetch->start &&
		    (unsigned)column < fetch->start + fetch->length)
			return &p->fetches[i];
	}
	return NULL;
}

static bool has_symbol(const char *kallsyms, const char *name)
{
	const char *at = kallsyms;
	struct ksym symbol;

	return kallsyms_next_named(kallsyms, &at, name, &symbol);
}

/* The argument with an `@SYMBOL` that kallsyms doesn't know, or NULL: the kernel's caret then
 * points at the place. */
static const struct fetch *unknown_symbol(struct session *session, unsigned probe)
{
	const struct probe *p = &session->plan->probes[probe];
	const char *kallsyms = NULL;

	for (unsigned i = 0; i < p->nfetches; i++) {
		const char *body = p->fetches[i].body;
		const char *name = body[0] == '\\' ? NULL : strchr(body, '@');

		if (!name || isdigit((unsigned char)name[1]) || name[1] == '+')
			continue;
		kallsyms = kallsyms ?: kallsyms_read(session->arena);
		if (!kallsyms)
			return NULL;
		name = arena_strndup(session->arena, name + 1, strcspn(name + 1, "+-)"));
		if (!has_symbol(kallsyms, name))
			return &p->fetches[i];
	}
	return NULL;
}

/* The argument that the refusal is about. Returns NULL when it is the place. */
static const struct fetch *meant_fetch(struct session *session, unsigned probe,
				       const struct refusal *refusal)
{
	const struct fetch *fetch = column_fetch(session, probe, refusal->column);

	if (!fetch && refusal->message && strstr(refusal->message, BAD_ADDRESS))
		fetch = unknown_symbol(session, probe);
	return fetch;
}

static bool is_about_place(const char *message, int err)
{
	return (err == EINVAL && strstr(message, BAD_PLACE)) ||
	       (err == ENOENT && strstr(message, BAD_ADDRESS));
}

struct error *refusal_definition(struct session *session, unsigned probe, int err,
				 const char *before, bool *is_place)
{
	const struct fetch *fetch;
	const struct probe *p = &session->plan->probes[probe];
	struct refusal refusal;
	struct error *error;
	char *log;

	error = tfs_read(session->arena, NULL, "error_log", &log);
	if (error)
		return error;
	refusal_find(session->arena, log, before, session->definitions[probe].text, &refusal);
	if (refusal.message) {
		error = error_new(session->arena, ERROR_REFUSED, "the kernel refused '%s': %s",
				  p->head, refusal.message);
		error = with_hint(session->arena, error, p, refusal.message);
	} else {
		error = unexplained(session, probe, err);
	}
	fetch = meant_fetch(session, probe, &refusal);
	*is_place = refusal.message && !fetch && is_about_place(refusal.message, err);
	if (!p->spec)
		return error;
	if (refusal.message && refusal.column < 0)
		return error_at(error, p->spec->text, (struct span){0});
	return error_at(error, p->spec->text, fetch ? fetch->want_span : p->spec->place.span);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The kernel's caret is behind the word it means, or somewhere inside it. */
static struct span word_span(const char *text, unsigned column)
{
	unsigned length = (unsigned)strlen(text);
	unsigned start = column < length ? column : length, end;

	while (start && (start == length || !is_word(text[start])))
		start--;
	while (start && is_word(text[start - 1]))
		start--;
	for (end = start; is_word(text[end]);)
		end++;
	return (struct span){start, end};
}

struct error *refusal_filter(struct session *session, unsigned probe, int err, const char *filter,
			     unsigned prefix)
{
	const char *asked = session->plan->probes[probe].kernel_filter;
	struct arena *arena = session->arena;
	struct refusal refusal;
	struct error *error;
	char *log;

	/* the instance has its own log, which only we write to */
	error = tfs_read(arena, session->instance, "error_log", &log);
	if (error)
		return error;
	refusal_find(arena, log, "", filter, &refusal);
	if (!refusal.message)
		error = error_errno(arena, err, "the kernel refused the filter '%s'", filter);
	else
		error = error_new(arena, ERROR_REFUSED, "the kernel refused the filter: %s",
				  refusal.message);
	error->code = ERROR_REFUSED;
	error = with_hint(arena, error, &session->plan->probes[probe], refusal.message);
	if (!asked || refusal.column < (int)prefix)
		return error_at(error, filter, (struct span){0});
	return error_at(error, asked, word_span(asked, (unsigned)refusal.column - prefix));
}
