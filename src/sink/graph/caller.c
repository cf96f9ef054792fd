// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where in the tree a call belongs, by its return address: all call instructions of the
 * functions are known.
 *
 * The surprise: a call with the frame of the one around it is a tail call, or the call around it
 * is over. A tail call's return address is that of the function that jumped.
 */
#include "base/search.h"
#include "sink/graph/graph.h"

/* The call instruction before the return address, or NULL: none of a function that is followed. */
static const struct graph_call *call_before(const struct graph *graph, uint64_t address)
{
	size_t at = partition_point(graph->ncalls, i, graph->calls[i].address < address);

	return at < graph->ncalls && graph->calls[at].address == address ? &graph->calls[at] : NULL;
}

/* Whether a call with the frame of the innermost one was jumped to by it. */
bool call_is_tail(const struct graphs *graphs, const struct tree *tree, const struct event *event)
{
	const struct frame_open *top = &tree->open[tree->nopen - 1];
	const struct graph_function *function = &graphs->graph->functions[top->function];

	if (top->has_jumped)
		return true;
	/* a return probe of the kernel's has replaced the address that both return to */
	return function->may_jump && !call_before(graphs->graph, event->return_ip - tree->bias) &&
	       (event->return_ip != top->return_ip || function->unseen);
}

static unsigned copy_of(const struct graphs *graphs, const struct call *call)
{
	return graphs->graph->functions[call->function].copy;
}

/* The innermost open call is where the copy is, unless that one is over: then in the copy around
 * it, or in none. */
static void leave_copies(const struct graphs *graphs, const struct tree *tree,
			 struct frame_open *top, unsigned copy)
{
	while (top->copy != NO_COPY && top->copy != copy) {
		unsigned host = graphs->graph->functions[top->copy].host;

		top->copy_call = tree->calls[top->copy_call].parent;
		top->copy = top->copy_call != NO_CALL &&
					    copy_of(graphs, &tree->calls[top->copy_call]) == host ?
				    host :
				    NO_COPY;
	}
}

/* Whether the call is made in the code of the innermost open one; *parent: the call that is shown
 * around it. */
bool call_is_direct(const struct graphs *graphs, struct tree *tree, const struct event *event,
		    unsigned function, uint32_t *parent)
{
	const struct graph_function *its = &graphs->graph->functions[function];
	struct frame_open *top = tree_top(tree);
	const struct graph_call *call = call_before(graphs->graph, event->return_ip - tree->bias);
	bool is_tail = !its->is_inlined && top->cfa == event->frame;

	*parent = top->parent;
	if (!its->is_inlined && !is_tail && (!call || call->function != top->function))
		return false;
	leave_copies(graphs, tree, top,
		     its->is_inlined ? its->host :
		     is_tail	     ? NO_COPY :
				       call->copy);
	if (top->copy != NO_COPY)
		*parent = top->copy_call;
	return true;
}

bool call_is_of_hidden(const struct graphs *graphs, const struct tree *tree,
		       const struct event *event)
{
	const struct graph_call *call = call_before(graphs->graph, event->return_ip - tree->bias);

	return call && graphs->graph->functions[call->function].is_hidden;
}
