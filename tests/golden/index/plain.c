// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file in; each name and the units that say it, each function and its copies out, by libdw's plain
 * walk. The name of a unit itself (its file) is no name here: nobody asks for it.
 */
#include "plain.h"

#include <dwarf.h>
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* The function a walk is in. */
struct inside {
	Dwarf_Off origin; /* 0: none */
	bool has_code;    /* so has the function out of line around it */
};

static void *grow(void *list, size_t count, size_t element)
{
	void *ret = list;

	if (!(count & (count - 1))) /* a power of two: full */
		ret = realloc(list, (count ? 2 * count : 1) * element);
	if (!ret)
		err(2, "memory");
	return ret;
}

static size_t place(const struct plain *plain, const char *text)
{
	uint64_t value = 14695981039346656037u;
	size_t at;

	for (const char *p = text; *p; p++)
		value = (value ^ (uint8_t)*p) * 1099511628211u;
	at = (value ^ value >> 29) & (plain->size - 1);
	while (plain->table[at].text && strcmp(plain->table[at].text, text))
		at = (at + 1) & (plain->size - 1);
	return at;
}

static struct plain_name *name_of(struct plain *plain, const char *text)
{
	struct plain_name *name = &plain->table[place(plain, text)];

	if (!name->text) {
		name->text = text;
		if (++plain->nnames > plain->size / 2)
			errx(2, "more names than expected");
	}
	return name;
}

static void mention(struct plain *plain, struct plain_name *name)
{
	uint32_t unit = (uint32_t)plain->nunits - 1;

	if (name->nunits && name->units[name->nunits - 1] == unit)
		return;
	name->units = grow(name->units, name->nunits, sizeof(*name->units));
	name->units[name->nunits++] = unit;
}

static bool follow(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	return (dwarf_attr(die, DW_AT_abstract_origin, &attribute) ||
		dwarf_attr(die, DW_AT_specification, &attribute)) &&
	       dwarf_formref_die(&attribute, ret);
}

static bool number(Dwarf_Die *die, unsigned name, Dwarf_Word *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && !dwarf_formudata(&attribute, ret);
}

static bool is_declared_only(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	bool is_set = false;

	return dwarf_attr(die, DW_AT_declaration, &attribute) &&
	       !dwarf_formflag(&attribute, &is_set) && is_set;
}

static bool has_ranges(Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (start < end)
			return true;
	return false;
}

static bool entry_of(Dwarf_Die *die, Dwarf_Addr *ret)
{
	Dwarf_Addr base, end;

	return !dwarf_entrypc(die, ret) || dwarf_ranges(die, 0, &base, ret, &end) > 0;
}

/* ktrace leaves one kind of copy out, and says so: gcc splits a function in two and inlines the second
 * half back into the first, at the line the function is declared on. That is no call. */
static void copy_of(struct plain *plain, Dwarf_Die *die, Dwarf_Die *origin, Dwarf_Off around)
{
	struct plain_copy copy = {.origin = dwarf_dieoffset(origin), .die = dwarf_dieoffset(die)};
	Dwarf_Word call, declared;

	if (!entry_of(die, &copy.entry))
		return;
	if (dwarf_tag(die) == DW_TAG_inlined_subroutine && copy.origin == around &&
	    number(die, DW_AT_call_line, &call) && number(origin, DW_AT_decl_line, &declared) &&
	    call == declared) {
		plain->nsplit++;
		return;
	}
	plain->copies = grow(plain->copies, plain->ncopies, sizeof(*plain->copies));
	plain->copies[plain->ncopies++] = copy;
}

static struct inside take_function(struct plain *plain, Dwarf_Die *die, struct inside around)
{
	bool is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	Dwarf_Die origin = *die, next;
	struct inside ret;
	const char *text;

	while (follow(&origin, &next))
		origin = next;
	ret.origin = dwarf_dieoffset(&origin);
	ret.has_code = is_inlined ? around.has_code : has_ranges(die);
	if (ret.has_code)
		copy_of(plain, die, &origin, around.origin);
	text = is_inlined || is_declared_only(die) ? NULL : dwarf_diename(&origin);
	if (text) {
		struct plain_name *name = name_of(plain, text);

		for (size_t i = 0; i < name->nfunctions; i++)
			if (name->functions[i] == ret.origin)
				return ret;
		name->functions = grow(name->functions, name->nfunctions, sizeof(*name->functions));
		name->functions[name->nfunctions++] = ret.origin;
	}
	return ret;
}

static void walk(struct plain *plain, Dwarf_Die *parent, struct inside around)
{
	Dwarf_Attribute attribute;
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		struct inside inside = around;
		int tag = dwarf_tag(&die);
		const char *text;

		plain->ndies++;
		text = dwarf_attr(&die, DW_AT_name, &attribute) ? dwarf_formstring(&attribute) : NULL;
		if (text && *text)
			mention(plain, name_of(plain, text));
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			inside = take_function(plain, &die, around);
		if (dwarf_haschildren(&die))
			walk(plain, &die, inside);
	} while (!dwarf_siblingof(&die, &die));
}

static int by_origin(const void *left, const void *right)
{
	const struct plain_copy *a = left, *b = right;

	if (a->origin != b->origin)
		return a->origin < b->origin ? -1 : 1;
	return (a->die > b->die) - (a->die < b->die);
}

const struct plain_name *plain_named(const struct plain *plain, const char *text)
{
	const struct plain_name *name = &plain->table[place(plain, text)];

	return name->text ? name : NULL;
}

void plain_copies(const struct plain *plain, const struct plain_name *name, struct plain_copy **ret,
		  size_t *count)
{
	*ret = NULL;
	*count = 0;
	for (size_t i = 0; name && i < name->nfunctions; i++) {
		size_t low = 0, high = plain->ncopies;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (plain->copies[middle].origin < name->functions[i])
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < plain->ncopies && plain->copies[low].origin == name->functions[i]; low++) {
			*ret = grow(*ret, *count, sizeof(**ret));
			(*ret)[(*count)++] = plain->copies[low];
		}
	}
}

static void list_functions(struct plain *plain)
{
	for (size_t i = 0; i < plain->size; i++) {
		struct plain_copy *copies;
		size_t count;

		plain_copies(plain, &plain->table[i], &copies, &count);
		free(copies);
		if (!count)
			continue;
		plain->functions = grow(plain->functions, plain->nfunctions, sizeof(*plain->functions));
		plain->functions[plain->nfunctions++] = plain->table[i].text;
	}
}

void plain_walk(struct plain *plain, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf_Off at = 0, next;
	size_t header;

	plain->dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	if (!plain->dwarf)
		errx(2, "%s: %s", path, dwarf_errmsg(-1));
	plain->size = (size_t)1 << 21;
	plain->table = calloc(plain->size, sizeof(*plain->table));
	for (; !dwarf_nextcu(plain->dwarf, at, &next, &header, NULL, NULL, NULL); at = next) {
		Dwarf_Die unit;

		plain->units = grow(plain->units, plain->nunits, sizeof(*plain->units));
		plain->units[plain->nunits++] = at;
		if (!dwarf_offdie(plain->dwarf, at + header, &unit))
			errx(2, "%s: %s", path, dwarf_errmsg(-1));
		walk(plain, &unit, (struct inside){0});
	}
	qsort(plain->copies, plain->ncopies, sizeof(*plain->copies), by_origin);
	list_functions(plain);
}
