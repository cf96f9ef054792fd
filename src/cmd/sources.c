// SPDX-License-Identifier: GPL-2.0-only
/* Opens the kernel, a module or a program with its debug information, once per run. */
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/sources.h"
#include "debuginfo/debuginfo.h"
#include "pack/pack.h"
#include "target/kernel_symbols.h"
#include "target/placing.h"
#include "target/target.h"

struct source {
	struct source *next;
	const char *module;
	struct target *target;
	struct resolver resolver;
	struct sources *sources;
	bool live;
};

void sources_init(struct sources *sources, struct arena *arena, const struct options *options)
{
	*sources = (struct sources){.arena = arena, .options = options};
}

void sources_expect(struct sources *sources, const char *function)
{
	if (function)
		arena_append(sources->arena, sources->names, sources->nnames) = function;
}

void sources_deinit(struct sources *sources)
{
	for (struct source *source = sources->list; source; source = source->next) {
		if (source->resolver.info)
			debuginfo_close(source->resolver.info);
		target_close(source->target);
		resolver_deinit(&source->resolver);
	}
	sources->list = NULL;
}

void sources_unbound(const struct sources *sources)
{
	for (const struct source *source = sources->list; source; source = source->next)
		target_unbound(source->target);
}

const struct target *sources_target(const struct sources *sources, unsigned index)
{
	const struct source *source = sources->list;

	while (source && index--)
		source = source->next;
	return source ? source->target : NULL;
}

static bool is_own(const char *directory)
{
	struct stat status;

	return directory && directory[0] == '/' && !stat(directory, &status) &&
	       status.st_uid == geteuid();
}

/* sudo may leave root with another user's home: that user couldn't change what root makes there. */
static const char *own_home(void)
{
	const char *home = getenv("HOME");
	const struct passwd *user;

	if (!home || is_own(home) || access(home, F_OK))
		return home;
	user = getpwuid(geteuid());
	return user && is_own(user->pw_dir) ? user->pw_dir : NULL;
}

/* Returns NULL when there is none, or --no-cache was given. */
static const char *cache_directory(const struct sources *sources, const char *part)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home;

	if (sources->options->no_cache)
		return NULL;
	/* a missing directory will be made; another user's won't do */
	if (cache && cache[0] == '/' && (is_own(cache) || access(cache, F_OK)))
		return arena_printf(sources->arena, "%s/ktrace/%s", cache, part);
	home = own_home();
	return home && home[0] == '/' ?
		       arena_printf(sources->arena, "%s/.cache/ktrace/%s", home, part) :
		       NULL;
}

/* --pack alone, or the directories where packs are looked for. */
static void list_packs(struct sources *sources)
{
	const char *listed = sources->options->pack ? NULL : getenv("KTRACE_PACKS");
	const char *cache = cache_directory(sources, "packs");

	sources->npacks = 0;
	if (sources->options->pack) {
		arena_append(sources->arena, sources->packs, sources->npacks) =
			sources->options->pack;
		return;
	}
	while (listed && *listed) {
		size_t length = strcspn(listed, ":");

		if (length)
			arena_append(sources->arena, sources->packs, sources->npacks) =
				arena_strndup(sources->arena, listed, length);
		listed += length + (listed[length] == ':');
	}
	if (cache)
		arena_append(sources->arena, sources->packs, sources->npacks) = cache;
	arena_append(sources->arena, sources->packs, sources->npacks) = "/usr/lib/ktrace/packs";
}

void sources_places(const struct sources *sources, struct target_places *ret, const char **cache)
{
	*ret = (struct target_places){.packs = sources->packs, .npacks = sources->npacks};
	*cache = cache_directory(sources, "vmlinux");
}

/* A process of -p may see another file system, or run a file that has no name any more. */
static struct error *hint_process(struct arena *arena, const struct options *options,
				  struct error *error)
{
	const char *program = options->program, *name = strrchr(program, '/');

	if (!name || !options->pids.count || !access(program, F_OK))
		return error;
	for (unsigned i = 0; i < options->pids.count; i++) {
		int pid = options->pids.numbers[i];
		char *own = arena_printf(arena, "/proc/%d/root%s", pid, program);
		char exe[PATH_MAX + 1] = "";
		const char *its;

		if (*program == '/' && !access(own, F_OK))
			return error_hint(arena, error, "process %d has it there: -x %s", pid, own);
		if (readlink(arena_printf(arena, "/proc/%d/exe", pid), exe, PATH_MAX) < 0)
			continue;
		its = strrchr(exe, '/');
		if (its && !strncmp(its, name, strlen(name)) &&
		    (!its[strlen(name)] || !strcmp(its + strlen(name), " (deleted)")))
			return error_hint(arena, error, "process %d runs it: -x /proc/%d/exe", pid,
					  pid);
	}
	return error;
}

