// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes a record into an event's values, by a layout worked out once for each event: per record
 * no name is looked up, and nothing is allocated here. Root can write to the buffer in other ways
 * too: no offset or length in a record is trusted.
 */
#include <string.h>

#include "base/hash.h"
#include "expr/expr.h"
#include "stream/internal.h"
#include "stream/kept.h"
#include "stream/threads.h"

#define COMMON_TYPE 0 /* offsets of common_type, common_flags and common_pid: ABI since 2.6 */
#define COMMON_FLAGS 2
#define COMMON_SIZE 8

/* Links each string to the next one in the record. The kernel stores strings in the order of the
 * arguments. */
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

static bool has_stacks(const struct value *values, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!values[i].is_start &&
		    (values[i].stack == STACK_KERNEL || values[i].stack == STACK_POINTERS))
			return true;
	return false;
}

/* A format and its text: probes that share an event share both. */
struct read_format {
	const char *text; /* NULL: none yet */
	struct format format;
};

static struct error *read_once(struct arena *arena, const char *text, struct read_format *read)
{
	if (read->text == text)
		return NULL;
	read->text = text;
	return format_read(arena, text, &read->format);
}

static struct error *layout_init(struct layout *layout, struct arena *arena,
				 const struct probe *probe, const struct live_event *event,
				 struct read_format *read)
{
	const char *text = event->format;
	bool is_return = probe->kind == PROBE_RETURN; /* a kretprobe or uretprobe */
	/* another program's probe event may be traced like a tracepoint */
	bool is_tracepoint = probe->kind == PROBE_TRACEPOINT && !strstr(text, " __probe_ip;") &&
			     !strstr(text, " __probe_func;");
	const struct format *format = &read->format;
	struct error *error = read_once(arena, text, read);

	if (error)
		return error;

	layout->probe = probe;
	layout->fetches = arena_array(arena, struct field, probe->nfetches);
	for (unsigned i = 0; i < probe->nfetches; i++) {
		format_field(format, event->fields ? event->fields[i] : probe->fetches[i].field,
			     &layout->fetches[i]);
		if (layout->fetches[i].kind == FIELD_ABSENT)
			return error_new(arena, ERROR_SYSTEM,
					 "the kernel's event '%s' has no field '%s'", probe->event,
					 probe->fetches[i].field);
		layout->fetches[i].may_be_empty = is_tracepoint;
	}
	layout->id = event->id;
	format_field(format, event->fields ? PLACE_FIELD : "", &layout->place);
	format_field(format, COMM_FIELD, &layout->comm);
	link_strings(layout);
	format_field(format, is_return ? "__probe_func" : "__probe_ip", &layout->ip);
	if (probe->caller)
		layout->return_ip = layout->fetches[probe->caller - 1];
	else
		format_field(format, is_return ? "__probe_ret_ip" : "", &layout->return_ip);
	layout->plains = arena_array(arena, struct plain, probe->nvalues);
	layout->has_stacks = has_stacks(probe->values, probe->nvalues) ||
			     has_stacks(probe->starts, probe->nstarts);
	for (unsigned i = 0; i < probe->nvalues; i++)
		value_plan(layout, &probe->values[i], &layout->plains[i]);
	layout->start_plains = arena_array(arena, struct plain, probe->nstarts);
	for (unsigned i = 0; i < probe->nstarts; i++)
		value_plan(layout, &probe->starts[i], &layout->start_plains[i]);
	/* a uprobe's is always the thread's own, whatever the record says: 6.18 records 0 less 1 */
	layout->interrupts = probe->site && !probe->site->path ?
				     INTERRUPT_HARD | INTERRUPT_SOFT | INTERRUPT_NMI :
				     0;
	layout->is_call = probe->spec && (probe->spec->is_call || probe->spec->followed);
	if (probe->site && probe->site->function)
		layout->function = bytes_hash(probe->site->function, strlen(probe->site->function));
	return filter_compile(arena, probe, &layout->test);
}

static struct error *conditions_init(struct layout *layout, struct arena *arena,
				     const struct plan *plan, const struct probe *probe)
{
	if (!probe->watched)
		return NULL;
	return conditions_compile(arena, probe, plan->following->nconditions, &layout->conditions);
}

/* Puts a layout before the one of the same event, if there is one. */
static void index_id(struct decoder *decoder, uint16_t *by_id, unsigned index)
{
	struct layout *layout = &decoder->layouts[index];

	if (layout->place.kind != FIELD_ABSENT) {
		*by_id = (uint16_t)(index + 1);
		return;
	}
	if (*by_id)
		layout->next = &decoder->layouts[*by_id - 1];
	if (layout->next)
		layout->has_stacks |= layout->next->has_stacks;
	*by_id = (uint16_t)(index + 1);
}

/* A hosted probe's layout comes behind its host's, whose records are its own. */
static void index_layout(struct decoder *decoder, int id, unsigned index)
{
	struct layout *layout = &decoder->layouts[index];
	unsigned host = layout->probe->host;

	if (host) {
		layout->next = decoder->layouts[host - 1].next;
		decoder->layouts[host - 1].next = layout;
	} else {
		index_id(decoder, &decoder->by_id[id - decoder->first_id], index);
	}
}

