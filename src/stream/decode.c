// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record in, an event's values out, by a layout that was worked out once for each event: no
 * name is looked up and nothing is allocated here. Records come from a buffer that root can
 * write to by other roads: no offset or length in one is taken on trust.
 */
#include <string.h>

#include "base/expr.h"
#include "stream/internal.h"

#define COMMON_TYPE 0 /* offsets of common_type and common_pid: ABI since 2.6 */
#define COMMON_PID 4
#define COMMON_SIZE 8

/* In the order of the arguments, which the kernel stores them in. */
static void link_strings(struct layout *layout)
{
	uint16_t next = layout->comm.kind == FIELD_STRING ? layout->comm.offset : 0;

	for (unsigned i = layout->probe->nfetches; i > 0; i--) {
		struct field *field = &layout->fetches[i - 1];

		if (field->kind != FIELD_STRING)
			continue;
		field->next = next;
		next = field->offset;
	}
}

static struct error *layout_init(struct layout *layout, struct arena *arena,
				 const struct probe *probe, const char *format)
{
	bool is_return = probe->kind == 'r';

	layout->probe = probe;
	layout->fetches = arena_array(arena, struct field, probe->nfetches);
	for (unsigned i = 0; i < probe->nfetches; i++) {
		format_field(format, probe->fetches[i].field, &layout->fetches[i]);
		if (layout->fetches[i].kind == FIELD_ABSENT)
			return error_new(arena, ERROR_SYSTEM,
					 "the kernel's event '%s' has no field '%s'", probe->event,
					 probe->fetches[i].field);
	}
	format_field(format, "__comm", &layout->comm);
	link_strings(layout);
	format_field(format, is_return ? "__probe_func" : "__probe_ip", &layout->ip);
	format_field(format, is_return ? "__probe_ret_ip" : "", &layout->return_ip);
	return filter_compile(arena, probe, &layout->test);
}

/* An event that is never recorded has no format; its id is 0. */
static void index_ids(struct decoder *decoder, struct arena *arena,
		      const struct stream_source *sources)
{
	int first = sources[0].id, last = sources[0].id;

	for (unsigned i = 1; i < decoder->nlayouts; i++) {
		if (!sources[i].format)
			continue;
		first = sources[i].id < first ? sources[i].id : first;
		last = sources[i].id > last ? sources[i].id : last;
	}
	decoder->first_id = first;
	decoder->nids = (unsigned)(last - first) + 1;
	decoder->by_id = arena_array(arena, uint16_t, decoder->nids);
	for (unsigned i = 0; i < decoder->nlayouts; i++)
		if (sources[i].format)
			decoder->by_id[sources[i].id - first] = (uint16_t)(i + 1);
}

/* An object, or a number too wide for a datum, recorded piece by piece. */
static bool is_gathered(const struct value *value)
{
	const struct shape *shape = value->shape;

	return shape && (shape->kind != SHAPE_NUMBER || shape->size > 8) && value->nfetches > 1 &&
	       !value->finish && !value->by_cpu && !value->parts;
}

static size_t objects_size(const struct plan *plan)
{
	size_t most = 0;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		size_t size = 0;

		for (unsigned j = 0; j < probe->nvalues; j++)
			if (is_gathered(&probe->values[j]) || probe->values[j].parts)
				size += probe->values[j].shape->size;
		most = size > most ? size : most;
	}
	return most;
}

