// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve/ over debug information that is a table in this file: no DWARF. Its code is resolve_code.s; where its
 * labels are nm says, and where in the file readelf's program headers (NM and SEGMENTS in the environment).
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "base/error.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "ktrace/graph.h"
#include "resolve/resolve.h"
#include "spec/spec.h"
#include "target/target.h"
#include "arena_state.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* what a table leaves out is zero */

enum { AX = 0, DX = 1, SI = 4, DI = 5, BP = 6, SP = 7, IP = 16 }; /* DWARF's numbers of x86-64's registers */

static const char *program; /* its path */

/* What nm says of a label. */
static uint64_t label(const char *name)
{
	const char *line = getenv("NM");
	char type, found[64];
	unsigned long long address;

	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "")
		if (sscanf(line, "%llx %c %63s", &address, &type, found) == 3 && !strcmp(found, name))
			return address;
	fail_msg("nm knows no '%s'", name);
	return 0;
}

/* "LOAD 0x001000 0x0000000000401000 0x... 0x00002f 0x00002f R E 0x1000" */
static uint64_t file_offset(uint64_t address)
{
	const char *line = getenv("SEGMENTS");
	unsigned long long offset, start, size;

	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "")
		if (sscanf(line, " LOAD %llx %llx %*x %llx", &offset, &start, &size) == 3 && address >= start &&
		    address < start + size)
			return address - start + offset;
	fail_msg("no segment has %#llx", (unsigned long long)address);
	return 0;
}

static const struct type s32 = {.kind = TYPE_INT, .name = "int", .size = 4, .is_signed = true};
static const struct type node_type = {.kind = TYPE_STRUCT, .name = "struct node", .size = 24};
static const struct type node_pointer = {.kind = TYPE_POINTER, .name = "struct node *", .size = 8,
					 .target = &node_type};
static struct member node_members[] = {{"next", &node_pointer, 0, 0, 0}, {"len", &s32, 8, 0, 0},
				       {"flags", &s32, 12, 3, 5}};

/* A line of the table, at a label. */
struct answer_row {
	const char *label;
	unsigned line;
	bool is_mark; /* gcc's statement frontier */
};

/* A variable; up to where its location holds, and what it is then. */
struct answer_variable {
	const char *name;
	enum scope scope;
	const struct type *type;
	enum loc_kind kind;
	enum expr_op op;
	uint64_t base; /* a register */
	int64_t offset;
	const char *where; /* a label: only in the copy that begins there; NULL: in each */
	const struct answer_part *parts; /* NULL: one location for all of the scope */
	bool is_home; /* that is its only place */
};

/* A part of the code where a variable is a register and an offset, or a constant. */
struct answer_part {
	const char *start, *end; /* labels */
	unsigned view;
	enum expr_op op;
	uint64_t number;
	int64_t offset;
	bool in_memory; /* it lies there */
	unsigned end_view; /* at `end`, up to that view */
};

struct answer_copy {
	const char *start;
	const char *end;
	const char *outer; /* the function around it, whose end is outer_end; NULL: it is no copy */
	const char *outer_end;
};

struct answer_function {
	struct function function;
	struct answer_copy copies[3];
	struct answer_row rows[8];
	struct answer_variable variables[5];
	bool is_by_gcc;
};

