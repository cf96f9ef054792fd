// SPDX-License-Identifier: GPL-2.0-only
/* Takes as many open files as the hard limit allows: a trace has up to four for each possible
 * CPU. */
#include "base/open_files.h"

#include <sys/resource.h>

uint64_t open_files_allow(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return RLIM_INFINITY;
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){limit.rlim_max, limit.rlim_max});
	return limit.rlim_cur;
}

void open_files_limit(uint64_t most)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && most <= limit.rlim_max)
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){most, limit.rlim_max});
}