static struct error *open_target(struct sources *sources, const char *module, struct target **ret)
{
	const struct options *options = sources->options;
	const struct target_places places = {
		.may_fetch = !options->debuginfo || !strcmp(options->debuginfo, "dwarf"),
		.is_pack_named = options->pack,
		.packs = sources->packs,
		.npacks = sources->npacks,
	};

	if (options->program) {
		struct error *error =
			target_open_program(sources->arena, options->program, &places, ret);

		return error ? hint_process(sources->arena, options, error) : NULL;
	}
	if (module)
		return target_open_module(sources->arena, module, options->vmlinux, &places, ret);
	return target_open_kernel(sources->arena, options->vmlinux,
				  cache_directory(sources, "vmlinux"), &places, ret);
}

static struct error *open_kernel(void *cookie, struct resolver **ret);

/* Allows the target to look at its neighbours: the running kernel's names when it is live, and
 * for a module its kernel: the one named, or (unless the module is a file) the running one. */
static void set_neighbours(struct sources *sources, bool live, struct source *source)
{
	struct target *target = source->target;
	const char *module = sources->options->module;
	bool is_file = module && strchr(module, '/');

	if (live)
		target->running = kallsyms_names_new(sources->arena);
	if (!target->module || !(live || sources->options->vmlinux || !is_file))
		return;
	target_allow_kernel(sources->arena, target, sources->options->vmlinux,
			    cache_directory(sources, "vmlinux"), live);
	source->resolver.open_kernel = open_kernel;
	source->resolver.cookie = source;
}

static const char *read_source(struct resolver *resolver, const struct source_lines *lines,
			       const char **refused)
{
	const struct source *source = (const struct source *)
		((const char *)resolver - offsetof(struct source, resolver));

	return source_text(resolver, source->sources->options->source_dir, lines, refused);
}

static struct error *hint_kernel(struct arena *arena, bool is_named, struct error *error)
{
	const char *package;

	if (error->code != ERROR_NO_DEBUGINFO || error->hint || is_named)
		return error;
	package = kernel_package(arena);
	if (package)
		return error_hint(arena, error, "install it: %s; or name a file: -k VMLINUX",
				  package);
	return error_hint(arena, error,
			  "no package of this system has this kernel: name its vmlinux, as it "
			  "was built with debug information: -k VMLINUX");
}

static struct error *open_dwarf(struct source *source, struct error *reason)
{
	struct sources *sources = source->sources;
	struct error *error =
		dwarf_open(sources->arena, source->target, cache_directory(sources, "index"),
			   sources->names, sources->nnames, &source->resolver.info);

	(void)reason;
	if (!error)
		source->resolver.info->arch = source->resolver.arch;
	return error;
}

static struct error *no_btf(struct source *source, struct error *reason)
{
	return reason ?: error_hint(source->sources->arena, error_new(
		source->sources->arena, ERROR_NO_DEBUGINFO, "no BTF in '%s'", source->target->path),
		"only kernels with CONFIG_DEBUG_INFO_BTF have it, and their modules");
}

/* What BTF doesn't have. reason: why there is no DWARF, and how to get it; NULL: it wasn't
 * asked. */
static struct error *beyond_btf(struct source *source, const struct error *reason)
{
	struct arena *arena = source->sources->arena;
	struct error *error = error_new(
		arena, ERROR_NO_DEBUGINFO, "BTF has neither lines nor locals%s%s",
		reason ? ", and there is nothing else: " : "", reason ? reason->message : "");

	if (!reason)
		return error_hint(arena, error, "leave --debuginfo btf out");
	return reason->hint ? error_hint(arena, error, "%s", reason->hint) : error;
}

/* A module's BTF goes on where its kernel's ends. */
static struct error *open_btf(struct source *source, struct error *reason)
{
	struct arena *arena = source->sources->arena;
	const struct target *target = source->target,
			    *kernel = target->module ? target_kernel(target) : NULL;
	struct btf_input input = {.arch = source->resolver.arch};

	input.data = target_btf(target, &input.length);
	if (!input.data)
		return no_btf(source, reason);
	if (kernel)
		input.kernel = target_btf(kernel, &input.kernel_length);
	if (target->module && !input.kernel)
		return error_hint(arena,
				  error_new(arena, ERROR_NO_DEBUGINFO,
					    "the BTF of module '%s' is of no use "
					    "without its kernel's",
					    target->module),
				  "name the kernel too: -k VMLINUX");
	input.symbols = target_symbols(target, NULL, &input.nsymbols);
	return btf_open(arena, target, &input, beyond_btf(source, reason), &source->resolver.info);
}

