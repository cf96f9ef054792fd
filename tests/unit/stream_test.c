// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages, formats, finishes and filters of stream/. Referees: libtraceevent's kbuffer for the
 * walk over good pages, the sanitizers for spoilt ones, arithmetic done by hand for finishes.
 * GOLDEN names the directory of recorded pages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <traceevent/kbuffer.h>
#include <unistd.h>

#include "arena_state.h"
#include "expr/expr.h"
#include "driver.h"
#include "sink/sink.h"
#include "spec/spec.h"
#include "stream/internal.h"
#include "stream/kept.h"
#include "stream/pages.h"
#include "pages.h"

static char *golden(struct arena *arena, const char *name, size_t *length)
{
	const char *path = arena_printf(arena, "%s/%s", getenv("GOLDEN"), name);
	FILE *file = fopen(path, "r");
	char *data = arena_alloc(arena, 64 * PAGE);

	if (!file)
		fail_msg("%s", path);
	*length = fread(data, 1, 64 * PAGE - 1, file);
	fclose(file);
	return data;
}

static const char *const recorded[] = {
	"values/per_cpu/cpu1/trace_pipe_raw", "cpus/per_cpu/cpu0/trace_pipe_raw",
	"cpus/per_cpu/cpu1/trace_pipe_raw", "faults/per_cpu/cpu1/trace_pipe_raw",
};

/* Both walkers over one page: the same records at the same times. Returns their number. */
static unsigned walk_both(const uint8_t *page)
{
	struct kbuffer *kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	struct page_cursor cursor;
	unsigned long long time;
	unsigned count = 0;
	uint8_t copy[PAGE];
	void *record;

	memcpy(copy, page, PAGE);
	kbuffer_load_subbuffer(kbuf, copy);
	page_open(&shape, page, &cursor);
	for (record = kbuffer_read_event(kbuf, &time); record;
	     record = kbuffer_next_event(kbuf, &time)) {
		assert_true(page_next(page, &cursor));
		assert_int_equal(cursor.record, (uint8_t *)record - copy);
		assert_int_equal(cursor.length, kbuffer_event_size(kbuf));
		assert_true(cursor.time == time);
		count++;
	}
	assert_false(page_next(page, &cursor));
	kbuffer_free(kbuf);
	return count;
}

static void recorded_pages_agree_with_kbuffer(void **state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
		size_t length;
		const uint8_t *data = (const uint8_t *)golden(*state, recorded[i], &length);

		assert_true(length && length % PAGE == 0);
		for (size_t at = 0; at < length; at += PAGE)
			count += walk_both(data + at);
	}
	assert_int_equal(count, 14 + 23 + 5);
}

static void put_record(struct writer *w, uint32_t type, uint32_t delta, unsigned words)
{
	put_word(w, type | delta << 5);
	for (unsigned i = 0; i < words; i++)
		put_word(w, 0x41414141);
}

/* Each kind of record there is: extended times, long records, discarded ones, the end. */
static void every_kind_of_record(void **state)
{
	static struct writer w;
	struct page_cursor cursor;
	uint64_t start = 1000000000;

	(void)state;
	memcpy(w.page, &start, 8);
	put_record(&w, 2, 5, 2);        /* 8 bytes at +5 */
	put_word(&w, 30 | 1 << 5);      /* TIME_EXTEND: + 1 + (3 << 27) */
	put_word(&w, 3);
	put_record(&w, 1, 0, 1);
	put_word(&w, 0 | 7 << 5);       /* long: 120 bytes */
	put_word(&w, 124);
	for (int i = 0; i < 30; i++)
		put_word(&w, 0);
	put_word(&w, 29 | 1 << 5);      /* discarded: 8 bytes */
	put_word(&w, 8);
	put_word(&w, 0);
	put_word(&w, 31 | 9 << 5);      /* TIME_STAMP: 9 + (100 << 27) */
	put_word(&w, 100);
	put_record(&w, 3, 2, 3);
	put_word(&w, 29);               /* nothing more */
	put_record(&w, 1, 1, 1);

	assert_int_equal(walk_both(w.page), 4);
	page_open(&shape, w.page, &cursor);
	assert_true(page_next(w.page, &cursor));
	assert_true(cursor.time == start + 5 && cursor.length == 8);
	assert_true(page_next(w.page, &cursor));
	assert_true(cursor.time == start + 5 + 1 + (3ull << 27));
	assert_true(page_next(w.page, &cursor));
	assert_int_equal(cursor.length, 120);
	assert_true(page_next(w.page, &cursor));
	assert_true(cursor.time == 9 + (100ull << 27) + 2 && cursor.length == 12);
	assert_false(page_next(w.page, &cursor));
}

