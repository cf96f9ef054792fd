// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trees of calls, of hits made by hand: what an interrupt does in between, what a function that nobody may probe calls,
 * and calls whose caller nothing tells.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ktrace/event.h"
#include "ktrace/graph.h"
#include "sink/sink.h"

enum { ROOT, CALLEE, HIDDEN, LEAF, FUNCTIONS };
#define PROBES (2 * FUNCTIONS)

/* Each has its code at 0x1000 times its number: one call, which returns to ..10. */
static struct graph_function functions[FUNCTIONS] = {
	[ROOT] = {.name = "root", .level = 1, .entry = 0x1000, .host = NO_COPY},
	[CALLEE] = {.name = "callee", .level = 2, .entry = 0x2000, .host = NO_COPY},
	[HIDDEN] = {.name = "hidden", .level = 2, .entry = 0x3000, .host = NO_COPY, .is_hidden = true},
	[LEAF] = {.name = "leaf", .level = 2, .entry = 0x4000, .host = NO_COPY},
};
static struct graph_call calls[] = {
	{0x1010, ROOT, NO_COPY}, {0x2010, CALLEE, NO_COPY}, {0x3010, HIDDEN, NO_COPY}, {0x4010, LEAF, NO_COPY},
};
static struct graph_probe parts[PROBES];
static const struct graph graph = {.depth = 2, .functions = functions, .nfunctions = FUNCTIONS, .calls = calls,
				   .ncalls = 4, .probes = parts, .nprobes = PROBES};
static struct probe probes[PROBES];
static struct site sites[PROBES];

static const char *symbolize(void *cookie, uint64_t address)
{
	static char text[32];

	(void)cookie;
	if (address >> 12 == 9)
		return NULL;
	snprintf(text, sizeof(text), address >> 12 == 8 ? "trampoline+0x%x" : "other+0x%x", (unsigned)(address & 0xfff));
	return text;
}

struct trace {
	struct arena arena;
	struct plan plan;
	struct sink_context context;
	struct graphs *graphs;
	struct strbuf out;
	uint64_t time;
};

static void begin(struct trace *trace)
{
	*trace = (struct trace){.plan = {.probes = probes, .nprobes = PROBES, .graph = &graph},
				.context = {.symbolize = symbolize}};
	arena_init(&trace->arena);
	for (unsigned i = 0; i < PROBES; i++) {
		sites[i] = (struct site){.address = functions[i / 2].entry, .has_address = true};
		probes[i] = (struct probe){.site = &sites[i], .event = functions[i / 2].name};
		parts[i] = (struct graph_probe){i / 2, i % 2 ? GRAPH_RETURN : GRAPH_ENTRY};
	}
	trace->graphs = graphs_new(&trace->arena, &trace->plan, &trace->context, &(struct graph_options){0});
}

static void hit(struct trace *trace, unsigned function, bool is_return, uint64_t frame, uint64_t return_ip, unsigned context)
{
	struct event event = {.time = trace->time += 1000, .pid = 7, .comm = "t", .probe = &probes[2 * function + is_return],
			      .ip = functions[function].entry, .return_ip = return_ip, .has_frame = true, .frame = frame,
			      .context = context};

	graphs_event(trace->graphs, &trace->out, &event);
}

/* The tree's lines, without times and blanks. */
static const char *shown(struct trace *trace)
{
	static char text[1024];
	size_t length = 0;
	bool is_tree = false;

	strbuf_putc(&trace->out, '\0');
	for (const char *c = trace->out.data; *c; c++) {
		if (*c == '|')
			is_tree = true;
		else if (*c == '\n')
			is_tree = false;
		else if (is_tree && *c != ' ')
			text[length++] = *c;
	}
	text[length] = '\0';
	graphs_free(trace->graphs);
	strbuf_deinit(&trace->out);
	return text;
}

