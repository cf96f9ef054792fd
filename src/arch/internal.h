/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of arch/ that decode. */
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include <capstone/capstone.h>

struct decoder {
	csh handle;
	cs_insn *insn;
};

/* effect.c: of any width of it; NO_REGISTER: none of the first 16, nor xmm. */
int dwarf_number(unsigned reg);

#endif
