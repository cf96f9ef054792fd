// SPDX-License-Identifier: GPL-2.0-only
/*
 * names_test VMLINUX DIRECTORY SEED QUESTIONS: names chosen at random, asked of ktrace's debuginfo/ in
 * five ways (no index, a cold one, a warm one, many at once, one by one), compared with what libdw's
 * plain walk found (plain.c). The index goes to DIRECTORY; names of functions go to DIRECTORY.functions.
 */
#include <err.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/search/search.h"
#include "plain.h"
#include "target/target.h"

#define SHORTEST   3    /* shorter names are said to be everywhere */
#define COPIES     1500 /* as many are asked for their functions, too */
#define NARROW     3    /* candidates: a name of more takes long... */
#define WIDE       8    /* ...and so few of those are asked */
#define SESSION    10000 /* names that one run asks for */
#define ALONE      60 
#define INDEX_MAX  (4 << 20)
#define GLOBS      30 /* each is a search of its own; of those with an index, a third */
#define FILLING    20000 /* questions that fill the index */

struct question {
	char *name;
	uint64_t units;  /* a hash of the answer without an index */
	uint64_t copies; /* the same; 0: not asked */
};

struct test {
	struct plain plain;
	struct question *questions;
	size_t count;
	const char *path;
	const char *index; /* NULL: none */
	unsigned passed;
	unsigned failed;
	size_t said, wanted; /* units: candidates, and those that have the name */
	size_t recalled;
	size_t nasked, ncopies;
	size_t nwide;
	uint64_t random;
};

static uint64_t random_of(struct test *test, uint64_t below)
{
	test->random ^= test->random << 13;
	test->random ^= test->random >> 7;
	test->random ^= test->random << 17;
	return test->random % below;
}

static void report(struct test *test, size_t bad, const char *what)
{
	printf("%s %s\n", bad ? "not ok" : "ok", what);
	fflush(stdout);
	test->passed += !bad;
	test->failed += !!bad;
}

/* A few are shown: the first says enough. */
static size_t wrong(size_t before, const char *name, const char *what)
{
	if (before < 5)
		printf("# '%s': %s\n", name, what);
	return 1;
}

/* --- questions */

static char **symbols(Dwarf *dwarf, size_t *count)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *section = NULL;
	char **ret = NULL;

	*count = 0;
	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Shdr header;
		GElf_Sym symbol;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		ret = calloc(header.sh_size / header.sh_entsize, sizeof(*ret));
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (name && *name)
				ret[(*count)++] = name;
		}
		return ret;
	}
	return ret;
}

static const char *any_name(struct test *test)
{
	for (;;) {
		const char *text = test->plain.table[random_of(test, test->plain.size)].text;

		if (text)
			return text;
	}
}

static char *made_up(struct test *test)
{
	char *name = strdup(any_name(test));

	name[random_of(test, strlen(name))] = (char)('a' + random_of(test, 26));
	return name;
}

static char *question(struct test *test, char **of_elf, size_t nsymbols)
{
	const struct plain *plain = &test->plain;
	const char *name;

	switch (random_of(test, 10)) {
	case 0: case 1: case 2: case 3:
		return strdup(plain->functions[random_of(test, plain->nfunctions)]);
	case 4:
		return strdup(of_elf[random_of(test, nsymbols)]);
	case 5: case 6: case 7:
		return strdup(any_name(test));
	case 8:
		name = any_name(test);
		return strdup(name + random_of(test, strlen(name)));
	default:
		return made_up(test);
	}
}

static void ask(struct test *test)
{
	size_t nsymbols;
	char **of_elf = symbols(test->plain.dwarf, &nsymbols);

	for (size_t i = 0; i < test->count;) {
		char *name = question(test, of_elf, nsymbols);

		if (is_glob(name) || strstr(name, "::")) /* they mean something */
			free(name);
		else
			test->questions[i++].name = name;
	}
	free(of_elf);
}