/* Fills by_id. An event that is never recorded has no format, and the id 0. */
static void index_ids(struct decoder *decoder, struct arena *arena,
		      const struct live_event *events)
{
	int first = events[0].id, last = events[0].id;

	for (unsigned i = 1; i < decoder->nlayouts; i++) {
		if (!events[i].format)
			continue;
		first = events[i].id < first ? events[i].id : first;
		last = events[i].id > last ? events[i].id : last;
	}
	decoder->first_id = first;
	decoder->nids = (unsigned)(last - first) + 1;
	decoder->by_id = arena_array(arena, uint16_t, decoder->nids);
	for (unsigned i = decoder->nlayouts; i > 0; i--)
		if (events[i - 1].format)
			index_layout(decoder, events[i - 1].id, i - 1);
}

static size_t values_size(const struct value *values, unsigned count)
{
	size_t size = 0;

	for (unsigned i = 0; i < count; i++)
		if (value_is_gathered(&values[i]) || values[i].parts)
			size += values[i].shape->size;
	return size;
}

static size_t objects_size(const struct plan *plan)
{
	size_t most = 0;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		size_t size = values_size(probe->values, probe->nvalues) +
			      values_size(probe->starts, probe->nstarts);

		most = size > most ? size : most;
	}
	return most;
}

/* Whether a companion is where the probe is. */
static bool is_entry(const struct plan *plan, const struct probe *probe)
{
	for (unsigned i = 0; probe->role == ROLE_START && i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_ENTRY &&
		    !strcmp(plan->probes[i].head, probe->head))
			return true;
	return false;
}

struct error *decoder_init(struct decoder *decoder, struct arena *arena, const struct plan *plan,
			   const struct live_event *events)
{
	const struct probe *shown = NULL;
	struct read_format read = {0};
	unsigned nvalues = 0, nstarts = 0;

	*decoder = (struct decoder){.nlayouts = plan->nprobes};
	decoder->objects = arena_alloc(arena, objects_size(plan) + 1);
	decoder->plan = plan;
	decoder->layouts = arena_array(arena, struct layout, plan->nprobes);
	decoder->records = arena_array(arena, uint64_t, plan->nprobes);
	decoder->comms = comm_cache_new(arena);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		struct error *error = NULL;

		if (events[i].format)
			error = layout_init(&decoder->layouts[i], arena, probe, &events[i],
					    &read);
		if (!error)
			error = conditions_init(&decoder->layouts[i], arena, plan, probe);
		if (error)
			return error;
		nvalues = probe->nvalues > nvalues ? probe->nvalues : nvalues;
		nstarts = probe->nstarts > nstarts ? probe->nstarts : nstarts;
		if (role_is_companion(probe->role) && !decoder->keeper)
			decoder->keeper = keeper_new(arena);
		shown = role_is_companion(probe->role) ? shown : probe;
		decoder->layouts[i].is_entry = is_entry(plan, probe);
		decoder->layouts[i].serves_return =
			probe->role == ROLE_ENTRY && shown && shown->kind == PROBE_RETURN;
	}
	decoder->values = arena_array(arena, struct datum, nvalues + 1);
	decoder->starts = arena_array(arena, struct datum, nstarts + 1);
	decoder->numbers = arena_array(arena, uint64_t, fetch_number(PART_COUNT, 0));
	if (plan->nprobes)
		index_ids(decoder, arena, events);
	return NULL;
}

static const char *record_comm(struct decoder *decoder, const struct layout *layout,
			       const struct record *record, int pid)
{
	struct datum datum;

	if (layout->probe->is_nameless)
		return "";
	if (layout->comm.kind != FIELD_STRING)
		return comm_of(decoder->comms, pid);
	record_string(record, &layout->comm, &datum);
	/* it is complete only with its NUL */
	if (datum.kind != DATUM_BYTES ||
	    (const uint8_t *)datum.bytes + datum.length >= record->data + record->length ||
	    ((const char *)datum.bytes)[datum.length])
		return "<...>";
	return datum.bytes;
}

/* The layout of the probe that was hit, where several probes share an event. */
static const struct layout *layout_there(const struct decoder *decoder, const struct layout *any,
					 const uint8_t *data, uint32_t length)
{
	uint32_t place;

	if (length < any->place.offset + sizeof(place))
		return NULL;
	memcpy(&place, data + any->place.offset, sizeof(place));
	return place && place <= decoder->nlayouts && decoder->layouts[place - 1].id == any->id ?
		       &decoder->layouts[place - 1] :
		       NULL;
}

const struct layout *layout_of(const struct decoder *decoder, const uint8_t *data, uint32_t length)
{
	const struct layout *layout;
	unsigned index;
	uint16_t type;

	if (length < COMMON_SIZE)
		return NULL;
	memcpy(&type, data + COMMON_TYPE, sizeof(type));
	index = (unsigned)((int)type - decoder->first_id);
	if (index >= decoder->nids || !decoder->by_id[index])
		return NULL;
	layout = &decoder->layouts[decoder->by_id[index] - 1];
	return layout->place.kind == FIELD_ABSENT ? layout :
						    layout_there(decoder, layout, data, length);
}

