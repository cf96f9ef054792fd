// SPDX-License-Identifier: GPL-2.0-only
/*
 * target/ over a program: symbols, what lies at an address, and offsets in the file. What is right is said by
 * `nm -S` (first argument behind the program, a file) and by readelf's program headers (the second).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/file.h"
#include "target/internal.h"
#include "target/placing.h"
#include "target/target.h"
#include "arena_state.h"

static const char *program, *nm_file, *segments_file;

struct told {
	unsigned long long address, size;
	char type, name[4096];
};

/* The next of nm's symbols with an address and a size; NULL: there is none. */
static const char *next_told(const char *at, struct told *ret)
{
	while (*at) {
		bool is_good = sscanf(at, "%llx %llx %c %4095s", &ret->address, &ret->size, &ret->type, ret->name) == 4;
		const char *end = strchr(at, '\n');

		at = end ? end + 1 : at + strlen(at);
		if (is_good)
			return at;
	}
	return NULL;
}

static const char *text_of(struct arena *arena, const char *path)
{
	char *text;

	assert_null(file_read(arena, path, 64 << 20, &text));
	return text;
}

static uint64_t told_offset(const char *segments, uint64_t address)
{
	unsigned long long offset, start, size;

	for (; segments && *segments; segments = strchr(segments, '\n') ? strchr(segments, '\n') + 1 : "")
		if (sscanf(segments, " LOAD %llx %llx %*x %llx", &offset, &start, &size) == 3 && address >= start &&
		    address < start + size)
			return address - start + offset;
	return 0;
}

static struct target *opened(struct arena *arena)
{
	struct target *target;

	assert_null(target_open_program(arena, program, false, &target));
	return target;
}

/* How many of nm's have the name, at how many addresses is not asked. */
static unsigned count_told(const char *nm, const char *name, unsigned long long address, bool *is_there)
{
	struct told told;
	unsigned count = 0;

	*is_there = false;
	while ((nm = next_told(nm, &told)))
		if (!strcmp(told.name, name)) {
			count++;
			*is_there = *is_there || told.address == address;
		}
	return count;
}

/* Some hundred of them, all over the file. */
static void symbols_by_name(void **state)
{
	const char *nm = text_of(*state, nm_file), *at = nm;
	struct target *target = opened(*state);
	unsigned checked = 0, number = 0, all = 0, step;
	struct told told;

	while ((at = next_told(at, &told)))
		all++;
	step = all / 300 + 1;
	for (at = nm; (at = next_told(at, &told)); number++) {
		const struct symbol *symbol;
		unsigned count, expected;
		bool is_there;

		if (number % step || !strchr("Tt", told.type))
			continue;
		symbol = target_symbol_named(target, told.name, &count);
		if (!symbol)
			fail_msg("%s is unknown", told.name);
		expected = count_told(nm, told.name, symbol->address, &is_there);
		if (count != expected || !is_there)
			fail_msg("%s: %u, nm has %u", told.name, count, expected);
		checked++;
	}
	assert_null(target_symbol_named(target, "no such symbol", &number));
	assert_true(checked > 3);
	target_close(target);
}

/* Each byte of a function is that of a function which nm has there. */
static void symbols_by_address(void **state)
{
	const char *nm = text_of(*state, nm_file), *at = nm;
	struct target *target = opened(*state);
	unsigned checked = 0, number = 0;
	struct told told;

	for (; (at = next_told(at, &told)); number++) {
		const struct symbol *symbol;
		bool is_there;

		if (!strchr("Tt", told.type) || !told.size)
			continue;
		symbol = target_symbol_at(target, told.address + number % told.size, NULL);
		if (!symbol || symbol->address > told.address + number % told.size)
			fail_msg("nothing at %#llx, where nm has %s", told.address, told.name);
		if (number % 50 == 0 && (!count_told(nm, symbol->name, symbol->address, &is_there) || !is_there))
			fail_msg("%s is not at %#llx", symbol->name, (unsigned long long)symbol->address);
		checked++;
	}
	assert_true(checked > 3);
	target_close(target);
}

struct function {
	uint64_t address, size;
};

static struct function *functions_of(struct arena *arena, unsigned *count)
{
	const char *at = text_of(arena, nm_file);
	struct function *list = NULL;
	struct told told;

	*count = 0;
	while ((at = next_told(at, &told)))
		if (strchr("TtWi", told.type) && told.size)
			arena_append(arena, list, *count) = (struct function){told.address, told.size};
	return list;
}

/* The function that begins last, of those that contain the address. */
static uint64_t begin_of(const struct function *list, unsigned count, uint64_t address)
{
	uint64_t begin = 0;

	for (unsigned i = 0; i < count; i++)
		if (address - list[i].address < list[i].size && list[i].address > begin)
			begin = list[i].address;
	return begin;
}

/* The last byte of each, many at once, of a kernel: its table is searched as it lies in the file, and read as a whole
 * only after some questions. A file that can be loaded anywhere is no kernel, and is opened as the program that it is. */
static void last_bytes(void **state)
{
	enum { AT_ONCE = 64 };
	bool is_kernel = text_of(*state, program)[offsetof(Elf64_Ehdr, e_type)] == ET_EXEC;
	unsigned count;
	const struct function *list = functions_of(*state, &count);

	for (unsigned first = 0; first < count; first += AT_ONCE) {
		unsigned n = count - first < AT_ONCE ? count - first : AT_ONCE;
		struct target *target;
		uint64_t ends[AT_ONCE];

		assert_null(target_open_file(*state, is_kernel ? TARGET_KERNEL : TARGET_PROGRAM, program, NULL, &target));
		for (unsigned i = 0; i < n; i++)
			ends[i] = list[first + i].address + list[first + i].size - 1;
		target_expect_places(target, ends, n);
		for (unsigned i = 0; i < n; i++) {
			const struct symbol *symbol = target_symbol_at(target, ends[i], NULL);

			if (!symbol || symbol->address != begin_of(list, count, ends[i]))
				fail_msg("%#llx is of %s", (unsigned long long)ends[i],
					 symbol ? symbol->name : "nothing");
		}
		target_close(target);
	}
	assert_true(count > 3);
}

/* There and back. */
static void offsets(void **state)
{
	const char *segments = text_of(*state, segments_file), *at = text_of(*state, nm_file);
	struct target *target = opened(*state);
	unsigned checked = 0;
	struct told told;

	while ((at = next_told(at, &told))) {
		uint64_t offset, back;

		if (!strchr("Tt", told.type))
			continue;
		assert_null(target_file_offset(*state, target, told.address, &offset));
		assert_int_equal(offset, told_offset(segments, told.address));
		assert_true(target_offset_address(target, offset, &back));
		assert_int_equal(back, told.address);
		checked++;
	}
	assert_true(checked > 3);
	target_close(target);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(symbols_by_name, setup, teardown),
		cmocka_unit_test_setup_teardown(symbols_by_address, setup, teardown),
		cmocka_unit_test_setup_teardown(last_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(offsets, setup, teardown),
	};
	int failed;

	program = argc > 1 ? argv[1] : "";
	nm_file = argc > 2 ? argv[2] : "";
	segments_file = argc > 3 ? argv[3] : "";
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
