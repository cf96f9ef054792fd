// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names that are nearest to one that doesn't exist. The surprise: a name is also near when it
 * contains the whole wanted one.
 */
#include <string.h>
#include <strings.h>

#include "base/distance.h"
#include "base/glob.h"
#include "base/nearest.h"

/* The score of a name that begins with the wanted one, if that has four letters or more. */
enum { LENGTHENED = 2 };

void nearest_init(struct nearest *nearest, const char *wanted)
{
	size_t length = strlen(wanted);

	*nearest = (struct nearest){.wanted = wanted};
	nearest->limit = length < 4 ? 1 : length < 9 ? 2 : (unsigned)length / 3;
}

/* A score above the limit: not near. A name that contains the whole wanted one is near, and nearer
 * if it begins with it, as foo_noprof, whose macro foo is; one that the compiler has lengthened,
 * foo.lto_priv.0, is that of the wanted function. So is one that differs in case only. */
static unsigned nearest_score(const struct nearest *nearest, const char *name)
{
	unsigned score = edit_distance(nearest->wanted, name, nearest->limit);
	size_t length = strlen(nearest->wanted);
	bool begins = length && !strncmp(name, nearest->wanted, length);

	if ((begins && name[length] == '.') || (score && !strcasecmp(nearest->wanted, name)))
		return 1;
	if (begins && length > 3 && score > LENGTHENED)
		return LENGTHENED;
	if (score > nearest->limit && length > 3 && strstr(name, nearest->wanted))
		return nearest->limit;
	return score;
}

/* Insertion into a short sorted list. */
static void nearest_insert(struct nearest *nearest, const char *name, unsigned score)
{
	unsigned at;

	if (score > nearest->limit)
		return;
	for (unsigned i = 0; i < nearest->count; i++)
		if (!strcmp(nearest->names[i], name))
			return;
	for (at = nearest->count; at > 0 && nearest->scores[at - 1] > score; at--)
		if (at < NEAREST) {
			nearest->names[at] = nearest->names[at - 1];
			nearest->scores[at] = nearest->scores[at - 1];
		}
	if (at == NEAREST)
		return;
	nearest->names[at] = name;
	nearest->scores[at] = score;
	if (nearest->count < NEAREST)
		nearest->count++;
}

void nearest_offer(struct nearest *nearest, const char *name)
{
	size_t common = 0;

	while (name[common] && name[common] == nearest->wanted[common])
		common++;
	nearest->common = common > nearest->common ? common : nearest->common;
	nearest_insert(nearest, name, nearest_score(nearest, name));
}

char *nearest_text(struct arena *arena, const struct nearest *nearest)
{
	char *text = NULL;

	for (unsigned i = 0; i < nearest->count; i++) {
		const char *name = nearest->names[i];
		const char *quote = strchr(name, ' ') ? "'" : "";

		text = arena_printf(arena, "%s%s%s%s%s", text ?: "", text ? ", " : "", quote, name,
				    quote);
	}
	return text;
}

/* A glob for the names that begin alike; for all names if NULL. */
const char *nearest_glob(struct arena *arena, const struct nearest *nearest)
{
	if (nearest->common < 3 || is_glob(nearest->wanted))
		return NULL;
	return arena_printf(arena, "%.*s*", (int)nearest->common, nearest->wanted);
}

void nearest_offer_path(struct nearest *nearest, const char *path, const char *name, bool is_exact)
{
	unsigned score = nearest_score(nearest, name);

	if (!is_exact || !score)
		nearest_insert(nearest, path, score);
}