struct error *decoder_init(struct decoder *decoder, struct arena *arena, const struct plan *plan,
			   const struct stream_source *sources)
{
	unsigned nvalues = 0;

	*decoder = (struct decoder){.nlayouts = plan->nprobes};
	decoder->objects = arena_alloc(arena, objects_size(plan) + 1);
	decoder->plan = plan;
	decoder->layouts = arena_array(arena, struct layout, plan->nprobes);
	decoder->comms = comm_cache_new(arena);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		struct error *error = NULL;

		if (sources[i].format)
			error = layout_init(&decoder->layouts[i], arena, probe, sources[i].format);
		if (error)
			return error;
		nvalues = probe->nvalues > nvalues ? probe->nvalues : nvalues;
		if (probe->role != ROLE_SHOWN && !decoder->keeper)
			decoder->keeper = keeper_new(arena);
	}
	decoder->values = arena_array(arena, struct datum, nvalues + 1);
	decoder->numbers = arena_array(arena, uint64_t, fetch_number(PART_COUNT, 0));
	if (plan->nprobes)
		index_ids(decoder, arena, sources);
	return NULL;
}

static bool holds(const struct record *record, const struct field *field)
{
	return (uint32_t)field->offset + field->size <= record->length;
}

static bool read_int(const struct record *record, const struct field *field, uint64_t *ret)
{
	const uint8_t *p = record->data + field->offset;
	uint64_t value = 0;

	if (field->kind != FIELD_INT || !holds(record, field))
		return false;
	/* of constant sizes, so that each is one load */
	switch (field->size) {
	case 1: memcpy(&value, p, 1); break;
	case 2: memcpy(&value, p, 2); break;
	case 4: memcpy(&value, p, 4); break;
	default: memcpy(&value, p, 8);
	}
	*ret = extend_bits(value, field->size * 8u, field->is_signed);
	return true;
}

static void set_kind(struct datum *datum, enum datum_kind kind)
{
	*datum = (struct datum){.kind = kind};
}

static const char *const missing_reasons[PART_COUNT] = {
	[PART_MEMORY] = "its record is not there",
	[PART_ENTRY] = "entry not seen",
};

/* Where fetch `number` was recorded. false: its record is not there. */
static bool find_field(const struct decoder *decoder, unsigned number, const struct record **record,
		       const struct field **field)
{
	*record = &decoder->parts[number / KERNEL_ARGS_MAX];
	if (!(*record)->layout)
		return false;
	*field = &(*record)->layout->fetches[number % KERNEL_ARGS_MAX];
	return true;
}

/* Where a pointer on the way could not be read, the kernel has set the length to all that was left for
 * strings, and the next one begins at the same place (trace_probe_tmpl.h: store_trace_args); a string
 * that was read takes a byte at least. */
static bool is_overtaken(const struct record *record, const struct field *field, uint32_t offset)
{
	uint32_t location;

	if (!field->next || (uint32_t)field->next + sizeof(location) > record->length)
		return false;
	memcpy(&location, record->data + field->next, sizeof(location));
	return (location & 0xffff) == offset;
}

static void read_string(const struct record *record, const struct field *field,
			struct datum *datum)
{
	uint32_t location, offset, length;

	set_kind(datum, DATUM_NONE);
	if (!holds(record, field))
		return;
	memcpy(&location, record->data + field->offset, sizeof(location));
	offset = location & 0xffff;
	length = location >> 16;
	if (offset + length > record->length)
		return;
	/* "" has its NUL: only a fault has no byte at all */
	if (!length || is_overtaken(record, field, offset)) {
		set_kind(datum, DATUM_FAULT);
		return;
	}
	set_kind(datum, DATUM_BYTES);
	datum->bytes = record->data + offset;
	datum->length = (uint32_t)strnlen((const char *)datum->bytes, length);
}

static void read_bytes(const struct record *record, const struct field *field,
		       struct datum *datum)
{
	set_kind(datum, holds(record, field) ? DATUM_BYTES : DATUM_NONE);
	datum->bytes = record->data + field->offset;
	datum->length = field->size;
}

/* What the kernel recorded for one fetch. */
static void read_field(const struct record *record, const struct field *field,
		       struct datum *datum)
{
	switch (field->kind) {
	case FIELD_INT:
		set_kind(datum, DATUM_INT);
		if (!read_int(record, field, &datum->number))
			set_kind(datum, DATUM_NONE);
		break;
	case FIELD_STRING:
		read_string(record, field, datum);
		break;
	case FIELD_BYTES:
		read_bytes(record, field, datum);
		break;
	case FIELD_ABSENT:
		set_kind(datum, DATUM_NONE);
	}
}

