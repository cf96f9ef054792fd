// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sites made by hand, and the kernel's text that a plan makes of them. What is right is said by the kernel's
 * own words (Documentation/trace/kprobetrace.rst: FETCHARGS; the limits of trace_probe.h), and, of comparisons
 * with floating-point numbers, by C's on the same bits.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "plan/kernel_filter.h"
#include "spec/spec.h"
#include "arena_state.h"

enum { DX = 1, SI = 4, DI = 5, SP = 7, CONDITIONS = 200000 }; /* DWARF's numbers of x86-64's registers */

/* How `@` names what lies at two addresses. */
static const struct static_place statics[] = {{.address = 0x1000, .name = "jiffies"},
					      {.address = 0x1008, .name = "jiffies+8"}};

struct house {
	struct arena *arena;
	struct caps caps;
	struct plan_input input;
	struct plan plan;
	const char *function; /* of the source */
};

static struct house house_of(struct arena *arena)
{
	return (struct house){.arena = arena, .caps = caps_assumed(), .plan.arena = arena, .input.ncpus = 2,
			      .function = "f"};
}

/* Of the kernel, or of a program. */
static struct error *add(struct house *house, const char *text, const char *path, const struct capture *captures,
			 unsigned count)
{
	struct site *site = arena_new(house->arena, struct site);
	struct sites sites = {.sites = site, .nsites = 1, .arch = arch_find(EM_X86_64)};
	struct spec *spec;

	house->input.caps = &house->caps;
	assert_null(spec_parse(house->arena, text, &spec));
	*site = (struct site){.symbol = house->function, .shown_symbol = house->function, .function = house->function, .path = path, .ncaptures = count,
			      .captures = arena_grow(house->arena, captures, count * sizeof(*captures),
						     (count + 1) * sizeof(*captures))};
	sites.spec = spec;
	return plan_add(house->arena, &house->input, &sites, &house->plan);
}

static const struct probe *one(struct house *house, const struct expr *expr, unsigned size, bool is_signed)
{
	struct capture capture = {.kind = CAPTURE_VALUE, .name = "v", .type_name = "", .expr = expr,
				  .size = (uint8_t)size, .is_signed = is_signed, .statics = statics,
				  .nstatics = 2};

	house->plan = (struct plan){.arena = house->arena};
	assert_null(add(house, "f v", NULL, &capture, 1));
	return &house->plan.probes[0];
}

static const struct expr *reg(struct arena *arena, uint64_t number)
{
	return expr_leaf(arena, EXPR_REG, number);
}

static const struct expr *load(struct arena *arena, const struct expr *base, int64_t offset, unsigned size,
			       bool is_signed)
{
	return expr_load(arena, expr_offset(arena, base, offset), size, is_signed, false);
}

