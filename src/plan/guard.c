// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds guards to a fetch of memory. Where a read fails, the kernel leaves in the record whatever an
 * older event had there, and says nothing; only for a string does it record how much was read. So a
 * guard is a string that can't exist: the 8 bytes to be read are taken as an address of user
 * memory, moved to where nothing is mapped. If they could be read, the string at that place could
 * not, and has length 0. If they could not, its length stays what it was at the start: all the room
 * left for strings (kernel/trace/trace_probe_tmpl.h: store_trace_args). Either way it takes no byte
 * of the record.
 *
 * The surprise: the kernel keeps 32 bits of an offset, so bytes that are an address 1 GB to 2 GB
 * above mapped memory of the running task do have a string there, and it is recorded. A pointer
 * into a large heap is one. So no guard covers the 8 bytes of an aligned pointer: it begins 7 bytes
 * before the memory, or 7 bytes before its end; 8 bytes that end in the lowest byte of another
 * pointer are no address. User memory, because kernel memory is always mapped within 2 GB of a
 * kernel address: a string there may be longer than a record has room for, and then the kernel
 * drops the hit and counts nothing.
 */
#include <ctype.h>
#include <stdlib.h>

#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"

bool is_always_there(const struct work *work, const struct expr *address)
{
	const struct expr *base = address->op == EXPR_ADD && address->b->op == EXPR_CONST ?
				  address->a : address;
	const struct site *site = work->probes[PART_OWN]->site;
	const struct arch *arch = work->arch;

	switch (base->op) {
	case EXPR_STATIC:
		return true;
	case EXPR_CONST:
		return site && site->path; /* of a program that is not position-independent */
	case EXPR_REG:
		return base->value == arch->stack_register || base->value == arch->ip_register ||
		       (site && site->has_frame_register && base->value == site->frame_register);
	case EXPR_LOAD: /* the area of the hit's CPU */
		return work->is_per_cpu && base->a->op == EXPR_STATIC;
	default:
		return false;
	}
}

/* "@0x1000", "@+0x1000", "@jiffies", "@_stext+8" */
static char *static_offset(struct arena *arena, const char *body, long long offset)
{
	const char *number = body + 1 + (body[1] == '+');
	size_t name = strcspn(body + 1, "+-") + 1;

	if (isdigit((unsigned char)*number))
		return arena_printf(arena, "%.*s%#llx", (int)(number - body), body,
				    strtoull(number, NULL, 0) + (unsigned long long)offset);
	return arena_printf(arena, "%.*s%+lld", (int)name, body,
			    strtoll(body + name, NULL, 0) + offset);
}

char *fetch_offset(struct arena *arena, const char *body, long long offset)
{
	bool is_user = body[0] && body[1] == 'u';
	const char *inner = strchr(body, '(');
	unsigned long long number;
	long long sum;

	if (body[0] == '@')
		return offset ? static_offset(arena, body, offset) : arena_strdup(arena, body);
	if ((body[0] != '+' && body[0] != '-') || !inner)
		return NULL;
	number = strtoull(body + 1 + is_user, NULL, 0);
	sum = (long long)((body[0] == '-' ? 0 - number : number) + (unsigned long long)offset);
	if (sum != (int32_t)sum)
		return NULL;
	return arena_printf(arena, "%c%s%llu%s", sum < 0 ? '-' : '+', is_user ? "u" : "",
			    sum < 0 ? 0 - (unsigned long long)sum : (unsigned long long)sum, inner);
}

/* Whether 8 bytes at an offset of the memory could be read. Returns a fetch, as in fetch.guards;
 * 0: unknown. */
static unsigned guard_at(struct work *work, const struct fetch_text *text, long long offset)
{
	const char *memory = fetch_offset(work->arena, text->body, offset);
	const struct fetch_type type = {.kind = FETCH_USTRING};
	struct fetch_text guard = {.part = text->part};
	unsigned depth = 1, number;

	for (const char *c = memory; c && *c; c++)
		depth += *c == '(';
	if (memory)
		guard.body = arena_printf(work->arena, "-%#llx(%s)",
					  (unsigned long long)work->input->guard_offset, memory);
	if (!memory || depth > KERNEL_DEREFS_MAX ||
	    strlen(guard.body) + strlen(":ustring") > KERNEL_ARGUMENT_MAX) {
		work->has_unguarded = true;
		return 0;
	}
	number = work_fetch_once(work, &guard, "__guard", &type) % KERNEL_ARGS_MAX;
	work->probes[text->part]->fetches[number].is_guard = true;
	return number + 1;
}

/* For memory at "+8(INNER)" records INNER; for a program's only its low bits, which give its
 * place on the page. */
static void record_address(struct work *work, const struct fetch_text *text, struct window *window)
{
	const char *inner = strchr(text->body, '(');
	bool is_user = text->body[1] == 'u';
	const struct site *site = work->probes[PART_OWN]->site;
	const struct fetch_type type = number_type('x', site && site->path ? 16 : 64);
	struct fetch_text base = {.part = text->part};
	long long offset;

	window->at = UINT32_MAX;
	if (text->body[0] == '@') {
		window->at_offset = (long long)strtoull(text->body + 1, NULL, 0);
		return;
	}
	offset = strtoll(text->body + 1 + is_user, NULL, 0);
	window->at_offset = text->body[0] == '-' ? -offset : offset;
	base.body = arena_strndup(work->arena, inner + 1, strlen(inner) - 2);
	window->at = work_fetch_once(work, &base, "__at", &type);
}

void guard_window(struct work *work, const struct fetch_text *text, struct window *window)
{
	window->is_checked = true;
	window->first = guard_at(work, text, -7);
	window->last = guard_at(work, text, (long long)window->size - 7);
	record_address(work, text, window);
}

/* An object smaller than 8 bytes may be the last of a page, or the first: either the 8 bytes
 * from its beginning or the 8 bytes up to its end lie on its page. It is no pointer. */
static void guard_small(struct work *work, const struct fetch_text *text, unsigned size,
			unsigned guards[2])
{
	guards[0] = guard_at(work, text, 0);
	guards[1] = guard_at(work, text, (long long)size - 8);
	if (!guards[1]) /* one alone would call readable memory a fault */
		guards[0] = 0;
}

static void add_guards(struct work *work, unsigned number, const struct fetch_text *text,
		       unsigned size)
{
	struct window *window = arena_new(work->arena, struct window);
	unsigned guards[2] = {0};
	struct fetch *fetch;

	window->size = size;
	if (size < 8)
		guard_small(work, text, size, guards);
	else
		guard_window(work, text, window);
	fetch = &work->probes[text->part]->fetches[number % KERNEL_ARGS_MAX];
	fetch->guards[0] = guards[0];
	fetch->guards[1] = guards[1];
	if (window->first && window->last)
		fetch->window = window;
}

void guard_fetch(struct work *work, unsigned number, const struct fetch_text *text, unsigned size)
{
	if (work->input->guard_offset && size && text->address &&
	    !fetch_is_guarded(&work->probes[text->part]->fetches[number % KERNEL_ARGS_MAX]) &&
	    !is_always_there(work, text->address))
		add_guards(work, number, text, size);
}

void guard_raw(struct work *work, unsigned number, const struct fetch_text *text, unsigned size)
{
	const char *body = text->body;

	if (work->input->guard_offset && (body[0] == '+' || body[0] == '-') &&
	    !strstr(body, "(%sp)") && !strstr(body, "($stack"))
		add_guards(work, number, text, size);
}
