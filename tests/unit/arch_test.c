// SPDX-License-Identifier: GPL-2.0-only
/* Our register table against libdw's own names, for every DWARF number that either knows. */
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
	/* 16 integer registers, the return address, the flags */
	printf("%u passed, %u failed\n", result.passed, result.failed + (result.passed != 18));
	return result.failed || result.passed != 18;
}
