// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plan's aggregates and its events in, tables out. What an event's keys were recorded as is looked up first,
 * and only what is new is put into words: so a row is found by a few bytes, and is known by what is shown. Specs
 * with the same columns and keys are one table, in which each has its rows.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/glob.h"
#include "base/hash.h"
#include "sink/table/show.h"
#include "sink/value.h"

#define LAST_CPUS 64u
#define WORDS_MAX 1024u /* 8 bytes each: of an event's keys that are looked up; longer ones are put into words */
#define NEW_MIN   65536u

/* Keys as they were recorded, and whose row they mean. */
struct known {
	struct row *row;
	uint32_t hash;
	uint32_t nwords;
	uint64_t words[];
};

/* How a probe's events are counted. */
struct feed {
	struct table *table; /* NULL: not at all */
	const struct spec *spec;
	const struct key *keys;
	unsigned nkeys;
	const char *place; /* of the spec, as JSON, where it is a key */
	struct row *row;   /* of all its events, where there are no other keys */
	bool has_symbols;  /* what a key is called depends on where the program lies */
};

struct tables {
	struct arena *arena;
	const struct plan *plan;
	const struct sink_context *context;
	const struct table_options *options;
	struct feed *feeds; /* of plan->probes[i] */
	struct table_list list;
	struct arena known_arena;
	struct known **known; /* open addressing */
	unsigned nknown;
	unsigned room; /* a power of two */
	struct known *last[LAST_CPUS]; /* by CPU */
	struct strbuf scratch;
	unsigned nwords;
	uint64_t words[WORDS_MAX];
};

/* What -e means by a glob is told apart, unless keys say how. */
static const struct key event_key = {.kind = KEY_EVENT, .name = "event"};

static bool is_many_events(const struct spec *spec)
{
	return spec->place.kind == PLACE_EVENT && !spec->nkeys &&
	       ((spec->group && is_glob(spec->group)) || is_glob(spec->event));
}

static const char *json_word(struct arena *arena, const char *text)
{
	struct strbuf out = {0};
	char *ret;

	strbuf_json(&out, text, strlen(text));
	ret = arena_strndup(arena, out.data, out.length);
	strbuf_deinit(&out);
	return ret;
}

/* Columns and keys as words: the same in all specs of a table. */
static char *signature(struct arena *arena, const struct probe *probe, const struct feed *feed)
{
	char *text = arena_strdup(arena, "");

	for (unsigned i = 0; i < feed->spec->naggregates; i++)
		text = arena_printf(arena, "%s%s ", text, feed->spec->aggregates[i].name);
	for (unsigned i = 0; i < feed->nkeys; i++)
		text = arena_printf(arena, "%sby %s ", text, feed->keys[i].name ?:
				    probe->values[feed->keys[i].want].name);
	return text;
}

static const char *place_text(struct arena *arena, const struct spec *spec)
{
	struct span span = spec->place.span;

	return arena_strndup(arena, spec->text + span.start, span.end - span.start);
}

/* "sum(size)", of the value's own name. */
static void make_columns(struct tables *tables, const struct probe *probe, struct table *table)
{
	const struct spec *spec = probe->spec;

	table->ncolumns = spec->naggregates;
	table->columns = arena_array(tables->arena, struct column, spec->naggregates);
	for (unsigned i = 0; i < spec->naggregates; i++) {
		const struct aggregate *from = &spec->aggregates[i];
		struct column *column = &table->columns[i];

		column->kind = from->kind;
		column->step = from->step;
		column->name = from->name;
		if (from->kind == AGGREGATE_COUNT)
			continue;
		column->of = arena_strdup(tables->arena, probe->values[from->want].name);
		column->is_time = probe->values[from->want].is_duration ||
				  probe->values[from->want].render == RENDER_TIME;
	}
}

/* Each is a member of an object in JSON, and so has a name of its own. */
static void add_key_name(struct tables *tables, struct table *table, const char *name)
{
	const char *unique = arena_strdup(tables->arena, name);

	for (unsigned n = 2, i = 0; i < table->nkeys; i++)
		if (!strcmp(table->keys[i], unique)) {
			unique = arena_printf(tables->arena, "%s_%u", name, n++);
			i = (unsigned)-1;
		}
	arena_append(tables->arena, table->keys, table->nkeys) = unique;
}

