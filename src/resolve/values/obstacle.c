// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a value that was found can be recorded, too: $params and $vars take only such,
 * and `vars` says so. The one question that plan/ is asked before there is a plan.
 */
#include "plan/plan.h"
#include "resolve/values/values.h"

const char *capture_obstacle(struct resolver *resolver, const struct capture *capture)
{
	struct caps caps = caps_assumed();

	caps.has_sums = resolver->target->kind != TARGET_PROGRAM;
	return plan_obstacle(resolver->arena, &caps, resolver->arch, capture);
}