static void shuffle(struct test *test)
{
	for (size_t i = test->count - 1; i; i--) {
		size_t other = random_of(test, i + 1);
		struct question swapped = test->questions[i];

		test->questions[i] = test->questions[other];
		test->questions[other] = swapped;
	}
}

/* --- answers */

struct source {
	struct arena arena;
	struct target *target;
	struct debuginfo *base;
	struct dwarf_info *info;
};

static void source_open(struct test *test, struct source *source)
{
	struct error *error;

	arena_init(&source->arena);
	error = target_open_kernel(&source->arena, test->path, NULL, false, &source->target);
	if (!error)
		error = dwarf_open(&source->arena, source->target, test->index, NULL, 0, &source->base);
	if (error)
		errx(2, "%s: %s", test->path, error->message);
	source->info = dwarf_info(source->base);
}

static void source_close(struct source *source)
{
	source->base->ops->close(source->base);
	target_close(source->target);
	arena_deinit(&source->arena);
}

static uint64_t mix(uint64_t value, uint64_t more)
{
	value = (value ^ more) * 0x9e3779b97f4a7c15u;
	return value ^ value >> 31;
}

static size_t check_list(struct test *test, const struct source *source)
{
	size_t bad = source->info->nunits != test->plain.nunits;

	for (size_t i = 0; i < test->plain.nunits && !bad; i++)
		bad = source->info->units[i].start != test->plain.units[i];
	return bad;
}

/* Never too little. */
static size_t check_units(struct test *test, const struct source *source, struct question *question,
			  size_t *nunits)
{
	const struct plain_name *truth = plain_named(&test->plain, question->name);
	const struct unit *units = source->info->units;
	uint64_t answer = 1;
	size_t count = 0;

	source->base->ops->begin(source->base);
	candidate_units(source->info, question->name);
	for (size_t i = 0; i < source->info->nunits; i++)
		if (units[i].is_candidate) {
			answer = mix(answer, i);
			count++;
		}
	*nunits = count;
	for (size_t i = 0; truth && i < truth->nunits; i++)
		if (!units[truth->units[i]].is_candidate)
			return wrong(0, question->name, "a unit that has it is no candidate");
	if (question->units && question->units != answer)
		return wrong(0, question->name, "other candidates than before");
	question->units = answer;
	if (strlen(question->name) >= SHORTEST) {
		test->said += count;
		test->wanted += truth ? truth->nunits : 0;
	}
	return 0;
}

static int by_source(const void *left, const void *right)
{
	uint64_t a = (*(struct instance *const *)left)->source;
	uint64_t b = (*(struct instance *const *)right)->source;

	return (a > b) - (a < b);
}

static int by_die(const void *left, const void *right)
{
	const struct plain_copy *a = left, *b = right;

	return (a->die > b->die) - (a->die < b->die);
}

/* Just the copies there are. */
static size_t check_copies(struct test *test, const struct source *source, struct question *question,
			   size_t nunits)
{
	const struct plain_name *name = plain_named(&test->plain, question->name);
	struct instance **found;
	struct plain_copy *truth;
	uint64_t answer = 1;
	unsigned count;
	size_t wanted;
	bool same;

	if (nunits > NARROW && ++test->nwide > WIDE)
		return 0;
	test->nasked++;
	if (debuginfo_instances(source->base, question->name, &found, &count))
		return wrong(0, question->name, "an error");
	plain_copies(&test->plain, name, &truth, &wanted);
	if (count)
		qsort(found, count, sizeof(*found), by_source);
	if (wanted)
		qsort(truth, wanted, sizeof(*truth), by_die);
	same = count == wanted;
	for (unsigned i = 0; i < count && same; i++) {
		same = found[i]->source == truth[i].die &&
		       found[i]->function->source == truth[i].origin &&
		       found[i]->entry == truth[i].entry + source->info->bias;
		answer = mix(mix(answer, found[i]->source), found[i]->entry);
	}
	free(truth);
	test->ncopies += wanted;
	if (!same)
		return wrong(0, question->name, "not the copies of the plain walk");
	if (question->copies && question->copies != answer)
		return wrong(0, question->name, "other copies than before");
	question->copies = answer;
	return 0;
}

