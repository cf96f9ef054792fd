/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the calling convention puts a function's parameters, one after the other. */
#ifndef DEBUGINFO_BTF_CONVENTION_H
#define DEBUGINFO_BTF_CONVENTION_H

#include "debuginfo/btf/btf.h"

struct convention {
	struct btf_info *info;
	const char *doubt; /* why no parameter has a value; or NULL */
	/* one that leaves it open where those behind it are; or NULL */
	const struct variable *blocker;
	unsigned used; /* registers so far */
};

/* doubt: a reason why none has a value, or NULL. */
void convention_begin(struct convention *convention, const struct type *returned,
		      const char *doubt);
/* Sets the next parameter's location at the function's entry. Its name and type are set; name may
 * be NULL. */
void convention_place(struct convention *convention, struct variable *parameter);

#endif
