// SPDX-License-Identifier: GPL-2.0-only
/* Packs one stream: a zstd frame with a checksum of its content, which is checked whenever it is read. */
#include <stdlib.h>
#include <zstd.h>

#include "base/last.h"
#include "pack/internal.h"

#define WINDOW_LOG 27 /* the largest that every zstd reads: 128 MB */

void frame_write(struct strbuf *out, const void *data, size_t size, int level)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(size), length;
	char *to = strbuf_room(out, room);

	if (!context)
		out_of_memory();
	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	if (size > (size_t)8 << 20) {
		ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
		ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW_LOG);
	}
	length = ZSTD_compress2(context, to, room, data, size);
	ZSTD_freeCCtx(context);
	if (ZSTD_isError(length))
		out_of_memory();
	strbuf_end(out, to + length);
}

bool frame_read(const void *packed, size_t length, void *ret, size_t size)
{
	/* a frame has no byte to spare: its own size is checked against the head's as well */
	return ZSTD_getFrameContentSize(packed, length) == size &&
	       ZSTD_findFrameCompressedSize(packed, length) == length &&
	       ZSTD_decompress(ret, size, packed, length) == size;
}

uint64_t frame_size(const void *packed, size_t length)
{
	unsigned long long size = ZSTD_getFrameContentSize(packed, length);

	return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? UINT64_MAX : size;
}
