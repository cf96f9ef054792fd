/* SPDX-License-Identifier: GPL-2.0-only */
/* One argument of a probe: its text, its type, its guards, and how it is added to the probe. */
#ifndef PLAN_FETCH_H
#define PLAN_FETCH_H

#include "plan/internal.h"

/* fetch.c: kernel fetch syntax. */
struct fetch_text {
	const char *body; /* NULL: see reason */
	enum part part;
	const char *reason;
	const struct expr *address; /* the address that memory is read at; NULL: nothing that can
				     * fail */
	bool is_user;
	const struct fetch_way *way; /* as in struct fetch; cleared where body changes */
};
/* Ways without reads, and a way with one more; NULL for none. */
const struct fetch_way *number_way(struct work *work, uint64_t number);
const struct fetch_way *register_way(struct work *work, unsigned dwarf_number);
const struct fetch_way *fetch_step(struct work *work, const struct fetch_way *way, int32_t offset,
				   bool is_user);
struct fetch_text fetch_register(struct work *work, const struct expr *expr);
/* The name that `@` has for a static address of the current capture. Returns NULL, and the
 * reason, if none. */
const char *static_name(const struct work *work, uint64_t address, const char **reason);
/* What reads the memory at an address: "+8(%di)", "@jiffies". */
struct fetch_text fetch_memory(struct work *work, const struct expr *address, bool is_user);
/* The same for an object of `size` bytes, which several arguments may read. */
struct fetch_text fetch_object(struct work *work, const struct expr *address, bool is_user,
			       uint32_t size);

/* work.c: the probe of a part, made when it is first needed. */
struct probe *work_probe(struct work *work, enum part part);
/* Adds an argument to a part's probe; returns its number. */
unsigned work_fetch(struct work *work, const struct fetch_text *text, const char *field,
		    const struct fetch_type *type);
/* The same, but reuses one of the host's that records the same. */
unsigned work_fetch_hosted(struct work *work, const struct fetch_text *text, const char *field,
			   const struct fetch_type *type);
/* The same, but reuses any argument that records the same. */
unsigned work_fetch_once(struct work *work, const struct fetch_text *text, const char *field,
			 const struct fetch_type *type);

/* guard.c: what tells whether a fetch failed. size: bytes it reads. */
void guard_fetch(struct work *work, unsigned number, const struct fetch_text *text, unsigned size);
void guard_raw(struct work *work, unsigned number, const struct fetch_text *text, unsigned size);
/* Guards memory of window->size bytes, 8 or more. */
void guard_window(struct work *work, const struct fetch_text *text, struct window *window);
/* The text for the memory `offset` bytes further on: "+16(%di)". Returns NULL if body is no
 * memory, or if the offset is too large for the kernel. */
char *fetch_offset(struct arena *arena, const char *body, long long offset);
/* Memory that is always readable: the frame, and objects with a symbol. */
bool is_always_there(const struct work *work, const struct expr *address);

/* sum_chain.c: memory at an address that is a sum. Returns the base's text and part: "$s0" of
 * PART_MEMORY. */
struct fetch_text sum_base(struct work *work, const struct expr *sum);

/* One argument that is the value. size: bytes it reads, for a guard; 0: a string, which is its
 * own guard. */
void direct_value(struct work *work, const struct fetch_text *text, const struct fetch_type *type,
		  unsigned size, struct value *ret);
/* `size` bytes of memory, in arguments that lie side by side; returns how many arguments, and
 * their numbers in list. is_guarded: each has its guards. */
unsigned fetch_bytes(struct work *work, const struct fetch_text *text, uint32_t size,
		     bool is_guarded, const char *name, unsigned list[KERNEL_ARGS_MAX]);
void set_fetches(struct arena *arena, struct value *value, const unsigned *list, unsigned count);
/* Some bits of a register or of memory, as the kernel's bit-field of a container. body is NULL
 * if the expression isn't of that form. */
struct fetch_text fetch_bits(struct work *work, const struct expr *expr, struct fetch_type *type);

#endif