static uint32_t random_next(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static bool decode(struct decoder *decoder, const uint8_t *data, uint32_t length, int cpu)
{
	const struct record record = {data, length, 0, layout_of(decoder, data, length)};

	return record.layout && decode_record(decoder, &record, cpu);
}

static void decode_page(struct decoder *decoder, const uint8_t *page, struct strbuf *out)
{
	const struct sink_context context = {0};
	struct page_cursor cursor;
	struct arena arena;
	struct printer *text, *json;

	arena_init(&arena);
	text = printer_new(&arena, &sink_text, decoder->plan, &context);
	json = printer_new(&arena, &sink_json, decoder->plan, &context);
	page_open(&shape, page, &cursor);
	while (page_next(page, &cursor)) {
		assert_true(cursor.record + cursor.length <= PAGE);
		if (!decode(decoder, page + cursor.record, cursor.length, 0))
			continue;
		out->length = 0;
		printer_event(text, out, &decoder->event);
		printer_event(json, out, &decoder->event);
	}
	arena_deinit(&arena);
}

static void open_recorded(struct arena *arena, const char *name, struct decoder *decoder)
{
	struct plan *plan = arena_new(arena, struct plan);
	struct live_event *sources;
	size_t length;

	assert_null(plan_read(arena, golden(arena, arena_printf(arena, "%s/plan", name), &length),
			      plan));
	sources = arena_array(arena, struct live_event, plan->nprobes);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		sources[i].format = golden(arena, arena_printf(arena, "%s/format.%u", name, i),
					   &length);
		sources[i].id = atoi(strstr(sources[i].format, "ID: ") + 4);
	}
	assert_null(decoder_init(decoder, arena, plan, sources));
}

/* Under ASan: a page of its own, so that a byte too far is seen. */
static void spoilt_pages_do_no_harm(void **state)
{
	uint8_t *page = malloc(PAGE);
	struct decoder decoder;
	struct strbuf out;
	uint32_t seed = 20261;
	size_t length;
	const char *data = golden(*state, "values/per_cpu/cpu1/trace_pipe_raw", &length);

	strbuf_init(&out);
	open_recorded(*state, "values", &decoder);
	for (int round = 0; round < 20000; round++) {
		memcpy(page, data, PAGE);
		for (uint32_t n = random_next(&seed) % 16 + 1; n; n--)
			page[random_next(&seed) % (round % 2 ? 700 : PAGE)] =
				(uint8_t)random_next(&seed);
		decode_page(&decoder, page, &out);
	}
	free(page);
	strbuf_deinit(&out);
}

static void noise_does_no_harm(void **state)
{
	uint8_t *page = malloc(PAGE);
	struct decoder decoder;
	struct strbuf out;
	uint32_t seed = 7919;

	strbuf_init(&out);
	open_recorded(*state, "values", &decoder);
	for (int round = 0; round < 2000; round++) {
		for (int i = 0; i < PAGE; i++)
			page[i] = (uint8_t)random_next(&seed);
		decode_page(&decoder, page, &out);
	}
	free(page);
	strbuf_deinit(&out);
}

static const char format_text[] =
	"name: a\nID: 77\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:s32 a;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] s;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\tfield:u8 b[];\toffset:24;\tsize:16;\tsigned:0;\n"
	"\tfield:__data_loc char[][2] sa;\toffset:40;\tsize:8;\tsigned:1;\n"
	"\tfield:u64 long;\toffset:48;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 ab;\toffset:56;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] __comm;\toffset:76;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"(%lx) a=%d\", REC->__probe_ip, REC->a\n";

static void fields_of_a_format(void **state)
{
	static const struct {
		const char *name;
		enum field_kind kind;
		unsigned offset, size;
		bool is_signed;
	} cases[] = {
		{"a", FIELD_INT, 16, 4, true},     {"s", FIELD_STRING, 20, 4, true},
		{"b", FIELD_BYTES, 24, 16, false}, {"sa", FIELD_STRING, 40, 8, true},
		{"long", FIELD_INT, 48, 8, false}, {"ab", FIELD_INT, 56, 8, false},
		{"__probe_ip", FIELD_INT, 8, 8, false},
	};
	struct format format;
	struct field field;

	assert_null(format_read(*state, format_text, &format));
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		format_field(&format, cases[i].name, &field);
		assert_int_equal(field.kind, cases[i].kind);
		assert_int_equal(field.offset, cases[i].offset);
		assert_int_equal(field.size, cases[i].size);
		assert_int_equal(field.is_signed, cases[i].is_signed);
	}
	format_field(&format, "c", &field);
	assert_int_equal(field.kind, FIELD_ABSENT);
	format_field(&format, "", &field);
	assert_int_equal(field.kind, FIELD_ABSENT);
}

