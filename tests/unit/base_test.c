// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property: what base/ has once for all (search in a list, and by hash, LEB128, edit distance, whole files,
 * /proc/kallsyms, JSON) says what a plain reference says of the same: bsearch(3) and a count, a walk through all, an
 * encoder, the recursion that defines a distance, what was written, a writer that counts its commas.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/distance.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/granules.h"
#include "base/json.h"
#include "base/kallsyms.h"
#include "base/leb.h"
#include "base/lookup.h"
#include "base/search.h"

#define CASES 100000

static uint64_t random_state = 88172645463325252u;
static unsigned passed, failed;

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static unsigned below(unsigned limit)
{
	return (unsigned)(draw() >> 20) % limit;
}

static void report(const char *name, unsigned wrong)
{
	printf("%s %s\n", wrong ? "not ok" : "ok", name);
	passed += !wrong;
	failed += !!wrong;
}

static int int_compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void check_search(void)
{
	unsigned wrong = 0;

	for (unsigned n = 0; n < CASES; n++) {
		int list[64], wanted = (int)below(40);
		unsigned count = below(65), smaller = 0;
		size_t first;

		for (unsigned i = 0; i < count; i++)
			list[i] = (int)below(40);
		qsort(list, count, sizeof(*list), int_compare);
		for (unsigned i = 0; i < count; i++)
			smaller += list[i] < wanted;
		first = partition_point(count, i, list[i] < wanted);
		wrong += first != smaller;
		wrong += (first < count && list[first] == wanted) !=
			 !!bsearch(&wanted, list, count, sizeof(*list), int_compare);
	}
	report("partition_point: as a count of the smaller ones, and bsearch(3), have it", wrong);
}

/* Small numbers share lists with others, and ranges of a few granules and of more than there are
 * lists are asked for. */
static void check_granules(void)
{
	enum { ELEMENTS = 200, BITS = 4 };
	unsigned wrong = 0;

	for (unsigned n = 0; n < CASES / 20; n++) {
		struct granules granules = {0};
		uint64_t list[ELEMENTS], start, end;
		unsigned inside = 0, found = 0;
		struct arena arena;

		arena_init(&arena);
		granules_init(&granules, &arena, BITS, ELEMENTS);
		for (uint32_t i = 0; i < ELEMENTS; i++) {
			list[i] = (uint64_t)rand() % (n % 2 ? 1 << 9 : 1 << 16);
			granules_add(&granules, i + 1, list[i]);
		}
		start = (uint64_t)rand() % (n % 2 ? 1 << 9 : 1 << 16);
		end = start + (uint64_t)rand() % (n % 3 ? 1 << 7 : 1 << 16);
		for (unsigned i = 0; i < ELEMENTS; i++)
			inside += list[i] >= start && list[i] < end;
		granules_each(&granules, start, end, number)
			found += list[number - 1] >= start && list[number - 1] < end;
		wrong += inside != found;
		arena_deinit(&arena);
	}
	report("granules: each element of a range is met once", wrong);
}

/* The encoders of DWARF 5, figures 41 and 42, and `more` bytes that add nothing. */
static size_t encode(uint64_t value, unsigned more, uint8_t *to)
{
	size_t length = 0;

	do {
		to[length] = value & 0x7f;
		value >>= 7;
		if (value || more)
			to[length] |= 0x80;
		length++;
	} while (value);
	for (; more; more--)
		to[length++] = more > 1 ? 0x80 : 0;
	return length;
}

static size_t encode_signed(int64_t value, uint8_t *to)
{
	size_t length = 0;

	for (;;) {
		uint8_t byte = value & 0x7f;

		value >>= 7; /* arithmetic, as gcc and clang do */
		if ((value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40)) {
			to[length++] = byte;
			return length;
		}
		to[length++] = byte | 0x80;
	}
}