static const struct answer_part emptied_parts[] = {
	{"emptied", "emptied_loop", 0, EXPR_CONST, 0},
	{"emptied_loop", "emptied_meet", 0, EXPR_REG, AX},
	{"emptied_again", "emptied_end", 1, EXPR_CONST, 0},
	{NULL},
}, kept_parts[] = {
	{"emptied", "emptied_meet", 0, EXPR_CONST, 1},
	{"emptied_again", "emptied_end", 1, EXPR_CONST, 0},
	{NULL},
}, stale_parts[] = {
	{"stale_loaded", "stale_slot", 0, EXPR_REG, AX},
	{"stale_slot", "stale_back", 0, EXPR_REG, SP, -4, true},
	{"stale_back", "stale_end", 0, EXPR_REG, AX},
	{NULL},
}, dropped_parts[] = {
	{"dropped_use", "dropped_end", 0, EXPR_REG, SP, -8, true},
	{NULL},
}, left_parts[] = {
	{"left_top", "left_set", 0, EXPR_REG, AX},
	{"left_set", "left_end", 0, EXPR_REG, DX},
	{NULL},
}, ahead_parts[] = {
	{"ahead", "ahead_moved", 0, EXPR_REG, AX, -1},
	{"ahead_moved", "ahead_end", 0, EXPR_REG, AX},
	{NULL},
}, untold_parts[] = {
	{"untold", "untold_one", 0, EXPR_CONST, 0},
	{"untold_one", "untold_end", 0, EXPR_CONST, 1},
	{NULL},
}, met_parts[] = {
	{"met", "met_way", 0, EXPR_REG, AX},
	{"met_way", "met_end", 0, EXPR_REG, AX, 1},
	{NULL},
}, begins_parts[] = {
	{"begins", "begins_use", 0, EXPR_REG, AX},
	{"begins_use", "begins_end", 0, EXPR_REG, AX, 1},
	{NULL},
}, twice_parts[] = {
	{"twice_dec", "twice_use", 1, EXPR_REG, AX, -1},
	{"twice_use", "twice_end", 0, EXPR_REG, AX, -2},
	{"twice", "twice_dec", 0, EXPR_REG, AX, .end_view = 1},
	{NULL},
};

