// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where a companion can record what a site's captures need of the function's entry, and how
 * one call is told from another. A call is known by its canonical frame address: it is the same
 * number at the entry, at every line and at the return, and no two calls of a thread that run at
 * the same time share it.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/points.h"
#include "target/code.h"
#include "target/target.h"

static bool needs_entry(const struct capture *capture)
{
	for (unsigned i = 0; i < capture->nparts; i++)
		if (expr_uses(capture->parts[i].expr, EXPR_ENTRY))
			return true;
	return capture->at_entry || capture->kind == CAPTURE_DURATION ||
	       expr_uses(capture->expr, EXPR_ENTRY);
}

bool capture_is_plain(const struct capture *capture)
{
	return capture->kind != CAPTURE_NONE && !needs_entry(capture);
}

#define CALLS_MOVE "Go moves calls to other stacks and threads, so one can't be told from another"

/* What is joined by thread and frame would be values of other calls. */
struct error *check_calls(const struct resolver *resolver, const struct spec *spec)
{
	bool is_pair = spec->pairing && !spec->pairing->njoins;
	struct error *error;

	if ((!is_pair && !spec->is_call && !spec->followed) ||
	    !target_moves_calls(resolver->target))
		return NULL;
	error = error_at(error_new(resolver->arena, ERROR_INEXPRESSIBLE, CALLS_MOVE), spec->text,
			 spec->place.span);
	return is_pair ? error_hint(resolver->arena, error,
				    "join the places by a value that both have: on NAME") :
			 error_hint(resolver->arena, error,
				    "places and returns of the function can be probed: ktrace probe");
}

static const char *find_frame(struct resolver *resolver, const struct point *point,
			      uint64_t address, struct frame *ret)
{
	if (!point->instance)
		return "without debug information, one call can't be told from another";
	if (target_moves_calls(resolver->target))
		return CALLS_MOVE;
	if (debuginfo_frame(resolver->info, point->instance, address, ret))
		return "its debug information is damaged";
	return ret->reason;
}

/* The return address is off the stack by now, except at the ret instruction. */
static const struct expr *return_frame(const struct resolver *resolver, const struct site *site)
{
	return expr_offset(resolver->arena,
			   expr_leaf(resolver->arena, EXPR_REG, resolver->arch->stack_register),
			   site->is_exit ? 8 : 0);
}

const char *resolve_entry(struct resolver *resolver, const struct point *point, uint64_t address,
			  struct site *site)
{
	struct site *entry = arena_new(resolver->arena, struct site);
	struct frame frame;
	const char *reason = find_frame(resolver, point, address, &frame);

	if (reason)
		return reason;
	if (!site->is_return) {
		site->frame = frame.cfa;
		site->entry_frame = frame.entry_cfa;
		address = frame.entry;
	} else {
		site->frame = return_frame(resolver, site);
		site->entry_frame = frame.cfa;
	}
	if (code_unprobed(resolver, address) || place_site(resolver, point, address, entry))
		return "the function's entry can't be probed";
	site->entry = entry;
	return NULL;
}

void resolve_call(struct resolver *resolver, const struct spec *spec, const struct point *point,
		  uint64_t address, struct site *site)
{
	bool needs_its_entry =
		spec_is_end(spec) && spec->pairing->start->place.kind != PLACE_FUNCTION;
	struct frame frame;

	if (needs_its_entry && !resolve_entry(resolver, point, address, site))
		return;
	if (site->is_return)
		site->frame = return_frame(resolver, site);
	else if (!find_frame(resolver, point, address, &frame))
		site->frame = frame.cfa;
}

/* At a function's first instruction the return address is on top of the stack, whatever debug
 * information says. */
void resolve_frame(struct resolver *resolver, const struct point *point, uint64_t address,
		   struct site *site)
{
	const struct instance *instance = point->instance;
	bool is_entry = instance ? !instance->inlined && address == instance->entry :
				   address == point->at.address;
	const struct expr *stack =
		expr_leaf(resolver->arena, EXPR_REG, resolver->arch->stack_register);
	struct frame frame;

	if (site->is_return)
		site->frame = return_frame(resolver, site);
	else if (is_entry)
		site->frame = expr_offset(resolver->arena, stack, 8);
	else if (!find_frame(resolver, point, address, &frame))
		site->frame = frame.cfa;
}

bool site_needs_entry(const struct site *site)
{
	for (unsigned i = 0; i < site->ncaptures; i++)
		if (needs_entry(&site->captures[i]))
			return true;
	return false;
}

void drop_entry_captures(struct site *site, const char *reason)
{
	for (unsigned i = 0; i < site->ncaptures; i++)
		if (needs_entry(&site->captures[i])) {
			site->captures[i].kind = CAPTURE_NONE;
			site->captures[i].reason = reason;
		}
}
