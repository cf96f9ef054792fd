/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of x86-64. */
#ifndef ARCH_X86_64_H
#define ARCH_X86_64_H

#include "arch/internal.h"

/* x86_64_flow.c */
void x86_64_classify(csh handle, const cs_insn *insn, struct insn *ret);

/* x86_64_effect.c */
void x86_64_effect(csh handle, const cs_insn *insn, struct effect *ret);
/* The DWARF number of one of capstone's registers, whatever its width; NO_REGISTER: neither of the first 16
 * nor xmm. */
int x86_64_dwarf_number(unsigned reg);

#endif