static void values_of_one_argument(void **state)
{
	struct arena *a = *state;
	const struct expr *di = reg(a, DI), *inner = load(a, di, 16, 8, false);
	struct expr *here = (struct expr *)expr_leaf(a, EXPR_STATIC, 0x1000);
	struct expr *behind = (struct expr *)expr_leaf(a, EXPR_STATIC, 0x1008);
	const struct {
		const struct expr *expr;
		unsigned size;
		bool is_signed;
		const char *text;
	} cases[] = {
		{di, 8, false, "v=%di:u64"},
		{reg(a, SP), 8, false, "v=%sp:u64"},
		{expr_extend(a, di, 32, true), 4, true, "v=%di:s32"},
		{expr_extend(a, di, 8, false), 1, false, "v=%di:u8"},
		{load(a, di, 8, 4, true), 4, true, "v=+8(%di):s32"},
		{load(a, di, -8, 2, false), 2, false, "v=-8(%di):u16"},
		{load(a, inner, 0, 8, false), 8, false, "v=+0(+16(%di)):u64"},
		{expr_load(a, here, 8, false, false), 8, false, "v=@jiffies:u64"},
		{expr_load(a, behind, 4, true, false), 4, true, "v=@jiffies+8:s32"},
		{expr_load(a, expr_offset(a, di, 4), 8, false, true), 8, false, "v=+u4(%di):u64"},
		{expr_const(a, 7), 4, false, "v=\\7:u32"},
		{expr_const(a, (uint64_t)-7), 4, true, "v=\\-7:s32"},
		/* a bit-field of 3 bits, 5 bits into 4 bytes */
		{expr_binary(a, EXPR_AND, expr_binary(a, EXPR_SHR, load(a, di, 4, 4, false), expr_const(a, 5)),
			     expr_const(a, 7)), 4, false, "v=+4(%di):b3@5/32"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct house house = house_of(a);
		const struct probe *probe = one(&house, cases[i].expr, cases[i].size, cases[i].is_signed);
		const char *argument = strrchr(probe->definition, ' ') + 1;

		assert_string_equal(argument, cases[i].text);
		assert_string_equal(probe->values[0].finish_text, "");
	}
}

/* What no argument can be is the largest parts that can, each once, and a finish with the value's own sign. */
static void values_with_a_finish(void **state)
{
	struct arena *a = *state;
	const struct expr *di = reg(a, DI), *x = load(a, di, 0, 4, true), *y = load(a, di, 8, 8, false);
	const struct expr *sum = expr_binary(a, EXPR_ADD, expr_binary(a, EXPR_MUL, x, y), x);
	struct house house = house_of(a);
	const struct value *value = &one(&house, sum, 8, false)->values[0];
	uint64_t fetches[KERNEL_ARGS_MAX] = {0}, got;

	assert_int_equal(value->nfetches, 2);
	assert_int_equal(house.plan.probes[0].nfetches, 2);
	assert_string_equal(house.plan.probes[0].fetches[0].body, "+0(%di)");
	assert_true(house.plan.probes[0].fetches[0].type.letter == 's' &&
		    house.plan.probes[0].fetches[0].type.bits == 32);
	assert_string_equal(house.plan.probes[0].fetches[1].body, "+8(%di)");
	fetches[value->fetches[0]] = (uint64_t)-3;
	fetches[value->fetches[1]] = 5;
	assert_true(expr_eval(value->finish, fetches, &got));
	assert_int_equal((int64_t)got, -3 * 5 - 3);
	/* the sign of what is narrower than the register */
	value = &one(&house, expr_extend(a, expr_binary(a, EXPR_ADD, di, reg(a, SI)), 16, true), 2, true)->values[0];
	fetches[value->fetches[0]] = 0x7fff;
	fetches[value->fetches[1]] = 1;
	assert_true(expr_eval(value->finish, fetches, &got));
	assert_int_equal((int64_t)got, -32768);
}

static void what_a_kernel_lacks(void **state)
{
	struct arena *a = *state;
	const struct expr *memory = load(a, expr_binary(a, EXPR_ADD, reg(a, DI), reg(a, SI)), 2, 1, false);
	struct capture capture = {.kind = CAPTURE_VALUE, .name = "v", .type_name = "", .expr = memory, .size = 1};
	struct house house = house_of(a);
	const struct probe *probe;

	/* without immediates a constant needs no argument: it is all finish */
	house.caps.has_immediate = false;
	probe = one(&house, expr_const(a, 7), 4, false);
	assert_int_equal(probe->nfetches, 0);
	assert_string_equal(probe->values[0].finish_text, "7");
	/* memory at a sum: a chain of five probes, or a reason */
	probe = one(&house, memory, 1, false);
	assert_true(house.plan.nprobes == 5 && house.plan.probes[0].companions[PART_MEMORY]);
	house.caps.has_sums = false;
	house.plan = (struct plan){.arena = a};
	assert_non_null(add(&house, "f v", NULL, &capture, 1));
}

static const struct fetch *fetch_of(const struct probe *probe, const char *body)
{
	for (unsigned i = 0; i < probe->nfetches; i++)
		if (!strcmp(probe->fetches[i].body, body))
			return &probe->fetches[i];
	fail_msg("no argument %s in %s", body, probe->definition);
	return NULL;
}

/* Memory at x - si * 8 + di: the kernel's text of it, a 64-bit number first, as only that makes it 64 bits wide; the
 * companion records the three numbers alone, and ktrace's own check is the same sum. */
static void sums(void **state)
{
	struct arena *a = *state;
	const struct expr *si8 = expr_binary(a, EXPR_MUL, reg(a, SI), expr_const(a, 8));
	const struct expr *sum = expr_binary(a, EXPR_ADD, expr_binary(a, EXPR_SUB, load(a, reg(a, DI), 0, 4, false), si8),
					     reg(a, DI));
	struct house house = house_of(a);
	const struct probe *probe = one(&house, load(a, sum, 0, 1, false), 1, false), *companion = NULL;
	const struct fetch *x = fetch_of(probe, "+0(%di)"), *si = fetch_of(probe, "%si"), *di = fetch_of(probe, "%di");
	uint64_t fetches[KERNEL_ARGS_MAX] = {0}, got;

	for (unsigned i = 0; i < house.plan.nprobes; i++)
		if (house.plan.probes[i].role == ROLE_SUM)
			companion = &house.plan.probes[i];
	assert_non_null(companion);
	assert_int_equal(companion->nfetches, 3);
	assert_string_equal(companion->actions[0].text,
			    arena_printf(a, "hist:keys=common_cpu:s0=%s+%s-%s*8", di->field, x->field, si->field));
	fetches[x - probe->fetches] = 100;
	fetches[si - probe->fetches] = 5;
	fetches[di - probe->fetches] = 4000;
	assert_int_equal(probe->nsums, 1);
	assert_true(expr_eval(probe->sums[0], fetches, &got));
	assert_int_equal(got, 100 - 5 * 8 + 4000);
}

static void guard_is(const struct probe *probe, unsigned number, const char *body)
{
	assert_int_equal(number != 0, body != NULL);
	if (!body)
		return;
	assert_string_equal(probe->fetches[number - 1].body, body);
	assert_true(probe->fetches[number - 1].is_guard);
}

/* Of what is smaller than 8 bytes, two of which one must be there; of the rest, a window with two. */
static void guarded(const struct probe *probe, const char *body, const char *first, const char *last)
{
	const struct fetch *fetch = fetch_of(probe, body);
	const struct window *window = fetch->window;

	guard_is(probe, window ? window->first : fetch->guards[0], first);
	guard_is(probe, window ? window->last : fetch->guards[1], last);
	assert_true(!window || !fetch->guards[0]);
}

/* 8 bytes each. Of 4 bytes at 16, those from 16 on and those up to 19. Of 8 or more, those that end with its
 * first byte and those that end with the byte behind it: none is an aligned pointer. */
static void guards(void **state)
{
	struct arena *a = *state;
	const struct expr *di = reg(a, DI);
	const struct expr *inner;
	struct house house = house_of(a);
	const struct probe *probe;

	house.input.guard_offset = 0x5a2b3c4d;
	probe = one(&house, load(a, di, 16, 8, false), 8, false);
	guarded(probe, "+16(%di)", "-0x5a2b3c4d(+9(%di))", "-0x5a2b3c4d(+17(%di))");
	probe = one(&house, load(a, di, 16, 4, false), 4, false);
	guarded(probe, "+16(%di)", "-0x5a2b3c4d(+16(%di))", "-0x5a2b3c4d(+12(%di))");
	probe = one(&house, load(a, load(a, di, 0, 8, false), 16, 8, false), 8, false);
	guarded(probe, "+16(+0(%di))", "-0x5a2b3c4d(+9(+0(%di)))", "-0x5a2b3c4d(+17(+0(%di)))");
	/* the function's own frame, statics, registers: nothing that can fail */
	probe = one(&house, load(a, reg(a, SP), 16, 8, false), 8, false);
	guarded(probe, "+16(%sp)", NULL, NULL);
	probe = one(&house, expr_load(a, expr_leaf(a, EXPR_STATIC, 0x1000), 8, false, false), 8, false);
	guarded(probe, "@jiffies", NULL, NULL);
	probe = one(&house, di, 8, false);
	guarded(probe, "%di", NULL, NULL);
	/* but what a static points to can */
	probe = one(&house, load(a, expr_load(a, expr_leaf(a, EXPR_STATIC, 0x1000), 8, false, false), 8, 8, false), 8,
		    false);
	guarded(probe, "+8(@jiffies)", "-0x5a2b3c4d(+1(@jiffies))", "-0x5a2b3c4d(+9(@jiffies))");
	/* an argument has 63 characters: one of two guards fits in, and would call readable memory a fault */
	inner = load(a, di, 888, 8, false);
	for (int i = 0; i < 7; i++)
		inner = load(a, inner, 8, 8, false);
	probe = one(&house, load(a, inner, -98, 1, false), 1, false);
	guarded(probe, "-98(+8(+8(+8(+8(+8(+8(+8(+888(%di)))))))))", NULL, NULL);
	assert_true(probe->has_unguarded);
	/* a dry run has none */
	house.input.guard_offset = 0;
	assert_int_equal(one(&house, load(a, di, 16, 4, false), 4, false)->nfetches, 1);
}

/* Of an unbounded string so many bytes, with a guard that ends with the first and one that ends behind them. */
static void windows_of_strings(void **state)
{
	struct arena *a = *state;
	struct house house = house_of(a);
	struct capture capture = {.kind = CAPTURE_STRING, .name = "v", .type_name = "", .expr = reg(a, DI),
				  .render = RENDER_STRING, .size = 1};
	const struct window *window;
	const struct probe *probe;

	house.input.guard_offset = 0x5a2b3c4d;
	house.input.text_bytes = 256;
	assert_null(add(&house, "f v", NULL, &capture, 1));
	probe = &house.plan.probes[0];
	window = probe->values[0].windows;
	assert_true(window && window->is_checked && window->size == 256);
	assert_string_equal(probe->fetches[window->first - 1].body, "-0x5a2b3c4d(-7(%di))");
	assert_string_equal(probe->fetches[window->last - 1].body, "-0x5a2b3c4d(+249(%di))");
	assert_string_equal(probe->fetches[window->at].body, "%di");
}

/* The user's own types: what the kernel is told, and how the record is read. */
static void types_as_written(void **state)
{
	static const struct {
		const char *type, *told;
		unsigned count, size;
		enum render render;
	} cases[] = {
		{"u32", "+8(%di):u32", 0, 4, RENDER_UNSIGNED},
		{"s16[4]", "+8(%di):s16[4]", 4, 2, RENDER_SIGNED},
		{"x8[0x10]", "+8(%di):x8[0x10]", 16, 1, RENDER_HEX},
		{"char[8]", "+8(%di):char[8]", 8, 1, RENDER_CHAR},
		{"b3@4/16", "+8(%di):b3@4/16", 0, 2, RENDER_UNSIGNED},
		{"symbol", "+8(%di):x64", 0, 8, RENDER_SYMBOL},
		{"symbol[3]", "+8(%di):x64[3]", 3, 8, RENDER_SYMBOL},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct capture capture = {.kind = CAPTURE_RAW, .name = "v", .type_name = "", .text = "+8(%di)",
					  .raw_type = cases[i].type};
		struct house house = house_of(*state);
		const struct window *window;
		const struct value *value;
		const struct probe *probe;
		const struct span *column;
		unsigned size;

		house.input.guard_offset = 0x5a2b3c4d;
		assert_null(add(&house, "f v", NULL, &capture, 1));
		probe = &house.plan.probes[0];
		value = &probe->values[0];
		column = &probe->fetches[value->fetch].column;
		assert_int_equal(column->end - column->start, strlen("v=") + strlen(cases[i].told));
		assert_int_equal(strncmp(probe->definition + column->start + strlen("v="), cases[i].told,
					 strlen(cases[i].told)), 0);
		size = cases[i].size * (cases[i].count ?: 1);
		window = fetch_of(probe, "+8(%di)")->window;
		assert_int_equal(window ? window->size : 0, size < 8 ? 0 : size);
		assert_int_equal(value->count, cases[i].count);
		assert_int_equal(value->size, cases[i].size);
		assert_int_equal(value->render, cases[i].render);
	}
}

/* The address of a static: named in a dry run, in a live one a number, or the reason why not. */
static void where_statics_are(void **state)
{
	struct arena *a = *state;
	struct static_place place = {.address = 0x1000, .name = "jiffies"};
	struct capture capture = {.kind = CAPTURE_VALUE, .name = "v", .type_name = "", .size = 8,
				  .expr = expr_leaf(a, EXPR_STATIC, 0x1000), .statics = &place, .nstatics = 1};
	struct house dry = house_of(a), live = house_of(a), hidden = house_of(a);
	const struct value *value;

	assert_null(add(&dry, "f v", NULL, &capture, 1));
	value = &dry.plan.probes[0].values[0];
	assert_string_equal(value->finish_text, "&jiffies");
	assert_int_equal(value->finish->op, EXPR_STATIC);
	place.is_live = true;
	place.running = 0xffffffff82000000;
	assert_null(add(&live, "f v", NULL, &capture, 1));
	value = &live.plan.probes[0].values[0];
	assert_true(value->finish->op == EXPR_CONST && value->finish->value == place.running);
	place.reason = "hidden";
	assert_null(add(&hidden, "f v", NULL, &capture, 1));
	value = &hidden.plan.probes[0].values[0];
	assert_int_equal(value->status, VALUE_UNAVAILABLE);
	assert_string_equal(value->reason, "hidden");
}

/* What an enum of the source calls a number is in the sites; without it the word means nothing. */
static void words_of_filters(void **state)
{
	static const struct enumerator constants[] = {{"TCP_CLOSE", 7}};
	struct arena *a = *state;
	struct capture capture = {.kind = CAPTURE_VALUE, .name = "v", .type_name = "", .expr = reg(a, DI),
				  .size = 8, .render = RENDER_UNSIGNED};
	struct site site = {.symbol = "f", .shown_symbol = "f", .function = "f", .ncaptures = 1,
			    .captures = &capture};
	struct sites sites = {.sites = &site, .nsites = 1, .arch = arch_find(EM_X86_64)};
	const char *text = "v == TCP_CLOSE";
	struct house house = house_of(a);
	const struct filter *filter;
	struct spec *spec;

	assert_null(filter_parse(a, text, &filter));
	assert_null(spec_parse(a, "f v", &spec));
	house.input.caps = &house.caps;
	house.input.filters = &filter;
	house.input.filter_texts = &text;
	house.input.nfilters = 1;
	sites.spec = spec;
	assert_non_null(plan_add(a, &house.input, &sites, &house.plan));
	sites.constants = constants;
	sites.nconstants = 1;
	house.plan = (struct plan){.arena = a};
	assert_null(plan_add(a, &house.input, &sites, &house.plan));
	assert_string_equal(house.plan.probes[0].kernel_filter, "v == 7");
}

/* The thread's name is recorded unless events are counted and nothing asks for it. */
static void who_needs_a_name(void **state)
{
	static const struct {
		const char *spec;
		const char *filter;
		bool is_nameless;
	} cases[] = {
		{"f v", NULL, false},
		{"f v count()", NULL, true},
		{"f v count() hist(v) by v pid cpu", NULL, true},
		{"f v count() by v comm", NULL, false},
		{"f v count()", "v == 9 || cpu == 1", true},
		{"f v count()", "comm == \"dd\"", true}, /* the kernel tests it, and needs no record for it */
		{"f v count()", "v == 9 || !(cpu == 1 && comm == \"dd\")", false},
	};
	struct arena *a = *state;
	/* no fetch argument is a product: ktrace tests it */
	struct capture capture = {.kind = CAPTURE_VALUE, .name = "v", .type_name = "", .size = 8, .render = RENDER_UNSIGNED,
				  .expr = expr_binary(a, EXPR_MUL, reg(a, DI), reg(a, DI))};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct house house = house_of(a);
		const struct filter *filter;

		house.input.filters = &filter;
		house.input.filter_texts = &cases[i].filter;
		house.input.nfilters = cases[i].filter != NULL;
		if (cases[i].filter)
			assert_null(filter_parse(a, cases[i].filter, &filter));
		assert_null(add(&house, cases[i].spec, NULL, &capture, 1));
		assert_int_equal(house.plan.probes[0].is_nameless, cases[i].is_nameless);
	}
}

