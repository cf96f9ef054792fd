/* SPDX-License-Identifier: GPL-2.0-only */
/* What a processor supplies besides struct arch, only for the files of arch/. */
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include <capstone/capstone.h>

#include "arch/arch.h"

/* How its code is decoded. The callers preset everything to 0, and registers to NO_REGISTER. */
struct arch_code {
	cs_arch arch;
	cs_mode mode;
	/* Sets all of *ret but the length. */
	void (*classify)(csh handle, const cs_insn *insn, struct insn *ret);
	void (*effect)(csh handle, const cs_insn *insn, struct effect *ret);
	/* arch_jump_at() */
	bool (*jump_at)(const uint8_t *code, size_t length, uint64_t address, uint64_t *target);
};

extern const struct arch arch_x86_64;

#endif
