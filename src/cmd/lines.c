// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace lines`: lists the lines with code of a function or file, numbered: with the source beside
 * them if it is found, else with addresses and instances, which need no source.
 */
#include <string.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/sources.h"
#include "resolve/listing.h"
#include "spec/spec.h"
#include "target/placing.h"
#include "target/target.h"

struct listing {
	const struct options *options;
	struct line_list list;
};

static void print_places(struct strbuf *out, const struct listing *listing,
			 const struct listed_line *line)
{
	enum { MOST = 4 };
	const struct target *target = listing->list.resolver->target;

	for (unsigned i = 0; i < line->count && i < MOST; i++) {
		const struct listed_place *place = &line->places[i];
		const struct symbol *symbol = target_symbol_at(target, place->address,
							       place->instance->outer);

		strbuf_printf(out, "%s%s+%#llx", i ? ", " : "", symbol ? symbol->name : "?",
			      (unsigned long long)(symbol ? place->address - symbol->address : 0));
	}
	if (line->count > MOST)
		strbuf_printf(out, " and %u more", line->count - MOST);
}

static void json_place(struct strbuf *out, const struct target *target,
		       const struct listed_place *place)
{
	const struct symbol *symbol =
		target_symbol_at(target, place->address, place->instance->outer);

	json_object(out, NULL);
	json_address(out, "address", target_file_address(target, place->address));
	json_text(out, "symbol", symbol ? symbol->name : "");
	json_number(out, "offset", symbol ? place->address - symbol->address : 0);
	json_bool(out, "inlined", place->instance->inlined);
	json_object_end(out);
}

static void print_json(struct strbuf *out, const struct listing *listing, unsigned line,
		       const char *source)
{
	const struct listed_line *at = &listing->list.lines[line - listing->list.first];

	json_object(out, NULL);
	json_number(out, "line", line - listing->list.base);
	json_number(out, "file_line", line);
	json_text(out, "file", listing->list.file);
	json_text(out, "source", source);
	json_bool(out, "more", at->has_more);
	json_bool(out, "fewer", at->has_fewer);
	json_array(out, "addresses");
	for (unsigned i = 0; i < at->count; i++)
		json_place(out, listing->list.resolver->target, &at->places[i]);
	json_array_end(out);
	json_object_end(out);
	strbuf_putc(out, '\n');
}

/* Beside the number: more events than passes are possible, fewer, or either. */
static char sign_of(const struct listed_line *line)
{
	return line->has_more && line->has_fewer ? '~' :
	       line->has_more			 ? '+' :
	       line->has_fewer			 ? '-' :
						   ' ';
}

static void print_line(struct strbuf *out, const struct listing *listing, unsigned line,
		       const char *source)
{
	const struct listed_line *at = &listing->list.lines[line - listing->list.first];

	if (listing->options->json) {
		if (at->count)
			print_json(out, listing, line, source);
		return;
	}
	if (!source && !at->count)
		return;
	if (at->count)
		strbuf_printf(out, "%7u%c ", line - listing->list.base, sign_of(at));
	else
		strbuf_printf(out, "%7s  ", "");
	if (source)
		strbuf_printf(out, "%s", source);
	if (!source || listing->options->verbose) {
		strbuf_puts(out, source && at->count ? "    /* " : "");
		print_places(out, listing, at);
		strbuf_puts(out, source && at->count ? " */" : "");
	}
	strbuf_putc(out, '\n');
}

/* Takes a line off *source. Returns NULL at its end, or when there is no source. */
static const char *take_line(struct arena *arena, const char **source)
{
	size_t length;
	const char *ret;

	if (!*source || !**source)
		return NULL;
	length = strcspn(*source, "\n");
	ret = arena_strndup(arena, *source, length);
	*source += length + ((*source)[length] == '\n');
	return ret;
}

static const char *skip_lines(const char *source, unsigned count)
{
	for (; source && *source && count; count--) {
		source += strcspn(source, "\n");
		source += *source == '\n';
	}
	return source;
}

static void print_title(struct strbuf *out, const struct listing *listing, const char *source,
			const char *refused)
{
	strbuf_printf(out, "<%s%s%s:%u>", listing->list.range->function ? listing->list.title : "",
		      listing->list.range->function ? "@" : "", listing->list.file,
		      listing->list.first);
	if (refused)
		strbuf_printf(out, "  (the source %s; addresses instead)", refused);
	else if (!source)
		strbuf_puts(out, "  (no source here: -s DIR; addresses instead)");
	strbuf_putc(out, '\n');
}

/* Of the first line with code; 0: there is none. */
static uint64_t first_address(const struct line_list *list)
{
	for (unsigned line = list->first; line <= list->last; line++) {
		const struct listed_line *at = &list->lines[line - list->first];

		if (at->count)
			return at->places[0].address;
		if (line == list->last)
			break;
	}
	return 0;
}

static void print_listing(struct listing *listing)
{
	struct arena *arena = listing->list.resolver->arena;
	const struct source_lines lines = {listing->list.directory, listing->list.file,
					   first_address(&listing->list), listing->list.first,
					   listing->list.last, false};
	const char *refused;
	const char *source = source_text(listing->list.resolver, listing->options->source_dir,
					 &lines, &refused);
	struct strbuf out;

	strbuf_init(&out);
	if (!listing->options->json)
		print_title(&out, listing, source, refused);
	else if (refused && !listing->options->quiet)
		tell("ktrace: the source '%s' %s\n", lines.file, refused);
	source = skip_lines(source, listing->list.first - 1);
	for (unsigned line = listing->list.first; line <= listing->list.last; line++) {
		print_line(&out, listing, line, take_line(arena, &source));
		if (line == listing->list.last)
			break; /* last may be UINT_MAX */
	}
	fwrite(out.data ? out.data : "", 1, out.length, stdout);
	strbuf_deinit(&out);
}

struct error *cmd_lines(struct arena *arena, const struct options *options)
{
	struct listing listing = {.options = options};
	struct line_range *range;
	struct resolver *resolver;
	struct sources sources;
	struct error *error;

	if (options->noperands > 1)
		return error_new(arena, ERROR_USAGE, "'lines' takes one function or file");
	error = spec_parse_range(arena, options->operands[0], &range);
	if (error)
		return error;
	sources_init(&sources, arena, options);
	sources_expect(&sources, range->function);
	error = sources_get(&sources, NULL, false, &resolver);
	if (!error)
		error = resolve_lines(resolver, range, &listing.list);
	if (!error)
		print_listing(&listing);
	if (!error && listing.list.unprobed && !options->quiet)
		tell("ktrace: no number for %u line%s: %s\n", listing.list.unprobed,
		     listing.list.unprobed == 1 ? "" : "s", listing.list.why_unprobed);
	sources_deinit(&sources);
	return error;
}
