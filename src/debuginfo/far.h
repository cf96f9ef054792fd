/* SPDX-License-Identifier: GPL-2.0-only */
/* Variables whose location another unit has (link-time optimisation). */
#ifndef DEBUGINFO_FAR_H
#define DEBUGINFO_FAR_H

#include "debuginfo/internal.h"

struct far_variable {
	Dwarf_Off origin; /* handle of the declaration, at the end of DW_AT_abstract_origin */
	Dwarf_Off handle; /* of the DIE with the location */
};

/* Those with this origin, in the file's order; NULL when there is none. Owned by info. */
const struct far_variable *far_variables(struct dwarf_info *info, Dwarf_Off origin, size_t *count);

#endif