/* One record by hand: a = -5, ab = 0x8000000000000003, the guard s of a, and a finish over a, ab. taken: bytes of
 * the guard's string; left: its length as recorded, which is all that was left where nothing could be read. */
struct finish_case {
	enum expr_op op;
	uint8_t size;
	bool is_signed;
	enum datum_kind kind;
	uint64_t number;
};

static const struct datum *decode_finish(struct arena *arena, const struct finish_case *c,
					 unsigned taken, unsigned left)
{
	uint8_t *record = arena_alloc(arena, 80);
	struct probe *probe = arena_new(arena, struct probe);
	struct plan plan = {.probes = probe, .nprobes = 1};
	struct live_event source = {.id = 77, .format = format_text};
	struct decoder *decoder = arena_new(arena, struct decoder);
	unsigned fetches[] = {0, 1, 2};
	int32_t a = -5;
	uint64_t ab = 0x8000000000000003;
	uint32_t where = 64 | left << 16, comm = (64 + taken) | 4u << 16;

	record[0] = 77;
	memcpy(record + 16, &a, 4);
	memcpy(record + 20, &where, 4);
	memcpy(record + 56, &ab, 8);
	memcpy(record + 76, &comm, 4);
	probe->kind = PROBE_HIT;
	probe->nfetches = 3;
	probe->fetches = arena_array(arena, struct fetch, 3);
	probe->fetches[0].field = "a";
	probe->fetches[1].field = "ab";
	probe->fetches[2].field = "s";
	probe->fetches[0].guards[0] = 3; /* s tells whether a could be read */
	probe->nvalues = 1;
	probe->values = arena_new(arena, struct value);
	*probe->values = (struct value){.name = "v", .size = c->size, .is_signed = c->is_signed,
					.fetches = fetches, .nfetches = 3};
	probe->values->finish = expr_binary(arena, c->op, expr_leaf(arena, EXPR_FETCH, 0),
					    expr_leaf(arena, EXPR_FETCH, 1));
	assert_null(decoder_init(decoder, arena, &plan, &source));
	assert_true(decode(decoder, record, 80, 0));
	return decoder->values;
}

static void finishes_by_hand(void **state)
{
	static const struct finish_case cases[] = {
		{EXPR_ADD, 8, false, DATUM_INT, 0x7ffffffffffffffe},
		{EXPR_ADD, 4, false, DATUM_INT, 0xfffffffe},
		{EXPR_ADD, 4, true, DATUM_INT, 0xfffffffffffffffe},
		{EXPR_ADD, 1, false, DATUM_INT, 0xfe},
		{EXPR_SUB, 8, true, DATUM_INT, 0x7ffffffffffffff8},
		{EXPR_MUL, 8, false, DATUM_INT, 0x7ffffffffffffff1},
		{EXPR_AND, 8, false, DATUM_INT, 0x8000000000000003},
		{EXPR_DIV, 8, true, DATUM_INT, 0},
		{EXPR_LT, 4, false, DATUM_INT, 0}, /* signed: -5 > INT64_MIN + 3 */
		{EXPR_GT, 4, false, DATUM_INT, 1},
		{EXPR_SHL, 8, false, DATUM_INT, 0}, /* by more than 63 */
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct datum *datum = decode_finish(*state, &cases[i], 0, 0);

		assert_int_equal(datum->kind, cases[i].kind);
		assert_true(datum->number == cases[i].number);
	}
	assert_int_equal(decode_finish(*state, &cases[0], 0, 4)->kind, DATUM_FAULT);
	assert_int_equal(decode_finish(*state, &cases[0], 3, 3)->kind, DATUM_INT);
}

