// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace lines`: a function or file in, its lines with code out: numbered, with the source beside
 * them where it is found, else with the addresses and copies, which need no source.
 */
#include <string.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "debuginfo/debuginfo.h"
#include "spec/spec.h"
#include "target/target.h"

/* No function is longer; a damaged line table may say so. */
#define MOST_LINES 100000u

struct place_of_line {
	const struct instance *instance;
	uint64_t address;
};

struct listed_line {
	struct place_of_line *places;
	unsigned count;
};

struct listing {
	struct resolver *resolver;
	const struct options *options;
	const struct line_range *range;
	const char *title; /* the function, or the file */
	const char *file;
	unsigned base;  /* line of the file that is shown as 0 */
	unsigned first; /* of the file */
	unsigned last;
	struct listed_line *lines; /* [line - first] */
};

static void add_place(struct listing *listing, unsigned line, const struct instance *instance,
		      uint64_t address)
{
	struct listed_line *at = &listing->lines[line - listing->first];

	for (unsigned i = 0; i < at->count; i++)
		if (at->places[i].address == address)
			return;
	arena_append(listing->resolver->arena, at->places, at->count) =
		(struct place_of_line){instance, address};
}

static struct error *add_rows(struct listing *listing, const struct instance *instance)
{
	struct debuginfo *info = listing->resolver->info;
	struct row *rows;
	unsigned count;
	struct error *error = debuginfo_rows(info, instance, &rows, &count);

	for (unsigned i = 0; !error && i < count; i++)
		if (rows[i].line >= listing->first && rows[i].line <= listing->last &&
		    !strcmp(rows[i].file, listing->file))
			add_place(listing, rows[i].line, instance, rows[i].address);
	return error;
}

static void print_places(struct strbuf *out, const struct listing *listing,
			 const struct listed_line *line)
{
	enum { MOST = 4 };
	const struct target *target = listing->resolver->target;

	for (unsigned i = 0; i < line->count && i < MOST; i++) {
		const struct place_of_line *place = &line->places[i];
		const struct symbol *symbol = target_symbol_at(target, place->address,
							       place->instance->outer);

		strbuf_printf(out, "%s%s+%#llx", i ? ", " : "", symbol ? symbol->name : "?",
			      (unsigned long long)(symbol ? place->address - symbol->address : 0));
	}
	if (line->count > MOST)
		strbuf_printf(out, " and %u more", line->count - MOST);
}

static void json_place(struct strbuf *out, const struct target *target, const struct place_of_line *place)
{
	const struct symbol *symbol = target_symbol_at(target, place->address, place->instance->outer);

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
	const struct listed_line *at = &listing->lines[line - listing->first];

	json_object(out, NULL);
	json_number(out, "line", line - listing->base);
	json_number(out, "file_line", line);
	json_text(out, "file", listing->file);
	json_text(out, "source", source);
	json_array(out, "addresses");
	for (unsigned i = 0; i < at->count; i++)
		json_place(out, listing->resolver->target, &at->places[i]);
	json_array_end(out);
	json_object_end(out);
	strbuf_putc(out, '\n');
}

static void print_line(struct strbuf *out, const struct listing *listing, unsigned line,
		       const char *source)
{
	const struct listed_line *at = &listing->lines[line - listing->first];

	if (listing->options->json) {
		if (at->count)
			print_json(out, listing, line, source);
		return;
	}
	if (!source && !at->count)
		return;
	if (at->count)
		strbuf_printf(out, "%7u  ", line - listing->base);
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

/* The line's text, and the next one; NULL: the source is at its end, or isn't there. */
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
	strbuf_printf(out, "<%s%s%s:%u>", listing->range->function ? listing->title : "",
		      listing->range->function ? "@" : "", listing->file, listing->first);
	if (refused)
		strbuf_printf(out, "  (the source %s; addresses instead)", refused);
	else if (!source)
		strbuf_puts(out, "  (no source here: -s DIR; addresses instead)");
	strbuf_putc(out, '\n');
}

static void print_listing(struct listing *listing)
{
	struct arena *arena = listing->resolver->arena;
	const char *refused;
	const char *source = source_text(arena, listing->resolver->target, listing->options->source_dir,
					 listing->file, &refused);
	struct strbuf out;

	strbuf_init(&out);
	if (!listing->options->json)
		print_title(&out, listing, source, refused);
	source = skip_lines(source, listing->first - 1);
	for (unsigned line = listing->first; line <= listing->last; line++) {
		print_line(&out, listing, line, take_line(arena, &source));
		if (line == listing->last)
			break; /* of all there can be */
	}
	fwrite(out.data ? out.data : "", 1, out.length, stdout);
	strbuf_deinit(&out);
}

