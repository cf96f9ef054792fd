// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads plan files, row by row. Each row belongs to the innermost struct of its kind before it; one
 * that nothing stands before is an error, as is anything unknown: what can't be understood can't be
 * run.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "expr/expr.h"
#include "planfile/internal.h"
#include "spec/spec.h"

struct error *bad(const struct reading *reading, const char *format, ...)
{
	va_list args;
	const char *what;

	va_start(args, format);
	what = arena_vprintf(reading->arena, format, args);
	va_end(args);
	return error_new(reading->arena, ERROR_SYNTAX, "%s:%u: %s", reading->file->name, reading->line, what);
}

static bool read_number(const char *text, uint64_t most, uint64_t *ret)
{
	bool is_negative = *text == '-';
	char *end;

	text += is_negative;
	errno = 0;
	*ret = strtoull(text, &end, 0);
	if (is_negative)
		*ret = 0 - *ret;
	return !errno && isdigit((unsigned char)*text) && !*end && *ret <= most;
}

static bool read_register(const struct reading *reading, const char *name, size_t length, uint64_t *ret)
{
	const struct arch *arch = reading->variant->arch;
	const char *text = arena_strndup(reading->arena, name, length);

	for (*ret = 0; arch && *ret < arch->nregisters; (*ret)++)
		if (arch->registers[*ret] && !strcmp(arch->registers[*ret], text))
			return true;
	return arch && read_number(text, UINT8_MAX, ret);
}

static const struct expr *read_leaf(void *cookie, struct arena *arena, const char **at)
{
	const struct reading *reading = cookie;
	size_t length = strspn(*at + !!**at, "abcdefghijklmnopqrstuvwxyz0123456789");
	char *text = arena_strndup(arena, *at, length + !!**at);
	enum expr_op op = *text == '%' ? EXPR_REG : *text == '@' ? EXPR_STATIC : EXPR_CPU;
	uint64_t number = 0;

	if (op == EXPR_REG ? !read_register(reading, text + 1, length, &number) :
	    op == EXPR_STATIC ? !read_number(text + 1, UINT64_MAX, &number) : strcmp(text, "cpu") != 0)
		return NULL;
	*at += strlen(text);
	return expr_leaf(arena, op, number);
}

static bool read_enum(const struct field *field, const char *value, unsigned *ret)
{
	for (*ret = 0; *ret < field->nwords; (*ret)++)
		if (field->words[*ret] && !strcmp(field->words[*ret], value))
			return true;
	return false;
}

static void put_pointer(void *at, const void *pointer)
{
	memcpy(at, &pointer, sizeof(pointer));
}

static struct error *read_integer(struct reading *reading, const struct field *field, const char *value,
				  void *at)
{
	size_t size = field->kind == FIELD_U8 ? 1 : field->kind == FIELD_U32 ? 4 : 8;
	uint64_t number;

	if (!read_number(value, size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1, &number))
		return bad(reading, "'%s' is no such number: %s", field->name ?: reading->word, value);
	memcpy(at, &number, size); /* little endian */
	return NULL;
}

static struct error *read_shape_number(struct reading *reading, const char *value, void *at)
{
	uint64_t number;

	if (!read_number(value, reading->nshapes, &number) || !number)
		return bad(reading, "there is no shape %s before this", value);
	put_pointer(at, reading->shapes[number - 1].shape);
	return NULL;
}

static struct error *read_field(struct reading *reading, const struct field *field, const char *value, void *at)
{
	const struct expr *expr;
	unsigned word;
	uint64_t number;

	switch (field->kind) {
	case FIELD_FLAG:
		*(bool *)at = true;
		return NULL;
	case FIELD_TEXT:
		put_pointer(at, value);
		return NULL;
	case FIELD_WORD:
		if (!read_enum(field, value, &word))
			return bad(reading, "'%s' is nothing that this ktrace knows", value);
		memcpy(at, &word, sizeof(word));
		return NULL;
	case FIELD_EXPR:
		expr = expr_read(reading->arena, value, read_leaf, reading);
		put_pointer(at, expr);
		return expr ? NULL : bad(reading, "'%s' can't be computed", value);
	case FIELD_SHAPE:
		return read_shape_number(reading, value, at);
	case FIELD_REGISTER:
		if (!read_register(reading, value, strlen(value), &number))
			return bad(reading, "there is no register '%s'", value);
		memcpy(at, &number, sizeof(number));
		return NULL;
	default:
		return read_integer(reading, field, value, at);
	}
}