static void each_cpus_own(void **state)
{
	struct arena *a = *state;
	struct house house = house_of(a);
	/* *(u32 *)(table[cpu] + 4), table at jiffies */
	const struct expr *entry = expr_binary(a, EXPR_ADD, expr_leaf(a, EXPR_STATIC, 0x1000),
					       expr_binary(a, EXPR_MUL, expr_leaf(a, EXPR_CPU, 0), expr_const(a, 8)));
	const struct probe *probe = one(&house, load(a, expr_load(a, entry, 8, false, false), 4, 4, false), 4, false);
	const struct value *value = &probe->values[0];

	assert_int_equal(value->ncpus, 2);
	assert_int_equal(value->nfetches, 2);
	assert_string_equal(probe->fetches[value->fetches[0]].body, "+4(@jiffies)");
	assert_string_equal(probe->fetches[value->fetches[1]].body, "+4(@jiffies+8)");
}

/* What a CPU adds to its area moves with the kernel (KASLR): only a live trace knows it. */
static void each_cpus_own_moved(void **state)
{
	struct arena *a = *state;
	struct house house = house_of(a);
	struct static_place places[] = {{.address = 0x1000, .name = "__per_cpu_offset"},
					{.address = 0x9000, .name = "_stext+4096"}};
	const struct expr *table = expr_binary(a, EXPR_ADD, expr_leaf(a, EXPR_STATIC, 0x1000),
					       expr_binary(a, EXPR_MUL, expr_leaf(a, EXPR_CPU, 0), expr_const(a, 8)));
	const struct expr *place = expr_binary(a, EXPR_ADD, expr_load(a, table, 8, false, false),
					       expr_leaf(a, EXPR_STATIC, 0x9000));
	struct capture capture = {.kind = CAPTURE_VALUE, .name = "v", .type_name = "", .expr = load(a, place, 4, 4, false),
				  .size = 4, .statics = places, .nstatics = 2};
	const struct value *value;
	struct error *error = add(&house, "f v", NULL, &capture, 1);

	assert_non_null(error);
	assert_non_null(strstr(error->message, "only a live trace knows where"));
	places[1].is_live = true;
	places[1].running = 0xffffffff9a7bd018;
	house.plan = (struct plan){.arena = house.arena};
	assert_null(add(&house, "f v", NULL, &capture, 1));
	value = &house.plan.probes[0].values[0];
	assert_int_equal(value->ncpus, 2);
	assert_string_equal(house.plan.probes[0].fetches[value->fetches[0]].body, "-1703161828(@__per_cpu_offset)");
	assert_string_equal(house.plan.probes[0].fetches[value->fetches[1]].body, "-1703161828(@__per_cpu_offset+8)");
	places[1].reason = "hidden";
	house.plan = (struct plan){.arena = house.arena};
	error = add(&house, "f v", NULL, &capture, 1);
	assert_true(error && strstr(error->message, "hidden"));
}

