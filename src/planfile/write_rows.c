// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes sites as rows. The same sites give the same bytes, wherever and whenever: no time, host or
 * version is in a plan. The caller reads the text back, to check that all of it can be.
 */
#include "arch/arch.h"
#include "expr/expr.h"
#include "planfile/internal.h"
#include "spec/spec.h"

static const void *pointer_at(const void *at)
{
	const void *ret;

	memcpy(&ret, at, sizeof(ret));
	return ret;
}

static uint64_t number_at(const void *at, size_t size)
{
	uint64_t ret = 0;

	memcpy(&ret, at, size); /* little endian, as all that ktrace runs on */
	return ret;
}

static size_t field_size(enum field_kind kind)
{
	switch (kind) {
	case FIELD_FLAG: return sizeof(bool);
	case FIELD_U8: return 1;
	case FIELD_U32: return 4;
	case FIELD_WORD: return sizeof(enum render);
	default: return 8;
	}
}

static const char *register_word(const struct writing *writing, uint64_t number)
{
	const char *name = writing->arch ? arch_register(writing->arch, number) : NULL;

	return name ?: arena_printf(writing->arena, "%llu", (unsigned long long)number);
}

static const char *leaf_text(void *cookie, struct arena *arena, const struct expr *leaf)
{
	const struct writing *writing = cookie;

	switch (leaf->op) {
	case EXPR_REG: return arena_printf(arena, "%%%s", register_word(writing, leaf->value));
	case EXPR_STATIC: return arena_printf(arena, "@%#llx", (unsigned long long)leaf->value);
	case EXPR_CPU: return "cpu";
	default: return NULL; /* "?", which the reader refuses */
	}
}

static unsigned count_nodes(const struct expr *expr, unsigned most)
{
	unsigned count = 1;

	if (!expr || !most)
		return 0;
	count += count_nodes(expr->a, most - 1);
	return count < most ? count + count_nodes(expr->b, most - count) : count;
}

static const char *expr_text(struct writing *writing, const struct expr *expr)
{
	if (count_nodes(expr, EXPR_NODES_MAX) < EXPR_NODES_MAX)
		return expr_print(writing->arena, expr, leaf_text, writing);
	writing->refused = "so long a computation";
	return "?";
}

static unsigned shape_number(const struct writing *writing, const struct shape *shape)
{
	for (unsigned i = 0; i < writing->nwritten; i++)
		if (writing->written[i].shape == shape)
			return writing->written[i].number;
	return 0;
}

static const char *number_word(struct arena *arena, enum field_kind kind, uint64_t number)
{
	if (kind != FIELD_U64)
		return arena_printf(arena, "%llu", (unsigned long long)number);
	if ((int64_t)number < 0 && (int64_t)number > -65536)
		return arena_printf(arena, "%lld", (long long)number);
	return arena_printf(arena, number < 65536 ? "%llu" : "%#llx", (unsigned long long)number);
}

static const char *field_word(struct writing *writing, const struct field *field, const void *at)
{
	uint64_t number = number_at(at, field_size(field->kind));

	switch (field->kind) {
	case FIELD_TEXT:
		return pointer_at(at);
	case FIELD_WORD:
		if (!number && !field->words[0])
			return NULL;
		if (number < field->nwords && field->words[number])
			return field->words[number];
		writing->refused = "a kind of value that is newer than it";
		return "?";
	case FIELD_EXPR:
		return number ? expr_text(writing, pointer_at(at)) : NULL;
	case FIELD_SHAPE:
		return number ? number_word(writing->arena, FIELD_U32,
					    shape_number(writing, pointer_at(at))) :
				NULL;
	case FIELD_REGISTER:
		return number ? register_word(writing, number) : NULL;
	case FIELD_FLAG:
		return number ? "" : NULL;
	default:
		return number ? number_word(writing->arena, field->kind, number) : NULL;
	}
}

void put_row(struct writing *writing, const struct row_kind *kind, const void *object)
{
	struct strbuf *out = writing->out;

	strbuf_puts(out, kind->word);
	for (unsigned i = 0; i < kind->nfields; i++) {
		const struct field *field = &kind->fields[i];
		const char *word = field_word(writing, field, (const char *)object + field->offset);

		if (!word && field->name)
			continue;
		strbuf_join(out, " ", field->name ?: "", NULL);
		if (field->kind == FIELD_FLAG)
			continue;
		if (field->name)
			strbuf_putc(out, '=');
		put_word(out, word ?: "");
	}
	strbuf_putc(out, '\n');
}

static void put_shapes(struct writing *writing, const struct shape *shape);

/* The rows of one shape, whose parts have been written. */
static void put_shape_rows(struct writing *writing, const struct shape *shape)
{
	put_row(writing, &row_shape, shape);
	for (unsigned i = 0; i < shape->nenumerators; i++)
		put_row(writing, &row_name, &shape->enumerators[i]);
	for (unsigned i = 0; i < shape->nmembers; i++)
		put_row(writing, &row_member, &shape->members[i]);
}

/* Equal shapes are written once. */
static void put_shape(struct writing *writing, const struct shape *shape)
{
	struct strbuf *out = writing->out, text = {0};
	unsigned number = 0;

	writing->out = &text;
	put_shape_rows(writing, shape);
	writing->out = out;
	while (number < writing->ntexts && strcmp(writing->texts[number], text.data) != 0)
		number++;
	if (number == writing->ntexts) {
		arena_append(writing->arena, writing->texts, writing->ntexts) =
			arena_strndup(writing->arena, text.data, text.length);
		strbuf_add(out, text.data, text.length);
	}
	strbuf_deinit(&text);
	arena_append(writing->arena, writing->written, writing->nwritten) =
		(struct written_shape){shape, number + 1};
}

