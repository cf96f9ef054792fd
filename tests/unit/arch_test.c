// SPDX-License-Identifier: GPL-2.0-only
/* Our register table against libdw's own names, for every DWARF number that either knows, and its
 * offsets against the kernel's header. */
#include <asm/ptrace.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"

struct result {
	const struct arch *arch;
	unsigned passed;
	unsigned failed;
};

/* kprobe events' name for what the ABI document calls rax, r8, rip. */
static const char *kprobe_name(const char *abi)
{
	return abi[0] == 'r' && (abi[1] < '0' || abi[1] > '9') ? abi + 1 : abi;
}

static int compare(void *cookie, int number, const char *set, const char *prefix,
		   const char *name, int bits, int type)
{
	struct result *result = cookie;
	const char *ours = arch_register(result->arch, (uint64_t)number);

	(void)prefix;
	(void)bits;
	(void)type;
	if (strcmp(set, "integer")) {
		if (!ours)
			return DWARF_CB_OK;
		printf("not ok register %d is '%s' here, of set '%s' there\n", number, ours, set);
		result->failed++;
	} else if (!ours || strcmp(ours, kprobe_name(name))) {
		printf("not ok register %d is '%s' here, '%s' there\n", number, ours ? ours : "none", name);
		result->failed++;
	} else {
		printf("ok register %d is %s\n", number, ours);
		result->passed++;
	}
	return DWARF_CB_OK;
}

/* Where struct pt_regs has the registers that have a name. */
static void compare_offsets(struct result *result)
{
#define AT(name, member) {name, offsetof(struct pt_regs, member)}
	static const struct {
		const char *name;
		size_t offset;
	} theirs[] = {
		AT("ax", rax), AT("bx", rbx), AT("cx", rcx), AT("dx", rdx), AT("si", rsi), AT("di", rdi), AT("bp", rbp),
		AT("sp", rsp), AT("r8", r8), AT("r9", r9), AT("r10", r10), AT("r11", r11), AT("r12", r12),
		AT("r13", r13), AT("r14", r14), AT("r15", r15), AT("ip", rip), AT("flags", eflags),
	};

	for (unsigned i = 0; i < sizeof(theirs) / sizeof(*theirs); i++) {
		unsigned number = 0;

		while (number < result->arch->nregisters && (!result->arch->registers[number] ||
							     strcmp(result->arch->registers[number], theirs[i].name)))
			number++;
		if (number == result->arch->nregisters || result->arch->saved_at[number] != theirs[i].offset) {
			printf("not ok %s is saved at %zu\n", theirs[i].name, theirs[i].offset);
			result->failed++;
		} else {
			printf("ok %s is saved at %zu\n", theirs[i].name, theirs[i].offset);
			result->passed++;
		}
	}
}

int main(int argc, char **argv)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct result result = {.arch = arch_find(EM_X86_64)};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module;

	if (argc != 2 || !dwfl || !result.arch)
		return 1;
	module = dwfl_report_offline(dwfl, "", argv[1], -1);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!module || dwfl_module_register_names(module, compare, &result) < 0)
		result.failed++;
	dwfl_end(dwfl);
	compare_offsets(&result);
	/* 16 integer registers, the return address, the flags: their names and where they are saved */
	printf("%u passed, %u failed\n", result.passed, result.failed + (result.passed != 36));
	return result.failed || result.passed != 36;
}
