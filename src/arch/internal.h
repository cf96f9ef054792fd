/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of arch/ that decode. */
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include <capstone/capstone.h>

struct decoder {
	csh handle;
	cs_insn *insn;
};

#endif
