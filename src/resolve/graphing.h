/* SPDX-License-Identifier: GPL-2.0-only */
/* A call graph while its functions are being found. */
#ifndef RESOLVE_GRAPHING_H
#define RESOLVE_GRAPHING_H

#include "base/lookup.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/points.h"

struct graphing {
	struct resolver *resolver;
	const struct graph_wanted *wanted;
	struct graph graph;
	struct point *points; /* of graph.functions[i]: its entry */
	unsigned npoints;
	struct lookup by_entry; /* out-of-line functions */
	struct point *inlined;  /* copies of named functions, wherever they are */
	unsigned ninlined;
	const struct spec **inlined_specs; /* of inlined[i] */
	unsigned ninlined_specs;
	bool has_traceable; /* wanted->traceable covers this file's functions */
	/* the kernel's return probe can't be used: a call that ends in a jump is seen at the jump
	 * only */
	bool sees_jumps;
	unsigned scanned; /* the function whose code is read */
	struct function_code code;
};

/* graph_functions.c: the index of the function that begins at the address, or LOOKUP_NONE. */
size_t graph_find(const struct graphing *graphing, uint64_t entry);
unsigned graph_add(struct graphing *graphing, const struct point *point, unsigned level);

/* graph_code.c: reads the code of all functions of the level, and adds those that it calls. */
struct error *graph_scan(struct graphing *graphing, unsigned level) must_check;

/* graph_copies.c: adds the inlined copies in the functions' code, and the calls in them. */
struct error *graph_copies(struct graphing *graphing) must_check;
/* graph_code.c: the instance that begins at the symbol. Returns NULL when debug information has
 * none. */
struct error *graph_instance(struct resolver *resolver, const struct symbol *symbol,
			     const struct instance **ret) must_check;
struct error *graph_too_many(const struct graphing *graphing) must_check;
#define FUNCTIONS_MAX 4096u

#endif
