/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of stream/ share. */
#ifndef STREAM_INTERNAL_H
#define STREAM_INTERNAL_H

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "stream/page.h"
#include "stream/page_source.h"
#include "stream/stream.h"

/* format.c: where a field lies in the event's record. */
enum field_kind {
	FIELD_ABSENT,
	FIELD_INT,    /* 1, 2, 4 or 8 bytes */
	FIELD_BYTES,  /* an array, in place */
	FIELD_STRING, /* __data_loc or __rel_loc: 16 bits offset, 16 bits length */
};

struct field {
	enum field_kind kind;
	bool is_signed;
	uint16_t offset;
	uint16_t size;
	uint16_t count; /* of data_locs, FIELD_STRING */
	uint16_t next;  /* FIELD_STRING: where the record's next one is, or 0 */
	uint16_t base;  /* FIELD_STRING: what its offset counts from */
	bool may_be_empty; /* FIELD_STRING: a length of 0 isn't a fault (not a probe event) */
};

struct named_field {
	const char *name;
	struct field field;
};

struct format {
	struct named_field *fields; /* in the order of the text */
	unsigned nfields;
};

/* Reads all fields; an error when a line isn't understood. */
struct error *format_read(struct arena *arena, const char *text, struct format *ret) must_check;
/* ret->kind is FIELD_ABSENT when the format has no such field. */
void format_field(const struct format *format, const char *name, struct field *ret);
/* header_page: the file's text. */
struct error *shape_read(struct arena *arena, const char *header_page,
			 struct page_shape *ret) must_check;

/* print_format.c: sets fields' shapes by what the print fmt says of them. */
struct tep_event;
void print_shapes(struct arena *arena, const struct tep_event *event,
		  struct tracepoint *tracepoint);

/* filter.c: probe->filter with its names looked up once. */
struct test;
struct error *filter_compile(struct arena *arena, const struct probe *probe,
			     const struct test **ret) must_check;
bool filter_passes(const struct test *test, const struct event *event);
/* The same for each of probe->watched, of which there are `count`: NULL where there is none. */
struct error *conditions_compile(struct arena *arena, const struct probe *probe, unsigned count,
				 const struct test *const **ret) must_check;
/* Sets event->tested and ->held. */
void conditions_test(const struct test *const *tests, unsigned count, struct event *event);

/* A value that is simply the recorded number. width 0: it isn't. */
struct plain {
	uint16_t offset;
	uint8_t width; /* bytes */
	bool is_signed;
};

/* decode.c: how to read one event's records, worked out once. */
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
	struct field *fetches; /* of probe->fetches[i] */
	struct plain *plains;  /* of probe->values[i] */
	bool has_stacks;       /* some value is a stack that the kernel records apart */
	struct plain *start_plains; /* of probe->starts[i] */
	uint32_t plain_end;    /* the length a record must have to hold them all */
};
/* companions.c: keeps companions' records until they are asked for. */
struct kept {
	uint8_t *data;
	uint32_t length;
	uint64_t time;
};
struct kept_key {
	unsigned probe; /* the companion's index in the plan */
	int owner;      /* thread; the CPU for PART_MEMORY */
	uint64_t frame; /* canonical frame address; 0 for PART_MEMORY */
};
struct keeper;
struct keeper *keeper_new(struct arena *arena);
void keeper_free(struct keeper *keeper);
/* is_more: the key's older records stay, below this one; else it replaces them. */
void keeper_put(struct keeper *keeper, const struct kept_key *key, bool is_more,
		const uint8_t *data, uint32_t length, uint64_t time);
/* The last record put for the key. Returns NULL when it is not there. Valid until the next
 * keeper_put. */
const struct kept *keeper_get(struct keeper *keeper, const struct kept_key *key);
void keeper_drop(struct keeper *keeper, const struct kept_key *key);
void keeper_forget(struct keeper *keeper);

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
/* value.c */
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

/* pairs.c: joins starts and ends. */
struct pairs;
struct pair_counts;
struct pairs *pairs_new(struct arena *arena, const struct plan *plan);
/* Room for `limit` starts of each pair. Returns false when memory has run out. */
bool pairs_make_room(struct pairs *pairs, uint32_t limit);
void pairs_free(struct pairs *pairs);
/* A hit of a probe that begins or ends a pair. Returns true if it ended one: decoder->event is then
 * the pair's, until the next call. */
bool pairs_take(struct pairs *pairs, struct decoder *decoder, const struct layout *layout);
/* After a loss. */
void pairs_forget(struct pairs *pairs);
struct pair_counts *pairs_counts(const struct pairs *pairs);

/* comm.c: for records without a comm of their own. */
struct comm_cache *comm_cache_new(struct arena *arena);
void comm_cache_forget(struct comm_cache *cache);
const char *comm_of(struct comm_cache *cache, int pid);
/* A thread's process, known after comm_names_begin(). Returns -1 when unknown. */
int process_of(const struct comm_cache *cache, int pid);
/* From now on the kernel records every thread that gets a name. comm_of is then exact, if it is
 * given these records in order with the others and none was lost. */
struct error *comm_names_begin(struct comm_cache *cache, struct arena *arena,
			       const struct buffers *buffers) must_check;
void comm_names_take(struct comm_cache *cache, const uint8_t *data, uint32_t length);
void comm_names_lost(struct comm_cache *cache);
void comm_cache_free(struct comm_cache *cache);

/* members.c: tells the threads of some processes, by the records of newtask. */
enum membership {
	MEMBER_NOT,
	MEMBER,
	MEMBER_UNKNOWN, /* after a loss: the thread is gone */
};
struct members;
struct error *members_new(struct arena *arena, const struct live_event *newtask, const pid_t *pids,
			  unsigned npids, struct members **ret) must_check;
void members_take(struct members *members, const uint8_t *data, uint32_t length);
void members_lost(struct members *members);
enum membership members_have(struct members *members, int tid);
void members_free(struct members *members);

/* pages.c: one CPU's pages that were read but not used up. */
struct cpu {
	struct page_source *source;
	unsigned place; /* its place in the source */
	int number;
	uint8_t *pages;
	unsigned npages;
	unsigned page; /* the cursor's */
	unsigned round; /* pages read in this round */
	bool has_head; /* the cursor is on a record not taken yet */
	bool is_full;  /* the source has more for this round */
	bool is_names; /* its records are of comms (see comm.c) */
	uint64_t last_time; /* if is_full: of the newest record read */
	struct page_cursor cursor;
};
/* Reads the pages begun before `until` (ns), at most `batch` of them. */
struct error *cpu_read(struct cpu *cpu, struct arena *arena, const struct page_shape *shape,
		       unsigned batch, uint64_t until) must_check;
void cpu_advance(struct cpu *cpu, const struct page_shape *shape);
const uint8_t *cpu_record(const struct cpu *cpu, const struct page_shape *shape);

/* stream.c: stream_open() over open sources, which it will close. names: the source that records
 * what threads are called, or NULL. */
struct error *stream_over(struct arena *arena, const struct plan *plan,
			  const struct buffers *buffers, struct page_source *source,
			  struct page_source *names, struct stream **ret) must_check;

#endif
