// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches an executable's .symtab where it lies in the file. Names take one pass over some
 * megabytes, which reads a name only if its first bytes may match. Places are found in lists of the
 * symbols by where they begin: a small part of what reading and sorting all would cost.
 */
#include <elfutils/libdwfl.h>
#include <string.h>

#include "base/granules.h"
#include "target/internal.h"
#include "target/symtab.h"

/* A symbol no larger than a granule ends in the one that it begins in, or in the next. */
#define GRANULE_BITS 16
#define GRANULE ((uint64_t)1 << GRANULE_BITS) /* bytes */
#define AHEAD    24 /* names lie in another order than their symbols */

struct symtab {
	const Elf64_Sym *list;
	size_t count;
	const char *strings; /* ends in a NUL */
	size_t size;
	struct granules granules; /* .next is NULL: not made yet */
	uint32_t large; /* the first of those larger than a granule, a list like the others */
};

static Elf_Scn *find_table(Elf *elf, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB)
			return section;
	return NULL;
}

struct symtab *symtab_open(struct arena *arena, const struct target *target)
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
	if (ret->count >= UINT32_MAX)
		return NULL;
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

/* A symbol of size 0 contains its address. */
static uint64_t size_of(const Elf64_Sym *sym)
{
	return sym->st_size ?: 1;
}

static void list_symbol(struct symtab *table, size_t i)
{
	const Elf64_Sym *sym = &table->list[i];

	if (size_of(sym) <= GRANULE) {
		granules_add(&table->granules, (uint32_t)i + 1, sym->st_value);
	} else {
		table->granules.next[i + 1] = table->large;
		table->large = (uint32_t)i + 1;
	}
}

static void list_granules(struct symtab *table, struct arena *arena)
{
	granules_init(&table->granules, arena, GRANULE_BITS, table->count);
	for (size_t i = 0; i < table->count; i++)
		list_symbol(table, i);
}

static void narrow(struct known_place *place, uint64_t border)
{
	if (border <= place->address && border > place->start)
		place->start = border;
	if (border > place->address && border < place->end)
		place->end = border;
}

/* Of three lists, each from its last symbol in the file to its first. */
static uint32_t *last_of(uint32_t at[3])
{
	uint32_t *last = at[0] > at[1] ? &at[0] : &at[1];

	return *last > at[2] ? last : &at[2];
}

static void reverse(struct symbol *list, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct symbol symbol = list[i];

		list[i] = list[count - 1 - i];
		list[count - 1 - i] = symbol;
	}
}

static void look_around(const struct symtab *table, struct arena *arena, struct known_place *place)
{
	uint64_t granule = place->address - place->address % GRANULE;
	uint32_t at[] = {granules_first(&table->granules, granule - GRANULE),
			 granules_first(&table->granules, granule), table->large};
	uint32_t *last;

	place->start = granule;
	place->end = granule + GRANULE ?: UINT64_MAX;
	while (*(last = last_of(at))) {
		const Elf64_Sym *sym = &table->list[*last - 1];

		narrow(place, sym->st_value);
		narrow(place, sym->st_value + size_of(sym));
		if (place->address - sym->st_value < size_of(sym))
			append(table, arena, sym, &place->around, &place->count);
		*last = table->granules.next[*last];
	}
	reverse(place->around, place->count); /* in the order of the file */
}

void symtab_around(struct symtab *table, struct arena *arena, struct known_place *places,
		   unsigned count)
{
	if (!table->granules.next)
		list_granules(table, arena);
	for (unsigned i = 0; i < count; i++)
		look_around(table, arena, &places[i]);
}

/* A filter: the first bytes of the wanted names, as many as the shortest has including its NUL, 8
 * at most. */
struct heads {
	uint64_t mask;
	bool may_match[1024];
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

static size_t slot_of(const struct heads *heads, uint64_t head)
{
	return (head & heads->mask) * 0x9e3779b97f4a7c15u >> 54;
}

static void heads_init(struct heads *heads, const struct known_name *first,
		       const struct known_name *end)
{
	size_t shortest = sizeof(uint64_t);

	for (const struct known_name *known = first; known != end; known = known->next)
		if (strlen(known->name) + 1 < shortest)
			shortest = strlen(known->name) + 1;
	*heads = (struct heads){0};
	memset(&heads->mask, 0xff, shortest);
	for (const struct known_name *known = first; known != end; known = known->next)
		heads->may_match[slot_of(heads, head_of(known->name, strlen(known->name) + 1))] =
			true;
}

/* Almost all symbols of a kernel pass here, and end here. */
static bool may_match(const struct symtab *table, const struct heads *heads, const Elf64_Sym *sym)
{
	return sym->st_name < table->size &&
	       heads->may_match[slot_of(heads, head_of(table->strings + sym->st_name,
						       table->size - sym->st_name))];
}

/* The lists for symtab_around(), which most runs want as well, are made on the way. */
void symtab_named(struct symtab *table, struct arena *arena, struct known_name *first,
		  const struct known_name *end)
{
	bool is_listed = table->granules.next;
	struct heads heads;

	heads_init(&heads, first, end);
	if (!is_listed)
		granules_init(&table->granules, arena, GRANULE_BITS, table->count);
	for (size_t i = 0; i < table->count; i++) {
		const Elf64_Sym *sym = &table->list[i];

		if (i + AHEAD < table->count)
			__builtin_prefetch(table->strings + sym[AHEAD].st_name);
		if (!is_listed)
			list_symbol(table, i);
		if (!may_match(table, &heads, sym))
			continue;
		for (struct known_name *known = first; known != end; known = known->next)
			if (!strcmp(known->name, table->strings + sym->st_name))
				append(table, arena, sym, &known->list, &known->count);
	}
}
