// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records a string as bytes, up to a bound. The kernel's own string may have 4096 bytes, more than
 * a record has room for: one that doesn't fit is dropped without a count, and for a program's probe
 * the kernel WARNs. So a live trace records a fixed number of bytes from the string's first on, and
 * what is needed to know how many of them could be read: they may run on to a page that can't be.
 */
#include <stdlib.h>

#include "plan/fetch.h"
#include "plan/internal.h"

#define WORD 8u

/* size: bytes of the string; is_checked: some of them may be unreadable. */
static void window_value(struct work *work, const struct fetch_text *text, uint32_t size,
			 bool is_checked, struct value *ret)
{
	struct window *window = arena_new(work->arena, struct window);
	unsigned list[KERNEL_ARGS_MAX];
	unsigned count;

	window->size = is_checked ? (size + WORD - 1) / WORD * WORD : size;
	count = fetch_bytes(work, text, window->size, false, ret->name, list);
	ret->fetch = list[0];
	ret->finish_text = "";
	set_fetches(work->arena, ret, list, count);
	ret->windows = window;
	if (is_checked && work->input->guard_offset)
		guard_window(work, text, window);
}

const char *text_value(struct work *work, const struct capture *capture, struct value *ret)
{
	uint32_t size = work->input->text_bytes;
	struct fetch_text text;

	if (capture->count && (capture->is_whole || capture->count < size))
		size = capture->count;
	text = fetch_object(work, capture->expr, capture->is_user, size + WORD);
	if (!text.body)
		return text.reason;
	ret->string_max = capture->count;
	window_value(work, &text, size, !capture->count || !is_always_there(work, capture->expr),
		     ret);
	return NULL;
}

bool raw_text_value(struct work *work, const struct fetch_text *text, bool is_user,
		    struct value *ret)
{
	struct fetch_text memory = *text;

	memory.way = NULL;
	if (!fetch_offset(work->arena, text->body, work->input->text_bytes + WORD))
		return false;
	if (is_user && text->body[0] != '@' && text->body[1] != 'u')
		memory.body = arena_printf(work->arena, "%cu%s", text->body[0], text->body + 1);
	window_value(work, &memory, work->input->text_bytes, text->body[0] != '@', ret);
	return true;
}
