// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns sites into probes: a name, the definition's text with the column of every argument in it,
 * and the values. Every instance of an inlined function is an event of its own, since instances
 * differ in what they can show; their names differ by a number only.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"
#include "plan/names.h"
#include "plan/pairing.h"

struct caps caps_assumed(void)
{
	return (struct caps){
		.has_immediate = true,
		.has_histograms = true,
		.has_sums = true,
	};
}

#define COMPANIONS_MAX 5 /* for one probe */
#define TEXT_BYTES_MIN 32
#define STACK_PIECES   5

static char *head_text(struct arena *arena, const struct site *site)
{
	const char *colon = site->module ? ":" : "";
	const char *module = site->module ? site->module : "";

	if (site->path)
		return arena_printf(arena, "%s:%#llx", site->path,
				    (unsigned long long)site->offset);
	if (site->is_return && !site->offset)
		return arena_printf(arena, "%s%s%s", module, colon, site->symbol);
	return arena_printf(arena, "%s%s%s+%llu", module, colon, site->symbol,
			    (unsigned long long)site->offset);
}

/* As perf names it: after the program, up to the first character that no name may have. */
static char *group_name(struct arena *arena, const struct site *site)
{
	const char *slash = site->path ? strrchr(site->path, '/') : NULL;
	const char *name = slash ? slash + 1 : site->path;
	unsigned length = 0;

	if (!name)
		return arena_strdup(arena, "probe");
	while (isalnum((unsigned char)name[length]) || name[length] == '_')
		length++;
	if (length > KERNEL_NAME_MAX - strlen("probe_"))
		length = KERNEL_NAME_MAX - (unsigned)strlen("probe_");
	return arena_printf(arena, "probe_%.*s", (int)length, name);
}

static void write_definition(struct arena *arena, const char *event, struct probe *probe)
{
	static const char group[] = {GROUP_MARK, '/', '\0'};
	const char letter[] = {probe_letter(probe->kind), ':', '\0'};
	struct strbuf text;

	strbuf_init(&text);
	strbuf_join(&text, letter, probe->kind == PROBE_SYNTHETIC ? "" : group, event, " ",
		    probe->head, NULL);
	for (unsigned i = 0; i < probe->nfetches; i++) {
		struct fetch *fetch = &probe->fetches[i];

		strbuf_putc(&text, ' ');
		fetch->column.start = (unsigned)text.length;
		strbuf_join(&text, fetch->field, "=", fetch->body, NULL);
		fetch_type_print(&text, &fetch->type);
		fetch->column.end = (unsigned)text.length;
	}
	probe->definition = arena_strndup(arena, text.data, text.length);
	strbuf_deinit(&text);
}

static void shown_probe(struct arena *arena, const struct sites *sites, const struct site *site,
			const struct plan *plan, unsigned *number, struct probe *ret)
{
	*ret = (struct probe){
		.spec = sites->spec,
		.site = site,
		.group = sites->spec->group ? sites->spec->group : group_name(arena, site),
		.event = event_name(arena, plan, sites, site, number),
		.head = head_text(arena, site),
		.kind = site->is_return && !site->is_exit ? PROBE_RETURN : PROBE_HIT,
		.is_return = site->is_return,
		.nvalues = site->ncaptures,
		.values = arena_array(arena, struct value, site->ncaptures + 1),
	};
}

/* The shown probe of the same function's previous exit, whose companions serve this one, too. */
static const struct probe *exit_before(const struct plan *plan, const struct site *site)
{
	unsigned i = plan->nprobes;

	if (!site->is_exit || !site->exit_number)
		return NULL;
	while (i > 0 && role_is_companion(plan->probes[i - 1].role))
		i--;
	return i ? &plan->probes[i - 1] : NULL;
}