/* The field that a word of the row is for; NULL: none. */
static const struct field *find_field(const struct row_kind *kind, const char *name, const char *value,
				      bool is_first)
{
	const struct field *first = kind->fields;

	if (is_first && !first->name)
		return name && value ? NULL : first;
	for (unsigned i = 0; name && i < kind->nfields; i++) {
		const struct field *field = &kind->fields[i];

		if (field->name && !strcmp(field->name, name) && (field->kind == FIELD_FLAG) == !value)
			return field;
	}
	return NULL;
}

struct error *read_fields(struct reading *reading, const struct row_kind *kind, void *object)
{
	uint64_t seen = 0;
	bool is_first = true;

	for (;; is_first = false) {
		const struct field *field;
		const char *name, *value;
		struct error *error = next_word(reading, &name, &value);

		if (error)
			return error;
		if (!name && !value)
			break;
		field = find_field(kind, name, value, is_first);
		if (!field || seen & (uint64_t)1 << (field - kind->fields))
			return bad(reading, "'%s' is %s a '%s'", name ?: value, field ? "said twice of" : "nothing of",
				   kind->word);
		seen |= (uint64_t)1 << (field - kind->fields);
		error = read_field(reading, field, value ?: name, (char *)object + field->offset);
		if (error)
			return error;
	}
	return is_first && !kind->fields->name ? bad(reading, "'%s' of what?", kind->word) : NULL;
}

static struct error *read_text(struct reading *reading, const char **ret)
{
	const char *name, *value, *more;
	struct error *error = next_word(reading, &name, &value);

	*ret = value ?: name;
	if (!error && ((name && value) || !*ret))
		return bad(reading, "'%s' has one word behind it", reading->word);
	if (!error)
		error = next_word(reading, &name, &more);
	return error || (!name && !more) ? error : bad(reading, "'%s' has one word behind it", reading->word);
}

/* Ends the sites that are being read. */
static struct error *end_sites(struct reading *reading)
{
	struct error *error = reading->shape ? check_shape(reading) : NULL;

	if (!error && reading->sites)
		error = check_sites(reading);
	reading->sites = NULL;
	reading->spec = NULL;
	reading->site = NULL;
	reading->capture = NULL;
	reading->has_wants = false;
	reading->shapes = NULL;
	reading->nshapes = 0;
	return error;
}

/* Ends the spec that is being read: a pair has both its places. */
static struct error *end_planned(struct reading *reading)
{
	struct error *error = end_sites(reading);

	if (!error && reading->planned && (!reading->planned->nends || (reading->parsed->pairing && !reading->planned->nstarts)))
		error = bad(reading, "the pair '%s' has one place only", reading->parsed->text);
	reading->planned = NULL;
	return error;
}

static struct error *read_plan(struct reading *reading)
{
	struct planfile *file = reading->file;
	const char *version;
	struct error *error = end_planned(reading);

	if (!error)
		error = read_text(reading, &version);
	if (error)
		return error;
	if (atoi(version) != PLANFILE_VERSION)
		return error_hint(reading->arena, bad(reading, "this plan is of version %s, and this ktrace reads "
						      "version %d", version, PLANFILE_VERSION),
				  "write it again with this ktrace, or run it with the one that wrote it");
	reading->variant = &arena_append(reading->arena, file->variants, file->nvariants);
	reading->variant->line = reading->line;
	return NULL;
}

static bool is_build_id(const char *text)
{
	size_t length = strlen(text);

	return length >= 16 && length <= 128 && length % 2 == 0 && !text[strspn(text, "0123456789abcdef")];
}

static struct error *read_build(struct reading *reading, enum target_kind kind)
{
	struct variant *variant = reading->variant;
	struct build build = {.kind = kind};
	struct error *error = read_fields(reading, &row_build[kind], &build);