/* The symbols of a program; the kernel's are of little use without its types and lines. */
static struct error *open_symbols(struct source *source, struct error *reason)
{
	struct arena *arena = source->sources->arena;
	const char *package;

	if (!reason)
		reason = error_new(arena, ERROR_NO_DEBUGINFO,
				   "only symbols are known of '%s': --debuginfo symbols",
				   source->target->path);
	else if (source->target->kind != TARGET_PROGRAM)
		return reason;
	package = program_package(arena, source->target->path);
	if (package)
		reason->hint = arena_printf(arena, "build it with -g, or: %s", package);
	source->resolver.info = debuginfo_symbols(arena, source->target, reason);
	return NULL;
}

static void say_kind(const struct source *source, const char *kind)
{
	struct strbuf text = {0};

	strbuf_printf(&text, "ktrace: '%s': debug information from %s", source->target->path, kind);
	if (source->target->image)
		strbuf_printf(&text, ", of the pack '%s'", pack_path(source->target->pack));
	else if (source->target->pack && !strcmp(kind, "dwarf") && !source->target->fetched &&
		 !source->target->pack_error)
		strbuf_printf(&text, ", its own: the pack '%s' isn't used",
			      pack_path(source->target->pack));
	if (source->target->fetched)
		strbuf_printf(&text, ", by debuginfod: %s", source->target->fetched);
	strbuf_putc(&text, '\n');
	fputs(text.data, stderr);
	strbuf_deinit(&text);
}

static void say_unfetched(const struct source *source, const struct error *error)
{
	const struct options *options = source->sources->options;
	const struct target *target = source->target;

	if (target->unfetched &&
	    (options->verbose || error || (!options->quiet && !target->is_nowhere)))
		tell("ktrace: '%s': debuginfod: %s\n", target->path, target->unfetched);
}

/* The first kind of debug information that knows the target is used. reason: why the one before
 * doesn't; NULL: it wasn't asked. */
static struct error *open_debuginfo(struct source *source)
{
	static const struct {
		const char *name;
		struct error *(*open)(struct source *source, struct error *reason);
	} kinds[] = {
		{"dwarf", open_dwarf},
		{"btf", open_btf},
		{"symbols", open_symbols},
	};
	const struct options *options = source->sources->options;
	struct error *error = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (options->debuginfo && strcmp(options->debuginfo, kinds[i].name) != 0)
			continue;
		error = kinds[i].open(source, error);
		if (!error && options->verbose)
			say_kind(source, kinds[i].name);
		if (!error || error->code != ERROR_NO_DEBUGINFO)
			break;
	}
	say_unfetched(source, error);
	return error;
}

static struct error *open_source(struct sources *sources, const char *module, bool live,
				 struct source *source)
{
	struct resolver *resolver = &source->resolver;
	struct error *error;

	list_packs(sources);
	error = open_target(sources, module, &source->target);

	if (error)
		return hint_kernel(sources->arena,
				   sources->options->program || sources->options->vmlinux, error);
	set_neighbours(sources, live, source);
	source->next = sources->list;
	sources->list = source;
	source->module = module;
	resolver->arena = sources->arena;
	resolver->target = source->target;
	resolver->read_source = read_source;
	resolver->arch = arch_find(source->target->machine);
	if (!resolver->arch)
		return error_new(sources->arena, ERROR_NO_DEBUGINFO,
				 "'%s' is for a processor that ktrace doesn't know (machine %u)",
				 source->target->path, source->target->machine);
	error = live ? target_check_running(sources->arena, source->target) : NULL;
	return error ? error : open_debuginfo(source);
}

static struct error *get(struct sources *sources, const char *module, bool live,
			 struct resolver **ret)
{
	struct source *source;
	struct error *error;

	for (source = sources->list; source; source = source->next)
		if ((!module && !source->module) ||
		    (module && source->module && !strcmp(module, source->module))) {
			*ret = &source->resolver;
			return NULL;
		}
	source = arena_new(sources->arena, struct source);
	source->sources = sources;
	source->live = live;
	error = open_source(sources, module, live, source);
	*ret = &source->resolver;
	return error;
}

static struct error *open_kernel(void *cookie, struct resolver **ret)
{
	struct source *source = cookie;

	return get(source->sources, NULL, source->live, ret);
}

struct error *sources_get(struct sources *sources, const char *module, bool live,
			  struct resolver **ret)
{
	return get(sources, module ? module : sources->options->module, live, ret);
}
