// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds tests of `else if` that some way to a later branch leaves out: behind `if (!n && f(p))` a
 * way on which n isn't 0 needn't do `else if (!n)`, and gcc leaves no mark of it there.
 *
 * The surprise: only the source tells which statements are one chain. If nothing of the first
 * branch is met, its code has become one with that of the later one, which says nothing.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/passes/merged.h"
#include "resolve/passes/nesting.h"

struct chain {
	struct resolver *resolver;
	const struct instance *instance;
	unsigned line; /* of the `if` */
	unsigned first_else;
	unsigned last_else; /* before the line that is asked about */
	unsigned left;      /* lines that may be read, of all chains */
};

/* Whether the line at the chain's depth belongs to it. */
static bool is_between(const char *text)
{
	return source_is_else(text) || source_is_brace(text);
}

/* Reads the chain up to a line. Returns whether that is in one of its later branches. */
static bool reaches(struct chain *chain, unsigned to)
{
	const char *text = source_line(chain->resolver, chain->instance, chain->line);
	unsigned depth = source_depth(text);

	chain->first_else = chain->last_else = 0;
	for (unsigned line = chain->line + 1; line < to; line++) {
		if (!chain->left || !chain->left--)
			return false;
		text = source_line(chain->resolver, chain->instance, line);
		if (!text)
			return false;
		if (source_is_empty(text) || source_depth(text) > depth)
			continue;
		if (source_depth(text) < depth || !is_between(text))
			return false;
		if (source_is_else(text)) {
			chain->first_else = chain->first_else ?: line;
			chain->last_else = line;
		}
	}
	text = source_line(chain->resolver, chain->instance, to);
	return chain->last_else && text && source_depth(text) > depth;
}

/* Whether a statement of the chain's first branch is met next. */
static bool enters_first(const struct nesting *nesting, const struct mark *mark,
			 const struct chain *chain)
{
	for (unsigned i = 0; i < mark->nnext; i++) {
		int next = nesting->steps[mark->next[i]].statement;

		if (next >= 0 && nesting->list[next].line > chain->line &&
		    nesting->list[next].line < chain->first_else)
			return true;
	}
	return false;
}

static void add_tests(const struct chain *chain, unsigned to, struct findings *ret)
{
	unsigned depth = source_depth(source_line(chain->resolver, chain->instance, chain->line));

	for (unsigned line = chain->first_else; line <= chain->last_else; line++) {
		const char *text = source_line(chain->resolver, chain->instance, line);

		if (source_depth(text) == depth && source_is_else(text) && source_is_if(text))
			arena_append(chain->resolver->arena, ret->list, ret->count) =
				(struct finding){.line = line, .from = chain->line, .to = to};
	}
}

static void look(const struct nesting *nesting, const struct mark *mark, struct chain *chain,
		 struct findings *ret)
{
	enum { MOST = 1000 }; /* lines of a chain */

	for (unsigned i = 0; i < mark->nnext; i++) {
		const struct mark *next = &nesting->steps[mark->next[i]];
		unsigned to;

		if (next->statement <= mark->statement || next->is_shared ||
		    !nesting_knows(nesting, next))
			continue;
		to = nesting->list[next->statement].line;
		if (to - chain->line <= MOST && reaches(chain, to) &&
		    enters_first(nesting, mark, chain))
			add_tests(chain, to, ret);
	}
}

void else_ifs_find(struct resolver *resolver, const struct instance *instance,
		   const struct nesting *nesting, struct findings *ret)
{
	enum { LINES_MOST = 1 << 20 };
	struct chain chain = {.resolver = resolver, .instance = instance, .left = LINES_MOST};

	for (unsigned i = 0; !instance->inlined && i < nesting->nsteps; i++) {
		const struct mark *mark = &nesting->steps[i];
		const char *text;

		if (mark->statement < 0 || mark->is_shared || mark->nnext < 2)
			continue;
		chain.line = nesting->list[mark->statement].line;
		text = source_line(resolver, instance, chain.line);
		if (text && source_is_if(text))
			look(nesting, mark, &chain, ret);
	}
}