static const struct answer_function answers[] = {
	{{"plain", "code.c", "/src", 3, 1}, {{"plain", "plain_end", NULL, NULL}}, {{"plain", 3}, {"plain_filled", 4}},
	 {{"x", SCOPE_PARAMETER, &s32, LOC_MEMORY, EXPR_REG, BP, -4, NULL, NULL},
	  {"p", SCOPE_PARAMETER, &node_pointer, LOC_VALUE, EXPR_REG, DI, 0, NULL, NULL},
	  {"counter", SCOPE_GLOBAL, &s32, LOC_MEMORY, EXPR_STATIC, 0, 0, NULL, NULL}}},
	{{"joined", "code.c", "/src", 10, 2}, {{"joined", "joined_end", NULL, NULL}}, {{"joined", 10}, {"joined_top", 12}},
	 {{"x", SCOPE_PARAMETER, &s32, LOC_MEMORY, EXPR_REG, BP, -4, NULL, NULL}}},
	{{"work", "code.c", "/src", 20, 3}, {{"work", "work_end", NULL, NULL}},
	 {{"work", 20}, {"work_init", 22}, {"work_body", 23}, {"work_next", 22}, {"work_return", 24}},
	 {{"n", SCOPE_PARAMETER, &s32, LOC_VALUE, EXPR_REG, DI, 0, NULL, NULL}}},
	{{"pair", "code.c", "/src", 30, 5}, {{"pair", "pair_end", NULL, NULL}},
	 {{"pair", 30}, {"pair_begin", 32}, {"pair_b", 31}, {"pair_m", 32}},
	 {{"b", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, DI, 0, NULL, NULL},
	  {"i", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, SI, 0, NULL, NULL},
	  {"spilled", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, SP, 8, NULL, NULL},
	  {"address", SCOPE_LOCAL, &node_pointer, LOC_VALUE, EXPR_REG, SP, 8, NULL, NULL}}},
	{{"again", "code.c", "/src", 140, 16}, {{"again", "again_end", NULL, NULL}},
	 {{"again", 141, true}, {"again_use", 142, true}, {"again_b", 141}, {"again_m", 142}, {"again_next", 141, true}},
	 {{"b", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, DI, 0, NULL, NULL}}, true},
	{{"early", "code.c", "/src", 50, 6}, {{"early", "early_end", NULL, NULL}},
	 {{"early", 52}, {"early_b", 51}, {"early_m", 52}},
	 {{"b", SCOPE_PARAMETER, &s32, LOC_VALUE, EXPR_REG, DI, 0, NULL, NULL}}},
	{{"emptied", "code.c", "/src", 80, 10}, {{"emptied", "emptied_end", NULL, NULL}},
	 {{"emptied", 81}, {"emptied_meet", 82}, {"emptied_use", 83}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, 0, 0, NULL, emptied_parts},
	  {"kept", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, 0, 0, NULL, kept_parts}}},
	{{"stale", "code.c", "/src", 90, 11}, {{"stale", "stale_end", NULL, NULL}},
	 {{"stale", 90}, {"stale_loaded", 91}, {"stale_use", 92}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = stale_parts}}},
	{{"dropped", "code.c", "/src", 100, 12}, {{"dropped", "dropped_end", NULL, NULL}},
	 {{"dropped", 100}, {"dropped_use", 101}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = dropped_parts}}, true},
	{{"left", "code.c", "/src", 110, 13}, {{"left", "left_end", NULL, NULL}},
	 {{"left", 110}, {"left_top", 111}, {"left_use", 112}, {"left_set", 113}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = left_parts}}, true},
	{{"ahead", "code.c", "/src", 120, 14}, {{"ahead", "ahead_end", NULL, NULL}},
	 {{"ahead", 121, true}, {"ahead_use", 122, true}, {"ahead_dec", 123}, {"ahead_moved", 122},
	  {"ahead_marked", 123, true}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = ahead_parts}}, true},
	{{"untold", "code.c", "/src", 130, 15}, {{"untold", "untold_end", NULL, NULL}},
	 {{"untold", 131, true}, {"untold_use", 132}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = untold_parts}}, true},
	{{"jumped", "code.c", "/src", 140, 16}, {{"jumped", "jumped_end", NULL, NULL}},
	 {{"jumped", 141, true}, {"jumped_other", 142, true}, {"jumped_meet", 142, true}, {"jumped_meet", 143, true},
	  {"jumped_meet", 144, true}, {"jumped_case", 145, true}, {"jumped_jump", 143, true}}, {{NULL}}, true},
	{{"known", "code.c", "/src", 150, 17}, {{"known", "known_end", NULL, NULL}},
	 {{"known", 151}, {"known_store", 152}, {"known_load", 153}},
	 {{"v", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, AX, 0, NULL, NULL}}},
	{{"apart", "code.c", "/src", 160, 18}, {{"apart", "apart_end", NULL, NULL}},
	 {{"apart", 161}, {"apart_load", 162}}, {{NULL}}},
	{{"met", "code.c", "/src", 170, 19}, {{"met", "met_end", NULL, NULL}}, {{"met", 171}, {"met_meet", 172}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = met_parts}}, true},
	{{"begins", "code.c", "/src", 180, 20}, {{"begins", "begins_end", NULL, NULL}},
	 {{"begins", 181}, {"begins_use", 182}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = begins_parts}}, true},
	{{"twice", "code.c", "/src", 190, 21}, {{"twice", "twice_end", NULL, NULL}},
	 {{"twice", 191, true}, {"twice_dec", 192, true}, {"twice_use", 193, true}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_VALUE, .parts = twice_parts}}, true},
	{{"moved", "code.c", "/src", 200, 22}, {{"moved", "moved_end", NULL, NULL}},
	 {{"moved", 201, true}, {"moved_store", 203}, {"moved_use", 202, true}, {"moved_mark", 203, true}},
	 {{"n", SCOPE_LOCAL, &s32, LOC_MEMORY, EXPR_REG, SP, -4, .is_home = true}}, true},
	{{"nests", "code.c", "/src", 60, 7}, {{"nests", "nests_end", NULL, NULL}}, {{"nests", 60}}, {{NULL}}},
	{{"outside", "code.c", "/src", 64, 8}, {{"nests_outside", "nests_outside_end", "nests", "nests_end"}},
	 {{"nests_outside", 65}}, {{NULL}}},
	{{"inside", "code.c", "/src", 68, 9}, {{"nests_inside", "nests_inside_end", "nests", "nests_end"}},
	 {{"nests_inside", 69}}, {{NULL}}},
	{{"tiny", "code.c", "/src", 40, 4},
	 {{"plain_filled", "plain_end", "plain", "plain_end"}, {"work_body", "work_next", "work", "work_end"}},
	 {{"plain_filled", 41}, {"work_body", 41}},
	 {{"v", SCOPE_LOCAL, &s32, LOC_VALUE, EXPR_REG, AX, 0, "work_body", NULL}}},
};

