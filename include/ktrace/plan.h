/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan: the kernel's own text for each probe, and how to finish each value from what the
 * kernel recorded. values[i] belongs to captures[i] of the site and wants[i] of the spec.
 */
#ifndef KTRACE_PLAN_H
#define KTRACE_PLAN_H

#include "ktrace/caps.h"
#include "ktrace/counted.h"
#include "ktrace/site.h"

/* 8 bytes of memory or more as recorded, and the guards that tell how many of them could be
 * read. Both succeed: all; `first` alone: those on the first page; else none. Where the memory
 * begins in the first 7 bytes of a page, `first` covers the page before it, so `last` alone
 * decides. */
struct window {
	uint32_t size; /* bytes recorded, in fetches that lie side by side */
	bool is_checked; /* false: all of it is readable */
	unsigned first;  /* as fetch.guards: its first byte and the 7 before it */
	unsigned last;   /* its last 7 bytes and the one after */
	unsigned at;     /* fetch_number() that, plus at_offset, is the address or its low bits;
			  * or UINT32_MAX */
	int64_t at_offset;
};

/* What the kernel makes of the bytes that it fetches. */
enum fetch_kind {
	FETCH_DEFAULT, /* no type is written: 64 bits in hexadecimal; for $comm a string */
	FETCH_NUMBER,  /* "u32": 32 bits; letter is u, s or x */
	FETCH_BITS,    /* "b3@4/32": width bits, from bit shift on, of a number of `bits` bits */
	FETCH_CHAR,
	FETCH_STRING,
	FETCH_USTRING, /* in user memory */
	FETCH_OTHER,   /* anything else; only words describes it */
};

struct fetch_type {
	enum fetch_kind kind;
	char letter;
	uint8_t width;
	uint8_t shift;
	unsigned bits;
	unsigned count;    /* elements of an array; 0: not an array */
	const char *words; /* as the user wrote it, or NULL */
};

static inline bool fetch_type_is_string(const struct fetch_type *type)
{
	return type->kind == FETCH_STRING || type->kind == FETCH_USTRING;
}

/* The same as a fetch's body, for a program that reads it (counter/): a register or a number, then
 * what each read adds to what it has, from the innermost on. */
struct fetch_way {
	bool is_register; /* number is where struct pt_regs has it; else it is the number itself */
	uint64_t number;
	struct fetch_step {
		int32_t offset;
		bool is_user;
	} steps[KERNEL_DEREFS_MAX];
	unsigned nsteps;
};

/* One argument of the kernel's event definition. */
struct fetch {
	const char *field; /* the argument's name in the definition */
	const char *body;  /* "+8(%di)"; for a tracepoint, the type in its format */
	const struct fetch_way *way; /* NULL: a program can't read it */
	struct fetch_type type;
	/* What tells whether the memory could be read. 8 bytes or more: its window, or NULL.
	 * Fewer: two fetches of the same probe, each as index + 1 (0: none); it was read if
	 * either of them was. */
	const struct window *window;
	unsigned guards[2];
	bool is_guard;     /* a string that can't exist: see plan/guard.c */
	struct span want_span; /* the want in the user's text: for carets */
	struct span column;    /* its own text in the probe's definition, "NAME=BODY:TYPE" */
};

static inline bool fetch_is_guarded(const struct fetch *fetch)
{
	return fetch->window || fetch->guards[0];
}

enum value_status {
	VALUE_OK,
	VALUE_UNAVAILABLE, /* value.reason says why */
	VALUE_LEFT_OUT,    /* unavailable because a record can't hold all */
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
	const struct window *windows; /* RENDER_STRING: its bytes; of a per-CPU object
				       * windows[cpu]; NULL: a kernel string */
	const char *text; /* the value itself, known when the plan is made; or NULL */
	/* NULL: the value is the fetch itself. Otherwise an expression over EXPR_FETCH(n), see
	 * fetch_number(), and EXPR_STATIC, which a live run replaces and a dry run prints by
	 * name. */
	const struct expr *finish;
	unsigned fetch;          /* the value is this fetch, where finish and by_cpu are NULL;
				  * UINT_MAX: it is none */
	/* per-CPU object: by_cpu[n] is the finish of a hit on CPU n; or NULL */
	const struct expr *const *by_cpu;
	unsigned ncpus;
	const struct part_value *parts; /* NULL, or one finish per part; the parts' bytes make
					 * the object */
	unsigned nparts;
	bool is_narrowed; /* the kernel's field is wider, or of the other sign;
			   * stream/test_filter.c must allow for that */
	bool is_pointee;  /* the pointer has no location; this is what it points to */
	enum stack_kind stack; /* or STACK_NONE */
	bool is_at_place; /* of a stack: the first address is the probed instruction itself */
	unsigned depth;   /* of a stack: most frames; 0: all */
	bool is_duration; /* ns from the entry companion's record to this one */
	bool is_between;  /* ns from the pair's start to this one */
	bool is_start;    /* recorded at the pair's start, as value `start` there */
	unsigned start;
	const unsigned *fetches; /* all that it needs, numbered f0, f1, ... by the finish */
	unsigned nfetches;
	const char *finish_text; /* "" if there is no finish; f0 is fetches[0] */
};