/* Of by_cpu, the finish of the CPU that the record is from; of a CPU that the plan didn't know, none. */
static void values_by_cpu(void **state)
{
	struct arena *arena = *state;
	uint8_t *record = arena_alloc(arena, 80);
	const struct expr *finishes[] = {
		expr_leaf(arena, EXPR_FETCH, 0),
		expr_leaf(arena, EXPR_FETCH, 2),
		expr_offset(arena, expr_leaf(arena, EXPR_FETCH, 0), 100),
	};
	struct decoder decoder;
	struct probe *probe = arena_new(arena, struct probe);
	struct plan plan = {.probes = probe, .nprobes = 1};
	struct live_event source = {.id = 77, .format = format_text};
	unsigned fetches[] = {0, 2};
	struct value value = {.name = "v", .size = 8, .is_signed = true, .fetches = fetches,
			      .nfetches = 2, .by_cpu = finishes, .ncpus = 3};
	struct fetch named[] = {{.field = "a"}, {.field = "ab"}, {.field = "s"}};
	int32_t a = -5;

	record[0] = 77;
	memcpy(record + 16, &a, 4); /* and s has length 0: a fault, of no other CPU's concern */
	*probe = (struct probe){.kind = PROBE_HIT, .fetches = named, .nfetches = 3, .values = &value,
				.nvalues = 1};
	assert_null(decoder_init(&decoder, arena, &plan, &source));
	for (int cpu = 0; cpu < 4; cpu++) {
		static const enum datum_kind kinds[] = {DATUM_INT, DATUM_FAULT, DATUM_INT, DATUM_NONE};

		decoder.event.cpu = cpu;
		assert_true(decode(&decoder, record, 80, cpu));
		assert_int_equal(decoder.values->kind, kinds[cpu]);
		if (kinds[cpu] == DATUM_INT)
			assert_true((int64_t)decoder.values->number == (cpu ? 95 : -5));
	}
}

static void filters(void **state)
{
	static const struct {
		const char *text;
		bool passes;
	} cases[] = {
		{"n == -1", true}, {"n < 0", true}, {"n > 1", false}, {"u == -1", false},
		{"u > 0xfffffffffffffffe", true}, {"u & 0x10", true}, {"s == \"abc\"", true},
		{"s ~ \"a*\"", true}, {"s != \"ab\"", true}, {"s == \"ab\"", false},
		{"pid == 12 && cpu == 3", true}, {"comm == \"me\"", true},
		/* what is not known is neither so nor not so */
		{"f == 1", false}, {"f != 1", false}, {"!(f == 1)", false},
		{"f == 1 || n == -1", true}, {"f == 1 && n == 7", false},
		{"!(f == 1 && n == 7)", true}, {"!(f == 1 || n == -1)", false},
		{"!(n == 3)", true},
		{"n == -1 && !(f == 7)", false}, {"!(f == 7) && n == -1", false}, {"n == 7 && f == 1 || u > 1", true},
		{"!(f == 1 && n == 7) && n == -1", true}, {"!(n == 7 && f == 1)", true},
		/* what follows a text that was cut, nobody knows */
		{"c == \"abc\"", false}, {"!(c == \"abc\")", false}, {"c != \"abc\"", false}, {"c != \"abx\"", true},
		{"c ~ \"abc*\"", true}, {"c ~ \"abc\"", false}, {"!(c ~ \"abcd*\")", false}, {"!(s ~ \"abcd*\")", true},
	};
	struct value values[] = {{.name = "n", .is_signed = true}, {.name = "u"},
				 {.name = "s", .render = RENDER_STRING}, {.name = "f"},
				 {.name = "c", .render = RENDER_STRING}};
	struct datum data[] = {{.number = (uint64_t)-1}, {.number = (uint64_t)-1},
			       {.kind = DATUM_BYTES, .bytes = "abc", .length = 3},
			       {.kind = DATUM_FAULT},
			       {.kind = DATUM_BYTES, .bytes = "abc", .length = 3, .reason = "cut"}};
	struct probe probe = {.event = "e", .values = values, .nvalues = 5};
	struct event event = {.probe = &probe, .values = data, .pid = 12, .cpu = 3, .comm = "me"};
	const struct test *test;

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_null(filter_parse(*state, cases[i].text, &probe.filter));
		assert_null(filter_compile(*state, &probe, &test));
		if (filter_passes(test, &event) != cases[i].passes)
			fail_msg("%s", cases[i].text);
	}
	assert_null(filter_parse(*state, "zork == 1", &probe.filter));
	assert_non_null(filter_compile(*state, &probe, &test));
}

/* A directory like an instance's, with a page for each CPU, and a clock that says `now`. */
static struct buffers fake_instance(struct arena *arena, struct writer *pages, unsigned ncpus,
				 const char *now)
{
	char *directory = arena_strdup(arena, "/tmp/ktrace-stream.XXXXXX");
	const char *files[][2] = {
		{"per_cpu/cpu0/stats", arena_printf(arena, "entries: 0\noverrun: 3\ncommit overrun: "
						    "1\nnow ts: %s\ndropped events: 2\n", now)},
		{"per_cpu/cpu1/stats", "entries: 0\noverrun: 5\ncommit overrun: 0\ndropped events: 0\n"},
	};
	FILE *file;

	assert_non_null(mkdtemp(directory));
	mkdir(arena_printf(arena, "%s/per_cpu", directory), 0755);
	for (unsigned i = 0; i < ncpus; i++) {
		const char *cpu = arena_printf(arena, "%s/per_cpu/cpu%u", directory, i);

		mkdir(cpu, 0755);
		file = fopen(arena_printf(arena, "%s/trace_pipe_raw", cpu), "w");
		fwrite(pages[i].page, 1, PAGE, file);
		fclose(file);
		fclose(fopen(arena_printf(arena, "%s/stats", cpu), "w"));
	}
	for (unsigned i = 0; i < 2; i++) {
		file = fopen(arena_printf(arena, "%s/%s", directory, files[i][0]), "w");
		fputs(files[i][1], file);
		fclose(file);
	}
	return (struct buffers){
		.directory = directory,
		.header_page = "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
			       "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n",
		.cpu_bytes = 64 << 10,
	};
}