/* At the ret instruction the return address is on top of the stack. */
static void fetch_caller(struct work *work, struct probe *probe)
{
	const struct arch *arch = work->arch;
	struct fetch_text text = {
		.body = arena_printf(work->arena, "+0(%%%s)",
				     arch->registers[arch->stack_register]),
		.part = PART_OWN,
		.way = fetch_step(work, register_way(work, arch->stack_register), 0, false),
	};
	const struct fetch_type type = number_type('u', 64);

	probe->caller = 1 + work_fetch_hosted(work, &text, "__caller", &type);
}

/* What tells one call from another, and whose code it is in. */
static struct error *fetch_call(struct work *work, const struct site *site, struct probe *probe)
{
	const struct expr *frame = site->frame, *caller;

	if (!probe->frame && frame)
		probe->frame = cut_frame(work, PART_OWN, frame);
	if (!probe->frame)
		return error_at(error_new(work->arena, ERROR_INEXPRESSIBLE,
					  "one call of '%s' can't be told from another here",
					  site->function),
				probe->spec->text, probe->spec->place.span);
	if (site->is_return)
		return NULL;
	caller = cut_frame(
		work, PART_OWN,
		expr_load(work->arena, expr_offset(work->arena, frame, -8), 8, false, site->path));
	if (caller && caller->op == EXPR_FETCH && caller->value < KERNEL_ARGS_MAX)
		probe->caller = 1 + (unsigned)caller->value;
	return NULL;
}

static void entry_probe(struct work *work, struct probe *ret)
{
	const struct probe *own = work->probes[PART_OWN];

	*ret = *work->probes[PART_ENTRY];
	ret->role = ROLE_ENTRY;
	ret->spec = own->spec;
	ret->site = own->site->entry;
	ret->group = own->group;
	ret->event = companion_name(work->arena, own->event, "entry", work->number);
	ret->head = head_text(work->arena, own->site->entry);
	ret->kind = PROBE_HIT;
}

static bool same_fetches(const struct probe *a, const struct probe *b)
{
	for (unsigned i = 0; i < a->nfetches; i++)
		if (i >= b->nfetches || strcmp(a->fetches[i].body, b->fetches[i].body) ||
		    !same_type(&a->fetches[i].type, &b->fetches[i].type))
			return false;
	return a->nfetches == b->nfetches;
}

/* The companion at the entry that one of the call's earlier lines has; 0: none has the same. */
static unsigned entry_before(const struct plan *plan, const struct probe *probe,
			     const struct probe *entry)
{
	for (unsigned i = plan->nprobes; i > 0 && probe->spec->followed; i--) {
		const struct probe *other = &plan->probes[i - 1];

		if (other->role == ROLE_ENTRY && other->spec == probe->spec &&
		    !strcmp(other->head, entry->head) && same_fetches(other, entry))
			return i - 1;
	}
	return 0;
}

/* Whether an earlier exit of the function, or line of the call, has the same companion at the
 * entry: one is enough. */
static bool is_recorded_before(const struct work *work, const struct plan *plan,
			       struct probe *probe)
{
	const struct probe *before = exit_before(plan, work->probes[PART_OWN]->site);
	unsigned entry = before ? before->companions[PART_ENTRY] :
			 entry_before(plan, probe, &plan->probes[probe->companions[PART_ENTRY]]);

	if (!entry || !same_fetches(&plan->probes[entry],
				    &plan->probes[probe->companions[PART_ENTRY]]))
		return false;
	probe->companions[PART_ENTRY] = entry;
	return true;
}

/* Writes the shown probe and its companions; returns how many companions there are. */
static unsigned add_companions(struct work *work, const struct plan *plan, struct probe *probe)
{
	unsigned count = sum_probes(work, probe + 1);

	if (count)
		probe->companions[PART_MEMORY] = plan->nprobes + count;
	if (work->probes[PART_ENTRY]) {
		entry_probe(work, &probe[++count]);
		probe->companions[PART_ENTRY] = plan->nprobes + count;
		if (is_recorded_before(work, plan, probe))
			count--;
	}
	write_definition(work->arena, (work->host ?: probe)->event, probe);
	for (unsigned i = 1; i <= count; i++)
		write_definition(work->arena, probe[i].event, &probe[i]);
	return count;
}

