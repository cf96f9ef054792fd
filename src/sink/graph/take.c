// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts calls into trees. A call is known by its thread, its function and its canonical frame
 * address: the stack grows down, so whatever is open below the frame of a hit is over, seen or not
 * (longjmp, an exception).
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sink/graph/graph.h"

struct graphs *graphs_new(struct arena *arena, const struct plan *plan,
			  const struct sink_context *context, const struct graph_options *options)
{
	struct graphs *graphs = arena_new(arena, struct graphs);

	graphs->graph = plan->graph;
	graphs->plan = plan;
	graphs->context = context;
	graphs->options = *options;
	return graphs;
}

void graphs_free(struct graphs *graphs)
{
	while (graphs && graphs->oldest)
		tree_free(graphs, graphs->oldest);
}

const struct graph_counts *graphs_counts(const struct graphs *graphs)
{
	return &graphs->counts;
}

/* Prints the tree, unless enough were. */
static void show(struct graphs *graphs, struct strbuf *out, struct tree *tree)
{
	if (!graphs->options.limit || graphs->counts.trees < graphs->options.limit) {
		graphs->counts.trees++;
		(graphs->options.is_json ? graph_json_tree : graph_text_tree)(out, graphs, tree);
	}
	tree_free(graphs, tree);
}

/* Shows a tree that hasn't ended, and why it is shown. */
static void cut(struct graphs *graphs, struct strbuf *out, struct tree *tree, const char *why)
{
	tree->cut = why;
	show(graphs, out, tree);
}

static void end_call(struct tree *tree, const struct frame_open *frame, enum call_end how,
		     uint64_t time)
{
	if (frame->call == NO_CALL)
		return;
	tree->calls[frame->call].how = how;
	tree->calls[frame->call].end = time;
}

/* The innermost call is over, but its return wasn't seen. */
static void give_up(const struct graphs *graphs, struct tree *tree)
{
	const struct frame_open *frame = &tree->open[--tree->nopen];
	const struct graph_function *function = &graphs->graph->functions[frame->function];

	end_call(tree, frame, function->unseen ? CALL_UNSEEN : CALL_LEFT, 0);
}

/* Functions are moved together, by a multiple of 16. */
static uint64_t bias_of(const struct event *event)
{
	return (event->ip - event->probe->site->address) & ~15ull;
}

/* Gives up what is over when a call with that frame begins. Returns false if the whole tree is. */
static bool settle(struct graphs *graphs, struct tree *tree, const struct event *event)
{
	while (tree->nopen && tree->open[tree->nopen - 1].cfa < event->frame)
		give_up(graphs, tree);
	while (tree->nopen && tree->open[tree->nopen - 1].cfa == event->frame &&
	       !call_is_tail(graphs, tree, event))
		give_up(graphs, tree);
	return tree->nopen;
}

static struct piece_of take_values(struct graphs *graphs, struct tree *tree,
				   const struct event *event)
{
	size_t before = tree->text.length;

	if (event->probe->nvalues)
		(graphs->options.is_json ? graph_json_values :
					   graph_text_values)(&tree->text, event, graphs->context);
	return tree_text(graphs, tree, before);
}

static struct piece_of put_via(struct graphs *graphs, struct tree *tree, const struct event *event)
{
	size_t before = tree->text.length;
	const char *name = symbol_of(graphs->context, event->return_ip);

	if (name)
		strbuf_add(&tree->text, name, (size_t)(strrchr(name, '+') - name));
	return tree_text(graphs, tree, before);
}

/* Whether the call may be the tree's though its return address lies in none of its functions: that
 * isn't code, or the beginning of some function, which no call returns to, but where the kernel
 * lets calls return for its own tracers. */
static bool is_unplaced(struct graphs *graphs, const struct event *event)
{
	struct caller *caller = &graphs->callers[number_hash(event->return_ip) % CALLERS];
	const char *name, *offset;

	if (caller->address == event->return_ip && caller->bias == bias_of(event))
		return caller->is_unknown;
	name = symbol_of(graphs->context, event->return_ip);
	offset = name ? strrchr(name, '+') : NULL;
	*caller = (struct caller){event->return_ip, bias_of(event),
				  !offset || !strcmp(offset, "+0x0")};
	return caller->is_unknown;
}

static void add_call(struct graphs *graphs, struct tree *tree, const struct event *event,
		     unsigned function)
{
	const struct graph_function *its = &graphs->graph->functions[function];
	struct frame_open *top = tree_top(tree);
	uint32_t parent = NO_CALL;
	bool direct = !top || call_is_direct(graphs, tree, event, function, &parent);
	struct frame_open frame = {
		.cfa = event->frame,
		.return_ip = event->return_ip,
		.function = function,
		.call = NO_CALL,
		.parent = parent,
		.copy = NO_COPY,
		.level = !top ? 1 :
				top->level +
					 (direct || call_is_of_hidden(graphs, tree, event) ? 1 : 2),
	};
	struct call call = {.begin = event->time,
			    .function = function,
			    .how = its->is_inlined ? CALL_INLINED : CALL_OPEN};

	if (frame.level <= graphs->graph->depth || its->is_anywhere) {
		call.parent = frame.parent;
		call.depth = frame.parent == NO_CALL ? 0 : tree->calls[frame.parent].depth + 1;
		call.values = take_values(graphs, tree, event);
		if (!direct || (top && top->call == NO_CALL)) {
			call.via = put_via(graphs, tree, event);
			call.is_elsewhere = !call.via.length;
		}
		frame.call = tree_add(graphs, tree, &call, frame.parent);
	} else if (!direct && is_unplaced(graphs, event)) {
		graphs->counts.unplaced++;
	}
	if (frame.call != NO_CALL)
		frame.parent = frame.call;
	if (!its->is_inlined)
		tree_push(graphs, tree, &frame);
	else if (frame.call != NO_CALL) {
		top->copy = its->copy;
		top->copy_call = frame.call;
	}
}

