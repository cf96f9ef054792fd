// SPDX-License-Identifier: GPL-2.0-only
/* Says why no probe can be at an address: for a uprobe by its instruction, for a kprobe by what the
 * kernel's image says of the function, or of the instruction. */
#include "arch/arch.h"
#include "resolve/flow/function_code.h"
#include "target/code.h"

static const char *limit_text(enum kprobe_limit limit)
{
	static const char *const texts[] = {
		[KPROBE_BLACKLISTED] = "code that the kernel has blacklisted for probes",
		[KPROBE_NOTRACE] = "a notrace function, in which this kernel takes no probe",
		[KPROBE_STATIC_KEY] = "a static key's branch, which the kernel patches",
		[KPROBE_STATIC_CALL] = "a static call, which the kernel patches",
		[KPROBE_BUG] = "the trap of a BUG() or WARN()",
	};

	return texts[limit];
}

static const char *red_zone(struct resolver *resolver, uint64_t address)
{
	struct code_part function;
	const uint8_t *code;
	size_t length;

	if (!target_function_at(resolver->target, address, &function))
		return NULL;
	code = target_bytes(resolver->target, function.start, &length);
	if (function.start < function.end && function.end - function.start < length)
		length = function.end - function.start;
	return red_zone_obstacle(resolver->arch, code, length, function.start, address);
}

const char *code_unprobed(struct resolver *resolver, uint64_t address)
{
	struct effect effect;
	struct insn insn;

	if (resolver->target->kind != TARGET_PROGRAM)
		return limit_text(target_kprobe_limit(resolver->target, address));
	if (target_maps_writable(resolver->target, address))
		return WRITABLE_CODE;
	if (!code_effect(resolver, address, &insn, &effect))
		return NULL;
	return insn.unprobed || !insn.becomes_call ? insn.unprobed : red_zone(resolver, address);
}