static struct error *make_probe(struct arena *arena, const struct plan_input *input,
				const struct sites *sites, const struct site *site,
				struct plan *plan, unsigned *number)
{
	struct probe *probe = &plan->probes[plan->nprobes];
	struct work work = {
		.arena = arena,
		.input = input,
		.arch = sites->arch,
		.probes = {probe},
		.pair = pair_of(plan, sites->spec),
		.number = plan->nforgotten + plan->nprobes,
	};
	const struct probe *before = exit_before(plan, site);
	struct error *error = NULL;
	unsigned count;

	site = pair_site(arena, work.pair, sites->spec, site);
	shown_probe(arena, sites, site, plan, number, probe);
	probe->shown = before ? before->shown ?: before->event : NULL;
	hosted_begin(&work, plan);
	if (work.pair)
		error = pair_probe(&work, plan, site);
	for (unsigned i = 0; i < site->ncaptures && !error; i++) {
		work.want = &sites->spec->wants[i];
		error = plan_value(&work, &site->captures[i], &probe->values[i]);
	}
	if (!error && work.probes[PART_ENTRY] && !plan_frames(&work, site))
		error = error_at(error_new(arena, ERROR_INEXPRESSIBLE,
					   "one call of '%s' can't be told from another",
					   site->function),
				 sites->spec->text, sites->spec->place.span);
	if (!error && sites->spec->followed && !probe->frame)
		error = plan_followed(&work, site);
	if (!error && work.host && work.probes[PART_MEMORY])
		error = error_new(arena, ERROR_LIMIT, "a chain needs an event of its own");
	if (error)
		return error;
	if (site->is_exit)
		fetch_caller(&work, probe);
	if (sites->spec->is_call)
		error = fetch_call(&work, site, probe);
	if (error)
		return error;
	probe->has_unguarded = work.has_unguarded;
	count = add_companions(&work, plan, probe);
	for (unsigned i = 0; i <= count && !error; i++)
		error = check_limits(arena, input, &probe[i]);
	if (!error && !work.pair)
		error = plan_filter(arena, input, sites, probe);
	if (!error && sites->spec->followed)
		error = plan_watched(arena, input, sites, plan->following, probe);
	if (!error)
		error = plan_counting(arena, input, probe);
	if (error)
		return error;
	hosted_end(&work);
	for (unsigned i = 0; i <= count; i++)
		take_event(plan, probe[i].event);
	plan->nprobes += 1 + count;
	return NULL;
}

static bool has_stack(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind == WANT_STACK)
			return true;
	return false;
}

/* Bytes of a record that a value takes. */
static unsigned recorded_size(const struct probe *probe, const struct value *value)
{
	unsigned size = 0;

	for (unsigned i = 0; i < value->nfetches; i++)
		if (value->fetches[i] < probe->nfetches) /* its own, and not a companion's */
			size += fetch_size(&probe->fetches[value->fetches[i]].type);
	return size;
}

/* The site without the largest of the values that the user did not name; NULL: there is none. */
static const struct site *without_largest(struct arena *arena, const struct spec *spec,
					  const struct site *site, const struct probe *probe)
{
	unsigned largest = 0, most = 0;
	struct site *ret;

	for (unsigned i = 0; i < site->ncaptures; i++) {
		unsigned size =
			spec->wants[i].is_expanded ? recorded_size(probe, &probe->values[i]) : 0;

		if (size <= most)
			continue;
		most = size;
		largest = i;
	}
	if (!most)
		return NULL;
	ret = arena_new(arena, struct site);
	*ret = *site;
	ret->captures = arena_array(arena, struct capture, site->ncaptures);
	memcpy(ret->captures, site->captures, site->ncaptures * sizeof(*ret->captures));
	ret->captures[largest].kind = CAPTURE_LEFT_OUT;
	return ret;
}

/* Stacks, bounded strings and guards take room: if there is too little, less of the stack is
 * recorded, then strings are shorter, and as a last resort there are no guards, which
 * has_unguarded reports. */
