// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides by --calls whether a call is shown, once it has ended. A comparison of a variable holds
 * if some value that it had on the way makes it hold.
 *
 * The surprise: in a call that wasn't seen whole, a comparison that never held is unknown, not
 * false.
 */
#include "sink/follow/follow.h"

struct asked {
	const struct follow *follow;
	const struct call *call;
	unsigned next; /* condition */
};

static enum chosen opposite(enum chosen a)
{
	return a == CHOSEN_UNKNOWN ? a : a == CHOSEN_YES ? CHOSEN_NO : CHOSEN_YES;
}

static enum chosen both(enum chosen a, enum chosen b)
{
	if (a == CHOSEN_NO || b == CHOSEN_NO)
		return CHOSEN_NO;
	return a == CHOSEN_YES && b == CHOSEN_YES ? CHOSEN_YES : CHOSEN_UNKNOWN;
}

static enum chosen compare_duration(const struct filter *filter, const struct call *call)
{
	uint64_t a = call->ended - call->begun, b = filter->number;

	if (!call->is_whole || call->end > END_JUMPED)
		return CHOSEN_UNKNOWN;
	switch (filter->op) {
	case FILTER_EQ: return a == b ? CHOSEN_YES : CHOSEN_NO;
	case FILTER_NE: return a != b ? CHOSEN_YES : CHOSEN_NO;
	case FILTER_LT: return a < b ? CHOSEN_YES : CHOSEN_NO;
	case FILTER_LE: return a <= b ? CHOSEN_YES : CHOSEN_NO;
	case FILTER_GT: return a > b ? CHOSEN_YES : CHOSEN_NO;
	case FILTER_GE: return a >= b ? CHOSEN_YES : CHOSEN_NO;
	default: return CHOSEN_UNKNOWN;
	}
}

static enum chosen compare(const struct asked *asked, const struct filter *filter,
			   unsigned condition)
{
	const struct call *call = asked->call;
	bool is_result = !strcmp(filter->field, &RETURN_VALUE[1]);

	if (!strcmp(filter->field, CALL_DURATION))
		return compare_duration(filter, call);
	if (call->held >> condition & 1)
		return CHOSEN_YES;
	if (!(call->tested >> condition & 1) ||
	    (!is_result && (!call->is_whole || call->end == END_LOST)))
		return CHOSEN_UNKNOWN;
	return CHOSEN_NO;
}

static enum chosen ask(struct asked *asked, const struct filter *filter)
{
	enum chosen left;

	if (filter->op > FILTER_NOT)
		return compare(asked, filter, asked->next++);
	left = ask(asked, filter->left);
	if (filter->op == FILTER_NOT)
		return opposite(left);
	if (filter->op == FILTER_AND)
		return both(left, ask(asked, filter->right));
	return opposite(both(opposite(left), opposite(ask(asked, filter->right))));
}

enum chosen call_chosen(const struct follow *follow, const struct call *call)
{
	struct asked asked = {.follow = follow, .call = call};

	return follow->plan->following->calls ? ask(&asked, follow->plan->following->calls) :
						CHOSEN_YES;
}

static void remark(struct strbuf *out, const char *before, uint64_t count, const char *one,
		   const char *many)
{
	if (count)
		strbuf_printf(out, "%s%llu %s\n", before, (unsigned long long)count,
			      count == 1 ? one : many);
}

void follow_remarks(const struct follow *follow, struct strbuf *out, const char *before)
{
	const struct follow_counts *counts = &follow->counts;

	remark(out, before, counts->dropped, "call isn't shown: --calls doesn't hold",
	       "calls aren't shown: --calls doesn't hold");
	remark(out, before, counts->unknown, "call isn't shown: whether --calls holds isn't known",
	       "calls aren't shown: whether --calls holds isn't known");
	remark(out, before, counts->partial, "call was not seen from its beginning",
	       "calls were not seen from their beginning");
	remark(out, before, counts->open, "call was not seen to end", "calls were not seen to end");
	remark(out, before, counts->lost, "call is cut: records were lost",
	       "calls are cut: records were lost");
	remark(out, before, counts->evicted, "call is cut: there was no room for more of it",
	       "calls are cut: there was no room for more of them");
	remark(out, before, counts->strays, "hit isn't shown: which call it belongs to isn't known",
	       "hits aren't shown: which call they belong to isn't known");
}
