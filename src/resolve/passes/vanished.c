// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds functions of which an inlined copy left neither code nor a mark nor a word in debug
 * information: a getter that is computed once for several calls, or not at all.
 *
 * The surprise: what is gone can be seen only where its caller has several copies, as another one
 * still has the call. Calls that change or call something can't go; those were not executed. Others
 * go so often that each function that was inlined and only computes is said to lack calls, and the
 * lines of each that is small (getter.c).
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "target/target.h"

bool is_same_function(const struct function *a, const struct function *b)
{
	return a->line == b->line && !strcmp(a->name, b->name) && !strcmp(a->file, b->file);
}

/* What the stack holds is the copy's own. */
static bool changes_something(struct resolver *resolver, const struct insn *insn,
			      const struct effect *effect)
{
	int stack = (int)resolver->arch->stack_register;

	return insn->is_repeated || effect->static_size ||
	       (effect->store_size && effect->store_base != stack) ||
	       (effect->memory == MEMORY_WRITTEN && effect->memory_base != stack);
}

/* A jump out of the function, which compilers make of a last call. A copy's jumps lead to its
 * caller. */
static bool is_last_call(const struct instance *instance, const struct insn *insn)
{
	return !instance->inlined && insn->is_branch && insn->target &&
	       !is_inside(instance, insn->target);
}

/* Whether the code only computes a value, without a loop. */
static bool is_plain(struct resolver *resolver, const struct instance *instance)
{
	struct decoder *decoder = decoder_open(resolver->arch);
	bool is = decoder;

	for (unsigned i = 0; i < instance->nranges; i++) {
		struct insn insn = {.length = 1};
		struct effect effect;
		uint64_t at = instance->ranges[i].start;

		for (; is && at < instance->ranges[i].end; at += insn.length) {
			is = code_effect(resolver, at, &insn, &effect) &&
			     !(insn.is_branch && insn.target <= at) &&
			     !is_last_call(instance, &insn) &&
			     !(insn.is_call &&
			       call_comes_back(resolver, decoder, insn.callee)) &&
			     !changes_something(resolver, &insn, &effect);
		}
	}
	decoder_close(decoder);
	return is;
}

/* The function that the copy is inlined into; false: not known. */
static bool caller_at(struct resolver *resolver, const struct instance *copy, uint64_t address,
		      struct code_place *ret)
{
	struct code_place *places;
	unsigned count;

	if (debuginfo_places(resolver->info, address, &places, &count))
		return false;
	for (unsigned i = 0; i + 1 < count; i++) {
		*ret = places[i + 1];
		if (places[i].is_inlined && places[i].function && ret->function && ret->file &&
		    !strcmp(places[i].function, copy->function->name) &&
		    ret->line == copy->call_line)
			return true;
	}
	return false;
}

static bool caller_of(struct resolver *resolver, const struct instance *copy,
		      struct code_place *ret)
{
	bool is_known = copy->call_line && caller_at(resolver, copy, copy->entry, ret);

	/* the entry may be outside the ranges */
	for (unsigned i = 0; copy->call_line && !is_known && i < copy->nranges; i++)
		is_known = caller_at(resolver, copy, copy->ranges[i].start, ret);
	return is_known;
}

/* Whether the instance gets to the line: it has a marker of it, or, without markers, code of it or
 * behind it. */
static bool gets_to_line(struct resolver *resolver, const struct instance *instance, unsigned line)
{
	struct line_code of;

	if (line_code_read(resolver, instance, line, &of))
		return false;
	if (has_marks(of.rows, of.nrows))
		return line_has_mark(&of);
	for (unsigned i = 0; i < of.nrows; i++)
		if (has_instruction(&of.rows[i]) && is_own_row(instance, &of.rows[i]) &&
		    of.rows[i].line >= line)
			return true;
	return false;
}

/* Whether a jump or call leads from the instance's code to the function's, or a clone of it. */
static bool leads_to(struct resolver *resolver, const struct instance *instance, const char *name)
{
	struct decoder *decoder = decoder_open(resolver->arch);
	size_t length = strlen(name);
	bool found = !decoder;

	for (unsigned i = 0; i < instance->nranges; i++) {
		struct insn insn = {.length = 1};
		struct effect effect;
		uint64_t at = instance->ranges[i].start;

		for (; !found && at < instance->ranges[i].end; at += insn.length) {
			const char *callee;

			if (!code_effect(resolver, at, &insn, &effect))
				return true;
			if (!insn.callee && !insn.is_branch)
				continue;
			callee = code_callee(resolver, decoder,
					     insn.callee ? insn.callee : insn.target);
			found = callee && !strncmp(callee, name, length) &&
				(!callee[length] || callee[length] == '.');
		}
	}
	decoder_close(decoder);
	return found;
}

