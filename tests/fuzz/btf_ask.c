// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf_ask FILE COUNT SEED [KERNEL]: asks every question about FILE's BTF (a module's, with its KERNEL's),
 * about each of its beginnings, and about COUNT spoilt copies. Built with sanitizers, which say what went
 * wrong; what is printed is how many were opened and how many refused.
 */
#include <stdlib.h>

#include "arch/arch.h"
#include "base/file.h"
#include "debuginfo/debuginfo.h"
#include "ktrace/target.h"

#define LIMIT (1u << 20)
#define DEPTH 4

static const struct target target = {.kind = TARGET_KERNEL, .path = "spoilt"};
static unsigned opened, refused, answers;
static uint64_t state;

static uint32_t draw(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33);
}

static void ask_type(struct debuginfo *info, const struct type *type, unsigned depth)
{
	struct enumerator *constants;
	struct member *members, *one;
	unsigned count;

	if (!type || depth > DEPTH || answers++ > LIMIT)
		return;
	if (!type->name)
		abort();
	if ((type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) && !type->target)
		abort();
	if (type->target)
		ask_type(info, type->target, depth + 1);
	if (!debuginfo_members(info, type, &members, &count))
		for (unsigned i = 0; i < count && i < 64; i++) {
			if (!debuginfo_member(info, type, members[i].name, &one) && !one)
				abort();
			ask_type(info, members[i].type, depth + 1);
		}
	if (!debuginfo_enumerators(info, type, &constants, &count))
		for (unsigned i = 0; i < count; i++)
			if (!constants[i].name)
				abort();
}

static void ask_function(struct debuginfo *info, const struct instance *instance)
{
	struct position at = {.address = instance->entry};
	const struct type *type;
	struct variable *list, *one;
	struct frame frame;
	unsigned count;

	if (!debuginfo_variables(info, instance, at, false, &list, &count))
		for (unsigned i = 0; i < count; i++) {
			if (list[i].loc.kind != LOC_VALUE && !list[i].loc.reason)
				abort();
			if (debuginfo_variable(info, instance, at, list[i].name, true, &one) || !one)
				abort();
			ask_type(info, list[i].type, 0);
		}
	if (!debuginfo_return_type(info, instance->function, &type))
		ask_type(info, type, 0);
	if (debuginfo_frame(info, instance, instance->entry, &frame))
		abort();
}

static void count_name(void *cookie, const char *name, const char *linkage, bool has_code, bool inlined)
{
	(void)linkage;
	(void)has_code;
	(void)inlined;
	*(size_t *)cookie += strlen(name);
}

static void ask_all(struct debuginfo *info)
{
	static const char *const types[] = {"struct outer", "union u", "enum kind", "u32", "int", "struct nothing"};
	struct instance **instances;
	const struct type *type;
	struct variable *global;
	uint64_t numbers[2];
	unsigned count;
	size_t length = 0;

	answers = 0;
	if (!debuginfo_instances(info, "*", &instances, &count))
		for (unsigned i = 0; i < count; i++)
			ask_function(info, instances[i]);
	if (!debuginfo_function_at(info, 0x1000, &instances, &count) && count)
		ask_function(info, instances[0]);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!debuginfo_type_named(info, NULL, types[i], &type))
			ask_type(info, type, 0);
	if (!debuginfo_global(info, "per_cpu", &global) && global)
		ask_type(info, global->type, 0);
	if (debuginfo_constant(info, "KIND_ONE", numbers, &count) || debuginfo_functions(info, NULL, count_name, &length))
		abort();
}

static const struct symbol symbols[] = {
	{.name = "first", .address = 0x1000, .size = 16, .section = 1, .is_function = true},
	{.name = "second", .address = 0x1010, .size = 16, .section = 1, .is_function = true},
	{.name = "second.isra.0", .address = 0x1020, .size = 16, .section = 1, .is_function = true},
	{.name = "third", .address = 0x1030, .size = 16, .section = 1, .is_function = true},
	{.name = "lost.constprop.0", .address = 0x1040, .size = 16, .section = 1, .is_function = true},
	{.name = "third", .address = 0x1050, .size = 16, .section = 1, .is_function = true},
};

static void try(const void *data, size_t length, const void *kernel, size_t kernel_length)
{
	struct arena arena;
	struct error absent = {.message = "absent"};
	struct debuginfo *info;
	struct btf_input input = {data, length, kernel, kernel_length, symbols,
				  sizeof(symbols) / sizeof(*symbols), arch_find(62)};

	arena_init(&arena);
	if (btf_open(&arena, &target, &input, &absent, &info)) {
		refused++;
	} else {
		opened++;
		ask_all(info);
		debuginfo_close(info);
	}
	arena_deinit(&arena);
}

/* A few numbers, of which most are offsets, lengths and types, are replaced by others that mean something. */
static void spoil(uint8_t *data, size_t length)
{
	static const uint32_t numbers[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x01000000, 0x0d000001};

	for (unsigned turn = 0; turn < 1 + draw() % 3; turn++) {
		size_t at = draw() % (length - 4);
		uint32_t number = draw() % 3 ? numbers[draw() % (sizeof(numbers) / sizeof(*numbers))] : draw() % 64;

		if (draw() % 4 == 0)
			data[at] ^= (uint8_t)(1u << draw() % 8);
		else
			memcpy(data + (draw() % 8 ? at & ~(size_t)3 : at), &number, 4);
	}
}

static uint8_t *whole(struct arena *arena, const char *path, size_t *length)
{
	return (uint8_t *)file_read_sized(arena, path, 1 << 24, length);
}

int main(int argc, char **argv)
{
	struct arena arena;
	size_t length = 0, kernel_length = 0;
	uint8_t *data, *kernel = NULL;

	arena_init(&arena);
	data = argc > 3 ? whole(&arena, argv[1], &length) : NULL;
	if (argc > 4)
		kernel = whole(&arena, argv[4], &kernel_length);
	if (!data || length < 8)
		return 2;
	state = strtoull(argv[3], NULL, 10);
	try(data, length, kernel, kernel_length);
	printf("sound %u\n", opened);
	for (size_t i = 0; i < length; i++) {
		uint8_t *copy = malloc(i ?: 1); /* of its own: what lies behind is known to the sanitizer */

		memcpy(copy, data, i);
		try(copy, i, kernel, kernel_length);
		free(copy);
	}
	for (unsigned long i = 0; i < strtoul(argv[2], NULL, 10); i++) {
		uint8_t *copy = malloc(length);

		memcpy(copy, data, length);
		spoil(copy, length);
		try(copy, length, kernel, kernel_length);
		free(copy);
	}
	printf("opened %u refused %u\n", opened, refused);
	arena_deinit(&arena);
	return 0;
}