/* After an exec the program has other addresses: the tree belongs to the old one. */
static bool is_same_run(const struct tree *tree, const struct event *event)
{
	return tree->bias == bias_of(event);
}

static void begin_tree(struct graphs *graphs, struct strbuf *out, const struct event *event,
		       unsigned function)
{
	struct tree *tree;

	if (graphs->graph->functions[function].level != 1 || event->is_doubtful)
		return;
	while (!tree_has_room(graphs)) {
		graphs->counts.evicted++;
		cut(graphs, out, graphs->oldest, "given up, as there was no room");
	}
	tree = tree_new(graphs, event);
	if (!tree) {
		graphs->counts.dropped++;
		return;
	}
	tree->bias = bias_of(event);
	add_call(graphs, tree, event, function);
	if (!tree->nopen || !tree->ncalls)
		tree_free(graphs, tree);
}

static void enter(struct graphs *graphs, struct strbuf *out, const struct event *event,
		  unsigned function)
{
	struct tree *tree = tree_of(graphs, event);

	if (tree && !is_same_run(tree, event)) {
		cut(graphs, out, tree, "its program is gone");
		tree = NULL;
	}
	if (tree && !settle(graphs, tree, event)) {
		show(graphs, out, tree);
		tree = NULL;
	}
	if (tree)
		add_call(graphs, tree, event, function);
	else
		begin_tree(graphs, out, event, function);
}

/* A copy is in its function's frame. */
static void pass_inlined(struct graphs *graphs, const struct event *event, unsigned function)
{
	struct tree *tree = tree_of(graphs, event);

	if (!tree || !is_same_run(tree, event) || tree_top(tree)->cfa > event->frame)
		return;
	while (tree->nopen > 1 && tree_top(tree)->cfa < event->frame)
		give_up(graphs, tree);
	if (tree_top(tree)->cfa == event->frame)
		add_call(graphs, tree, event, function);
}

/* The index of the open call that ends, or nopen: it isn't known. */
static unsigned find_open(const struct tree *tree, const struct event *event, unsigned function)
{
	for (unsigned i = tree->nopen; i > 0; i--)
		if (tree->open[i - 1].cfa == event->frame && tree->open[i - 1].function == function)
			return i - 1;
	return tree->nopen;
}

/* The calls that ended by a jump to the one that returns now. */
static void end_jumped(struct tree *tree, const struct event *event, unsigned function)
{
	while (tree->nopen && tree_top(tree)->cfa == event->frame && tree_top(tree)->has_jumped) {
		const struct frame_open *frame = &tree->open[--tree->nopen];

		end_call(tree, frame, CALL_PASSED, event->time);
		if (frame->call != NO_CALL)
			tree->calls[frame->call].by = function;
	}
}

static void leave(struct graphs *graphs, struct strbuf *out, const struct event *event,
		  const struct graph_probe *probe)
{
	struct tree *tree = tree_of(graphs, event);
	unsigned at = tree ? find_open(tree, event, probe->function) : 0;
	struct frame_open *frame;

	if (!tree || at == tree->nopen) {
		graphs->counts.strays += graphs->graph->functions[probe->function].level == 1;
		return;
	}
	while (tree->nopen > at + 1)
		give_up(graphs, tree);
	frame = &tree->open[at];
	frame->has_jumped = probe->part == GRAPH_JUMP;
	if (frame->has_jumped)
		return;
	if (probe->part == GRAPH_RETURN && frame->call != NO_CALL)
		tree->calls[frame->call].returned = take_values(graphs, tree, event);
	end_call(tree, frame, probe->part == GRAPH_LEAVE ? CALL_JUMPED : CALL_RETURNED,
		 event->time);
	tree->nopen--;
	end_jumped(tree, event, probe->function);
	if (!tree->nopen)
		show(graphs, out, tree);
}

/* What was lost may have ended any of them. */
static void see_losses(struct graphs *graphs, struct strbuf *out, const struct event *event)
{
	while (graphs->oldest && graphs->losses != event->losses) {
		graphs->counts.lost++;
		cut(graphs, out, graphs->oldest, "events were lost");
	}
	graphs->losses = event->losses;
}

unsigned graphs_event(struct graphs *graphs, struct strbuf *out, const struct event *event)
{
	const struct graph_probe *probe =
		&graphs->graph->probes[event->probe - graphs->plan->probes];
	uint64_t before = graphs->counts.trees;

	see_losses(graphs, out, event);
	if (!event->has_frame)
		graphs->counts.unknown++;
	else if (probe->part == GRAPH_ENTRY)
		enter(graphs, out, event, probe->function);
	else if (probe->part == GRAPH_INLINED)
		pass_inlined(graphs, event, probe->function);
	else
		leave(graphs, out, event, probe);
	return (unsigned)(graphs->counts.trees - before);
}

unsigned graphs_end(struct graphs *graphs, struct strbuf *out)
{
	uint64_t before = graphs->counts.trees;

	while (graphs->oldest) {
		graphs->counts.open++;
		cut(graphs, out, graphs->oldest, "the trace ended");
	}
	return (unsigned)(graphs->counts.trees - before);
}