/* Reads all numbers of a part's record, for expressions of the probe (frame, sums) rather than
 * of a value. */
static bool read_part(struct decoder *decoder, enum part part)
{
	const struct record *record = &decoder->parts[part];

	for (unsigned i = 0; i < record->layout->probe->nfetches; i++) {
		const struct field *field = &record->layout->fetches[i];

		if (field->kind == FIELD_INT &&
		    !record_int(record, field, &decoder->numbers[fetch_number(part, i)]))
			return false;
	}
	return true;
}

bool decoder_frame(struct decoder *decoder, const struct probe *probe, uint64_t *ret)
{
	return read_part(decoder, PART_OWN) && expr_eval(probe->frame, decoder->numbers, ret);
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
	keeper_put(decoder->keeper, &key, record->layout->serves_return, record->data,
		   record->length, record->time);
}

/* Whether the companion read memory at this hit's addresses. */
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

/* Finds the companion's record of a part; its layout stays NULL when there isn't one. */
static void join(struct decoder *decoder, const struct probe *probe, enum part part, int pid,
		 int cpu)
{
	struct record *record = &decoder->parts[part];
	struct kept_key key = {
		.probe = probe->companions[part],
		.owner = part == PART_MEMORY ? cpu : pid,
	};
	const struct kept *kept;

	record->layout = NULL;
	if (!key.probe || (part == PART_ENTRY && decoder->is_doubtful))
		return;
	if (part == PART_ENTRY && !decoder_frame(decoder, probe, &key.frame))
		return;
	kept = keeper_get(decoder->keeper, &key);
	if (kept)
		*record = (struct record){kept->data, kept->length, kept->time,
					  &decoder->layouts[key.probe]};
	if (kept && part == PART_MEMORY &&
	    (record_pid(record->data) != pid || !same_sums(decoder, probe)))
		record->layout = NULL;
	/* the hit, or the call, is over: a later one has a record of its own */
	if (part == PART_MEMORY || probe->is_return)
		keeper_drop(decoder->keeper, &key);
}

/* Returns false for the record of a companion, which is kept. */
static bool join_all(struct decoder *decoder, const struct record *record, int pid, int cpu)
{
	const struct probe *probe = record->layout->probe;

	if (role_is_companion(probe->role)) {
		keep(decoder, record, pid, cpu);
		return false;
	}
	for (enum part part = PART_OWN + 1; part < PART_COUNT; part++)
		join(decoder, probe, part, pid, cpu);
	return true;
}

static void decode_values(struct decoder *decoder, const struct value *values,
			  const struct plain *plains, unsigned count, struct datum *ret)
{
	const struct record *record = &decoder->parts[PART_OWN];
	bool is_whole = record->length >= record->layout->plain_end;

	for (unsigned i = 0; i < count; i++) {
		const struct plain *plain = &plains[i];
		struct datum *datum = &ret[i];
		uint64_t bytes;

		if (!is_whole || !plain->is_plain) {
			value_decode(decoder, &values[i], datum);
			continue;
		}
		memcpy(&bytes, record->data + plain->offset, sizeof(bytes));
		datum->kind = DATUM_INT;
		datum->number = plain->is_signed ? (uint64_t)((int64_t)bytes >> plain->shift) :
						   bytes >> plain->shift;
	}
}

bool decode_record(struct decoder *decoder, const struct record *record, int cpu)
{
	const struct layout *layout = record->layout;
	const struct probe *probe = layout->probe;
	struct event *event = &decoder->event;

	decoder->records[layout - decoder->layouts]++;
	decoder->parts[PART_OWN] = *record;
	event->pid = record_pid(record->data);
	if (decoder->keeper && !join_all(decoder, record, event->pid, cpu))
		return false;
	event->cpu = cpu;
	event->context = record->data[COMMON_FLAGS] & layout->interrupts;
	event->time = record->time;
	event->comm = record_comm(decoder, layout, record, event->pid);
	event->process = layout->has_stacks ? stacks_process(&decoder->stacks) : -1;
	if (event->process < 0 && decoder->has_processes)
		event->process = process_of(decoder->comms, event->pid);
	event->probe = probe;
	event->ip = event->return_ip = 0;
	if (layout->ip.kind != FIELD_ABSENT)
		record_int(record, &layout->ip, &event->ip);
	if (layout->return_ip.kind != FIELD_ABSENT)
		record_int(record, &layout->return_ip, &event->return_ip);
	event->has_frame = layout->is_call && decoder_frame(decoder, probe, &event->frame);
	event->is_doubtful = decoder->is_doubtful;
	event->values = decoder->values;
	decoder->objects_used = decoder->stacks.used = 0;
	decode_values(decoder, probe->values, layout->plains, probe->nvalues, decoder->values);
	if (probe->nstarts)
		decode_values(decoder, probe->starts, layout->start_plains, probe->nstarts,
			      decoder->starts);
	if (layout->conditions)
		conditions_test(layout->conditions, decoder->plan->following->nconditions, event);
	return true;
}
