/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of plan/. */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "expr/expr.h"
#include "plan/plan.h"

#define SUMS_MAX 8 /* of one probe; the kernel has room for 16 variables */

/* A probe in the making, with its companions. */
struct work {
	struct arena *arena;
	const struct plan_input *input;
	const struct arch *arch;
	struct probe *probes[PART_COUNT]; /* [PART_OWN] is the one to show; others NULL until needed */
	enum part part;        /* whose instruction it is: registers and memory are read there */
	const char *sums[SUMS_MAX]; /* over field names: "frags_0+frags_1" */
	unsigned nsums;
	bool is_term[KERNEL_ARGS_MAX]; /* of the shown probe's fetches: used in a sum */
	bool is_per_cpu;    /* in hand: a value of each CPU's own */
	bool has_unguarded;
	unsigned number; /* for companions' names: no two probes of a plan have the same */
	const struct want *want; /* in hand */
	const char *name;        /* of the value in hand */
	const struct capture *capture; /* in hand; NULL: a frame, which has no statics */
};

/* fetch.c: kernel fetch syntax. */
struct fetch_text {
	const char *body; /* NULL: see reason */
	enum part part;
	const char *reason;
	const struct expr *address; /* memory is read there; NULL: nothing that can fail */
	bool is_user;
};
struct fetch_text fetch_register(struct work *work, const struct expr *expr);
/* What `@` calls a static address of the capture in hand; or NULL, and the reason. */
const char *static_name(const struct work *work, uint64_t address, const char **reason);
/* What reads the memory at an address: "+8(%di)", "@jiffies". */
struct fetch_text fetch_memory(struct work *work, const struct expr *address, bool is_user);
/* The same of so many bytes, which several arguments may read. */
struct fetch_text fetch_object(struct work *work, const struct expr *address, bool is_user, uint32_t size);

/* fetch_type.c */
struct fetch_type number_type(char letter, unsigned bits);
struct fetch_type array_type(char letter, unsigned bits, unsigned count);
/* Of a type as the user writes it, which spec/ has found sound: "x8[16]", "ustring". */
struct fetch_type read_type(const char *words);
/* ":x8[16]", or "". */
char *fetch_type_text(struct arena *arena, const struct fetch_type *type);
bool same_type(const struct fetch_type *a, const struct fetch_type *b);
/* Bytes of the record for one fetch, and for one of its elements. */
unsigned fetch_size(const struct fetch_type *type);
unsigned element_size(const struct fetch_type *type);

/* work.c: the probe of a part, made when it is first asked for. */
struct probe *work_probe(struct work *work, enum part part);
/* Adds an argument to a part's probe; returns its number. */
unsigned work_fetch(struct work *work, const struct fetch_text *text, const char *field,
		    const struct fetch_type *type);
/* The same, or one that is there already and records the same. */
unsigned work_fetch_once(struct work *work, const struct fetch_text *text, const char *field,
			 const struct fetch_type *type);

/* guard.c: what tells whether a fetch failed. size: bytes it reads. */
void guard_fetch(struct work *work, unsigned number, const struct fetch_text *text, unsigned size);
void guard_raw(struct work *work, unsigned number, const struct fetch_text *text, unsigned size);
/* Of memory of window->size bytes, 8 or more. */
void guard_window(struct work *work, const struct fetch_text *text, struct window *window);
/* The same memory's text, so many bytes on: "+16(%di)"; NULL: it is no memory, or further
 * than the kernel can say. */
char *fetch_offset(struct arena *arena, const char *body, long long offset);
/* Memory that is there whatever the program does: the frame, and objects with a symbol. */
bool is_always_there(const struct work *work, const struct expr *address);

/* text.c: a string as bytes that are bounded. NULL, or the reason why it can't be had. */
const char *text_value(struct work *work, const struct capture *capture, struct value *ret);
/* The same of a raw argument. false: its body is no memory. */
bool raw_text_value(struct work *work, const struct fetch_text *text, bool is_user, struct value *ret);

/* sum_chain.c: memory at an address that is a sum. Body and part of the base: "$s0" of PART_MEMORY. */
struct fetch_text sum_base(struct work *work, const struct expr *sum);
/* The probes along the chain, to be put behind the shown one; returns how many, at most 4. */
unsigned sum_probes(struct work *work, struct probe *ret);

/* value.c: one capture to one value, its fetches added to the probes. */
struct error *plan_value(struct work *work, const struct capture *capture,
			 struct value *ret) must_check;

/* expression.c: the same of one whose expression has no EXPR_CPU; NULL, or the reason why it can't be
 * had. */
const char *plan_expression(struct work *work, const struct capture *capture, struct value *ret);
/* One argument that is the value. size: bytes that are read, for a guard; 0: a string is its own. */
void direct_value(struct work *work, const struct fetch_text *text, const struct fetch_type *type, unsigned size,
		  struct value *ret);
/* So many bytes of memory, in arguments that lie side by side; returns how many arguments, and their numbers
 * in list. is_guarded: each has its guards. */
unsigned fetch_bytes(struct work *work, const struct fetch_text *text, uint32_t size, bool is_guarded,
		     const char *name, unsigned list[KERNEL_ARGS_MAX]);
void set_fetches(struct arena *arena, struct value *value, const unsigned *list, unsigned count);
/* Some bits of a register or of memory, as the kernel's bit-field of a container; body is NULL where the
 * expression has no such form. */
struct fetch_text fetch_bits(struct work *work, const struct expr *expr, struct fetch_type *type);

/* finish.c: arguments and a finish over them. NULL, or the reason why it can't be had. */
const char *split_value(struct work *work, const struct expr *expr, struct value *ret);
/* The same of an object in parts: each has its finish; the bytes of all make the object. */
const char *parts_value(struct work *work, const struct capture *capture, struct value *ret);
const char *finish_print(struct work *work, const struct value *value, const struct expr *finish);
/* Sets both probes' frame; false: it can't be recorded. */
bool plan_frames(struct work *work, const struct site *site);

/* percpu.c: captures of each CPU's own. */
const char *plan_by_cpu(struct work *work, const struct capture *capture, struct value *ret);
const struct expr *at_cpu(struct arena *arena, const struct expr *expr, unsigned cpu);

/* running.c: a live run's half, the addresses that only the running kernel knows, in the finishes. */
void plan_running(struct arena *arena, struct probe *probe);
/* Of a static address, or of a CPU's own entry of an array. */
const struct static_place *find_static(const struct capture *capture, uint64_t address);

/* raw.c */
void raw_value(struct work *work, const struct capture *capture, struct value *ret);

/* filter.c: which half tests what. */
/* sites: the probe's; NULL: of a tracepoint. */
struct error *plan_filter(struct arena *arena, const struct plan_input *input, const struct sites *sites,
			  struct probe *probe) must_check;

/* event_names.c */
/* number: the first that may be free for this spec's next copy; starts at 1. */
/* For so many probes more. */
void plan_make_room(struct plan *plan, unsigned count);
/* The name is no other probe's from now on. */
void take_event(struct plan *plan, const char *name);
char *event_name(struct arena *arena, const struct plan *plan, const struct sites *sites,
		 const struct site *site, unsigned *number);
/* A companion's: the shown event's, told apart. */
char *companion_name(struct arena *arena, const char *event, const char *suffix, unsigned number);
char *field_name(struct arena *arena, const struct probe *probe, const char *wanted);

/* readable.c: of a function of C++ or Rust, its scope and name alone; of C, the name itself. */
const char *readable_name(struct arena *arena, const char *name);

#endif
