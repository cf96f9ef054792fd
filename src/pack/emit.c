// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a unit's part of each section of its nodes' values. References are written last, when it is
 * known where each DIE is; operands of expressions keep the width that they had.
 */
#include <stdlib.h>

#include "pack/emit.h"
#include "pack/nodes.h"

#define NODES_MAX ((uint64_t)1 << 24)

static void *allocate(size_t count, size_t size)
{
	void *ret = calloc(count + 1, size);

	if (!ret)
		out_of_memory();
	return ret;
}

struct emitter *emitter_new(struct decoder *decoder)
{
	struct emitter *emitter = allocate(1, sizeof(*emitter));
	uint64_t nclasses = class_count(decoder);

	emitter->decoder = decoder;
	emitter->shape_units = allocate(decoder->shapes.count, sizeof(uint32_t));
	emitter->shape_codes = allocate(decoder->shapes.count, sizeof(uint32_t));
	emitter->class_units = allocate(nclasses, sizeof(uint32_t));
	emitter->class_nodes = allocate(nclasses, sizeof(uint32_t));
	emitter->label_units = allocate(decoder->nlabels, sizeof(uint32_t));
	emitter->label_nodes = allocate(decoder->nlabels, sizeof(uint32_t));
	emitter->file_units = allocate(decoder->nfiles, sizeof(uint32_t));
	emitter->file_numbers = allocate(decoder->nfiles, sizeof(uint32_t));
	return emitter;
}

void emitter_free(struct emitter *emitter)
{
	if (!emitter)
		return;
	for (unsigned i = 0; i < UNIT_PARTS; i++)
		strbuf_deinit(&emitter->parts[i]);
	free(emitter->shape_units);
	free(emitter->shape_codes);
	free(emitter->class_units);
	free(emitter->class_nodes);
	free(emitter->label_units);
	free(emitter->label_nodes);
	free(emitter->file_units);
	free(emitter->file_numbers);
	free(emitter->dies);
	free(emitter->nodes);
	free(emitter->fixups);
	arena_deinit(&emitter->arena);
	free(emitter);
}

static bool set_fixup(struct emitter *emitter, const struct fixup *fixup)
{
	uint32_t node = fixup->node;
	uint8_t *bytes = (uint8_t *)emitter->parts[fixup->part].data + fixup->at;
	uint64_t offset;

	if (fixup->is_class) {
		bool is_label = node & 1;
		const uint32_t *units = is_label ? emitter->label_units : emitter->class_units;

		node >>= 1;
		if (node >= (is_label ? emitter->decoder->nlabels :
					class_count(emitter->decoder)) ||
		    units[node] != emitter->number)
			return false;
		node = is_label ? emitter->label_nodes[node] : emitter->class_nodes[node];
	}
	if (node >= emitter->nnodes ||
	    fixup->place >= emitter->nodes[node + 1] - emitter->nodes[node])
		return false;
	offset = emitter->dies[emitter->nodes[node] + fixup->place];
	return operand_set(bytes, &fixup->operand,
			   offset + (fixup->operand.is_global ? emitter->at->at[UNIT_INFO] : 0));
}

/* label: plus 1; 0: none */
static void set_label(struct emitter *emitter, uint32_t label, uint32_t node)
{
	if (!label)
		return;
	emitter->label_units[label - 1] = emitter->number;
	emitter->label_nodes[label - 1] = node;
}

static bool set_class(struct emitter *emitter, uint64_t class, uint32_t node, uint32_t *classes)
{
	if (class >= class_count(emitter->decoder))
		return false;
	classes[node] = (uint32_t)class;
	emitter->class_units[class] = emitter->number;
	emitter->class_nodes[class] = node;
	set_label(emitter, emitter->decoder->labels[class], node);
	return true;
}

/* The unit's list of nodes. classes: NONE for its own. */
static bool read_nodes(struct emitter *emitter, struct in *in, uint32_t **classes)
{
	struct node_list list;
	struct node_run run;

	if (!nodes_begin(&list, in) || list.left > NODES_MAX ||
	    list.left > emitter->at->most[UNIT_INFO])
		return false;
	emitter->nnodes = list.left;
	*classes = arena_array(&emitter->arena, uint32_t, emitter->nnodes + 1);
	emitter->nodes = realloc(emitter->nodes, (emitter->nnodes + 1) * sizeof(*emitter->nodes));
	if (!emitter->nodes)
		out_of_memory();
	emitter->node = 0;
	for (uint32_t node = 0; nodes_next(&list, &run);) {
		if (run.is_own) {
			if (run.label > emitter->decoder->nlabels)
				return false;
			set_label(emitter, (uint32_t)run.label, node);
			(*classes)[node++] = NONE;
		}
		for (uint64_t i = 0; i < run.count; i++)
			if (!set_class(emitter, run.class + i, node++, *classes))
				return false;
	}
	return !in->is_bad;
}

