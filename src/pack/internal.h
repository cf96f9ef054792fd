/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of pack/: the head of a pack, as it is in memory. */
#ifndef PACK_INTERNAL_H
#define PACK_INTERNAL_H

#include "pack/bytes.h"
#include "pack/pack.h"

#define PACK_MAGIC   "ktrpack\n"
#define PACK_VERSION 1
#define PART_CLASSES 64 /* of the pool, that are coded together */
#define STREAM_MAX   ((uint64_t)1 << 30) /* bytes of one stream, unpacked */
#define IMAGE_MAX    ((uint64_t)8 << 30)

/* The beginning of the file. */
struct pack_start {
	char magic[8];
	uint32_t version;
	uint32_t head_size; /* bytes of the frame that follows */
	uint64_t head_check; /* bytes_hash() of them */
};

/* A part of the file that is packed by itself: a frame of zstd with a checksum. */
struct stream {
	uint64_t at; /* in the file */
	uint64_t packed;
	uint64_t size;
};

struct section {
	const char *name;
	uint64_t type, flags, address, size, link, info, align, entry;
	uint64_t stream; /* whose bytes it has, plus 1; 0: no bytes, or filled in unit by unit */
	uint64_t offset; /* in the ELF file in memory */
};

/* The streams that the units are made of; they follow those of the sections. */
enum part {
	PART_UNITS,   /* sizes of each unit's parts */
	PART_SHAPES,  /* abbreviations */
	PART_EXPRESSIONS,
	PART_FILES,   /* directories and names */
	PART_LABELS,  /* of nodes of the pool */
	PART_CLASS_NAMES, /* what is searched for by name: in nodes of the pool, */
	PART_UNIT_NAMES,  /* and in those of the units */
	NPARTS,
};

struct image_head {
	const char *name;
	const char *build_id;
	uint64_t kind;
	uint64_t type; /* ET_* */
	uint64_t machine;
	struct section *sections;
	uint64_t nsections;
	struct stream *streams;
	uint64_t nstreams;
	uint64_t npools;  /* streams of nodes that several units have; then of units; 0: none are made */
	uint64_t nblocks; /* of units */
	uint64_t first_part; /* stream of PART_UNITS */
};

struct pack {
	const char *path;
	int fd;
	uint64_t length;
	struct image_head *images;
	unsigned nimages;
};

/* frame.c: one stream. frame_read() fills in exactly `size` bytes; returns false when they are damaged. */
void frame_write(struct strbuf *out, const void *data, size_t size, int level);
/* What the frame says; UINT64_MAX when it doesn't. */
uint64_t frame_size(const void *packed, size_t length);
bool frame_read(const void *packed, size_t length, void *ret, size_t size);

/* head.c */
void head_write(struct strbuf *out, const struct image_head *images, unsigned count);
/* data_at: where the streams begin in the file; file_size: where it ends. Returns false when damaged. */
bool head_read(struct arena *arena, struct in *in, uint64_t data_at, uint64_t file_size, struct pack *pack);

/* open.c: reads a stream, into malloc'd memory with a NUL behind it, or to `ret`. */
bool part_read_to(const struct pack *pack, const struct stream *stream, void *ret);
void *part_read(const struct pack *pack, const struct stream *stream);
struct error *pack_damaged(struct arena *arena, const struct pack *pack) must_check;

#endif
