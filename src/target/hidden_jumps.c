// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the jumps that a target's code doesn't show: static branches (__jump_table), which the
 * kernel patches from a nop to a jump and back, and exception fix-ups (__ex_table). A module's
 * tables are filled in only when it is loaded; its relocations tell what they will hold.
 */
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "target/code.h"
#include "target/internal.h"
#include "target/section_entries.h"

/* Rows of both tables begin with two 32-bit offsets, each relative to its own place:
 * arch/x86/include/asm/jump_label.h (struct jump_entry), extable.h (struct
 * exception_table_entry). */
struct table {
	const char *start;
	const char *stop;
	const char *relocations;
	size_t row;
};

static const struct table tables[] = {
	{"__start___jump_table", "__stop___jump_table", ".rela__jump_table", 16},
	{"__start___ex_table", "__stop___ex_table", ".rela__ex_table", 12},
};

static int32_t read_s32(const uint8_t *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void read_table(struct arena *arena, struct target *target, const struct table *table)
{
	unsigned count;
	const struct symbol *start = target_symbol_named(target, table->start, &count);
	const struct symbol *stop = target_symbol_named(target, table->stop, &count);
	size_t length, rows;
	const uint8_t *bytes;

	if (!start || !stop || stop->address <= start->address)
		return;
	bytes = target_bytes(target, start->address, &length);
	rows = (stop->address - start->address) / table->row;
	if (!bytes || length < rows * table->row)
		return;
	target->edges = arena_grow(arena, target->edges, target->nedges * sizeof(*target->edges),
				   (target->nedges + rows) * sizeof(*target->edges));
	for (size_t i = 0; i < rows; i++) {
		uint64_t at = start->address + i * table->row;
		const uint8_t *row = bytes + i * table->row;

		target->edges[target->nedges++] = (struct edge){
			.from = at + (uint64_t)(int64_t)read_s32(row),
			.to = at + 4 + (uint64_t)(int64_t)read_s32(row + 4),
		};
	}
}

static Elf_Scn *named_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) &&
		    !strcmp(elf_strptr(elf, strings, header->sh_name) ?: "", name))
			return section;
	return NULL;
}

/* S + A: for a field that holds a distance from itself, the address that it leads to. */
static uint64_t relocation_address(Elf *elf, Elf_Data *symbols, const GElf_Rela *rela)
{
	GElf_Sym symbol;
	GElf_Shdr header;

	if (!gelf_getsym(symbols, (int)GELF_R_SYM(rela->r_info), &symbol) ||
	    !gelf_getshdr(elf_getscn(elf, symbol.st_shndx), &header))
		return 0;
	return header.sh_addr + symbol.st_value + (uint64_t)rela->r_addend;
}

static void read_relocations(struct arena *arena, struct target *target,
			     const struct table *table)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	GElf_Shdr header;
	Elf_Scn *section = named_section(elf, table->relocations, &header);
	struct elf_table rows;
	uint64_t from = 0;

	table_open(elf, section, &rows);
	if (!rows.strings) /* the symbol table here */
		return;
	target->edges = arena_grow(arena, target->edges, target->nedges * sizeof(*target->edges),
				   (target->nedges + rows.count) * sizeof(*target->edges));
	for (size_t i = 0; i < rows.count; i++) {
		GElf_Rela rela;

		if (!gelf_getrela(rows.data, (int)i, &rela))
			break;
		if (rela.r_offset % table->row == 0)
			from = relocation_address(elf, rows.strings, &rela);
		else if (rela.r_offset % table->row == 4 && from)
			target->edges[target->nedges++] = (struct edge){
				.from = from,
				.to = relocation_address(elf, rows.strings, &rela),
			};
	}
}

static int edge_compare(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	return a->from < b->from ? -1 : a->from > b->from;
}

static void read_tables(struct target *target)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		(target->is_relocatable ? read_relocations : read_table)(target->arena, target,
									 &tables[i]);
	target->has_edges = true;
}

/* There are some ten thousand, and usually one function's are wanted. */
static struct edge *pick_edges(const struct target *target, struct arena *arena, uint64_t start,
			       uint64_t end, size_t *count)
{
	struct edge *ret;

	for (size_t i = 0; i < target->nedges; i++)
		*count += target->edges[i].from >= start && target->edges[i].from < end;
	ret = arena_array(arena, struct edge, *count + 1);
	*count = 0;
	for (size_t i = 0; i < target->nedges; i++)
		if (target->edges[i].from >= start && target->edges[i].from < end)
			ret[(*count)++] = target->edges[i];
	qsort(ret, *count, sizeof(*ret), edge_compare);
	return ret;
}

static size_t edges_below(const struct target *target, uint64_t address)
{
	return partition_point(target->nedges, i, target->edges[i].from < address);
}

#define ASKED_MANY 16

const struct edge *target_edges(struct target *target, struct arena *arena, uint64_t start,
				uint64_t end, size_t *count)
{
	*count = 0;
	if (target->kind == TARGET_PROGRAM)
		return NULL; /* the tables are the kernel's */
	if (!target->has_edges)
		read_tables(target);
	if (target->edges_asked++ < ASKED_MANY)
		return pick_edges(target, arena, start, end, count);
	if (target->edges_asked == ASKED_MANY + 1 && target->nedges)
		qsort(target->edges, target->nedges, sizeof(*target->edges), edge_compare);
	*count = edges_below(target, end) - edges_below(target, start);
	return *count ? target->edges + edges_below(target, start) : NULL;
}
