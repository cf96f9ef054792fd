// SPDX-License-Identifier: GPL-2.0-only
/* The text described in driver.h in, a plan out. A test's tool: what it can't read ends it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "driver.h"
#include "spec/spec.h"

struct line {
	struct arena *arena;
	const char *text;
	struct probe *probe;
	struct site *site;
};

static struct error *bad(const struct line *line, const char *word)
{
	return error_new(line->arena, ERROR_SYNTAX, "plan: what is '%s' in '%s'?", word,
			 line->text);
}

static enum render render_named(const char *name, enum render usual)
{
	static const char *const names[] = {"signed", "unsigned", "hex", "char", "bool", "string",
					    "symbol"};

	for (unsigned i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return (enum render)i;
	return usual;
}

/* "s32", "x8[16]", "string/..." to size, sign, render and count. */
static void read_type(struct arena *arena, struct value *value, const char *type)
{
	const char *slash = strchr(type, '/');
	const char *bracket = strchr(type, '[');

	value->type_name = arena_strndup(arena, type, strcspn(type, "/"));
	value->count = bracket ? (uint32_t)atoi(bracket + 1) : 0;
	value->render = type[0] == 's' && isdigit((unsigned char)type[1]) ? RENDER_SIGNED :
			type[0] == 'x' ? RENDER_HEX :
			strstr(type, "str") ? RENDER_STRING : RENDER_UNSIGNED;
	value->is_signed = value->render == RENDER_SIGNED;
	if (value->render != RENDER_STRING)
		value->size = (uint8_t)(atoi(type + 1) / 8);
	value->render = render_named(slash ? slash + 1 : NULL, value->render);
}

static const struct expr *read_finish(struct arena *arena, char *text, unsigned *fetches)
{
	static const struct {
		const char *name;
		enum expr_op op;
	} ops[] = {{"add", EXPR_ADD}, {"sub", EXPR_SUB}, {"mul", EXPR_MUL}, {"div", EXPR_DIV}};
	char *i = strchr(text, ','), *j = i ? strchr(i + 1, ',') : NULL;

	if (!j)
		return NULL;
	*i++ = *j++ = '\0';
	fetches[0] = (unsigned)atoi(i);
	fetches[1] = (unsigned)atoi(j);
	for (unsigned k = 0; k < sizeof(ops) / sizeof(ops[0]); k++)
		if (!strcmp(ops[k].name, text))
			return expr_binary(arena, ops[k].op,
					   expr_leaf(arena, EXPR_FETCH, fetches[0]),
					   expr_leaf(arena, EXPR_FETCH, fetches[1]));
	return NULL;
}

static struct error *read_computed(const struct line *line, const char *name, char *body)
{
	struct value *value = &line->probe->values[line->probe->nvalues++];
	unsigned *fetches = arena_array(line->arena, unsigned, 2);
	char *type = strchr(body, ':');

	value->name = name;
	value->finish_text = body;
	read_type(line->arena, value, type ? type + 1 : "s64");
	if (type)
		*type = '\0';
	value->finish = read_finish(line->arena, body, fetches);
	value->fetches = fetches;
	value->nfetches = 2;
	return value->finish ? NULL : bad(line, body);
}

static struct error *read_fetch(const struct line *line, const char *name, char *body,
				struct span span, bool hidden)
{
	struct probe *probe = line->probe;
	struct fetch *fetch = &probe->fetches[probe->nfetches];
	unsigned *fetches = arena_array(line->arena, unsigned, 1);
	char *type = strrchr(body, ':');
	struct value *value;

	if (!type)
		return bad(line, body);
	*type++ = '\0';
	fetches[0] = probe->nfetches++;
	*fetch = (struct fetch){.field = name, .body = body, .want_span = span};
	fetch->type = (struct fetch_type){
		.kind = !strncmp(type, "string", 6) ? FETCH_STRING : !strncmp(type, "ustring", 7) ?
			FETCH_USTRING : FETCH_OTHER,
		.count = strchr(type, '[') ? (unsigned)atoi(strchr(type, '[') + 1) : 0,
		.words = arena_strndup(line->arena, type, strcspn(type, "/")),
	};
	if (hidden) { /* the one before's guard */
		fetch[-1].guards[0] = fetches[0] + 1;
		return NULL;
	}
	value = &probe->values[probe->nvalues++];
	value->name = name;
	value->fetch = fetches[0];
	value->fetches = fetches;
	value->nfetches = 1;
	read_type(line->arena, value, type);
	return NULL;
}

