// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks the kernel that is inside a vmlinuz: a whole ELF file, without symbols, compressed.
 *
 * The surprise: how long it is unpacked stands behind the compressed bytes, whatever the method
 * (the kernel's scripts/Makefile.lib, size_append).
 */
#include <endian.h>
#include <fcntl.h>
#include <lz4.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/file.h"
#include "target/stock.h"

#define FILE_MAX     ((size_t)256 << 20)
#define UNPACKED_MAX ((size_t)1 << 30)

/* The kernel's Documentation/arch/x86/boot.rst. */
#define SETUP_SECTORS  0x1f1
#define HEADER_MAGIC   0x202 /* "HdrS" */
#define PAYLOAD_OFFSET 0x248 /* from the end of the setup sectors */
#define PAYLOAD_LENGTH 0x24c
#define HEADER_END     0x250

struct packed {
	const uint8_t *data;
	size_t length;
};

static bool unpack_gzip(const struct packed *in, void *out, size_t length)
{
	z_stream stream = {
		.next_in = (Bytef *)in->data,
		.avail_in = (uInt)in->length,
		.next_out = out,
		.avail_out = (uInt)length,
	};
	int status = inflateInit2(&stream, 16 + MAX_WBITS);

	if (status == Z_OK)
		status = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return status == Z_STREAM_END && stream.total_out == length;
}

static bool unpack_xz(const struct packed *in, void *out, size_t length)
{
	uint64_t memory = UNPACKED_MAX;
	size_t from = 0, to = 0;

	return lzma_stream_buffer_decode(&memory, 0, NULL, in->data, &from, in->length, out, &to,
					 length) == LZMA_OK &&
	       to == length;
}

static bool unpack_zstd(const struct packed *in, void *out, size_t length)
{
	return ZSTD_decompress(out, length, in->data, in->length) == length;
}

/* The legacy frame: a magic number, then blocks behind their lengths. */
static bool unpack_lz4(const struct packed *in, void *out, size_t length)
{
	size_t from = 4, to = 0;
	uint32_t size;

	while (from + 4 <= in->length && to < length) {
		int made;

		memcpy(&size, in->data + from, 4);
		size = le32toh(size);
		from += 4;
		if (size > in->length - from)
			return false;
		made = LZ4_decompress_safe((const char *)in->data + from, (char *)out + to,
					   (int)size, (int)(length - to));
		if (made < 0)
			return false;
		from += size;
		to += (size_t)made;
	}
	return to == length;
}

static const struct method {
	uint8_t magic[4];
	unsigned nmagic;
	bool (*unpack)(const struct packed *in, void *out, size_t length);
	bool has_length; /* of its own: the appended one doesn't belong to it */
} methods[] = {
	{{0x1f, 0x8b}, 2, unpack_gzip, true},
	{{0xfd, '7', 'z', 'X'}, 4, unpack_xz, false},
	{{0x28, 0xb5, 0x2f, 0xfd}, 4, unpack_zstd, false},
	{{0x02, 0x21, 0x4c, 0x18}, 4, unpack_lz4, false},
};

static uint32_t number_at(const struct packed *file, size_t offset)
{
	uint32_t number;

	memcpy(&number, file->data + offset, sizeof(number));
	return le32toh(number);
}

/* Returns false when it isn't such an image. */
static bool find_payload(const struct packed *file, struct packed *ret)
{
	size_t sectors, offset, length;

	if (file->length < HEADER_END || memcmp(file->data + HEADER_MAGIC, "HdrS", 4) != 0)
		return false;
	sectors = file->data[SETUP_SECTORS] ?: 4;
	offset = (sectors + 1) * 512 + number_at(file, PAYLOAD_OFFSET);
	length = number_at(file, PAYLOAD_LENGTH);
	*ret = (struct packed){file->data + offset, length};
	return length > 8 && offset <= file->length && length <= file->length - offset;
}

static bool unpack(const struct packed *payload, void **ret, size_t *length)
{
	struct packed in = *payload;

	*length = number_at(payload, payload->length - 4);
	if (*length > UNPACKED_MAX)
		return false;
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		if (memcmp(in.data, methods[i].magic, methods[i].nmagic) != 0)
			continue;
		in.length -= methods[i].has_length ? 0 : 4;
		*ret = malloc(*length ?: 1);
		return *ret && methods[i].unpack(&in, *ret, *length);
	}
	return false;
}

bool is_vmlinuz(const char *path)
{
	char header[HEADER_END];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_it = fd >= 0 && read(fd, header, sizeof(header)) == sizeof(header) &&
		     !memcmp(header + HEADER_MAGIC, "HdrS", 4);

	if (fd >= 0)
		close(fd);
	return is_it;
}

struct error *unpack_vmlinuz(struct arena *arena, const char *path, void **ret, size_t *length)
{
	struct arena scratch = {0};
	struct packed file, payload;
	struct error *error = NULL;

	*ret = NULL;
	file.data = (const uint8_t *)file_read_sized(&scratch, path, FILE_MAX, &file.length);
	if (!file.data)
		error = error_new(arena, ERROR_NO_DEBUGINFO, "can't read '%s'", path);
	else if (!find_payload(&file, &payload))
		error = error_new(arena, ERROR_NO_DEBUGINFO,
				  "'%s' is not a kernel image for x86", path);
	else if (!unpack(&payload, ret, length))
		error = error_new(arena, ERROR_NO_DEBUGINFO,
				  "'%s' is damaged, or is compressed in another way "
				  "than by gzip, xz, zstd or LZ4",
				  path);
	if (error) {
		free(*ret);
		*ret = NULL;
	}
	arena_deinit(&scratch);
	return error;
}
