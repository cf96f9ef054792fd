// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens an ELF file and its symbols. libdwfl is used for kernels and programs alike: it
 * decompresses .ko.xz, finds separate debug files and relocates the debug sections of an ET_REL
 * module, whose sections it lays out at addresses of its own.
 */
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "pack/pack.h"
#include "target/debuginfod.h"
#include "target/internal.h"
#include "target/symtab.h"

#define BUILD_ID_MAX 64 /* bytes; 20 are usual */

static const char *hex(struct arena *arena, const unsigned char *bits, size_t length)
{
	char *text = arena_alloc(arena, length * 2 + 1);

	for (size_t i = 0; i < length; i++)
		snprintf(text + 2 * i, 3, "%02x", bits[i]);
	return text;
}

static void read_build_id(struct arena *arena, struct target *target)
{
	const unsigned char *bits;
	GElf_Addr address;
	int length = dwfl_module_build_id(target->dwfl_module, &bits, &address);

	if (length > 0 && length <= BUILD_ID_MAX)
		target->build_id = hex(arena, bits, (size_t)length);
}

static struct file_id file_id(const struct stat *status)
{
	return (struct file_id){
		.device = status->st_dev,
		.inode = status->st_ino,
		.size = (uint64_t)status->st_size,
		.modified = {status->st_mtim.tv_sec, status->st_mtim.tv_nsec},
		.changed = {status->st_ctim.tv_sec, status->st_ctim.tv_nsec},
	};
}

struct error *target_check_unchanged(struct arena *arena, const struct target *target)
{
	struct file_id now = {0};
	struct stat status;

	if (!stat(target->path, &status))
		now = file_id(&status);
	if (!memcmp(&now, &target->file, sizeof(now)))
		return NULL;
	return error_hint(
		arena,
		error_new(arena, ERROR_SYSTEM, "'%s' was changed while it was read", target->path),
		"try again when it is complete");
}

static void note_file(struct target *target, int fd, struct file_id *ret)
{
	struct stat status;

	if (fstat(fd, &status))
		return;
	*ret = file_id(&status);
	if (!target->owner) {
		target->owner = status.st_uid;
		target->owner_group = status.st_gid;
	}
}

int target_fetch(struct target *target, const char *source)
{
	struct fetch fetch = {.arena = target->arena,
			      .what = target->path,
			      .build_id = target->build_id,
			      .source = source};
	int fd;

	if (!target->may_fetch)
		return target->uses_cache && !source ? fetch_cached(&fetch) : -1;
	fd = fetch_file(&fetch);
	if (fd >= 0 && !source)
		target->fetched = fetch.path;
	if (fd < 0)
		target->unfetched = fetch.why;
	target->is_nowhere = fetch.is_nowhere;
	/* a server that failed isn't asked again */
	target->may_fetch = fd >= 0 || !fetch.why || (source && fetch.is_nowhere);
	return fd;
}

static int fetch_shared(const struct target *target, const unsigned char *id, size_t length)
{
	struct fetch fetch = {.arena = target->arena, .what = target->path};
	int fd;

	if ((!target->may_fetch && !target->uses_cache) || length > BUILD_ID_MAX)
		return -1;
	fetch.build_id = hex(target->arena, id, length);
	fd = target->may_fetch ? fetch_file(&fetch) : fetch_cached(&fetch);
	return fd < 0 ? -1 : if_unpackable(fd);
}

/* Whether libdwfl looks for the module's own debug file: it names it by .gnu_debuglink, if at all.
 * For an alt file, which several share, it names that one. */
static bool is_own_link(Dwfl_Module *module, const char *link)
{
	GElf_Addr bias;
	GElf_Word check;
	Elf *elf = dwfl_module_getelf(module, &bias);
	const char *own = elf ? dwelf_elf_gnu_debuglink(elf, &check) : NULL;

	return link && own ? !strcmp(link, own) : link == own;
}