struct answers {
	struct debuginfo info;
	struct arena *arena;
};

static struct arena *arena_of(struct debuginfo *info)
{
	return ((struct answers *)info)->arena;
}

static struct range *range_of(struct arena *arena, const char *start, const char *end)
{
	struct range *range = arena_new(arena, struct range);

	*range = (struct range){label(start), label(end)};
	return range;
}

static struct instance *instance_of(struct arena *arena, const struct answer_function *function,
				    const struct answer_copy *copy)
{
	struct instance *instance = arena_new(arena, struct instance);

	*instance = (struct instance){
		.function = &function->function,
		.inlined = copy->outer,
		.entry = label(copy->start),
		.ranges = range_of(arena, copy->start, copy->end),
		.nranges = 1,
		.outer = copy->outer ?: function->function.name,
		.nouter_ranges = 1,
		.is_by_gcc = function->is_by_gcc,
		.source = function->function.source << 8 | (uint64_t)(copy - function->copies),
		.outer_source = function->function.source << 8,
	};
	instance->outer_ranges = copy->outer ? range_of(arena, copy->outer, copy->outer_end) : instance->ranges;
	return instance;
}

static struct error *tell_instances(struct debuginfo *info, const char *name, struct instance ***ret, unsigned *count)
{
	*ret = NULL;
	*count = 0;
	for (unsigned i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		for (unsigned c = 0; answers[i].copies[c].start && !strcmp(answers[i].function.name, name); c++)
			arena_append(arena_of(info), *ret, *count) =
				instance_of(arena_of(info), &answers[i], &answers[i].copies[c]);
	return NULL;
}

static struct error *tell_inner(struct debuginfo *info, const struct instance *instance, struct instance ***ret,
				unsigned *count)
{
	const char *name = instance->function->name;

	return tell_instances(info, !strcmp(name, "nests") ? "outside" : !strcmp(name, "outside") ? "inside" : "", ret,
			      count);
}

static struct error *tell_nobody_at(struct debuginfo *info, uint64_t address, struct instance ***ret, unsigned *count)
{
	(void)info;
	(void)address;
	*ret = NULL;
	*count = 0;
	return NULL;
}

static const struct answer_function *function_of(const struct instance *instance)
{
	return (const struct answer_function *)instance->function; /* its first member */
}

static struct error *tell_rows(struct debuginfo *info, const struct instance *instance, struct row **ret,
			       unsigned *count)
{
	const struct answer_function *function = function_of(instance);

	*ret = NULL;
	*count = 0;
	for (unsigned i = 0; function->rows[i].label; i++) {
		uint64_t address = label(function->rows[i].label);

		if (address < instance->ranges->start || address >= instance->ranges->end)
			continue;
		arena_append(arena_of(info), *ret, *count) = (struct row){
			.address = address, .file = "code.c", .line = function->rows[i].line, .is_stmt = true,
			.is_mark = function->rows[i].is_mark,
			.end = function->rows[i + 1].label ? label(function->rows[i + 1].label) :
							     instance->ranges->end};
	}
	return NULL;
}

static struct error *tell_frame(struct debuginfo *info, const struct instance *instance, uint64_t address,
				struct frame *ret)
{
	(void)info;
	(void)address;
	*ret = (struct frame){.entry = instance->outer_ranges->start, .reason = "no frame here"};
	return NULL;
}

static bool holds_at(const struct answer_part *part, struct position at)
{
	return (label(part->start) <= at.address && at.address < label(part->end)) ||
	       (label(part->end) == at.address && at.view < part->end_view);
}

/* What the last part has that holds there; a location for the whole scope is one of no part. */
static void tell_part(struct arena *arena, const struct answer_part *part, struct position at, struct variable *ret)
{
	ret->loc = (struct loc){.kind = LOC_ABSENT, .reason = "in no part"};
	for (; part->start; part++)
		if (holds_at(part, at)) {
			ret->loc = (struct loc){
				.kind = part->in_memory ? LOC_MEMORY : LOC_VALUE,
				.expr = expr_offset(arena, expr_leaf(arena, part->op, part->number), part->offset)};
			ret->holds = *range_of(arena, part->start, part->end);
			ret->holds_view = part->view;
		}
}

static struct variable variable_of(struct arena *arena, const struct answer_variable *told,
				   const struct instance *instance, struct position at)
{
	struct variable variable = {.name = told->name, .scope = told->scope, .type = told->type, .source = 1};

	if (told->where && label(told->where) != instance->entry) {
		variable.loc = (struct loc){.kind = LOC_ABSENT, .reason = "optimized out in this copy"};
		return variable;
	}
	if (told->parts) {
		tell_part(arena, told->parts, at, &variable);
		return variable;
	}
	variable.is_home = told->is_home;
	variable.loc.kind = told->kind;
	variable.loc.expr = expr_offset(arena, expr_leaf(arena, told->op, told->op == EXPR_STATIC ? label(told->name) :
							 told->base), told->offset);
	return variable;
}

static struct error *tell_variables(struct debuginfo *info, const struct instance *instance, struct position at,
				    bool externs, struct variable **ret, unsigned *count)
{
	const struct answer_variable *list = function_of(instance)->variables;

	*ret = NULL;
	*count = 0;
	for (; list->name; list++)
		if (externs || list->scope != SCOPE_GLOBAL)
			arena_append(arena_of(info), *ret, *count) = variable_of(arena_of(info), list, instance, at);
	return NULL;
}

static struct error *tell_variable(struct debuginfo *info, const struct instance *instance, struct position at,
				   const char *name, bool externs, struct variable **ret)
{
	unsigned count;
	struct variable *all;
	struct error *error = tell_variables(info, instance, at, externs, &all, &count);

	*ret = NULL;
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(all[i].name, name))
			*ret = &all[i];
	return error;
}

