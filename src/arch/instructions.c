// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes machine code into lengths and jumps: what is needed for instruction boundaries and for
 * which address leads to which. Capstone decodes; the processor's own row says what it means.
 */
#include <stdlib.h>

#include "arch/internal.h"

struct decoder {
	const struct arch_code *code;
	csh handle;
	cs_insn *insn;
	struct decoder *next;
};

/* Those that were closed: to open one costs what decoding a thousand instructions does. No more are
 * kept than were ever open at once. */
static struct decoder *spares;

struct decoder *decoder_open(const struct arch *arch)
{
	struct decoder **spare = &spares, *decoder;

	if (!arch->code)
		return NULL;
	while (*spare && (*spare)->code != arch->code)
		spare = &(*spare)->next;
	if ((decoder = *spare)) {
		*spare = decoder->next;
		return decoder;
	}
	decoder = calloc(1, sizeof(*decoder));
	if (!decoder ||
	    cs_open(arch->code->arch, arch->code->mode, &decoder->handle) != CS_ERR_OK) {
		free(decoder);
		return NULL;
	}
	cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
	decoder->insn = cs_malloc(decoder->handle);
	decoder->code = arch->code;
	return decoder;
}

void decoder_close(struct decoder *decoder)
{
	if (!decoder)
		return;
	decoder->next = spares;
	spares = decoder;
}

void decoder_next(struct decoder *decoder, const uint8_t *code, size_t length, uint64_t address,
		  struct insn *ret)
{
	uint64_t at = address;

	*ret = (struct insn){.jump_register = NO_REGISTER, .sum_register = NO_REGISTER};
	if (!cs_disasm_iter(decoder->handle, &code, &length, &at, decoder->insn))
		return;
	ret->length = decoder->insn->size;
	ret->kind = decoder->insn->id;
	decoder->code->classify(decoder->handle, decoder->insn, ret);
}

bool arch_jump_at(const struct arch *arch, const uint8_t *code, size_t length, uint64_t address,
		  uint64_t *target)
{
	return arch->code->jump_at(code, length, address, target);
}

void decoder_effect(struct decoder *decoder, struct effect *ret)
{
	*ret = (struct effect){
		.store_base = NO_REGISTER,
		.store_register = NO_REGISTER,
		.put_register = NO_REGISTER,
		.copy_from = NO_REGISTER,
		.copy_to = NO_REGISTER,
		.choice_of = NO_REGISTER,
		.load_base = NO_REGISTER,
		.memory_base = NO_REGISTER,
		.memory_index = NO_REGISTER,
		.sum_of = NO_REGISTER,
		.constant_to = NO_REGISTER,
	};
	decoder->code->effect(decoder->handle, decoder->insn, ret);
}
