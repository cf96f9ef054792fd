// SPDX-License-Identifier: GPL-2.0-only
/* Which units ktrace says can have names that a glob matches, beside all names that the plain walk found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/search/search.h"
#include "plain.h"

static void note_units(const struct plain *plain, const char *prefix, bool *has)
{
	size_t length = strlen(prefix);

	for (size_t i = 0; i < plain->size; i++) {
		const struct plain_name *name = &plain->table[i];

		for (size_t j = 0; name->text && !strncmp(name->text, prefix, length) && j < name->nunits; j++)
			has[name->units[j]] = true;
	}
}

size_t globs_check(const struct plain *plain, struct dwarf_info *info, size_t count, uint64_t seed)
{
	size_t bad = 0, narrow = 0, said = 0, wanted = 0;

	for (size_t i = 0; i < count; i++) {
		const char *function = plain->functions[(seed + i * 7919) % plain->nfunctions];
		bool *has = calloc(info->nunits, sizeof(*has));
		size_t length = strlen(function) < 6 ? strlen(function) : strlen(function) * 3 / 4, marked = 0;
		char glob[4096];

		snprintf(glob, sizeof(glob), "%.*s", (int)length, function);
		note_units(plain, glob, has);
		strcat(glob, "*");
		candidate_units(info, glob);
		for (size_t j = 0; j < info->nunits; j++) {
			marked += info->units[j].is_candidate;
			if (has[j] && !info->units[j].is_candidate && !bad++)
				printf("# '%s': unit %zu has one\n", glob, j);
		}
		for (size_t j = 0; j < info->nunits && marked < info->nunits; j++)
			wanted += has[j];
		said += marked < info->nunits ? marked : 0;
		narrow += marked < info->nunits;
		free(has);
	}
	printf("# %zu globs, %zu of them searched for: %zu units have names, %zu can\n", count, narrow, wanted, said);
	return bad + (narrow < count / 2) + (said > narrow * info->nunits / 20);
}
