// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the chain of companions that reads memory at an address that is a sum (see enum role). The
 * shown probe records the numbers, too, so that ktrace can check that the sum at which memory was
 * read is this hit's: a stale record is never taken for a value.
 */
#include "base/strbuf.h"
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"
#include "plan/names.h"

#define TERMS_MAX 4 /* the kernel's expressions nest three operators */

struct terms {
	struct work *work;
	struct {
		unsigned fetch;
		bool is_negative;
		bool is_wide; /* u64: as the first operand it makes the sum 64 bits wide */
		uint64_t factor;
	} list[TERMS_MAX];
	unsigned count;
	unsigned operators;
	const char *reason;
};

static const char computed_reason[] =
	"it lies at a computed address, which a probe event can't follow";

/* One number as one fetch; its size is in *type. */
static struct fetch_text fetch_term(struct work *work, const struct expr *expr,
				    struct fetch_type *type)
{
	bool is_extended = expr->op == EXPR_EXTEND && expr->a->op == EXPR_REG;
	unsigned size = expr->op == EXPR_REG  ? 8 :
			expr->op == EXPR_LOAD ? expr->size :
						expr->size / 8u;

	*type = number_type(expr->is_signed ? 's' : 'u', size * 8);
	if (expr->op == EXPR_LOAD)
		return fetch_memory(work, expr->a, expr->is_user);
	if (expr->op == EXPR_REG || (is_extended && (expr->size == 8 || expr->size == 16 ||
						     expr->size == 32)))
		return fetch_register(work, is_extended ? expr->a : expr);
	return fetch_bits(work, expr, type);
}

/* One number, recorded by the shown probe. Returns false if one fetch can't hold it, or there
 * are too many. */
static bool add_term(struct terms *terms, const struct expr *expr, bool is_negative,
		     uint64_t factor)
{
	struct work *work = terms->work;
	struct fetch_type type;
	struct fetch_text text = fetch_term(work, expr, &type);
	unsigned size = type.bits / 8;

	if (!text.body || text.part != PART_OWN || terms->count == TERMS_MAX) {
		terms->reason = text.reason ? text.reason : computed_reason;
		return false;
	}
	terms->list[terms->count].fetch = work_fetch_once(work,
		&text, arena_printf(work->arena, "%s_%u", work->name, terms->count), &type);
	guard_fetch(work, terms->list[terms->count].fetch, &text, size);
	work->is_term[terms->list[terms->count].fetch] = true;
	terms->list[terms->count].is_negative = is_negative;
	terms->list[terms->count].is_wide = size == 8;
	terms->list[terms->count].factor = factor;
	terms->count++;
	terms->operators += (terms->count > 1) + (factor != 1);
	return terms->operators < TERMS_MAX;
}

static bool add_terms(struct terms *terms, const struct expr *expr, bool is_negative)
{
	const struct expr *b = expr->b;

	if (expr->op == EXPR_ADD || expr->op == EXPR_SUB)
		return add_terms(terms, expr->a, is_negative) &&
		       add_terms(terms, b, is_negative != (expr->op == EXPR_SUB));
	if (expr->op == EXPR_MUL && b->op == EXPR_CONST && b->value < 1u << 31)
		return add_term(terms, expr->a, is_negative, b->value);
	if (expr->op == EXPR_SHL && b->op == EXPR_CONST && b->value < 31)
		return add_term(terms, expr->a, is_negative, (uint64_t)1 << b->value);
	return add_term(terms, expr, is_negative, 1);
}

/* "frags_1+frags_0*8" over the fields' names. Returns NULL if no operand can come first. */
static char *terms_text(struct terms *terms)
{
	const struct probe *own = terms->work->probes[PART_OWN];
	unsigned first = 0;
	struct strbuf out;
	char *text;

	while (first < terms->count && (!terms->list[first].is_wide ||
					terms->list[first].is_negative ||
					terms->list[first].factor != 1))
		first++;
	if (first == terms->count)
		return NULL;
	strbuf_init(&out);
	strbuf_puts(&out, own->fetches[terms->list[first].fetch].field);
	for (unsigned i = 0; i < terms->count; i++) {
		if (i == first)
			continue;
		strbuf_printf(&out, "%c%s", terms->list[i].is_negative ? '-' : '+',
			      own->fetches[terms->list[i].fetch].field);
		if (terms->list[i].factor != 1)
			strbuf_printf(&out, "*%llu", (unsigned long long)terms->list[i].factor);
	}
	text = arena_strndup(terms->work->arena, out.data, out.length);
	strbuf_deinit(&out);
	return text;
}

/* The same sum, for ktrace's own check. */
static const struct expr *terms_expr(const struct terms *terms)
{
	struct arena *arena = terms->work->arena;
	const struct expr *sum = expr_const(arena, 0);

	for (unsigned i = 0; i < terms->count; i++)
		sum = expr_binary(arena, terms->list[i].is_negative ? EXPR_SUB : EXPR_ADD, sum,
				  expr_binary(arena, EXPR_MUL,
					      expr_leaf(arena, EXPR_FETCH, terms->list[i].fetch),
					      expr_const(arena, terms->list[i].factor)));
	return sum;
}

