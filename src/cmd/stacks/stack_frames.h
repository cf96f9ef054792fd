/* SPDX-License-Identifier: GPL-2.0-only */
/* Names the frames of stacks: which files the kernel and processes run, and the names in these
 * files. */
#ifndef CMD_STACK_FRAMES_H
#define CMD_STACK_FRAMES_H

#include "ktrace/error.h"
#include "ktrace/event.h"
#include "target/frames.h"
#include "target/target.h"

struct debuginfo;
struct options;
struct code_place;

/* named.c: frames at one address, remembered. */
struct named {
	uint64_t address;
	unsigned count;
	struct stack_frame frames[]; /* innermost first; offsets are from the function */
};
struct named_table {
	struct named **slots; /* open addressing, by address; NULL: none yet */
	unsigned count;
};
/* Makes one of places, with texts in the arena; count 0: one frame of the module, without a name.
 * NULL: no memory. */
struct named *named_new(struct arena *arena, const char *module, uint64_t address,
			const struct code_place *places, unsigned count);
/* Returns NULL when the address isn't known yet. */
struct named *named_find(const struct named_table *table, uint64_t address);
/* Takes it over. May forget all others. NULL: no memory. */
const struct named *named_keep(struct named_table *table, struct named *named);
void named_forget(struct named_table *table);

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
	struct named_table named;
};
struct image *image_open(struct image **list, const char *path, uint64_t inode,
			 const struct target_places *places, bool is_quiet);
/* The same for a file that the caller opens. NULL: no memory. */
struct image *image_add(struct image **list, const char *path, uint64_t inode);
/* Reads the debug information of its target; says, if not quiet, that a pack of --only has a part
 * alone. Errors: there is none. */
struct error *image_read_info(struct image *image, bool is_quiet) must_check;
/* What debug information says of an address of the file itself. */
struct named *image_read(struct image *image, uint64_t address);
/* The same, or its symbol, remembered. */
const struct named *image_name(struct image *image, uint64_t address);
void images_free(struct image *list);

/* kernel_code.c: names the running kernel's code. */
struct kernel_code;
/* A file whose debug information this run has used for the kernel, or a module, by its path. */
struct code_file {
	const char *module; /* NULL: the kernel */
	const char *path;
	bool is_fetched; /* some of it came by debuginfod */
};
/* Where debug information of code in stacks may be. */
struct code_places {
	const struct code_file *files; /* ends with a path of NULL */
	struct target_places places;
	const char *cache; /* as in target_open_kernel() */
};
/* with_lines: inlined functions, files and lines are wanted. places: NULL where this run has used
 * no debug information. Errors: -k names a kernel that doesn't run. */
struct error *kernel_code_open(struct arena *arena, const struct options *options,
			       const struct code_places *places, bool with_lines,
			       struct kernel_code **ret) must_check;
/* "symbol+0x1f"; NULL: none. */
const char *kernel_code_symbol(struct kernel_code *code, uint64_t address);
/* What is at an address. Good until the next call. NULL: no memory. */
const struct named *kernel_code_name(struct kernel_code *code, uint64_t address);
void kernel_code_close(struct kernel_code *code);

/* processes.c: where a process has files mapped. */
struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset; /* in the file */
	uint64_t inode;
	/* or a name as "[vdso]"; "": of no file, as what a program has made itself */
	const char *path;
	struct image *image; /* NULL: not opened yet, or not a file */
};
struct process {
	int pid; /* 0: free */
	uint64_t used; /* when, in lookups */
	uint64_t ended; /* the same; 0: it runs */
	uint64_t time; /* of the event at which /proc was read, ns; 0: what is known was recorded */
	struct arena arena;
	struct mapping *mappings; /* a later one hides an earlier one */
	unsigned count;
	uint64_t memory; /* tells what is known of it now from all other maps */
};
#define PROCESSES_MAX 1024u
struct mapped;
struct processes {
	struct process list[PROCESSES_MAX];
	struct process *last; /* that was looked up */
	/* of a process that had ended: the probed file alone, from where it was hit */
	struct process guess;
	uint64_t lookups;
	uint64_t changes; /* of any process's maps */
	struct image *images;
	const struct target_places *places; /* of their debug information; NULL: the usual ones */
	bool is_quiet;
	struct mapped *mapped; /* or NULL */
};
/* mapped.c: tells the functions below what processes map from now on. */
void mapped_open(struct processes *processes);
void mapped_read(struct processes *processes);
void mapped_close(struct processes *processes);
/* The process is a new program, with nothing mapped yet; or it began with its parent's mappings. */
void process_begins(struct processes *processes, int pid, int parent);
/* Its mappings are kept until their room is needed. */
void process_ends(struct processes *processes, int pid);
void process_maps(struct processes *processes, int pid, const struct mapping *mapping,
		  size_t path_length);
void processes_forget(struct processes *processes);
/* A number for the maps of the event's process: equal numbers, equal maps. */
uint64_t process_memory(struct processes *processes, const struct event *event);
/* The mapping of the event's process around an address; NULL when there is none. */
struct mapping *process_mapping(struct processes *processes, const struct event *event,
				uint64_t address);
/* The address in the mapping's file itself. Returns false when it isn't a file that could be
 * read. */
bool mapping_address(struct processes *processes, struct mapping *mapping, uint64_t address,
		     uint64_t *ret);
void processes_free(struct processes *processes);

/* unwind.c: for stream_unwinds(). cookie: the processes. */
unsigned unwind_stack(void *cookie, const struct event *event, const struct stack_memory *memory,
		      unsigned depth, uint64_t *ret, const char **cut);

#endif
