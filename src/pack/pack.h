/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The public interface of pack/: a pack holds the debug information of one or more builds in a
 * small file (docs/pack.md). To a reader it is a separate debug file: an ELF file in memory, of
 * which each unit is filled in when it is first asked for.
 */
#ifndef PACK_PACK_H
#define PACK_PACK_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ktrace/error.h"

#define PACK_SUFFIX ".ktp"

struct pack;       /* a file */
struct pack_image; /* what it has of one build */

/* Reads the head of a pack. Errors: ERROR_SYSTEM when it can't be read, ERROR_NO_DEBUGINFO when it
 * is no pack, of another version, truncated or damaged. */
struct error *pack_open(struct arena *arena, const char *path, struct pack **ret) must_check;
void pack_close(struct pack *pack);
const char *pack_path(const struct pack *pack);
unsigned pack_count(const struct pack *pack);
/* The build-id of one of its builds, in hex, and the name of the file it was made of. */
const char *pack_build_id(const struct pack *pack, unsigned index, const char **name);
bool pack_has(const struct pack *pack, const char *build_id);

/* The debug information of that build-id, for the ELF file `main`, whose program headers it gets:
 * so both are at the same addresses. The pack must stay open. */
struct error *pack_image_open(struct arena *arena, struct pack *pack, const char *build_id,
			      Elf *main, struct pack_image **ret) must_check;
void pack_image_close(struct pack_image *image);
/* A new file descriptor of the ELF file. Returns -1 when out of them. */
int pack_image_fd(const struct pack_image *image);

/* The units of .debug_info that are filled in one by one; 0: all of it is there. */
size_t pack_units(const struct pack_image *image);
struct pack_unit {
	uint64_t start; /* offsets in .debug_info */
	uint64_t die;
	uint64_t end;
	uint8_t version;
};
struct pack_unit pack_unit(const struct pack_image *image, size_t index);
/* Fills a unit in, with its lines and lists. Returns false when that part of the pack is
 * damaged. */
bool pack_fill(struct pack_image *image, size_t index);
/* Writes the header of a unit that isn't filled in, as if it reached up to unit `end`. */
void pack_write_head(struct pack_image *image, size_t index, size_t end);
/* The globs that it was made with, --only; *count 0: it has all of the build. */
const char *const *pack_only(const struct pack_image *image, unsigned *count);
/* Fills in what .debug_frame says of the code at an address: likewise. */
bool pack_fill_frames(struct pack_image *image, uint64_t address);
/* Sets is_candidate of the units that have the name, and at times of others: of a function, a
 * type, a member of an enum, or of a variable outside functions. Returns false when the pack is
 * damaged. */
bool pack_mark(struct pack_image *image, const char *name, bool *is_candidate);
/* Sets is_candidate of the units with a file in their line table whose last component is that:
 * likewise. */
bool pack_mark_file(struct pack_image *image, const char *name, bool *is_candidate);

/* Finds the pack of a build-id: in each of `places`, a pack or a directory with packs. Returns NULL
 * when none has it. *unread: why a pack that was named itself can't be read; or NULL. */
struct pack *pack_find(struct arena *arena, const char *const *places, unsigned nplaces,
		       const char *build_id, struct error **unread);

/* One build to be packed. */
struct pack_input {
	const char *name;     /* shown, and kept: the file's last component */
	const char *build_id; /* hex */
	uint8_t kind;         /* enum target_kind */
	Elf *debug;           /* the ELF file with its debug sections, relocated and uncompressed */
};
struct pack_writing {
	/* globs: only what functions and variables of these names need; none: all */
	const char *const *only;
	unsigned nonly;
	void (*progress)(void *cookie, const char *name, const char *step, unsigned percent);
	void *cookie;
};
struct pack_output; /* what was packed so far */
struct pack_output *pack_begin(struct arena *arena, const struct pack_writing *writing);
/* *by_units: whether it was coded unit by unit, or else section by section. */
struct error *pack_add(struct pack_output *output, const struct pack_input *input,
		       bool *by_units) must_check;
/* The next glob that no name matched; NULL: no more. *next: 0 at first. */
const char *pack_unfound(const struct pack_output *output, unsigned *next);
/* Writes the file, in place of one of that name, and ends the output. *size: its bytes. */
struct error *pack_end(struct pack_output *output, const char *path, uint64_t *size) must_check;

#endif