static struct error *tell_member(struct debuginfo *info, const struct type *type, const char *name,
				 struct member **ret)
{
	(void)info;
	*ret = NULL;
	for (unsigned i = 0; type == &node_type && i < 3; i++)
		if (!strcmp(node_members[i].name, name))
			*ret = &node_members[i];
	return NULL;
}

static struct error *tell_members(struct debuginfo *info, const struct type *type, struct member **ret,
				  unsigned *count)
{
	(void)info;
	*ret = node_members;
	*count = type == &node_type ? 3 : 0;
	return NULL;
}

static const struct debuginfo_ops ops = {
	.name = "a table",
	.instances = tell_instances,
	.function_at = tell_nobody_at,
	.inner = tell_inner,
	.rows = tell_rows,
	.frame = tell_frame,
	.variables = tell_variables,
	.variable = tell_variable,
	.member = tell_member,
	.members = tell_members,
};

static struct resolver *open_resolver(struct arena *arena)
{
	struct answers *info = arena_new(arena, struct answers);
	struct resolver *resolver = arena_new(arena, struct resolver);

	*resolver = (struct resolver){.arena = arena, .info = &info->info, .arch = arch_find(EM_X86_64)};
	assert_null(target_open_program(arena, program, false, &resolver->target));
	info->arena = arena;
	info->info = (struct debuginfo){
		.ops = &ops, .target = resolver->target,
		.absent = error_new(arena, ERROR_NO_DEBUGINFO, "not in the table"),
	};
	return resolver;
}

static void close_resolver(struct resolver *resolver)
{
	resolver_deinit(resolver);
	target_close(resolver->target);
}

/* The error, or the sites of a spec. */
static struct error *resolve(struct arena *arena, const char *text, struct sites **ret)
{
	struct resolver *resolver = open_resolver(arena);
	struct batches *batches;
	struct sites *none;
	struct error *error;
	struct spec *spec;

	*ret = NULL;
	error = spec_parse(arena, text, &spec);
	assert_null(error);
	batches = resolve_open(resolver, spec, NULL);
	error = resolve_next(batches, ret);
	if (!error)
		assert_null(resolve_next(batches, &none));
	error = resolve_close(batches, error);
	close_resolver(resolver);
	return error;
}

/* The sites of a spec are at these labels, in any order; how many. */
static struct sites *are_at(struct arena *arena, const char *text, const char *const *labels)
{
	struct sites *sites;
	struct error *error = resolve(arena, text, &sites);
	unsigned count = 0;