	if (error)
		return error;
	if (!is_build_id(build.id))
		return bad(reading, "'%s' is no build-id", build.id);
	if (kind != TARGET_KERNEL && (!build.name || !*build.name))
		return bad(reading, "the %s has no name", reading->word);
	for (unsigned i = 0; i < variant->nbuilds; i++)
		if (variant->builds[i].kind != TARGET_MODULE && kind != TARGET_MODULE)
			return bad(reading, "a plan is for one kernel or one program");
	arena_append(reading->arena, variant->builds, variant->nbuilds) = build;
	return NULL;
}

static struct error *read_kernel(struct reading *reading)
{
	return read_build(reading, TARGET_KERNEL);
}

static struct error *read_module(struct reading *reading)
{
	return read_build(reading, TARGET_MODULE);
}

static struct error *read_program(struct reading *reading)
{
	return read_build(reading, TARGET_PROGRAM);
}

static struct error *read_machine(struct reading *reading)
{
	const char *name;
	struct error *error = read_text(reading, &name);

	if (error)
		return error;
	reading->variant->arch = arch_named(name);
	return reading->variant->arch ? NULL : bad(reading, "this ktrace doesn't know the processor '%s'", name);
}

static struct error *read_filter(struct reading *reading)
{
	struct variant *variant = reading->variant;

	return read_text(reading, &arena_append(reading->arena, variant->filters, variant->nfilters));
}

static struct error *read_event(struct reading *reading)
{
	struct variant *variant = reading->variant;

	return read_text(reading, &arena_append(reading->arena, variant->events, variant->nevents));
}

/* $params and $vars: `want` rows say what they were. */
static void drop_all(struct arena *arena, struct spec *spec)
{
	struct want *wants = arena_array(arena, struct want, spec->nwants + 1);
	unsigned count = 0;

	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind != WANT_ALL)
			wants[count++] = spec->wants[i];
	spec->wants = wants;
	spec->nwants = count;
}

/* Whether the sites belong to the pair that is being read: its starts come first. */
static bool is_same_pair(const struct reading *reading, const char *text, bool is_start)
{
	const struct planned *planned = reading->planned;

	return planned && reading->parsed->pairing && !strcmp(reading->parsed->text, text) &&
	       !(is_start && planned->nends);
}

static struct error *begin_planned(struct reading *reading, const char *text)
{
	struct variant *variant = reading->variant;
	struct spec *parsed;
	struct error *error = end_planned(reading);

	if (!error)
		error = spec_parse(reading->arena, text, &parsed);
	if (error)
		return error;
	reading->parsed = parsed;
	reading->planned = arena_new(reading->arena, struct planned);
	reading->planned->line = reading->line;
	arena_append(reading->arena, variant->specs, variant->nspecs) = reading->planned;
	return NULL;
}

static void begin_sites(struct reading *reading, const struct spec *given, bool is_start)
{
	struct planned *planned = reading->planned;
	struct spec *spec = arena_new(reading->arena, struct spec);

	*spec = *given;
	drop_all(reading->arena, spec);
	reading->spec = spec;
	reading->sites = arena_new(reading->arena, struct sites);
	reading->sites->spec = given; /* until all of the spec is read */
	reading->sites->arch = reading->variant->arch;
	if (is_start)
		arena_append(reading->arena, planned->starts, planned->nstarts) = reading->sites;
	else
		arena_append(reading->arena, planned->ends, planned->nends) = reading->sites;
}

static struct error *read_half(struct reading *reading, const struct row_kind *kind, bool is_start)
{
	struct spec written = {0};
	struct error *error = end_sites(reading);

	if (!error)
		error = read_fields(reading, kind, &written);
	if (!error && !is_same_pair(reading, written.text, is_start))
		error = begin_planned(reading, written.text);
	if (error)
		return error;
	if (is_start && !reading->parsed->pairing)
		return bad(reading, "'%s' is no pair", written.text);
	begin_sites(reading, is_start ? reading->parsed->pairing->start : reading->parsed, is_start);
	reading->spec->event = written.event ?: reading->spec->event;
	return NULL;
}

