/* SPDX-License-Identifier: GPL-2.0-only */
/* Plans written by hand, one probe a line, so that session/, stream/ and sink/ can be tested
 * without all that makes plans:
 *
 *	KIND GROUP/EVENT SHOWN+OFFSET|- HEAD [?KERNEL_FILTER] [~FILTER] [VALUE...]
 *
 * VALUE is NAME=BODY:TYPE, a fetch and a value; ^NAME=BODY:TYPE, a fetch alone;
 * NAME=@OP,I,J[:TYPE], a value computed from fetches I and J; NAME=!REASON, one without.
 * TYPE ends in [N] for arrays; /RENDER after it overrules the usual one. Filters stand without
 * blanks. */
#ifndef TESTS_HOST_DRIVER_H
#define TESTS_HOST_DRIVER_H

#include "base/arena.h"
#include "base/error.h"
#include "ktrace/plan.h"

struct error *plan_read(struct arena *arena, const char *text, struct plan *ret) must_check;

#endif
