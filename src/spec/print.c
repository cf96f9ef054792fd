// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a struct spec as canonical text, which parses to the same struct again. A return
 * definition stays one (`r:...`), because +OFFSET and %return can't stand in one place.
 */
#include "spec/parse.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/strbuf.h"

static void print_name(struct strbuf *buf, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++) {
		unsigned symbol = operator_symbol(name, 0, (unsigned)i, (unsigned)length);

		if (symbol) {
			strbuf_printf(buf, "%.*s", (int)symbol, name + i);
			i += symbol - 1;
			continue;
		}
		if (place_is_scope(name, length, i)) {
			strbuf_puts(buf, "::");
			i++;
			continue;
		}
		if (strchr(PLACE_SPECIAL "\\", name[i]))
			strbuf_putc(buf, '\\');
		strbuf_putc(buf, name[i]);
	}
}

/* Whether it can only be written as a definition. */
static bool is_definition(const struct spec *spec)
{
	return spec->is_return_definition || spec->place.path;
}

static void print_place(struct strbuf *buf, const struct spec *spec)
{
	const struct place *place = &spec->place;

	if (place->path)
		strbuf_join(buf, place->path, ":", NULL);
	if (place->module)
		strbuf_join(buf, place->module, ":", NULL);
	if (place->function)
		print_name(buf, place->function);
	if (place->function && place->file)
		strbuf_putc(buf, '@');
	if (place->file)
		print_name(buf, place->file);
	else if (place->function && !place->module && place_is_file(place->function))
		strbuf_puts(buf, "@" ANY_FILE);
	if (place_is_range(place) && place->last_line == UINT_MAX)
		strbuf_puts(buf, ":*");
	else if (place_is_range(place))
		strbuf_printf(buf, ":%u-%u", place->line, place->last_line);
	else if (place->kind == PLACE_LINE || place->kind == PLACE_FILE)
		strbuf_printf(buf, ":%u", place->line);
	else if (place->kind == PLACE_OFFSET)
		strbuf_printf(buf, "+%" PRIu64, place->offset);
	else if (place->kind == PLACE_PATTERN)
		strbuf_join(buf, ";", place->pattern, NULL);
	else if (place->kind == PLACE_RETURN && !spec->is_return_definition)
		strbuf_puts(buf, "%return");
}

/* Quotes the whole word; one that contains both quotes has each blank quoted by itself. */
static void print_quoted(struct strbuf *buf, const char *word)
{
	char quote = !strchr(word, '\'') ? '\'' : !strchr(word, '"') ? '"' : 0;

	if (quote)
		strbuf_putc(buf, quote);
	for (const char *c = word; *c; c++)
		if (*c == ' ' && !quote)
			strbuf_puts(buf, "' '");
		else
			strbuf_putc(buf, *c);
	if (quote)
		strbuf_putc(buf, quote);
}

/* Functions and files may contain blanks, patterns may contain quotes. */
static void print_place_word(struct strbuf *buf, const struct spec *spec)
{
	struct strbuf word;
	bool is_event = spec->place.kind == PLACE_EVENT;

	strbuf_init(&word);
	if (spec->group && !is_definition(spec))
		strbuf_join(&word, spec->group, is_event ? ":" : "/", NULL);
	if (spec->event && !is_definition(spec))
		strbuf_join(&word, spec->event, is_event ? "" : "=", NULL);
	print_place(&word, spec);
	if (strpbrk(word.data, " \t\n\r"))
		print_quoted(buf, word.data);
	else
		strbuf_puts(buf, word.data);
	strbuf_deinit(&word);
}

static void print_postfix(struct strbuf *buf, const struct step *step)
{
	if (step->kind == STEP_INDEX)
		strbuf_printf(buf, "[%" PRId64 "]", step->index);
	else if (step->kind == STEP_SLICE)
		strbuf_printf(buf, "[%" PRId64 "..%" PRId64 "]", step->index, step->last);
	else
		strbuf_join(buf, step->kind == STEP_ARROW ? "->" : ".", step->name, NULL);
}

static void print_around(struct strbuf *buf, const char *before, const char *behind)
{
	struct strbuf inner = *buf;

	strbuf_init(buf);
	strbuf_join(buf, before, inner.data, behind, NULL);
	strbuf_deinit(&inner);
}

static void print_prefix(struct strbuf *buf, const struct step *step)
{
	if (step->kind != STEP_CAST) {
		print_around(buf, step->kind == STEP_DEREF ? "*" : "&", "");
		return;
	}
	print_around(buf, ")", "");
	print_around(buf, step->name, "");
	print_around(buf, "(", "");
}

/* A postfix operator puts a prefix expression before it into brackets. */
static void print_expression(struct strbuf *out, const struct want *want)
{
	struct strbuf buf;

	strbuf_init(&buf);
	strbuf_puts(&buf, want->base);
	for (unsigned i = 0; i < want->nsteps; i++) {
		if (step_is_prefix(want->steps[i].kind)) {
			print_prefix(&buf, &want->steps[i]);
			continue;
		}
		if (i && step_is_prefix(want->steps[i - 1].kind)) {
			print_around(&buf, "(", ")");
		}
		print_postfix(&buf, &want->steps[i]);
	}
	strbuf_puts(out, buf.data);
	strbuf_deinit(&buf);
}

static void print_want(struct strbuf *buf, const struct want *want)
{
	if (want->name)
		strbuf_join(buf, want->name, "=", NULL);
	print_expression(buf, want);
	if (want->depth)
		strbuf_printf(buf, "(%u)", want->depth);
	if (want->type)
		strbuf_join(buf, ":", want->type, NULL);
	if (want->user)
		strbuf_puts(buf, "@user");
}

