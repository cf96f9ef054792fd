/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of sink/follow/ share: the calls that are open, and what they have passed. */
#ifndef SINK_FOLLOW_H
#define SINK_FOLLOW_H

#include "sink/value.h"

#define NO_SLOT UINT32_MAX

/* A value that is new (was is NULL) or has changed. Texts are malloc'd, in the notation of the
 * output. */
struct change {
	const char *name;
	char *was;
	char *is;
	bool is_cut; /* a text that is longer */
};

struct changes {
	struct change *list;
	unsigned count;
};

enum row_kind {
	ROW_LINE,
	ROW_INNER, /* a function begins that is inlined into the call */
	ROW_CALL,  /* the function was called again, from this call */
};

struct row {
	enum row_kind kind;
	unsigned scope;
	uint64_t time; /* ns */
	const struct probe *probe;
	/* until the next line of the scope; of ROW_INNER and ROW_CALL, the arguments */
	struct changes changes;
	uint64_t number;   /* ROW_CALL: that call's */
	bool is_perhaps; /* ROW_CALL: it may be called in another call */
	uint64_t duration; /* ns */
	char *result;      /* ROW_CALL, or NULL */
};

enum call_end {
	END_RETURNED,
	END_JUMPED,  /* into another function, which returns in its place */
	END_INLINED, /* its next copy began, or what it is inlined in ended */
	END_UNSEEN,  /* its frame became another call's, or no probe was at its end */
	END_OPEN,    /* the trace ended first, or the kernel missed its return */
	END_LOST,    /* records were lost */
	END_EVICTED, /* there was no room for more */
};

/* Rows of one call: the first and the last ROWS_HALF are kept. */
#define ROWS_HALF 10000u
/* All that is kept of calls that haven't ended. */
#define FOLLOW_BYTES ((size_t)128 << 20)

struct call {
	struct call *next; /* the thread's, one that began before */
	struct call *older, *newer; /* of all threads */
	struct thread *thread;
	int cpu;
	char comm[16];
	const struct probe *probe; /* of its first hit */
	uint64_t number;
	uint64_t parent; /* the number of the call it was called from; 0: none */
	bool is_perhaps; /* one whose end wasn't seen is between: it may be that one */
	uint64_t last_hit; /* the thread's count then */
	/* a call around it has begun or ended since: it is over, or on another stack */
	bool is_overtaken;
	uint64_t frame;
	uint64_t copy;
	uint64_t begun; /* ns; of the first hit if that isn't its beginning */
	uint64_t ended;
	bool is_whole;  /* its beginning was seen */
	bool is_inlined;
	enum call_end end;
	char **values;  /* by slot: as last seen, or NULL */
	struct changes args;
	struct row *rows;
	unsigned room;
	uint64_t nrows; /* all that it passed, kept or not */
	uint64_t *last; /* by scope: the number of its last row + 1 */
	uint8_t *passed; /* by line: whether it was passed */
	unsigned npassed;
	uint64_t tested; /* conditions, by bit */
	uint64_t held;
	char *result; /* or NULL */
	size_t bytes; /* that it takes */
};

/* One hit, kept until it is known that no other one is of the same instruction. */
struct hit {
	const struct probe *probe;
	uint64_t time;
	unsigned first, count; /* of the thread's texts */
	uint64_t tested;
	uint64_t held;
};

struct hit_text {
	uint32_t slot;
	size_t at; /* in the thread's words; ends with NUL */
	bool is_cut;
};

struct thread {
	struct thread *next; /* of its bucket */
	int64_t id;
	int tid;
	struct call *calls;
	uint64_t applied; /* hits */
	uint64_t base;    /* where the program was in memory; 0: not known */
	uint64_t ip;
	uint64_t frame;
	int cpu;
	char comm[16];
	struct hit *hits;
	unsigned nhits, hits_room;
	struct hit_text *texts;
	unsigned ntexts, texts_room;
	struct strbuf words;
};

/* What is known of a probe once for all its hits. */
struct followed_probe {
	unsigned *slots; /* of values[i]; NO_SLOT: never shown */
	unsigned scope;
	unsigned line;   /* among those of its copy; NO_SLOT: none */
	unsigned nlines; /* of its copy */
	unsigned nshared; /* probes that are hit by the same instruction */
	bool is_blind;   /* what its lines belong to begins where the kernel allows no probe */
};

#define THREAD_BUCKETS 1024u

struct follow {
	struct arena *arena;
	const struct plan *plan;
	const struct sink_context *context;
	const struct notation *notation;
	struct follow_options options;
	bool sees_all_ends; /* of calls that began before, too */
	struct followed_probe *probes; /* of plan->probes[i] */
	unsigned nslots;
	unsigned *slot_scopes; /* by slot */
	unsigned nscopes;
	unsigned nlines;
	struct thread *threads[THREAD_BUCKETS];
	struct call *oldest, *newest;
	size_t bytes;
	unsigned losses;
	struct strbuf *out;
	uint64_t number;
	struct follow_counts counts;
};

static inline const struct followed_probe *followed(const struct follow *follow,
						    const struct probe *probe)
{
	return &follow->probes[probe - follow->plan->probes];
}

/* The row of that number, from 0; NULL: it isn't kept. */
static inline struct row *call_row(const struct call *call, uint64_t number)
{
	if (number < ROWS_HALF)
		return &call->rows[number];
	if (number + ROWS_HALF < call->nrows)
		return NULL;
	return &call->rows[ROWS_HALF + (number - ROWS_HALF) % ROWS_HALF];
}

/* calls.c */
/* Notes that it takes so many bytes more. */
static inline void call_charge(struct follow *follow, struct call *call, size_t bytes)
{
	call->bytes += bytes;
	follow->bytes += bytes;
}
struct call *call_new(struct follow *follow, struct thread *thread, const struct hit *hit);
void call_free(struct follow *follow, struct call *call);
/* Appends a row; valid until the next one. */
struct row *call_add_row(struct follow *follow, struct call *call, enum row_kind kind,
			 const struct hit *hit);
/* Notes a hit's values, and adds those that are new or changed to *to. all: and those that
 * aren't. */
void call_values(struct follow *follow, struct call *call, const struct thread *thread,
		 const struct hit *hit, bool all, struct changes *to);
void changes_free(struct changes *changes);

/* Whether the call that is told as its parent may be over, or another one may be between. */
bool is_parent_perhaps(const struct follow *follow, const struct call *call);
/* The same of a call's ROW_CALL, when the call is over. */
bool is_row_perhaps(const struct follow *follow, const struct call *call, const struct row *row);

/* hits.c: takes a thread's hits of one instruction, in order. */
void hits_apply(struct follow *follow, struct thread *thread);
/* Ends a call, which is shown or dropped. */
void call_end(struct follow *follow, struct thread *thread, struct call *call, enum call_end end,
	      uint64_t time);

/* choose.c: whether a call that ended is to be shown. */
enum chosen { CHOSEN_NO, CHOSEN_YES, CHOSEN_UNKNOWN };
enum chosen call_chosen(const struct follow *follow, const struct call *call);

/* changed_members.c: where two values of a struct or array differ. count goes beyond the list. */
#define DIFFERENCES_MOST 4u
struct differences {
	struct change list[DIFFERENCES_MOST];
	unsigned count;
};
void differences_find(const struct change *change, struct differences *ret);
void differences_free(struct differences *differences);

/* name.c: a function's name; whole only under is_whole. */
void follow_name(const struct follow *follow, const char *name);

/* call_text.c, call_json.c */
void call_text(struct follow *follow, const struct call *call);
void call_json(struct follow *follow, const struct call *call);

#endif
