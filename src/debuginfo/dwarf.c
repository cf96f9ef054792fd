// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a target's DWARF as a source of debug information. Units are listed by offset at once,
 * which reads only their headers (or none: the index may have them); everything else is read when
 * asked for.
 */
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/last.h"
#include "base/mapping.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/owner.h"
#include "debuginfo/questions.h"
#include "debuginfo/search/search.h"
#include "debuginfo/section_bytes.h"
#include "pack/pack.h"

struct error *dwarf_error(struct dwarf_info *info, const char *what)
{
	if (info->is_pack_damaged)
		return error_new(info->arena, ERROR_NO_DEBUGINFO, "the pack '%s' is damaged",
				 pack_path(info->base.target->pack));
	return error_new(info->arena, ERROR_NO_DEBUGINFO,
			 "damaged debug information in '%s': %s: %s", info->base.target->path, what,
			 dwarf_errmsg(-1));
}

#define TURNS_MAX  256
#define MAPPED_MIN ((size_t)4 << 20)

static void open_index(struct dwarf_info *info, const char *cache)
{
	const Elf_Data *data = section_data(info, ".debug_info");

	info->may_bridge = info->pack;
	if (info->pack)
		return; /* it has an index of its own */
	/* relocation writes to the mapped pages: they differ from the file's */
	info->is_mapped = data && data->d_size > MAPPED_MIN && !info->base.target->is_relocatable &&
			  is_mapped_file(data->d_buf, data->d_size);
	info->may_bridge = info->is_mapped && info->base.target->kind != TARGET_PROGRAM;
	if (info->is_mapped)
		info->index = index_open(info->kept, cache, info->base.target, data->d_size);
}

/* The Dwarf belongs to the target's Dwfl, except one that was opened again here (whole). */
static void dwarf_close(struct debuginfo *info)
{
	finish_search(dwarf_info(info));
	index_write(dwarf_info(info));
	one_frame_close(dwarf_info(info));
	rows_close(dwarf_info(info));
	children_close(dwarf_info(info));
	forget_neighbours(dwarf_info(info));
	dwarf_end(dwarf_info(info)->whole);
	dwarf_end(dwarf_info(info)->fetched_alt);
}

static void dwarf_answer_in(struct debuginfo *info, struct arena *arena)
{
	struct dwarf_info *dwarf = dwarf_info(info);

	dwarf->arena = arena;
	dwarf->seen = NULL;
	dwarf->local_scopes = NULL;
	dwarf->tree = NULL;
	/* after many answers, the pages they were read from may go too */
	if (++dwarf->nturns % TURNS_MAX == 0 && dwarf->is_mapped)
		give_back_sections(dwarf);
}

/* A program is traced as the file that it runs: what is unpacked goes elsewhere. */
static struct error *packed_debug(struct arena *arena, const struct target *target)
{
	const char *id = target->build_id;
	struct error *error = error_new(arena, ERROR_NO_DEBUGINFO,
					"the debug information in '%s' is compressed as this "
					"machine's libelf can't unpack (zstd?)",
					target->path);

	if (target->kind != TARGET_PROGRAM || !id || strlen(id) < 3)
		return error_hint(arena, error, "unpack it: objcopy --decompress-debug-sections "
				  "FILE NEW; then -%c NEW", target->module ? 'm' : 'k');
	return error_hint(arena, error,
			  "unpack it to THERE, /usr/lib/debug/.build-id/%.2s/%s.debug: objcopy "
			  "--only-keep-debug --decompress-debug-sections FILE THERE",
			  id, id + 2);
}

static struct error *no_debuginfo(struct arena *arena, const struct target *target)
{
	struct error *error = error_new(arena, ERROR_NO_DEBUGINFO, "no debug information in '%s'",
					target->path);