/* The file of .gnu_debuglink's name where libdwfl looks for one; NULL: none is there. */
static const char *linked_file(const struct target *target, const char *link)
{
	static const char *const places[] = {"%.*s%s", "%.*s.debug/%s", "/usr/lib/debug%.*s%s"};
	const char *base = strrchr(target->path, '/');
	int directory = base ? (int)(base + 1 - target->path) : 0;

	if (strchr(link, '/'))
		return NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *path =
			arena_printf(target->arena, places[i], directory, target->path, link);
		struct stat file;

		if (strcmp(path, target->path) != 0 && !stat(path, &file) && S_ISREG(file.st_mode))
			return path;
	}
	return NULL;
}

/* The pack with the target's debug information, opened. Returns -1 when there is none, or it is
 * damaged. */
static int open_pack(struct target *target, Dwfl_Module *module, const char *link)
{
	GElf_Addr bias;
	int fd;

	if (!target || !target->pack || target->image || target->pack_error ||
	    !is_own_link(module, link))
		return -1;
	target->pack_error = pack_image_open(target->arena, target->pack, target->build_id,
					     dwfl_module_getelf(module, &bias), &target->image);
	fd = target->pack_error ? -1 : pack_image_fd(target->image);
	return fd < 0 ? -1 : if_unpackable(fd);
}