static void put_event(struct writer *w, uint32_t delta)
{
	uint32_t words[16] = {77};

	put_word(w, 16 | delta << 5);
	for (unsigned i = 0; i < 16; i++)
		put_word(w, words[i]);
}

static uint64_t next_time(struct stream *stream)
{
	const struct event *event = stream_next(stream);

	return event ? event->time : 0;
}

/* CPU 0: 1 ms, 3 ms, 9 ms; CPU 1: 2 ms, 8.5 ms; the clock said 10 ms when the reading began. */
static void merged_and_held_back(void **state)
{
	struct writer *pages = arena_array(*state, struct writer, 2);
	struct probe probe = {.kind = PROBE_HIT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};
	struct live_event source = {.id = 77, .format = format_text};
	struct buffers buffers;
	struct stream_counts counts;
	struct stream *stream;

	put_event(&pages[0], 1000000);
	put_event(&pages[0], 2000000);
	put_event(&pages[0], 6500000);
	put_event(&pages[1], 2000000);
	put_event(&pages[1], 6500000);
	buffers = fake_instance(*state, pages, 2, "     0.010000");
	buffers.events = &source;
	assert_null(stream_open(*state, &plan, &buffers, &stream));
	assert_null(stream_read(stream, false));
	assert_int_equal(next_time(stream), 1000000);
	assert_int_equal(next_time(stream), 2000000);
	assert_int_equal(next_time(stream), 3000000);
	assert_int_equal(next_time(stream), 8500000);
	assert_int_equal(next_time(stream), 0); /* 9.5 ms is too near to now */
	assert_null(stream_read(stream, true));
	assert_int_equal(next_time(stream), 9500000);
	assert_int_equal(next_time(stream), 0);
	assert_null(stream_counts(stream, &counts));
	assert_int_equal(counts.read, 5);
	assert_int_equal(counts.lost, 11);
	assert_int_equal(counts.lost_per_cpu[0], 6);
	assert_int_equal(counts.lost_per_cpu[1], 5);
	/* what can't be read is not 0, nor is half of it all */
	assert_int_equal(truncate(arena_printf(*state, "%s/per_cpu/cpu1/stats", buffers.directory), 20), 0);
	assert_non_null(stream_counts(stream, &counts));
	assert_true(counts.lost_is_unknown);
	assert_int_equal(counts.read, 5);
	stream_close(stream);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", buffers.directory)), 0);
}

/* Of many CPUs, with the same times too: those in the order of the CPUs. */
static void many_cpus_in_order(void **state)
{
	enum { CPUS = 13, EVENTS = 50 };
	struct writer *pages = arena_array(*state, struct writer, CPUS);
	struct probe probe = {.kind = PROBE_HIT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};
	struct live_event source = {.id = 77, .format = format_text};
	unsigned seen[CPUS] = {0}, all = 0;
	const struct event *event;
	struct stream *stream;
	struct buffers buffers;
	uint64_t time = 0;
	uint32_t seed = 31;
	int cpu = 0;

	for (unsigned i = 0; i < CPUS; i++)
		for (unsigned n = 0; n < EVENTS - 3 * i; n++, all++)
			put_event(&pages[i], random_next(&seed) % 3);
	buffers = fake_instance(*state, pages, CPUS, "     0.010000");
	buffers.events = &source;
	assert_null(stream_open(*state, &plan, &buffers, &stream));
	assert_null(stream_read(stream, true));
	while ((event = stream_next(stream))) {
		assert_true(event->time > time || (event->time == time && event->cpu >= cpu));
		time = event->time;
		cpu = event->cpu;
		seen[cpu]++;
		all--;
	}
	assert_int_equal(all, 0);
	for (unsigned i = 0; i < CPUS; i++)
		assert_int_equal(seen[i], EVENTS - 3 * i);
	stream_close(stream);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", buffers.directory)), 0);
}

