// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds lines that fill or copy memory in one go, where the source may have a loop: compilers make
 * memset, memcpy or rep stos of it, which is one event for all rounds.
 *
 * The surprise: a call of memset in the source is the same code. The columns tell it, as far as
 * they can: a statement begins where its call does, while the store in a loop's body is behind the
 * loop's head. Without markers that is a weak sign, so calls of memcpy, of which sources are full,
 * don't count there.
 */
#include "arch/arch.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "target/code.h"
#include "target/target.h"

static bool fills_memory(const char *name, bool may_copy)
{
	return name && (!strcmp(name, "memset") || !strcmp(name, "__memset") ||
			(may_copy && (!strcmp(name, "memcpy") || !strcmp(name, "memmove") ||
				      !strcmp(name, "__memcpy") || !strcmp(name, "__memmove"))));
}

/* Also to a static, of which store_size says nothing. */
static unsigned stored_bytes(struct decoder *decoder)
{
	struct effect effect;

	decoder_effect(decoder, &effect);
	return effect.memory == MEMORY_WRITTEN && effect.memory_size > effect.store_size ?
		       effect.memory_size : effect.store_size;
}

static bool is_filling(struct resolver *resolver, struct decoder *decoder, const struct row *row,
		       bool may_copy)
{
	enum { MOST_BYTES = 4096, WIDE = 16, LEAST_WIDE = 3 };
	unsigned nwide = 0;
	size_t length;
	const uint8_t *code = target_bytes(resolver->target, row->address, &length);
	struct insn insn = {.length = 1};

	if (!code || row->end - row->address > MOST_BYTES || length < row->end - row->address)
		return false;
	for (uint64_t at = row->address; insn.length && at < row->end; at += insn.length) {
		decoder_next(decoder, code + (at - row->address), row->end - at, at, &insn);
		nwide += insn.length && stored_bytes(decoder) >= WIDE;
		if (nwide >= LEAST_WIDE)
			return true;
		if ((insn.is_repeated && may_copy) ||
		    (insn.callee &&
		     fills_memory(code_callee(resolver, decoder, insn.callee), may_copy)))
			return true;
	}
	return false;
}

/* Whether a statement of the line begins at the row's column, or the row's statement is the only
 * one that is known: then the code may well be what the source says. */
static bool is_plain(const struct line_code *of, const struct row *row)
{
	const struct row *rows = of->rows;
	unsigned first = 0;
	bool has_several = false;

	for (unsigned i = 0; i < of->nrows; i++) {
		if (!rows[i].is_mark || rows[i].column > row->column ||
		    !is_of_line(of->instance, &rows[i], row->line))
			continue;
		if (rows[i].column == row->column)
			return true;
		has_several |= first && rows[i].column != first;
		first = rows[i].column;
	}
	return first && !has_several;
}

/* Whether the line has no code left of the column. */
static bool is_leftmost(const struct line_code *of, const struct row *row)
{
	const struct row *rows = of->rows;

	for (unsigned i = 0; i < of->nrows; i++)
		if (rows[i].column && rows[i].column < row->column &&
		    is_of_line(of->instance, &rows[i], row->line))
			return false;
	return true;
}

/* Without markers: whether another line's code begins at that column, as statements do that are
 * calls. */
static bool is_usual_column(const struct line_code *of, const struct row *row)
{
	const struct row *rows = of->rows;

	for (unsigned i = 0; i < of->nrows; i++)
		if (rows[i].column == row->column && rows[i].line != row->line &&
		    is_own_row(of->instance, &rows[i]) && is_leftmost(of, &rows[i]))
			return true;
	return false;
}

/* The line directly behind the line, if it has code, no marker, and is deeper: the body of a loop
 * without braces. */
static unsigned body_of(const struct line_code *of)
{
	const struct row *rows = of->rows;
	unsigned column = 0;
	bool has_code = false;

	for (unsigned i = 0; i < of->nrows; i++)
		if (rows[i].is_mark && is_of_line(of->instance, &rows[i], of->line) &&
		    (!column || rows[i].column < column))
			column = rows[i].column;
	for (unsigned i = 0; column && i < of->nrows; i++) {
		if (!is_of_line(of->instance, &rows[i], of->line + 1))
			continue;
		if (rows[i].is_mark || rows[i].column <= column)
			return 0;
		has_code = true;
	}
	return has_code ? of->line + 1 : 0;
}

static bool is_filled(const struct line_code *of, unsigned line)
{
	const struct row *rows = of->rows;
	bool has_them = has_marks(rows, of->nrows), found = false;
	struct decoder *decoder = decoder_open(of->resolver->arch);

	for (unsigned i = 0; decoder && i < of->nrows && !found; i++)
		found = has_instruction(&rows[i]) && rows[i].column &&
			is_of_line(of->instance, &rows[i], line) &&
			is_filling(of->resolver, decoder, &rows[i], has_them) &&
			!(has_them ? is_plain(of, &rows[i]) :
				     is_usual_column(of, &rows[i]));
	decoder_close(decoder);
	return found;
}

const char *filled_text(const struct line_code *of)
{
	struct arena *arena = of->resolver->arena;
	unsigned body = has_marks(of->rows, of->nrows) ? body_of(of) : 0;

	if (body && is_filled(of, body))
		return arena_printf(arena,
				    "line %u, which may be the body of line %u, fills or copies "
				    "memory in one go: fewer events than passes are possible",
				    body, of->line);
	return is_filled(of, of->line) ?
		       arena_printf(arena,
				    "line %u fills or copies memory in one go: if it is a loop, "
				    "fewer events than passes are possible",
				    of->line) :
		       NULL;
}
