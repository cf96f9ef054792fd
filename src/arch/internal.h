/* SPDX-License-Identifier: GPL-2.0-only */
/* What a processor supplies besides the facts of struct arch, for the files of arch/ alone. */
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include <capstone/capstone.h>

#include "arch/arch.h"

/* How its code is read. What neither function sets is 0, and the registers are NO_REGISTER. */
struct arch_code {
	cs_arch arch;
	cs_mode mode;
	/* Where control goes, but for the length. */
	void (*classify)(csh handle, const cs_insn *insn, struct insn *ret);
	void (*effect)(csh handle, const cs_insn *insn, struct effect *ret);
};

extern const struct arch arch_x86_64;

#endif