/* Unique whatever the group, C identifiers, of at most 63 characters. */
static void names_of_events(void **state)
{
	static const char *const specs[] = {"f", "f", "a/f=f", "same=f", "b/same=f"};
	static const char *const functions[] = {
		"a_function_whose_name_is_longer_than_a_name_of_an_event_may_be_here_1",
		"a_function_whose_name_is_longer_than_a_name_of_an_event_may_be_here_2",
		"shapes::Box<int>::area", "7th",
	};
	struct house house = house_of(*state);

	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++)
		assert_null(add(&house, specs[i], NULL, NULL, 0));
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		house.function = functions[i];
		assert_null(add(&house, "g", NULL, NULL, 0));
	}
	assert_int_equal(house.plan.nprobes, 9);
	for (unsigned i = 0; i < house.plan.nprobes; i++) {
		const char *name = house.plan.probes[i].event;

		assert_true(strlen(name) <= KERNEL_NAME_MAX && !isdigit((unsigned char)name[0]));
		for (const char *c = name; *c; c++)
			assert_true(isalnum((unsigned char)*c) || *c == '_');
		for (unsigned j = 0; j < i; j++)
			assert_string_not_equal(name, house.plan.probes[j].event);
	}
}

/* The kernel's filter language, as far as it is used: ||, &&, !(...), FIELD OP NUMBER. */
static bool holds(const char **at, uint64_t field);