static void put_shapes(struct writing *writing, const struct shape *shape)
{
	if (!shape || shape_number(writing, shape))
		return;
	put_shapes(writing, shape->element);
	for (unsigned i = 0; i < shape->nmembers; i++)
		put_shapes(writing, shape->members[i].shape);
	put_shape(writing, shape);
}

static void put_capture(struct writing *writing, const struct capture *capture)
{
	put_row(writing, &row_value, capture);
	for (unsigned i = 0; i < capture->nparts; i++)
		put_row(writing, &row_part, &capture->parts[i]);
	for (unsigned i = 0; i < capture->nstatics; i++)
		put_row(writing, &row_static, &capture->statics[i]);
}

static void put_site(struct writing *writing, const struct site *site)
{
	put_row(writing, &row_site, site);
	if (site->entry)
		put_row(writing, &row_entry, site->entry);
	for (unsigned i = 0; i < site->ncaptures; i++)
		put_capture(writing, &site->captures[i]);
}

/* Whether the wants are other than parsing the text again would give. */
static bool has_other_wants(const struct spec *spec, const struct spec *again)
{
	bool ret = spec->nwants != again->nwants;

	for (unsigned i = 0; i < spec->nwants && !ret; i++)
		ret = spec->wants[i].is_expanded || again->wants[i].kind == WANT_ALL;
	return ret;
}

static struct error *put_spec(struct writing *writing, const struct sites *sites)
{
	struct spec *parsed, spec = *sites->spec;
	struct error *error = spec_parse(writing->arena, spec.text, &parsed);
	const struct spec *again;

	if (error)
		return error;
	again = spec_is_start(&spec) ? parsed->pairing->start : parsed;
	if (spec.event && again->event && !strcmp(spec.event, again->event))
		spec.event = NULL;
	put_row(writing, spec_is_start(&spec) ? &row_start : &row_spec, &spec);
	if (has_other_wants(&spec, again))
		for (unsigned i = 0; i < spec.nwants; i++)
			put_row(writing, &row_want, &spec.wants[i]);
	for (unsigned i = 0; i < sites->nconstants; i++)
		put_row(writing, &row_constant, &sites->constants[i]);
	for (unsigned i = 0; i < sites->nwarnings; i++)
		put_row(writing, &row_warning, &sites->warnings[i]);
	return NULL;
}

static void put_definitions(struct strbuf *out, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		struct strbuf text = {0};

		strbuf_expand(&text, plan->probes[i].definition, GROUP_MARK, plan->probes[i].group);
		strbuf_puts(out, "define ");
		put_word(out, text.data);
		strbuf_putc(out, '\n');
		strbuf_deinit(&text);
	}
}

static struct error *put_sites(struct arena *arena, struct strbuf *out, const struct sites *sites)
{
	struct writing writing = {.arena = arena, .out = out, .arch = sites->arch};
	struct error *error = put_spec(&writing, sites);

	if (error)
		return error;
	for (unsigned i = 0; i < sites->nsites; i++)
		for (unsigned j = 0; j < sites->sites[i].ncaptures; j++)
			put_shapes(&writing, sites->sites[i].captures[j].shape);
	for (unsigned i = 0; i < sites->nsites; i++)
		put_site(&writing, &sites->sites[i]);
	if (!writing.refused)
		return NULL;
	return error_at(
		error_new(arena, ERROR_INEXPRESSIBLE, "a plan can't hold %s", writing.refused),
		sites->spec->text, sites->spec->place.span);
}

struct error *planfile_add(struct arena *arena, struct strbuf *out, const struct planned *planned,
			   const struct plan *plan)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < planned->starts.count && !error; i++)
		error = put_sites(arena, out, planned->starts.batches[i]);
	for (unsigned i = 0; i < planned->ends.count && !error; i++)
		error = put_sites(arena, out, planned->ends.batches[i]);
	put_definitions(out, plan);
	return error;
}

void planfile_begin(struct strbuf *out)
{
	strbuf_printf(out, "plan %s\n", PLANFILE_VERSION);
}

void planfile_build(struct strbuf *out, const struct build *build)
{
	struct writing writing = {.out = out};

	put_row(&writing, &row_build[build->kind], build);
}

void planfile_machine(struct strbuf *out, const struct arch *arch)
{
	strbuf_join(out, "machine ", arch->name, "\n", NULL);
}

static void put_text(struct strbuf *out, const char *word, const char *text)
{
	strbuf_join(out, word, " ", NULL);
	put_word(out, text);
	strbuf_putc(out, '\n');
}

void planfile_filter(struct strbuf *out, const char *text)
{
	put_text(out, "filter", text);
}

void planfile_event(struct strbuf *out, const char *text)
{
	put_text(out, "event", text);
}

char *planfile_join(struct arena *arena, const char *text)
{
	struct strbuf out = {0};
	char *ret;

	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		if (end == text || *text == '#' || !strncmp(text, "define ", 7))
			continue;
		strbuf_join(&out, out.length ? "; " : "", NULL);
		strbuf_add(&out, text, (size_t)(end - text));
	}
	ret = arena_strndup(arena, out.data ?: "", out.length);
	strbuf_deinit(&out);
	return ret;
}
