// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells where a kernel takes no kprobe, by the tables of its image, so that a dry run for another
 * machine knows what the kernel there will say.
 *
 * The surprise: a kernel built without CONFIG_KPROBE_EVENTS_ON_NOTRACE refuses one function in ten,
 * since it asks for ftrace's call in it, and many a function of lib/ has none. Where the image
 * lacks a table, nothing is said.
 */
#include <string.h>

#include "base/granules.h"
#include "base/search.h"
#include "target/code.h"
#include "target/image_table.h"
#include "target/internal.h"

static const struct image_table ftrace_calls = {
	"__start_mcount_loc", "__stop_mcount_loc", "__mcount_loc", 8, true,
};

static const struct image_table blacklist = {
	"__start_kprobe_blacklist", "__stop_kprobe_blacklist", "_kprobe_blacklist", 8, true,
};

/* Rows begin with where the instruction is: arch/x86/include/asm/jump_label.h (struct jump_entry),
 * include/linux/static_call_types.h (struct static_call_site), arch/x86/include/asm/bug.h (with
 * CONFIG_DEBUG_BUGVERBOSE). */
static const struct {
	struct image_table table;
	enum kprobe_limit limit;
} patched[] = {
	{{"__start___jump_table", "__stop___jump_table", "__jump_table", 16, false},
	 KPROBE_STATIC_KEY},
	{{"__start_static_call_sites", "__stop_static_call_sites", ".static_call_sites", 8,
	  false}, KPROBE_STATIC_CALL},
	{{"__start___bug_table", "__stop___bug_table", "__bug_table", 12, false},
	 KPROBE_BUG},
};

enum { NPATCHED = sizeof(patched) / sizeof(*patched) };

/* populate_kprobe_blacklist(), kernel/kprobes.c; entry code: arch/x86/kernel/kprobes/core.c */
static const struct {
	const char *start;
	const char *end;
	const char *section; /* of a module */
} areas[] = {
	{"__kprobes_text_start", "__kprobes_text_end", ".kprobes.text"},
	{"__noinstr_text_start", "__noinstr_text_end", ".noinstr.text"},
	{"__entry_text_start", "__entry_text_end", ".entry.text"},
};

enum { NAREAS = sizeof(areas) / sizeof(*areas) };

#define GRANULE_BITS 12

struct places {
	const uint64_t *list;
	size_t count;
	struct granules *granules; /* NULL: the list is sorted */
};

struct area {
	uint64_t start;
	uint64_t end;
};

struct kprobe_limits {
	struct places calls; /* ftrace's */
	struct places blacklisted; /* where functions begin */
	struct places patched[NPATCHED];
	struct area areas[NAREAS]; /* the kernel's */
};

static void read_places(struct target *target, const struct image_table *table,
			struct places *ret)
{
	bool is_sorted = true;

	ret->list = image_table_field(target->arena, target, table, 0, &ret->count);
	for (size_t i = 1; is_sorted && i < ret->count; i++)
		is_sorted = ret->list[i - 1] <= ret->list[i];
	if (is_sorted)
		return;
	ret->granules = arena_new(target->arena, struct granules);
	granules_init(ret->granules, target->arena, GRANULE_BITS, ret->count);
	for (size_t i = 0; i < ret->count; i++)
		granules_add(ret->granules, (uint32_t)i + 1, ret->list[i]);
}

static struct area read_area(const struct target *target, const char *start, const char *end)
{
	unsigned nstarts, nends;
	const struct symbol *first = target_symbol_named(target, start, &nstarts);
	const struct symbol *last = target_symbol_named(target, end, &nends);

	return first && last ? (struct area){first->address, last->address} : (struct area){0};
}

static struct kprobe_limits *limits_of(struct target *target)
{
	struct kprobe_limits *limits = target->limits;