static bool holds_one(const char **at, uint64_t field)
{
	bool is_not = **at == '!', ret;
	char *end;
	uint64_t number;
	const char *op;

	*at += is_not;
	if (**at == '(') {
		++*at;
		ret = holds(at, field);
		assert_true(*(*at)++ == ')');
		return ret != is_not;
	}
	assert_true(!is_not && *(*at)++ == 'v' && *(*at)++ == ' ');
	op = *at;
	*at += strcspn(*at, " ") + 1;
	number = strtoull(*at, &end, 0);
	*at = end;
	switch (op[0]) {
	case '=': return field == number;
	case '<': return op[1] == '=' ? field <= number : field < number;
	case '>': return op[1] == '=' ? field >= number : field > number;
	default: fail_msg("%s", op); return false;
	}
}

static bool holds(const char **at, uint64_t field)
{
	bool ret = holds_one(at, field);

	while (!strncmp(*at, " && ", 4) || !strncmp(*at, " || ", 4)) {
		bool is_and = (*at)[1] == '&', other;

		*at += 4;
		other = holds_one(at, field);
		ret = is_and ? ret && other : ret || other;
	}
	return ret;
}

static bool as_c_has_it(enum filter_op op, double a, double b)
{
	switch (op) {
	case FILTER_EQ: return a == b;
	case FILTER_NE: return a != b;
	case FILTER_LT: return a < b;
	case FILTER_LE: return a <= b;
	case FILTER_GT: return a > b;
	default: return a >= b;
	}
}

