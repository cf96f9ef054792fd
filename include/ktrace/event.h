/* SPDX-License-Identifier: GPL-2.0-only */
/* One decoded hit. Valid until the next one is decoded. values[i]: see plan.h. */
#ifndef KTRACE_EVENT_H
#define KTRACE_EVENT_H

#include <stdint.h>

#include "ktrace/plan.h"

enum datum_kind {
	DATUM_INT,   /* number, sign- or zero-extended to 64 bits by the value's is_signed */
	DATUM_BYTES, /* length bytes: a string (without NUL), or count elements of size each */
	DATUM_FAULT, /* the kernel could not read the memory */
	DATUM_NONE,  /* unavailable here: see the value's reason */
};

struct datum {
	enum datum_kind kind;
	uint32_t length;
	uint64_t number;
	const void *bytes;
	const char *reason; /* NONE: why (NULL: value->reason); BYTES: set if it was cut */
};

/* Bits of a record's common_flags (the kernel's enum trace_flag_type). */
enum {
	INTERRUPT_HARD = 0x08,
	INTERRUPT_SOFT = 0x10,
	INTERRUPT_NMI = 0x40,
};

struct event {
	uint64_t time; /* ns, the trace clock */
	int cpu;
	int pid; /* thread id, as the kernel's common_pid */
	int process; /* its process id, where that was asked for; -1: unknown */
	/* of a kprobe: the INTERRUPT_ bits of what it is in; 0: it is the thread's own */
	unsigned context;
	const char *comm;
	const struct probe *probe;
	uint64_t ip;        /* __probe_ip; for a return __probe_func */
	uint64_t return_ip; /* where it returns to, for a return or a call; else 0 */
	const struct datum *values;
	/* Only for a call that is followed: */
	bool has_frame;
	bool is_doubtful;  /* around this time another CPU's records were lost */
	unsigned losses;   /* how often records had been lost before it */
	uint64_t frame;    /* canonical frame address */
	/* conditions of following->conditions that have an answer here, by bit */
	uint64_t tested;
	uint64_t held;     /* those of them that hold */
};

#endif
