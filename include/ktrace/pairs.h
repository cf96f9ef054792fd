/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the starts and ends of a pair. Each start and each end is in one of the counts:
 * starts = pairs + unpaired_starts + evicted + forgotten + open, ends = pairs + unpaired_ends.
 */
#ifndef KTRACE_PAIRS_H
#define KTRACE_PAIRS_H

#include <stdint.h>

struct pair_counts {
	const char *title; /* "ip_rcv:6 -> tcp_v4_rcv:12" */
	uint64_t starts;
	uint64_t ends;
	uint64_t pairs;
	uint64_t unpaired_starts; /* another start of the same key came before an end */
	uint64_t unpaired_ends;   /* no start was known */
	uint64_t evicted;   /* starts given up, the oldest first, because there was no room */
	/* starts given up when events were lost, their ends perhaps among them */
	uint64_t forgotten;
	uint64_t open;      /* starts that still wait */
};

#endif