static uint64_t draw(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

static void comparisons_of_bits_are_those_of_numbers(void **state)
{
	static const enum filter_op ops[] = {FILTER_EQ, FILTER_NE, FILTER_LT, FILTER_LE, FILTER_GT, FILTER_GE};
	static const double some[] = {0, -0.0, 1, -1, 0.5, 1e-320, -1e-320, 1e300, INFINITY, -INFINITY, NAN, 3, -3};
	uint64_t random = 88172645463325252u;
	unsigned held = 0;

	for (unsigned i = 0; i < CONDITIONS; i++) {
		struct arena arena;
		double value = some[draw(&random) % 13], constant = some[draw(&random) % 13];
		uint64_t bits = draw(&random);
		struct filter filter = {.op = ops[draw(&random) % 6]};
		const char *text, *at;
		bool is_float = draw(&random) % 2, got, want;
		float narrow = (float)value;

		if (draw(&random) % 2)
			memcpy(&value, &bits, sizeof(value));
		if (is_float) {
			uint32_t half = (uint32_t)bits;

			if (draw(&random) % 2)
				memcpy(&narrow, &half, sizeof(narrow));
			value = (double)narrow;
			constant = (double)(float)constant;
			memcpy(&half, &narrow, sizeof(half));
			bits = half;
		} else {
			memcpy(&bits, &value, sizeof(bits));
		}
		if (isnan(constant))
			continue; /* refused */
		arena_init(&arena);
		filter.real = (long double)constant;
		at = text = real_text(&arena, &filter, "v", is_float ? 4 : 8);
		want = as_c_has_it(filter.op, value, constant);
		got = holds(&at, bits);
		if (got != want || *at)
			fail_msg("%a (%#llx) op %d %a: %s is %d", value, (unsigned long long)bits, filter.op, constant,
				 text, got);
		held += want;
		arena_deinit(&arena);
	}
	assert_true(held > CONDITIONS / 10);
	(void)state;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(values_of_one_argument), TEST(values_with_a_finish), TEST(what_a_kernel_lacks), TEST(sums), TEST(guards),
		TEST(windows_of_strings), TEST(types_as_written), TEST(where_statics_are), TEST(words_of_filters),
		TEST(who_needs_a_name),
		TEST(each_cpus_own), TEST(each_cpus_own_moved), TEST(names_of_events),
		TEST(comparisons_of_bits_are_those_of_numbers),
	};
	int total = sizeof(tests) / sizeof(*tests);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fflush(stderr);
	printf("%d passed, %d failed\n", total - failed, failed);
	return failed != 0;
}