/* hash_bits: few, so that different keys have one hash. */
static unsigned compare_lookup(unsigned count, unsigned hash_bits, bool is_reserved)
{
	uint64_t keys[300];
	unsigned wrong = 0, added = 0;
	struct lookup lookup = {0};
	struct arena arena;

	arena_init(&arena);
	if (is_reserved)
		lookup_reserve(&arena, &lookup, count);
	for (unsigned n = 0; n < 2 * count; n++) {
		uint64_t key = below(count);
		uint32_t hash = number_hash(key) >> (32 - hash_bits);
		size_t plain = 0;
		size_t found = lookup_find(&lookup, hash, i, i < added && keys[i] == key);

		while (plain < added && keys[plain] != key)
			plain++;
		wrong += found != (plain < added ? plain : LOOKUP_NONE);
		if (plain < added)
			continue;
		lookup_add(&arena, &lookup, hash, added);
		keys[added++] = key;
	}
	arena_deinit(&arena);
	return wrong;
}

static void check_lookup(void)
{
	unsigned wrong = 0;

	for (unsigned n = 0; n < CASES / 100; n++)
		wrong += compare_lookup(1 + below(299), 1 + below(32), below(2));
	report("lookup: what was added, and that alone, as a walk through all has it", wrong);
}

static void check_leb(void)
{
	unsigned wrong = 0, cut = 0;

	for (unsigned n = 0; n < CASES; n++) {
		uint64_t value = draw() >> below(64), got;
		uint8_t bytes[32];
		/* of its own size, so that a sanitizer sees a byte too many */
		size_t length = encode(value, below(4), bytes);
		uint8_t *copy = memcpy(malloc(length), bytes, length);
		const uint8_t *at = copy;

		wrong += !leb_read(&at, copy + length, &got) || got != value || at != copy + length;
		at = copy;
		cut += leb_read(&at, copy + length - 1, &got) || got || at != copy + length - 1;
		free(copy);
		value = (uint64_t)((int64_t)draw() >> below(64));
		length = encode_signed((int64_t)value, bytes);
		copy = memcpy(malloc(length), bytes, length);
		at = copy;
		wrong += !leb_read_signed(&at, copy + length, &got) || got != value || at != copy + length;
		at = copy;
		cut += leb_read_signed(&at, copy + length - 1, &got) || got;
		free(copy);
	}
	report("leb_read: what was encoded, of either sign, and with more bytes than it needs", wrong);
	report("leb_read: a number that is cut off is none, and nothing behind the end is read", cut);
}

/* As it is defined, which takes three to the power of the lengths. */
static unsigned plain_distance(const char *a, const char *b)
{
	unsigned change, add, leave;

	if (!*a || !*b)
		return (unsigned)(strlen(a) + strlen(b));
	change = plain_distance(a + 1, b + 1) + (*a != *b);
	add = plain_distance(a, b + 1) + 1;
	leave = plain_distance(a + 1, b) + 1;
	change = change < add ? change : add;
	return change < leave ? change : leave;
}

static void check_distance(void)
{
	char a[200], b[200];
	unsigned wrong = 0;

	for (unsigned n = 0; n < CASES / 20; n++) {
		unsigned limit = below(8), is;

		for (unsigned i = 0; i < 5; i++)
			a[i] = (char)('a' + below(3));
		for (unsigned i = 0; i < 6; i++)
			b[i] = (char)('a' + below(3));
		a[below(6)] = b[below(7)] = '\0';
		a[5] = b[6] = '\0';
		is = plain_distance(a, b);
		wrong += edit_distance(a, b, limit) != (is > limit ? limit + 1 : is);
	}
	report("edit_distance: as the recursion that defines it has it, up to a limit", wrong);
	memset(a, 'a', sizeof(a));
	a[128] = '\0';
	strcpy(b, a);
	b[64] = 'b';
	wrong = edit_distance(a, b, 3) != 1;
	a[128] = 'a';
	a[129] = '\0';
	wrong += edit_distance(a, b, 3) != 4;
	report("edit_distance: words of 128 characters are compared, and longer ones are not near", wrong);
}

