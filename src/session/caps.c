// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out what this kernel's probe events accept, and how many CPUs it can have. Decided by what
 * tracefs's README says, never by the kernel's version: distributions backport.
 */
#include <stdio.h>
#include <string.h>

#include "session/session.h"
#include "session/tracefs.h"

struct error *caps_read(struct arena *arena, struct caps *ret)
{
	char *readme;
	struct error *error = tfs_find(arena);

	if (error)
		return error;
	*ret = (struct caps){0};
	error = tfs_read(arena, NULL, "README", &readme);
	if (error)
		return error;
	*ret = (struct caps){
		.has_immediate = strstr(readme, "\\imm-value"),
		.has_histograms = strstr(readme, "hist trigger"),
		.has_sums = strstr(readme, "onmatch(matching.event)") &&
			    strstr(readme, "trace(<synthetic_event>") &&
			    strstr(readme, "<attached-group>.<attached-event>"),
	};
	return NULL;
}

/* "0-3", "0,2-5". The result is the last number plus one, holes included: per-CPU tables go up
 * to there. */
unsigned possible_cpus(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/possible", "re");
	unsigned first, last = 0, count = 0;
	char between;

	while (file && fscanf(file, "%u", &first) == 1) {
		last = first;
		if (fscanf(file, "%c", &between) == 1 && between == '-' &&
		    fscanf(file, "%u%c", &last, &between) < 1)
			break;
		count = last + 1;
	}
	if (file)
		fclose(file);
	return count;
}
