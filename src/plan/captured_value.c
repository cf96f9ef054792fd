// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a capture into a value: where the kernel's half and the finish meet. Whatever the kind,
 * what was added to the probes for a value that turns out to be unavailable is taken back.
 */
#include <limits.h>

#include "plan/fetch.h"
#include "plan/internal.h"
#include "plan/pairing.h"

static size_t type_length(const struct fetch_type *type)
{
	struct strbuf text = {0};
	size_t length;

	fetch_type_print(&text, type);
	length = text.length;
	strbuf_deinit(&text);
	return length;
}

static struct error *check_length(struct arena *arena, const struct probe *probe,
				  const struct want *want, unsigned first)
{
	for (unsigned i = first; i < probe->nfetches; i++) {
		const struct fetch *fetch = &probe->fetches[i];
		size_t length = strlen(fetch->body) + type_length(&fetch->type);

		if (length > KERNEL_ARGUMENT_MAX)
			return error_hint(arena, error_at(
				error_new(arena, ERROR_LIMIT, "'%s' needs a kernel argument of %zu "
					  "characters; the kernel takes 63", fetch->body, length),
				probe->spec->text, want->span),
				"shorten the chain: start at a pointer nearer to the value");
	}
	return NULL;
}

static struct error *check_lengths(struct work *work, const unsigned *before)
{
	struct error *error = NULL;

	for (enum part part = 0; part < PART_COUNT && !error; part++)
		if (work->probes[part])
			error = check_length(work->arena, work->probes[part], work->want,
					     before[part]);
	return error;
}

/* Takes back what was added for a value that is unavailable. */
static void take_back(struct work *work, const unsigned *fetches, unsigned sums)
{
	for (enum part part = 0; part < PART_COUNT; part++)
		if (work->probes[part])
			work->probes[part]->nfetches = fetches[part];
	work->nsums = work->probes[PART_OWN]->nsums = sums;
}

/* Sets what is the same for all kinds. */
static void begin_value(struct work *work, const struct capture *capture, struct value *ret)
{
	work->name = capture->name;
	work->capture = capture;
	work->part = capture->at_entry ? PART_ENTRY : PART_OWN;
	ret->name = capture->name;
	ret->type_name = capture->type_name ? capture->type_name : "";
	ret->render = capture->render;
	ret->shape = capture->shape;
	ret->size = capture->size;
	ret->is_signed = capture->is_signed;
	ret->is_pointee = capture->is_pointee;
	ret->finish_text = "";
	ret->fetch = UINT_MAX; /* until a fetch turns out to be the value */
}

struct error *plan_value(struct work *work, const struct capture *capture, struct value *ret)
{
	const char *reason = NULL;
	unsigned before[PART_COUNT], sums = work->nsums;

	for (enum part part = 0; part < PART_COUNT; part++)
		before[part] = work->probes[part] ? work->probes[part]->nfetches : 0;
	begin_value(work, capture, ret);
	switch (capture->kind) {
	case CAPTURE_VALUE:
	case CAPTURE_STRING:
	case CAPTURE_ARRAY:
	case CAPTURE_PARTS:
	case CAPTURE_OBJECT:
		reason = expr_uses(capture->expr, EXPR_CPU) ? plan_by_cpu(work, capture, ret) :
			 plan_expression(work, capture, ret);
		break;
	case CAPTURE_DURATION:
		ret->is_duration = true;
		ret->fetches = arena_new(work->arena, unsigned);
		*(unsigned *)ret->fetches = fetch_number(PART_ENTRY, 0);
		ret->nfetches = 1;
		work_probe(work, PART_ENTRY);
		break;
	case CAPTURE_STACK:
		stack_value(work, capture, ret);
		break;
	case CAPTURE_START:
		start_value(work->pair, capture->start, ret);
		ret->name = capture->name;
		return NULL;
	case CAPTURE_BETWEEN:
		ret->is_between = true;
		break;
	case CAPTURE_RAW:
		raw_value(work, capture, ret);
		break;
	case CAPTURE_TEXT:
		ret->text = capture->text;
		break;
	case CAPTURE_NONE:
		reason = capture->reason;
		break;
	case CAPTURE_LEFT_OUT:
		reason = "all variables of this line are more than a record can hold, and it is "
			 "the largest; name it to see it";
		break;
	}
	ret->status = !reason ? VALUE_OK :
		      capture->kind == CAPTURE_LEFT_OUT ? VALUE_LEFT_OUT :
							  VALUE_UNAVAILABLE;
	ret->reason = reason;
	work->part = PART_OWN;
	work->capture = NULL;
	if (reason)
		take_back(work, before, sums);
	return check_lengths(work, before);
}

/* Tries it on a probe that is thrown away. */
const char *plan_obstacle(struct arena *arena, const struct caps *caps, const struct arch *arch,
			  const struct capture *capture)
{
	const struct plan_input input = {.caps = caps, .ncpus = 1};
	const struct spec spec = {.text = ""};
	struct probe probe = {.spec = &spec};
	const struct want want = {0};
	struct work work = {
		.arena = arena, .input = &input, .arch = arch, .probes = {&probe}, .want = &want};
	struct capture first = *capture;
	struct value value = {0};
	struct error *error;

	/* a per-CPU object can be recorded if one CPU's can */
	first.expr = first.expr ? at_cpu(arena, &first, first.expr, 0) : NULL;
	first.name = first.name ? first.name : "value";
	error = plan_value(&work, &first, &value);
	return error ? error->message : value.reason;
}