	if (limits)
		return limits;
	target->limits = limits = arena_new(target->arena, struct kprobe_limits);
	read_places(target, &ftrace_calls, &limits->calls);
	read_places(target, &blacklist, &limits->blacklisted);
	for (unsigned i = 0; i < NPATCHED; i++)
		read_places(target, &patched[i].table, &limits->patched[i]);
	for (unsigned i = 0; !target->module && i < NAREAS; i++)
		limits->areas[i] = read_area(target, areas[i].start, areas[i].end);
	return limits;
}

static bool is_listed(const struct places *places, uint64_t start, uint64_t end)
{
	granules_each(places->granules, start, end, number)
		if (places->list[number - 1] - start < end - start)
			return true;
	return false;
}

static bool has_place(const struct places *places, uint64_t start, uint64_t end)
{
	size_t i;

	if (places->granules)
		return is_listed(places, start, end);
	i = partition_point(places->count, j, places->list[j] < start);
	return i < places->count && places->list[i] < end;
}

/* A function of assembly may have no size: then there is no call, either. */
static bool has_call(const struct kprobe_limits *limits, const struct symbol *symbol)
{
	return has_place(&limits->calls, symbol->address, symbol->address + symbol->size);
}

/* Whether within_notrace_func(), kernel/trace/trace_kprobe.c, is more than a constant there. */
static bool asks_for_calls(const struct target *target)
{
	const struct target *kernel = target->module ? target_kernel(target) : target;
	unsigned count;

	return kernel && (target_symbol_named(kernel, "within_notrace_func", &count) ||
			  target_symbol_named(kernel, "__within_notrace_func", &count));
}

/* For a part of a function, as f.cold or f.isra.0, the kernel looks at f as well. Start-up code is
 * gone by then, and its calls. Returns NULL for what is no part, or of nothing that is there. */
static const struct symbol *whole_of(const struct target *target, const struct symbol *part)
{
	const char *dot = strchr(part->name, '.');
	const struct symbol *whole;
	unsigned count;

	if (!dot)
		return NULL;
	whole = target_symbol_named(target, arena_strndup(target->arena, part->name,
							  (size_t)(dot - part->name)), &count);
	return whole && !target_is_init(target, whole->address) ? whole : NULL;
}

static bool is_notrace(const struct target *target, const struct kprobe_limits *limits,
		       const struct symbol *symbol, const struct symbol *whole)
{
	return limits->calls.count && !has_call(limits, symbol) && asks_for_calls(target) &&
	       (!whole || !has_call(limits, whole));
}

static bool is_in_area(const struct target *target, const struct kprobe_limits *limits,
		       uint64_t address)
{
	const char *section = "";

	if (target->module)
		section_of(target, address, &section);
	for (size_t i = 0; i < NAREAS; i++)
		if (!strcmp(section, areas[i].section) ||
		    (address >= limits->areas[i].start && address < limits->areas[i].end))
			return true;
	return false;
}

static bool is_blacklisted(const struct target *target, const struct kprobe_limits *limits,
			   uint64_t function, uint64_t address)
{
	return is_in_area(target, limits, address) ||
	       has_place(&limits->blacklisted, function, function + 1);
}

enum kprobe_limit target_function_limit(struct target *target, uint64_t address)
{
	const struct symbol *symbol, *whole;
	struct kprobe_limits *limits;

	if (target->kind == TARGET_PROGRAM)
		return KPROBE_TAKEN;
	symbol = target_symbol_at(target, address, NULL);
	limits = limits_of(target);
	if (!symbol)
		return KPROBE_TAKEN;
	whole = whole_of(target, symbol);
	if (is_blacklisted(target, limits, symbol->address, address) ||
	    (whole && is_blacklisted(target, limits, whole->address, whole->address)))
		return KPROBE_BLACKLISTED;
	return is_notrace(target, limits, symbol, whole) ? KPROBE_NOTRACE : KPROBE_TAKEN;
}

enum kprobe_limit target_kprobe_limit(struct target *target, uint64_t address)
{
	enum kprobe_limit limit = target_function_limit(target, address);

	for (unsigned i = 0; !limit && target->limits && i < NPATCHED; i++)
		if (has_place(&target->limits->patched[i], address, address + 1))
			limit = patched[i].limit;
	return limit;
}