static struct table *new_table(struct tables *tables, const struct probe *probe)
{
	struct table *table = arena_new(tables->arena, struct table);

	make_columns(tables, probe, table);
	table_init(table, tables->arena, tables->options->keys);
	arena_append(tables->arena, tables->list.tables, tables->list.count) = table;
	return table;
}

static void name_keys(struct tables *tables, struct table *table, const struct probe *probe,
		      const struct feed *feed)
{
	if (table->has_places)
		add_key_name(tables, table, "place");
	for (unsigned i = 0; i < feed->nkeys; i++)
		add_key_name(tables, table, feed->keys[i].name ?:
			     probe->values[feed->keys[i].want].name);
}

/* Why no sum can be made of it, or NULL. */
static const char *not_a_number(const struct value *value)
{
	if (value->status != VALUE_OK)
		return NULL;
	if (value->render == RENDER_STRING)
		return "'%s' is a text";
	if (value->count || (value->shape && value->shape->kind != SHAPE_NUMBER))
		return "'%s' is not one number";
	if (value_is_float(value))
		return "'%s' is a floating-point number, of which sums are not exact";
	return value->shape && value->shape->size > 8 ? "'%s' has 128 bits" : NULL;
}

static struct error *check_columns(struct arena *arena, const struct probe *probe)
{
	const struct spec *spec = probe->spec;

	for (unsigned i = 0; i < spec->naggregates; i++) {
		const struct aggregate *aggregate = &spec->aggregates[i];
		const struct value *value = &probe->values[aggregate->want];
		const char *reason = aggregate->kind == AGGREGATE_COUNT ? NULL : not_a_number(value);

		if (reason)
			return error_hint(arena, error_at(
				error_new(arena, ERROR_INEXPRESSIBLE, "%s", arena_printf(arena, reason, value->name)),
				spec->text, aggregate->span), "count() by %s counts each", value->name);
	}
	return NULL;
}

static struct error *check_keys(struct arena *arena, const struct probe *probe)
{
	const struct spec *spec = probe->spec;

	for (unsigned i = 0; i < spec->nkeys; i++) {
		const struct key *key = &spec->keys[i];

		if (probe->kind == PROBE_TRACEPOINT && (key->kind == KEY_LINE || key->kind == KEY_FUNCTION))
			return error_hint(arena, error_at(
				error_new(arena, ERROR_INEXPRESSIBLE, "an event has no place in the source"),
				spec->text, key->span), "its own name is $event");
	}
	return NULL;
}

struct error *tables_check(struct arena *arena, const struct plan *plan, unsigned first)
{
	struct error *error = NULL;

	for (unsigned i = first; i < plan->nprobes && !error; i++) {
		if (plan->probes[i].role != ROLE_SHOWN)
			continue;
		error = check_columns(arena, &plan->probes[i]);
		if (!error)
			error = check_keys(arena, &plan->probes[i]);
	}
	return error;
}

static bool has_symbols(const struct probe *probe, const struct feed *feed)
{
	for (unsigned i = 0; i < feed->nkeys; i++) {
		const struct value *value = &probe->values[feed->keys[i].want];

		if (feed->keys[i].kind == KEY_VALUE && (value->render == RENDER_SYMBOL || value->shape))
			return probe->site->path;
	}
	return false;
}

static void init_feed(const struct probe *probe, struct feed *feed)
{
	bool is_many = is_many_events(probe->spec);

	feed->spec = probe->spec;
	feed->keys = is_many ? &event_key : probe->spec->keys;
	feed->nkeys = is_many ? 1 : probe->spec->nkeys;
	feed->has_symbols = has_symbols(probe, feed);
}

/* The table of those before it that look alike, or a new one. */
static void join_table(struct tables *tables, unsigned index)
{
	const struct probe *probe = &tables->plan->probes[index];
	struct feed *feed = &tables->feeds[index];
	char *own = signature(tables->arena, probe, feed);

	for (unsigned i = 0; i < index && !feed->table; i++) {
		const struct feed *other = &tables->feeds[i];

		if (!other->table || strcmp(signature(tables->arena, &tables->plan->probes[i], other), own) != 0)
			continue;
		feed->table = other->table;
		feed->table->has_places |= other->spec->text != feed->spec->text;
	}
	if (!feed->table)
		feed->table = new_table(tables, probe);
}

