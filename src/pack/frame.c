// SPDX-License-Identifier: GPL-2.0-only
/* Packs one stream: a zstd frame with a checksum of its content, which is checked whenever it is
 * read. */
#include <stdlib.h>
#include <zstd.h>

#include "base/last.h"
#include "pack/internal.h"

#define WINDOW_LOG 27 /* the largest that every zstd reads: 128 MB */

static void write_frame(ZSTD_CCtx *context, struct strbuf *out, const void *data, size_t size,
			int level)
{
	size_t room = ZSTD_compressBound(size), length;
	char *to = strbuf_room(out, room);

	ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	if (size > (size_t)8 << 20) {
		ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
		ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW_LOG);
	}
	length = ZSTD_compress2(context, to, room, data, size);
	if (ZSTD_isError(length))
		out_of_memory();
	strbuf_end(out, to + length);
}

void frames_write(struct strbuf *out, const void *data, size_t size, const size_t *cuts,
		  size_t ncuts, int level)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t at = 0;

	if (!context)
		out_of_memory();
	for (size_t i = 0; i < ncuts; i++) {
		write_frame(context, out, (const char *)data + at, cuts[i] - at, level);
		at = cuts[i];
	}
	write_frame(context, out, (const char *)data + at, size - at, level);
	ZSTD_freeCCtx(context);
}

/* The frames' own sizes are checked against the head's: none has a byte to spare. */
bool frames_read(struct ZSTD_DCtx_s *context, const void *packed, size_t length, void *ret,
		 size_t size)
{
	const char *at = packed;
	char *to = ret;

	do {
		size_t frame = ZSTD_findFrameCompressedSize(at, length);
		unsigned long long part = ZSTD_isError(frame) ? ZSTD_CONTENTSIZE_ERROR :
								ZSTD_getFrameContentSize(at, frame);

		if (part > size || ZSTD_decompressDCtx(context, to, size, at, frame) != part)
			return false;
		at += frame;
		length -= frame;
		to += part;
		size -= part;
	} while (length);
	return !size;
}

struct ZSTD_DCtx_s *frames_begin(void)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();

	if (!context)
		out_of_memory();
	return context;
}

void frames_end(struct ZSTD_DCtx_s *context)
{
	ZSTD_freeDCtx(context);
}

uint64_t frame_size(const void *packed, size_t length)
{
	unsigned long long size = ZSTD_getFrameContentSize(packed, length);

	return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? UINT64_MAX :
										    size;
}