static bool is_bare(const struct want *want)
{
	return !want->name && !want->nsteps && !want->type && !want->user;
}

static bool holds(struct span outer, struct span inner)
{
	return outer.start <= inner.start && inner.end <= outer.end;
}

/* The want of an aggregate or a key; if it has a name elsewhere in the spec, that name. */
static void print_inner(struct strbuf *buf, const struct want *want, struct span around,
			bool is_key)
{
	bool is_elsewhere = want->name && !holds(around, want->span);
	const char *name = is_elsewhere ? want->name : want->base;

	if (is_key && !strcmp(name, BY) && (is_elsewhere || is_bare(want)))
		strbuf_puts(buf, "(" BY ")");
	else if (is_elsewhere)
		strbuf_puts(buf, want->name);
	else if (is_key && is_bare(want) && want_is_key_name(want))
		strbuf_join(buf, "(", want->base, ")", NULL);
	else
		print_want(buf, want);
}

static void print_aggregate(struct strbuf *buf, const struct spec *spec,
			    const struct aggregate *aggregate)
{
	strbuf_join(buf, aggregate_name(aggregate->kind), "(", NULL);
	if (aggregate->kind != AGGREGATE_COUNT)
		print_inner(buf, &spec->wants[aggregate->want], aggregate->span, false);
	if (aggregate->step)
		strbuf_printf(buf, ",%" PRIu64, aggregate->step);
	strbuf_putc(buf, ')');
}

static void print_key(struct strbuf *buf, const struct spec *spec, const struct key *key)
{
	if (key->kind == KEY_VALUE)
		print_inner(buf, &spec->wants[key->want], key->span, true);
	else
		strbuf_join(buf, key->is_marked ? "$" : "", key->name, NULL);
}

/* A variable `by` is put in brackets, so that it doesn't begin the keys; `on` likewise. */
static void print_arg(struct strbuf *buf, const struct spec *spec, const struct want *want)
{
	if (is_bare(want) &&
	    (!strcmp(want->base, BY) || (spec_is_end(spec) && !strcmp(want->base, ON))))
		strbuf_join(buf, "(", want->base, ")", NULL);
	else
		print_want(buf, want);
}

/* Values and aggregates in the order they were written; a value inside an aggregate comes with
 * it. */
static void print_args(struct strbuf *buf, const struct spec *spec)
{
	unsigned next = 0;

	for (unsigned i = 0; i <= spec->naggregates; i++) {
		unsigned end = i < spec->naggregates ? spec->aggregates[i].span.start : UINT32_MAX;

		for (; next < spec->nwants && spec->wants[next].span.start < end; next++) {
			if (spec->wants[next].is_inner || spec->wants[next].is_start)
				continue;
			strbuf_putc(buf, ' ');
			print_arg(buf, spec, &spec->wants[next]);
		}
		if (i == spec->naggregates)
			break;
		strbuf_putc(buf, ' ');
		print_aggregate(buf, spec, &spec->aggregates[i]);
	}
	for (unsigned i = 0; spec_is_end(spec) && i < spec->pairing->njoins; i++) {
		struct span name = spec->pairing->joins[i].span;

		strbuf_puts(buf, i ? " " : " " ON " ");
		strbuf_add(buf, spec->text + name.start, name.end - name.start);
	}
	for (unsigned i = 0; i < spec->nkeys; i++) {
		strbuf_puts(buf, i ? " " : " " BY " ");
		print_key(buf, spec, &spec->keys[i]);
	}
}

static void print_definition(struct strbuf *buf, const struct spec *spec)
{
	strbuf_putc(buf, spec->is_return_definition ? 'r' : 'p');
	if (spec->event)
		strbuf_putc(buf, ':');
	if (spec->group)
		strbuf_join(buf, spec->group, "/", NULL);
	if (spec->event)
		strbuf_puts(buf, spec->event);
	strbuf_putc(buf, ' ');
}

static char *print_take(struct arena *arena, struct strbuf *buf)
{
	char *text = arena_strndup(arena, buf->data, buf->length);

	strbuf_deinit(buf);
	return text;
}

static char *print_half(struct arena *arena, const struct spec *spec)
{
	struct strbuf buf;
	char *text;

	strbuf_init(&buf);
	if (is_definition(spec))
		print_definition(&buf, spec);
	print_place_word(&buf, spec);
	print_args(&buf, spec);
	text = print_take(arena, &buf);
	if (is_definition(spec) || spec->place.kind == PLACE_EVENT || !pasted_word(text))
		return text;
	/* A function p or r: quotes keep it from being read as a definition. */
	return arena_printf(arena, "'%.*s'%s", (int)strcspn(text, " "), text,
			    text + strcspn(text, " "));
}

char *spec_print(struct arena *arena, const struct spec *spec)
{
	char *half = print_half(arena, spec);

	return spec_is_end(spec) ? arena_printf(arena, "%s " ARROW " %s",
						print_half(arena, spec->pairing->start), half) :
				   half;
}

char *spec_print_want(struct arena *arena, const struct want *want)
{
	struct strbuf buf;

	strbuf_init(&buf);
	print_want(&buf, want);
	return print_take(arena, &buf);
}

char *spec_print_path(struct arena *arena, const struct want *want)
{
	struct strbuf buf;

	strbuf_init(&buf);
	print_expression(&buf, want);
	return print_take(arena, &buf);
}

char *aggregate_print(struct arena *arena, const struct spec *spec,
		      const struct aggregate *aggregate)
{
	struct strbuf buf;

	strbuf_init(&buf);
	print_aggregate(&buf, spec, aggregate);
	return print_take(arena, &buf);
}
