/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the stack still has a variable's value. */
#ifndef RESOLVE_SLOTS_H
#define RESOLVE_SLOTS_H

#include "arch/arch.h"
#include "resolve/internal.h"

struct slot_object {
	const struct expr *address;
	unsigned size;
	bool is_aggregate; /* an array or a struct */
	const struct range *block; /* the code of its scope; as of struct variable */
	unsigned nblock;
};
/* Bytes of the stack, as offsets from the stack pointer at the entry: those that are asked about,
 * and the variable that they are of. */
struct slot_range {
	int64_t start, end;
	int64_t object_start, object_end;
	bool is_aggregate;
};
/* Whether nothing that runs behind the address reads `size` bytes at the address `read`, which lie
 * in the object. What isn't known is taken for read. */
bool slot_is_unread(struct resolver *resolver, const struct instance *instance, uint64_t address,
		    const struct slot_object *object, const struct expr *read, unsigned size);
/* slot_parts.c: whether no code of the function stores to those bytes. */
bool slot_is_unset(struct resolver *resolver, const struct instance *instance, uint64_t address,
		   const struct slot_object *object, const struct expr *part, unsigned size);
/* Some bytes of an object, as they are at an address of the instance. */
struct slot_part {
	struct resolver *resolver;
	const struct instance *instance;
	uint64_t address;
	struct slot_object object;
	const struct expr *part;
	unsigned size;
};
/* Whether the instruction may read (MEMORY_READ) or store (MEMORY_WRITTEN) some of them: an index
 * counts up. */
bool slot_is_touched(const struct slot_part *part, uint64_t instruction, enum memory_use how);
/* The instructions that write some of the bytes; none, where nothing has asked slot_is_unread()
 * about the function. */
unsigned slot_stores(struct resolver *resolver, const struct instance *instance, uint64_t address,
		     const struct expr *read, unsigned size, uint64_t **ret);

#endif
