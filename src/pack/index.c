// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says which units have a name or a file. Of names the index has hashes alone: another name with
 * the same hash makes a unit be read that hasn't got it, which does no harm.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/last.h"
#include "pack/index.h"
#include "pack/nodes.h"
#include "pack/units.h"

uint32_t index_key(const void *name, size_t length)
{
	return (uint32_t)bytes_hash(name, length) >> (32 - KEY_BITS);
}

unsigned index_bits(uint64_t count)
{
	unsigned bits = 0;

	while (count >> bits > 1)
		bits++;
	return bits;
}

/* What has the name: sets is_candidate of the units, and has_name of the classes. */
struct marking {
	bool *is_candidate;
	bool *has_name;
	bool any; /* class */
	uint64_t nunits, nclasses;
};

static bool mark_target(struct marking *marking, uint64_t target)
{
	bool is_class = target & 1;

	target >>= 1;
	if (target >= (is_class ? marking->nclasses : marking->nunits))
		return false;
	(is_class ? marking->has_name : marking->is_candidate)[target] = true;
	marking->any |= is_class;
	return true;
}

/* A block of the index: how many entries, then all keys, then all targets. */
static bool mark_entries(struct marking *marking, struct in keys, uint64_t first, uint64_t key)
{
	uint64_t count = get_leb(&keys), at = first;
	struct in targets = keys;

	if (count > in_left(&keys) / 2)
		return false;
	for (uint64_t i = 0; i < count; i++)
		get_leb(&targets);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t target = get_leb(&targets);

		at += get_leb(&keys);
		if (at == key && !mark_target(marking, target))
			return false;
	}
	return !targets.is_bad && targets.at == targets.end;
}

static bool mark_named(const struct pack_image *image, struct marking *marking, const char *name)
{
	unsigned bits = index_bits(image->head->counts[GROUP_NAMES]);
	uint32_t key = index_key(name, strlen(name)), block = key >> (KEY_BITS - bits);
	const struct stream *stream = group_stream(image->head, GROUP_NAMES, block, 0);
	void *bytes = part_read(image->pack, stream);
	bool is_good = bytes && mark_entries(marking, in_bytes(bytes, stream->size),
					     (uint64_t)block << (KEY_BITS - bits), key);

	free(bytes);
	return is_good;
}

/* Whether one of the unit's classes has the name. The list is read to its end. */
static bool has_named(const struct marking *marking, struct in *in, bool *ret)
{
	struct node_list list;
	struct node_run run;

	if (!nodes_begin(&list, in))
		return false;
	while (nodes_next(&list, &run)) {
		if (run.count > marking->nclasses || run.class > marking->nclasses - run.count)
			return false;
		*ret |= run.count && memchr(marking->has_name + run.class, true, run.count);
	}
	return !in->is_bad;
}

static bool has_file(const bool *is_wanted, uint64_t nfiles, struct arena *arena, struct in *in,
		     bool *ret)
{
	struct decoder decoder = {.nfiles = nfiles};
	struct unit_files files;

	arena_reset(arena);
	if (!decode_files(&decoder, arena, in, &files))
		return false;
	for (uint64_t i = 0; files.version && i < files.nfiles; i++)
		*ret |= is_wanted[files.files[i].file];
	return true;
}

/* Reads a stream of all blocks, and asks each() of all units. */
static bool ask_units(const struct pack_image *image, enum unit_stream which, bool *is_candidate,
		      bool (*each)(void *cookie, struct in *in, bool *ret), void *cookie)
{
	const struct units *units = image->units;
	bool is_good = true;

	for (uint64_t block = 0; block < image->head->counts[GROUP_UNITS] && is_good; block++) {
		const struct stream *stream = group_stream(image->head, GROUP_UNITS, block, which);
		void *bytes = part_read(image->pack, stream);
		struct in in = in_bytes(bytes, bytes ? stream->size : 0);

		is_good = bytes;
		for (uint64_t i = block_start(units, block);
		     i < units->blocks[block].end && is_good; i++)
			is_good = each(cookie, &in, &is_candidate[i]);
		is_good &= !in.is_bad && in.at == in.end;
		free(bytes);
	}
	return is_good;
}

static bool ask_nodes(void *cookie, struct in *in, bool *ret)
{
	return has_named(cookie, in, ret);
}

bool pack_mark(struct pack_image *image, const char *name, bool *is_candidate)
{
	struct marking marking = {.is_candidate = is_candidate, .nunits = image->units->count,
				  .nclasses = class_count(&image->units->decoder)};
	bool is_good;

	marking.has_name = calloc(marking.nclasses + 1, sizeof(*marking.has_name));
	if (!marking.has_name)
		out_of_memory();
	is_good =
		mark_named(image, &marking, name) &&
		(!marking.any || ask_units(image, STREAM_NODES, is_candidate, ask_nodes, &marking));
	free(marking.has_name);
	return is_good;
}

struct file_marking {
	struct arena arena; /* of a unit */
	const bool *is_wanted;
	uint64_t nfiles;
};

static bool ask_files(void *cookie, struct in *in, bool *ret)
{
	struct file_marking *marking = cookie;

	return has_file(marking->is_wanted, marking->nfiles, &marking->arena, in, ret);
}

bool pack_mark_file(struct pack_image *image, const char *name, bool *is_candidate)
{
	struct decoder *decoder = &image->units->decoder;
	bool *is_wanted = calloc(decoder->nfiles + 1, sizeof(*is_wanted));
	struct file_marking marking = {.is_wanted = is_wanted, .nfiles = decoder->nfiles};
	bool is_good = true, any = false;

	if (!is_wanted)
		out_of_memory();
	for (uint64_t i = 0; i < decoder->nfiles && is_good; i++) {
		const char *text, *slash;
		uint32_t offset;

		is_good = text_numbered(decoder, decoder->files[i].name, &offset, &text);
		slash = is_good ? strrchr(text, '/') : NULL;
		is_wanted[i] = is_good && !strcmp(slash ? slash + 1 : text, name);
		any |= is_wanted[i];
	}
	if (is_good && any)
		is_good = ask_units(image, STREAM_FILES, is_candidate, ask_files, &marking);
	arena_deinit(&marking.arena);
	free(is_wanted);
	return is_good;
}
