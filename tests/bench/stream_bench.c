// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stream/ and sink/ cost for each event, without a kernel: pages of two CPUs are made up, with
 * events of one u64 and the comm 300 ns apart, and read from files as a live trace's are.
 *
 *	stream_bench [-j] [-o] [-t | -3] [-p] [-a COLUMNS] [-n NAMES] [ROUNDS]
 *
 * -p each event ends a pair that an earlier one of the same number began, 5000 waiting at a time,
 * and begins one; -a a table, of 'count() by comm' or 'hist(count)' for example; -n the events are
 * of so many comms in turn; -j JSON; -o the text goes to standard output instead of nowhere, once;
 * -t records of a tracepoint, which have no comm; -3 such records with three numbers, as
 * write(2)'s. Prints ns of CPU time per event. A file's pages are there at once, so what is told is
 * without waiting and without the kernel's own work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sink/sink.h"
#include "spec/spec.h"
#include "stream/stream.h"

#define CPUS 2u
#define PAGES 2000u
#define PAGE 4096u
#define HEAD 16u
#define EVENT_ID 1234

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
#define FORMAT(name, fields) \
	"name: " name "\nID: 1234\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" fields \
	"\nprint fmt: \"%llu\", REC->count\n"
static const char kprobe[] = FORMAT("vfs_write",
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 count;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] __comm;\toffset:24;\tsize:4;\tsigned:1;\n");
static const char tracepoint[] = FORMAT("vfs_write",
	"\tfield:size_t count;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * buf;\toffset:24;\tsize:8;\tsigned:0;\n");

struct bench {
	char directory[64];
	const struct sink *sink;
	bool is_tracepoint;
	bool has_three; /* numbers: fd, buf, count */
	bool is_shown;
	bool is_pair;
	const char *columns; /* NULL: each event is printed */
	unsigned names;
};

static void write_file(const struct bench *bench, const char *name, const void *data, size_t size)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", bench->directory, name);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		perror(path), exit(1);
}

/* An event's payload; its length. */
static uint32_t put_record(const struct bench *bench, uint8_t *to, uint64_t number)
{
	const uint16_t type = EVENT_ID;
	const int32_t pid = bench->is_tracepoint ? (int32_t)getpid() : 92592;
	const uint64_t ip = 0xffffffff81234567;
	const uint32_t comm = 4u << 16 | 28;
	const unsigned name = (unsigned)(number % bench->names);
	const uint64_t fd = 1, buf = 0x5561d8d93000;
	const char text[4] = {(char)('a' + name / 676 % 26), (char)('a' + name / 26 % 26),
			      (char)('a' + name % 26)};

	memset(to, 0, 40);
	memcpy(to, &type, 2);
	memcpy(to + 4, &pid, 4);
	memcpy(to + (bench->is_tracepoint ? 32 : 16), &number, 8);
	if (bench->is_tracepoint) {
		memcpy(to + 16, &fd, 8);
		memcpy(to + 24, &buf, 8);
		return 40;
	}
	memcpy(to + 8, &ip, 8);
	memcpy(to + 24, &comm, 4);
	memcpy(to + 28, text, 4);
	return 32;
}

static uint64_t put_page(const struct bench *bench, uint8_t *page, uint64_t *time)
{
	uint64_t n = 0, used = HEAD;

	memset(page, 0, PAGE);
	memcpy(page, time, 8);
	for (; used + 44 <= PAGE; n++) {
		uint32_t length = put_record(bench, page + used + 4, 1 + (*time / 300) % 5000);
		uint32_t head = length / 4 | (n ? 300u : 0u) << 5;

		memcpy(page + used, &head, 4);
		used += 4 + length;
		*time += n ? 300 : 0;
	}
	used -= HEAD;
	memcpy(page + 8, &used, 8);
	*time += 300;
	return n;
}

