// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the running kernel's code: by /proc/kallsyms, as the kernel's own stacks are, and where
 * debug information of this very build is installed, with what is inlined there, files and lines.
 * The surprise: kallsyms has the last word on a function's name (foo.isra.0), and a file that has
 * its symbol elsewhere isn't asked.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/stacks/stack_frames.h"
#include "target/kernel_symbols.h"
#include "target/placing.h"
#include "target/target.h"

struct kernel_code {
	struct arena *arena;
	const struct options *options;
	const struct code_places *places; /* NULL: no lines are wanted */
	struct kallsyms *kallsyms;     /* NULL: not read yet, or hidden */
	struct image *images;          /* by the module's name, "" for the kernel */
	struct named_table named;      /* by the running address */
};

/* The file that this run has used already. */
static const struct code_file *used_file(const struct kernel_code *code, const char *module)
{
	for (const struct code_file *file = code->places->files; file->path; file++)
		if (!file->module == !module && (!module || !strcmp(file->module, module)))
			return file;
	return NULL;
}

static struct error *open_target(const struct kernel_code *code, struct arena *arena,
				 const char *module, struct target **ret)
{
	const struct code_file *file = used_file(code, module);
	const char *vmlinux = code->options->vmlinux;
	struct target_places places = code->places->places;

	places.may_fetch = file && file->is_fetched;
	if (module)
		return target_open_module(arena, file ? file->path : module, vmlinux, &places, ret);
	/* without a pack, a file that was put together for want of a vmlinux has no lines either */
	if (places.may_fetch || vmlinux)
		return target_open_kernel(arena, places.may_fetch ? file->path : vmlinux,
					  code->places->cache, &places, ret);
	return target_open_installed_kernel(arena, code->places->cache, &places, ret);
}

/* image->target stays NULL where the file isn't what runs. */
static struct error *read_image(const struct kernel_code *code, struct image *image,
				const char *module)
{
	struct target *target;
	struct error *error = open_target(code, &image->arena, module, &target);

	if (error)
		return error;
	error = target_check_running(&image->arena, target);
	if (error) {
		target_close(target);
		return error;
	}
	image->target = target;
	return image_read_info(image, code->options->quiet);
}

/* The file of the kernel ("") or a module, if it can be read. *error: why not, at the first
 * call. */
static struct image *open_image(struct kernel_code *code, const char *name, struct error **error)
{
	struct image *image;

	*error = NULL;
	for (image = code->images; image; image = image->next)
		if (!strcmp(image->path, name))
			return image;
	image = image_add(&code->images, name, 0);
	if (!image)
		return NULL;
	image->name = *image->path ? image->path : NULL;
	*error = read_image(code, image, image->name);
	return image;
}

/* What debug information has at a running address; NULL: nothing. */
static struct named *read_lines(struct kernel_code *code, struct image *image,
				const struct ksym *symbol, uint64_t address)
{
	uint64_t own;
	struct named *named;

	if (!image || !image->info ||
	    !target_code_address(&image->answers, image->target, code->kallsyms, symbol, address,
				 &own))
		return NULL;
	named = image_read(image, own);
	if (named)
		named->address = address;
	return named;
}

static struct kallsyms *symbols(struct kernel_code *code)
{
	if (!code->kallsyms)
		code->kallsyms = kallsyms_open(code->arena);
	return code->kallsyms;
}

static struct named *read_names(struct kernel_code *code, uint64_t address)
{
	struct ksym symbol;
	struct named *named = NULL;
	struct stack_frame *frame;
	const char *module;
	struct error *ignored;

	if (!symbols(code) || !kallsyms_find(code->kallsyms, address, &symbol))
		return named_new(code->arena, NULL, address, NULL, 0);
	module = symbol.module ? arena_strndup(code->arena, symbol.module, symbol.module_length) :
				 NULL;
	if (code->places)
		named = read_lines(code, open_image(code, module ?: "", &ignored), &symbol,
				   address);
	if (!named)
		named = named_new(code->arena, module, address, NULL, 0);
	if (!named)
		return NULL;
	frame = &named->frames[named->count - 1];
	frame->function = arena_strndup(code->arena, symbol.name, symbol.length);
	frame->offset = address - symbol.address;
	return named;
}

const struct named *kernel_code_name(struct kernel_code *code, uint64_t address)
{
	return named_find(&code->named, address) ?:
		       named_keep(&code->named, read_names(code, address));
}

const char *kernel_code_symbol(struct kernel_code *code, uint64_t address)
{
	return symbols(code) ? kallsyms_name(code->kallsyms, address) : NULL;
}

/* Debug information is opened before the trace: not in its way. */
static struct error *open_kernel(struct kernel_code *code, const struct code_places *places)
{
	static const struct code_file no_file = {0};
	static const struct code_places none = {.files = &no_file};
	const struct options *options = code->options;
	const struct image *image;
	struct error *error;

	code->places = places ?: &none;
	image = open_image(code, "", &error);
	if (error && options->vmlinux && !image->target)
		return error_copy(code->arena, error);
	if (error && options->verbose)
		tell("ktrace: kernel stacks without lines and inlined functions: %s\n",
		     error->message);
	return NULL;
}

struct error *kernel_code_open(struct arena *arena, const struct options *options,
			       const struct code_places *places, bool with_lines,
			       struct kernel_code **ret)
{
	struct kernel_code *code = arena_new(arena, struct kernel_code);

	*ret = code;
	code->arena = arena;
	code->options = options;
	if (!with_lines || !symbols(code) ||
	    (options->debuginfo && strcmp(options->debuginfo, "dwarf")))
		return NULL;
	return open_kernel(code, places);
}

void kernel_code_close(struct kernel_code *code)
{
	named_forget(&code->named);
	images_free(code->images);
}
