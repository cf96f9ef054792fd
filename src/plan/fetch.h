/* SPDX-License-Identifier: GPL-2.0-only */
/* One argument of a probe: its text, its type, its guards, and how it is added. */
#ifndef PLAN_FETCH_H
#define PLAN_FETCH_H

#include "plan/internal.h"

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

/* sum_chain.c: memory at an address that is a sum. Body and part of the base: "$s0" of PART_MEMORY. */
struct fetch_text sum_base(struct work *work, const struct expr *sum);

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

#endif