static void check_files(void)
{
	enum { ROOM = 64, MOST = 6 * ROOM };
	char path[] = "/tmp/ktrace-base.XXXXXX", bytes[MOST], *text;
	int fd = mkstemp(path);
	unsigned wrong = 0, wrong_most = 0;
	struct arena arena;
	size_t length;

	arena_init(&arena);
	for (unsigned i = 0; i < MOST; i++)
		bytes[i] = (char)('a' + below(26));
	for (unsigned size = 0; size < MOST; size++) {
		wrong += file_read(&arena, path, ROOM, &text) || strlen(text) != size ||
			 memcmp(text, bytes, size) != 0;
		lseek(fd, 0, SEEK_SET);
		text = file_read_most(&arena, fd, ROOM, &length);
		wrong_most += length != (size < ROOM ? size : ROOM) || memcmp(text, bytes, length) ||
			      text[length];
		lseek(fd, 0, SEEK_END);
		wrong += write(fd, bytes + size, 1) != 1;
	}
	report("file_read: all bytes of files around its room and far above", wrong);
	report("file_read_most: so many bytes, or all", wrong_most);
	unlink(path);
	report("file_read: says why it can't", file_read(&arena, path, ROOM, &text) != ENOENT || *text ||
	       file_read(&arena, "/", ROOM, &text) != EISDIR || *text);
	close(fd);
	arena_deinit(&arena);
}

/* As a pipe's writer gives them: a few bytes at a time. */
static void check_pieces(void)
{
	char bytes[1000], *text;
	struct arena arena;
	size_t length;
	int ends[2];

	arena_init(&arena);
	memset(bytes, 'x', sizeof(bytes));
	if (pipe2(ends, O_DIRECT)) /* each write is a read's */
		return report("file_read_most: a pipe", 1);
	if (!fork()) {
		for (unsigned i = 0; i < 10; i++)
			if (write(ends[1], bytes + 100 * i, 100) != 100)
				break;
		_exit(0);
	}
	close(ends[1]);
	text = file_read_most(&arena, ends[0], 2 * sizeof(bytes), &length);
	report("file_read_most: what comes piece by piece", length != sizeof(bytes) ||
	       memcmp(text, bytes, length));
	close(ends[0]);
	arena_deinit(&arena);
}

#define SYMBOLS 40

struct plain_symbol {
	unsigned long long address;
	char type, name[16], module[16];
};

/* Few, and each is part of another, of a module or a number: that is where a search in a text goes wrong. */
static const char *const names[] = {"_stext", "text", "a", "aa", "_stext.1", "T", "$x", "ext"};

static size_t make_symbols(struct plain_symbol *list, char *text)
{
	static const char *const modules[] = {"", "", "ext4", "a", "bpf"};
	char *to = text;

	*text = '\0';
	for (unsigned i = 0; i < SYMBOLS; i++) {
		struct plain_symbol *symbol = &list[i];

		symbol->address = below(4) ? draw() : 0;
		symbol->type = "tTwWdDa"[below(7)];
		snprintf(symbol->name, sizeof(symbol->name), "%s", names[below(8)]);
		snprintf(symbol->module, sizeof(symbol->module), "%s", modules[below(5)]);
		to += sprintf(to, "%016llx %c %s", symbol->address, symbol->type, symbol->name);
		if (*symbol->module)
			to += sprintf(to, "\t[%s]", symbol->module);
		if (i + 1 < SYMBOLS || below(2))
			to += sprintf(to, "\n%s", below(9) ? "" : "no symbol\n");
	}
	return (size_t)(to - text);
}

static bool is_same(const struct ksym *symbol, const struct plain_symbol *plain)
{
	return symbol->address == plain->address && symbol->type == plain->type &&
	       symbol->length == strlen(plain->name) &&
	       !memcmp(symbol->name, plain->name, symbol->length) && !symbol->module == !*plain->module &&
	       (!symbol->module || (symbol->module_length == strlen(plain->module) &&
				    !memcmp(symbol->module, plain->module, symbol->module_length)));
}

