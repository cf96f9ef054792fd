// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts a vmlinux together on a machine that has none: code, build-id and BTF from the kernel's
 * image in /boot, symbols from /proc/kallsyms. Made once and kept in the user's cache; where there
 * is no such image, what the running kernel tells of itself has to do, which is no code.
 *
 * The surprise: the image has the addresses that it was linked at, and /proc/kallsyms those it runs
 * at. All of it is moved by one distance, but for the per-CPU offsets, which are small numbers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/kallsyms.h"
#include "base/own_file.h"
#include "target/internal.h"
#include "target/stock.h"

#define RUNNING_BTF "/sys/kernel/btf/vmlinux"
#define BTF_MAX     ((size_t)64 << 20)
#define MAP_MAX     ((size_t)64 << 20)

static const char *const image_places[] = {"/boot/vmlinuz-%s", "/lib/modules/%s/vmlinuz",
					   "/boot/vmlinux-%s"};

struct stock {
	struct arena *arena;
	const char *cache; /* directory, or NULL */
	const char *build_id;
	const struct target_places *places;
	struct kernel_names names;
};

struct error *target_open_memory(struct arena *arena, enum target_kind kind,
				 const struct memory_file *file, const struct target_places *places,
				 struct target **ret)
{
	int fd = memfd_create("ktrace", MFD_CLOEXEC);
	struct error *error;

	if (fd < 0 || !write_whole(fd, file->data, file->length))
		error = error_errno(arena, errno, "no memory for the kernel's symbols");
	else
		error = target_open_file(arena, kind, arena_printf(arena, "/proc/self/fd/%d", fd),
					 places, ret);
	if (fd >= 0)
		close(fd);
	if (!error)
		(*ret)->path = file->shown;
	return error;
}

static bool is_running(struct arena *arena, const char *build_id, const void *image, size_t length)
{
	struct made_section notes;
	const char *id = find_section(image, length, ".notes", &notes) && notes.data ?
			 build_id_in(arena, notes.data, notes.size) : NULL;

	return build_id && id && !strcmp(id, build_id);
}

/* Moves the symbols to where the image was linked. Returns false when they don't fit it. */
static bool fit_names(const struct kernel_names *names, const void *image, size_t length)
{
	struct made_section text, init;
	uint64_t distance;

	if (!find_section(image, length, ".text", &text) ||
	    !find_section(image, length, ".init.text", &init))
		return false;
	distance = names->start - text.address;
	if (names->init_start - distance != init.address)
		return false;
	for (size_t i = 0; i < names->count; i++)
		if (names->list[i].address >> 63)
			names->list[i].address -= distance;
	return true;
}

/* The image with its symbols. is_kept: in the cache; it is the running kernel's. */
static struct error *open_made(struct stock *stock, const char *path, const void *image,
			       size_t length, bool is_kept, struct target **ret)
{
	void *whole = NULL;
	size_t whole_length;
	struct error *error;

	if (fit_names(&stock->names, image, length))
		whole = make_with_symbols(image, length, stock->names.list, stock->names.count,
					  &whole_length);
	if (!whole)
		return error_new(stock->arena, ERROR_NO_DEBUGINFO,
				 "the symbols found aren't those of '%s'", path);
	if (is_kept && kept_put(stock->cache, stock->build_id, whole, whole_length))
		error = kept_open(stock->arena, stock->cache, stock->build_id, stock->places, ret);
	else
		error = target_open_memory(stock->arena, TARGET_KERNEL,
					   &(struct memory_file){path, whole, whole_length},
					   stock->places, ret);
	free(whole);
	return error;
}

/* An image that is the running kernel's. */
static struct error *open_image(struct stock *stock, const char *path, struct target **ret)
{
	size_t length;
	void *image;
	struct error *error = unpack_vmlinuz(stock->arena, path, &image, &length);

	if (error)
		return error;
	if (is_running(stock->arena, stock->build_id, image, length))
		error = open_made(stock, path, image, length, true, ret);
	else
		error = error_new(stock->arena, ERROR_NO_DEBUGINFO,
				  "'%s' isn't the image of the kernel that runs", path);
	free(image);
	return error;
}

/* What the kernel tells of itself: names and types, but no code. why: there is no image. */
static struct error *open_bare(struct stock *stock, const struct error *why, struct target **ret)
{
	const struct kernel_names *names = &stock->names;
	struct made_section sections[] = {
		{".text", names->start, names->end - names->start, NULL, true},
		{".rodata", names->end, names->init_start - names->end, NULL, false},
		{".init.text", names->init_start, names->init_end - names->init_start, NULL, true},
		{".data", names->init_end, names->last - names->init_end, NULL, false},
		{".BTF", 0, 0, NULL, false},
	};
	struct made_section *btf = &sections[4];
	size_t length, whole_length;
	void *bare, *whole;
	struct error *error;