static void make_title(struct tables *tables, struct table *table)
{
	const char *last = NULL, *places = "", *rest = "";
	struct arena *arena = tables->arena;

	for (unsigned i = 0; i < tables->plan->nprobes; i++) {
		const struct feed *feed = &tables->feeds[i];

		if (feed->table != table || feed->spec->text == last)
			continue;
		places = arena_printf(arena, "%s%s%s", places, *places ? ", " : "",
				      place_text(arena, feed->spec));
		rest = feed->spec->text + feed->spec->place.span.end;
		last = feed->spec->text;
	}
	table->title = arena_printf(arena, "%s%s", places, rest);
}

/* Rows that are there before anything was counted: 0 is an answer. */
static void begin_rows(struct tables *tables, const struct probe *probe, struct feed *feed)
{
	struct table *table = feed->table;

	if (!table->keys)
		name_keys(tables, table, probe, feed);
	if (table->has_places)
		feed->place = json_word(tables->arena, place_text(tables->arena, feed->spec));
	if (!table->first_place)
		table->first_place = feed->place;
	if (feed->nkeys)
		return;
	feed->row = table_row(table, feed->place ?: "", strlen(feed->place ?: ""));
}

static struct error *check_all(struct tables *tables)
{
	const struct plan *plan = tables->plan;
	const struct spec *lines = NULL, *table = NULL;

	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_SHOWN)
			*(plan->probes[i].spec->naggregates ? &table : &lines) = plan->probes[i].spec;
	if (!lines || !table)
		return NULL;
	return error_hint(tables->arena, error_at(
		error_new(tables->arena, ERROR_USAGE, "this gives lines, and '%s' a table", table->text),
		lines->text, lines->place.span), "add count(), or trace them apart");
}

bool tables_wanted(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_SHOWN && plan->probes[i].spec->naggregates)
			return true;
	return false;
}

bool tables_need_processes(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct spec *spec = plan->probes[i].spec;

		for (unsigned j = 0; plan->probes[i].role == ROLE_SHOWN && j < spec->nkeys; j++)
			if (spec->keys[j].kind == KEY_PID)
				return true;
	}
	return false;
}

static struct error *make_feeds(struct tables *tables)
{
	const struct plan *plan = tables->plan;
	struct error *error = check_all(tables);

	if (error)
		return error;
	for (unsigned i = 0; i < plan->nprobes; i++) {
		if (plan->probes[i].role != ROLE_SHOWN)
			continue;
		init_feed(&plan->probes[i], &tables->feeds[i]);
		join_table(tables, i);
	}
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (tables->feeds[i].table)
			begin_rows(tables, &plan->probes[i], &tables->feeds[i]);
	for (unsigned i = 0; i < tables->list.count; i++)
		make_title(tables, tables->list.tables[i]);
	return NULL;
}

static void forget_known(struct tables *tables)
{
	memset(tables->last, 0, sizeof(tables->last));
	memset(tables->known, 0, tables->room * sizeof(*tables->known));
	arena_reset(&tables->known_arena);
	tables->nknown = 0;
}

struct error *tables_new(struct arena *arena, const struct plan *plan, const struct sink_context *context,
			 const struct table_options *options, struct tables **ret)
{
	struct tables *tables = arena_new(arena, struct tables);
	struct error *error;

	tables->arena = arena;
	tables->plan = plan;
	tables->context = context;
	tables->options = options;
	tables->list = (struct table_list){.arena = arena, .options = options};
	tables->feeds = arena_array(arena, struct feed, plan->nprobes + 1);
	tables->room = NEW_MIN;
	tables->known = arena_array(arena, struct known *, tables->room);
	arena_init(&tables->known_arena);
	*ret = tables;
	error = make_feeds(tables);
	return error ? error : table_list_check(&tables->list);
}

void tables_free(struct tables *tables)
{
	if (!tables)
		return;
	arena_deinit(&tables->known_arena);
	strbuf_deinit(&tables->scratch);
}

void tables_show(struct tables *tables, struct strbuf *out, bool is_json, const struct table_end *end)
{
	table_list_show(&tables->list, out, is_json, end);
}

