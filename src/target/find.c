// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the kernel or a module, from a path or the usual places, and checks that a file is of the
 * build that runs here. An explicit path is never second-guessed.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "pack/pack.h"
#include "target/debuginfod.h"
#include "target/internal.h"
#include "target/placing.h"
#include "target/stock.h"

const char *build_id_in(struct arena *arena, const void *notes, size_t length)
{
	const unsigned char *data = notes;
	size_t at = 0;

	while (at + sizeof(Elf64_Nhdr) <= length) {
		Elf64_Nhdr note;
		size_t name = at + sizeof(note), desc;

		memcpy(&note, data + at, sizeof(note));
		desc = name + ((note.n_namesz + 3) & ~3u);
		if (desc + note.n_descsz > length)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(data + name, "GNU", 4)) {
			char *text = arena_alloc(arena, note.n_descsz * 2 + 1);

			for (unsigned i = 0; i < note.n_descsz; i++)
				snprintf(text + 2 * i, 3, "%02x", data[desc + i]);
			return text;
		}
		at = desc + ((note.n_descsz + 3) & ~3u);
	}
	return NULL;
}

const char *notes_build_id(struct arena *arena, const char *path)
{
	unsigned char data[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, data, sizeof(data));

	if (fd >= 0)
		close(fd);
	return length > 0 ? build_id_in(arena, data, (size_t)length) : NULL;
}

const char *target_running_id(struct arena *arena, const char *module)
{
	if (!module)
		return notes_build_id(arena, "/sys/kernel/notes");
	return notes_build_id(
		arena, arena_printf(arena, "/sys/module/%s/notes/.note.gnu.build-id", module));
}

struct error *target_check_running(struct arena *arena, const struct target *target)
{
	const char *running = target_running_id(arena, target->module);
	struct error *error;

	if (target->kind == TARGET_PROGRAM || !running || !target->build_id ||
	    !strcmp(running, target->build_id))
		return NULL;
	error = error_new(arena, ERROR_NO_DEBUGINFO,
			  "'%s' is of another build than the %s that runs here\n"
			  "  its build-id is       %s\n  the running one is    %s",
			  target->path, target->module ? "module" : "kernel", target->build_id,
			  running);
	return error_hint(arena, error, "install the debug package of this kernel, or add -n "
			  "for a dry run");
}

const char *running_release(struct arena *arena)
{
	struct utsname name;

	return uname(&name) ? "" : arena_strdup(arena, name.release);
}

static const char *const vmlinux_places[] = {
	"/usr/lib/debug/boot/vmlinux-%s",
	"/usr/lib/debug/lib/modules/%s/vmlinux",
	"/usr/lib/debug/boot/vmlinux-%s.debug",
	"/lib/modules/%s/build/vmlinux",
	"/lib/modules/%s/vmlinux",
	"/boot/vmlinux-%s",
};

/* The running kernel's vmlinux from debuginfod. */
static bool open_fetched(struct fetch *fetch, struct target **ret)
{
	struct error *error;
	int fd;

	fetch->build_id = target_running_id(fetch->arena, NULL);
	fd = fetch_file(fetch);
	if (fd < 0)
		return false;
	error = target_open_file(fetch->arena, TARGET_KERNEL, fetch->path, NULL, ret);
	close(fd);
	if (error)
		fetch->why = error->message;
	else
		(*ret)->fetched = fetch->path;
	return !error;
}

/* Whether there is a pack for the running kernel. */
static bool has_pack(struct arena *arena, const struct target_places *places)
{
	struct error *unread;
	struct pack *pack = pack_find(arena, places->packs, places->npacks,
				      target_running_id(arena, NULL), &unread);

	pack_close(pack);
	return pack;
}

/* *ret is NULL when none is installed; *mismatch: why the last one that is isn't the running
 * one's. */