	btf->data = file_read_sized(stock->arena, RUNNING_BTF, BTF_MAX, &btf->size);
	if (!btf->data || names->end < names->start || names->init_start < names->end ||
	    names->init_end < names->init_start || names->last < names->init_end)
		return error_new(stock->arena, ERROR_NO_DEBUGINFO, "this kernel has no BTF");
	bare = make_elf(sections, sizeof(sections) / sizeof(*sections), &length);
	whole = make_with_symbols(bare, length, names->list, names->count, &whole_length);
	free(bare);
	error = target_open_memory(stock->arena, TARGET_KERNEL,
				   &(struct memory_file){RUNNING_BTF, whole, whole_length}, NULL,
				   ret);
	free(whole);
	if (error)
		return error;
	(*ret)->build_id = stock->build_id;
	target_without_code(*ret, stock->places, why->message);
	return NULL;
}

static struct error *no_names(struct arena *arena)
{
	return error_hint(
		arena,
		error_new(arena, ERROR_NO_DEBUGINFO, "/proc/kallsyms hides the kernel's addresses"),
		"become root, or: sysctl kernel.kptr_restrict=1");
}

static struct error *open_images(struct stock *stock, const char *release, struct target **ret)
{
	struct error *error =
		error_new(stock->arena, ERROR_NO_DEBUGINFO, "no image of the kernel in /boot");

	for (size_t i = 0; error && i < sizeof(image_places) / sizeof(*image_places); i++) {
		const char *gap = strstr(image_places[i], "%s");
		const char *path =
			arena_printf(stock->arena, "%.*s%s%s", (int)(gap - image_places[i]),
				     image_places[i], release, gap + 2);

		if (is_vmlinuz(path))
			error = open_image(stock, path, ret);
		else if (!access(path, F_OK) && access(path, R_OK))
			error = error_errno(stock->arena, EACCES, "can't read '%s'", path);
	}
	return error;
}

/* "System.map-6.1" beside "vmlinuz-6.1": the symbols of a kernel that doesn't run here. */
static const char *read_map(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length;

	if (strncmp(name, "vmlinuz", strlen("vmlinuz")) != 0)
		return NULL;
	return file_read_sized(arena,
			       arena_printf(arena, "%.*sSystem.map%s", (int)(name - path), path,
					    name + strlen("vmlinuz")),
			       MAP_MAX, &length);
}

struct error *target_open_image(struct arena *arena, const char *path, const char *cache,
				const struct target_places *places, struct target **ret)
{
	struct stock stock = {.arena = arena, .cache = cache, .places = places};
	struct error *error;
	size_t length;
	void *image;
	const char *text;
	bool is_live;

	error = unpack_vmlinuz(arena, path, &image, &length);
	if (error)
		return error;
	stock.build_id = notes_build_id(arena, "/sys/kernel/notes");
	is_live = is_running(arena, stock.build_id, image, length);
	text = is_live ? kallsyms_read(arena) : read_map(arena, path);
	read_kernel_names(arena, text ?: "", &stock.names);
	if (stock.names.start)
		error = open_made(&stock, path, image, length, is_live, ret);
	else
		error = is_live ? no_names(arena) :
				  error_hint(arena,
					     error_new(arena, ERROR_NO_DEBUGINFO,
						       "'%s' has no symbols, and no System.map of "
						       "this kernel is beside it",
						       path),
					     "name the vmlinux that it was made of: -k VMLINUX");
	free(image);
	return error;
}

struct error *target_open_stock(struct arena *arena, const char *release, const char *cache,
				const struct target_places *places, struct target **ret)
{
	const struct target_places local = {
		.is_pack_named = places && places->is_pack_named,
		.packs = places ? places->packs : NULL,
		.npacks = places ? places->npacks : 0,
	};
	struct stock stock = {.arena = arena, .cache = cache, .places = &local};
	struct error *error;
	const char *text;

	stock.build_id = notes_build_id(arena, "/sys/kernel/notes");
	if (cache && stock.build_id && !kept_open(arena, cache, stock.build_id, stock.places, ret))
		return NULL;
	text = kallsyms_read(arena);
	read_kernel_names(arena, text ?: "", &stock.names);
	if (!stock.names.start)
		return no_names(arena);
	error = open_images(&stock, release, ret);
	return error ? open_bare(&stock, error, ret) : NULL;
}