/* Whether the memory of a fetch could not be read: its guards say so. */
static bool has_faulted(const struct decoder *decoder, unsigned number)
{
	const struct record *record = &decoder->parts[number / KERNEL_ARGS_MAX];
	const struct fetch *fetch = &record->layout->probe->fetches[number % KERNEL_ARGS_MAX];
	struct datum datum;

	for (unsigned i = 0; i < 2 && fetch->guards[i]; i++) {
		read_string(record, &record->layout->fetches[fetch->guards[i] - 1], &datum);
		if (datum.kind == DATUM_FAULT)
			return true;
	}
	return false;
}

/* Whether an expression over fetches uses one that has faulted. */
static bool uses_fault(const struct decoder *decoder, const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_FETCH)
		return has_faulted(decoder, (unsigned)expr->value);
	return uses_fault(decoder, expr->a) || uses_fault(decoder, expr->b);
}

static const char *missing_reason(const struct decoder *decoder, const struct value *value)
{
	for (unsigned i = 0; i < value->nfetches; i++) {
		enum part part = value->fetches[i] / KERNEL_ARGS_MAX;

		if (!decoder->parts[part].layout)
			return missing_reasons[part];
	}
	return NULL;
}

/* Reads the numbers that an expression over fetches needs. */
static bool read_numbers(struct decoder *decoder, const unsigned *fetches, unsigned count)
{
	const struct record *record;
	const struct field *field;

	for (unsigned i = 0; i < count; i++)
		if (!find_field(decoder, fetches[i], &record, &field) ||
		    (field->kind == FIELD_INT &&
		     !read_int(record, field, &decoder->numbers[fetches[i]])))
			return false;
	return true;
}

static void finish(struct decoder *decoder, const struct value *value, const struct expr *finish,
		   struct datum *datum)
{
	if (uses_fault(decoder, finish)) {
		set_kind(datum, DATUM_FAULT);
		return;
	}
	set_kind(datum, DATUM_INT);
	if (!read_numbers(decoder, value->fetches, value->nfetches) ||
	    !expr_eval(finish, decoder->numbers, &datum->number))
		set_kind(datum, DATUM_NONE);
}

/* Puts the pieces of an object side by side. */
static void gather(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	uint8_t *to = decoder->objects + decoder->objects_used;
	const struct record *record;
	const struct field *field;
	struct datum piece;

	set_kind(datum, DATUM_NONE);
	for (unsigned i = 0; i < value->nfetches; i++) {
		if (!find_field(decoder, value->fetches[i], &record, &field))
			return;
		if (has_faulted(decoder, value->fetches[i])) {
			set_kind(datum, DATUM_FAULT);
			return;
		}
		read_bytes(record, field, &piece);
		if (piece.kind != DATUM_BYTES || datum->length + piece.length > value->shape->size)
			return;
		memcpy(to + datum->length, piece.bytes, piece.length);
		datum->length += piece.length;
	}
	decoder->objects_used += datum->length;
	datum->kind = DATUM_BYTES;
	datum->bytes = to;
}

/* The value's own width, and its own end of a string. */
static void fit(const struct value *value, struct datum *datum)
{
	if (datum->kind == DATUM_INT && value->size)
		datum->number = extend_bits(datum->number, value->size * 8u, value->is_signed);
	if (datum->kind == DATUM_INT && value->shape && value->shape->kind != SHAPE_NUMBER) {
		datum->kind = DATUM_BYTES; /* an object in a register */
		datum->bytes = &datum->number;
		datum->length = value->shape->size;
	}
	if (datum->kind != DATUM_BYTES || value->render != RENDER_STRING)
		return;
	if (value->string_max && datum->length > value->string_max)
		datum->length = value->string_max;
	datum->length = (uint32_t)strnlen((const char *)datum->bytes, datum->length);
}

