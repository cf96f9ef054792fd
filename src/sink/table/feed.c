// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds events to their rows. An event's keys are first looked up as recorded, and only new ones are
 * formatted: so a row is found by a few bytes, but identified by its text.
 */
#include "base/escape.h"
#include "base/hash.h"
#include "sink/table/feed.h"
#include "sink/value.h"

static void forget_known(struct tables *tables)
{
	memset(tables->last, 0, sizeof(tables->last));
	memset(tables->known, 0, tables->room * sizeof(*tables->known));
	arena_reset(&tables->known_arena);
	tables->nknown = 0;
}

/* Returns false when there is no room. */
static bool add_bytes(struct tables *tables, uint64_t tag, const void *bytes, size_t length)
{
	unsigned nwords = (unsigned)((length + 7) / 8);

	if (tables->nwords + 1 + nwords > WORDS_MAX)
		return false;
	tables->words[tables->nwords++] = tag | (uint64_t)length << 8;
	if (nwords)
		tables->words[tables->nwords + nwords - 1] = 0;
	memcpy(&tables->words[tables->nwords], bytes, length);
	tables->nwords += nwords;
	return true;
}

static bool add_datum(struct tables *tables, const struct value *value, const struct datum *datum)
{
	if (value->text)
		return true; /* the probe's own */
	if (datum->kind == DATUM_BYTES)
		return add_bytes(tables, datum->kind | (datum->reason ? 16 : 0), datum->bytes,
				 datum->length);
	if (datum->kind == DATUM_INT)
		return add_bytes(tables, datum->kind, &datum->number, sizeof(datum->number));
	return add_bytes(tables, datum->kind, &datum->reason, sizeof(datum->reason));
}

/* Sets `words` to the event's keys as recorded. Returns false when they are too long. */
static bool take_words(struct tables *tables, const struct feed *feed, const struct event *event)
{
	bool fits = true;

	tables->words[0] = (uint64_t)(event->probe - tables->plan->probes);
	tables->words[1] = feed->has_symbols ? event->ip : 0;
	tables->words[2] = feed->has_user_stack && tables->context->memory ?
			   tables->context->memory(tables->context->cookie, event) : 0;
	tables->nwords = 3;
	for (unsigned i = 0; i < feed->nkeys && fits; i++) {
		const struct key *key = &feed->keys[i];

		switch (key->kind) {
		case KEY_VALUE:
			fits = add_datum(tables, &event->probe->values[key->want],
					 &event->values[key->want]);
			break;
		case KEY_COMM: fits = add_bytes(tables, 0, event->comm, strlen(event->comm)); break;
		case KEY_PID:
			fits = add_bytes(tables, 0, &event->process, sizeof(event->process));
			break;
		case KEY_TID: fits = add_bytes(tables, 0, &event->pid, sizeof(event->pid)); break;
		case KEY_CPU: fits = add_bytes(tables, 0, &event->cpu, sizeof(event->cpu)); break;
		default: break; /* the probe's own */
		}
	}
	return fits;
}

static void put_error(struct strbuf *out, const char *reason)
{
	strbuf_puts(out, "{\"error\":");
	strbuf_json(out, reason, strlen(reason));
	strbuf_putc(out, '}');
}

static void put_key_value(struct tables *tables, const struct value *value,
			  const struct datum *datum)
{
	struct strbuf *out = &tables->scratch;
	bool is_cut = datum->kind == DATUM_BYTES && datum->reason;

	if (datum->kind == DATUM_FAULT || datum->kind == DATUM_NONE) {
		put_error(out, datum->kind == DATUM_FAULT ? "fault" : none_reason(value, datum));
		return;
	}
	strbuf_puts(out, is_cut ? "{\"cut\":" : "");
	put_value(out, &json_key_notation, value, datum, tables->context);
	strbuf_puts(out, is_cut ? "}" : "");
}

