// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns an address in a program into the file offset that a uprobe takes, and makes the checks that
 * the kernel leaves out: it puts a breakpoint wherever it is told, and one in the middle of an
 * instruction crashes the program.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/demangle.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/kinds.h"
#include "target/placing.h"
#include "target/target.h"

/* The code in which the address must begin an instruction. */
static struct range whole_function(struct resolver *resolver, uint64_t address)
{
	const struct symbol *symbol = target_symbol_at(resolver->target, address, NULL);

	if (!symbol)
		return (struct range){address, address};
	return (struct range){symbol->address, symbol->size <= UINT64_MAX - symbol->address ?
			      symbol->address + symbol->size : UINT64_MAX};
}

#define LONGEST_INSN 16 /* bytes, on any processor */

static struct error *inside_instruction(struct resolver *resolver, const struct spec *spec,
					const struct flow *flow, const struct range *range,
					uint64_t address)
{
	uint64_t before = address, after = address, shown = spec->place.offset;
	struct error *error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND,
			  "address %#llx lies inside an instruction", (unsigned long long)address),
		spec->text,
		spec->place.kind == PLACE_OFFSET ? spec->place.offset_span : spec->place.span);

	while (before > range->start && address - before < LONGEST_INSN && !flow_has(flow, before))
		before--;
	while (after < range->end && after - address < LONGEST_INSN && !flow_has(flow, after))
		after++;
	if (spec->place.kind != PLACE_OFFSET || !flow_has(flow, before) || !flow_has(flow, after))
		return error;
	return error_hint(resolver->arena, error, "instructions begin at +%llu and +%llu",
			  (unsigned long long)(shown - (address - before)),
			  (unsigned long long)(shown + (after - address)));
}

struct error *program_check_boundary(struct resolver *resolver, const struct spec *spec,
				     const struct instance *instance, uint64_t address)
{
	struct range range;
	struct flow *flow;

	if (resolver->target->kind != TARGET_PROGRAM)
		return NULL;
	range = whole_function(resolver, address);
	if (address == range.start ||
	    (instance && address == instance->entry && !instance->inlined))
		return NULL;
	flow = instance ? outer_flow(resolver, instance) :
			  flow_build(resolver, &range, 1, range.start);
	if (!flow)
		return error_hint(resolver->arena,
				  error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
						     "the code up to address %#llx can't "
						     "be decoded: it may not be the first byte of "
						     "an instruction",
						     (unsigned long long)address),
					   spec->text, spec->place.span),
				  "the function's entry can be probed");
	return flow_has(flow, address) ? NULL :
	       inside_instruction(resolver, spec, flow, &range, address);
}

/* Refuses kernel syntax that means nothing in a program. */
struct error *program_check_raw(struct resolver *resolver, const struct spec *spec,
				const struct want *want)
{
	const char *at = strchr(want->base, '@');
	struct error *error;

	if (!resolver->target || resolver->target->kind != TARGET_PROGRAM)
		return NULL;
	if (strstr(want->base, "$arg")) {
		error = error_new(resolver->arena, ERROR_INEXPRESSIBLE,
				  "the kernel has no $argN in programs");
		return error_hint(
			resolver->arena, error_at(error, spec->text, want->base_span),
			"name the parameter, or its register: the first are %%di %%si %%dx "
			"%%cx %%r8 %%r9");
	}
	if (at && at[1] != '+' && (at[1] < '0' || at[1] > '9')) {
		error = error_new(resolver->arena, ERROR_INEXPRESSIBLE,
				  "the kernel knows no symbols of programs");
		return error_hint(resolver->arena, error_at(error, spec->text, want->base_span),
				  "name the variable alone: %s", at + 1);
	}
	return NULL;
}

/* Unoptimised code has its variables at an offset from the frame register. */
static void find_frame_register(struct resolver *resolver, const struct point *point,
				uint64_t address, struct site *site)
{
	struct frame frame;

	if (!point->instance ||
	    debuginfo_frame(resolver->info, point->instance, address, &frame) ||
	    frame.reason || frame.cfa->op != EXPR_ADD || frame.cfa->a->op != EXPR_REG)
		return;
	site->has_frame_register = true;
	site->frame_register = frame.cfa->a->value;
}

/* By C++, Rust or D. */
static bool is_mangled(const char *symbol)
{
	return !strncmp(symbol, "_Z", 2) || !strncmp(symbol, "_R", 2) ||
	       (!strncmp(symbol, "_D", 2) && symbol[2] >= '1' && symbol[2] <= '9');
}

/* The function of the source language for a mangled symbol, with what the compiler put behind the
 * name of a part of it: "shop::add.cold" for "_ZN4shop3addEi.cold". */
static const char *shown_symbol(struct arena *arena, const char *symbol,
				const struct instance *instance)
{
	const char *part = symbol_part(symbol);

	if (!instance || !instance->outer || !is_mangled(symbol))
		return symbol;
	return part ? arena_printf(arena, "%s%s", instance->outer, part) : instance->outer;
}

struct error *program_place(struct resolver *resolver, const struct point *point,
			    uint64_t address, struct site *site)
{
	const struct target *target = resolver->target;
	const struct instance *instance = point->instance;
	const char *prefer = point->symbol ? point->symbol :
			     instance ? (instance->outer ?: instance->function->name) : NULL;
	const struct symbol *symbol = target_symbol_at(target, address, prefer);
	uint64_t start =
		instance && instance->nouter_ranges ? instance->outer_ranges[0].start : address;

	find_frame_register(resolver, point, address, site);
	site->path = target->path;
	site->symbol = symbol ? symbol->name : prefer ?: target->path;
	site->shown_symbol = shown_symbol(resolver->arena, site->symbol, instance);
	site->shown_offset = address - (symbol ? symbol->address : start);
	site->address = address;
	site->has_address = true;
	site->function = instance ? instance->function->name : site->shown_symbol;
	site->file = instance && *instance->function->file ? instance->function->file : NULL;
	site->directory = site->file ? instance->function->directory : NULL;
	site->inlined = instance && instance->inlined;
	return target_file_offset(resolver->arena, target, address, &site->offset);
}
