/* SPDX-License-Identifier: GPL-2.0-only */
/* User stacks: which files processes run, and what these say of their code. */
#ifndef CMD_STACKS_H
#define CMD_STACKS_H

#include "ktrace/event.h"
#include "target/frames.h"

struct debuginfo;

/* images.c: a file that is run, opened once for all processes. */
struct image {
	struct image *next;
	const char *path;
	uint64_t inode;
	const char *name; /* without directories */
	struct arena arena;
	struct arena answers; /* debug information's, copied from */
	struct target *target;  /* NULL: it can't be read, or is another file by now */
	struct debuginfo *info;
	struct frames *frames;
	struct named **named; /* open addressing, by address */
	unsigned nnamed;
};
struct named {
	uint64_t address;
	unsigned count;
	struct stack_frame frames[]; /* innermost first; offsets are from the function */
};
struct image *image_open(struct image **list, const char *path, uint64_t inode);
/* What is at an address of the file itself. */
const struct named *image_name(struct image *image, uint64_t address);
void images_free(struct image *list);

/* processes.c: where a process has files mapped. */
struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset; /* in the file */
	uint64_t inode;
	const char *path; /* or a name as "[vdso]" */
	struct image *image; /* NULL: not opened yet, or not a file */
};
struct process {
	int pid; /* 0: free */
	uint64_t used; /* when, in lookups */
	uint64_t time; /* of the event at which /proc was read, ns; 0: what is known was recorded */
	struct arena arena;
	struct mapping *mappings; /* a later one hides an earlier one */
	unsigned count;
};
#define PROCESSES_MAX 1024u
struct mapped;
struct processes {
	struct process list[PROCESSES_MAX];
	struct process *last; /* that was looked up */
	struct process guess; /* of a process that had ended: the probed file alone, from where it was hit */
	uint64_t lookups;
	struct image *images;
	struct mapped *mapped; /* or NULL */
};
/* mapped.c: tells the functions below what processes map from now on. */
void mapped_open(struct processes *processes);
void mapped_read(struct processes *processes);
void mapped_close(struct processes *processes);
/* The process is a new program, with nothing mapped yet; or it began with what its parent has. */
void process_begins(struct processes *processes, int pid, int parent);
void process_maps(struct processes *processes, int pid, const struct mapping *mapping, size_t path_length);
void processes_forget(struct processes *processes);
/* The mapping of the event's process around an address; NULL when there is none. */
struct mapping *process_mapping(struct processes *processes, const struct event *event, uint64_t address);
/* The address in the mapping's file itself. Returns false when it isn't a file that could be read. */
bool mapping_address(struct processes *processes, struct mapping *mapping, uint64_t address, uint64_t *ret);
void processes_free(struct processes *processes);

/* unwind.c: for stream_unwinds(). cookie: the processes. */
unsigned unwind_stack(void *cookie, const struct event *event, const struct stack_memory *memory, unsigned depth,
		      uint64_t *ret, const char **cut);

#endif
