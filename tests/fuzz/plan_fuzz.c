// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plan files of strangers: what planfile_read() lets through is planned, as a dry run and as a live
 * one on 4 CPUs, checked against the kernel's bounds, and shown over bytes of its own, as text and as
 * JSON, under ASan and UBSan. With clang's libFuzzer it looks for new ways (plan_fuzz.c is one
 * target: LLVMFuzzerTestOneInput); with PLAN_FUZZ_MAIN it replays files: each whole, cut off at each
 * length, and with bits flipped.
 */
#include <stdlib.h>

#include "cmd/plan_text.h"
#include "expr/expr.h"
#include "plan/plan.h"
#include "planfile/planfile.h"
#include "sink/sink.h"
#include "spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what, const char *text)
{
	if (kept)
		return;
	fprintf(stderr, "broken: %s: %s\n", what, text);
	abort();
}

/* Each definition is one line of the kernel's, with nothing in it that ends one. */
static void check_definition(const struct probe *probe)
{
	const char *text = probe->definition;

	promise(strlen(text) <= KERNEL_LINE_MAX, "a definition is too long", text);
	for (const char *c = text; *c; c++)
		promise((unsigned char)*c >= ' ' || *c == GROUP_MARK, "a definition has a control character", text);
	promise(text[1] == ':' && text[0] == probe_letter(probe->kind), "a definition begins with its letter", text);
	promise(probe->nfetches < KERNEL_ARGS_MAX, "there are too many arguments", text);
}

static void show(struct arena *arena, const struct plan *plan, const struct sink *sink)
{
	const struct sink_context context = {0};
	struct printer *printer = printer_new(arena, sink, plan, &context);
	static uint8_t bytes[KERNEL_RECORD_MAX];
	struct strbuf out = {0};

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 167 + 13);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		struct datum *data = arena_array(arena, struct datum, probe->nvalues + 1);
		struct event event = {.probe = probe, .comm = "x", .values = data};

		for (unsigned j = 0; j < probe->nvalues; j++) {
			const struct value *value = &probe->values[j];
			uint32_t length = value->shape ? value->shape->size : value->count * value->size;
			bool is_number = !value->count && (!value->shape || value->shape->size <= 8);
			uint8_t *own = malloc(length + 1);

			/* as large as what was recorded, and no byte more */
			memcpy(own, bytes, length);
			data[j] = (struct datum){.kind = value->status != VALUE_OK ? DATUM_NONE :
						 is_number ? DATUM_INT : DATUM_BYTES,
						 .number = 0x8182838485868788u, .bytes = own, .length = length};
		}
		if (probe->role == ROLE_SHOWN)
			printer_event(printer, &out, &event);
		for (unsigned j = 0; j < probe->nvalues; j++)
			free((void *)data[j].bytes);
	}
	strbuf_deinit(&out);
}

/* Finishes over all that can be recorded, by CPU too. */
static void finish(const struct probe *probe)
{
	static const uint64_t fetches[PART_COUNT * KERNEL_ARGS_MAX] = {3, 0, ~(uint64_t)0, 7};
	uint64_t number;

	for (unsigned i = 0; i < probe->nvalues; i++) {
		const struct value *value = &probe->values[i];

		if (value->status != VALUE_OK)
			continue;
		if (value->finish)
			(void)!expr_eval(value->finish, fetches, &number);
		for (unsigned j = 0; j < value->nparts; j++)
			(void)!expr_eval(value->parts[j].expr, fetches, &number);
		for (unsigned j = 0; j < value->ncpus; j++)
			(void)!expr_eval(value->by_cpu[j], fetches, &number);
	}
}

static void plan_one(struct arena *arena, const struct variant *variant, bool is_live)
{
	const struct caps caps = caps_assumed();
	struct plan_input input = {.caps = &caps, .ncpus = is_live ? 4 : 1};
	struct plan plan = {.arena = arena};
	struct filter const *filters[8];
	struct strbuf out = {0};

	if (is_live)
		input.guard_offset = 0x40000001, input.text_bytes = 256;
	input.filters = filters;
	input.filter_texts = variant->filters;
	while (input.nfilters < variant->nfilters && input.nfilters < 8 &&
	       !filter_parse(arena, variant->filters[input.nfilters], &filters[input.nfilters]))
		input.nfilters++;
	for (unsigned i = 0; i < variant->nspecs; i++) {
		unsigned first = plan.nprobes;

		if (plan_planned(arena, &input, variant->specs[i], &plan) || tables_check(arena, &plan, first))
			break;
		for (unsigned j = first; j < plan.nprobes; j++) {
			check_definition(&plan.probes[j]);
			finish(&plan.probes[j]);
		}
		(void)!planfile_add(arena, &out, variant->specs[i], &plan);
	}
	plan_keep(&plan);
	show(arena, &plan, &sink_text);
	show(arena, &plan, &sink_json);
	strbuf_deinit(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct planfile file;
	struct arena arena;
	char *text;

	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	if (!planfile_read(&arena, "x", text, &file))
		for (unsigned i = 0; i < file.nvariants; i++) {
			plan_one(&arena, &file.variants[i], false);
			plan_one(&arena, &file.variants[i], true);
		}
	arena_deinit(&arena);
	return 0;
}

#ifdef PLAN_FUZZ_MAIN
static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	uint8_t *data = malloc(1 << 20);

	promise(file && data, "a corpus file can't be read", path);
	*size = fread(data, 1, 1 << 20, file);
	fclose(file);
	return data;
}

/* A copy of exactly that size, so that ASan sees a byte too many. */
static void try(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

int main(int argc, char **argv)
{
	unsigned long cases = 0;

	for (int i = 1; i < argc; i++) {
		size_t size;
		uint8_t *data = read_file(argv[i], &size);
		size_t step = 1 + size / 600; /* all of a small one */

		for (size_t at = 0; at <= size; at += at < 200 ? 1 : step, cases++)
			try(data, at);
		try(data, size);
		for (size_t bit = 0; bit < 8 * size; bit += 1 + size / 100, cases++) {
			data[bit / 8] ^= (uint8_t)(1u << bit % 8);
			try(data, size);
			data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		free(data);
	}
	printf("ok %lu plans, whole, cut off and with flipped bits\n%d passed, 0 failed\n", cases, cases ? 1 : 0);
	return !cases;
}
#endif
