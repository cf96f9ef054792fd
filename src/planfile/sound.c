// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks what was read, since plan/ and sink/ take what resolve/ makes without a question. What
 * goes into a definition is a symbol, a number, a register, or a want's own text, which spec/ has
 * parsed; and no site is of a file whose build nothing checks.
 */
#include "base/shape_check.h"
#include "expr/expr.h"
#include "ktrace/caps.h"
#include "planfile/internal.h"
#include "spec/spec.h"

#define SHAPES_MAX 65536 /* that one is made of */
#define DEPTH_MAX 64

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";

static bool is_symbol(const char *text)
{
	return text && *text && !(*text >= '0' && *text <= '9') && !text[strspn(text, letters)];
}

/* "jiffies", "_stext+123" */
static bool is_static_name(const char *text)
{
	size_t length = text ? strspn(text, letters) : 0, digits;

	if (!length || length > KERNEL_ARGUMENT_MAX || (*text >= '0' && *text <= '9'))
		return false;
	if (!text[length])
		return true;
	digits = strspn(text + length + 1, "0123456789");
	return strchr("+-", text[length]) && digits && digits < 19 && !text[length + 1 + digits];
}

static const struct read_shape *find_shape(const struct reading *reading, const struct shape *shape)
{
	for (unsigned i = 0; i < reading->nshapes; i++)
		if (reading->shapes[i].shape == shape)
			return &reading->shapes[i];
	return NULL;
}

/* Adds what the shape is made of, `times` times. */
static void add_nodes(const struct reading *reading, const struct shape *shape, uint64_t times,
		      struct read_shape *to, uint64_t *nodes)
{
	const struct read_shape *part = shape ? find_shape(reading, shape) : NULL;

	if (!part)
		return;
	*nodes += part->nodes * times;
	if (part->depth >= to->depth)
		to->depth = part->depth + 1;
}

struct error *check_shape(struct reading *reading)
{
	const struct shape *shape = reading->shape;
	struct read_shape done = {.shape = shape, .depth = 1};
	uint64_t nodes = 1;

	if (!shape)
		return NULL;
	reading->shape = NULL;
	if (shape->size > KERNEL_RECORD_MAX || shape->count > KERNEL_RECORD_MAX)
		return bad(reading, "a shape is larger than a record");
	if ((shape->kind == SHAPE_ARRAY) != !!shape->element ||
	    (shape->nmembers && shape->kind != SHAPE_STRUCT))
		return bad(reading, "a shape has parts of another kind of shape");
	add_nodes(reading, shape->element, shape->count, &done, &nodes);
	for (unsigned i = 0; i < shape->nmembers; i++) {
		if (!shape->members[i].shape)
			return bad(reading, "the member '%s' has no shape", shape->members[i].name);
		add_nodes(reading, shape->members[i].shape, 1, &done, &nodes);
	}
	if (nodes > SHAPES_MAX || done.depth > DEPTH_MAX)
		return bad(reading, "a shape has too many parts");
	if (!shape_is_sound(shape))
		return bad(reading, "a shape's part isn't inside it");
	done.nodes = (unsigned)nodes;
	arena_append(reading->arena, reading->shapes, reading->nshapes) = done;
	return NULL;
}

static struct static_place *find_place(const struct capture *capture, uint64_t address)
{
	for (unsigned i = 0; i < capture->nstatics; i++)
		if (capture->statics[i].address == address)
			return (struct static_place *)&capture->statics[i];
	return NULL;
}

/* Each static object has its place. Marks those whose address is a number that ktrace computes
 * with, as resolve/ does. */
static bool has_places(const struct capture *capture, const struct expr *expr, bool is_number)
{
	struct static_place *place;

	if (!expr)
		return true;
	if (expr->op == EXPR_STATIC) {
		place = find_place(capture, expr->value);
		if (place)
			place->is_live |= is_number;
		return place;
	}
	return has_places(capture, expr->a, is_number && expr->op != EXPR_LOAD) &&
	       has_places(capture, expr->b, is_number);
}

