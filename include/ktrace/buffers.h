/* SPDX-License-Identifier: GPL-2.0-only */
/* A live trace's raw buffers and what is needed to read them: made by session/, read by stream/. */
#ifndef KTRACE_BUFFERS_H
#define KTRACE_BUFFERS_H

#include <stddef.h>

/* An event that may be recorded. format: the text of its format file; NULL: it is never
 * recorded. */
struct live_event {
	int id;
	const char *format;
	/* What an event that several probes share (session/joint.c) calls the probe's fetches[i];
	 * its PLACE_FIELD has the probe's number. Else NULL. */
	const char *const *fields;
};

struct buffers {
	const char *directory;   /* the instance's, "/sys/kernel/tracing/instances/ktrace_123" */
	const char *header_page; /* text of events/header_page: how a page begins */
	size_t cpu_bytes;        /* size of one CPU's buffer */
	const struct live_event *events; /* of plan->probes[i] */
	/* What the kernel records of stacks, behind the event they belong to. */
	struct live_event kernel_stack;
	struct live_event user_stack;
	/* The directory of a second instance, which already records what threads are called; or
	 * NULL. */
	const char *names;
	struct live_event newtask;
	struct live_event rename;
};

#endif
