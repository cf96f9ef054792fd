// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records what a program's stack is unwound from: all registers, and memory from the stack pointer
 * up. Stacks that the kernel walks itself are records of their own and need no argument.
 */
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"

#define PIECE   512u /* bytes: what one argument holds */
#define PIECES  5u   /* with the registers, as much as leaves some room in a record */
#define FRAME   192u /* bytes; larger than most frames */

static unsigned piece_count(const struct work *work, unsigned depth)
{
	unsigned wanted = depth && depth < PIECES * PIECE / FRAME ?
				  (depth * FRAME + PIECE - 1) / PIECE :
				  PIECES;
	unsigned most = work->input->stack_pieces ?: PIECES;

	return wanted < most ? wanted : most;
}

static void guard(struct work *work, unsigned number, const struct fetch_text *text)
{
	struct window *window = arena_new(work->arena, struct window);

	window->size = PIECE;
	if (!work->input->guard_offset)
		return;
	guard_window(work, text, window);
	if (window->first && window->last)
		work->probes[PART_OWN]->fetches[number].window = window;
}

/* fetches: the registers in the order of their DWARF numbers, then the pieces of memory. */
static void fetch_stack(struct work *work, struct value *ret)
{
	const struct arch *arch = work->arch;
	unsigned list[KERNEL_ARGS_MAX], count = 0, pieces = piece_count(work, ret->depth);
	const struct fetch_type word = number_type('x', 64), bytes = array_type('x', 64, PIECE / 8);

	for (unsigned i = 0; i < arch->ip_register; i++) {
		struct fetch_text text = {
			.body = arena_printf(work->arena, "%%%s", arch->registers[i])};

		list[count++] = work_fetch_once(
			work, &text, arena_printf(work->arena, "__%s", arch->registers[i]), &word);
	}
	for (unsigned i = 0; i < pieces; i++) {
		struct fetch_text text = {
			.body = arena_printf(work->arena, "+%u(%%%s)", i * PIECE,
					     arch->registers[arch->stack_register])};

		list[count] = work_fetch(work, &text, "__stack", &bytes);
		guard(work, list[count++], &text);
	}
	ret->fetch = list[0];
	set_fetches(work->arena, ret, list, count);
}

void stack_value(struct work *work, const struct capture *capture, struct value *ret)
{
	ret->stack = capture->stack;
	ret->depth = capture->depth;
	ret->is_at_place = work->probes[PART_OWN]->kind == PROBE_HIT;
	ret->finish_text =
		ret->stack == STACK_MEMORY ? "the stack" : "the kernel's record of the stack";
	if (ret->stack == STACK_MEMORY)
		fetch_stack(work, ret);
}
