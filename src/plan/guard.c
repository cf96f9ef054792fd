// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fetch of memory in, its guards out. Where a read fails, the kernel leaves in the record whatever an
 * older event had there, and says nothing; only a string says that it failed, by its length of 0
 * (kernel/trace/trace_probe_tmpl.h: store_trace_args). So a string of the same memory is recorded beside
 * the number. It begins at the number's last byte, which is often 0: then that byte is all of it.
 */
#include "plan/internal.h"

/* Memory that is there whatever the program does: the frame, and objects with a symbol. */
static bool is_always_there(const struct work *work, const struct expr *address)
{
	const struct expr *base = address->op == EXPR_ADD && address->b->op == EXPR_CONST ?
				  address->a : address;
	const struct site *site = work->probes[PART_OWN]->site;
	const struct arch *arch = work->input->arch;

	switch (base->op) {
	case EXPR_STATIC:
		return true;
	case EXPR_CONST:
		return site && site->path; /* of a program that is not moved */
	case EXPR_REG:
		return base->value == arch->stack_register || base->value == arch->ip_register ||
		       (site && site->has_frame_register && base->value == site->frame_register);
	case EXPR_LOAD: /* a CPU's own area */
		return work->is_per_cpu && base->a->op == EXPR_STATIC;
	default:
		return false;
	}
}

static unsigned string_fetch(struct work *work, enum part part, const char *body, bool is_user)
{
	struct fetch_text text = {.body = arena_strdup(work->arena, body), .part = part};

	return work_fetch_once(work, &text, "__guard", is_user ? "ustring" : "string") %
	       KERNEL_ARGS_MAX + 1;
}

/* The string at a byte of the memory that text reads; 0: it can't be had. */
static unsigned guard_at(struct work *work, const struct fetch_text *text, unsigned offset)
{
	const struct expr *address = expr_offset(work->arena, text->address, offset);
	struct fetch_text last = fetch_memory(work, address, false);

	if (!last.body || strlen(last.body) + strlen(":ustring") > KERNEL_ARGUMENT_MAX)
		return 0;
	return string_fetch(work, text->part, last.body, text->is_user);
}

/* Whether a member of that size is aligned in its object; so is the object, as the compiler has it. */
static bool is_aligned(const struct expr *address, unsigned size)
{
	uint64_t offset = address->op == EXPR_ADD && address->b->op == EXPR_CONST ?
			  address->b->value : address->op == EXPR_CONST ? address->value : 0;

	return !(offset % size);
}

void guard_fetch(struct work *work, unsigned number, const struct fetch_text *text, unsigned size)
{
	struct probe *probe = work->probes[text->part];
	unsigned index = number % KERNEL_ARGS_MAX, first = 0, last;

	if (!work->input->has_guards || !size || !text->address || probe->fetches[index].guards[0] ||
	    is_always_there(work, text->address))
		return;
	last = guard_at(work, text, size - 1);
	if (size > 8 || !is_aligned(text->address, size)) /* may lie on two pages */
		first = guard_at(work, text, 0);
	probe->fetches[index].guards[0] = last;
	probe->fetches[index].guards[1] = first;
	work->has_unguarded |= !last;
}

void guard_raw(struct work *work, unsigned number, const char *body, const char *type)
{
	struct probe *probe = work->probes[PART_OWN];

	if (!work->input->has_guards || (body[0] != '+' && body[0] != '-') || strstr(body, "(%sp)") ||
	    strstr(body, "($stack") || (type && strstr(type, "string")))
		return;
	if (strlen(body) + strlen(":string") > KERNEL_ARGUMENT_MAX)
		work->has_unguarded = true;
	else
		probe->fetches[number].guards[0] = string_fetch(work, PART_OWN, body, false);
}