static bool is_number_size(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The text goes to the kernel as it is: it must be what spec/ takes for one value in kernel
 * syntax. */
static const char *check_raw(const struct reading *reading, const struct want *want,
			     const struct capture *capture)
{
	const char *text = capture->text, *type = capture->raw_type;
	struct spec *spec;

	if (want->kind != WANT_RAW || !text)
		return "isn't what the spec says";
	if (spec_parse(reading->arena,
		       arena_printf(reading->arena, "f %s%s%s", text, type ? ":" : "", type ?: ""),
		       &spec) ||
	    spec->nwants != 1 || spec->naggregates || spec->wants[0].kind != WANT_RAW ||
	    strcmp(spec->wants[0].base, text) || !spec->wants[0].type != !type ||
	    (type && strcmp(spec->wants[0].type, type)))
		return "is no kernel syntax";
	return NULL;
}

static const char *check_parts(const struct capture *capture)
{
	uint32_t size = 0;

	for (unsigned i = 0; i < capture->nparts; i++) {
		if (!capture->parts[i].expr || !capture->parts[i].size ||
		    capture->parts[i].size > 8)
			return "has a part that is none";
		size += capture->parts[i].size;
	}
	return !capture->shape || capture->shape->size > size ? "has too few parts" : NULL;
}

/* What the members of a capture of that kind must be. */
static const char *check_kind(const struct reading *reading, const struct want *want,
			      const struct capture *capture)
{
	const struct shape *shape = capture->shape;

	switch (capture->kind) {
	case CAPTURE_VALUE:
		return !is_number_size(capture->size) || (shape && shape->size > 8) ?
			       "is no number" :
			       NULL;
	case CAPTURE_STRING:
		return capture->count > KERNEL_RECORD_MAX || shape ? "is no string" : NULL;
	case CAPTURE_ARRAY:
		return !is_number_size(capture->size) || !capture->count ||
				       capture->count > KERNEL_ARRAY_MAX ||
				       (shape && shape->size > capture->size * capture->count) ?
			       "is no array" :
			       NULL;
	case CAPTURE_OBJECT:
		return !shape || !shape->size ? "has no shape" : NULL;
	case CAPTURE_PARTS:
		return check_parts(capture);
	case CAPTURE_RAW:
		return shape && shape->size > 8 ? "is no number" :
						  check_raw(reading, want, capture);
	case CAPTURE_NONE:
		return capture->reason ? NULL : "has no reason";
	case CAPTURE_LEFT_OUT: /* plans have no word for it: rows.c */
		return "is left out";
	case CAPTURE_START:
		return !spec_is_end(reading->spec) ||
				       capture->start >= reading->spec->pairing->start->nwants ?
			       "isn't of a pair's start" :
			       NULL;
	case CAPTURE_BETWEEN:
		return spec_is_end(reading->spec) ? NULL : "isn't of a pair";
	case CAPTURE_STACK:
		return !capture->stack || capture->depth > STACK_DEPTH_MAX ? "is no stack" : NULL;
	case CAPTURE_TEXT:
		return capture->text ? NULL : "has no text";
	case CAPTURE_DURATION:
		return NULL;
	}
	return "is of no kind";
}

static bool needs_expression(enum capture_kind kind)
{
	return kind == CAPTURE_VALUE || kind == CAPTURE_STRING || kind == CAPTURE_ARRAY ||
	       kind == CAPTURE_OBJECT;
}

static const char *check_capture(const struct reading *reading, const struct want *want,
				 const struct capture *capture)
{
	bool is_number = capture->kind == CAPTURE_VALUE,
	     is_placed = has_places(capture, capture->expr, is_number);

	for (unsigned i = 0; i < capture->nparts; i++)
		is_placed &= has_places(capture, capture->parts[i].expr, true);
	if (!is_placed)
		return "is of a static object without a place";
	for (unsigned i = 0; i < capture->nstatics; i++)
		if (capture->statics[i].name && !is_static_name(capture->statics[i].name))
			return "is of a static object with no name of the kernel's";
	if (needs_expression(capture->kind) != !!capture->expr && capture->kind != CAPTURE_NONE)
		return capture->expr ? "has no use for 'expr'" : "needs 'expr'";
	if (capture->kind != CAPTURE_PARTS && capture->nparts && capture->kind != CAPTURE_NONE)
		return "has no parts";
	if (!capture->shape && capture->render > RENDER_TIME)
		return "is shown as something that needs a shape";
	return check_kind(reading, want, capture);
}

static bool has_build(const struct variant *variant, enum target_kind kind, const char *name)
{
	for (unsigned i = 0; i < variant->nbuilds; i++)
		if (variant->builds[i].kind == kind &&
		    (!name || !strcmp(variant->builds[i].name, name)))
			return true;
	return false;
}

static const char *check_place(const struct reading *reading, const struct site *site)
{
	const struct variant *variant = reading->variant;

	if (!site->function)
		return "is in no function";
	if (site->path)
		return site->module ? "is in a module and in a program" : NULL;
	if (!is_symbol(site->symbol) || (site->module && !is_symbol(site->module)))
		return "isn't a symbol";
	return has_build(variant, site->module ? TARGET_MODULE : TARGET_KERNEL, site->module) ?
		       NULL :
		       "is in nothing whose build is given";
}

static const char *check_frames(const struct site *site)
{
	if (!site->entry)
		return NULL;
	return !site->frame || !site->entry_frame ? "needs frame and entry_frame" : NULL;
}

static bool needs_entry(const struct capture *capture)
{
	bool ret = capture->at_entry || capture->kind == CAPTURE_DURATION ||
		   expr_uses(capture->expr, EXPR_ENTRY);

	for (unsigned i = 0; i < capture->nparts; i++)
		ret |= expr_uses(capture->parts[i].expr, EXPR_ENTRY);
	return ret && capture->kind != CAPTURE_NONE;
}

/* What is read by a name of the kernel's, or a module's, is elsewhere in another build. */
static bool has_static_builds(const struct variant *variant, const struct capture *capture)
{
	for (unsigned i = 0; i < capture->nstatics; i++) {
		const struct static_place *place = &capture->statics[i];

		if (place->name &&
		    !has_build(variant, place->module ? TARGET_MODULE : TARGET_KERNEL,
			       place->module))
			return false;
	}
	return true;
}

static struct error *check_site(const struct reading *reading, const struct site *site)
{
	const struct capture no_statics = {0};
	const char *why = check_place(reading, site);

	if (!why && site->entry)
		why = check_place(reading, site->entry);
	why = why ?: check_frames(site);
	if (!why && !(has_places(&no_statics, site->frame, false) &&
		      has_places(&no_statics, site->entry_frame, false)))
		why = "has a frame that is a static object";
	if (!why && site->ncaptures != reading->spec->nwants)
		why = "has fewer values than the spec asks for";
	if (why)
		return bad(reading, "the site '%s' %s", site->symbol, why);
	for (unsigned i = 0; i < site->ncaptures; i++) {
		const struct capture *capture = &site->captures[i];

		why = check_capture(reading, &reading->spec->wants[i], capture);
		if (!why && !site->path && !has_static_builds(reading->variant, capture))
			why = "is of a static object in something whose build isn't given";
		if (!why && needs_entry(capture) && !site->entry)
			why = "needs the function's entry";
		if (why)
			return bad(reading, "the value '%s' %s", capture->name, why);
	}
	return NULL;
}

struct error *check_sites(struct reading *reading)
{
	struct sites *sites = reading->sites;
	struct error *error = NULL;

	sites->spec = reading->spec;
	if (!sites->nsites)
		return bad(reading, "the spec '%s' has no site", sites->spec->text);
	for (unsigned i = 0; i < sites->nsites && !error; i++)
		error = check_site(reading, &sites->sites[i]);
	return error;
}
