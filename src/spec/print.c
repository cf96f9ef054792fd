// SPDX-License-Identifier: GPL-2.0-only
/*
 * struct spec in, its canonical text out: what is parsed again gives the same struct. A return
 * definition stays one (`r:...`), because +OFFSET and %return can't stand in one place.
 */
#include "spec/parse.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"

static void print_name(struct strbuf *buf, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++) {
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

static void print_place(struct strbuf *buf, const struct spec *spec)
{
	const struct place *place = &spec->place;

	if (place->module)
		strbuf_printf(buf, "%s:", place->module);
	if (place->function)
		print_name(buf, place->function);
	if (place->function && place->file)
		strbuf_putc(buf, '@');
	if (place->file)
		print_name(buf, place->file);
	if (place->kind == PLACE_LINE || place->kind == PLACE_FILE)
		strbuf_printf(buf, ":%u", place->line);
	else if (place->kind == PLACE_OFFSET)
		strbuf_printf(buf, "+%" PRIu64, place->offset);
	else if (place->kind == PLACE_RETURN && !spec->is_return_definition)
		strbuf_puts(buf, "%return");
}

/* Only functions and files hold blanks, and neither holds quotes. */
static void print_place_word(struct strbuf *buf, const struct spec *spec)
{
	struct strbuf word;

	strbuf_init(&word);
	if (spec->group && !spec->is_return_definition)
		strbuf_printf(&word, "%s/", spec->group);
	if (spec->event && !spec->is_return_definition)
		strbuf_printf(&word, "%s=", spec->event);
	print_place(&word, spec);
	if (strpbrk(word.data, " \t\n\r"))
		strbuf_printf(buf, "'%s'", word.data);
	else
		strbuf_puts(buf, word.data);
	strbuf_deinit(&word);
}

static void print_want(struct strbuf *buf, const struct want *want)
{
	if (want->name)
		strbuf_printf(buf, "%s=", want->name);
	strbuf_puts(buf, want->base);
	for (unsigned i = 0; i < want->nsteps; i++) {
		const struct step *step = &want->steps[i];

		if (step->kind == STEP_INDEX)
			strbuf_printf(buf, "[%" PRId64 "]", step->index);
		else
			strbuf_printf(buf, "%s%s", step->kind == STEP_ARROW ? "->" : ".",
				      step->name);
	}
	if (want->type)
		strbuf_printf(buf, ":%s", want->type);
	if (want->user)
		strbuf_puts(buf, "@user");
}

static void print_return_event(struct strbuf *buf, const struct spec *spec)
{
	strbuf_putc(buf, 'r');
	if (spec->event)
		strbuf_putc(buf, ':');
	if (spec->group)
		strbuf_printf(buf, "%s/", spec->group);
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

char *spec_print(struct arena *arena, const struct spec *spec)
{
	struct strbuf buf;
	char *text;

	strbuf_init(&buf);
	if (spec->is_return_definition)
		print_return_event(&buf, spec);
	print_place_word(&buf, spec);
	for (unsigned i = 0; i < spec->nwants; i++) {
		strbuf_putc(&buf, ' ');
		print_want(&buf, &spec->wants[i]);
	}
	text = print_take(arena, &buf);
	if (spec->is_return_definition || !pasted_word(text))
		return text;
	/* A function p or r: quotes keep it from being read as a definition. */
	return arena_printf(arena, "'%.*s'%s", (int)strcspn(text, " "), text,
			    text + strcspn(text, " "));
}

char *spec_print_want(struct arena *arena, const struct want *want)
{
	struct strbuf buf;

	strbuf_init(&buf);
	print_want(&buf, want);
	return print_take(arena, &buf);
}