/* Pages that were begun at 1, 5 and 9 ns: those behind the limit stay for the next round. */
static void reads_up_to_a_time(void **state)
{
	struct writer *pages = arena_array(*state, struct writer, 3);
	struct recording recording = {recording_source(1), .pages = {pages}, .npages = {3}};
	struct cpu cpu = {.source = &recording.source, .pages = arena_alloc(*state, 4 * PAGE)};

	for (unsigned i = 0; i < 3; i++) {
		begin_page(&pages[i], 1 + 4 * i);
		put_event(&pages[i], 1);
	}
	assert_null(cpu_read(&cpu, *state, &shape, 1, 100));
	assert_true(cpu.npages == 1 && cpu.is_full && cpu.last_time == 2);
	assert_null(cpu_read(&cpu, *state, &shape, 4, 5));
	assert_true(cpu.npages == 2 && cpu.round == 2 && !cpu.is_full);
	assert_null(cpu_read(&cpu, *state, &shape, 4, 5)); /* it has that page already */
	assert_true(cpu.npages == 2 && cpu.round == 2 && !cpu.is_full);
	assert_null(cpu_read(&cpu, *state, &shape, 4, 6));
	assert_true(cpu.npages == 3 && cpu.round == 3 && !cpu.is_full);
}

/* What comes from elsewhere than a live instance, and has an end: all of it at once, in order, with what was lost;
 * and what can't be read is said. */
static void another_source(void **state)
{
	enum { PAGES = 40 };
	struct recording recording = {recording_source(2), .npages = {PAGES, 1}};
	struct probe probe = {.kind = PROBE_HIT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};
	struct live_event live = {.id = 77, .format = format_text};
	struct buffers buffers = {.events = &live, .cpu_bytes = 1 << 20};
	const struct event *event;
	struct stream_counts counts;
	struct stream *stream;
	unsigned seen = 0, of_five = 0;
	uint64_t last = 0;

	for (unsigned i = 0; i < 2; i++) {
		recording.pages[i] = arena_array(*state, struct writer, PAGES);
		for (unsigned page = 0; page < recording.npages[i]; page++) {
			begin_page(&recording.pages[i][page], 1000 * page + 700 * i);
			put_event(&recording.pages[i][page], 1);
			put_event(&recording.pages[i][page], 500);
		}
	}
	assert_null(stream_over(*state, &plan, &buffers, &recording.source, NULL, &stream));
	assert_null(stream_read(stream, false));
	while ((event = stream_next(stream))) {
		assert_true(event->time > last);
		last = event->time;
		of_five += event->cpu == 5;
		seen++;
	}
	assert_int_equal(seen, 2 * PAGES + 2);
	assert_int_equal(of_five, 2);
	assert_null(stream_counts(stream, &counts));
	assert_int_equal(counts.lost, 7);
	recording.err = EIO;
	assert_non_null(stream_read(stream, false));
	stream_close(stream);
	assert_true(recording.is_closed);
}

/* CPU 0 has more than a batch of old records, CPU 1 a few between them. */
static void round_of_many_batches(void **state)
{
	enum { PAGES = 100 };
	struct writer *pages = arena_array(*state, struct writer, 2);
	struct probe probe = {.kind = PROBE_HIT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};
	struct live_event source = {.id = 77, .format = format_text};
	uint64_t time = 0, next;
	struct stream *stream;
	struct buffers buffers;
	unsigned seen = 0;
	FILE *file;

	for (unsigned i = 0; i < 5; i++)
		put_event(&pages[1], 20300);
	buffers = fake_instance(*state, pages, 2, "     0.010000");
	file = fopen(arena_printf(*state, "%s/per_cpu/cpu0/trace_pipe_raw", buffers.directory), "w");
	put_event(&pages[0], 0);
	for (unsigned i = 0; i < PAGES; i++) {
		begin_page(&pages[0], 1000 * (i + 1));
		fwrite(pages[0].page, 1, PAGE, file);
	}
	fclose(file);
	buffers.events = &source;
	assert_null(stream_open(*state, &plan, &buffers, &stream));
	assert_null(stream_read(stream, false));
	for (; (next = next_time(stream)); time = next, seen++)
		assert_true(next > time);
	assert_int_equal(seen, PAGES + 5);
	stream_close(stream);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", buffers.directory)), 0);
}