static struct error *read_spec(struct reading *reading)
{
	return read_half(reading, &row_spec, false);
}

static struct error *read_start(struct reading *reading)
{
	return read_half(reading, &row_start, true);
}

/* The want as the text has it, if it names this one. */
static const struct want *given_want(const struct spec *parsed, const struct want *want)
{
	for (unsigned i = 0; i < parsed->nwants; i++)
		if (parsed->wants[i].kind != WANT_ALL && parsed->wants[i].span.start == want->span.start &&
		    parsed->wants[i].span.end == want->span.end)
			return &parsed->wants[i];
	return NULL;
}

static struct error *read_want(struct reading *reading)
{
	struct spec *spec = reading->spec;
	const struct want *given;
	struct want want = {.kind = WANT_VARIABLE};
	struct error *error = read_fields(reading, &row_want, &want);

	if (error)
		return error;
	if (want.span.end > strlen(spec->text) || want.span.start > want.span.end)
		return bad(reading, "'%s' isn't in the spec", want.base);
	if (!reading->has_wants) {
		spec->wants = NULL;
		spec->nwants = 0;
	}
	reading->has_wants = true;
	given = given_want(reading->sites->spec, &want);
	if (!given && !want.is_expanded)
		return bad(reading, "the spec has no '%s' there", want.base);
	arena_append(reading->arena, spec->wants, spec->nwants) = given ? *given : want;
	spec->wants[spec->nwants - 1].is_expanded = want.is_expanded;
	spec->wants[spec->nwants - 1].base_span = given ? given->base_span : want.span;
	return NULL;
}

static struct error *read_constant(struct reading *reading)
{
	struct sites *sites = reading->sites;
	struct enumerator *list = (struct enumerator *)sites->constants;
	struct error *error = read_fields(reading, &row_constant,
					  &arena_append(reading->arena, list, sites->nconstants));

	sites->constants = list;
	return error;
}

static struct error *read_shape(struct reading *reading)
{
	struct error *error = reading->shape ? check_shape(reading) : NULL;

	if (error)
		return error;
	reading->shape = arena_new(reading->arena, struct shape);
	return read_fields(reading, &row_shape, reading->shape);
}

static struct error *read_name(struct reading *reading)
{
	struct shape *shape = reading->shape;
	struct enumerator *list = (struct enumerator *)shape->enumerators;
	struct error *error = read_fields(reading, &row_name,
					  &arena_append(reading->arena, list, shape->nenumerators));

	shape->enumerators = list;
	return error;
}

static struct error *read_member(struct reading *reading)
{
	struct shape *shape = reading->shape;
	struct shape_member *list = (struct shape_member *)shape->members;
	struct error *error = read_fields(reading, &row_member,
					  &arena_append(reading->arena, list, shape->nmembers));

	shape->members = list;
	return error;
}

static const char *program_path(const struct variant *variant)
{
	for (unsigned i = 0; i < variant->nbuilds; i++)
		if (variant->builds[i].kind == TARGET_PROGRAM)
			return variant->builds[i].name;
	return NULL;
}

static struct error *read_site(struct reading *reading)
{
	struct sites *sites = reading->sites;
	struct error *error = reading->shape ? check_shape(reading) : NULL;

	if (error)
		return error;
	reading->site = &arena_append(reading->arena, sites->sites, sites->nsites);
	reading->capture = NULL;
	reading->site->path = program_path(reading->variant);
	return read_fields(reading, &row_site, reading->site);
}

static struct error *read_entry(struct reading *reading)
{
	struct site *entry = arena_new(reading->arena, struct site);

	if (reading->site->entry)
		return bad(reading, "a site has one entry");
	reading->site->entry = entry;
	entry->path = reading->site->path;
	return read_fields(reading, &row_entry, entry);
}

static struct error *read_captured(struct reading *reading)
{
	struct site *site = reading->site;

	if (site->ncaptures == reading->spec->nwants)
		return bad(reading, "the spec asks for %u values", reading->spec->nwants);
	reading->capture = &arena_append(reading->arena, site->captures, site->ncaptures);
	return read_fields(reading, &row_value, reading->capture);
}

