// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes rows that the kernel has counted. Each is put as the event of one hit that has its keys,
 * so that it is found like others; then its hits and sums are added.
 */
#include "expr/expr.h"
#include "sink/table/feed.h"

void tables_restart(struct tables *tables)
{
	for (unsigned i = 0; i < tables->list.count; i++)
		table_restart(tables->list.tables[i]);
}

/* The event that a hit of the row was. values: room for the probe's values. */
static void make_event(const struct probe *probe, const struct counted_row *row,
		       struct datum *values, struct event *ret)
{
	const struct counting *counting = probe->counting;
	uint64_t faults = 0;

	*ret = (struct event){.probe = probe, .process = -1, .comm = "", .values = values};
	for (unsigned i = 0; i < probe->nvalues; i++) {
		const char *text = probe->values[i].text;

		values[i] = (struct datum){.kind = text ? DATUM_BYTES : DATUM_NONE, .bytes = text,
					   .length = text ? (uint32_t)strlen(text) : 0};
	}
	for (unsigned i = 0; i < counting->nkeys; i++)
		if (counting->keys[i].kind == COUNTED_FAULTS)
			faults = row->numbers[i];
	for (unsigned i = 0; i < counting->nkeys; i++) {
		const struct counted_key *key = &counting->keys[i];
		const struct value *value = &probe->values[key->index];

		if (key->kind == COUNTED_COMM)
			ret->comm = row->text;
		else if (key->kind == COUNTED_TID)
			ret->pid = (int)row->numbers[i];
		else if (key->kind == COUNTED_PID)
			ret->process = (int)row->numbers[i];
		else if (key->kind == COUNTED_CPU)
			ret->cpu = (int)row->numbers[i];
		else if (key->kind == COUNTED_VALUE && counting->by_program &&
			 faults >> key->used & 1)
			values[key->index] = (struct datum){.kind = DATUM_FAULT};
		else if (key->kind == COUNTED_VALUE && key->is_text)
			values[key->index] = (struct datum){.kind = DATUM_BYTES, .bytes = row->text,
							    .length = (uint32_t)strlen(row->text)};
		else if (key->kind == COUNTED_VALUE)
			values[key->index] = (struct datum){
				.kind = DATUM_INT,
				.number = value->size ?
						  extend_bits(row->numbers[i], value->size * 8u,
							      value->is_signed) :
						  row->numbers[i]};
	}
}

/* A number of the bucket. */
static __int128 bucket_number(uint64_t bucket)
{
	uint64_t at = bucket % COUNTED_BELOW, shift = at < 64 ? 0 : at / 32 - 1;
	__int128 number = (__int128)(at - 32 * shift) << shift;

	return bucket >= COUNTED_BELOW ? -1 - number : number;
}

/* What a program has counted. */
static void add_cell(struct tables *tables, const struct feed *feed, const struct probe *probe,
		     const struct counted_row *from, struct row *row, unsigned column)
{
	const struct counting *counting = probe->counting;
	struct cell *cell = &row->cells[column];
	unsigned value = 0;

	while (counting->values[value].want != feed->spec->aggregates[column].want)
		value++;
	cell_merge(cell, &(struct cell){.n = from->cells[value].n,
					.sum = from->cells[value].sum,
					.min = from->cells[value].min,
					.max = from->cells[value].max});
	feed->table->columns[column].faults += from->hits - from->cells[value].n;
	for (unsigned i = 0; i < counting->nkeys; i++) {
		const struct counted_key *key = &counting->keys[i];

		if (key->index != column || !from->cells[value].n)
			continue;
		if (key->kind == COUNTED_BUCKET)
			hist_add(tables->arena, cell->hist, bucket_number(from->numbers[i]),
				 from->cells[value].n);
		if (key->kind == COUNTED_STEP)
			hist_add_step(tables->arena, cell->hist,
				      probe->values[counting->values[value].want].is_signed ?
					      (__int128)(int64_t)from->numbers[i] :
					      (__int128)from->numbers[i],
				      from->cells[value].n);
	}
}

static void add_sum(struct tables *tables, const struct feed *feed, const struct probe *probe,
		    const struct counted_row *from, struct row *row, unsigned column)
{
	const struct counting *counting = probe->counting;
	struct cell *cell = &row->cells[column];
	unsigned want = feed->spec->aggregates[column].want;

	cell->n += from->hits;
	for (unsigned i = 0; i < counting->nvalues; i++)
		if (counting->values[i].want == want)
			cell->sum += from->sums[i];
	for (unsigned i = 0; i < counting->nkeys; i++)
		if (counting->keys[i].kind == COUNTED_BUCKET && counting->keys[i].index == column)
			hist_add_step(tables->arena, cell->hist, (__int128)(from->numbers[i] /
				      (counting->keys[i].step ?: 1)), from->hits);
}

void tables_counted(struct tables *tables, unsigned probe, const struct counted *counted)
{
	const struct probe *p = &tables->plan->probes[probe];
	const struct feed *feed = &tables->feeds[probe];
	struct datum *values;
	struct arena arena;

	arena_init(&arena); /* its own: with -i this runs for as long as the trace does */
	values = arena_array(&arena, struct datum, p->nvalues + 1);
	for (unsigned i = 0; i < counted->nrows; i++) {
		const struct counted_row *from = &counted->rows[i];
		struct event event;
		struct row *row;

		if (!from->hits)
			continue;
		make_event(p, from, values, &event);
		row = feed->row ?: tables_row(tables, feed, &event);
		row->hits += from->hits;
		feed->table->hits += from->hits;
		for (unsigned c = 0; c < feed->table->ncolumns; c++)
			if (feed->table->columns[c].kind != AGGREGATE_COUNT)
				(p->counting->by_program ? add_cell : add_sum)(tables, feed, p,
									       from, row, c);
	}
	arena_deinit(&arena);
}
