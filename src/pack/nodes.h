/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes and reads the list of a unit's nodes. It begins with their number. A node of the
 * unit's own is 0, then its label plus 1, or 0 if it has none. A run of classes of the pool is
 * one number, then a second one if there are two or more: the first is 1 plus twice the near
 * distance from the class behind the last run, plus 1 if a second number follows; the second is
 * how many there are, less 2.
 */
#ifndef PACK_NODES_H
#define PACK_NODES_H

#include "pack/bytes.h"

struct node_list {
	struct in *in;
	uint64_t left;
	uint64_t next; /* class behind the last run */
};

struct node_run {
	bool is_own;
	uint64_t label; /* plus 1; 0: none */
	uint64_t class; /* the first of `count`, which is 0 for an own one */
	uint64_t count;
};

/* Returns false when damaged. */
static inline bool nodes_begin(struct node_list *list, struct in *in)
{
	*list = (struct node_list){.in = in, .left = get_leb(in)};
	return !in->is_bad;
}

/* Returns false at the end, or when damaged: then in->is_bad is set. Classes aren't checked. */
static inline bool nodes_next(struct node_list *list, struct node_run *ret)
{
	uint64_t value;

	if (!list->left || list->in->is_bad)
		return false;
	value = get_leb(list->in);
	*ret = (struct node_run){.is_own = !value};
	if (ret->is_own) {
		ret->label = get_leb(list->in);
		list->left--;
		return !list->in->is_bad;
	}
	value--;
	ret->class = list->next + unfold_sign(value >> 1);
	ret->count = value & 1 ? get_leb(list->in) + 2 : 1;
	list->in->is_bad |= ret->count > list->left || !ret->count;
	list->left -= ret->count;
	list->next = ret->class + ret->count;
	return !list->in->is_bad;
}

static inline void put_own_node(struct strbuf *out, uint64_t label)
{
	put_leb(out, 0);
	put_leb(out, label);
}

/* *next: as in the list. */
static inline void put_classes(struct strbuf *out, uint64_t *next, uint64_t first, uint64_t count)
{
	put_leb(out, 1 + (fold_sign(first - *next) << 1 | (count > 1)));
	if (count > 1)
		put_leb(out, count - 2);
	*next = first + count;
}

#endif
