// SPDX-License-Identifier: GPL-2.0-only
/* Opens a pack by its head, which is all that is read until something is asked. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/last.h"
#include "pack/internal.h"

#define HEAD_MAX   ((uint64_t)64 << 20)
#define HEAD_RATIO 64 /* as STREAMS_RATIO */
#define HEAD_SLACK ((uint64_t)1 << 20)

struct error *pack_damaged(struct arena *arena, const struct pack *pack)
{
	if (pack->is_bloated)
		return error_new(arena, ERROR_NO_DEBUGINFO,
				 "the pack '%s' would become far more than its bytes can be: "
				 "ktrace makes none like it",
				 pack->path);
	return error_hint(arena,
			  error_new(arena, ERROR_NO_DEBUGINFO,
				    "the pack '%s' is damaged or truncated", pack->path),
			  "copy it again, or make it again: ktrace pack --help");
}

/* Exactly `length` bytes. */
static bool read_at(const struct pack *pack, uint64_t at, void *ret, size_t length)
{
	char *to = ret;

	while (length) {
		ssize_t got = pread(pack->fd, to, length, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		at += (uint64_t)got;
		length -= (size_t)got;
	}
	return true;
}

/* The bytes are read to memory that is kept: new memory would be faulted in for each stream. */
bool part_read_to(struct pack *pack, const struct stream *stream, void *ret)
{
	if (stream->packed > pack->room) {
		free(pack->packed);
		pack->room = 2 * stream->packed;
		pack->packed = malloc(pack->room);
		if (!pack->packed)
			out_of_memory();
	}
	return read_at(pack, stream->at, pack->packed, stream->packed) &&
	       frames_read(pack->context, pack->packed, stream->packed, ret, stream->size);
}

void *part_read(struct pack *pack, const struct stream *stream)
{
	char *ret = malloc(stream->size + 1);

	if (!ret)
		out_of_memory();
	ret[stream->size] = '\0';
	if (part_read_to(pack, stream, ret))
		return ret;
	free(ret);
	return NULL;
}

static struct error *other_version(struct arena *arena, const struct pack *pack, uint32_t version)
{
	return error_hint(arena,
			  error_new(arena, ERROR_NO_DEBUGINFO,
				    "the pack '%s' is of version %u; this ktrace reads version %u",
				    pack->path, version, PACK_VERSION),
			  "make it again with this ktrace: ktrace pack --help");
}

/* The frame of the head; it says itself how long it is unpacked. Returns NULL when it is
 * damaged. */
static unsigned char *unpack_head(struct pack *pack, const struct pack_start *start, uint64_t *size)
{
	struct stream head = {.at = sizeof(*start), .packed = start->head_size};
	unsigned char *packed, *data = NULL;

	if (head.packed > HEAD_MAX || head.packed > pack->length - sizeof(*start))
		return NULL;
	packed = malloc(head.packed + 1);
	if (!packed)
		out_of_memory();
	if (read_at(pack, head.at, packed, head.packed) &&
	    bytes_hash(packed, head.packed) == start->head_check) {
		head.size = frame_size(packed, head.packed);
		pack->is_bloated = head.size != UINT64_MAX &&
				   head.size > HEAD_SLACK + HEAD_RATIO * head.packed;
		if (head.size <= HEAD_MAX && !pack->is_bloated)
			data = part_read(pack, &head);
	}
	free(packed);
	*size = head.size;
	return data;
}

static struct error *read_head(struct arena *arena, struct pack *pack)
{
	struct pack_start start;
	unsigned char *data;
	uint64_t size;
	struct in in;
	bool is_good;

	if (!read_at(pack, 0, &start, sizeof(start)) ||
	    memcmp(start.magic, PACK_MAGIC, sizeof(start.magic)) != 0)
		return error_hint(arena, error_new(arena, ERROR_NO_DEBUGINFO,
						   "'%s' is not a pack", pack->path),
				  "packs are made by 'ktrace pack'");
	if (start.version != PACK_VERSION)
		return other_version(arena, pack, start.version);
	data = unpack_head(pack, &start, &size);
	if (!data)
		return pack_damaged(arena, pack);
	in = in_bytes(data, size);
	is_good = head_read(arena, &in, sizeof(start) + start.head_size, pack->length, pack);
	free(data);
	return is_good ? NULL : pack_damaged(arena, pack);
}

struct error *pack_open(struct arena *arena, const char *path, struct pack **ret)
{
	struct pack *pack = arena_new(arena, struct pack);
	struct error *error;
	struct stat status;

	pack->path = arena_strdup(arena, path);
	pack->context = frames_begin();
	pack->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (pack->fd < 0 || fstat(pack->fd, &status))
		error = error_errno(arena, errno, "can't read '%s'", path);
	else if (!S_ISREG(status.st_mode))
		error = error_new(arena, ERROR_NO_DEBUGINFO,
				  "'%s' is not a pack: it isn't a regular file", path);
	else
		error = NULL;
	if (!error) {
		pack->length = (uint64_t)status.st_size;
		error = read_head(arena, pack);
	}
	if (error)
		pack_close(pack);
	else
		*ret = pack;
	return error;
}

void pack_close(struct pack *pack)
{
	if (!pack)
		return;
	if (pack->fd >= 0)
		close(pack->fd);
	frames_end(pack->context);
	free(pack->packed);
	pack->packed = NULL;
	pack->room = 0;
	pack->fd = -1;
	pack->context = NULL;
}

const char *pack_path(const struct pack *pack)
{
	return pack->path;
}

unsigned pack_count(const struct pack *pack)
{
	return pack->nimages;
}

const char *pack_build_id(const struct pack *pack, unsigned index, const char **name)
{
	*name = pack->images[index].name;
	return pack->images[index].build_id;
}

bool pack_has(const struct pack *pack, const char *build_id)
{
	for (unsigned i = 0; build_id && i < pack->nimages; i++)
		if (!strcmp(pack->images[i].build_id, build_id))
			return true;
	return false;
}
