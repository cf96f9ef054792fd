/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of x86-64 share. */
#ifndef ARCH_X86_64_H
#define ARCH_X86_64_H

#include "arch/internal.h"

/* x86_64_flow.c */
void x86_64_classify(csh handle, const cs_insn *insn, struct insn *ret);
bool x86_64_jump_at(const uint8_t *code, size_t length, uint64_t address, uint64_t *target);

/* x86_64_uprobe.c: see unprobed of struct insn. */
const char *x86_64_unprobed(const cs_insn *insn);
/* See becomes_call. */
bool x86_64_becomes_call(const cs_insn *insn);

/* x86_64_effect.c */
void x86_64_effect(csh handle, const cs_insn *insn, struct effect *ret);
/* The DWARF number of a capstone register of any width. Returns NO_REGISTER when it is neither
 * one of the first 16 nor xmm or ymm. */
int x86_64_dwarf_number(unsigned reg);

#endif
