// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a plan's tables, empty, and for each probe how its events are counted. Specs with the same
 * columns and keys share a table, in which each has its own rows.
 */
#include "base/escape.h"
#include "base/glob.h"
#include "sink/table/feed.h"

/* The events of a glob in -e get a row each, unless the spec has keys. */
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

/* Columns and keys as text: equal for all specs of a table. */
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

	if (spec_is_end(spec))
		span.start = spec->pairing->start->place.span.start;
	return arena_strndup(arena, spec->text + span.start, span.end - span.start);
}

/* column->name: "sum(size)"; column->of: the value's own name. */
static void make_columns(struct arena *arena, const struct probe *probe, struct table *table)
{
	const struct spec *spec = probe->spec;

	table->ncolumns = spec->naggregates;
	table->columns = arena_array(arena, struct column, spec->naggregates);
	for (unsigned i = 0; i < spec->naggregates; i++) {
		const struct aggregate *from = &spec->aggregates[i];
		struct column *column = &table->columns[i];

		column->kind = from->kind;
		column->is_counted = probe->counting && !probe->counting->by_program;
		column->step = from->step;
		column->name = from->name;
		if (from->kind == AGGREGATE_COUNT)
			continue;
		column->of = arena_strdup(arena, probe->values[from->want].name);
		column->is_time = probe->values[from->want].is_duration ||
				  probe->values[from->want].is_between ||
				  probe->values[from->want].render == RENDER_TIME;
	}
}

/* Keys are members of a JSON object, so their names must be unique. */
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

	make_columns(tables->arena, probe, table);
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

static bool has_symbols(const struct probe *probe, const struct feed *feed)
{
	for (unsigned i = 0; i < feed->nkeys; i++) {
		const struct value *value = &probe->values[feed->keys[i].want];

		if (feed->keys[i].kind == KEY_VALUE &&
		    (value->render == RENDER_SYMBOL || value->shape))
			return probe->site->path;
	}
	return false;
}

static bool has_user_stack(const struct probe *probe, const struct feed *feed)
{
	for (unsigned i = 0; i < feed->nkeys; i++) {
		const struct value *value = &probe->values[feed->keys[i].want];

		if (feed->keys[i].kind == KEY_VALUE && value->stack && value->stack != STACK_KERNEL)
			return true;
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
	feed->has_user_stack = has_user_stack(probe, feed);
}

bool same_rows(struct arena *arena, const struct probe *a, const struct probe *b)
{
	struct feed one, other;

	init_feed(a, &one);
	init_feed(b, &other);
	return !strcmp(place_text(arena, a->spec), place_text(arena, b->spec)) &&
	       !strcmp(signature(arena, a, &one), signature(arena, b, &other));
}

struct error *tables_check_sort(struct arena *arena, const struct plan *plan, const char *sort)
{
	const struct table_options options = {.sort = sort};
	struct table_list list = {.arena = arena, .options = &options};

	for (unsigned i = 0; i < plan->nprobes; i++) {
		struct table *table;

		if (plan->probes[i].role != ROLE_SHOWN || !plan->probes[i].spec->naggregates)
			continue;
		table = arena_new(arena, struct table);
		make_columns(arena, &plan->probes[i], table);
		arena_append(arena, list.tables, list.count) = table;
	}
	return table_list_check(&list);
}

/* Finds the table of an earlier probe with the same signature, or makes one. */
static void join_table(struct tables *tables, unsigned index)
{
	const struct probe *probe = &tables->plan->probes[index];
	struct feed *feed = &tables->feeds[index];
	char *own = signature(tables->arena, probe, feed);

	for (unsigned i = 0; i < index && !feed->table; i++) {
		const struct feed *other = &tables->feeds[i];

		if (!other->table ||
		    strcmp(signature(tables->arena, &tables->plan->probes[i], other), own) != 0)
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

/* Makes the rows that are shown even if nothing is counted: 0 is an answer. */
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

static void make_feeds(struct tables *tables)
{
	const struct plan *plan = tables->plan;

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
}

struct error *tables_new(struct arena *arena, const struct plan *plan,
			 const struct sink_context *context, const struct table_options *options,
			 struct tables **ret)
{
	struct tables *tables = arena_new(arena, struct tables);
	struct error *error = tables_check_all(arena, plan);

	tables->arena = arena;
	tables->plan = plan;
	tables->context = context;
	tables->options = options;
	tables->list = (struct table_list){.arena = arena, .options = options};
	tables->feeds = arena_array(arena, struct feed, plan->nprobes + 1);
	tables->room = KNOWN_MIN;
	tables->known = arena_array(arena, struct known *, tables->room);
	arena_init(&tables->known_arena);
	*ret = tables;
	if (error)
		return error;
	make_feeds(tables);
	return table_list_check(&tables->list);
}

void tables_free(struct tables *tables)
{
	if (!tables)
		return;
	arena_deinit(&tables->known_arena);
	strbuf_deinit(&tables->scratch);
}

void tables_show(struct tables *tables, struct strbuf *out, enum table_form form,
		 const struct table_end *end)
{
	table_list_show(&tables->list, out, form, end);
}