static struct error *read_value(const struct line *line, char *word, struct span span)
{
	bool hidden = *word == '^';
	char *equals = strchr(word, '=');
	const char *name = word + hidden;

	if (!equals)
		return bad(line, word);
	*equals++ = '\0';
	if (*equals == '@' && isalpha((unsigned char)equals[1]))
		return read_computed(line, name, equals + 1);
	if (*equals != '!')
		return read_fetch(line, name, equals, span, hidden);
	line->probe->values[line->probe->nvalues++] = (struct value){
		.name = name, .status = VALUE_UNAVAILABLE, .reason = equals + 1};
	return NULL;
}

static struct error *read_head(const struct line *line, char *word)
{
	char *colon = strchr(word, ':');

	line->probe->head = word;
	/* a path is a uprobe's; "module:symbol" or "symbol" a kprobe's */
	if (*word == '/' && colon)
		line->site->path = arena_strndup(line->arena, word, (size_t)(colon - word));
	return NULL;
}

static struct error *read_shown(const struct line *line, char *word)
{
	char *plus = strchr(word, '+');

	if (!strcmp(word, "-"))
		return NULL;
	if (!plus)
		return bad(line, word);
	*plus = '\0';
	line->site->shown_symbol = line->site->function = word;
	line->site->shown_offset = strtoull(plus + 1, NULL, 0);
	return NULL;
}

static struct error *read_word(const struct line *line, unsigned number, char *word,
			       struct span span)
{
	char *slash = strchr(word, '/');

	switch (number) {
	case 0:
		line->probe->kind = *word == 'r' ? PROBE_RETURN : PROBE_HIT;
		line->probe->is_return = *word == 'r';
		line->site->is_return = *word == 'r';
		return NULL;
	case 1:
		if (!slash)
			return bad(line, word);
		*slash = '\0';
		line->probe->group = word;
		line->probe->event = slash + 1;
		return NULL;
	case 2:
		return read_shown(line, word);
	case 3:
		((struct spec *)line->probe->spec)->place.span = span;
		return read_head(line, word);
	default:
		if (*word == '~')
			return filter_parse(line->arena, word + 1, &line->probe->filter);
		if (*word == '?')
			line->probe->kernel_filter = word + 1;
		else
			return read_value(line, word, span);
		return NULL;
	}
}

/* "p:GROUP/EVENT HEAD a=BODY:TYPE", the group's name left open. */
static void put_definition(struct arena *arena, struct probe *probe)
{
	char *text = arena_printf(arena, "%c:\1/%s %s", probe_letter(probe->kind), probe->event,
				  probe->head);

	for (unsigned i = 0; i < probe->nfetches; i++) {
		struct fetch *fetch = &probe->fetches[i];

		fetch->column.start = (unsigned)strlen(text) + 1;
		text = arena_printf(arena, "%s %s=%s:%s", text, fetch->field, fetch->body,
				    fetch->type.words);
		fetch->column.end = (unsigned)strlen(text);
	}
	probe->definition = text;
}

static struct error *read_line(struct arena *arena, const char *text, struct probe *probe)
{
	struct line line = {.arena = arena, .text = text, .probe = probe};
	struct spec *spec = arena_new(arena, struct spec);
	struct error *error = NULL;
	const char *p = text + strspn(text, " ");
	size_t words = strlen(text) / 2 + 1;

	line.site = arena_new(arena, struct site);
	spec->text = text;
	probe->spec = spec;
	probe->site = line.site;
	probe->fetches = arena_array(arena, struct fetch, words);
	probe->values = arena_array(arena, struct value, words);
	for (unsigned number = 0; !error && *p; number++) {
		size_t length = strcspn(p, " ");
		struct span span = {(unsigned)(p - text), (unsigned)(p - text + (long)length)};

		error = read_word(&line, number, arena_strndup(arena, p, length), span);
		p += length + strspn(p + length, " ");
	}
	if (!error)
		put_definition(arena, probe);
	return error;
}

struct error *plan_read(struct arena *arena, const char *text, struct plan *ret)
{
	struct error *error = NULL;

	*ret = (struct plan){.probes = arena_array(arena, struct probe, strlen(text) / 2 + 1)};
	while (!error && *text) {
		size_t length = strcspn(text, "\n");

		if (length && *text != '#')
			error = read_line(arena, arena_strndup(arena, text, length),
					  &ret->probes[ret->nprobes++]);
		text += length + (text[length] == '\n');
	}
	return error;
}
