/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan: the kernel's own text for each probe, and how to finish each value from what the
 * kernel recorded. values[i] belongs to captures[i] of the site and wants[i] of the spec.
 */
#ifndef KTRACE_PLAN_H
#define KTRACE_PLAN_H

#include "ktrace/caps.h"
#include "ktrace/site.h"

/* Memory of 8 bytes or more as it was recorded, and what tells how much of it could be read: all of it if `last`
 * could; else what lies on the first page, if `first` or, at the page's beginning, `last` could. */
struct window {
	uint32_t size; /* bytes recorded, in fetches that lie side by side */
	bool is_checked; /* else all of it is there */
	unsigned first;  /* as fetch.guards: its first byte and 7 before it */
	unsigned last;   /* its last 7 bytes and the one behind */
	unsigned at;     /* fetch_number(): with at_offset, the address or its low bits; or UINT32_MAX */
	int64_t at_offset;
};

/* What the kernel makes of the bytes that it fetches. */
enum fetch_kind {
	FETCH_DEFAULT, /* no type is written: 64 bits in hexadecimal, or of $comm a string */
	FETCH_NUMBER,  /* "u32": of so many bits; letter is u, s or x */
	FETCH_BITS,    /* "b3@4/32": width bits, from shift on, of a number of so many bits */
	FETCH_CHAR,
	FETCH_STRING,
	FETCH_USTRING, /* in user memory */
	FETCH_OTHER,   /* what only words says */
};

struct fetch_type {
	enum fetch_kind kind;
	char letter;
	uint8_t width;
	uint8_t shift;
	unsigned bits;
	unsigned count;    /* elements of an array; 0: it is none */
	const char *words; /* as the user wrote it, or NULL */
};

static inline bool fetch_type_is_string(const struct fetch_type *type)
{
	return type->kind == FETCH_STRING || type->kind == FETCH_USTRING;
}

/* One argument of the kernel's event definition. */
struct fetch {
	const char *field; /* the argument's name in the definition */
	const char *body;  /* "+8(%di)"; of a tracepoint the type in its format */
	struct fetch_type type;
	/* What tells whether the memory could be read: of 8 bytes or more its window, or NULL; of fewer two fetches
	 * of the same probe, as index + 1, or 0: it could if one of them could. */
	const struct window *window;
	unsigned guards[2];
	bool is_guard;     /* a string that can't be: see plan/guard.c */
	struct span want_span; /* whose it is in the user's text: for carets */
	struct span column;    /* its own text in the probe's definition, "NAME=BODY:TYPE" */
};

static inline bool fetch_is_guarded(const struct fetch *fetch)
{
	return fetch->window || fetch->guards[0];
}

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
	const struct shape *shape; /* or NULL: see struct capture */
	uint8_t size;    /* bytes of the value or of one element */
	bool is_signed;
	uint32_t count;  /* most elements of an array; 0: a scalar or a string */
	uint32_t string_max; /* RENDER_STRING: show at most so many bytes; 0: no bound */
	const struct window *windows; /* RENDER_STRING: of a CPU's own, windows[cpu]; NULL: a string */
	/* NULL: the value is the fetch itself. Otherwise over EXPR_FETCH(n), see fetch_number(), and
	 * EXPR_STATIC, which a live run knows and a dry one names. */
	const struct expr *finish;
	unsigned fetch;          /* where finish and by_cpu are NULL */
	/* of a per-CPU object: by_cpu[n] is the finish of a hit on CPU n; or NULL */
	const struct expr *const *by_cpu;
	unsigned ncpus;
	const struct part_value *parts; /* or NULL: finishes of parts, whose bytes make the object */
	unsigned nparts;
	bool is_narrowed; /* the record's number is wider, or of the other sign: so the kernel's filter sees it */
	bool is_pointee;  /* of a pointer that is nowhere: the value of what it points to */
	bool is_duration; /* ns from the entry companion's record to this one */
	const unsigned *fetches; /* all it needs, in the order of finish's f0, f1, ... */
	unsigned nfetches;
	const char *finish_text; /* "" where nothing is to finish; f0 is fetches[0] */
};

/* A single number's bytes and kind: its shape's, where it has one. */
static inline unsigned value_size(const struct value *value)
{
	return value->shape ? value->shape->size : value->size;
}

static inline bool value_is_float(const struct value *value)
{
	return value->shape ? value->shape->kind == SHAPE_NUMBER && value->shape->render == RENDER_FLOAT :
			      value->render == RENDER_FLOAT;
}

