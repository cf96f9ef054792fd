// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the files that traced processes run, when a stack first leads into them, and remembers what is
 * at each address that was asked for. A file that can't be read, or is another one by now, has no names.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "cmd/stacks.h"
#include "debuginfo/debuginfo.h"
#include "target/target.h"

#define NAMED_MAX 16384u /* addresses of a file; then all are forgotten */

static void read_image(struct image *image)
{
	struct stat status;
	struct error *error;

	if (image->path[0] != '/' || stat(image->path, &status) || !S_ISREG(status.st_mode) ||
	    (image->inode && status.st_ino != image->inode))
		return;
	error = target_open_program(&image->arena, image->path, false, &image->target);
	if (error) {
		image->target = NULL;
		return;
	}
	image->frames = frames_new(&image->arena, image->target);
	if (dwarf_open(&image->arena, image->target, NULL, NULL, 0, &image->info))
		image->info = NULL;
	target_unbound(image->target);
}

struct image *image_open(struct image **list, const char *path, uint64_t inode)
{
	struct image *image;
	const char *slash;

	for (image = *list; image; image = image->next)
		if (image->inode == inode && !strcmp(image->path, path))
			return image;
	image = calloc(1, sizeof(*image));
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
	image->named = calloc(2 * NAMED_MAX, sizeof(*image->named));
	read_image(image);
	return image;
}

static const char *keep(struct image *image, const char *text)
{
	return text ? arena_strdup(&image->arena, text) : NULL;
}

/* By the symbol alone. */
static void name_by_symbol(const struct image *image, uint64_t address, struct stack_frame *ret)
{
	const struct symbol *symbol = image->target ? target_symbol_at(image->target, address, NULL) : NULL;

	*ret = (struct stack_frame){.offset = address, .module = image->name};
	if (!symbol || (symbol->size && address - symbol->address >= symbol->size))
		return;
	ret->function = symbol->name;
	ret->offset = address - symbol->address;
}

/* A part that the compiler put before the function's entry has a symbol of its own, FUNC.cold. */
static const char *name_apart(struct image *image, const char *function, const char *symbol)
{
	const char *suffix = symbol ? strchr(symbol, '.') : NULL;

	return suffix ? arena_printf(&image->arena, "%s%s", function, suffix) : symbol;
}

static void name_by_place(struct image *image, uint64_t address, const struct code_place *place,
			  const struct stack_frame *by_symbol, struct stack_frame *ret)
{
	*ret = (struct stack_frame){
		.function = keep(image, place->function),
		.offset = place->is_inlined ? 0 : address - place->entry,
		.file = keep(image, place->file),
		.line = place->line,
		.module = image->name,
		.is_inlined = place->is_inlined,
	};
	if (!place->is_inlined && address < place->entry) {
		ret->function = name_apart(image, place->function, by_symbol->function);
		ret->offset = by_symbol->offset;
	}
}

static struct named *read_names(struct image *image, uint64_t address)
{
	struct code_place *places = NULL;
	struct stack_frame by_symbol;
	unsigned count = 0;
	struct named *named;

	if (image->info) {
		debuginfo_answer_in(image->info, &image->answers);
		if (debuginfo_places(image->info, address, &places, &count))
			count = 0;
	}
	named = calloc(1, sizeof(*named) + (count + 1) * sizeof(*named->frames));
	if (!named)
		return NULL;
	named->address = address;
	named->count = count ?: 1;
	name_by_symbol(image, address, &by_symbol);
	named->frames[0] = by_symbol;
	for (unsigned i = 0; i < count; i++)
		name_by_place(image, address, &places[i], &by_symbol, &named->frames[i]);
	if (image->info)
		arena_reset(&image->answers);
	return named;
}

static void forget(struct image *image)
{
	for (unsigned i = 0; image->named && i < 2 * NAMED_MAX; i++) {
		free(image->named[i]);
		image->named[i] = NULL;
	}
	image->nnamed = 0;
}

const struct named *image_name(struct image *image, uint64_t address)
{
	unsigned at = number_hash(address);
	struct named *named;

	if (!image->named)
		return NULL;
	while ((named = image->named[at % (2 * NAMED_MAX)]) && named->address != address)
		at++;
	if (named)
		return named;
	if (image->nnamed == NAMED_MAX) {
		forget(image);
		at = number_hash(address);
	}
	named = read_names(image, address);
	image->named[at % (2 * NAMED_MAX)] = named;
	image->nnamed += !!named;
	return named;
}

void images_free(struct image *list)
{
	while (list) {
		struct image *image = list;

		list = image->next;
		forget(image);
		free(image->named);
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
