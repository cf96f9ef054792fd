// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads what may be the TYPE of a cast: returns its canonical text, "struct sock *" or "unsigned
 * long", or NULL if it can't be a type. Qualifiers change no value and are dropped. A reference of
 * C++ is read as a pointer, since (T &)x is *(T *)&x.
 */
#include "spec/parse.h"

#include "base/strbuf.h"

static bool is_qualifier(const struct scan *scan, struct span word)
{
	static const char *const words[] = {"const", "volatile", "restrict", "__user", "__rcu",
					    "__iomem", "__percpu"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (scan_is(scan, word, words[i]))
			return true;
	return false;
}

/* An identifier, with the scopes of C++ and Rust before it. */
static struct span cast_word(struct scan *scan)
{
	struct span word = scan_identifier(scan);

	while (span_length(word) && scan_peek(scan, 0) == ':' && scan_peek(scan, 1) == ':' &&
	       char_is_name_start(scan_peek(scan, 2))) {
		scan->pos += 2;
		word.end = scan_identifier(scan).end;
	}
	return word;
}

static bool cast_words(struct scan *scan, struct strbuf *out)
{
	for (scan_blanks(scan); char_is_name_start(scan_peek(scan, 0)); scan_blanks(scan)) {
		struct span word = cast_word(scan);

		if (is_qualifier(scan, word))
			continue;
		if (out->length)
			strbuf_putc(out, ' ');
		strbuf_add(out, scan->text + word.start, span_length(word));
	}
	return out->length;
}

/* The stars after it, and the pointers' qualifiers. */
static void cast_stars(struct scan *scan, struct strbuf *out)
{
	bool first = true;

	for (;; scan_blanks(scan)) {
		unsigned start = scan->pos;

		if (scan_eat(scan, "*")) {
			strbuf_puts(out, first ? " *" : "*");
			first = false;
		} else if (first || !is_qualifier(scan, scan_identifier(scan))) {
			scan->pos = start;
			return;
		}
	}
}

/* The text gets the pointer's star. */
static bool cast_reference(struct scan *scan, struct strbuf *out)
{
	if (!scan_eat(scan, "&"))
		return false;
	scan_eat(scan, "&"); /* an rvalue's */
	scan_blanks(scan);
	strbuf_puts(out, out->data[out->length - 1] == '*' ? "*" : " *");
	return true;
}

const char *cast_type(struct scan *scan, bool *is_reference)
{
	unsigned start = scan->pos;
	const char *type = NULL;
	struct strbuf text;

	strbuf_init(&text);
	if (cast_words(scan, &text)) {
		cast_stars(scan, &text);
		*is_reference = cast_reference(scan, &text);
		if (scan_eat(scan, ")"))
			type = arena_strndup(scan->arena, text.data, text.length);
	}
	strbuf_deinit(&text);
	if (!type)
		scan->pos = start;
	return type;
}
