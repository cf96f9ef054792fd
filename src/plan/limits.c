// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel refuses of a probe, or drops without a word at a hit: too long, too many. */
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"

/* A session adds the task's name: one more argument, of four bytes in the record. */
static unsigned record_size(const struct probe *probe)
{
	unsigned size = 4;

	for (unsigned i = 0; i < probe->nfetches; i++)
		size += fetch_size(&probe->fetches[i].type);
	return size;
}

/* The longest that a session adds to a definition: its group's name, and the task's name. */
#define SESSION_ROOM (KERNEL_NAME_MAX + 24)

/* A string that only the kernel bounds, at 4096 bytes. */
static bool is_unbounded(const struct fetch *fetch)
{
	return fetch_type_is_string(&fetch->type) && !fetch->is_guard && fetch->body[0] != '\\' &&
	       strcasecmp(fetch->body, "$comm");
}

/* Refuses strings that only the kernel bounds: a record has room for one at most. If it doesn't
 * fit, the kernel drops the record; for a program's probe it also warns. */
static struct error *check_strings(struct arena *arena, const struct plan_input *input,
				   const struct probe *probe)
{
	for (unsigned i = 0; i < probe->nfetches; i++) {
		const struct fetch *fetch = &probe->fetches[i];
		struct error *error;

		if (!input->text_bytes || !is_unbounded(fetch))
			continue;
		error = error_new(arena, ERROR_INEXPRESSIBLE,
				  "'%s%s' may be longer than a record can be", fetch->body,
				  fetch_type_text(arena, &fetch->type));
		return error_hint(arena, error_at(error, probe->spec->text, fetch->want_span),
				  "ask for one string at a time, ':string'; of several pointers at "
				  "WHERE the first's "
				  "is +0(+0(WHERE)), the next one's +0(+8(WHERE))");
	}
	return NULL;
}

/* The definition's length with the group that is shown. */
static size_t definition_length(const struct probe *probe)
{
	size_t length = 0;

	for (const char *c = probe->definition; *c; c++)
		length += *c == GROUP_MARK ? strlen(probe->group) : 1;
	return length;
}

struct error *check_limits(struct arena *arena, const struct plan_input *input,
			   const struct probe *probe)
{
	const struct spec *spec = probe->spec;
	bool is_live = input->text_bytes;
	unsigned nfetches = probe->nfetches + is_live;
	size_t length = definition_length(probe) + (is_live ? SESSION_ROOM : 0);
	struct error *error = check_strings(arena, input, probe);

	if (error)
		return error;
	if (nfetches > KERNEL_ARGS_MAX)
		error = error_new(arena, ERROR_LIMIT,
				  "this needs %u kernel arguments; the kernel takes %d",
				  nfetches, KERNEL_ARGS_MAX);
	else if (length > KERNEL_LINE_MAX)
		error = error_new(arena, ERROR_LIMIT,
				  "the definition is %zu bytes long; the kernel takes %d",
				  length, KERNEL_LINE_MAX);
	else if (record_size(probe) > KERNEL_RECORD_MAX)
		error = error_new(arena, ERROR_LIMIT, "a record of this has %u bytes; the kernel "
				  "takes %d", record_size(probe), KERNEL_RECORD_MAX);
	if (!error)
		return NULL;
	return error_hint(arena, error_at(error, spec->text,
					  (struct span){0, (unsigned)strlen(spec->text)}),
			  "ask for fewer values, or spread them over two specs");
}
