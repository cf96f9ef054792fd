/* SPDX-License-Identifier: GPL-2.0-only */
/* What instructions do to the slots of a stack: slots_read.c fills it in, slots.c asks. */
#ifndef RESOLVE_SLOT_USE_H
#define RESOLVE_SLOT_USE_H

#include "base/lookup.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/slots.h"

struct arch;

enum { UNKNOWN = INT32_MIN, NEAR = 64, REGISTERS = 16, MOST_SPILLS = 15 };
#define TAINT_REGISTERS ((1u << REGISTERS) - 1)
#define TAINT_MEMORY (1u << REGISTERS)
#define TAINT_SPILL (TAINT_MEMORY << 1) /* the first of MOST_SPILLS */

/* What an instruction does. Offsets are from the stack pointer at the entry. */
struct use {
	int32_t stack, frame; /* the two registers before it; UNKNOWN */
	int32_t offset;       /* of the memory, where is_slot */
	int32_t displacement; /* of the memory, from its register */
	uint32_t read, written; /* registers, one bit each */
	uint16_t size;
	uint8_t memory; /* enum memory_use */
	int8_t copied; /* the register that it copies to another one, or NO_REGISTER */
	bool is_stack;  /* the memory is at an offset from one of the two registers, ... */
	bool is_slot;   /* ... which is known */
	bool is_indexed;
	bool is_call;
	/* the callee is the file's own: gcc knows which registers it leaves alone (-fipa-ra) */
	bool is_known;
	bool is_store; /* of a register */
	bool is_wild;  /* leads to any root */
	bool makes_address;
	bool is_changed; /* the memory, which counts as read */
};

enum { READS_BYTES = 16 << 20 }; /* of all answers of a function */

/* An answer: behind which instructions a part of a variable is read. */
struct slot_reads {
	struct slot_range of;
	struct range *block; /* of the question's object, copied */
	unsigned nblock, room;
	bool is_told;
	uint8_t *known; /* by instruction */
};

struct slots {
	struct use *list;
	unsigned *stores; /* those that write to a slot, which is known */
	unsigned nstores;
	struct slot_reads *reads;
	size_t nreads, nrooms;
	struct lookup lookup; /* of reads */
	/* of the last variable: what may have its address before an instruction */
	uint32_t *taints;
	struct slot_range tainted;
	bool is_tainted;
	int32_t spills[MOST_SPILLS]; /* where the function itself keeps its address */
	unsigned nspills;
	bool is_made; /* some code has the address of that variable */
	int *queue;
	bool *seen;
};

/* The two registers before an instruction. */
struct bases {
	int32_t stack, frame;
};

/* An offset, moved; UNKNOWN where it can't be. */
int32_t slot_moved(int32_t from, int64_t by);
/* What the register holds; UNKNOWN unless it is one of the two. */
int32_t slot_base(const struct arch *arch, struct bases bases, uint64_t reg);
/* Appends the number to the queue, unless it has been there. */
bool slots_visit(struct slots *slots, int number, unsigned *queued);
/* Returns NULL when some instruction can't be decoded. */
struct slots *slots_read(struct resolver *resolver, const struct instance *instance,
			 const struct flow *flow, struct arena *arena);
/* slots.c: what is known of the function, and where the bytes of the object are that lie at `part`.
 * Returns NULL where that isn't known. flow: may be NULL. */
struct slots *slots_place(struct resolver *resolver, const struct instance *instance,
			  struct flow *flow, uint64_t address, const struct slot_object *object,
			  const struct expr *part, unsigned size, struct slot_range *ret);
/* Whether the instruction makes an address by which the object is found. */
bool makes_slot(const struct use *use, const struct slot_range *of);
/* Finds what may have the object's address before each instruction. */
void slots_spread(struct resolver *resolver, const struct flow *flow, struct slots *slots,
		  const struct slot_range *of);
/* Whether the code at the address is of the block that declares the object. */
bool is_in_block(const struct slot_object *object, uint64_t address);

#endif
