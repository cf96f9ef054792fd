// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches an executable's .symtab where it lies in the file. One pass over some megabytes, which
 * reads a name only if its first bytes may match: a small part of what reading and sorting all
 * would cost.
 */
#include <elfutils/libdwfl.h>
#include <string.h>

#include "target/internal.h"
#include "target/symtab.h"

struct symtab {
	const Elf64_Sym *list;
	size_t count;
	const char *strings; /* ends in a NUL */
	size_t size;
};

static Elf_Scn *find_table(Elf *elf, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB)
			return section;
	return NULL;
}

const struct symtab *symtab_open(struct arena *arena, const struct target *target)
{
	struct symtab *ret = arena_new(arena, struct symtab);
	GElf_Shdr header;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	Elf_Scn *section =
		elf && !bias && gelf_getclass(elf) == ELFCLASS64 ? find_table(elf, &header) : NULL;
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	Elf_Data *strings = data ? elf_getdata(elf_getscn(elf, header.sh_link), NULL) : NULL;
	size_t nsections;

	/* with this many sections, symbols' section indices are in another table */
	if (target->is_relocatable || !data || !data->d_buf || (uintptr_t)data->d_buf % 8 ||
	    !strings || !strings->d_buf || !strings->d_size || elf_getshdrnum(elf, &nsections) ||
	    nsections >= SHN_LORESERVE)
		return NULL;
	ret->list = data->d_buf;
	ret->count = data->d_size / sizeof(*ret->list);
	ret->strings = strings->d_buf;
	ret->size = strings->d_size;
	return ret->strings[ret->size - 1] ? NULL : ret;
}

static bool read_symbol(const struct symtab *table, const Elf64_Sym *sym, struct symbol *ret)
{
	int type = ELF64_ST_TYPE(sym->st_info);
	const char *name = sym->st_name < table->size ? table->strings + sym->st_name : NULL;

	if (sym->st_shndx == SHN_UNDEF || !is_named(name, type))
		return false;
	*ret = (struct symbol){
		.name = name,
		.address = sym->st_value,
		.size = sym->st_size,
		.section = sym->st_shndx == SHN_ABS ? 0 : sym->st_shndx,
		.is_function = type == STT_FUNC || type == STT_GNU_IFUNC,
		.is_global = ELF64_ST_BIND(sym->st_info) != STB_LOCAL,
		.is_resolver = type == STT_GNU_IFUNC,
	};
	return true;
}

struct symbol *symtab_all(const struct symtab *table, struct arena *arena, size_t *count)
{
	struct symbol *ret = arena_array(arena, struct symbol, table->count + 1);

	*count = 0;
	for (size_t i = 0; i < table->count; i++)
		*count += read_symbol(table, &table->list[i], &ret[*count]);
	return ret;
}

static void append(const struct symtab *table, struct arena *arena, const Elf64_Sym *sym,
		   struct symbol **list, size_t *count)
{
	struct symbol symbol;

	if (read_symbol(table, sym, &symbol))
		arena_append(arena, *list, *count) = symbol;
}

/* A filter: the 64 KB granules that hold the places. A symbol no larger than a granule that begins
 * and ends in others neither contains a place nor narrows one. */
#define GRANULE ((uint64_t)1 << 16)
#define GRANULES 1024

static bool is_in(const uint64_t *granules, uint64_t address)
{
	unsigned at = (unsigned)(address / GRANULE) % GRANULES;

	return granules[at / 64] >> at % 64 & 1;
}

static void place_init(struct known_place *place, uint64_t *granules)
{
	uint64_t start = place->address - place->address % GRANULE;
	unsigned at = (unsigned)(start / GRANULE) % GRANULES;

	granules[at / 64] |= (uint64_t)1 << at % 64;
	place->start = start;
	place->end = start + GRANULE ?: UINT64_MAX;
}

/* A faster filter before it: the granules from the first place's to the last's, and one more at
 * each end. */
struct window {
	uint64_t start;
	uint64_t size;
};

static struct window window_around(const struct known_place *places, unsigned count)
{
	uint64_t start = UINT64_MAX, end = 0;

	for (unsigned i = 0; i < count; i++) {
		start = places[i].start < start ? places[i].start : start;
		end = places[i].end > end ? places[i].end : end;
	}
	start -= start < GRANULE ? start : GRANULE;
	end += UINT64_MAX - end < GRANULE ? UINT64_MAX - end : GRANULE;
	return (struct window){start, end - start};
}

static void narrow(struct known_place *place, uint64_t border)
{
	if (border <= place->address && border > place->start)
		place->start = border;
	if (border > place->address && border < place->end)
		place->end = border;
}

void symtab_around(const struct symtab *table, struct arena *arena, struct known_place *places,
		   unsigned count)
{
	uint64_t granules[GRANULES / 64] = {0};
	struct window window;

	for (unsigned i = 0; i < count; i++)
		place_init(&places[i], granules);
	window = window_around(places, count);
	for (size_t i = 0; i < table->count; i++) {
		const Elf64_Sym *sym = &table->list[i];
		/* a symbol of size 0 contains its address */
		uint64_t size = sym->st_size ?: 1;

		if (size <= GRANULE && (sym->st_value - window.start > window.size ||
					(!is_in(granules, sym->st_value) &&
					 !is_in(granules, sym->st_value + size))))
			continue;
		for (unsigned j = 0; j < count; j++) {
			narrow(&places[j], sym->st_value);
			narrow(&places[j], sym->st_value + size);
			if (places[j].address - sym->st_value < size)
				append(table, arena, sym, &places[j].around, &places[j].count);
		}
	}
}

/* A filter: the first bytes of the wanted names, as many as the shortest has including its NUL, 8
 * at most. */
struct heads {
	uint64_t mask;
	uint64_t bits[1024 / 64];
};

static uint64_t head_of(const char *text, size_t left)
{
	uint64_t head = 0;

	if (left >= sizeof(head))
		memcpy(&head, text, sizeof(head)); /* one load */
	else
		memcpy(&head, text, left);
	return head;
}

static uint64_t *bit_of(struct heads *heads, uint64_t head, uint64_t *bit)
{
	unsigned at = (unsigned)((head & heads->mask) * 0x9e3779b97f4a7c15u >> 54);

	*bit = (uint64_t)1 << at % 64;
	return &heads->bits[at / 64];
}

static void heads_init(struct heads *heads, const struct known_name *first,
		       const struct known_name *end)
{
	size_t shortest = sizeof(uint64_t);
	uint64_t bit, *bits;

	for (const struct known_name *known = first; known != end; known = known->next)
		if (strlen(known->name) + 1 < shortest)
			shortest = strlen(known->name) + 1;
	*heads = (struct heads){0};
	memset(&heads->mask, 0xff, shortest);
	for (const struct known_name *known = first; known != end; known = known->next) {
		bits = bit_of(heads, head_of(known->name, strlen(known->name) + 1), &bit);
		*bits |= bit;
	}
}

void symtab_named(const struct symtab *table, struct arena *arena, struct known_name *first,
		  const struct known_name *end)
{
	struct heads heads;
	uint64_t bit;

	heads_init(&heads, first, end);
	for (size_t i = 0; i < table->count; i++) {
		const Elf64_Sym *sym = &table->list[i];
		const char *name = table->strings + sym->st_name;

		if (sym->st_name >= table->size ||
		    !(*bit_of(&heads, head_of(name, table->size - sym->st_name), &bit) & bit))
			continue;
		for (struct known_name *known = first; known != end; known = known->next)
			if (!strcmp(known->name, name))
				append(table, arena, sym, &known->list, &known->count);
	}
}