static unsigned sum_index(struct work *work, const struct terms *terms, const char *text)
{
	struct probe *own = work->probes[PART_OWN];

	for (unsigned i = 0; i < work->nsums; i++)
		if (!strcmp(work->sums[i], text))
			return i;
	own->sums = arena_grow(work->arena, own->sums, work->nsums * sizeof(*own->sums),
			       (work->nsums + 1) * sizeof(*own->sums));
	own->sums[own->nsums++] = terms_expr(terms);
	work->sums[work->nsums] = text;
	return work->nsums++;
}

struct fetch_text sum_base(struct work *work, const struct expr *sum)
{
	struct terms terms = {.work = work};
	struct fetch_text ret = {.part = PART_MEMORY, .reason = computed_reason};
	char *text = NULL;

	if (!work->input->caps->has_sums || work->part != PART_OWN ||
	    (work->probes[PART_OWN]->site && work->probes[PART_OWN]->site->path))
		return ret;
	if (add_terms(&terms, sum, false))
		text = terms_text(&terms);
	if (!text || work->nsums == SUMS_MAX) {
		ret.reason = terms.reason ? terms.reason : computed_reason;
		return ret;
	}
	ret.body = arena_printf(work->arena, "$s%u", sum_index(work, &terms, text));
	ret.reason = NULL;
	return ret;
}

static struct probe companion(const struct work *work, enum role role, enum probe_kind kind,
			      const char *suffix)
{
	const struct probe *own = work->probes[PART_OWN];

	return (struct probe){
		.role = role,
		.spec = own->spec,
		.site = own->site,
		.group = own->group,
		.event = companion_name(work->arena, own->event, suffix, work->number),
		.head = own->head,
		.kind = kind,
	};
}

/* "hist:keys=common_cpu:s0=a+b:s1=c-d". Handlers of one hit don't move between CPUs. */
static const char *sum_trigger(const struct work *work)
{
	const char *text = "hist:keys=common_cpu";

	for (unsigned i = 0; i < work->nsums; i++)
		text = arena_printf(work->arena, "%s:s%u=%s", text, i, work->sums[i]);
	return text;
}

static const char *relay_trigger(const struct work *work, const struct probe *sum,
				 const struct probe *synthetic)
{
	const char *text = arena_printf(work->arena, "hist:keys=common_cpu:onmatch(%c.%s).trace(%s",
					GROUP_MARK, sum->event, synthetic->event);

	for (unsigned i = 0; i < work->nsums; i++)
		text = arena_printf(work->arena, "%s,$s%u", text, i);
	return arena_printf(work->arena, "%s)", text);
}

static void add_action(struct arena *arena, struct probe *probe, enum action_kind kind,
		       const char *text)
{
	struct action *actions =
		arena_grow(arena, probe->actions, probe->nactions * sizeof(*actions),
			   (probe->nactions + 1) * sizeof(*actions));

	actions[probe->nactions++] = (struct action){kind, text};
	probe->actions = actions;
}

/* The event probe's last arguments are the sums that the memory was read at. */
static void put_sums(struct work *work)
{
	const struct fetch_type type = number_type('u', 64);

	for (unsigned i = 0; i < work->nsums; i++) {
		const struct fetch_text text = {
			.body = arena_printf(work->arena, "$s%u", i),
			.part = PART_MEMORY,
		};

		work_fetch(work, &text, arena_printf(work->arena, "__s%u", i), &type);
	}
}

static void put_terms(struct work *work, struct probe *sum)
{
	const struct probe *own = work->probes[PART_OWN];

	sum->fetches = arena_array(work->arena, struct fetch, own->nfetches);
	for (unsigned i = 0; i < own->nfetches; i++)
		if (work->is_term[i])
			sum->fetches[sum->nfetches++] = own->fetches[i];
}

static const char *synthetic_fields(const struct work *work)
{
	const char *text = "";

	for (unsigned i = 0; i < work->nsums; i++)
		text = arena_printf(work->arena, "%s%su64 s%u", text, i ? "; " : "", i);
	return text;
}

/* Defined in this order, hence run in the reverse: sum, relay (and with it synthetic and memory),
 * then the shown probe. */
unsigned sum_probes(struct work *work, struct probe *ret)
{
	const struct probe *memory = work->probes[PART_MEMORY];
	struct probe *relay = &ret[0], *sum = &ret[1], *synthetic = &ret[2];

	if (!memory)
		return 0;
	*relay = companion(work, ROLE_RELAY, PROBE_HIT, "relay");
	*sum = companion(work, ROLE_SUM, PROBE_HIT, "sum");
	*synthetic = companion(work, ROLE_SYNTHETIC, PROBE_SYNTHETIC, "sums");
	put_terms(work, sum);
	add_action(work->arena, sum, ACTION_SUM, sum_trigger(work));
	synthetic->event = arena_printf(work->arena, "%c_%s", GROUP_MARK, synthetic->event);
	synthetic->head = synthetic_fields(work);
	add_action(work->arena, relay, ACTION_RELAY, relay_trigger(work, sum, synthetic));
	put_sums(work);
	ret[3] = companion(work, ROLE_MEMORY, PROBE_EVENT, "memory");
	ret[3].head = arena_printf(work->arena, "synthetic.%s", synthetic->event);
	ret[3].fetches = memory->fetches;
	ret[3].nfetches = memory->nfetches;
	return 4;
}