static int find_debuginfo(Dwfl_Module *module, void **cookie, const char *name, GElf_Addr base,
			  const char *file, const char *link, GElf_Word check, char **found)
{
	struct target *target = *cookie;
	int fd = open_pack(target, module, link);

	if (fd < 0)
		fd = find_unpackable(module, cookie, name, base, file, link, check, found);

	if (fd < 0 && target && is_own_link(module, link)) {
		fd = target_fetch(target, NULL);
		fd = fd < 0 ? -1 : if_unpackable(fd);
	}
	if (fd >= 0 && target)
		note_file(target, fd, &target->debug_file);
	else if (target && link && is_own_link(module, link))
		target->refused_file = linked_file(target, link);
	return fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static struct error *cannot_read(struct arena *arena, const char *path)
{
	struct error *error = error_new(arena, ERROR_NO_DEBUGINFO, "can't read '%s': %s", path,
					dwfl_errmsg(-1));
	size_t length = strlen(path);

	/* elfutils may be built without zstd, as in Debian 12 */
	if (length < 4 || strcmp(path + length - 4, ".zst"))
		return error;
	return error_hint(arena, error, "unpack it first: zstd -d '%s'", path);
}

static struct error *open_elf(struct arena *arena, const char *path, struct target *target)
{
	GElf_Addr bias;
	GElf_Ehdr ehdr;
	void **cookie;
	Elf *elf;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return error_errno(arena, errno, "can't read '%s'", path);
	note_file(target, fd, &target->file);
	target->dwfl = dwfl_begin(&callbacks);
	if (!target->dwfl) {
		close(fd);
		return error_new(arena, ERROR_SYSTEM, "libdw: %s", dwfl_errmsg(-1));
	}
	dwfl_report_begin(target->dwfl);
	/* a program keeps its own addresses; dwfl_report_offline() would move a PIE */
	target->dwfl_module = target->kind == TARGET_PROGRAM ?
		dwfl_report_elf(target->dwfl, path, path, fd, 0, true) :
		dwfl_report_offline(target->dwfl, "", path, fd);
	dwfl_report_end(target->dwfl, NULL, NULL);
	if (!target->dwfl_module) {
		close(fd);
		return cannot_read(arena, path);
	}
	if (dwfl_module_info(target->dwfl_module, &cookie, NULL, NULL, NULL, NULL, NULL, NULL))
		*cookie = target;
	elf = dwfl_module_getelf(target->dwfl_module, &bias);
	if (!elf || !gelf_getehdr(elf, &ehdr))
		return cannot_read(arena, path);
	if (!can_unpack(elf))
		return error_new(arena, ERROR_NO_DEBUGINFO,
				 "'%s' is damaged: its compressed sections would be "
				 "many times as long as the file",
				 path);
	target->is_packed = has_packed_debug(elf);
	target->machine = ehdr.e_machine;
	target->is_relocatable = ehdr.e_type == ET_REL;
	target->is_fixed = ehdr.e_type == ET_EXEC;
	return NULL;
}

static struct error *other_build(struct target *target, const struct target_places *places)
{
	struct arena *arena = target->arena;
	struct strbuf ids = {0};
	struct error *error;
	struct pack *pack;
	const char *name;

	if (pack_open(arena, places->packs[0], &pack)) {
		error = error_new(arena, ERROR_NO_DEBUGINFO,
				  "no pack in '%s' has build-id %s, that of '%s'", places->packs[0],
				  target->build_id ?: "none", target->path);
	} else {
		strbuf_printf(&ids, "%s", pack_build_id(pack, 0, &name));
		if (pack_count(pack) > 1)
			strbuf_printf(&ids, " and %u others", pack_count(pack) - 1);
		error = error_new(
			arena, ERROR_NO_DEBUGINFO,
			"the pack '%s' is of another build than '%s'\n  its build-id is  %s\n"
			"  the file's is    %s",
			places->packs[0], target->path, ids.data, target->build_id ?: "none");
		pack_close(pack);
	}
	strbuf_deinit(&ids);
	return error_hint(arena, error, "make a pack of this build: ktrace pack --help");
}

static struct error *find_pack(struct target *target, const struct target_places *places)
{
	struct error *unread;

	target->pack =
		pack_find(target->arena, places->packs, places->npacks, target->build_id, &unread);
	if (!places->is_pack_named || target->pack)
		return NULL;
	return unread ?: other_build(target, places);
}

void target_without_code(struct target *target, const struct target_places *places, const char *why)
{
	struct error *error = places ? find_pack(target, places) : NULL;

	if (target->pack)
		error = error_hint(target->arena, error_new(target->arena, ERROR_NO_DEBUGINFO,
			"the pack '%s' can't be used without the code that it describes: %s",
			pack_path(target->pack), why),
				   "put the file there; or leave --pack out: BTF tells parameters "
				   "and return values");
	pack_close(target->pack);
	target->pack = NULL;
	target->pack_error = error;
}

/* What a question takes of the heap: some hundreds of page faults, each dearer than its page. */
#define EXPECTED ((size_t)8 << 20)

struct error *target_open_file(struct arena *arena, enum target_kind kind, const char *path,
			       const struct target_places *places, struct target **ret)
{
	struct target *target = arena_new(arena, struct target);
	struct error *error;

	memory_expect(EXPECTED);
	target->arena = arena;
	target->kind = kind;
	target->path = path;
	target->may_fetch = places && places->may_fetch;
	target->fetch_shared = fetch_shared;
	target->memory_limit =
		kind == TARGET_KERNEL ? RLIM_INFINITY : memory_bound(memory_for(kind, path));
	error = open_elf(arena, path, target);
	if (kind != TARGET_PROGRAM)
		target_unbound(target);
	if (error) {
		target_close(target);
		return error;
	}
	read_build_id(arena, target);
	error = places ? find_pack(target, places) : NULL;
	if (error) {
		target_close(target);
		return error;
	}
	symbols_open(arena, target);
	*ret = target;
	return NULL;
}

void target_unbound(const struct target *target)
{
	if (target->kind != TARGET_KERNEL)
		memory_unbound(target->memory_limit);
}

void target_close(struct target *target)
{
	if (target && target->kernel_side)
		target_close(target->kernel_side->target);
	if (target && target->dwfl)
		dwfl_end(target->dwfl);
	if (target && target->image)
		pack_image_close(target->image);
	if (target && target->pack)
		pack_close(target->pack);
}