static struct error *make_fitting(struct arena *arena, const struct plan_input *input,
				  const struct sites *sites, const struct site *site,
				  struct plan *plan, unsigned *number)
{
	struct probe *probe = &plan->probes[plan->nprobes];
	struct plan_input its = *input, apart = *input;
	unsigned first = *number;
	struct error *error = make_probe(arena, &its, sites, site, plan, number);

	apart.has_own_event = true;
	if (error && error->code == ERROR_LIMIT && probe->host) {
		its = apart;
		*number = first;
		error = make_probe(arena, &its, sites, site, plan, number);
	}
	its.stack_pieces = STACK_PIECES;
	while (error && error->code == ERROR_LIMIT &&
	       (its.guard_offset || (has_stack(sites->spec) && its.stack_pieces > 1))) {
		if (has_stack(sites->spec) && its.stack_pieces > 1)
			its.stack_pieces--;
		else if (its.text_bytes > TEXT_BYTES_MIN)
			its.text_bytes /= 2;
		else
			its.guard_offset = 0;
		*number = first;
		error = make_probe(arena, &its, sites, site, plan, number);
		probe->has_unguarded |= !its.guard_offset;
	}
	while (error && error->code == ERROR_LIMIT && sites->spec->followed &&
	       (site = without_largest(arena, sites->spec, site, probe))) {
		*number = first;
		error = make_probe(arena, &apart, sites, site, plan, number);
	}
	return error;
}

/* What every site of the spec lacks is an error; what some site has is not. */
static struct error *check_missing(struct arena *arena, const struct sites *sites,
				   const struct probe *probes, unsigned count)
{
	for (unsigned i = 0; i < sites->spec->nwants; i++) {
		const char *reason = NULL;
		bool found = false;

		for (unsigned j = 0; j < count; j++) {
			if (role_is_companion(probes[j].role))
				continue;
			found |= probes[j].values[i].status == VALUE_OK;
			reason = probes[j].values[i].reason;
		}
		if (!found && !sites->spec->wants[i].is_expanded)
			return error_command(
				arena,
				error_at(error_new(arena, ERROR_INEXPRESSIBLE,
						   "'%s' can't be shown here: %s",
						   probes[0].values[i].name, reason),
					 sites->spec->text, sites->spec->wants[i].span),
				"vars",
				arena_strndup(arena,
					      sites->spec->text + sites->spec->place.span.start,
					      sites->spec->place.span.end -
						      sites->spec->place.span.start),
				"see where it lives");
	}
	return NULL;
}

void plan_make_room(struct plan *plan, unsigned count)
{
	if (plan->nprobes + count <= plan->size)
		return;
	plan->size = 2 * plan->size + count;
	plan->probes = arena_grow(plan->arena, plan->probes, plan->nprobes * sizeof(*plan->probes),
				  plan->size * sizeof(*plan->probes));
}

struct error *plan_add(struct arena *arena, const struct plan_input *input,
		       const struct sites *sites, struct plan *plan)
{
	unsigned first = plan->nprobes, number = 1;
	struct error *error;

	plan_make_room(plan, sites->nsites * (1 + COMPANIONS_MAX));
	for (unsigned i = 0; i < sites->nsites; i++) {
		error = make_fitting(arena, input, sites, &sites->sites[i], plan, &number);
		if (error)
			return error;
	}
	error = check_missing(arena, sites, &plan->probes[first], plan->nprobes - first);
	for (unsigned i = first; i < plan->nprobes && !error; i++)
		plan_running(arena, &plan->probes[i]);
	return error;
}

void plan_forget(struct plan *plan)
{
	plan->nforgotten += plan->nprobes;
	plan->nprobes = plan->npairs = 0;
}

const struct fetch *plan_fetch(const struct plan *plan, const struct probe *probe, unsigned number)
{
	enum part part = number / KERNEL_ARGS_MAX;

	if (part != PART_OWN)
		probe = &plan->probes[probe->companions[part]];
	return &probe->fetches[number % KERNEL_ARGS_MAX];
}