static void expect(const struct source *source, const struct question *questions, size_t count)
{
	const char **names = calloc(count, sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = questions[i].name;
	expect_names(source->info, names, (unsigned)count);
	free(names);
}

/* One run of ktrace's: `count` questions, `batch` at a time. */
static size_t run(struct test *test, size_t first, size_t count, size_t batch, size_t ncopies)
{
	struct source source;
	size_t bad;

	source_open(test, &source);
	bad = check_list(test, &source);
	if (bad)
		wrong(0, "", "not the units of the plain walk");
	for (size_t at = first; at < first + count && bad < 5; at++) {
		size_t left = first + count - at, nunits;

		if (batch && !((at - first) % batch))
			expect(&source, test->questions + at, left < batch ? left : batch);
		bad += check_units(test, &source, &test->questions[at], &nunits);
		if (at - first < ncopies)
			bad += check_copies(test, &source, &test->questions[at], nunits);
	}
	for (const struct searched *at = source.info->searched; at; at = at->next)
		test->recalled += at->is_recalled;
	source_close(&source);
	return bad;
}

static size_t run_all(struct test *test, size_t batch, size_t ncopies)
{
	size_t bad = 0, sessions = (test->count + SESSION - 1) / SESSION;

	for (size_t at = 0; at < test->count && !bad; at += SESSION)
		bad = run(test, at, test->count - at < SESSION ? test->count - at : SESSION, batch,
			  ncopies / sessions);
	return bad;
}

static off_t index_size(const char *index, const struct test *test)
{
	struct source source;
	struct stat status;
	char path[4096];

	source_open(&(struct test){.path = test->path}, &source);
	snprintf(path, sizeof(path), "%s/%s.names", index, source.target->build_id);
	source_close(&source);
	return stat(path, &status) ? 0 : status.st_size;
}

static void write_functions(struct test *test, const char *directory)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s.functions", directory);
	file = fopen(path, "we");
	for (unsigned i = 0; file && i < 1000; i++)
		fprintf(file, "%s\n", test->plain.functions[random_of(test, test->plain.nfunctions)]);
	if (!file || fclose(file))
		err(2, "%s", path);
}

#define BORDER ((size_t)256 << 10) /* search/scan.c's windows are a multiple of it */
#define PLACES (72 * BORDER + 13)

static void count_hit(void *cookie, const struct pattern *pattern, size_t at)
{
	(void)pattern;
	(void)at;
	__atomic_fetch_add((size_t *)cookie, 1, __ATOMIC_RELAXED);
}

/* One word, at each place around each border in turn: found once, whatever is searched for with it. */
static size_t check_borders(void)
{
	uint8_t *bytes = calloc(1, PLACES);
	size_t bad = 0;

	for (size_t npatterns = 1; npatterns <= 6; npatterns += npatterns < 4 ? 1 : 2) {
		struct pattern patterns[6];

		for (size_t i = 0; i < npatterns; i++)
			patterns[i] = (struct pattern){.word = 0x00a1b2c3 + (uint32_t)i};
		for (size_t shift = 0; shift < 12; shift++) {
			size_t found = 0, planted = 0;

			memset(bytes, 0, PLACES);
			for (size_t at = BORDER - 6 + shift; at + 4 <= PLACES; at += BORDER)
				memcpy(bytes + at, &patterns[0].word, 4);
			memcpy(bytes + PLACES - 4, &patterns[0].word, 4);
			for (size_t at = 0; at + 4 <= PLACES; at++)
				planted += !memcmp(bytes + at, &patterns[0].word, 4);
			scan_run(&(struct scan){.bytes = bytes, .size = PLACES,
				.patterns = patterns, .npatterns = npatterns, .hit = count_hit,
				.cookie = &found});
			bad += found != planted;
		}
	}
	free(bytes);
	return bad;
}