/* Size and kind of a single number: its shape's, if it has one. */
static inline unsigned value_size(const struct value *value)
{
	return value->shape ? value->shape->size : value->size;
}

static inline bool value_is_float(const struct value *value)
{
	return value->shape ?
		       value->shape->kind == SHAPE_NUMBER && value->shape->render == RENDER_FLOAT :
		       value->render == RENDER_FLOAT;
}

/*
 * A probe is one of the kernel's events. Most are shown, or begin a pair; the others, the
 * companions, serve one of these. A probe event can't read memory at the sum of two numbers; a
 * chain of companions can (Documentation/trace/histogram.rst, kprobetrace.rst): at the same
 * instruction ROLE_SUM adds the numbers in a histogram's variable, ROLE_RELAY hands the sum to a
 * synthetic event, and an event probe on that one reads the memory. Companions are defined after
 * their probe, and the handlers of an address run in the reverse order of definition, so all this
 * happens before the probe's own record, on the same CPU.
 */
enum role {
	ROLE_SHOWN,
	ROLE_RELAY,     /* kprobe; its trigger passes the sums on */
	ROLE_SUM,       /* kprobe; its trigger adds */
	ROLE_SYNTHETIC, /* the synthetic event that carries the sums */
	ROLE_MEMORY,    /* event probe; it records the memory at the sums */
	ROLE_ENTRY,     /* at the function's entry: it records values as they are there */
	ROLE_START,     /* where a pair begins; its values are shown with the end's */
};

static inline bool role_is_companion(enum role role)
{
	return role != ROLE_SHOWN && role != ROLE_START;
}

/* How a pair's start and end are joined. */
enum pair_by {
	PAIR_BY_VALUES, /* those of pairing->joins */
	PAIR_BY_CALL,   /* thread, canonical frame address and function */
	PAIR_BY_THREAD,
};

/* Two places whose events are shown as one, at the end. */
struct pair {
	const struct pairing *pairing;
	const char *title; /* "ip_rcv:6 -> tcp_v4_rcv:12" */
	enum pair_by by;
	/* Starts of one key are kept, and the last one is ended first: calls in calls. Else a start
	 * takes the place of an earlier one, which has no end then. */
	bool nests;
	bool is_one_place; /* each probe is end and start: a hit ends a pair, then begins one */
	const struct value *values; /* of its starts, by type; values[i] of a start itself may be
				     * unavailable */
	unsigned nvalues;
	const struct sites *const *twins; /* private to plan/: the start's, if is_one_place */
	unsigned ntwins;
};

/* Which record holds a number that a finish uses: the shown probe's own or a companion's. */
enum part {
	PART_OWN,
	PART_MEMORY,
	PART_ENTRY,
	PART_COUNT,
};

/* Each part numbers its fetches from part * KERNEL_ARGS_MAX: f = fetch_number(part, index into
 * that probe's fetches). */
static inline unsigned fetch_number(enum part part, unsigned index)
{
	return part * KERNEL_ARGS_MAX + index;
}

/* Stands for the group's name in text for the kernel, since each session has a group of its own.
 * No name or path contains this byte. */
#define GROUP_MARK '\1'

/* A hidden last argument of a probe, which a session adds: the only way to know the comm at the
 * time of the hit, whatever the process did since (exec, exit). It costs the traced thread half as
 * much again as the rest of a hit, so a nameless probe goes without. */
#define COMM_FIELD "__comm"

/* Another one, of an event that several probes share: which of the plan's probes was hit. */
#define PLACE_FIELD "__place"

/* What the kernel does at each hit, besides recording it. */
enum action_kind {
	ACTION_SUM,   /* adds numbers up, into variables of a histogram */
	ACTION_RELAY, /* hands the sums of another probe to a synthetic event */
	ACTION_COUNT, /* counts by keys, instead of recording: see struct probe's counting */
};