/* All that stream_open asks of an instance; the number of events. */
static uint64_t make_instance(const struct bench *bench)
{
	static uint8_t pages[PAGES][PAGE];
	uint64_t events = 0;
	char path[128];
	static const char *const folders[] = {"per_cpu", "per_cpu/cpu0", "per_cpu/cpu1"};

	for (unsigned i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", bench->directory, folders[i]);
		mkdir(path, 0700);
	}
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		uint64_t time = 87585288990123u + cpu * 150;

		for (unsigned i = 0; i < PAGES; i++)
			events += put_page(bench, pages[i], &time);
		snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", cpu);
		write_file(bench, path, pages, sizeof(pages));
		snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
		write_file(bench, path, "\noverrun: 0\n", 12);
	}
	return events;
}

/* The probe's one number is what the start has, and what both are joined by. */
static void make_pair(struct arena *arena, struct probe *probe, struct plan *plan)
{
	const struct spec *spec = probe->spec;
	struct value *number = probe->values;
	struct pair *pair = arena_new(arena, struct pair);
	const struct value duration = {
		.name = "duration",
		.render = RENDER_UNSIGNED,
		.size = 8,
		.is_between = true,
		.finish_text = "",
	};

	probe->starts = number;
	probe->nstarts = 1;
	probe->pair = 1;
	probe->nvalues = spec->nwants;
	probe->values = arena_array(arena, struct value, spec->nwants);
	for (unsigned i = 0; i < spec->nwants; i++)
		probe->values[i] = strcmp(spec->wants[i].base, DURATION) ? *number : duration;
	*pair = (struct pair){
		.pairing = spec->pairing,
		.title = "",
		.is_one_place = true,
		.values = number,
		.nvalues = 1,
	};
	plan->pairs = pair;
	plan->npairs = 1;
}

static void make_plan(struct arena *arena, const struct bench *bench, struct plan *ret)
{
	static const struct value numbers[] = {
		{.name = "fd", .render = RENDER_UNSIGNED, .size = 4, .finish_text = ""},
		{.name = "buf", .render = RENDER_HEX, .size = 8, .finish_text = ""},
		{.name = "count", .render = RENDER_UNSIGNED, .size = 8, .finish_text = ""},
	};
	const unsigned count = bench->has_three ? 3 : 1;
	struct probe *probe = arena_new(arena, struct probe);
	struct site *site = arena_new(arena, struct site);
	const char *text = arena_printf(arena, "vfs_write count %s %s", bench->columns ?: "",
					bench->is_pair ? "on count" : "");
	struct error *error;

	if (bench->is_pair)
		text = arena_printf(arena, "vfs_write count -> %s", text);
	error = spec_parse(arena, text, (struct spec **)&probe->spec);
	if (error)
		fprintf(stderr, "%s\n", error->message), exit(1);
	site->shown_symbol = site->function = "vfs_write";
	probe->fetches = arena_array(arena, struct fetch, count);
	probe->values = arena_array(arena, struct value, count);
	for (unsigned i = 0; i < count; i++) {
		unsigned *fetches = arena_array(arena, unsigned, 1);

		*fetches = i;
		probe->values[i] = numbers[3 - count + i];
		probe->values[i].fetch = i;
		probe->values[i].fetches = fetches;
		probe->values[i].nfetches = 1;
		probe->fetches[i] = (struct fetch){.field = probe->values[i].name};
	}
	probe->nfetches = probe->nvalues = count;
	probe->kind = bench->is_tracepoint ? PROBE_TRACEPOINT : PROBE_HIT;
	probe->group = "probe";
	probe->event = "vfs_write";
	probe->site = site;
	*ret = (struct plan){.probes = probe, .nprobes = 1};
	if (bench->is_pair)
		make_pair(arena, probe, ret);
}

static uint64_t drain(const struct bench *bench, struct stream *stream,
		      struct printer *printer, struct tables *tables, struct strbuf *out)
{
	const struct table_end end = {.is_final = true};
	const struct event *event;
	uint64_t events = 0;

