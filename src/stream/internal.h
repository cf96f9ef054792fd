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

/* format.c: where a field of the event's record lies. */
enum field_kind {
	FIELD_ABSENT,
	FIELD_INT,    /* 1, 2, 4 or 8 bytes */
	FIELD_BYTES,  /* an array, in place */
	FIELD_STRING, /* __data_loc or __rel_loc: 16 bits of offset, 16 of length */
};

struct field {
	enum field_kind kind;
	bool is_signed;
	uint16_t offset;
	uint16_t size;
	uint16_t count; /* of data_locs, FIELD_STRING */
	uint16_t next;  /* FIELD_STRING: where the record's next one is, or 0 */
	uint16_t base;  /* FIELD_STRING: what its offset counts from */
	bool may_be_empty; /* FIELD_STRING: a length of 0 is no fault: it isn't a probe event's */
};

struct named_field {
	const char *name;
	struct field field;
};

struct format {
	struct named_field *fields; /* in the order of the text */
	unsigned nfields;
};

/* The whole text, or an error. */
struct error *format_read(struct arena *arena, const char *text, struct format *ret) must_check;
/* kind FIELD_ABSENT: the format has no such field. */
void format_field(const struct format *format, const char *name, struct field *ret);
/* header_page: the file's text. */
struct error *shape_read(struct arena *arena, const char *header_page, struct page_shape *ret) must_check;

/* print_format.c: what the print fmt says of the fields. */
struct tep_event;
void print_shapes(struct arena *arena, const struct tep_event *event, struct tracepoint *tracepoint);

/* filter.c: probe->filter with its names looked up once. */
struct test;
struct error *filter_compile(struct arena *arena, const struct probe *probe,
			     const struct test **ret) must_check;
bool filter_passes(const struct test *test, const struct event *event);

/* A value that is a number as it was recorded, with nothing more to ask. width 0: it isn't one. */
struct plain {
	uint16_t offset;
	uint8_t width; /* bytes */
	bool is_signed;
};

/* decode.c: all that is to know about one event's records, found out once. */
struct layout {
	const struct probe *probe;
	const struct test *test; /* or NULL */
	bool serves_return;      /* the kernel's own: it tells the ends of tail calls, last one first */
	struct field ip;
	struct field return_ip;
	struct field comm;
	struct field *fetches; /* of probe->fetches[i] */
	struct plain *plains;  /* of probe->values[i] */
	uint32_t plain_end;    /* so long must a record be to have them all */
};
/* companions.c: companions' records until they are asked for. */
struct kept {
	uint8_t *data;
	uint32_t length;
	uint64_t time;
};
struct kept_key {
	unsigned probe; /* the companion's index in the plan */
	int owner;      /* thread; of PART_MEMORY the CPU */
	uint64_t frame; /* canonical frame address; of PART_MEMORY 0 */
};
struct keeper;
struct keeper *keeper_new(struct arena *arena);
void keeper_free(struct keeper *keeper);
/* is_more: what is kept for the key stays, below this one. */
void keeper_put(struct keeper *keeper, const struct kept_key *key, bool is_more, const uint8_t *data,
		uint32_t length, uint64_t time);
/* The last one put; NULL: it is not there. Valid until the next keeper_put. */
const struct kept *keeper_get(struct keeper *keeper, const struct kept_key *key);
void keeper_drop(struct keeper *keeper, const struct kept_key *key);
void keeper_forget(struct keeper *keeper);

/* A record and how to read it. layout: NULL where the companion's record is not there. */
struct layout;
struct record {
	const uint8_t *data;
	uint32_t length;
	uint64_t time;
	const struct layout *layout;
};

struct decoder {
	const struct plan *plan;
	struct layout *layouts;
	unsigned nlayouts;
	uint64_t *records; /* of layouts[i], that were read */
	int first_id;
	unsigned nids;
	uint16_t *by_id; /* layout's index + 1, by id - first_id */
	uint64_t *numbers; /* scratch, by fetch_number(): what a finish needs */
	struct record parts[PART_COUNT]; /* of the hit in hand */
	struct keeper *keeper; /* NULL: no probe has companions */
	struct datum *values;
	uint8_t *objects; /* scratch: of the hit in hand, what several fetches make up */
	uint32_t objects_used;
	struct event event;
	struct comm_cache *comms;
	bool has_processes; /* events are to say which process they are of */
};
struct error *decoder_init(struct decoder *decoder, struct arena *arena, const struct plan *plan,
			   const struct live_event *events) must_check;
