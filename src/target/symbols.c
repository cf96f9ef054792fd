// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds symbols by name or address. A kernel has a hundred thousand, and a probe needs ten: the
 * first questions are answered from the file's own table (symtab.c); only when a caller asks for
 * many, or for all, are they read, sorted and hashed.
 */
#include <elfutils/libdwfl.h>
#include <string.h>

#include "base/glob.h"
#include "base/lookup.h"
#include "base/search.h"
#include "target/internal.h"
#include "target/section_entries.h"
#include "target/symtab.h"

#define ASKED_MANY 16
#define PLACES_MANY 64 /* asked about at once */

struct symbols {
	struct arena *arena;
	struct symtab *table; /* NULL: none that can be searched directly */
	bool is_read;
	struct symbol *list;
	size_t count;
	unsigned asked;
	struct known_name *names; /* answers from the file's table */
	struct known_place *places;
	struct lookup by_name; /* the first of each name */
	uint32_t *same; /* how many share list[i]'s name, if it is the first; NULL: not counted
			 * yet */
};

static bool has_prefix(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* Mapping symbols, section names and compiler labels aren't in kallsyms; the symbols that
 * EXPORT_SYMBOL() leaves (a third of a kernel's) are of no interest. */
bool is_named(const char *name, int type)
{
	if (!name || !*name || type == STT_SECTION || type == STT_FILE || *name == '$')
		return false;
	if (name[0] == '.')
		return name[1] != 'L';
	return name[0] != '_' || name[1] != '_' ||
	       (!has_prefix(name, "__kstrtab") && !has_prefix(name, "__ksymtab_") &&
		!has_prefix(name, "__crc_"));
}

static struct symbol module_symbol(struct arena *arena, bool is_program, const char *name,
				   GElf_Addr address, GElf_Word section, const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return (struct symbol){
		.name = is_program ? plain_version(arena, name) : name,
		.address = address,
		.size = sym->st_size,
		.section = section == SHN_ABS ? 0 : section,
		.is_function = type == STT_FUNC || type == STT_GNU_IFUNC,
		.is_global = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
		.is_resolver = type == STT_GNU_IFUNC,
	};
}

/* Reads the symbols of a file that only libdwfl can read, or that is relocatable. */
static void read_module(struct target *target, struct symbols *symbols)
{
	bool is_program = target->kind == TARGET_PROGRAM;
	int count = dwfl_module_getsymtab(target->dwfl_module);

	if (count <= 0 && !is_program)
		return;
	arena_append(symbols->arena, target->externs, target->nexterns) = "";
	for (int i = 0; i < count; i++) {
		GElf_Word section = 0;
		GElf_Addr address;
		GElf_Sym sym;
		Elf *elf = NULL;
		const char *name = dwfl_module_getsym_info(target->dwfl_module, i, &sym, &address,
							   &section, &elf, NULL);

		name = name_in_file(elf, name);
		if (!name || !is_named(name, GELF_ST_TYPE(sym.st_info)))
			continue;
		if (sym.st_shndx == SHN_UNDEF)
			arena_append(symbols->arena, target->externs, target->nexterns) = name;
		else
			arena_append(symbols->arena, symbols->list, symbols->count) = module_symbol(
				symbols->arena, is_program, name, address, section, &sym);
	}
	if (is_program)
		read_dynamic(symbols->arena, target, &symbols->list, &symbols->count);
	sort_symbols(symbols->list, symbols->count);
	if (is_program)
		symbols->count = drop_twins(symbols->list, symbols->count);
}

void symbols_open(struct arena *arena, struct target *target)
{
	struct symbols *symbols = arena_new(arena, struct symbols);

	symbols->arena = arena;
	target->symbols = symbols;
	if (target->kind == TARGET_KERNEL)
		symbols->table = symtab_open(arena, target);
	symbols->is_read = !symbols->table;
	if (symbols->is_read)
		read_module(target, symbols);
}

static void read_all(struct symbols *symbols)
{
	if (symbols->is_read)
		return;
	symbols->list = symtab_all(symbols->table, symbols->arena, &symbols->count);
	sort_symbols(symbols->list, symbols->count);
	symbols->is_read = true;
}

void target_keep_symbols(struct target *target)
{
	struct symbols *symbols = target->symbols;

	read_all(symbols);
	for (size_t i = 0; i < symbols->count; i++)
		symbols->list[i].name = arena_strdup(symbols->arena, symbols->list[i].name);
}

static size_t upto(const struct symbol *list, size_t count, uint64_t address)
{
	return partition_point(count, i, list[i].address <= address);
}

size_t symbols_upto(const struct target *target, uint64_t address)
{
	read_all(target->symbols);
	return upto(target->symbols->list, target->symbols->count, address);
}

static bool contains(const struct symbol *symbol, uint64_t address)
{
	return address == symbol->address ||
	       (address > symbol->address && address - symbol->address < symbol->size);
}

static bool is_better(const struct symbol *a, const struct symbol *b, const char *prefer)
{
	if (!b)
		return true;
	if (prefer && (!strcmp(a->name, prefer)) != (!strcmp(b->name, prefer)))
		return !strcmp(a->name, prefer);
	if (a->is_function != b->is_function)
		return a->is_function;
	if (!a->size != !b->size)
		return a->size;
	if (a->address != b->address)
		return a->address > b->address;
	if (a->is_global != b->is_global)
		return a->is_global;
	return false;
}

/* Symbols may nest (a label inside a function): look a little way down. */
#define NESTING 64

static const struct symbol *best_of(const struct symbol *list, size_t count, uint64_t address,
				    const char *prefer)
{
	const struct symbol *best = NULL;
	size_t end = upto(list, count, address);

	for (size_t i = end; i > 0 && end - i < NESTING; i--) {
		const struct symbol *symbol = &list[i - 1];

		if (symbol->section && contains(symbol, address) && is_better(symbol, best, prefer))
			best = symbol;
	}
	return best;
}

static const struct known_place *recall_place(const struct symbols *symbols, uint64_t address)
{
	const struct known_place *known = symbols->places;

	while (known && (address < known->start || address >= known->end))
		known = known->next;
	return known;
}

void target_expect_places(const struct target *target, const uint64_t *addresses, unsigned count)
{
	struct symbols *symbols = target->symbols;
	struct known_place *places;
	unsigned unknown = 0;

	if (symbols->is_read || symbols->asked >= ASKED_MANY || count > PLACES_MANY)
		return;
	places = arena_array(symbols->arena, struct known_place, count + 1);
	for (unsigned i = 0; i < count; i++)
		if (!recall_place(symbols, addresses[i]))
			places[unknown++].address = addresses[i];
	if (!unknown)
		return;
	symbols->asked++;
	symtab_around(symbols->table, symbols->arena, places, unknown);
	for (unsigned i = 0; i < unknown; i++) {
		sort_symbols(places[i].around, places[i].count);
		places[i].next = symbols->places;
		symbols->places = &places[i];
	}
}

/* Symbols by address, with all those that contain the given one among them. */
static const struct symbol *list_around(const struct target *target, uint64_t address,
					size_t *count)
{
	struct symbols *symbols = target->symbols;
	const struct known_place *known;

	target_expect_places(target, &address, 1);
	known = symbols->is_read ? NULL : recall_place(symbols, address);
	if (!known)
		read_all(symbols);
	*count = known ? known->count : symbols->count;
	return known ? known->around : symbols->list;
}

const struct symbol *target_symbol_at(const struct target *target, uint64_t address,
				      const char *prefer)
{
	size_t count;
	const struct symbol *list = list_around(target, address, &count);

	return best_of(list, count, address, prefer);
}

const struct symbol *const *target_functions_from(struct arena *arena, const struct target *target,
						  uint64_t address, uint64_t start, unsigned *count)
{
	const struct symbol **ret = NULL;
	size_t all;
	const struct symbol *list = list_around(target, address, &all);

	*count = 0;
	for (size_t i = upto(list, all, start); i > 0 && list[i - 1].address == start; i--)
		if (list[i - 1].is_function && contains(&list[i - 1], address))
			arena_append(arena, ret, *count) = &list[i - 1];
	return ret;
}

static size_t first_named(const struct symbols *symbols, const char *name, uint32_t hash)
{
	return lookup_find(&symbols->by_name, hash, i, !strcmp(symbols->list[i].name, name));
}

static void hash_names(struct symbols *symbols)
{
	lookup_reserve(symbols->arena, &symbols->by_name, symbols->count);
	symbols->same = arena_array(symbols->arena, uint32_t, symbols->count);
	for (size_t i = 0; i < symbols->count; i++) {
		uint32_t hash = text_hash(symbols->list[i].name);
		size_t first = first_named(symbols, symbols->list[i].name, hash);

		if (first == LOOKUP_NONE)
			lookup_add(symbols->arena, &symbols->by_name, hash, first = i);
		symbols->same[first]++;
	}
}

static const struct symbol *look_up(const struct symbols *symbols, const char *name,
				    unsigned *count)
{
	size_t first = first_named(symbols, name, text_hash(name));

	if (first == LOOKUP_NONE)
		return NULL;
	*count += symbols->same[first];
	return &symbols->list[first];
}

static const struct symbol *look_through(const struct symbols *symbols, const char *name,
					 unsigned *count)
{
	const struct symbol *found = NULL;

	for (size_t i = 0; i < symbols->count; i++) {
		const struct symbol *symbol = &symbols->list[i];

		if (symbol->name[0] != name[0] || strcmp(symbol->name, name))
			continue;
		found = found ? found : symbol;
		++*count;
	}
	return found;
}

static const struct known_name *recall(const struct symbols *symbols, const char *name)
{
	const struct known_name *known = symbols->names;

	while (known && strcmp(known->name, name))
		known = known->next;
	return known;
}

/* Names that are needed now and then, and cost nothing when searched for together with others. */
static const char *const well_known[] = {
	"_stext",
	"__start___jump_table", "__stop___jump_table",
	"__start___ex_table", "__stop___ex_table",
	"__start___bug_table", "__stop___bug_table",
	"__start_static_call_sites", "__stop_static_call_sites",
	"__start_mcount_loc", "__stop_mcount_loc",
	"__start_kprobe_blacklist", "__stop_kprobe_blacklist",
	"__entry_text_start", "__entry_text_end",
	"__noinstr_text_start", "__noinstr_text_end",
	"__kprobes_text_start", "__kprobes_text_end",
	"within_notrace_func", "__within_notrace_func",
};

static void list_names(struct symbols *symbols, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct known_name *known;

		if (recall(symbols, names[i]))
			continue;
		known = arena_new(symbols->arena, struct known_name);
		known->name = arena_strdup(symbols->arena, names[i]);
		known->next = symbols->names;
		symbols->names = known;
	}
}

void target_expect_symbols(const struct target *target, const char *const *names, size_t count)
{
	struct symbols *symbols = target->symbols;
	struct known_name *last = symbols->names;

	if (symbols->is_read || symbols->asked >= ASKED_MANY)
		return;
	list_names(symbols, names, count);
	if (symbols->names == last)
		return;
	list_names(symbols, well_known, sizeof(well_known) / sizeof(*well_known));
	symbols->asked++;
	symtab_named(symbols->table, symbols->arena, symbols->names, last);
	for (struct known_name *known = symbols->names; known != last; known = known->next)
		sort_symbols(known->list, known->count);
}

const struct symbol *target_symbol_named(const struct target *target, const char *name,
					 unsigned *count)
{
	struct symbols *symbols = target->symbols;
	const struct known_name *known;

	target_expect_symbols(target, &name, 1);
	known = recall(symbols, name);
	*count = known ? (unsigned)known->count : 0;
	if (known)
		return known->list;
	if (symbols->is_read && !symbols->same && symbols->asked++ < ASKED_MANY)
		return look_through(symbols, name, count);
	read_all(symbols);
	if (!symbols->same)
		hash_names(symbols);
	return look_up(symbols, name, count);
}

const struct symbol *target_symbols(const struct target *target, const char *name, size_t *count)
{
	struct symbols *symbols = target->symbols;
	const struct known_name *known = NULL;

	if (name && !is_glob(name)) {
		target_expect_symbols(target, &name, 1);
		known = recall(symbols, name);
	}
	if (!known)
		read_all(symbols);
	*count = known ? known->count : symbols->count;
	return known ? known->list : symbols->list;
}