	if (error)
		fail_msg("%s: %s", text, error->message);
	for (; labels[count]; count++) {
		bool found = false;

		for (unsigned i = 0; i < sites->nsites; i++)
			found = found || (sites->sites[i].address == label(labels[count]) &&
					  sites->sites[i].offset == file_offset(label(labels[count])) &&
					  !strcmp(sites->sites[i].path, program));
		if (!found)
			fail_msg("%s: nothing at %s", text, labels[count]);
	}
	assert_int_equal(sites->nsites, count);
	return sites;
}

#define AT(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *leaf_text(void *cookie, struct arena *arena, const struct expr *leaf)
{
	(void)cookie;
	if (leaf->op == EXPR_REG && leaf->value == IP)
		return "ip";
	return leaf->op == EXPR_REG ? arena_printf(arena, "r%d", (int)leaf->value) : NULL;
}

/* The only value of the only site is this expression. */
static void is_worth(struct arena *arena, const char *text, const char *place, const char *expected)
{
	const struct site *site = are_at(arena, text, AT(place))->sites;

	assert_int_equal(site->ncaptures, 1);
	assert_true(site->captures->kind != CAPTURE_NONE);
	assert_string_equal(expr_print(arena, site->captures->expr, leaf_text, NULL), expected);
}

static void lines(void **state)
{
	are_at(*state, "work", AT("work"));
	are_at(*state, "work:0", AT("work"));
	are_at(*state, "work:3", AT("work_body"));
	are_at(*state, "work:4", AT("work_return"));
	/* `for`: once when it is entered, and once a round */
	are_at(*state, "work:2", AT("work_init", "work_next"));
	are_at(*state, "tiny:1", AT("plain_filled", "work_body"));
	/* both ways come to the one's mark of the `if` */
	are_at(*state, "jumped:3", AT("jumped_meet"));
	/* where the ways meet, behind the load that one of them doesn't need; and the copy's values are there */
	are_at(*state, "known:3", AT("known_meet"));
	is_worth(*state, "known:3 v", "known_meet", "(s32)r0");
	/* what a way leads to behind a return is no end of the line's code */
	are_at(*state, "apart:2", AT("apart_load"));
}

static void refusals(void **state)
{
	static const struct { const char *text, *word; } cases[] = {
		{"nothing", "nothing"}, {"work zork", "zork"}, {"work n->x", "n"}, {"plain p->zork", "zork"},
		{"work:77", "77"},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sites *sites;
		struct error *error = resolve(*state, cases[i].text, &sites);

		if (!error || !strstr(error->message, cases[i].word))
			fail_msg("%s: %s", cases[i].text, error ? error->message : "no error");
	}
}

static void values(void **state)
{
	is_worth(*state, "work n", "work", "(s32)r5");
	is_worth(*state, "plain p->len", "plain", "*(s32 *)(r5 + 8)");
	is_worth(*state, "plain p->next->len", "plain", "*(s32 *)(*(u64 *)r5 + 8)");
	is_worth(*state, "plain p->flags", "plain", "(s5)(*(u8 *)(r5 + 12) >> 3)");
}

/* An argument's slot holds leftovers at the entry: the point moves behind the store, unless more than calls lead
 * there. */
static void slots(void **state)
{
	struct sites *sites;
	struct error *error;

	is_worth(*state, "plain x", "plain_filled", "*(s32 *)(r6 - 4)");
	is_worth(*state, "plain:1 x", "plain_filled", "*(s32 *)(r6 - 4)");
	error = resolve(*state, "joined x", &sites);
	assert_non_null(error);
	assert_int_equal(error->code, ERROR_NO_VALUE);
}

/* What a statement before the line still has to change isn't told as it is; nor is the address of a spilled number
 * its value. */