/* Whether the caller's instance has the line of the call, but nothing of the copy. */
static bool lacks_call(struct resolver *resolver, const struct instance *caller,
		       const struct instance *copy)
{
	struct instance **inner;
	unsigned count;

	if (!gets_to_line(resolver, caller, copy->call_line) ||
	    debuginfo_inner(resolver->info, caller, &inner, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (inner[i]->call_line == copy->call_line &&
		    is_same_function(inner[i]->function, copy->function))
			return false;
	return !leads_to(resolver, caller, copy->function->name);
}

enum { COPIES_MOST = 200, CALLERS_MOST = 8 };

/* Whether another copy of the caller lacks the call. */
static bool is_gone_elsewhere(struct resolver *resolver, const struct instance *copy)
{
	struct instance **callers;
	struct code_place caller;
	unsigned count;

	if (!caller_of(resolver, copy, &caller) ||
	    debuginfo_instances(resolver->info, caller.function, &callers, &count) ||
	    count > COPIES_MOST)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(callers[i]->function->file, caller.file) &&
		    callers[i]->function->line < copy->call_line &&
		    lacks_call(resolver, callers[i], copy))
			return true;
	return false;
}

/* In a copy, the scheduler leaves code of others. */
static bool are_plain(struct resolver *resolver, struct instance *const *all, unsigned count)
{
	unsigned nplain = 0, nothers = 0;

	for (unsigned i = 0; i < count; i++)
		if (all[i]->nranges && is_plain(resolver, all[i]))
			nplain++;
		else if (all[i]->nranges)
			nothers++;
	return nplain && nplain >= nothers;
}

/* The function's instances; none, if they are too many to look at. */
static struct instance **instances_of(struct resolver *resolver, const struct function *function,
				      unsigned *kept)
{
	struct instance **all;
	unsigned count;

	*kept = 0;
	if (debuginfo_instances(resolver->info, function->name, &all, &count) ||
	    count > COPIES_MOST)
		return NULL;
	for (unsigned i = 0; i < count; i++)
		if (is_same_function(all[i]->function, function))
			all[(*kept)++] = all[i];
	return all;
}

/* The line of a call that is gone in one of its caller's copies; 0: none is known. */
static unsigned vanished_call(struct resolver *resolver, struct instance *const *all,
			      unsigned count)
{
	unsigned nasked = 0;

	for (unsigned i = 0; i < count && nasked < CALLERS_MOST; i++) {
		bool is_asked = !all[i]->inlined;

		for (unsigned j = 0; j < i && !is_asked; j++)
			is_asked = all[j]->call_line == all[i]->call_line &&
				   all[j]->outer_source == all[i]->outer_source;
		nasked += !is_asked;
		if (!is_asked && is_gone_elsewhere(resolver, all[i]))
			return all[i]->call_line;
	}
	return 0;
}

static bool are_optimised(struct instance *const *all, unsigned count, bool by_llvm)
{
	for (unsigned i = 0; i < count; i++)
		if (!all[i]->is_optimised || (by_llvm && !all[i]->is_by_llvm))
			return false;
	return count;
}

struct definitions {
	unsigned count; /* without code of their own: those with code refer to one of these */
	unsigned ninlined;
};

static void count_definition(void *cookie, const char *name, const char *linkage, bool has_code,
			     bool inlined)
{
	struct definitions *definitions = cookie;

	(void)name, (void)linkage;
	definitions->count += !has_code;
	definitions->ninlined += !has_code && inlined;
}

/* Whether debug information calls the function inlined. */
static bool is_called_inlined(struct resolver *resolver, const struct function *function)
{
	struct definitions definitions = {0};

	return !strpbrk(function->name, "*?[: ") &&
	       !debuginfo_functions(resolver->info, function->name, count_definition,
				    &definitions) &&
	       definitions.count && definitions.ninlined == definitions.count;
}

/* Whether it does, but debug information has nothing of it apart from its code out of line. A clone
 * of it would be another reason for the word. */
static bool is_untold(struct resolver *resolver, const struct function *function,
		      struct instance *const *all, unsigned count)
{
	const struct symbol *symbol;

	if (count != 1 || all[0]->inlined || !is_called_inlined(resolver, function))
		return false;
	symbol = target_symbol_at(resolver->target, all[0]->entry, function->name);
	return symbol && !strcmp(symbol->name, function->name);
}

/* clang's calls leave nothing at all, gcc's the word that there were some. */
static bool may_be_folded(struct resolver *resolver, const struct function *function,
			  struct instance *const *all, unsigned count)
{
	return are_optimised(all, count, true) ||
	       (are_optimised(all, count, false) && is_called_inlined(resolver, function));
}

static bool has_empty_copy(struct instance *const *all, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (all[i]->inlined && all[i]->is_optimised && !all[i]->nranges)
			return true;
	return false;
}

static const char *fewer_text(struct resolver *resolver, const char *what)
{
	return arena_printf(resolver->arena, "%s: fewer events than passes are possible", what);
}

const char *vanished_text(struct resolver *resolver, const struct function *function,
			  bool is_call)
{
	struct arena *arena = resolver->arena;
	const char *name = function->name;
	unsigned count, line = 0;
	struct instance **all = instances_of(resolver, function, &count);
	bool only_computes = are_plain(resolver, all, count);

	if (only_computes)
		line = vanished_call(resolver, all, count);
	if (line)
		return fewer_text(resolver, arena_printf(arena, "the call of '%s' at line %u left "
							 "no code in a copy of its caller", name,
							 line));
	if (has_empty_copy(all, count))
		return fewer_text(resolver, arena_printf(arena, "an inlined copy of '%s' has no "
							 "code", name));
	if (only_computes && may_be_folded(resolver, function, all, count) &&
	    (is_call || is_getter(resolver, function, all, count)))
		return fewer_text(resolver, arena_printf(arena, "'%s' only computes, and a call of "
							 "it may leave no code", name));
	if (is_call && are_optimised(all, count, true) && may_be_one_code(resolver, all, count))
		return fewer_text(resolver, arena_printf(arena, "the compiler may have made a call "
							 "of '%s' one with other code", name));
	if (!is_call && is_untold(resolver, function, all, count) &&
	    (only_computes || !all[0]->is_split))
		return fewer_text(resolver, arena_printf(arena, "'%s' was inlined, and debug "
							 "information says nowhere where", name));
	return NULL;
}
