// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which function each address of a kernel's stack is in: a return address belongs to the call before it, what an
 * interrupt has interrupted to itself, and so does what code that jumps by way of the stack is about to enter. Referee:
 * the table of functions below, which lie one directly behind the other, with the padding in front that kernels have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arena_state.h"
#include "cmd/live/live.h"
#include "cmd/stacks/stack_frames.h"

static const struct function {
	uint64_t address;
	const char *name;
} functions[] = {
	{0x1000, "handler"}, {0x1100, "asm_sysvec_apic_timer_interrupt"}, {0x1200, "__x86_indirect_thunk_rax"},
	{0x1300, "__pfx_m_next"}, {0x1310, "m_next"}, {0x1400, "dies"}, {0x1500, "seq_read_iter"}, {0x1600, ""},
};

/* In place of the kernel's symbols; the "kernel" is the test's arena. */
const struct named *kernel_code_name(struct kernel_code *code, uint64_t address)
{
	struct named *ret = arena_alloc((struct arena *)code, sizeof(*ret) + sizeof(ret->frames[0]));
	const struct function *at = functions;

	while (at[1].address <= address)
		at++;
	*ret = (struct named){.address = address, .count = 1};
	ret->frames[0] = (struct stack_frame){.function = at->name, .offset = address - at->address};
	return ret;
}

static void check(struct arena *arena, const uint64_t *addresses, unsigned count, const char *expected)
{
	const struct event event = {.ip = 0};
	struct symbolizer symbolizer = {.event = &event, .kernel = (struct kernel_code *)arena};
	const struct value value = {.stack = STACK_KERNEL};
	const struct datum datum = {.bytes = addresses, .length = count * (unsigned)sizeof(*addresses)};
	const struct stack_frame *frames;
	struct strbuf text;

	arena_init(&symbolizer.frame_arena);
	strbuf_init(&text);
	frames = stack_names(&symbolizer, &value, &datum, &count);
	for (unsigned i = 0; i < count; i++)
		strbuf_printf(&text, "%s%s+0x%llx", i ? " " : "", frames[i].function, (unsigned long long)frames[i].offset);
	assert_string_equal(text.data, expected);
	strbuf_deinit(&text);
	arena_deinit(&symbolizer.frame_arena);
}

static void a_call_that_never_returns(void **state)
{
	check(*state, (const uint64_t[]){0x1020, 0x1500}, 2, "handler+0x20 dies+0x100");
}

static void interrupted_code_was_not_calling(void **state)
{
	check(*state, (const uint64_t[]){0x1020, 0x1116, 0x1310, 0x1520}, 4,
	      "handler+0x20 asm_sysvec_apic_timer_interrupt+0x16 m_next+0x0 seq_read_iter+0x20");
}

static void an_interrupted_thunk_enters_a_function(void **state)
{
	check(*state, (const uint64_t[]){0x1020, 0x1116, 0x1203, 0x1310, 0x1520}, 5,
	      "handler+0x20 asm_sysvec_apic_timer_interrupt+0x16 __x86_indirect_thunk_rax+0x3 m_next+0x0 seq_read_iter+0x20");
}

/* Before the thunk has stored where it leads, its own return address is on top. */
static void an_interrupted_thunk_may_have_a_caller(void **state)
{
	check(*state, (const uint64_t[]){0x1020, 0x1116, 0x1200, 0x1540}, 4,
	      "handler+0x20 asm_sysvec_apic_timer_interrupt+0x16 __x86_indirect_thunk_rax+0x0 seq_read_iter+0x40");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_call_that_never_returns, setup, teardown),
		cmocka_unit_test_setup_teardown(interrupted_code_was_not_calling, setup, teardown),
		cmocka_unit_test_setup_teardown(an_interrupted_thunk_enters_a_function, setup, teardown),
		cmocka_unit_test_setup_teardown(an_interrupted_thunk_may_have_a_caller, setup, teardown),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
