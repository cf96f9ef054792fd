/* SPDX-License-Identifier: GPL-2.0-only */
/* The door of arch/. */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "ktrace/arch.h"

/* By e_machine; NULL: none of ours. */
const struct arch *arch_find(uint16_t machine);
/* "di", or NULL where kprobe events have no such register. */
const char *arch_register(const struct arch *arch, uint64_t dwarf_number);

/* What an instruction does to the flow of control. */
struct insn {
	unsigned length;     /* bytes; 0: not to be decoded */
	bool falls_through;  /* the next instruction can follow it */
	bool is_branch;      /* target is set */
	bool is_indirect;    /* jumps to where can't be told */
	uint64_t target;
};

struct decoder;
struct decoder *decoder_open(const struct arch *arch);
void decoder_close(struct decoder *decoder);
void decoder_next(struct decoder *decoder, const uint8_t *code, size_t length, uint64_t address,
		  struct insn *ret);

#endif
