/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs as a tree of plain files, for a session without root and without a kernel. What is written through open(2)
 * and write(2), linked with --wrap, is done as the kernel does it: definitions make events in all instances, an
 * event that is enabled can't be removed (EBUSY), a mark can be read from trace_pipe. One operation may fail.
 */
#ifndef TESTS_FAKE_TRACEFS_H
#define TESTS_FAKE_TRACEFS_H

/* A new tree below a directory that is there; libtracefs is told that it is mounted there. */
void fake_make(const char *root);
void fake_remove(void);
/* The whole tree, names and contents, to be freed. */
char *fake_state(void);
/* The n-th open, write or mkdir from now on fails with err; 0: none. */
void fake_fail(unsigned n, int err);
/* The first n removals of an instance from now on fail: EBUSY, as while somebody holds a file of it open. */
void fake_busy(unsigned n);
/* The text of the first n marks from now on can't be read. */
void fake_move(unsigned n);
/* How many opens, writes and mkdirs there were since fake_fail(), if its n wasn't 0. */
unsigned fake_operations(void);
/* What has failed, "write instances/x/tracing_on", or NULL. */
const char *fake_failed(void);

#endif
