// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds nodes that several units have: types, declarations, functions that are inlined, from
 * headers. Two nodes are equal when they say the same and refer to equal nodes. Each node's hash
 * begins as that of what it says itself; then hashes of what it refers to are mixed in again and
 * again, until no more nodes become different. Types refer to each other in circles, so there is no
 * end from which to begin.
 *
 * The surprise: a reference to a struct, union or enum counts by its name (its label), whatever it
 * is in that unit. Else a type that is only declared in one unit would make all types different
 * from which it can be reached: nearly all.
 */
#include <stdlib.h>

#include "pack/build.h"
#include "pack/die_operands.h"

#define ROUNDS_MAX 200

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

struct hashing {
	struct node *node;
	uint32_t base; /* the unit's first node */
	bool is_own;   /* it has code, or something else that no other unit has */
};

static void add(struct hashing *hashing, uint64_t value)
{
	hashing->node->hash[0] = mix(hashing->node->hash[0], value);
	hashing->node->hash[1] = mix(hashing->node->hash[1] + 0x632be59bd9b4e019u, value);
}

static bool add_reference(struct build *build, struct hashing *hashing, uint64_t offset)
{
	const struct die_place *place = die_place(build, offset);

	if (!place)
		return false;
	add(hashing, place->place);
	build->refs = list_room(build->refs, build->nrefs, &build->ref_room, sizeof(*build->refs));
	build->refs[build->nrefs++] = hashing->base + place->node;
	hashing->node->nrefs++;
	return true;
}

/* Operations whose operand is a number in a table of the unit. */
static bool may_be_indexed(const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] == DW_OP_addrx || bytes[i] == DW_OP_constx || bytes[i] == 0xfb ||
		    bytes[i] == 0xfc)
			return true;
	return false;
}

static bool add_expression(struct build *build, const struct source_unit *unit,
			   struct hashing *hashing, const struct value *value)
{
	struct operand operands[OPERANDS_MAX];
	int count = find_operands(value->bytes, value->length, operands);
	size_t at = 0;

	if (count < 0)
		return false;
	hashing->is_own |=
		build->source.debug.addr.size && may_be_indexed(value->bytes, value->length);
	add(hashing, value->length);
	for (int i = 0; i < count; i++) {
		uint64_t offset = operand_get(value->bytes, &operands[i]) +
				  (operands[i].is_global ? 0 : unit->start);

		add(hashing, bytes_hash(value->bytes + at, operands[i].at - at));
		at = operands[i].at + operands[i].width;
		if (!add_reference(build, hashing, offset))
			return false;
	}
	add(hashing, bytes_hash(value->bytes + at, value->length - at));
	return true;
}

/* Nothing is equal to a node with code; but what it refers to is kept with it. */
static bool add_location(struct build *build, const struct source_unit *unit,
			 struct hashing *hashing, const struct source_attribute *attribute,
			 uint64_t number)
{
	struct list list = {0};
	bool is_good = read_locations(&build->source.debug, unit, attribute->form, number, &list);

	for (size_t i = 0; i < list.count && is_good; i++) {
		const struct value value = {.bytes = list.entries[i].expression,
					    .length = list.entries[i].length};

		is_good = add_expression(build, unit, hashing, &value);
	}
	free(list.entries);
	return is_good;
}

static bool add_value(struct build *build, const struct source_unit *unit, struct hashing *hashing,
		      const struct source_attribute *attribute, const struct value *value)
{
	uint32_t file;

	switch (attribute->code) {
	case CODE_NUMBER:
		hashing->is_own |=
			attribute->form >= DW_FORM_addrx1 && attribute->form <= DW_FORM_addrx4;
		hashing->is_own |=
			attribute->form == DW_FORM_addrx || attribute->form == DW_FORM_sec_offset;
		add(hashing, value->number);
		return true;
	case CODE_SIGNED:
	case CODE_LINE: add(hashing, value->number); return true;
	case CODE_FILE:
		file = file_numbered(build, value->number);
		add(hashing, file);
		return file != NONE;
	case CODE_TEXT: add(hashing, text_of(build, value->bytes, value->length)); return true;
	case CODE_REF: return add_reference(build, hashing, unit->start + value->number);
	case CODE_BLOCK:
		if (attribute->form == DW_FORM_exprloc)
			return add_expression(build, unit, hashing, value);
		/* fall through */
	case CODE_BYTES: add(hashing, bytes_hash(value->bytes, value->length)); return true;
	case CODE_LOCATION:
		hashing->is_own = true;
		return !build->file->output->writing.nonly ||
		       add_location(build, unit, hashing, attribute, value->number);
	case CODE_ADDRESS:
	case CODE_RANGES:
	case CODE_TABLE: hashing->is_own = true; return true;
	default: return true;
	}
}

/* Two nodes of one unit with the same name get no label. */
static void claim_label(struct build *build, uint32_t label, uint32_t unit, struct node *node)
{
	struct label_key *key = &build->labels[label];
	uint32_t number = (uint32_t)(node - build->nodes);

	node->label = label;
	if (key->unit == unit) {
		node->label = NONE;
		if (key->node != NONE)
			build->nodes[key->node].label = NONE;
		number = NONE;
	}
	key->unit = unit;
	key->node = number;
}

