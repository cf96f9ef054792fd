// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a value that was found can be recorded, too: what $params and $vars stand for, and what `vars` says,
 * depends on it. The one question that is asked of plan/ before there is a plan.
 */
#include "plan/plan.h"
#include "resolve/values/values.h"

const char *capture_obstacle(struct resolver *resolver, const struct capture *capture)
{
	struct caps caps = caps_assumed();

	caps.has_sums = resolver->target->kind != TARGET_PROGRAM;
	return plan_obstacle(resolver->arena, &caps, resolver->arch, capture);
}
