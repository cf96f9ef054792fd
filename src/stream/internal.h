/* SPDX-License-Identifier: GPL-2.0-only */
/* How a record becomes an event: its layout, and the decoder with the current hit. */
#ifndef STREAM_INTERNAL_H
#define STREAM_INTERNAL_H

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "stream/format.h"
#include "stream/stream.h"

/* test_filter.c: probe->filter with its names looked up once. */
struct test;
struct error *filter_compile(struct arena *arena, const struct probe *probe,
			     const struct test **ret) must_check;
bool filter_passes(const struct test *test, const struct event *event);
/* The same for each of probe->watched, of which there are `count`: NULL where there is none. */
struct error *conditions_compile(struct arena *arena, const struct probe *probe, unsigned count,
				 const struct test *const **ret) must_check;
/* Sets event->tested and ->held. */
void conditions_test(const struct test *const *tests, unsigned count, struct event *event);

/* A value that is simply the recorded number: the last of the 8 bytes at `offset`. */
struct plain {
	bool is_plain;
	bool is_signed;
	uint8_t shift; /* bits of the bytes in front of it */
	uint16_t offset;
};

/* decode_record.c: how to read one event's records, worked out once. */
struct layout {
	const struct probe *probe;
	const struct test *test; /* or NULL */
	const struct test *const *conditions; /* of a call that is followed, else NULL */
	bool serves_return;      /* a return probe: tail calls return last first */
	uint64_t function;       /* a hash: calls of two functions differ */
	bool is_call;            /* the hit's frame is asked for */
	uint8_t interrupts;      /* the bits of common_flags that are the event's context */
	bool is_entry;           /* a companion elsewhere records the same entry */
	const struct layout *next; /* of another probe that the same records are of; or NULL */
	struct field ip;
	struct field return_ip;
	struct field comm;
	int id;
	struct field place; /* which probe of the event it is; absent: there is only one */
	struct field *fetches; /* of probe->fetches[i] */
	struct plain *plains;  /* of probe->values[i] */
	bool has_stacks;       /* some value is a stack that the kernel records apart */
	struct plain *start_plains; /* of probe->starts[i] */
	uint32_t plain_end;    /* the length a record must have to hold them all */
};
/* A record and how to read it. layout: NULL when the companion's record is not there. */
struct layout;
struct record {
	const uint8_t *data;
	uint32_t length;
	uint64_t time;
	const struct layout *layout;
};

/* stacks.c: the kernel's records of stacks, which follow the event they belong to. */
enum { KERNEL_RECORD, USER_RECORD, STACK_RECORDS };
struct stack_format {
	int id; /* 0: none is recorded */
	struct field callers;
	struct field count;   /* of callers; else absent: up to a 0 */
	struct field process; /* or absent */
};
struct stacks {
	struct stack_format formats[STACK_RECORDS];
	struct record found[STACK_RECORDS]; /* of the current event; data: NULL if it has none */
	const struct unwinder *unwinder; /* or NULL */
	uint8_t *memory; /* scratch: a recorded stack, put together */
	uint64_t *addresses; /* scratch: the event's unwound stacks */
	unsigned used; /* how many stacks are there */
};
struct cpu;
struct layout;
struct error *stacks_init(struct stacks *stacks, struct arena *arena,
			  const struct buffers *buffers) must_check;
/* Finds the stacks of the CPU's current record. Returns false when they may still come. */
bool stacks_find(struct stacks *stacks, const struct cpu *cpu, const struct page_shape *shape);

struct decoder {
	struct stacks stacks;
	const struct plan *plan;
	struct layout *layouts;
	unsigned nlayouts;
	uint64_t *records; /* how many were read, by layouts[i] */
	int first_id;
	unsigned nids;
	uint16_t *by_id; /* layout's index + 1, by id - first_id */
	uint64_t *numbers; /* scratch, by fetch_number(): inputs of expressions */
	struct record parts[PART_COUNT]; /* of the current hit */
	struct keeper *keeper; /* NULL: no probe has companions */
	struct datum *values;
	struct datum *starts; /* of probe->starts */
	uint8_t *objects; /* scratch: this hit's objects, put together from fetches */
	uint32_t objects_used;
	struct event event;
	struct comm_cache *comms;
	bool has_processes; /* set event->process */
	bool is_doubtful; /* around this time another CPU's records were lost */
};
struct error *decoder_init(struct decoder *decoder, struct arena *arena, const struct plan *plan,
			   const struct live_event *events) must_check;
/* stacks.c: a value that is a stack. */
void stack_decode(struct decoder *decoder, const struct value *value, struct datum *datum);
/* The process that the event's own stack names. Returns -1 when it has none. */
int stacks_process(const struct stacks *stacks);
/* decode_value.c */
/* An object, or a number too wide for a datum, recorded piece by piece. */
bool value_is_gathered(const struct value *value);
void value_decode(struct decoder *decoder, const struct value *value, struct datum *datum);
/* Fills *ret if the value is only a number at a fixed place; else leaves it. */
void value_plan(struct layout *layout, const struct value *value, struct plain *ret);

/* Loads 1, 2, 4 or 8 bytes. Constant sizes, so that each memcpy is one load. */
static inline uint64_t load_number(const uint8_t *p, unsigned width, bool is_signed)
{
	unsigned shift = 64 - width * 8;
	uint64_t value = 0;

	switch (width) {
	case 1: memcpy(&value, p, 1); break;
	case 2: memcpy(&value, p, 2); break;
	case 4: memcpy(&value, p, 4); break;
	default: memcpy(&value, p, 8);
	}
	return is_signed ? (uint64_t)((int64_t)(value << shift) >> shift) : value;
}
/* The offset of the thread id in every record. */
#define COMMON_PID 4
/* The record must be long enough: layout_of() checks that. */
static inline int record_pid(const uint8_t *data)
{
	int32_t pid;

	memcpy(&pid, data + COMMON_PID, sizeof(pid));
	return pid;
}
/* Whether its memory could be read, and how much of it. number: of a fetch with a window. */
uint32_t window_readable(const struct decoder *decoder, unsigned number);
bool record_int(const struct record *record, const struct field *field, uint64_t *ret);
/* All bytes that a __data_loc points to. */
void record_dynamic(const struct record *record, const struct field *field, struct datum *datum);
void record_string(const struct record *record, const struct field *field, struct datum *datum);

/* NULL: the record is of no event of the plan. */
const struct layout *layout_of(const struct decoder *decoder, const uint8_t *data, uint32_t length);
/* Decodes a record of a CPU into decoder->event. record->layout: its layout_of(), or one behind
 * that. Returns false when there is no event to show. */
bool decode_record(struct decoder *decoder, const struct record *record, int cpu);

/* The canonical frame address of the current hit. Returns false if it isn't known. */
bool decoder_frame(struct decoder *decoder, const struct probe *probe, uint64_t *ret);

#endif