/* From the declaration to the last line of the function that has code, or as much of it as the
 * range names. */
static struct error *bound_function(struct listing *listing, struct instance *const *instances,
				    unsigned count)
{
	const struct line_range *range = listing->range;
	unsigned end = 0;

	listing->base = instances[0]->function->line;
	listing->file = instances[0]->function->file;
	for (unsigned i = 0; i < count; i++) {
		struct debuginfo *info = listing->resolver->info;
		struct row *rows;
		unsigned nrows;
		struct error *error = debuginfo_rows(info, instances[i], &rows, &nrows);

		if (error)
			return error;
		for (unsigned j = 0; j < nrows; j++)
			if (rows[j].line > end && !strcmp(rows[j].file, listing->file))
				end = rows[j].line;
	}
	listing->first = listing->base + (range->has_range ? range->first : 0);
	listing->last = end;
	if (range->has_range && range->last < end - listing->base)
		listing->last = listing->base + range->last;
	return NULL;
}

static struct error *empty_range(struct listing *listing)
{
	struct arena *arena = listing->resolver->arena;

	return error_at(error_new(arena, ERROR_NOT_FOUND, "no line with code there in '%s'",
				  listing->title), listing->range->text, listing->range->range_span);
}

static struct error *list_function(struct listing *listing)
{
	const struct line_range *range = listing->range;
	struct instance **instances;
	unsigned count;
	struct error *error;

	error = resolve_instances(listing->resolver, range->function, range->file, range->text,
				  range->function_span, &instances, &count);
	if (!error)
		error = bound_function(listing, instances, count);
	if (error)
		return error;
	listing->title = instances[0]->function->name;
	if (listing->last < listing->first)
		return empty_range(listing);
	if (listing->last - listing->first >= MOST_LINES)
		return error_hint(listing->resolver->arena, error_new(
			listing->resolver->arena, ERROR_LIMIT, "the code of '%s' is from line %u to %u of its "
			"file", listing->title, listing->first, listing->last),
			"name some of its lines: ktrace lines '%s:0-100'", range->function);
	listing->lines = arena_array(listing->resolver->arena, struct listed_line,
				     listing->last - listing->first + 1);
	for (unsigned i = 0; i < count && !error; i++)
		if (!strcmp(instances[i]->function->file, listing->file) &&
		    instances[i]->function->line == listing->base)
			error = add_rows(listing, instances[i]);
	return error;
}

static struct error *unknown_file(struct listing *listing)
{
	const struct line_range *range = listing->range;

	return error_at(error_new(listing->resolver->arena, ERROR_NOT_FOUND,
				  "no source file '%s' in '%s'", range->file,
				  listing->resolver->target->path), range->text, range->file_span);
}

/* A file has no end that debug information would tell: without a range, its first lines. */
static struct error *list_file(struct listing *listing)
{
	enum { DEFAULT_LINES = 20 };
	const struct line_range *range = listing->range;
	struct debuginfo *info = listing->resolver->info;
	struct instance **instances;
	unsigned count;
	bool known;
	struct error *error;

	listing->title = listing->file = range->file;
	listing->first = range->has_range ? range->first : 1;
	listing->last = range->has_range ? range->last : DEFAULT_LINES;
	if (listing->last - listing->first >= MOST_LINES)
		listing->last = listing->first + DEFAULT_LINES - 1;
	listing->lines = arena_array(listing->resolver->arena, struct listed_line,
				     listing->last - listing->first + 1);
	error = debuginfo_instances_at_lines(info, range->file, listing->first, listing->last,
					     &instances, &count, &known);
	if (error)
		return error;
	if (!count)
		return known ? empty_range(listing) : unknown_file(listing);
	error = resolve_one_file(listing->resolver, range->file, instances, count);
	if (error)
		return error_at(error, range->text, range->file_span);
	listing->file = instances[0]->function->file;
	for (unsigned i = 0; i < count && !error; i++)
		error = add_rows(listing, instances[i]);
	return error;
}

struct error *cmd_lines(struct arena *arena, const struct options *options)
{
	struct listing listing = {.options = options};
	struct line_range *range;
	struct sources sources;
	struct error *error;

	if (options->noperands > 1)
		return error_new(arena, ERROR_USAGE, "'lines' takes one function or file");
	error = spec_parse_range(arena, options->operands[0], &range);
	if (error)
		return error;
	listing.range = range;
	sources_init(&sources, arena, options);
	sources_expect(&sources, range->function);
	error = sources_get(&sources, NULL, false, &listing.resolver);
	if (!error)
		error = range->function ? list_function(&listing) : list_file(&listing);
	if (!error)
		print_listing(&listing);
	sources_deinit(&sources);
	return error;
}
