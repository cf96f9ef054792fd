// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds and opens a module: a file, or a name in the usual places. The surprise: in a name '-' and
 * '_' are the same, as for modprobe.
 */
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "target/internal.h"
#include "target/placing.h"

static const char *const module_suffixes[] = {".ko", ".ko.xz", ".ko.gz", ".ko.zst", ".ko.debug"};

/* Length of NAME in NAME.ko[.xz|.gz|.zst|.debug]; 0 when it isn't a module's file name. */
static size_t module_stem(const char *file)
{
	size_t length = strlen(file);

	for (size_t i = 0; i < sizeof(module_suffixes) / sizeof(*module_suffixes); i++) {
		size_t suffix = strlen(module_suffixes[i]);

		if (length > suffix && !strcmp(file + length - suffix, module_suffixes[i]))
			return length - suffix;
	}
	return 0;
}

static char *module_name(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	size_t length = module_stem(file);
	char *name = arena_strndup(arena, file, length ? length : strlen(file));

	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

static const char *search_tree(struct arena *arena, const char *root, const char *name)
{
	char *const roots[] = {arena_strdup(arena, root), NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	const char *found = NULL;
	FTSENT *entry;

	while (tree && !found && (entry = fts_read(tree)))
		if ((entry->fts_info == FTS_F || entry->fts_info == FTS_NSOK ||
		     entry->fts_info == FTS_SL) && module_stem(entry->fts_name) &&
		    !strcmp(module_name(arena, entry->fts_name), name))
			found = arena_strdup(arena, entry->fts_path);
	if (tree)
		fts_close(tree);
	return found;
}

/* The RELEASE of .../vmlinux-RELEASE or .../lib/modules/RELEASE/vmlinux, else the running kernel's;
 * *root: the part of the path before /usr/lib/debug, so that an unpacked tree serves its own
 * modules. */
static const char *release_of(struct arena *arena, const char *vmlinux, const char **root)
{
	const char *dash = vmlinux ? strstr(vmlinux, "vmlinux-") : NULL;
	const char *top = vmlinux ? strstr(vmlinux, "/usr/lib/debug/") : NULL;
	const char *slash, *start;

	*root = top ? arena_strndup(arena, vmlinux, (size_t)(top - vmlinux)) : "";
	if (dash && !strchr(dash, '/'))
		return arena_strdup(arena, dash + strlen("vmlinux-"));
	slash = vmlinux ? strrchr(vmlinux, '/') : NULL;
	if (!slash || slash == vmlinux)
		return running_release(arena);
	for (start = slash; start > vmlinux && start[-1] != '/'; start--)
		;
	if (strstr(vmlinux, "/lib/modules/"))
		return arena_strndup(arena, start, (size_t)(slash - start));
	return running_release(arena);
}

/* Returns NULL when none of the usual trees has it. */
static const char *search_trees(struct arena *arena, const char *root, const char *release,
				const char *name)
{
	static const char *const trees[] = {"/usr/lib/debug/lib/modules/", "/lib/modules/",
					    "/usr/lib/modules/"};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees) && !found; i++)
		found = search_tree(arena, arena_printf(arena, "%s%s%s", root, trees[i], release),
				    name);
	return found;
}

/* Searches modules.builtin, which has one path per line: "kernel/fs/ext4/ext4.ko". */
static bool is_built_in(struct arena *arena, const char *release, const char *name)
{
	FILE *file = fopen(arena_printf(arena, "/lib/modules/%s/modules.builtin", release), "re");
	char line[4096];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strcmp(module_name(arena, line), name);
	}
	if (file)
		fclose(file);
	return found;
}

enum module_state target_module_state(struct arena *arena, const char *name)
{
	const char *release = running_release(arena);
	const char *plain = module_name(arena, name);
	const char *system = arena_printf(arena, "/sys/module/%s", plain);

	if (!access(arena_printf(arena, "%s/initstate", system), F_OK) ||
	    search_trees(arena, "", release, plain))
		return MODULE_THERE;
	/* a built-in module is in /sys if it has parameters */
	return !access(system, F_OK) || is_built_in(arena, release, plain) ? MODULE_BUILT_IN :
									     MODULE_NONE;
}

static struct error *find_module(struct arena *arena, const char *name, const char *vmlinux,
				 const char **ret)
{
	const char *root, *release = release_of(arena, vmlinux, &root);

	*ret = search_trees(arena, root, release, module_name(arena, name));
	if (*ret)
		return NULL;
	return error_hint(arena,
			  error_new(arena, ERROR_NOT_FOUND, "no module '%s' of kernel %s", name,
				    release),
			  "give its file: -m PATH/%s.ko", name);
}

/* The name= of .modinfo: what the kernel will call the module, whatever its file is called. */
static const char *modinfo_name(struct arena *arena, const struct target *target)
{
	size_t length;
	const char *text = section_bytes(target, ".modinfo", &length);
	const char *end = text ? text + length : NULL;

	while (text && text < end) {
		size_t size = strnlen(text, (size_t)(end - text));

		if (size > 5 && !strncmp(text, "name=", 5))
			return arena_strndup(arena, text + 5, size - 5);
		text += size + 1;
	}
	return NULL;
}

static struct error *open_module_file(struct arena *arena, const char *path,
				      const struct target_places *places, struct target **ret)
{
	struct error *error;

	if (access(path, R_OK))
		return error_errno(arena, errno, "can't read module '%s'", path);
	error = target_open_named(arena, TARGET_MODULE, path, places, ret);
	if (!error)
		(*ret)->module = modinfo_name(arena, *ret) ?: module_name(arena, path);
	return error;
}

/* Opens a loaded module from what the running kernel has of it (BTF, symbols): its file isn't
 * installed, can't be read, or is of another build. */
static struct error *open_running_module(struct arena *arena, const char *name,
					 const struct target_places *places, struct target **ret)
{
	const char *path;
	struct target *loaded;
	struct error *error = find_module(arena, name, NULL, &path);

	if (!error)
		error = open_module_file(arena, path, places, ret);
	if (!error && !target_check_running(arena, *ret))
		return NULL;
	if (target_open_loaded(arena, module_name(arena, name), &loaded))
		return error;
	if (!error)
		target_close(*ret);
	*ret = loaded;
	target_without_code(loaded, places, arena_printf(arena, "no file of module '%s'", name));
	return without_pack(places, loaded);
}

struct error *target_open_module(struct arena *arena, const char *name, const char *vmlinux,
				 const struct target_places *places, struct target **ret)
{
	const char *path = name;
	struct error *error;

	if (strchr(name, '/') || module_stem(name))
		return open_module_file(arena, path, places, ret);
	if (!vmlinux)
		return open_running_module(arena, name, places, ret);
	error = find_module(arena, name, vmlinux, &path);
	return error ? error : open_module_file(arena, path, places, ret);
}

void target_allow_kernel(struct arena *arena, struct target *module, const char *path,
			 const char *cache, bool live)
{
	struct kernel_side *side = arena_new(arena, struct kernel_side);

	side->arena = arena;
	side->path = path;
	side->cache = cache;
	side->live = live;
	module->kernel_side = side;
}

const struct target *target_kernel(const struct target *module)
{
	struct kernel_side *side = module->kernel_side;
	struct target *kernel;

	if (!side || side->is_tried)
		return side ? side->target : NULL;
	side->is_tried = true;
	if (target_open_kernel(side->arena, side->path, side->cache, NULL, &kernel))
		return NULL;
	if (side->live && target_check_running(side->arena, kernel))
		target_close(kernel);
	else
		side->target = kernel;
	if (side->target)
		side->target->running = module->running;
	return side->target;
}