static void an_interrupt_is_not_the_calls(void **state)
{
	static const unsigned contexts[] = {INTERRUPT_HARD, INTERRUPT_SOFT, INTERRUPT_NMI, INTERRUPT_HARD | INTERRUPT_SOFT};

	(void)state;
	for (size_t i = 0; i < sizeof(contexts) / sizeof(*contexts); i++) {
		struct trace trace;

		begin(&trace);
		hit(&trace, ROOT, false, 0x900, 0xabc0, 0);
		hit(&trace, CALLEE, false, 0x800, 0x1010, 0);
		/* its stack is below, then above the thread's; its calls are in code that the tree has */
		hit(&trace, LEAF, false, 0x300, 0x1010, contexts[i]);
		hit(&trace, LEAF, true, 0x300, 0, contexts[i]);
		hit(&trace, LEAF, false, 0xf00, 0x1010, contexts[i]);
		hit(&trace, LEAF, true, 0xf00, 0, contexts[i]);
		hit(&trace, CALLEE, true, 0x800, 0, 0);
		hit(&trace, ROOT, true, 0x900, 0, 0);
		assert_string_equal(shown(&trace), "root(){callee();}");
		arena_deinit(&trace.arena);
	}
}

static void an_interrupt_has_trees_of_its_own(void **state)
{
	struct trace trace;

	(void)state;
	begin(&trace);
	hit(&trace, ROOT, false, 0x900, 0xabc0, 0);
	hit(&trace, ROOT, false, 0x300, 0xabc0, INTERRUPT_SOFT);
	hit(&trace, LEAF, false, 0x200, 0x1010, INTERRUPT_SOFT);
	hit(&trace, LEAF, true, 0x200, 0, INTERRUPT_SOFT);
	hit(&trace, ROOT, true, 0x300, 0, INTERRUPT_SOFT);
	hit(&trace, CALLEE, false, 0x800, 0x1010, 0);
	hit(&trace, CALLEE, true, 0x800, 0, 0);
	hit(&trace, ROOT, true, 0x900, 0, 0);
	assert_string_equal(shown(&trace), "root(){leaf();}root(){callee();}");
	arena_deinit(&trace.arena);
}

static void a_hidden_caller_takes_no_level(void **state)
{
	struct trace trace;

	(void)state;
	begin(&trace);
	hit(&trace, ROOT, false, 0x900, 0xabc0, 0);
	hit(&trace, LEAF, false, 0x700, 0x3010, 0); /* root -> hidden -> leaf */
	hit(&trace, LEAF, true, 0x700, 0, 0);
	hit(&trace, CALLEE, false, 0x800, 0x1010, 0);
	hit(&trace, LEAF, false, 0x700, 0x2010, 0); /* root -> callee -> leaf: the third level */
	hit(&trace, LEAF, true, 0x700, 0, 0);
	hit(&trace, CALLEE, true, 0x800, 0, 0);
	hit(&trace, ROOT, true, 0x900, 0, 0);
	assert_int_equal(graphs_counts(trace.graphs)->unplaced, 0);
	assert_string_equal(shown(&trace), "root(){leaf();/*calledbyother*/callee();}");
	arena_deinit(&trace.arena);
}

static void unknown_callers_are_counted(void **state)
{
	static const struct {
		uint64_t return_ip;
		unsigned count;
	} cases[] = {{0xa123, 0}, {0x8000, 1}, {0x8001, 0}, {0x9000, 1}, {0x9123, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct trace trace;

		begin(&trace);
		hit(&trace, ROOT, false, 0x900, 0xabc0, 0);
		for (unsigned j = 0; j < 2; j++) {
			hit(&trace, LEAF, false, 0x700, cases[i].return_ip, 0);
			hit(&trace, LEAF, true, 0x700, 0, 0);
		}
		hit(&trace, ROOT, true, 0x900, 0, 0);
		assert_int_equal(graphs_counts(trace.graphs)->unplaced, 2 * cases[i].count);
		assert_string_equal(shown(&trace), "root();");
		arena_deinit(&trace.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupt_is_not_the_calls),
		cmocka_unit_test(an_interrupt_has_trees_of_its_own),
		cmocka_unit_test(a_hidden_caller_takes_no_level),
		cmocka_unit_test(unknown_callers_are_counted),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
