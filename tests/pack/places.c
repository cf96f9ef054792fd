// SPDX-License-Identifier: GPL-2.0-only
/*
 * places -k|-x FILE PACK|- SEED COUNT: what debug information says of addresses of the code, as stacks are named: the functions
 * inlined there, files and lines; and of functions, which copies are inlined into them. The same seed draws the same ones.
 */
#include <stdlib.h>

#include "debuginfo/debuginfo.h"
#include "ktrace/error.h"
#include "target/target.h"

static void print_places(struct debuginfo *info, uint64_t address)
{
	struct code_place *places;
	unsigned count;
	struct error *error = debuginfo_places(info, address, &places, &count);

	printf("%#llx%s%s:", (unsigned long long)address, error ? " " : "", error ? error->message : "");
	for (unsigned i = 0; i < count; i++)
		printf(" %s %s:%u%s %#llx", places[i].function ?: "-", places[i].file ?: "-", places[i].line,
		       places[i].is_inlined ? " inlined" : "", (unsigned long long)places[i].entry);
	printf("\n");
}

static void print_inner(struct debuginfo *info, const struct instance *outer)
{
	struct instance **inner;
	unsigned count;
	struct error *error = debuginfo_inner(info, outer, &inner, &count);

	printf("%s%s%s:", outer->function->name, error ? " " : "", error ? error->message : "");
	for (unsigned i = 0; i < count; i++) {
		printf(" %s %#llx", inner[i]->function->name, (unsigned long long)inner[i]->entry);
		for (unsigned j = 0; j < inner[i]->nranges; j++)
			printf(" %#llx-%#llx", (unsigned long long)inner[i]->ranges[j].start,
			       (unsigned long long)inner[i]->ranges[j].end);
	}
	printf("\n");
}

/* Copies inlined into the functions of one name. */
static void print_functions(struct debuginfo *info, const char *name)
{
	struct instance **instances;
	unsigned count;
	struct error *error = debuginfo_instances(info, name, &instances, &count);

	for (unsigned i = 0; i < count && !error; i++)
		print_inner(info, instances[i]);
}

int main(int argc, char **argv)
{
	struct arena arena = {0}, answers = {0};
	struct target *target;
	struct debuginfo *info;
	const char *pack = argc == 6 ? argv[3] : NULL;
	struct target_places places = {.packs = &pack, .npacks = pack && strcmp(pack, "-") != 0};
	const struct symbol *symbols;
	struct error *error;
	size_t count;

	if (argc != 6)
		return 2;
	error = argv[1][1] == 'k' ? target_open_kernel(&arena, argv[2], NULL, &places, &target) :
				    target_open_program(&arena, argv[2], &places, &target);
	error = error ?: dwarf_open(&arena, target, NULL, NULL, 0, &info);
	if (error) {
		printf("%s\n", error->message);
		return 1;
	}
	symbols = target_symbols(target, NULL, &count);
	srandom((unsigned)atoi(argv[4]));
	for (int i = atoi(argv[5]); i > 0 && count; i--) {
		const struct symbol *symbol = &symbols[(size_t)random() % count];

		if (!symbol->is_function || !symbol->size)
			continue;
		debuginfo_answer_in(info, &answers);
		print_places(info, symbol->address + (uint64_t)random() % symbol->size);
		print_functions(info, symbol->name);
		arena_reset(&answers);
	}
	debuginfo_close(info);
	target_close(target);
	arena_deinit(&answers);
	arena_deinit(&arena);
	return 0;
}