static void doubts(void **state)
{
	static const struct { const char *text, *word; } cases[] = {
		{"pair:2 b", "line 31"}, {"pair:2 spilled", "spilled"}, {"emptied:3 n", "contradicts itself"},
		{"stale:2 n", "a register has it newer"}, {"dropped:1 n", "no code behind this address reads"},
		{"left:2 n", "contradicts itself"}, {"ahead:2 n", "line 123, which the source has behind"},
		{"untold:2 n", "is before the one that sets it"},
		{"met:2 n", "whether this line's statement has set it"},
		{"begins:2 n", "whether this line's statement has set it"},
		{"twice:2 n", "this line's statement has changed it already"},
		{"moved:2 n", "line 203, which the source has behind"},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sites *sites;
		struct error *error = resolve(*state, cases[i].text, &sites);

		if (!error || error->code != ERROR_NO_VALUE || !strstr(error->message, cases[i].word))
			fail_msg("%s: %s", cases[i].text, error ? error->message : "no error");
	}
	is_worth(*state, "pair:2 i", "pair_begin", "(s32)r4");
	is_worth(*state, "pair:1 b", "pair_b", "(s32)r5");
	is_worth(*state, "again:2 b", "again_use", "(s32)r5");
	is_worth(*state, "pair:2 address", "pair_begin", "r7 + 8");
	is_worth(*state, "early:2 b", "early_m", "(s32)r5");
	is_worth(*state, "emptied:3 kept", "emptied_use", "0");
}

/* What one copy lacks is unavailable there alone; what all lack is an error. */
static void copies(void **state)
{
	struct sites *sites = are_at(*state, "tiny v", AT("plain_filled", "work_body"));

	for (unsigned i = 0; i < 2; i++) {
		const struct capture *capture = sites->sites[i].captures;
		bool is_there = sites->sites[i].address == label("work_body");

		assert_int_equal(capture->kind, is_there ? CAPTURE_VALUE : CAPTURE_NONE);
		if (!is_there)
			assert_non_null(strstr(capture->reason, "optimized out in this copy"));
		assert_true(sites->sites[i].inlined);
	}
}

/* A static is at its address; in a program that may lie anywhere, at a distance from the probed instruction. */
static void statics(void **state)
{
	const struct site *site = are_at(*state, "plain counter", AT("plain"))->sites;

	const char *pie = arena_printf(*state, "*(s32 *)(ip + %#llx)", (unsigned long long)(label("counter") - label("plain")));
	const char *fixed = arena_printf(*state, "*(s32 *)0x%llx", (unsigned long long)label("counter"));

	assert_int_equal(site->ncaptures, 1);
	assert_string_equal(expr_print(*state, site->captures->expr, leaf_text, NULL),
			    label("_start") < 0x10000 ? pie : fixed);
}

static const struct graph_function *graph_named(const struct graph *graph, const char *name)
{
	for (unsigned i = 0; i < graph->nfunctions; i++)
		if (!strcmp(graph->functions[i].name, name))
			return &graph->functions[i];
	fail_msg("no '%s' in the graph", name);
	return NULL;
}

/* A call graph knows which copy a copy is in: else it would be shown beside it. */
static void copies_in_copies(void **state)
{
	struct resolver *resolver = open_resolver(*state);
	struct graph_wanted wanted = {.nspecs = 1, .depth = 2, .has_inlined = true};
	struct graphing *graphing;
	struct graph *graph;
	struct spec *spec;

	assert_null(spec_parse(*state, "nests", &spec));
	wanted.specs = (const struct spec *const[]){spec};
	assert_null(graph_resolve(resolver, &wanted, &graphing, &graph));
	assert_int_equal(graph->nfunctions, 3);
	assert_int_equal(graph_named(graph, "outside")->host, NO_COPY);
	assert_ptr_equal(&graph->functions[graph_named(graph, "inside")->host], graph_named(graph, "outside"));
	close_resolver(resolver);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines, setup, teardown),
		cmocka_unit_test_setup_teardown(refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(values, setup, teardown),
		cmocka_unit_test_setup_teardown(slots, setup, teardown),
		cmocka_unit_test_setup_teardown(doubts, setup, teardown),
		cmocka_unit_test_setup_teardown(copies, setup, teardown),
		cmocka_unit_test_setup_teardown(statics, setup, teardown),
		cmocka_unit_test_setup_teardown(copies_in_copies, setup, teardown),
	};
	int failed;

	program = argc > 1 ? argv[1] : "";
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