/* The value is just what was recorded. */
static void fetched(const struct decoder *decoder, unsigned number, struct datum *datum)
{
	const struct record *record;
	const struct field *field;

	if (!find_field(decoder, number, &record, &field))
		set_kind(datum, DATUM_NONE);
	else if (has_faulted(decoder, number))
		set_kind(datum, DATUM_FAULT);
	else
		read_field(record, field, datum);
}

/* Of every CPU's own, that of the CPU of the hit. */
static void pick(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	unsigned cpu = (unsigned)decoder->event.cpu;
	const struct expr *its = cpu < value->ncpus ? value->by_cpu[cpu] : NULL;

	if (!its)
		set_kind(datum, DATUM_NONE);
	else if (its->op != EXPR_FETCH)
		finish(decoder, value, its, datum);
	else
		fetched(decoder, (unsigned)its->value, datum);
}

/* The object's bytes, from the values of its parts. */
static void compute_parts(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	uint8_t *to = decoder->objects + decoder->objects_used;
	uint32_t length = 0;

	for (unsigned i = 0; i < value->nparts; i++) {
		const struct part_value *part = &value->parts[i];
		struct datum number;

		finish(decoder, value, part->expr, &number);
		if (number.kind != DATUM_INT) {
			*datum = number;
			return;
		}
		memcpy(to + length, &number.number, part->size); /* little endian */
		length += part->size;
	}
	decoder->objects_used += length;
	*datum = (struct datum){.kind = DATUM_BYTES, .bytes = to, .length = length};
}

static void decode_value(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	const char *missing = NULL;

	if (value->status == VALUE_OK && decoder->keeper)
		missing = missing_reason(decoder, value);
	if (value->status != VALUE_OK || missing)
		*datum = (struct datum){.kind = DATUM_NONE, .reason = missing};
	else if (value->is_duration)
		*datum = (struct datum){
			.kind = DATUM_INT,
			.number = decoder->parts[PART_OWN].time - decoder->parts[PART_ENTRY].time,
		};
	else if (value->by_cpu)
		pick(decoder, value, datum);
	else if (value->finish)
		finish(decoder, value, value->finish, datum);
	else if (value->parts)
		compute_parts(decoder, value, datum);
	else if (is_gathered(value))
		gather(decoder, value, datum);
	else
		fetched(decoder, value->fetch, datum);
	fit(value, datum);
}

static const char *record_comm(struct decoder *decoder, const struct layout *layout,
			       const struct record *record, int pid)
{
	struct datum datum;

	if (layout->comm.kind != FIELD_STRING)
		return comm_of(decoder->comms, pid);
	read_string(record, &layout->comm, &datum);
	/* it is there whole only where its NUL is */
	if (datum.kind != DATUM_BYTES ||
	    (const uint8_t *)datum.bytes + datum.length >= record->data + record->length ||
	    ((const char *)datum.bytes)[datum.length])
		return "<...>";
	return datum.bytes;
}

static const struct layout *layout_of(const struct decoder *decoder, const uint8_t *data,
				      uint32_t length)
{
	unsigned index;
	uint16_t type;

	if (length < COMMON_SIZE)
		return NULL;
	memcpy(&type, data + COMMON_TYPE, sizeof(type));
	index = (unsigned)((int)type - decoder->first_id);
	if (index >= decoder->nids || !decoder->by_id[index])
		return NULL;
	return &decoder->layouts[decoder->by_id[index] - 1];
}

