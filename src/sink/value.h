/* SPDX-License-Identifier: GPL-2.0-only */
/* The printer of values, and fast writers: no printf on an event's path. */
#ifndef SINK_VALUE_H
#define SINK_VALUE_H

#include "sink/sink.h"

/* A text that is copied for each event: see write_chunk(). */
struct chunk {
	const char *text;
	size_t length;
};
#define CHUNK_BLOCK 16u
#define NUMBER_ROOM 21u /* bytes that a number of 64 bits takes at most */

/* How a number is written where that takes digits alone. */
enum digits {
	DIGITS_NOT, /* it takes more: put_value() */
	DIGITS_SIGNED,
	DIGITS_UNSIGNED,
	DIGITS_HEX,
	DIGITS_QUOTED_HEX,
};

struct wording {
	struct chunk place; /* in front of the addresses */
	bool has_ip;
	bool has_return_ip;
	bool has_stacks;
	struct value_words {
		struct chunk before; /* in front of the value; text NULL: it is left out */
		enum digits digits;
	} *values; /* one more: `before` is behind all */
	size_t room; /* bytes for a line of values that are digits and an address, less the head */
};

#define HEADS 64u /* number of CPUs whose last head is kept */
#define HEAD_COMM 16
#define HEAD_TEXT 104

struct head {
	uint64_t second;
	int pid;
	int cpu;
	char comm[HEAD_COMM];
	struct chunk chunk; /* text; length 0: none */
	char text[HEAD_TEXT + CHUNK_BLOCK];
};

/* A time in JSON, up to its last six digits: the same for a millisecond. */
struct time_head {
	uint64_t milliseconds;
	unsigned length; /* 0: none */
	char text[12 + NUMBER_ROOM + CHUNK_BLOCK];
};
#define TIME_ROOM (sizeof(struct time_head) + NUMBER_ROOM)

struct printer {
	const struct sink *sink;
	const struct plan *plan;
	const struct sink_context *context;
	struct wording *wordings; /* of plan->probes[i] */
	struct head heads[HEADS];
	struct time_head wall;
	struct time_head time;
};

/* The wording of the event's probe. */
static inline const struct wording *printer_wording(const struct printer *printer,
						    const struct event *event)
{
	return &printer->wordings[event->probe - printer->plan->probes];
}

/* A line is written by a pointer into the output's room, which strbuf_end() makes part of it. */

/* Writes the sink's head at the output's end. second: of the event's time, if the head shows it,
 * else 0. Returns its end, behind which `room` bytes may be written. */
char *printer_head(struct printer *printer, struct strbuf *out, const struct event *event,
		   uint64_t second, size_t room);

/* Turns the text into a chunk in the arena, and empties the buffer. */
void chunk_take(struct arena *arena, struct strbuf *from, struct chunk *ret);

/* Returns the end of the chunk. Chunks are short, and a call of memcpy(3) costs more than they do:
 * so whole blocks are copied, and both sides must have room for one more. */
static inline char *write_chunk(char *to, const struct chunk *chunk)
{
	memcpy(to, chunk->text, CHUNK_BLOCK); /* most have one block */
	for (size_t at = CHUNK_BLOCK; at < chunk->length; at += CHUNK_BLOCK)
		memcpy(to + at, chunk->text + at, CHUNK_BLOCK);
	return to + chunk->length;
}

/* Ends the output's line with the event's values, and what is in front of, between and behind
 * them. to: the end of what is written, with room for wording->room. */
void put_values(struct printer *printer, struct strbuf *out, char *to,
		const struct wording *wording, const struct event *event);

/* What differs between text and JSON. Each writes one element. */
struct notation {
	const char *array_begin;
	const char *array_end;
	const char *pointee_begin; /* around a pointee's value whose pointer has no value */
	const char *pointee_end;
	const char *struct_begin;
	const char *member_end; /* between two members on one line */
	bool can_nest;          /* context->is_nested applies */
	bool quotes_hex;        /* what hex() does */
	void (*member)(struct strbuf *out, const char *name);
	void (*wide)(struct strbuf *out, const char *digits); /* of a 128-bit number */
	void (*hex)(struct strbuf *out, uint64_t number);
	void (*time)(struct strbuf *out, uint64_t ns, bool is_negative);
	void (*character)(struct strbuf *out, uint64_t number);
	void (*string)(struct strbuf *out, const char *text, size_t length);
	const char *cut; /* behind a string that was cut */
	/* "symbol+0xoff", an enumerator, an error's name, "nan" */
	void (*word)(struct strbuf *out, const char *text);
	void (*stack)(struct strbuf *out, const struct stack_frame *frames, unsigned count,
		      const char *cut);
	void (*fault)(struct strbuf *out);
	void (*none)(struct strbuf *out, const char *reason);
};

extern const struct notation json_notation;
/* For keys of tables: different texts stay different where they aren't UTF-8, too. */
extern const struct notation json_key_notation;

void put_value(struct strbuf *out, const struct notation *notation, const struct value *value,
	       const struct datum *datum, const struct sink_context *context);

/* What the walk over a shape hands down. */
struct writer {
	struct strbuf *out;
	const struct notation *notation;
	const struct sink_context *context;
	unsigned depth; /* of enclosing structs */
};

void put_number(const struct writer *to, const struct shape *shape, uint64_t number);
/* Prints a number of 16 bytes. */
void put_wide(const struct writer *to, const struct shape *shape, const uint8_t *bytes);

/* stack.c: the frames of a stack, or NULL: there is none. */
const struct stack_frame *stack_frames(const struct value *value, const struct datum *datum,
				       const struct sink_context *context, unsigned *count);
/* event_json.c: `,"errors":{...}` for values that are null, `,"cut":[...]` for texts that were cut;
 * or nothing. */
void json_errors(struct strbuf *out, const struct event *event);
void json_cut(struct strbuf *out, const struct event *event);
/* `,"host":...,"build_id":...` of the plan's probe of that index; or nothing. */
void json_origin(struct strbuf *out, const struct origin *origin, size_t probe);
/* As an array of objects. */
void json_stack(struct strbuf *out, const struct stack_frame *frames, unsigned count,
		const char *cut);
/* "5 frames", for the event's line; then the stacks themselves, a line for each frame. */
void text_stack(struct strbuf *out, const struct stack_frame *frames, unsigned count,
		const char *cut);
void text_frame(struct strbuf *out, const struct stack_frame *frame);
void put_stacks(struct strbuf *out, const struct event *event, const struct sink_context *context);

/* byte_words.c: bytes that read as one word, and a device number. */
void put_formatted(const struct writer *to, const struct shape *shape, const uint8_t *bytes);
void put_dev(const struct writer *to, const struct shape *shape, uint64_t number);

void put_unsigned(struct strbuf *out, uint64_t number);
void put_signed(struct strbuf *out, int64_t number);
/* "0x1f" */
void put_hex(struct strbuf *out, uint64_t number);
/* These return the end of what they wrote. The caller provides the room: NUMBER_ROOM, or the
 * width. */
char *write_number(char *to, enum digits digits, uint64_t number);
/* Six digits. */
char *write_micros(char *to, uint32_t micros);
/* Decimal, padded on the left to width. */
char *write_padded(char *to, uint64_t number, unsigned width, char fill);
/* Why a member of kind SHAPE_LOST has no value. */
extern const char lost_reason[];
/* Why there is no value, for a datum of kind DATUM_NONE. */
const char *none_reason(const struct value *value, const struct datum *datum);
/* Returns NULL when the address has no symbol. */
const char *symbol_of(const struct sink_context *context, uint64_t address);

#endif
