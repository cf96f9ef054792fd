// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the files that traced processes run, when a stack first leads into them, and remembers what
 * is at each address that was asked for. A file that can't be read, or is another one by now, has
 * no names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/demangle.h"
#include "cmd/cmd.h"
#include "cmd/stacks/stack_frames.h"
#include "debuginfo/debuginfo.h"
#include "pack/pack.h"
#include "target/target.h"

struct image *image_add(struct image **list, const char *path, uint64_t inode)
{
	struct image *image = calloc(1, sizeof(*image));
	const char *slash;

	if (!image)
		return NULL;
	arena_init(&image->arena);
	arena_init(&image->answers);
	image->path = arena_strdup(&image->arena, path);
	slash = strrchr(image->path, '/');
	image->name = slash ? slash + 1 : image->path;
	image->inode = inode;
	image->next = *list;
	*list = image;
	return image;
}

struct error *image_read_info(struct image *image, bool is_quiet)
{
	struct error *error = dwarf_open(&image->arena, image->target, NULL, NULL, 0, &image->info);
	unsigned count = 0;

	if (error)
		image->info = NULL;
	else if (!is_quiet && image->target->image && pack_only(image->target->image, &count) &&
		 count)
		tell("ktrace: '%s': stacks have no inlined functions and no lines of what the "
		     "pack '%s', made with --only, doesn't have\n",
		     image->path, pack_path(image->target->pack));
	target_unbound(image->target);
	return error;
}

static void read_image(struct image *image, const struct target_places *places, bool is_quiet)
{
	struct stat status;
	struct error *error;

	if (image->path[0] != '/' || stat(image->path, &status) || !S_ISREG(status.st_mode) ||
	    (image->inode && status.st_ino != image->inode))
		return;
	error = target_open_program(&image->arena, image->path, places, &image->target);
	if (error) {
		image->target = NULL;
		return;
	}
	image->target->uses_cache = true;
	image->frames = frames_new(&image->arena, image->target);
	error = image_read_info(image, is_quiet);
	(void)error; /* there are symbols, at least */
}

struct image *image_open(struct image **list, const char *path, uint64_t inode,
			 const struct target_places *places, bool is_quiet)
{
	struct image *image;

	for (image = *list; image; image = image->next)
		if (image->inode == inode && !strcmp(image->path, path))
			return image;
	image = image_add(list, path, inode);
	if (image)
		read_image(image, places, is_quiet);
	return image;
}

struct named *image_read(struct image *image, uint64_t address)
{
	struct code_place *places = NULL;
	unsigned count = 0;
	struct named *named;

	if (image->info) {
		debuginfo_answer_in(image->info, &image->answers);
		if (debuginfo_places(image->info, address, &places, &count))
			count = 0;
	}
	named = named_new(&image->arena, image->name, address, places, count);
	if (image->info)
		arena_reset(&image->answers);
	return named;
}

/* By the symbol alone. A part that the compiler put before the function's entry has one of its own,
 * FUNC.cold. */
static void name_by_symbol(struct image *image, uint64_t address, struct stack_frame *frame)
{
	const struct symbol *symbol =
		image->target ? target_symbol_at(image->target, address, NULL) : NULL;
	const char *function = frame->function, *suffix;

	frame->offset = address;
	frame->function = NULL;
	if (!symbol || (symbol->size && address - symbol->address >= symbol->size))
		return;
	suffix = function ? symbol_part(symbol->name) : NULL;
	frame->function =
		suffix ? arena_printf(&image->arena, "%s%s", function, suffix) : symbol->name;
	frame->offset = address - symbol->address;
}

const struct named *image_name(struct image *image, uint64_t address)
{
	struct named *named = named_find(&image->named, address);
	struct stack_frame *outer;

	if (named)
		return named;
	named = image_read(image, address);
	outer = named ? &named->frames[named->count - 1] : NULL;
	if (outer && (!outer->function || outer->offset > address))
		name_by_symbol(image, address, outer);
	return named_keep(&image->named, named);
}

void images_free(struct image *list)
{
	while (list) {
		struct image *image = list;

		list = image->next;
		named_forget(&image->named);
		if (image->info)
			debuginfo_close(image->info);
		if (image->frames)
			frames_free(image->frames);
		target_close(image->target);
		arena_deinit(&image->answers);
		arena_deinit(&image->arena);
		free(image);
	}
}