	while ((event = stream_next(stream))) {
		events++;
		if (tables) {
			tables_event(tables, event);
			continue;
		}
		printer_event(printer, out, event);
		if (out->length < 1 << 20)
			continue;
		if (bench->is_shown)
			fwrite(out->data, 1, out->length, stdout);
		out->length = 0;
	}
	if (tables)
		tables_show(tables, out, false, &end);
	if (bench->is_shown)
		fwrite(out->data, 1, out->length, stdout);
	out->length = 0;
	return events;
}

static uint64_t one_round(const struct bench *bench, struct strbuf *out)
{
	const struct live_event event = {
		.id = EVENT_ID, .format = bench->is_tracepoint ? tracepoint : kprobe};
	const struct buffers buffers = {
		.directory = bench->directory,
		.header_page = header_page,
		.cpu_bytes = 8 << 20,
		.events = &event,
	};
	struct wall_clock clock = {.wall = 1700000000000000000};
	const char *const builds[] = {"0123456789abcdef0123456789abcdef01234567"};
	const struct origin origin = {.host = "host", .builds = builds, .clock = &clock};
	const struct sink_context context = {.origin = &origin};
	const struct table_options options = {.keys = 100000, .top = 20, .width = 80};
	struct tables *tables = NULL;
	struct printer *printer;
	struct stream *stream;
	struct error *error;
	struct arena arena;
	struct plan plan;
	uint64_t events;

	arena_init(&arena);
	make_plan(&arena, bench, &plan);
	printer = printer_new(&arena, bench->sink, &plan, &context);
	error = stream_open(&arena, &plan, &buffers, &stream);
	if (!error && bench->columns)
		error = tables_new(&arena, &plan, &context, &options, &tables);
	if (!error)
		error = stream_read(stream, true);
	if (error)
		fprintf(stderr, "%s\n", error->message), exit(1);
	events = drain(bench, stream, printer, tables, out);
	tables_free(tables);
	stream_close(stream);
	arena_deinit(&arena);
	return events;
}

static double cpu_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void remove_instance(const struct bench *bench)
{
	static const char *const names[] = {
		"per_cpu/cpu0/trace_pipe_raw", "per_cpu/cpu0/stats", "per_cpu/cpu1/trace_pipe_raw",
		"per_cpu/cpu1/stats", "per_cpu/cpu0", "per_cpu/cpu1", "per_cpu",
		"events/header_page", "events", "buffer_size_kb", ""};
	char path[256];

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", bench->directory, names[i]);
		remove(path);
	}
}

int main(int argc, char **argv)
{
	struct bench bench = {
		.directory = "/tmp/stream_bench.XXXXXX", .sink = &sink_text, .names = 1};
	struct strbuf out = {0};
	uint64_t events, seen = 0;
	int rounds, option;
	double start;

	while ((option = getopt(argc, argv, "jot3pa:n:")) != -1) {
		bench.is_pair = bench.is_pair || option == 'p';
		if (option == 'j')
			bench.sink = &sink_json;
		bench.columns = option == 'a' ? optarg : bench.columns;
		bench.names = option == 'n' ? (unsigned)atoi(optarg) : bench.names;
		bench.is_shown = bench.is_shown || option == 'o';
		bench.has_three = bench.has_three || option == '3';
		bench.is_tracepoint = bench.is_tracepoint || option == 't' || option == '3';
	}
	rounds = bench.is_shown ? 1 : argv[optind] ? atoi(argv[optind]) : 10;
	if (!mkdtemp(bench.directory))
		return 1;
	events = make_instance(&bench) * (uint64_t)rounds;
	start = cpu_seconds();
	for (int i = 0; i < rounds; i++)
		seen += one_round(&bench, &out);
	fprintf(stderr, "%s: %.1f ns/event, %llu of %llu events\n",
		bench.columns ?: bench.sink->name,
		(cpu_seconds() - start) * 1e9 / (double)seen, (unsigned long long)seen,
		(unsigned long long)events);
	remove_instance(&bench);
	strbuf_deinit(&out);
	return seen != (bench.is_pair ? events - (uint64_t)rounds * 5000 : events);
}
