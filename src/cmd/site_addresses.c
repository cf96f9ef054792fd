// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fits a plan's sites to this machine. What a plan says is not believed where it could do harm: the
 * kernel checks kprobes itself, but puts a program's breakpoint wherever it is told.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/error.h"
#include "cmd/run.h"
#include "resolve/resolve.h"
#include "target/code.h"
#include "target/kernel_symbols.h"
#include "target/placing.h"

/* "_stext+123": what the kernel will take the name for, since it looks among its own symbols first.
 * Returns NULL, or why it isn't known. */
static const char *find_object(struct arena *arena, struct kallsyms_names *names, const char *name,
			       const char *module, uint64_t *ret)
{
	size_t length = strcspn(name, "+-");
	struct kallsyms_meaning meaning;

	kallsyms_mean(names, arena_strndup(arena, name, length), module, &meaning);
	if (module ? meaning.inside > 1 || meaning.outside : meaning.inside > 1 ||
	    (!meaning.inside && meaning.outside != 1))
		return "the running kernel has no symbol, or several, of that name";
	*ret = meaning.address + (uint64_t)strtoll(name + length, NULL, 10);
	return meaning.address ? NULL : module && !meaning.inside ?
	       "the module isn't loaded yet: its addresses aren't known" :
	       "/proc/kallsyms hides addresses (kernel.kptr_restrict)";
}

static void place_capture(struct arena *arena, struct kallsyms_names *names,
			  struct capture *capture)
{
	for (unsigned i = 0; i < capture->nstatics; i++) {
		struct static_place *place = (struct static_place *)&capture->statics[i];

		if (!place->name)
			continue;
		place->reason =
			find_object(arena, names, place->name, place->module, &place->running);
		if (!place->reason || place->is_live || place->module)
			continue;
		capture->kind = CAPTURE_NONE;
		capture->reason = place->reason;
	}
}

static void place_sites(struct arena *arena, struct kallsyms_names *names,
			const struct target *program, const struct sites *sites)
{
	for (unsigned i = 0; i < sites->nsites; i++) {
		struct site *site = &sites->sites[i];

		for (unsigned j = 0; j < site->ncaptures && !program; j++)
			place_capture(arena, names, &site->captures[j]);
		if (program && site->entry)
			((struct site *)site->entry)->path = program->path;
		if (program)
			site->path = program->path;
	}
}

void place_planned(struct arena *arena, const struct target *program, const struct planned *planned)
{
	struct kallsyms_names *names = kallsyms_names_new(arena);

	for (unsigned i = 0; i < planned->starts.count; i++)
		place_sites(arena, names, program, planned->starts.batches[i]);
	for (unsigned i = 0; i < planned->ends.count; i++)
		place_sites(arena, names, program, planned->ends.batches[i]);
}

/* Why the kernel must not probe the address, if it is an instruction of this code; NULL: it may. */
static const char *check_insn(struct arena *arena, const struct target *program,
			      struct code_part function, uint64_t address)
{
	const struct arch *arch = arch_find(program->machine);
	struct decoder *decoder = arch ? decoder_open(arch) : NULL;
	size_t length = 0;
	const uint8_t *code = target_bytes(program, function.start, &length);
	struct insn insn = {.length = 1};
	uint64_t at = function.start, begins = UINT64_MAX;
	const char *why;

	while (decoder && code && at <= address && at - function.start < length && insn.length) {
		begins = at;
		decoder_next(decoder, code + (at - function.start),
			     length - (at - function.start), at, &insn);
		at += insn.length;
	}
	if (decoder)
		decoder_close(decoder);
	if (begins != address)
		return "lies inside an instruction";
	if (function.start < function.end && function.end - function.start < length)
		length = function.end - function.start;
	why = insn.unprobed ?: red_zone_obstacle(arch, code, length, function.start, address);
	if (target_maps_writable(program, address))
		why = WRITABLE_CODE;
	return why ? arena_printf(arena, "is %s", why) : NULL;
}

static const char *check_return(struct target *program, uint64_t start, uint64_t address)
{
	const struct symbol *symbol = target_symbol_at(program, address, NULL);
	const char *walker = target_stack_walker(program);

	if (start != address || target_stack_state(program, address) > STACK_BARE)
		return "isn't where a function is entered by a call";
	if (walker || resolve_is_stack_magic(symbol ? symbol->name : NULL))
		return "is a function whose return can't be probed: the program could crash";
	return NULL;
}

static const char *check_site(struct arena *arena, struct target *program,
			      const struct site *site)
{
	const char *why;
	struct code_part function;
	uint64_t address;

	if (!target_offset_address(program, site->offset, &address))
		return "isn't code of it";
	if (!target_function_at(program, address, &function))
		return "can't be checked: no symbol and no call frame information tells where its "
		       "function begins";
	why = check_insn(arena, program, function, address);
	return !why && site->is_return && !site->is_exit ?
		       check_return(program, function.start, address) : why;
}

static struct error *check_one(struct arena *arena, struct target *program, const struct site *site)
{
	const char *why = check_site(arena, program, site);

	return why ? error_new(arena, ERROR_REFUSED, "the plan's offset %#llx of '%s' %s",
			       (unsigned long long)site->offset, program->path, why) : NULL;
}

static struct error *check_sites(struct arena *arena, struct target *program,
				 const struct sites *sites)
{
	struct error *error = NULL;

	for (unsigned i = 0; program && i < sites->nsites && !error; i++) {
		const struct site *site = &sites->sites[i];

		error = check_one(arena, program, site);
		if (!error && site->entry)
			error = check_one(arena, program, site->entry);
	}
	return error;
}

struct error *place_check(struct arena *arena, struct target *program,
			  const struct planned *planned)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < planned->starts.count && !error; i++)
		error = check_sites(arena, program, planned->starts.batches[i]);
	for (unsigned i = 0; i < planned->ends.count && !error; i++)
		error = check_sites(arena, program, planned->ends.batches[i]);
	return error;
}