	if (target->is_packed)
		return packed_debug(arena, target);
	if (target->refused_file)
		return error_hint(arena, error, "'%s' has the name of its debug file, and is of "
				  "another build (by checksum or build-id): put the right one "
				  "there, or build it with -g", target->refused_file);
	if (target->kind == TARGET_PROGRAM)
		return error_hint(arena, error, "build it with -g, or install its debug package: "
				  "build-id %s", target->build_id ?: "none");
	return error_hint(arena, error,
			  target->module ? "install the kernel's debug package, or give the "
					   "unstripped file: -m PATH.ko" :
					   "install the kernel's debug package, or give the "
					   "unstripped file: -k VMLINUX");
}

/* libdw believes the sizes that a file claims, and calls this when it can't get the memory
 * (base/memory.h). */
__attribute__((noreturn)) static void debug_too_large(void)
{
	static const char words[] = "ktrace: out of memory: the debug information asks for more "
				    "than its file can need\n";

	last_words(words, sizeof(words) - 1);
	exit(1);
}

/* Each question has a budget of its own; if that was spent, the answer is an error, whatever was
 * found. */
static void begin_question(struct debuginfo *info)
{
	budget_begin(dwarf_info(info));
}

static struct error *end_question(struct debuginfo *info, struct error *error)
{
	return budget_end(dwarf_info(info), error);
}

static const struct debuginfo_ops dwarf_ops = {
	.name = "dwarf",
	.close = dwarf_close,
	.answer_in = dwarf_answer_in,
	.begin = begin_question,
	.end = end_question,
	.expect = dwarf_expect,
	.instances = dwarf_instances,
	.instances_at_lines = dwarf_instances_at_lines,
	.function_at = dwarf_function_at,
	.places = dwarf_places,
	.source_marks = dwarf_source_marks,
	.inner = dwarf_inner,
	.rows = dwarf_rows,
	.row_before = dwarf_row_before,
	.frame = dwarf_frame,
	.variables = dwarf_variables,
	.has_variables = dwarf_has_variables,
	.variable = dwarf_variable,
	.object = dwarf_object,
	.global = dwarf_global,
	.type_named = dwarf_type_named,
	.definition = dwarf_definition,
	.member = dwarf_member,
	.members = dwarf_members,
	.base = dwarf_base,
	.enumerators = dwarf_enumerators,
	.constant = dwarf_constant,
	.return_type = dwarf_return_type,
	.functions = dwarf_functions,
	.source_files = dwarf_source_files,
};

struct error *dwarf_open(struct arena *arena, const struct target *target, const char *cache,
			 const char *const *names, unsigned nnames, struct debuginfo **ret)
{
	struct dwarf_info *info = arena_new(arena, struct dwarf_info);
	struct error *error = NULL;
	Dwarf_Addr bias = 0;

	info->base.ops = &dwarf_ops;
	info->base.target = target;
	info->arena = info->kept = arena;
	info->dwarf = dwfl_module_getdwarf(target->dwfl_module, &info->bias);
	if (target->pack_error)
		return target->pack_error;
	if (!info->dwarf)
		return no_debuginfo(arena, target);
	if (target->image && pack_units(target->image))
		info->pack = target->image;
	dwarf_new_oom_handler(info->dwarf, debug_too_large);
	info->cfi[0] = dwfl_module_dwarf_cfi(target->dwfl_module, &bias);
	info->cfi[1] = dwfl_module_eh_cfi(target->dwfl_module, &bias);
	if (target->is_relocatable)
		mark_externs(info);
	open_index(info, cache);
	expect_names(info, names, nnames);
	if (!index_units(info->index, info->kept, &info->units, &info->nunits))
		error = list_units(info);
	if (!error && target->kind == TARGET_PROGRAM) {
		info->base.absent = find_splits(info);
		error = find_shared(info);
	}
	if (!error && info->base.absent && !info->nsplits && info->nmissing == info->nunits)
		error = (struct error *)info->base.absent;
	*ret = &info->base;
	if (error)
		dwarf_close(*ret);
	return error;
}