static struct error *open_installed(struct arena *arena, const char *release,
				    const struct target_places *places, struct target **ret,
				    struct error **mismatch)
{
	*ret = NULL;
	*mismatch = NULL;
	for (size_t i = 0; i < sizeof(vmlinux_places) / sizeof(*vmlinux_places); i++) {
		const char *place = vmlinux_places[i];
		const char *gap = strstr(place, "%s");
		const char *path = arena_printf(arena, "%.*s%s%s", (int)(gap - place), place,
						release, gap + 2);
		struct error *error;

		if (access(path, R_OK))
			continue;
		error = target_open_file(arena, TARGET_KERNEL, path, places, ret);
		if (error)
			return error;
		error = target_check_running(arena, *ret);
		if (!error)
			return NULL;
		target_close(*ret);
		*ret = NULL;
		*mismatch = error;
	}
	return NULL;
}

struct error *target_open_installed_kernel(struct arena *arena, const char *cache,
					   const struct target_places *places, struct target **ret)
{
	const char *release = running_release(arena);
	struct error *mismatch, *error = open_installed(arena, release, places, ret, &mismatch);

	if (error || *ret)
		return error;
	if (has_pack(arena, places) && !target_open_stock(arena, release, cache, places, ret))
		return NULL;
	return mismatch ?:
			  error_new(arena, ERROR_NO_DEBUGINFO,
				    "no debug information for the running kernel %s", release);
}

/* A pack that was named, and isn't the running kernel's. */
static struct error *other_pack(struct arena *arena, const struct target_places *places)
{
	const char *id = target_running_id(arena, NULL) ?: "none", *name;
	struct pack *pack;
	struct error *error = pack_open(arena, places->packs[0], &pack);

	if (error)
		return error;
	error = error_new(arena, ERROR_NO_DEBUGINFO,
			  "the pack '%s' is of another build than the kernel that runs here\n"
			  "  its build-id is       %s\n  the running one is    %s",
			  places->packs[0],
			  pack_count(pack) ? pack_build_id(pack, 0, &name) : "none", id);
	pack_close(pack);
	return error_hint(arena, error, "make a pack of this build: ktrace pack --help");
}

struct error *without_pack(const struct target_places *places, struct target *target)
{
	struct error *error = places && places->is_pack_named ? target->pack_error : NULL;

	if (error)
		target_close(target);
	return error;
}

static struct error *open_usual_kernel(struct arena *arena, const char *cache,
				       const struct target_places *places, struct target **ret)
{
	const char *release = running_release(arena);
	struct fetch fetch = {.arena = arena, .what = "the running kernel"};
	struct error *mismatch, *error;

	if (places && places->is_pack_named && !has_pack(arena, places))
		return other_pack(arena, places);
	error = open_installed(arena, release, places, ret, &mismatch);
	if (error || *ret)
		return error;
	if (places && places->may_fetch && !has_pack(arena, places) && open_fetched(&fetch, ret))
		return NULL;
	if (!target_open_stock(arena, release, cache, places, ret)) {
		(*ret)->unfetched = fetch.why;
		(*ret)->is_nowhere = fetch.is_nowhere;
		return without_pack(places, *ret);
	}
	if (mismatch)
		return mismatch;
	if (fetch.why)
		return error_new(arena, ERROR_NO_DEBUGINFO,
				 "no debug information for the running kernel %s, and none "
				 "from debuginfod: %s",
				 release, fetch.why);
	return error_new(arena, ERROR_NO_DEBUGINFO,
			 "no debug information for the running kernel %s", release);
}

struct error *target_open_kernel(struct arena *arena, const char *path, const char *cache,
				 const struct target_places *places, struct target **ret)
{
	if (!path)
		return open_usual_kernel(arena, cache, places, ret);
	if (access(path, R_OK))
		return error_hint(arena, error_errno(arena, errno, "can't read '%s'", path),
				  "-k takes the path of a vmlinux file");
	if (is_vmlinuz(path))
		return target_open_image(arena, path, cache, places, ret);
	return target_open_named(arena, TARGET_KERNEL, path, places, ret);
}