static void set_label(struct build *build, const struct source_unit *unit, struct node *node,
		      const struct source_die *die)
{
	uint16_t tag = die->abbrev->tag;
	uint32_t text = NONE, hash;
	size_t at;

	if (tag != DW_TAG_structure_type && tag != DW_TAG_union_type &&
	    tag != DW_TAG_enumeration_type && tag != DW_TAG_class_type)
		return;
	for (unsigned i = 0; i < die->abbrev->nattributes; i++)
		if (die->abbrev->attributes[i].name == DW_AT_name &&
		    die->abbrev->attributes[i].code == CODE_TEXT)
			text = text_of(build, die->values[i].bytes, die->values[i].length);
	if (text == NONE)
		return;
	hash = number_hash((uint64_t)tag << 32 | text);
	at = lookup_find(&build->by_label, hash, i,
			 build->labels[i].tag == tag && build->labels[i].text == text);
	if (at == LOOKUP_NONE) {
		at = build->nlabels;
		lookup_add(build->arena, &build->by_label, hash, at);
		arena_append(build->arena, build->labels, build->nlabels) =
			(struct label_key){.text = text, .tag = tag, .node = NONE};
	}
	claim_label(build, (uint32_t)at, (uint32_t)(unit - build->units) + 1, node);
}

static bool hash_die(struct build *build, const struct source_unit *unit, const struct visit *visit,
		     void *cookie)
{
	struct hashing *hashing = cookie;
	const struct source_abbrev *abbrev = visit->die->abbrev;

	if (!visit->depth)
		return true;
	if (abbrev && visit->depth == 1) {
		build->nodes = list_room(build->nodes, build->nnodes, &build->node_room,
					 sizeof(*build->nodes));
		hashing->node = &build->nodes[build->nnodes++];
		*hashing->node = (struct node){.first_ref = (uint32_t)build->nrefs,
					       .group = NONE,
					       .label = NONE,
					       .is_kept = true};
		set_label(build, unit, hashing->node, visit->die);
		hashing->is_own = false;
	}
	if (!abbrev && visit->depth == 1)
		return true;
	add(hashing, abbrev ? abbrev->shape + 1 : 0);
	for (unsigned i = 0; abbrev && i < abbrev->nattributes; i++)
		if (abbrev->attributes[i].code != CODE_DROPPED &&
		    !add_value(build, unit, hashing, &abbrev->attributes[i],
			       &visit->die->values[i]))
			return false;
	if (hashing->is_own) {
		hashing->node->hash[0] = mix(build->nnodes, 1);
		hashing->node->hash[1] = build->nnodes;
	}
	return true;
}

/* The number of different hashes; groups: each node's group. */
static size_t count_groups(struct build *build, uint32_t *slots, size_t mask, size_t *firsts)
{
	size_t count = 0;

	memset(slots, 0, (mask + 1) * sizeof(*slots));
	for (size_t i = 0; i < build->nnodes; i++) {
		struct node *node = &build->nodes[i];
		size_t at = node->hash[0] & mask;

		while (slots[at] && (build->nodes[firsts[slots[at] - 1]].hash[0] != node->hash[0] ||
				     build->nodes[firsts[slots[at] - 1]].hash[1] != node->hash[1]))
			at = (at + 1) & mask;
		if (!slots[at]) {
			firsts[count] = i;
			slots[at] = (uint32_t)++count;
		}
		node->group = slots[at] - 1;
	}
	return count;
}

/* One round: each node's hash takes in those of the groups that it refers to. */
static void refine(struct build *build)
{
	for (size_t i = 0; i < build->nnodes; i++) {
		struct node *node = &build->nodes[i];

		for (uint32_t j = 0; j < node->nrefs; j++) {
			const struct node *to = &build->nodes[build->refs[node->first_ref + j]];
			uint64_t group = to->label == NONE ? (uint64_t)to->group << 1 :
							     (uint64_t)to->label << 1 | 1;

			node->hash[0] = mix(node->hash[0], group);
			node->hash[1] = mix(node->hash[1] + 0x632be59bd9b4e019u, group);
		}
	}
}

static void refine_all(struct build *build)
{
	size_t mask = 1, count, last = 0;
	uint32_t *slots;
	size_t *firsts;

	while (mask < 2 * build->nnodes)
		mask *= 2;
	slots = malloc(mask * sizeof(*slots));
	firsts = malloc((build->nnodes + 1) * sizeof(*firsts));
	if (!slots || !firsts)
		out_of_memory();
	mask--;
	count = count_groups(build, slots, mask, firsts);
	for (unsigned round = 0; count != last && round < ROUNDS_MAX; round++) {
		say_progress(build->file, "comparing", round < 50 ? 2 * round : 99);
		last = count;
		refine(build);
		count = count_groups(build, slots, mask, firsts);
	}
	build->ngroups = count;
	free(slots);
	free(firsts);
}

/* Only what two units have is worth a place in the pool: others have no group. */
static void drop_single(struct build *build)
{
	uint32_t *units = arena_array(build->arena, uint32_t, build->ngroups + 1);
	bool *is_shared = arena_array(build->arena, bool, build->ngroups + 1);

	for (size_t i = 0; i < build->nunits; i++)
		for (uint32_t j = build->first_node[i]; j < build->first_node[i + 1]; j++) {
			uint32_t group = build->nodes[j].group;

			is_shared[group] |= units[group] && units[group] != i + 1;
			units[group] = (uint32_t)i + 1;
		}
	for (size_t i = 0; i < build->nnodes; i++)
		if (!is_shared[build->nodes[i].group])
			build->nodes[i].group = NONE;
}

bool find_groups(struct build *build)
{
	struct hashing hashing = {0};

	build->first_node = arena_array(build->arena, uint32_t, build->nunits + 1);
	for (size_t i = 0; i < build->nunits; i++) {
		say_progress(build->file, "reading", (unsigned)(i * 100 / build->nunits));
		hashing.base = (uint32_t)build->nnodes;
		build->first_node[i] = hashing.base;
		if (!list_dies(build, &build->units[i]) ||
		    !walk_unit(build, &build->units[i], hash_die, &hashing))
			return false;
	}
	build->first_node[build->nunits] = (uint32_t)build->nnodes;
	refine_all(build);
	drop_single(build);
	return true;
}