/* Asked without an index; with one that doesn't know them yet; and with one that does. */
static void run_files(struct test *test, const char *directory)
{
	static const char *const files_of[] = {"units with lines of a file", "the same, with a cold index", "the same, with a warm one"};
	static const char *const globs_of[] = {"units with names of a glob", "the same, with a cold index", "the same, with a warm one"};
	struct files *files = NULL;

	for (unsigned round = 0; round < 3; round++) {
		struct source source;

		test->index = round ? directory : NULL;
		source_open(test, &source);
		if (!files)
			files_read(&files, test->plain.dwarf, source.info, test->random);
		report(test, files_check(files, source.info), files_of[round]);
		report(test, globs_check(&test->plain, source.info, round ? GLOBS / 3 : GLOBS, test->random), globs_of[round]);
		source_close(&source);
	}
}

static void lap(const char *what)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	if (getenv("LAPS"))
		printf("# %ld.%02ld %s\n", (long)now.tv_sec % 1000, now.tv_nsec / 10000000, what);
}

int main(int argc, char **argv)
{
	struct test test = {0};
	size_t bad;
	off_t size;

	if (argc != 5)
		errx(2, "usage: names_test VMLINUX DIRECTORY SEED QUESTIONS");
	test.path = argv[1];
	test.random = strtoull(argv[3], NULL, 10) * 0x9e3779b97f4a7c15u | 1;
	test.count = strtoul(argv[4], NULL, 10);
	test.questions = calloc(test.count, sizeof(*test.questions));
	setvbuf(stdout, NULL, _IOLBF, 0);
	report(&test, check_borders(), "words around the borders of windows and slices");
	lap("start");
	plain_walk(&test.plain, test.path);
	lap("walk");
	write_functions(&test, argv[2]);
	ask(&test);
	report(&test, run_all(&test, 5000, COPIES * 2), "without an index: what the plain walk found");
	printf("# %zu DIEs, %zu units, %zu names; asked: %zu names (%zu units have them, %zu are "
	       "candidates), %zu of them for functions (%zu copies; %zu split halves left out of all)\n",
	       test.plain.ndies, test.plain.nunits, test.plain.nnames, test.count, test.wanted, test.said,
	       test.nasked, test.ncopies, test.plain.nsplit);
	report(&test, test.nasked < COPIES * 3 / 4 || !test.ncopies, "enough were asked");
	report(&test, test.said > 2 * test.wanted, "candidates are few");
	lap("none");
	report(&test, run(&test, random_of(&test, test.count - ALONE), ALONE, 0, ALONE),
	       "one at a time: the same");
	report(&test, run(&test, random_of(&test, test.count - 5 * ALONE), 5 * ALONE, 50, 0),
	       "in small batches: the same");
	lap("alone");
	shuffle(&test);
	test.index = argv[2];
	test.recalled = test.nwide = 0;
	report(&test, run_all(&test, 10000, 100), "a cold index, in other batches: the same");
	lap("cold");
	shuffle(&test);
	test.recalled = test.nwide = 0;
	bad = run_all(&test, 4000, 100);
	report(&test, bad, "a warm index, in others: the same");
	report(&test, test.recalled < test.count / 4, "it knew a quarter of them, or more");
	size = index_size(argv[2], &test);
	printf("# %zu recalled, the index has %ld bytes\n", test.recalled, (long)size);
	report(&test, size > INDEX_MAX || (test.count >= FILLING && size < INDEX_MAX / 2),
	       "the index is bounded");
	lap("warm");
	run_files(&test, argv[2]);
	lap("files");
	printf("%u passed, %u failed\n", test.passed, test.failed);
	return test.failed || !test.passed;
}
