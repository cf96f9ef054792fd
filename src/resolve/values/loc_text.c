// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of a location for a person, as `vars` shows it.
 */
#include "arch/arch.h"
#include "resolve/internal.h"
#include "resolve/listing.h"
#include "target/target.h"

static const char *register_text(const struct arch *arch, struct arena *arena, uint64_t number)
{
	uint64_t of_floats = number - arch->first_float_register;

	if (number >= arch->first_float_register && of_floats < arch->nfloat_registers)
		return arena_printf(arena, "%s%llu", arch->float_register,
				    (unsigned long long)of_floats);
	return arch_register(arch, number) ?: arena_printf(arena, "of DWARF's number %llu",
							   (unsigned long long)number);
}

static const char *leaf_text(void *cookie, struct arena *arena, const struct expr *leaf)
{
	const struct resolver *resolver = cookie;
	const struct symbol *symbol;

	if (leaf->op == EXPR_REG)
		return register_text(resolver->arch, arena, leaf->value);
	if (leaf->op == EXPR_CPU)
		return "cpu";
	if (leaf->op != EXPR_STATIC)
		return NULL;
	symbol = target_symbol_at(resolver->target, leaf->value, NULL);
	if (!symbol)
		return arena_printf(arena, "%#llx", (unsigned long long)leaf->value);
	return arena_printf(arena, "&%s+%llu", symbol->name,
			    (unsigned long long)(leaf->value - symbol->address));
}

static char *place_text(struct resolver *resolver, bool in_memory, const struct expr *expr)
{
	const char *text = expr_print(resolver->arena, expr, leaf_text, resolver);

	if (in_memory)
		return arena_printf(resolver->arena, "memory at %s", text);
	if (expr->op == EXPR_REG)
		return arena_printf(resolver->arena, "register %s", text);
	if (expr->op == EXPR_CONST)
		return arena_printf(resolver->arena, "constant %s", text);
	return arena_printf(resolver->arena, "value %s", text);
}

static char *pieces_text(struct resolver *resolver, const struct loc *loc)
{
	char *text = arena_strdup(resolver->arena, "");

	for (unsigned i = 0; i < loc->npieces; i++) {
		const struct piece *piece = &loc->pieces[i];

		text = arena_printf(
			resolver->arena, "%s%s%u bytes: %s", text, i ? ", " : "", piece->size,
			piece->expr ? place_text(resolver, piece->in_memory, piece->expr) :
				      "nowhere");
	}
	return text;
}

char *resolve_loc_text(struct resolver *resolver, const struct loc *loc)
{
	if (loc->kind == LOC_PIECES)
		return pieces_text(resolver, loc);
	if (loc->kind != LOC_MEMORY && loc->kind != LOC_VALUE)
		return arena_strdup(resolver->arena, "");
	return place_text(resolver, loc->kind == LOC_MEMORY, loc->expr);
}