static void check_kallsyms(void)
{
	struct plain_symbol list[SYMBOLS];
	unsigned wrong = 0, wrong_named = 0;

	for (unsigned n = 0; n < CASES / 100; n++) {
		char room[64 * SYMBOLS], *text;
		size_t length = make_symbols(list, room);
		const char *at, *name = names[below(8)];
		struct ksym symbol;
		unsigned i = 0;

		text = memcpy(malloc(length + 1), room, length + 1);
		for (at = text; kallsyms_next(&at, &symbol); i++)
			wrong += i >= SYMBOLS || !is_same(&symbol, &list[i]);
		wrong += i != SYMBOLS;
		for (i = 0, at = text; kallsyms_next_named(text, &at, name, &symbol); i++) {
			while (i < SYMBOLS && strcmp(list[i].name, name))
				i++;
			wrong_named += i >= SYMBOLS || !is_same(&symbol, &list[i]);
		}
		while (i < SYMBOLS)
			wrong_named += !strcmp(list[i++].name, name);
		free(text);
	}
	report("kallsyms_next: each symbol that was written, and its module", wrong);
	report("kallsyms_next_named: each of that very name", wrong_named);
}

/* One tree, twice: by json.h, and by a writer that knows how many came before. */
static void grow(struct strbuf *ours, struct strbuf *plain, const char *key, unsigned before, unsigned depth)
{
	static const char *const texts[] = {"{", "[", "a\n", ",", "", "\"", "x"};
	unsigned kind = below(depth ? 8 : 6), count = below(4);
	const char *text = texts[below(7)];
	uint64_t number = draw() >> below(64);

	strbuf_puts(plain, before ? "," : "");
	if (key)
		strbuf_join(plain, "\"", key, "\":", NULL);
	switch (kind) {
	case 0: json_text(ours, key, text); strbuf_json(plain, text, strlen(text)); return;
	case 1: json_number(ours, key, number); strbuf_printf(plain, "%" PRIu64, number); return;
	case 2: json_address(ours, key, number); strbuf_printf(plain, "\"%#" PRIx64 "\"", number); return;
	case 3: json_bool(ours, key, number & 1); strbuf_puts(plain, number & 1 ? "true" : "false"); return;
	case 4: json_null(ours, key); strbuf_puts(plain, "null"); return;
	case 5: json_text(ours, key, NULL); strbuf_puts(plain, "null"); return;
	case 6: json_object(ours, key); strbuf_puts(plain, "{"); break;
	default: json_array(ours, key); strbuf_puts(plain, "[");
	}
	for (unsigned i = 0; i < count; i++)
		grow(ours, plain, kind == 6 ? "key" : NULL, i, depth - 1);
	(kind == 6 ? json_object_end : json_array_end)(ours);
	strbuf_puts(plain, kind == 6 ? "}" : "]");
}

static void check_json(void)
{
	unsigned wrong = 0;

	for (unsigned n = 0; n < CASES / 20; n++) {
		struct strbuf ours, plain;

		strbuf_init(&ours);
		strbuf_init(&plain);
		for (unsigned line = 0; line < 2; line++) {
			grow(&ours, &plain, NULL, 0, 4);
			strbuf_putc(&ours, '\n');
			strbuf_putc(&plain, '\n');
		}
		wrong += strcmp(ours.data, plain.data) != 0;
		strbuf_deinit(&ours);
		strbuf_deinit(&plain);
	}
	report("json: each comma where it belongs, in lines of trees", wrong);
}

/* 524 is the kernel's ENOTSUPP, for which strerror(3) has no words. */
static void check_errors(void)
{
	struct arena arena;

	arena_init(&arena);
	report("errors of the system, and of the kernel alone",
	       strcmp(error_errno(&arena, 524, "x")->message, "x: ENOTSUPP") ||
		       strcmp(error_errno(&arena, ENOENT, "x")->message, "x: No such file or directory"));
	arena_deinit(&arena);
}

int main(void)
{
	check_errors();
	check_search();
	check_lookup();
	check_granules();
	check_leb();
	check_distance();
	check_files();
	check_pieces();
	check_kallsyms();
	check_json();
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