/* Takes the last of two numbers of one file: number 0 says something else. */
static void number_files(struct emitter *emitter)
{
	const struct unit_files *files = &emitter->files;

	for (uint64_t i = 0; i < files->nfiles; i++) {
		emitter->file_units[files->files[i].file] = emitter->number;
		emitter->file_numbers[files->files[i].file] = (uint32_t)i + (files->version < 5);
	}
}

static void put_head(struct emitter *emitter)
{
	struct strbuf *out = &emitter->parts[UNIT_INFO];

	put_fixed(out, 0, 4); /* the length */
	put_fixed(out, emitter->version, 2);
	if (emitter->version >= 5)
		put_fixed(out, DW_UT_compile | 8 << 8, 2);
	put_fixed(out, emitter->at->at[UNIT_ABBREV], 4);
	if (emitter->version < 5)
		put_fixed(out, 8, 1);
}

static bool put_first(struct emitter *emitter, struct columns *columns, struct tracker *tracker)
{
	struct decoder *decoder = emitter->decoder;
	uint64_t number = get_leb(&columns->list[COLUMN_UNIT]);

	if (number >= decoder->shapes.count)
		return false;
	emitter->has_nodes = decoder->shapes.list[number].has_children;
	decoder->scratch.count = 0;
	if (!decode_first(decoder, columns, tracker, &decoder->shapes.list[number],
			  &decoder->scratch))
		return false;
	enter_children(tracker, 0);
	put_head(emitter);
	return emit_first(emitter, decoder->scratch.list, number);
}

/* A damaged list of nodes may name a large one again and again. */
static bool is_small(const struct emitter *emitter)
{
	for (unsigned i = 0; i < UNIT_PARTS; i++)
		if (emitter->parts[i].length > emitter->at->most[i])
			return false;
	return true;
}

static bool put_nodes(struct emitter *emitter, struct columns *columns, struct tracker *tracker,
		      const uint32_t *classes)
{
	struct decoder *decoder = emitter->decoder;

	for (uint64_t i = 0; i < emitter->nnodes; i++) {
		const uint64_t *tokens;
		size_t count;

		if (classes[i] != NONE) {
			if (!pool_node(decoder, classes[i], &tokens, &count))
				return false;
		} else {
			decoder->scratch.count = 0;
			if (!decode_node(decoder, columns, tracker, NONE, &decoder->scratch))
				return false;
			tokens = decoder->scratch.list;
			count = decoder->scratch.count;
		}
		if (!emit_node(emitter, tokens, count, classes[i] != NONE) || !is_small(emitter))
			return false;
	}
	emitter->nodes[emitter->nnodes] = (uint32_t)emitter->ndies;
	return true;
}

static bool end_unit(struct emitter *emitter)
{
	struct strbuf *out = &emitter->parts[UNIT_INFO];
	uint64_t length;

	if (emitter->has_nodes)
		put_fixed(out, 0, 1); /* the end of the nodes */
	else if (emitter->nnodes)
		return false;
	put_fixed(&emitter->parts[UNIT_ABBREV], 0, 1);
	length = out->length - 4;
	if (length >= 0xfffffff0)
		return false;
	memcpy(out->data, &length, 4);
	for (size_t i = 0; i < emitter->nfixups; i++)
		if (!set_fixup(emitter, &emitter->fixups[i]))
			return false;
	return true;
}

bool emit_unit(struct emitter *emitter, struct columns *columns, const struct unit_at *at,
	       struct strbuf **parts, uint8_t *version)
{
	struct tracker tracker = {0};
	uint32_t *classes;

	for (unsigned i = 0; i < UNIT_PARTS; i++)
		emitter->parts[i].length = 0;
	arena_reset(&emitter->arena);
	emitter->at = at;
	emitter->number++;
	emitter->ncodes = 0;
	emitter->ndies = emitter->nfixups = 0;
	emitter->version = *version = (uint8_t)get_leb(&columns->list[COLUMN_UNIT]);
	tracker.next_own_text = get_leb(&columns->list[COLUMN_UNIT]);
	tracker.next_expression = get_leb(&columns->list[COLUMN_UNIT]);
	*parts = emitter->parts;
	if ((*version != 4 && *version != 5) || !read_nodes(emitter, &columns->nodes, &classes) ||
	    !decode_files(emitter->decoder, &emitter->arena, &columns->files, &emitter->files))
		return false;
	number_files(emitter);
	return put_first(emitter, columns, &tracker) &&
	       put_nodes(emitter, columns, &tracker, classes) && end_unit(emitter) &&
	       emit_rows(emitter->decoder, columns, &emitter->files, at->most[UNIT_LINE],
			 &emitter->parts[UNIT_LINE]) &&
	       columns_close(columns);
}
