// SPDX-License-Identifier: GPL-2.0-only
/* Which units ktrace says can have lines of a file, beside the files that libdw reads in each unit's line table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/search/search.h"
#include "plain.h"

#define FILES	30
#define CHANCES 400 /* of a unit to give one of its files */

struct files {
	char *names[FILES]; /* last components; NULL: another than the one before has it */
	bool *has[FILES];   /* by unit */
	size_t count;
};

static const char *last_of(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static const char *source_of(Dwarf_Die *unit, size_t number)
{
	Dwarf_Files *files;
	size_t count;

	return dwarf_getsrcfiles(unit, &files, &count) || number >= count ? NULL : dwarf_filesrc(files, number, NULL, NULL);
}

static void choose(struct files *files, Dwarf *dwarf, const struct dwarf_info *info, uint64_t seed)
{
	for (size_t i = seed % CHANCES; files->count < FILES; i = (i * 7919 + seed) % (info->nunits * CHANCES)) {
		Dwarf_Die unit;
		const char *path = dwarf_offdie(dwarf, info->units[i / CHANCES].die, &unit) ? source_of(&unit, i % CHANCES) : NULL;
		bool is_new = path && *last_of(path);

		for (size_t j = 0; j < files->count && is_new; j++)
			is_new = strcmp(files->names[j], last_of(path)) != 0;
		if (!is_new)
			continue;
		files->has[files->count] = calloc(info->nunits, sizeof(bool));
		files->names[files->count++] = strdup(last_of(path));
		seed++;
	}
}

static void note_unit(struct files *files, Dwarf_Die *unit, size_t number)
{
	Dwarf_Files *list;
	size_t count;

	if (dwarf_getsrcfiles(unit, &list, &count))
		return;
	for (size_t i = 0; i < count; i++) {
		const char *path = dwarf_filesrc(list, i, NULL, NULL);

		for (size_t j = 0; path && j < files->count; j++)
			files->has[j][number] |= !strcmp(files->names[j], last_of(path));
	}
}

void files_read(struct files **ret, Dwarf *dwarf, const struct dwarf_info *info, uint64_t seed)
{
	struct files *files = *ret = calloc(1, sizeof(*files));

	choose(files, dwarf, info, seed);
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;

		if (dwarf_offdie(dwarf, info->units[i].die, &unit))
			note_unit(files, &unit, i);
	}
}

size_t files_check(const struct files *files, struct dwarf_info *info)
{
	size_t bad = 0, said = 0, wanted = 0;

	for (size_t i = 0; i < files->count; i++) {
		const bool *can = units_with_file(info, files->names[i]);

		for (size_t j = 0; j < info->nunits; j++) {
			said += !can || can[j];
			wanted += files->has[i][j];
			if (!files->has[i][j] || !can || can[j])
				continue;
			if (!bad++)
				printf("# '%s': unit %zu has it\n", files->names[i], j);
		}
	}
	printf("# %zu files: %zu units have them, %zu can\n", files->count, wanted, said);
	return bad + (said > wanted + wanted / 4 + files->count);
}