static void put_key(struct tables *tables, const struct key *key, const struct event *event)
{
	const struct probe *probe = event->probe;
	struct strbuf *out = &tables->scratch;

	switch (key->kind) {
	case KEY_VALUE:
		put_key_value(tables, &probe->values[key->want], &event->values[key->want]);
		break;
	case KEY_COMM: json_key_notation.string(out, event->comm, strlen(event->comm)); break;
	case KEY_PID:
		if (event->process >= 0)
			put_signed(out, event->process);
		else
			put_error(out, "not known");
		break;
	case KEY_TID: put_signed(out, event->pid); break;
	case KEY_CPU: put_signed(out, event->cpu); break;
	default:
		strbuf_putc(out, '"');
		strbuf_join(out, probe->group, ":", probe->shown ?: probe->event, "\"", NULL);
	}
}

static struct row *new_row(struct tables *tables, const struct feed *feed,
			   const struct event *event)
{
	struct strbuf *out = &tables->scratch;

	out->length = 0;
	strbuf_puts(out, feed->place ?: "");
	for (unsigned i = 0; i < feed->nkeys; i++) {
		if (out->length)
			strbuf_putc(out, ',');
		put_key(tables, &feed->keys[i], event);
	}
	return table_row(feed->table, out->data, out->length);
}

static struct known **known_slot(const struct tables *tables, const struct known *known)
{
	unsigned at = known->hash;

	while (tables->known[at & (tables->room - 1)])
		at++;
	return &tables->known[at & (tables->room - 1)];
}

/* Grows the table to twice as many known keys as rows (several specs and instances may mean the
 * same row); beyond, forgets them all. */
static void make_room(struct tables *tables)
{
	struct known **old = tables->known;
	unsigned count = tables->room;

	if (tables->nknown < tables->room / 2)
		return;
	if (tables->room / 4 > tables->options->keys) {
		forget_known(tables);
		return;
	}
	tables->room *= 2;
	tables->known = arena_array(tables->arena, struct known *, tables->room);
	for (unsigned i = 0; i < count; i++)
		if (old[i])
			*known_slot(tables, old[i]) = old[i];
}

static struct known *remember(struct tables *tables, uint32_t hash, struct row *row)
{
	struct known *known;

	make_room(tables);
	known = arena_alloc(&tables->known_arena,
			    sizeof(*known) + tables->nwords * sizeof(uint64_t));
	known->row = row;
	known->hash = hash;
	known->nwords = tables->nwords;
	memcpy(known->words, tables->words, tables->nwords * sizeof(uint64_t));
	*known_slot(tables, known) = known;
	tables->nknown++;
	return known;
}

static bool is_same(const struct tables *tables, const struct known *known)
{
	if (known->nwords != tables->nwords)
		return false;
	for (unsigned i = 0; i < tables->nwords; i++)
		if (known->words[i] != tables->words[i])
			return false;
	return true;
}

struct row *tables_row(struct tables *tables, const struct feed *feed, const struct event *event)
{
	struct known **last = &tables->last[(unsigned)event->cpu % LAST_CPUS], *known;
	uint32_t hash;

	if (!take_words(tables, feed, event))
		return new_row(tables, feed, event);
	if (*last && is_same(tables, *last))
		return (*last)->row;
	hash = (uint32_t)bytes_hash(tables->words, tables->nwords * sizeof(uint64_t));
	for (unsigned at = hash; (known = tables->known[at & (tables->room - 1)]); at++)
		if (known->hash == hash && is_same(tables, known))
			break;
	if (!known)
		known = remember(tables, hash, new_row(tables, feed, event));
	*last = known;
	return known->row;
}

void tables_event(struct tables *tables, const struct event *event)
{
	const struct feed *feed = &tables->feeds[event->probe - tables->plan->probes];
	struct row *row = feed->row ?: tables_row(tables, feed, event);
	struct table *table = feed->table;

	row->hits++;
	table->hits++;
	for (unsigned i = 0; i < table->ncolumns; i++) {
		struct column *column = &table->columns[i];
		unsigned want = feed->spec->aggregates[i].want;
		const struct datum *datum = &event->values[want];

		if (column->kind == AGGREGATE_COUNT)
			continue;
		if (datum->kind == DATUM_INT)
			cell_add(tables->arena, column, &row->cells[i],
				 event->probe->values[want].is_signed ?
					 (__int128)(int64_t)datum->number :
					 (__int128)datum->number);
		else if (datum->kind == DATUM_FAULT)
			column->faults++;
		else
			column->missing++;
	}
}
