/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of pack/: the head of a pack, as it is in memory. */
#ifndef PACK_INTERNAL_H
#define PACK_INTERNAL_H

#include "pack/bytes.h"
#include "pack/pack.h"

#define PACK_MAGIC   "ktrpack\n"
#define PACK_VERSION 3
#define PART_CLASSES 32 /* of the pool, that are coded together */
#define TEXTS_EACH 512 /* in a block; the last may have fewer */
#define EXPRESSIONS_EACH 512
#define NAMES_EACH 1024 /* about so many in a block of the index */
#define KEY_BITS 24 /* of a name's hash that the index has */
#define STREAM_MAX   ((uint64_t)1 << 30) /* bytes of one stream, unpacked */
/* What a build may become in memory, for each byte that its streams have in the file, and more of a
 * small one: its streams unpacked, and its sections. Kernels need 3 and 12 bytes, those of --only
 * 10 and 17. */
#define STREAMS_RATIO 32
#define IMAGE_RATIO   64
#define RATIO_SLACK   ((uint64_t)16 << 20)

/* The beginning of the file. */
struct pack_start {
	char magic[8];
	uint32_t version;
	uint32_t head_size; /* bytes of the frame that follows */
	uint64_t head_check; /* bytes_hash() of them */
};

/* A part of the file that is packed by itself: frames of zstd, each with a checksum. */
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

/* The streams that the units are made of; they follow those of the sections. First what is read
 * whole, */
enum part {
	PART_UNITS,  /* sizes of each unit's parts */
	PART_SHAPES, /* abbreviations */
	PART_FILES,  /* directories and names */
	PART_LABELS, /* of nodes of the pool */
	NPARTS,
};

/* then, in blocks, what is read when it is needed. */
enum group {
	GROUP_TEXTS,       /* that several blocks of units have */
	GROUP_EXPRESSIONS, /* the same */
	GROUP_NAMES,       /* the index: in which units a name is */
	GROUP_POOL,        /* nodes that several units have */
	GROUP_UNITS,
	NGROUPS,
};

/* A block of units has a stream of each. */
enum unit_stream {
	STREAM_NODES, /* which nodes they have */
	STREAM_FILES, /* of their line tables */
	STREAM_TEXTS, /* that no other block has */
	STREAM_EXPRESSIONS,
	STREAM_COLUMNS,
	UNIT_STREAMS,
};

struct image_head {
	const char *name;
	const char *build_id;
	uint64_t kind;
	uint64_t type; /* ET_* */
	uint64_t machine;
	const char *const *only; /* globs: it has only what has such a name; none: all */
	uint64_t nonly;
	struct section *sections;
	uint64_t nsections;
	struct stream *streams;
	uint64_t nstreams;
	uint64_t counts[NGROUPS]; /* blocks; none of units: it was packed section by section */
	uint64_t first_part; /* stream of PART_UNITS */
};

struct pack {
	const char *path;
	int fd;
	struct ZSTD_DCtx_s *context;
	bool is_bloated;
	void *packed; /* bytes of a stream, as they are in the file */
	uint64_t room;
	uint64_t length;
	struct image_head *images;
	unsigned nimages;
};

/* frame.c: one stream. The bytes up to each cut, and those behind the last one, are a frame each: a
 * mix of kinds packs worse. */
void frames_write(struct strbuf *out, const void *data, size_t size, const size_t *cuts,
		  size_t ncuts, int level);
/* What the frame, which must be one, says; UINT64_MAX when it doesn't. */
uint64_t frame_size(const void *packed, size_t length);
/* What reading needs: a new one for each stream would take longer than most of them. */
struct ZSTD_DCtx_s *frames_begin(void);
void frames_end(struct ZSTD_DCtx_s *context);
/* Fills in exactly `size` bytes; returns false when they are damaged. */
bool frames_read(struct ZSTD_DCtx_s *context, const void *packed, size_t length, void *ret,
		 size_t size);

/* head.c */
/* The stream of a block. which: enum unit_stream; 0 for the other groups. */
const struct stream *group_stream(const struct image_head *image, enum group group, uint64_t index,
				  unsigned which);
/* Whether it becomes no more than that. */
bool is_bounded(const struct image_head *image);
void head_write(struct strbuf *out, const struct image_head *images, unsigned count);
/* data_at: where the streams begin in the file; file_size: where it ends. Returns false when
 * damaged; then pack->is_bloated: it would become more than its bytes can be. */
bool head_read(struct arena *arena, struct in *in, uint64_t data_at, uint64_t file_size,
	       struct pack *pack);

/* open_pack.c: reads a stream, into malloc'd memory with a NUL behind it, or to `ret`. */
bool part_read_to(struct pack *pack, const struct stream *stream, void *ret);
void *part_read(struct pack *pack, const struct stream *stream);
struct error *pack_damaged(struct arena *arena, const struct pack *pack) must_check;

#endif