struct action {
	enum action_kind kind;
	const char *text; /* as written to the event's trigger file, with GROUP_MARK */
};

/* What the kernel makes of a probe. */
enum probe_kind {
	PROBE_HIT,        /* p: a kprobe or uprobe, at an instruction */
	PROBE_RETURN,     /* r: a kretprobe or uretprobe, at a function's return */
	PROBE_SYNTHETIC,  /* s: an event that another event's trigger generates */
	PROBE_EVENT,      /* e: an event probe, on another event's record */
	PROBE_TRACEPOINT, /* an existing event: nothing is defined */
};

/* The letter that begins a definition. Not for PROBE_TRACEPOINT, which has none. */
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
	const char *event; /* unique in the plan, whatever the group */
	const char *shown; /* NULL, or the name its events are shown by: all exits share one */
	bool is_return;
	/* of an exit or a call: the fetch of the return address, as index + 1; 0: none */
	unsigned caller;
	/* "xen_netfront:xennet_start_xmit+283": the place as written. GROUP_MARK occurs in this,
	 * in definition and in a synthetic event's name. */
	const char *head;
	const struct counting *counting; /* the table that its only action keeps; or NULL */
	const struct action *actions;
	unsigned nactions;
	struct fetch *fetches;
	unsigned nfetches;
	struct value *values;
	unsigned nvalues;
	unsigned pair; /* it begins or ends the plan's pairs[pair - 1]; 0: neither */
	struct value *starts; /* SHOWN, where the pair is of one place: its values as a start */
	unsigned nstarts;
	const char *definition; /* "p:GROUP/EVENT HEAD ARG...", as written to the kernel; with
				 * GROUP_MARK */
	/* Its hits are those of an earlier probe's event, at the same address: that one's index + 1.
	 * Both have the same fetches and definition. 0: it has an event of its own. */
	unsigned host;
	unsigned companions[PART_COUNT]; /* indices into the plan's probes; 0: none (or itself) */
	/* The canonical frame address over its own fetches, if it has an entry companion, is one,
	 * or belongs to a pair that is joined by calls: the same number at the entry, at every line
	 * and at the return of one call. */
	const struct expr *frame;
	/* The last fetches of PART_MEMORY are the sums it read at; sums[] are the same over this
	 * probe's own fetches, for a check. */
	const struct expr **sums;
	unsigned nsums;
	bool is_nameless;  /* its events are counted, and nothing asks for the thread's name */
	/* an event of -e that another probe of the plan shows, too: a record belongs to both */
	bool is_shared;
	const char *kernel_filter; /* what the kernel tests, or NULL */
	bool has_unguarded; /* some read may fail unnoticed: there was no room for its guard */
	bool is_filter_partly_ours; /* the kernel can't test some part of the filter */
	const struct filter *filter; /* what ktrace tests, or NULL: fields are value names */
	const struct filter *whole_filter; /* both, or NULL */
	/* NULL, or for each condition of the plan's calls the comparison with this probe's values;
	 * NULL: it has no such value */
	const struct filter *const *watched;
};

#define FOLLOWED_CONDITIONS 64

/* What is needed to assemble hits into calls. */
struct following {
	const struct filter *calls; /* a call is shown if it holds; NULL: each is */
	const char *calls_text;
	/* its comparisons, from left to right */
	const struct filter *conditions[FOLLOWED_CONDITIONS];
	bool is_known[FOLLOWED_CONDITIONS]; /* some probe has the value */
	unsigned nconditions;
	bool has_ends; /* returns are probed */
	bool may_be_left; /* a call may end without a return: by longjmp(3), an exception... */
	const char *const *texts; /* the source line of plan->probes[i], or NULL */
};

/* The time between a call's beginning and its return, as --calls names it. */
#define CALL_DURATION "duration"

struct arena;
struct event_names;

struct plan {
	struct arena *arena; /* holds the names and the list; a probe's content is in
			      * plan_add()'s arena */
	struct event_names *names; /* private to plan/: the names that are taken */
	struct probe *probes;
	unsigned nprobes;
	unsigned size; /* probes that there is room for */
	const struct graph *graph; /* whose calls the probes follow; or NULL */
	unsigned nforgotten; /* probes removed so far: see plan_forget() */
	struct pair *pairs;
	unsigned npairs;
	struct following *following; /* or NULL */
};

#endif
