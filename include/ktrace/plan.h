/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan: the kernel's own text for each probe, and how to finish each value from what the
 * kernel recorded. values[i] belongs to captures[i] of the site and wants[i] of the spec.
 */
#ifndef KTRACE_PLAN_H
#define KTRACE_PLAN_H

#include "ktrace/caps.h"
#include "ktrace/site.h"

/* One argument of the kernel's event definition. */
struct fetch {
	const char *field; /* the argument's name in the definition */
	const char *body;  /* "+8(%di)" */
	const char *type;  /* "u64", "string", "x8[16]", or NULL: the kernel's default */
	struct span want_span; /* whose it is in the user's text: for carets */
	unsigned column;   /* of its first byte in the definition, from 0 */
	unsigned length;   /* bytes in the definition, name included */
};

enum value_status {
	VALUE_OK,
	VALUE_UNAVAILABLE,
};

/* One value that the user asked for. */
struct value {
	const char *name;
	const char *type_name;
	enum value_status status;
	const char *reason;
	enum render render;
	uint8_t size;    /* bytes of the value or of one element */
	bool is_signed;
	uint32_t count;  /* elements of an array; 0: a scalar or a string */
	uint32_t string_max; /* RENDER_STRING: show at most so many bytes; 0: no bound */
	/* NULL: the value is the fetch itself. Otherwise over EXPR_FETCH(i), i an index into the
	 * probe's fetches, and EXPR_STATIC, which a live run knows and a dry one names. */
	const struct expr *finish;
	unsigned fetch;          /* where finish and by_cpu are NULL */
	/* of a per-CPU object: by_cpu[n] is the finish of a hit on CPU n; or NULL */
	const struct expr *const *by_cpu;
	unsigned ncpus;
	const unsigned *fetches; /* all it needs, in the order of finish's f0, f1, ... */
	unsigned nfetches;
	const char *finish_text; /* "" where nothing is to finish; f0 is fetches[0] */
};

struct probe {
	const struct spec *spec;
	const struct site *site;
	const char *group; /* as shown: "probe" or the user's */
	const char *event;
	const char *head;  /* "xen_netfront:xennet_start_xmit+283": the place as written */
	char kind;         /* 'p' or 'r' */
	struct fetch *fetches;
	unsigned nfetches;
	struct value *values;
	unsigned nvalues;
	const char *definition; /* "p:probe/EVENT HEAD ARG..." */
	const char *kernel_filter; /* what the kernel tests, or NULL */
	const struct filter *filter; /* what ktrace tests, or NULL: fields are value names */
};

struct plan {
	struct probe *probes;
	unsigned nprobes;
};

#endif
