/* SPDX-License-Identifier: GPL-2.0-only */
/* A live trace's raw buffers, and what is needed to read them: what session/ has made and stream/ reads. */
#ifndef KTRACE_BUFFERS_H
#define KTRACE_BUFFERS_H

#include <stddef.h>

/* An event whose records may be there. format: text of its format file; NULL: it is never recorded. */
struct live_event {
	int id;
	const char *format;
};

struct buffers {
	const char *directory;   /* of the instance, "/sys/kernel/tracing/instances/ktrace_123" */
	const char *header_page; /* text of the file: how a page begins */
	size_t cpu_bytes;        /* a CPU's buffer */
	const struct live_event *events; /* of plan->probes[i] */
	/* Another instance's, where the kernel records what threads are called, already; NULL: there is none. */
	const char *names;
	struct live_event newtask;
	struct live_event rename;
};

#endif
