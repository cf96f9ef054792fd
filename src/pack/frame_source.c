// SPDX-License-Identifier: GPL-2.0-only
/* Takes out of .debug_frame what is said of code that is kept (DWARF 5, 6.4.1). */
#include "pack/build.h"

#define CIE_ID UINT32_MAX

struct cie {
	uint64_t old; /* offsets */
	uint64_t now;
};

/* Code of functions that are kept begins there. */
static bool is_start_kept(const struct build *build, uint64_t start, uint64_t size)
{
	for (size_t i = 0; i < build->nkept_code; i++)
		if (start < build->kept_code[i].end && start + size > build->kept_code[i].start)
			return true;
	return false;
}

static bool find_cie(const struct cie *list, size_t count, uint64_t old, uint64_t *ret)
{
	for (size_t i = count; i--;)
		if (list[i].old == old) {
			*ret = list[i].now;
			return true;
		}
	return false;
}

bool keep_frames(const struct build *build, struct bytes old, struct strbuf *out)
{
	struct in in = in_bytes(old.data, old.size);
	struct arena arena = {0};
	struct cie *cies = NULL;
	size_t ncies = 0;

	while (in.at < in.end && !in.is_bad) {
		const uint8_t *start = in.at;
		uint64_t length = get_fixed(&in, 4), at = 0;
		struct in entry = {in.at, in.at + (length < in_left(&in) ? length : in_left(&in)),
				   false};
		uint64_t id = get_fixed(&entry, 4), code, size;

		get_bytes(&in, length);
		if (length >= 0xfffffff0 || entry.is_bad) {
			in.is_bad = true;
			break;
		}
		if (id == CIE_ID) {
			arena_append(&arena, cies, ncies) =
				(struct cie){(uint64_t)(start - old.data), out->length};
			strbuf_add(out, start, (size_t)(in.at - start));
			continue;
		}
		code = get_fixed(&entry, 8);
		size = get_fixed(&entry, 8);
		if (!is_start_kept(build, code, size))
			continue;
		in.is_bad |= !find_cie(cies, ncies, id, &at);
		strbuf_add(out, start, 4);
		put_fixed(out, at, 4);
		strbuf_add(out, start + 8, (size_t)(in.at - start) - 8);
	}
	arena_deinit(&arena);
	return !in.is_bad;
}