/* false: there is no room. */
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

static bool add_datum(struct tables *tables, const struct datum *datum)
{
	if (datum->kind == DATUM_BYTES)
		return add_bytes(tables, datum->kind | (datum->reason ? 16 : 0), datum->bytes, datum->length);
	if (datum->kind == DATUM_INT)
		return add_bytes(tables, datum->kind, &datum->number, sizeof(datum->number));
	return add_bytes(tables, datum->kind, &datum->reason, sizeof(datum->reason));
}

/* What the event's row is known by; false: it is too long. */
static bool take_words(struct tables *tables, const struct feed *feed, const struct event *event)
{
	bool fits = true;

	tables->words[0] = (uint64_t)(event->probe - tables->plan->probes);
	tables->words[1] = feed->has_symbols ? event->ip : 0;
	tables->nwords = 2;
	for (unsigned i = 0; i < feed->nkeys && fits; i++) {
		const struct key *key = &feed->keys[i];

		switch (key->kind) {
		case KEY_VALUE: fits = add_datum(tables, &event->values[key->want]); break;
		case KEY_COMM: fits = add_bytes(tables, 0, event->comm, strlen(event->comm)); break;
		case KEY_PID: fits = add_bytes(tables, 0, &event->process, sizeof(event->process)); break;
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

static void put_known(struct strbuf *out, const char *text, const char *otherwise)
{
	if (text)
		strbuf_json(out, text, strlen(text));
	else
		put_error(out, otherwise);
}

static void put_key_value(struct tables *tables, const struct value *value, const struct datum *datum)
{
	struct strbuf *out = &tables->scratch;
	bool is_cut = datum->kind == DATUM_BYTES && datum->reason;

	if (datum->kind == DATUM_FAULT || datum->kind == DATUM_NONE) {
		put_error(out, datum->kind == DATUM_FAULT ? "fault" : none_reason(value, datum));
		return;
	}
	strbuf_puts(out, is_cut ? "{\"cut\":" : "");
	put_value(out, &json_notation, value, datum, tables->context);
	strbuf_puts(out, is_cut ? "}" : "");
}

static void put_line(struct strbuf *out, const struct site *site)
{
	const char *slash = site->file ? strrchr(site->file, '/') : NULL;
	struct strbuf text = {0};

	if (site->file && site->line)
		strbuf_printf(&text, "%s:%u", slash ? slash + 1 : site->file, site->line);
	put_known(out, text.data, "no line is known");
	strbuf_deinit(&text);
}

static void put_key(struct tables *tables, const struct key *key, const struct event *event)
{
	const struct probe *probe = event->probe;
	struct strbuf *out = &tables->scratch;

	switch (key->kind) {
	case KEY_VALUE: put_key_value(tables, &probe->values[key->want], &event->values[key->want]); break;
	case KEY_COMM: put_known(out, event->comm, ""); break;
	case KEY_PID:
		if (event->process >= 0)
			put_signed(out, event->process);
		else
			put_error(out, "not known");
		break;
	case KEY_TID: put_signed(out, event->pid); break;
	case KEY_CPU: put_signed(out, event->cpu); break;
	case KEY_LINE: put_line(out, probe->site); break;
	case KEY_FUNCTION:
		put_known(out, probe->site->function ?: probe->site->shown_symbol, "no function is known");
		break;
	default:
		strbuf_putc(out, '"');
		strbuf_join(out, probe->group, ":", probe->shown ?: probe->event, "\"", NULL);
	}
}

static struct row *new_row(struct tables *tables, const struct feed *feed, const struct event *event)
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

/* Twice as many keys as rows, as many specs and copies may mean the same; then they are asked anew. */
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
	known = arena_alloc(&tables->known_arena, sizeof(*known) + tables->nwords * sizeof(uint64_t));
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

static struct row *find_row(struct tables *tables, const struct feed *feed, const struct event *event)
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
	struct row *row = feed->row ?: find_row(tables, feed, event);
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
				 event->probe->values[want].is_signed ? (__int128)(int64_t)datum->number :
									(__int128)datum->number);
		else if (datum->kind == DATUM_FAULT)
			column->faults++;
		else
			column->missing++;
	}
}