/* More than a batch, each page before the last: in no order, but all of it, and it ends. */
static void time_backwards(void **state)
{
	enum { PAGES = 100 };
	struct writer *page = arena_array(*state, struct writer, 2); /* the other CPU has none */
	struct probe probe = {.kind = PROBE_HIT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};
	struct live_event source = {.id = 77, .format = format_text};
	struct stream *stream;
	struct buffers buffers;
	unsigned seen = 0;
	FILE *file;

	put_event(page, 0);
	buffers = fake_instance(*state, page, 2, "     0.010000");
	file = fopen(arena_printf(*state, "%s/per_cpu/cpu0/trace_pipe_raw", buffers.directory), "w");
	for (unsigned i = PAGES; i > 0; i--) {
		begin_page(page, 100000 * i);
		fwrite(page->page, 1, PAGE, file);
	}
	fclose(file);
	buffers.events = &source;
	assert_null(stream_open(*state, &plan, &buffers, &stream));
	for (int final = 0; final < 2; final++) {
		assert_null(stream_read(stream, final));
		while (next_time(stream))
			seen++;
	}
	assert_int_equal(seen, PAGES);
	stream_close(stream);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", buffers.directory)), 0);
}

/* The planned way to a number and the general one: any size and sign, records cut short too. */
static void planned_numbers(void **state)
{
	static const char *const names[] = {"a", "s", "long", "ab", "common_type", "b"};
	uint32_t seed = 4711;
	unsigned planned = 0;

	for (unsigned round = 0; round < 6 * 9 * 2 * 2 * 20; round++) {
		struct fetch fetches[] = {{.field = names[round % 6]}, {.field = "s"}};
		unsigned number = 0;
		struct value value = {.name = "v", .size = (uint8_t)(round / 6 % 9),
				      .is_signed = round / 54 % 2, .fetches = &number, .nfetches = 1};
		struct probe probe = {.kind = PROBE_HIT, .fetches = fetches, .nfetches = 2,
				      .values = &value, .nvalues = 1};
		struct plan plan = {.probes = &probe, .nprobes = 1};
		struct live_event source = {.id = 77, .format = format_text};
		struct decoder decoder;
		struct datum other;
		uint8_t record[80];

		fetches[0].guards[0] = round / 108 % 2 ? 2 : 0;
		for (unsigned i = 0; i < sizeof(record); i++)
			record[i] = (uint8_t)random_next(&seed);
		record[0] = 77;
		record[1] = 0;
		assert_null(decoder_init(&decoder, *state, &plan, &source));
		assert_true(decode(&decoder, record, 8 + random_next(&seed) % 73, 0));
		planned += decoder.layouts->plains->is_plain;
		value_decode(&decoder, &value, &other);
		assert_int_equal(decoder.values->kind, other.kind);
		if (other.kind == DATUM_INT)
			assert_true(decoder.values->number == other.number);
	}
	assert_true(planned > 100);
}

static void long_formats(void **state)
{
	enum { LINES = 5000 };
	struct format format;
	struct strbuf text;
	struct field field;

	strbuf_init(&text);
	strbuf_puts(&text, "name: long\nID: 7\nformat:\n\tfield:int common_pid;\toffset:0;\tsize:4;\tsigned:1;\n\n");
	for (int i = 0; i < LINES; i++)
		strbuf_printf(&text, "\tfield:unsigned long f%d;\toffset:%d;\tsize:8;\tsigned:0;\n", i, 8 * i);
	assert_null(format_read(*state, text.data, &format));
	strbuf_deinit(&text);
	format_field(&format, "f4999", &field);
	assert_int_equal(field.kind, FIELD_INT);
	assert_int_equal(field.offset, 8 * 4999);
}

/* Fields behind a line that libtraceevent doesn't know are not there for it: an error, not a shorter record. */
static void a_line_that_is_not_understood(void **state)
{
	static const char text[] = "name: odd\nID: 7\nformat:\n"
		"\tfield:int common_pid;\toffset:0;\tsize:4;\tsigned:1;\n\n"
		"\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:int b{2};\toffset:12;\tsize:4;\tsigned:1;\n"
		"\tfield:int c;\toffset:16;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"\"\n";
	struct tracepoint tracepoint = {.system = "s", .event = "odd", .format = text};
	struct format format;

	assert_non_null(format_read(*state, text, &format));
	assert_non_null(format_describe(*state, &tracepoint));
}

static void put(struct keeper *keeper, unsigned probe, int owner, uint64_t frame, bool is_more, uint8_t byte)
{
	const struct kept_key key = {probe, owner, frame};

	keeper_put(keeper, &key, is_more, &byte, 1, byte);
}

/* The byte that is kept; -1: nothing. */
static int got(struct keeper *keeper, unsigned probe, int owner, uint64_t frame)
{
	const struct kept_key key = {probe, owner, frame};
	const struct kept *kept = keeper_get(keeper, &key);

	return kept ? kept->data[0] : -1;
}

