// SPDX-License-Identifier: GPL-2.0-only
/* Finds a processor's row of facts by e_machine. arch.h says how to add one. */
#include <stddef.h>
#include <string.h>

#include "arch/internal.h"

static const struct arch *const archs[] = {
	&arch_x86_64,
};

const struct arch *arch_find(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (archs[i]->machine == machine)
			return archs[i];
	return NULL;
}

const struct arch *arch_running(void)
{
#ifdef __x86_64__
	return &arch_x86_64;
#else
	return NULL;
#endif
}

const struct arch *arch_named(const char *name)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (!strcmp(archs[i]->name, name))
			return archs[i];
	return NULL;
}

const char *arch_register(const struct arch *arch, uint64_t dwarf_number)
{
	return dwarf_number < arch->nregisters ? arch->registers[dwarf_number] : NULL;
}