/*
 * A probe is one event of the kernel's. Most are shown; the others serve one that is, its companions.
 * What a probe event can't do by itself, read memory at the sum of two numbers, the kernel does along
 * a chain (Documentation/trace/histogram.rst, kprobetrace.rst): at the same instruction ROLE_SUM adds
 * the numbers in a histogram's variable, ROLE_RELAY hands it to a synthetic event, and an event probe
 * on that follows it. Handlers run in the reverse order of definition, so all this is before the
 * shown probe's own record, on the same CPU.
 */
enum role {
	ROLE_SHOWN,
	ROLE_RELAY,     /* kprobe; its trigger passes the sums on */
	ROLE_SUM,       /* kprobe; its trigger adds */
	ROLE_SYNTHETIC, /* the synthetic event that carries the sums */
	ROLE_MEMORY,    /* event probe; it records what lies there */
	ROLE_ENTRY,     /* at the function's entry: what was there then */
};

/* Whose record a number of a finish is from: the shown probe's own or a companion's. */
enum part {
	PART_OWN,
	PART_MEMORY,
	PART_ENTRY,
	PART_COUNT,
};

/* Numbers of fetches are apart by part: f = fetch_number(part, index into that probe's fetches). */
static inline unsigned fetch_number(enum part part, unsigned index)
{
	return part * KERNEL_ARGS_MAX + index;
}

/* Stands for the group's name in what is written to the kernel, since a session has a group of its own; no
 * such byte is in a name or path. */
#define GROUP_MARK '\1'

/* What the kernel does at each hit, besides recording it. */
enum action_kind {
	ACTION_SUM,   /* adds numbers up, into variables of a histogram */
	ACTION_RELAY, /* hands the sums of another probe to a synthetic event */
};

struct action {
	enum action_kind kind;
	const char *text; /* as written to the event's trigger file, with GROUP_MARK */
};

/* What the kernel has for it. */
enum probe_kind {
	PROBE_HIT,        /* p: a kprobe or uprobe, at an instruction */
	PROBE_RETURN,     /* r: a kretprobe or uretprobe, at a function's return */
	PROBE_SYNTHETIC,  /* s: an event that another one's trigger makes */
	PROBE_EVENT,      /* e: an event probe, on another event's record */
	PROBE_TRACEPOINT, /* an event that is there already: nothing is defined */
};

/* The kind in a definition. */
static inline char probe_letter(enum probe_kind kind)
{
	return "prse"[kind];
}

struct probe {
	enum role role;
	enum probe_kind kind;
	const struct spec *spec;
	const struct site *site;
	const char *group; /* as shown: "probe" or the user's */
	const char *event; /* no other probe of the plan has it, whatever its group */
	const char *shown; /* NULL, or what its events are called: all exits of a function have one name */
	bool is_return;
	unsigned caller;   /* of an exit: the fetch that is the return address, as index + 1; 0: none */
	/* "xen_netfront:xennet_start_xmit+283": the place as written. Here, in definition and in a synthetic
	 * event's name is GROUP_MARK. */
	const char *head;
	const struct action *actions;
	unsigned nactions;
	struct fetch *fetches;
	unsigned nfetches;
	struct value *values;
	unsigned nvalues;
	const char *definition; /* "p:GROUP/EVENT HEAD ARG...", as written to the kernel; with GROUP_MARK */
	unsigned companions[PART_COUNT]; /* index in the plan's probes; 0: none (or itself) */
	/* The canonical frame address over its own fetches, where it has an entry companion or is one:
	 * the same number at the entry, at every line and at the return of one call. */
	const struct expr *frame;
	/* PART_MEMORY's last fetches are the sums it read at; each over this probe's own fetches. */
	const struct expr **sums;
	unsigned nsums;
	const char *kernel_filter; /* what the kernel tests, or NULL */
	bool has_unguarded; /* some read may fail without a sign: there was no room for its guard */
	bool is_filter_partly_ours; /* the kernel can't test some of it */
	const struct filter *filter; /* what ktrace tests, or NULL: fields are value names */
};

struct arena;
struct event_names;

struct plan {
	struct arena *arena; /* of the names and the list; what a probe is made of is in plan_add()'s */
	struct event_names *names; /* plan/'s: those that are taken */
	struct probe *probes;
	unsigned nprobes;
	unsigned size; /* probes there is room for */
	unsigned nforgotten; /* probes there were before these: see plan_forget() */
};

#endif