static void drop(struct keeper *keeper, unsigned probe, int owner, uint64_t frame)
{
	const struct kept_key key = {probe, owner, frame};

	keeper_drop(keeper, &key);
}

static void records_are_kept_by_probe_thread_and_frame(void **state)
{
	struct keeper *keeper = keeper_new(*state);

	put(keeper, 1, 12, 0x1000, true, 1);
	put(keeper, 2, 12, 0x1000, true, 2);
	put(keeper, 1, 13, 0x1000, true, 3);
	put(keeper, 1, 12, 0x2000, true, 4);
	assert_int_equal(got(keeper, 1, 12, 0x1000), 1);
	assert_int_equal(got(keeper, 2, 12, 0x1000), 2);
	assert_int_equal(got(keeper, 1, 13, 0x1000), 3);
	assert_int_equal(got(keeper, 1, 12, 0x2000), 4);
	assert_int_equal(got(keeper, 1, 14, 0x1000), -1);
	assert_int_equal(got(keeper, 1, 12, 0x3000), -1);
	assert_int_equal(got(keeper, 3, 12, 0x1000), -1);
	drop(keeper, 1, 12, 0x1000);
	assert_int_equal(got(keeper, 1, 12, 0x1000), -1);
	assert_int_equal(got(keeper, 1, 13, 0x1000), 3);
	keeper_forget(keeper);
	assert_int_equal(got(keeper, 2, 12, 0x1000), -1);
	assert_int_equal(got(keeper, 1, 12, 0x2000), -1);
	keeper_free(keeper);
}

/* Calls that end with a jump to the next share a frame; their ends are told last first. Of more than eight
 * nothing is known, until the first of the frame's next calls. */
static void a_chain_of_calls(void **state)
{
	struct keeper *keeper = keeper_new(*state);

	for (uint8_t i = 1; i <= 8; i++)
		put(keeper, 1, 12, 0x1000, true, i);
	for (int i = 8; i > 0; i--) {
		assert_int_equal(got(keeper, 1, 12, 0x1000), i);
		drop(keeper, 1, 12, 0x1000);
	}
	assert_int_equal(got(keeper, 1, 12, 0x1000), -1);
	for (uint8_t i = 1; i <= 9; i++)
		put(keeper, 1, 12, 0x1000, true, i);
	for (int i = 0; i < 9; i++) {
		assert_int_equal(got(keeper, 1, 12, 0x1000), -1);
		drop(keeper, 1, 12, 0x1000);
	}
	put(keeper, 1, 12, 0x1000, true, 77);
	assert_int_equal(got(keeper, 1, 12, 0x1000), 77);
	/* where calls share no frame, the last one's record is in the place of the one before */
	put(keeper, 2, 12, 0x1000, false, 1);
	put(keeper, 2, 12, 0x1000, false, 2);
	assert_int_equal(got(keeper, 2, 12, 0x1000), 2);
	drop(keeper, 2, 12, 0x1000);
	assert_int_equal(got(keeper, 2, 12, 0x1000), -1);
	keeper_free(keeper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(records_are_kept_by_probe_thread_and_frame, setup, teardown),
		cmocka_unit_test_setup_teardown(a_chain_of_calls, setup, teardown),
		cmocka_unit_test_setup_teardown(recorded_pages_agree_with_kbuffer, setup, teardown),
		cmocka_unit_test_setup_teardown(every_kind_of_record, setup, teardown),
		cmocka_unit_test_setup_teardown(spoilt_pages_do_no_harm, setup, teardown),
		cmocka_unit_test_setup_teardown(noise_does_no_harm, setup, teardown),
		cmocka_unit_test_setup_teardown(fields_of_a_format, setup, teardown),
		cmocka_unit_test_setup_teardown(finishes_by_hand, setup, teardown),
		cmocka_unit_test_setup_teardown(values_by_cpu, setup, teardown),
		cmocka_unit_test_setup_teardown(filters, setup, teardown),
		cmocka_unit_test_setup_teardown(merged_and_held_back, setup, teardown),
		cmocka_unit_test_setup_teardown(many_cpus_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_up_to_a_time, setup, teardown),
		cmocka_unit_test_setup_teardown(another_source, setup, teardown),
		cmocka_unit_test_setup_teardown(round_of_many_batches, setup, teardown),
		cmocka_unit_test_setup_teardown(time_backwards, setup, teardown),
		cmocka_unit_test_setup_teardown(planned_numbers, setup, teardown),
		cmocka_unit_test_setup_teardown(long_formats, setup, teardown),
		cmocka_unit_test_setup_teardown(a_line_that_is_not_understood, setup, teardown),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
