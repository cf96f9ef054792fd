// SPDX-License-Identifier: GPL-2.0-only
/* Splits the columns of a block in those of its parts, so that each part can be read without the
 * others. */
#include "pack/decode.h"

#define COLUMNS_MAX 1000000

/* Most columns are empty in most parts. */
static bool are_zeros(const struct in *in, uint64_t *zeros)
{
	if (in_left(in) < sizeof(*zeros))
		return false;
	memcpy(zeros, in->at, sizeof(*zeros));
	return !*zeros;
}

/* Reads the lengths of one column, and makes starts of them. */
static bool read_starts(struct in *in, uint32_t *starts, uint64_t nparts, uint64_t *at)
{
	uint64_t zeros;

	for (uint64_t i = 0; i < nparts; i++) {
		uint64_t length;

		for (; nparts - i >= sizeof(zeros) && are_zeros(in, &zeros);
		     i += sizeof(zeros), in->at += sizeof(zeros))
			for (unsigned j = 0; j < sizeof(zeros); j++)
				starts[i + j] = (uint32_t)*at;
		if (i == nparts)
			break;
		length = get_leb(in);

		starts[i] = (uint32_t)*at;
		*at += length;
		if (length > STREAM_MAX || *at > STREAM_MAX)
			return false;
	}
	starts[nparts] = (uint32_t)*at;
	return !in->is_bad;
}

bool columns_open(struct arena *arena, const struct unit_bytes *bytes, uint64_t nparts,
		  uint64_t least, struct columns *ret)
{
	struct in in = bytes->columns;
	uint64_t count = get_leb(&in), at = 0, node_at = 0, file_at = 0;
	uint32_t *starts;

	*ret = (struct columns){.nparts = nparts, .bytes = *bytes};
	if (count > COLUMNS_MAX || (count + 2) > in_left(&in) / (nparts ?: 1))
		return false;
	ret->ncoded = count;
	ret->count = count > least ? count : least;
	ret->list = arena_array(arena, struct in, ret->count);
	ret->starts = arena_array(arena, uint32_t, (count + 2) * (nparts + 1));
	for (uint64_t i = 0; i < count; i++)
		if (!read_starts(&in, ret->starts + i * (nparts + 1), nparts, &at))
			return false;
	starts = ret->starts + count * (nparts + 1);
	if (!read_starts(&in, starts, nparts, &node_at) ||
	    !read_starts(&in, starts + nparts + 1, nparts, &file_at))
		return false;
	ret->bytes.columns = in;
	return at == in_left(&in) && node_at == in_left(&bytes->nodes) &&
	       file_at == in_left(&bytes->files);
}

static struct in part_of(const struct in *bytes, const uint32_t *starts)
{
	return in_bytes(bytes->at + starts[0], starts[1] - starts[0]);
}

void columns_take(struct columns *columns, uint64_t part)
{
	const uint32_t *starts = columns->starts + part;

	for (uint64_t i = columns->ncoded; i < columns->count; i++)
		columns->list[i] = in_bytes(columns->bytes.columns.end, 0);
	for (uint64_t i = 0; i < columns->ncoded; i++, starts += columns->nparts + 1)
		columns->list[i] = part_of(&columns->bytes.columns, starts);
	columns->nodes = part_of(&columns->bytes.nodes, starts);
	columns->files = part_of(&columns->bytes.files, starts + columns->nparts + 1);
}

static bool is_at_end(const struct in *in)
{
	return !in->is_bad && in->at == in->end;
}

bool columns_close(const struct columns *columns)
{
	for (uint64_t i = 0; i < columns->count; i++)
		if (!is_at_end(&columns->list[i]))
			return false;
	return is_at_end(&columns->nodes) && is_at_end(&columns->files);
}