/* value.c */
/* An object, or a number too wide for a datum, recorded piece by piece. */
bool value_is_gathered(const struct value *value);
void value_decode(struct decoder *decoder, const struct value *value, struct datum *datum);
/* Whether value_decode would only give the number that lies at one place, and where. */
void value_plan(struct layout *layout, const struct value *value, struct plain *ret);

/* Of 1, 2, 4 or 8 bytes: of constant sizes, so that each is one load. */
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
/* Where every record has its thread. */
#define COMMON_PID 4
/* Of a record that layout_of knows: it is long enough. */
static inline int record_pid(const uint8_t *data)
{
	int32_t pid;

	memcpy(&pid, data + COMMON_PID, sizeof(pid));
	return pid;
}
bool record_int(const struct record *record, const struct field *field, uint64_t *ret);
/* What __data_loc points to, whole. */
void record_dynamic(const struct record *record, const struct field *field, struct datum *datum);
void record_string(const struct record *record, const struct field *field, struct datum *datum);

/* data, length: the record; cpu, time: where and when. NULL: no event to show. */
const struct layout *decode_record(struct decoder *decoder, const uint8_t *data, uint32_t length, int cpu,
			    uint64_t time);

/* comm.c: for records without a comm of their own. */
struct comm_cache *comm_cache_new(struct arena *arena);
void comm_cache_forget(struct comm_cache *cache);
const char *comm_of(struct comm_cache *cache, int pid);
/* The process of a thread, as comm_names_begin() makes it known; -1: it isn't. */
int process_of(const struct comm_cache *cache, int pid);
/* All that get a name from now on are recorded. Then comm_of is exact, as long as it is given these records in
 * their order with the others, and none was lost. */
struct error *comm_names_begin(struct comm_cache *cache, struct arena *arena,
			       const struct buffers *buffers) must_check;
void comm_names_take(struct comm_cache *cache, const uint8_t *data, uint32_t length);
void comm_names_lost(struct comm_cache *cache);
void comm_cache_free(struct comm_cache *cache);

/* members.c: which threads are those of some processes, by the records of newtask. */
enum membership {
	MEMBER_NOT,
	MEMBER,
	MEMBER_UNKNOWN, /* after a loss: it is gone */
};
struct members;
struct error *members_new(struct arena *arena, const struct live_event *newtask, const pid_t *pids,
			  unsigned npids, struct members **ret) must_check;
void members_take(struct members *members, const uint8_t *data, uint32_t length);
void members_lost(struct members *members);
enum membership members_have(struct members *members, int tid);
void members_free(struct members *members);

/* pages.c: the pages of one CPU that were read and not yet used up. */
struct cpu {
	struct page_source *source;
	unsigned place; /* in the source */
	int number;
	uint8_t *pages;
	unsigned npages;
	unsigned page; /* the cursor's */
	unsigned round; /* pages read in this round */
	bool has_head; /* cursor is on a record that was not taken yet */
	bool is_full;  /* the source has more for this round */
	bool is_names; /* its records say what threads are called */
	uint64_t last_time; /* of the newest record that was read, where is_full */
	struct page_cursor cursor;
};
/* Reads the pages that were begun before `until`, or as many of them as there is room for. */
struct error *cpu_read(struct cpu *cpu, struct arena *arena, const struct page_shape *shape,
		       unsigned batch, uint64_t until) must_check;
void cpu_advance(struct cpu *cpu, const struct page_shape *shape);
const uint8_t *cpu_record(const struct cpu *cpu, const struct page_shape *shape);

/* stream.c: stream_open() of sources that are open, and will be closed. names: where it is recorded what threads are
 * called, or NULL. */
struct error *stream_over(struct arena *arena, const struct plan *plan, const struct buffers *buffers,
			  struct page_source *source, struct page_source *names, struct stream **ret) must_check;

#endif