static struct error *read_part(struct reading *reading)
{
	struct capture *capture = reading->capture;
	struct part_value *list = (struct part_value *)capture->parts;
	struct error *error = read_fields(reading, &row_part,
					  &arena_append(reading->arena, list, capture->nparts));

	capture->parts = list;
	return error;
}

static struct error *read_static(struct reading *reading)
{
	struct capture *capture = reading->capture;
	struct static_place *list = (struct static_place *)capture->statics;
	struct error *error = read_fields(reading, &row_static,
					  &arena_append(reading->arena, list, capture->nstatics));

	capture->statics = list;
	return error;
}

static struct error *read_define(struct reading *reading)
{
	struct planned *planned = reading->planned;

	return read_text(reading, &arena_append(reading->arena, planned->definitions, planned->ndefinitions));
}

/* What must stand before a row. */
enum { NOTHING, A_PLAN, A_SPEC, A_SHAPE, A_SITE, A_VALUE };

static const struct {
	const char *word;
	unsigned needs;
	struct error *(*read)(struct reading *reading);
} kinds[] = {
	{"plan", NOTHING, read_plan},
	{"kernel", A_PLAN, read_kernel},
	{"module", A_PLAN, read_module},
	{"program", A_PLAN, read_program},
	{"machine", A_PLAN, read_machine},
	{"filter", A_PLAN, read_filter},
	{"event", A_PLAN, read_event},
	{"spec", A_PLAN, read_spec},
	{"start", A_PLAN, read_start},
	{"want", A_SPEC, read_want},
	{"constant", A_SPEC, read_constant},
	{"shape", A_SPEC, read_shape},
	{"name", A_SHAPE, read_name},
	{"member", A_SHAPE, read_member},
	{"site", A_SPEC, read_site},
	{"entry", A_SITE, read_entry},
	{"value", A_SITE, read_captured},
	{"part", A_VALUE, read_part},
	{"static", A_VALUE, read_static},
	{"define", A_SPEC, read_define},
};

static struct error *read_row(struct reading *reading)
{
	const void *before[] = {
		[NOTHING] = reading, [A_PLAN] = reading->variant, [A_SPEC] = reading->sites,
		[A_SHAPE] = reading->shape, [A_SITE] = reading->site, [A_VALUE] = reading->capture,
	};
	static const char *const names[] = {"", "plan", "spec", "shape", "site", "value"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].word, reading->word) != 0)
			continue;
		if (before[kinds[i].needs])
			return kinds[i].read(reading);
		return bad(reading, "'%s' stands before any '%s'", reading->word, names[kinds[i].needs]);
	}
	return error_hint(reading->arena, bad(reading, "'%s' is nothing that a plan has", reading->word),
			  "a plan begins with 'plan %d'; a comment, with '#'", PLANFILE_VERSION);
}

/* To the next row; `at` is at the end of one, or of its comment. */
static void end_row(struct reading *reading)
{
	if (*reading->at == '#')
		reading->at += strcspn(reading->at, "\n");
	reading->line += *reading->at == '\n';
	reading->at += !!*reading->at;
}

static struct error *read_rows(struct reading *reading)
{
	struct error *error = NULL;

	while (*reading->at && !error) {
		const char *value;

		reading->at += strspn(reading->at, " \t");
		if (*reading->at && !strchr("#;\n", *reading->at))
			error = next_word(reading, &reading->word, &value);
		else
			reading->word = value = NULL;
		if (!error && value)
			error = bad(reading, "a row begins with a word that says what it is");
		if (!error && reading->word)
			error = read_row(reading);
		end_row(reading);
	}
	return error ? error : end_planned(reading);
}

struct error *planfile_read(struct arena *arena, const char *name, const char *text, struct planfile *ret)
{
	struct reading reading = {.arena = arena, .file = ret, .line = 1, .at = text};
	struct error *error;

	*ret = (struct planfile){.name = name};
	error = read_rows(&reading);
	if (!error && !ret->nvariants)
		error = error_hint(arena, bad(&reading, "there is no plan in it"), "ktrace plan SPEC writes one");
	return error;
}
