// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the trees that are growing, by thread. A thread can have several: a signal handler, a
 * coroutine, or an interrupt has a stack of its own, on which a root may be called again.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "sink/graph/graph.h"

#define BYTES_MAX ((size_t)256 << 20) /* of all trees; a call is some 100 */
#define TREES_MAX 65536u
#define OPEN_MAX  16384u /* calls in calls */

/* The idle threads of all CPUs have one number. */
static int thread_of(const struct event *event)
{
	return event->pid ? event->pid : -1 - event->cpu;
}

static struct tree **chain_of(struct graphs *graphs, int thread)
{
	return &graphs->chains[number_hash((uint64_t)(unsigned)thread) % CHAINS];
}

struct tree *tree_of(const struct graphs *graphs, const struct event *event)
{
	int thread = thread_of(event);
	struct tree *best = NULL;

	for (struct tree *tree = *chain_of((struct graphs *)graphs, thread); tree;
	     tree = tree->next)
		if (tree->pid == thread && tree->context == event->context &&
		    tree->open[0].cfa >= event->frame &&
		    (!best || tree->open[0].cfa < best->open[0].cfa))
			best = tree;
	return best;
}

struct tree *tree_new(struct graphs *graphs, const struct event *event)
{
	struct tree *tree = calloc(1, sizeof(*tree)), **chain = chain_of(graphs, thread_of(event));

	if (!tree)
		return NULL;
	tree->pid = thread_of(event);
	tree->context = event->context;
	tree->probe = (size_t)(event->probe - graphs->plan->probes);
	tree->cpu = event->cpu;
	tree->process = event->process;
	strncpy(tree->comm, event->comm, COMM_SIZE - 1);
	tree->next = *chain;
	*chain = tree;
	tree->older = graphs->newest;
	*(graphs->newest ? &graphs->newest->newer : &graphs->oldest) = tree;
	graphs->newest = tree;
	graphs->ntrees++;
	graphs->bytes += sizeof(*tree);
	return tree;
}

void tree_free(struct graphs *graphs, struct tree *tree)
{
	struct tree **link = chain_of(graphs, tree->pid);

	while (*link != tree)
		link = &(*link)->next;
	*link = tree->next;
	*(tree->older ? &tree->older->newer : &graphs->oldest) = tree->newer;
	*(tree->newer ? &tree->newer->older : &graphs->newest) = tree->older;
	graphs->ntrees--;
	graphs->bytes -= sizeof(*tree) + tree->size * sizeof(*tree->calls) + tree->text.length;
	free(tree->calls);
	free(tree->open);
	strbuf_deinit(&tree->text);
	free(tree);
}

bool tree_has_room(const struct graphs *graphs)
{
	return graphs->ntrees < TREES_MAX && graphs->bytes < BYTES_MAX;
}

struct frame_open *tree_top(struct tree *tree)
{
	return tree->nopen ? &tree->open[tree->nopen - 1] : NULL;
}

struct frame_open *tree_push(struct graphs *graphs, struct tree *tree,
			     const struct frame_open *frame)
{
	if (tree->nopen == tree->open_size) {
		unsigned size = tree->open_size ? 2 * tree->open_size : 16;
		struct frame_open *open =
			size <= OPEN_MAX ? realloc(tree->open, size * sizeof(*open)) : NULL;

		if (!open) {
			graphs->counts.dropped++;
			return NULL;
		}
		tree->open = open;
		tree->open_size = size;
	}
	tree->open[tree->nopen] = *frame;
	return &tree->open[tree->nopen++];
}

static bool make_room(struct graphs *graphs, struct tree *tree)
{
	uint32_t size = tree->size ? 2 * tree->size : 16;
	struct call *calls;

	if (tree->ncalls < tree->size)
		return graphs->bytes < BYTES_MAX;
	if (graphs->bytes + (size - tree->size) * sizeof(*calls) >= BYTES_MAX)
		return false;
	calls = realloc(tree->calls, size * sizeof(*calls));
	if (!calls)
		return false;
	graphs->bytes += (size - tree->size) * sizeof(*calls);
	tree->calls = calls;
	tree->size = size;
	return true;
}

uint32_t tree_add(struct graphs *graphs, struct tree *tree, const struct call *call,
		  uint32_t parent)
{
	if (!make_room(graphs, tree)) {
		graphs->counts.dropped++;
		if (parent != NO_CALL)
			tree->calls[parent].dropped++;
		return NO_CALL;
	}
	tree->calls[tree->ncalls] = *call;
	return tree->ncalls++;
}

struct piece_of tree_text(struct graphs *graphs, struct tree *tree, size_t before)
{
	graphs->bytes += tree->text.length - before;
	return (struct piece_of){(uint32_t)before, (uint32_t)(tree->text.length - before)};
}