/* Reads all numbers of a part's record, for expressions that are not a value's. */
static bool read_part(struct decoder *decoder, enum part part)
{
	const struct record *record = &decoder->parts[part];

	for (unsigned i = 0; i < record->layout->probe->nfetches; i++) {
		const struct field *field = &record->layout->fetches[i];

		if (field->kind == FIELD_INT &&
		    !read_int(record, field, &decoder->numbers[fetch_number(part, i)]))
			return false;
	}
	return true;
}

static void keep(struct decoder *decoder, const struct record *record, int pid, int cpu)
{
	const struct probe *probe = record->layout->probe;
	struct kept_key key = {
		.probe = (unsigned)(probe - decoder->plan->probes),
		.owner = probe->role == ROLE_MEMORY ? cpu : pid,
	};

	if (probe->role == ROLE_ENTRY) {
		decoder->parts[PART_ENTRY] = *record;
		if (!read_part(decoder, PART_ENTRY) ||
		    !expr_eval(probe->frame, decoder->numbers, &key.frame))
			return;
	}
	keeper_put(decoder->keeper, &key, record->data, record->length, record->time);
}

/* The memory that the companion read was at this hit's addresses. */
static bool same_sums(struct decoder *decoder, const struct probe *probe)
{
	const struct record *memory = &decoder->parts[PART_MEMORY];
	unsigned first = memory->layout->probe->nfetches - probe->nsums;

	if (!read_part(decoder, PART_OWN) || !read_part(decoder, PART_MEMORY))
		return false;
	for (unsigned i = 0; i < probe->nsums; i++) {
		uint64_t sum;

		if (!expr_eval(probe->sums[i], decoder->numbers, &sum) ||
		    sum != decoder->numbers[fetch_number(PART_MEMORY, first + i)])
			return false;
	}
	return true;
}

/* Finds the companion's record of a part; without one its layout stays NULL. */
static void join(struct decoder *decoder, const struct probe *probe, enum part part, int pid, int cpu)
{
	struct record *record = &decoder->parts[part];
	struct kept_key key = {
		.probe = probe->companions[part],
		.owner = part == PART_MEMORY ? cpu : pid,
	};
	const struct kept *kept;

	record->layout = NULL;
	if (!key.probe)
		return;
	if (part == PART_ENTRY && (!read_part(decoder, PART_OWN) ||
				   !expr_eval(probe->frame, decoder->numbers, &key.frame)))
		return;
	kept = keeper_get(decoder->keeper, &key);
	if (!kept)
		return;
	*record = (struct record){kept->data, kept->length, kept->time,
				  &decoder->layouts[key.probe]};
	if (part == PART_MEMORY) {
		if (!same_sums(decoder, probe))
			record->layout = NULL;
		keeper_drop(decoder->keeper, &key);
	}
}

const struct layout *decode(struct decoder *decoder, const uint8_t *data, uint32_t length, int cpu,
			    uint64_t time)
{
	const struct layout *layout = layout_of(decoder, data, length);
	const struct record record = {data, length, time, layout};
	struct event *event = &decoder->event;
	const struct probe *probe;

	if (!layout)
		return NULL;
	probe = layout->probe;
	memcpy(&event->pid, data + COMMON_PID, sizeof(event->pid));
	if (probe->role != ROLE_SHOWN) {
		keep(decoder, &record, event->pid, cpu);
		return NULL;
	}
	decoder->parts[PART_OWN] = record;
	for (enum part part = PART_OWN + 1; decoder->keeper && part < PART_COUNT; part++)
		join(decoder, probe, part, event->pid, cpu);
	event->cpu = cpu;
	event->time = time;
	event->comm = record_comm(decoder, layout, &record, event->pid);
	event->probe = probe;
	event->ip = event->return_ip = 0;
	read_int(&record, &layout->ip, &event->ip);
	read_int(&record, &layout->return_ip, &event->return_ip);
	event->values = decoder->values;
	decoder->objects_used = 0;
	for (unsigned i = 0; i < probe->nvalues; i++)
		decode_value(decoder, &probe->values[i], &decoder->values[i]);
	return layout;
}
