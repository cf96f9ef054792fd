// SPDX-License-Identifier: GPL-2.0-only
/* Captures $kstack and $ustack: which way to the stack there is from a place. */
#include "resolve/values/values.h"

static bool is_program(const struct resolver *resolver)
{
	return resolver->target && resolver->target->kind == TARGET_PROGRAM;
}

struct error *capture_stack(struct resolver *resolver, const struct spec *spec,
			    const struct want *want, struct capture *ret)
{
	bool is_kernel = !strcmp(want->base, KERNEL_STACK);

	if (is_kernel && is_program(resolver))
		return error_hint(
			resolver->arena,
			error_at(error_new(resolver->arena, ERROR_INEXPRESSIBLE,
					   "a program isn't in the kernel where it is "
					   "probed: there is no kernel stack but the probe's own"),
				 spec->text, want->span),
			"the program's own stack is $ustack");
	*ret = (struct capture){
		.kind = CAPTURE_STACK,
		.type_name = "stack",
		.stack = is_kernel	      ? STACK_KERNEL :
			 is_program(resolver) ? STACK_MEMORY :
						STACK_POINTERS,
		.depth = want->depth,
	};
	return NULL;
}
