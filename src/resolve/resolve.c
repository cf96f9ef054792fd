// SPDX-License-Identifier: GPL-2.0-only
/*
 * A spec in, its sites out. At each point the address is moved, where it may be, to the first one
 * of the line at which all wanted values are to be had; what a point still lacks is shown as
 * unavailable there, and is an error only if it is missing at every point.
 */
#include "arch/arch.h"
#include "base/glob.h"
#include "resolve/internal.h"
#include "target/target.h"

bool spec_is_raw(const struct spec *spec)
{
	if (spec->place.kind == PLACE_LINE || spec->place.kind == PLACE_FILE || spec->place.file ||
	    spec->place.kind == PLACE_PATTERN || spec->place.has_address ||
	    is_glob(spec->place.function))
		return false;
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind != WANT_RAW)
			return false;
	return true;
}

/* "di" of %di, "jiffies" of @jiffies+8, "arg3" of what has no name in it. */
static const char *raw_name(struct arena *arena, const struct want *want, unsigned index)
{
	const char *start = want->base + 1;
	size_t length = strspn(start, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
			       "0123456789");

	if (strchr("%$@", want->base[0]) && length && (start[0] < '0' || start[0] > '9'))
		return arena_strndup(arena, start, length);
	return arena_printf(arena, "arg%u", index + 1);
}

static const char *last_name(const struct want *want)
{
	for (unsigned i = want->nsteps; i > 0; i--)
		if (want->steps[i - 1].kind <= STEP_DOT)
			return want->steps[i - 1].name;
	return want->base + (want->base[0] == '$');
}

/* "a->b[2].c" as a_b_2_c. */
static const char *path_name(struct arena *arena, const struct want *want)
{
	char *name = arena_strdup(arena, want->base + (want->base[0] == '$'));

	for (unsigned i = 0; i < want->nsteps; i++) {
		const struct step *step = &want->steps[i];

		if (step->kind <= STEP_DOT)
			name = arena_printf(arena, "%s_%s", name, step->name);
		else if (!step_is_prefix(step->kind))
			name = arena_printf(arena, "%s_%lld", name, (long long)step->index);
	}
	return name;
}

static bool is_taken(const char *const *names, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static bool is_asked(const struct spec *spec, const char *name)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].name && !strcmp(spec->wants[i].name, name))
			return true;
	return false;
}

/* A default name that an earlier argument has makes way: its whole path, then a number. */
static struct error *name_wants(struct resolver *resolver, const struct spec *spec,
				const char ***ret)
{
	struct arena *arena = resolver->arena;
	const char **names = arena_array(arena, const char *, spec->nwants + 1);

	for (unsigned i = 0; i < spec->nwants; i++) {
		const struct want *want = &spec->wants[i];
		const char *name = want->name ? want->name : want->kind == WANT_RAW ?
				   raw_name(arena, want, i) : last_name(want);

		if (is_taken(names, i, name) || (want->is_expanded && is_asked(spec, name))) {
			if (!want->is_expanded &&
			    (want->name || (want->kind == WANT_VARIABLE && !want->nsteps)))
				return error_hint(arena, error_at(
					error_new(arena, ERROR_SYNTAX, "the name '%s' is used twice",
						  name), spec->text, want->span),
					"give it another name: %s_2=%.*s", name,
					(int)(want->span.end - want->base_span.start),
					spec->text + want->base_span.start);
			name = want->kind == WANT_RAW ? arena_printf(arena, "arg%u", i + 1)
						      : path_name(arena, want);
		}
		for (unsigned n = 2; is_taken(names, i, name) ||
		     (want->is_expanded && is_asked(spec, name)); n++)
			name = arena_printf(arena, "%s_%u", last_name(want), n);
		names[i] = name;
	}
	*ret = names;
	return NULL;
}

/* A register's string is where it points to; the kernel wants that said. */
static bool is_string_pointer(const struct want *want)
{
	return want->type && (!strcmp(want->type, "string") || !strcmp(want->type, "ustring")) &&
	       strchr("%$", *want->base) && strcmp(want->base, "$comm") != 0;
}

static void capture_raw(struct arena *arena, const struct want *want, struct capture *ret)
{
	ret->kind = CAPTURE_RAW;
	ret->text = is_string_pointer(want) ? arena_printf(arena, "+0(%s)", want->base) : want->base;
	ret->raw_type = want->type;
	ret->type_name = "";
}

/* Registers that kprobe events know but that carry no DWARF number we use. */
static struct error *check_register(struct resolver *resolver, const struct spec *spec,
				    const struct want *want)
{
	static const char *const others[] = {"cs", "ss"};
	const char *percent = strchr(want->base, '%');
	const struct arch *arch = resolver->arch;
	char *name, *list = NULL;

	if (!percent || !arch)
		return NULL;
	name = arena_strndup(resolver->arena, percent + 1, strcspn(percent + 1, ")"));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i]))
			return NULL;
	for (unsigned i = 0; i < arch->nregisters; i++) {
		if (!arch->registers[i])
			continue;
		if (!strcmp(name, arch->registers[i]))
			return NULL;
		list = list ? arena_printf(resolver->arena, "%s %s", list, arch->registers[i])
			    : arena_strdup(resolver->arena, arch->registers[i]);
	}
	return error_hint(resolver->arena, error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "no register '%s'", name), spec->text,
		want->base_span), "%s's registers are: %s cs ss", arch->name, list);
}

/* @NAME of several symbols: the kernel would read the first that it finds, and not say so. */
static struct error *check_symbol(struct resolver *resolver, const struct spec *spec,
				  const struct want *want)
{
	const char *at = strchr(want->base, '@');
	unsigned count = 0;
	char *name;

	if (!at || !resolver->target || resolver->target->module)
		return NULL;
	name = arena_strndup(resolver->arena, at + 1, strcspn(at + 1, "+-)"));
	target_symbol_named(resolver->target, name, &count);
	if (count < 2)
		return NULL;
	return error_hint(resolver->arena, error_at(
		error_new(resolver->arena, ERROR_AMBIGUOUS, "'%s' is the name of %u symbols", name,
			  count), spec->text, want->base_span),
		"name the variable itself, without '@', at a function of its file");
}

/* The kernel's functions, all of C, return a small struct as they return a number of its size. */
static bool is_small_struct(const struct resolver *resolver, const struct type *type)
{
	return resolver->target->kind != TARGET_PROGRAM && type->size >= 1 && type->size <= 8 &&
	       (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION);
}

/* $retval without a type gets the function's own: -ENOENT rather than 0xfffffffffffffffe. */
static struct error *type_return(struct resolver *resolver, const struct spec *spec,
				 const struct instance *instance, const struct want *want,
				 struct capture *ret)
{
	const struct type *type;
	struct error *error;

	error = resolver->info->ops->return_type(resolver->info, instance->function, &type);
	if (error)
		return error;
	if (type->kind == TYPE_VOID)
		return error_hint(resolver->arena, error_at(
			error_new(resolver->arena, ERROR_NO_VALUE, "'%s' returns nothing",
				  instance->function->name), spec->text, want->span),
			"leave $retval out, or give it a type: $retval:x64");
	ret->type_name = type->name;
	if (type->kind == TYPE_FLOAT)
		return error_at(error_new(resolver->arena, ERROR_INEXPRESSIBLE, "'%s' returns a '%s': it "
					  "is in a floating-point register, and probes can't read "
					  "those", instance->function->name, type->name), spec->text,
				want->span);
	if (is_small_struct(resolver, type)) {
		ret->raw_type = "x64";
		ret->render = RENDER_HEX;
		return make_shape(resolver, type, want->type, &ret->shape);
	}
	if (!is_number_type(resolver, type) || type->size > 8)
		return error_hint(resolver->arena, error_at(
			error_new(resolver->arena, ERROR_INEXPRESSIBLE, "'%s' returns a whole '%s', which "
				  "no one register holds", instance->function->name, type->name),
			spec->text, want->span), "the register alone: $retval:x64");
	if (type->kind != TYPE_POINTER)
		ret->raw_type = arena_printf(resolver->arena, "%c%u", type->is_signed ? 's' : 'u',
					     (unsigned)type->size * 8);
	ret->is_signed = type->is_signed;
	ret->render = type_render(type);
	error = make_shape(resolver, type, want->type, &ret->shape);
	if (!error)
		ret->render = ret->shape->render;
	return error;
}

static struct error *try_capture(struct resolver *resolver, const struct spec *spec,
				 const struct point *point, const struct want *want,
				 struct position at, struct capture *ret)
{
	struct error *error;

	if (want->kind == WANT_RAW) {
		capture_raw(resolver->arena, want, ret);
		error = check_register(resolver, spec, want);
		if (!error)
			error = check_return_value(resolver, spec, want);
		if (!error)
			error = check_symbol(resolver, spec, want);
		if (!error)
			error = program_check_raw(resolver, spec, want);
		if (!error && point->instance && !strcmp(want->base, "$retval") &&
		    (!want->type || !strcmp(want->type, "errno")))
			error = type_return(resolver, spec, point->instance, want, ret);
		return error;
	}
	if (!strcmp(want->base, DURATION)) {
		*ret = (struct capture){
			.kind = CAPTURE_DURATION,
			.type_name = "ns",
			.render = RENDER_UNSIGNED,
			.size = 8,
		};
		return NULL;
	}
	if (!point->instance && strcmp(want->base, CURRENT_TASK) != 0)
		return error_hint(resolver->arena, error_at(
			error_new(resolver->arena, ERROR_NO_DEBUGINFO,
				  "'%s' is known by its symbol only: it has no variables",
				  spec->place.function), spec->text, want->base_span),
			"name registers instead: %%di, +8(%%si):u64");
	return resolve_capture(resolver, point, at, spec, want, ret);
}

/* Captures all wants at an address; errors[i] is NULL where captures[i] is good. Returns how good. */
static unsigned capture_all(struct resolver *resolver, const struct spec *spec,
			    const struct point *point, struct position at,
			    struct capture *captures, struct error **errors)
{
	unsigned good = 0;

	for (unsigned i = 0; i < spec->nwants; i++) {
		captures[i] = (struct capture){.type_name = ""};
		errors[i] = try_capture(resolver, spec, point, &spec->wants[i], at,
					&captures[i]);
		if (errors[i] && !errors[i]->text)
			errors[i] = error_at(errors[i], spec->text, spec->wants[i].span);
		if (errors[i]) {
			captures[i] = (struct capture){
				.kind = CAPTURE_NONE,
				.type_name = captures[i].type_name ?: "",
				.reason = errors[i]->message,
			};
		}
		/* what needs no companion is better than what does */
		good += errors[i] ? 0 : capture_is_plain(&captures[i]) ? 2 : 1;
	}
	return good;
}

struct choice {
	struct position at;
	unsigned good;
	struct capture *captures;
	struct error **errors;
};

static void try_address(struct resolver *resolver, const struct spec *spec,
			const struct point *point, struct position at, struct choice *ret)
{
	ret->at = at;
	ret->captures = arena_array(resolver->arena, struct capture, spec->nwants + 1);
	ret->errors = arena_array(resolver->arena, struct error *, spec->nwants + 1);
	ret->good = capture_all(resolver, spec, point, at, ret->captures, ret->errors);
}

static void choose_address(struct resolver *resolver, const struct spec *spec,
			   const struct point *point, struct choice *best)
{
	try_address(resolver, spec, point, point->at, best);
	for (unsigned i = 0; i < point->nalternatives && best->good < 2 * spec->nwants; i++) {
		struct choice other;

		try_address(resolver, spec, point, point->alternatives[i], &other);
		if (other.good > best->good)
			*best = other;
	}
}

struct error *place_site(struct resolver *resolver, const struct point *point, uint64_t address,
			 struct site *site)
{
	const struct target *target = resolver->target;
	const struct instance *instance = point->instance;
	const char *prefer = instance ? (instance->outer ?: instance->function->name) : NULL;
	const struct symbol *symbol = target_symbol_at(target, address, prefer);
	struct placement placement;
	struct error *error;

	site->line = point->line;
	site->asked_line = point->asked_line;
	if (target->kind == TARGET_PROGRAM)
		return program_place(resolver, point, address, site);
	error = target_place(resolver->arena, target, address, prefer, &placement);

	if (error)
		return error;
	site->module = target->module;
	site->symbol = placement.symbol;
	site->offset = placement.offset;
	site->shown_symbol = symbol->name;
	site->shown_offset = address - symbol->address;
	site->address = target_file_address(target, address);
	site->has_address = true;
	site->function = instance ? instance->function->name : symbol->name;
	site->file = instance ? instance->function->file : NULL;
	site->inlined = instance && instance->inlined;
	return NULL;
}

static unsigned long long shown_address(const struct resolver *resolver, uint64_t address)
{
	return target_file_address(resolver->target, address);
}

static const char *address_note(struct resolver *resolver, const struct point *point,
				const struct choice *choice)
{
	if (choice->at.address != point->at.address && point->prologue)
		return arena_printf(resolver->arena, "%#llx instead of %#llx, the entry: only there are "
				    "the arguments stored where the debug information says",
				    shown_address(resolver, choice->at.address),
				    shown_address(resolver, point->at.address));
	if (choice->at.address != point->at.address)
		return arena_printf(resolver->arena, "%#llx instead of %#llx, where the line begins: "
				    "only there are all values to be had",
				    shown_address(resolver, choice->at.address),
				    shown_address(resolver, point->at.address));
	if (point->nalternatives && !point->prologue)
		return arena_printf(resolver->arena, "%#llx, where the line begins, of %u addresses "
				    "that are hit alike", shown_address(resolver, choice->at.address),
				    point->nalternatives + 1);
	return NULL;
}

enum { MANY_POINTS = 300 };

static struct error *make_site(struct resolver *resolver, const struct spec *spec,
			       const struct point *point, const char *const *names,
			       struct site *site, struct missing *missing)
{
	bool is_return = spec_is_return(spec);
	struct choice choice;
	struct error *error;

	choose_address(resolver, spec, point, &choice);
	site->is_return = is_return;
	/* of a return's captures, the address is where their companion is */
	error = place_site(resolver, point, is_return ? point->at.address : choice.at.address, site);
	if (error)
		return error_at(error, spec->text, spec->place.span);
	error = program_check_boundary(resolver, spec, point->instance, choice.at.address);
	if (error)
		return error;
	site->note = address_note(resolver, point, &choice);
	site->captures = choice.captures;
	site->ncaptures = spec->nwants;
	for (unsigned i = 0; i < spec->nwants; i++) {
		site->captures[i].name = names[i];
		missing_note(&missing[i], choice.errors[i]);
	}
	if (site_needs_entry(site)) {
		const char *reason = resolve_entry(resolver, point, choice.at.address, site);

		if (reason)
			drop_entry_captures(site, reason);
	}
	return NULL;
}

/* Why nothing can be probed at an address, or NULL. A weak function that another one overrides
 * leaves its code and its debug information in the file, but no symbol and no caller. */
static const char *dead_reason(const struct resolver *resolver, uint64_t address)
{
	uint64_t offset;

	if (resolver->target->kind == TARGET_PROGRAM)
		return target_file_offset(resolver->arena, resolver->target, address, &offset) ?
		       "code that the linker left out of the file" : NULL;
	if (target_is_init(resolver->target, address))
		return "start-up code, which the kernel frees (.init.text)";
	if (!target_symbol_at(resolver->target, address, NULL))
		return "code without a symbol, overridden by another function of that name";
	return NULL;
}

static void warn(struct resolver *resolver, struct sites *sites, const char *text)
{
	sites->warnings = arena_grow(resolver->arena, sites->warnings,
				     sites->nwarnings * sizeof(*sites->warnings),
				     (sites->nwarnings + 1) * sizeof(*sites->warnings));
	sites->warnings[sites->nwarnings++] = text;
}

static struct error *drop_dead(struct resolver *resolver, const struct spec *spec,
			       struct sites *sites, struct point *points, unsigned *count)
{
	const char *why = NULL;
	unsigned kept = 0;

	for (unsigned i = 0; i < *count; i++) {
		const char *reason = dead_reason(resolver, points[i].at.address);

		if (!reason)
			points[kept++] = points[i];
		why = reason ? reason : why;
	}
	if (!why)
		return NULL;
	if (!kept)
		return error_hint(resolver->arena, error_at(
			error_new(resolver->arena, ERROR_REFUSED, "this is %s", why), spec->text,
			spec->place.span), "only code that stays in memory can be probed");
	if (resolver->target->kind != TARGET_PROGRAM)
		warn(resolver, sites, arena_printf(resolver->arena, "left out %u of %u copies: %s",
						   *count - kept, *count, why));
	*count = kept;
	return NULL;
}

/* memcpy of libc: what is called in the end is another function. */
static void warn_resolver(struct resolver *resolver, struct sites *sites,
			  const struct point *points, unsigned count)
{
	const struct symbol *symbol;

	for (unsigned i = 0; i < count; i++) {
		if (resolver->target->kind != TARGET_PROGRAM)
			return;
		symbol = target_symbol_at(resolver->target, points[i].at.address,
					  sites->spec->place.function);
		if (!symbol || !symbol->is_resolver)
			continue;
		warn(resolver, sites, arena_printf(resolver->arena, "'%s' is an indirect function: "
			"probed is the code that chooses which one is called, run once a process; the "
			"one chosen has a name of its own (ktrace funcs '*%s*')", symbol->name,
			symbol->name));
		return;
	}
}

struct error *resolve_at(struct resolver *resolver, const struct spec *spec, struct point *points,
			 unsigned count, struct sites *sites)
{
	const char **names;
	struct missing *missing;
	struct error *error;

	error = drop_dead(resolver, spec, sites, points, &count);
	if (!error)
		error = expand_spec(resolver, points, count, sites, &spec);
	if (!error)
		error = name_wants(resolver, spec, &names);
	if (error)
		return error;
	check_initialised(resolver, spec, points, count, sites);
	missing = arena_array(resolver->arena, struct missing, spec->nwants + 1);
	warn_resolver(resolver, sites, points, count);
	if (count >= MANY_POINTS)
		warn(resolver, sites, arena_printf(resolver->arena, "%u points: it takes the kernel "
						   "long to set them up, and each slows what it is "
						   "in", count));
	sites->sites = arena_array(resolver->arena, struct site, count);
	for (unsigned i = 0; i < count; i++) {
		error = make_site(resolver, spec, &points[i], names, &sites->sites[i], missing);
		if (error)
			return error;
		sites->nsites++;
	}
	for (unsigned i = 0; i < spec->nwants; i++)
		if (!missing[i].found && !spec->wants[i].is_expanded)
			return missing_error(resolver->arena, &missing[i]);
	return NULL;
}

static struct error *resolve_debuginfo(struct resolver *resolver, const struct spec *spec,
				       struct sites *sites)
{
	struct point *points;
	unsigned count;
	struct error *error = resolve_points(resolver, spec, &points, &count);

	return error ? error : resolve_at(resolver, spec, points, count, sites);
}

/* The first of the functions that the name stands for, if it is none itself, that has all. */
static struct error *resolve_aliases(struct resolver *resolver, const struct spec *spec,
				     struct sites *sites)
{
	const struct spec *aliases[ALIASES_MAX];
	unsigned count = alias_specs(resolver, spec, aliases);
	struct error *first = NULL;

	if (!count)
		return resolve_debuginfo(resolver, spec, sites);
	for (unsigned i = 0; i < count; i++) {
		struct error *error;

		*sites = (struct sites){.spec = aliases[i]};
		error = resolve_debuginfo(resolver, aliases[i], sites);
		if (!error)
			return NULL;
		first = first ? first : error;
	}
	return first;
}

/* The kernel resolves the symbol; ktrace only passes it on. */
static struct error *resolve_raw(struct resolver *resolver, const struct spec *spec,
				 const char *const *names, struct sites *sites)
{
	const struct place *place = &spec->place;
	struct site *site = arena_new(resolver->arena, struct site);

	site->is_return = spec_is_return(spec);
	site->module = place->module;
	site->symbol = site->shown_symbol = place->function;
	site->offset = site->shown_offset = place->offset;
	site->function = place->function;
	site->captures = arena_array(resolver->arena, struct capture, spec->nwants + 1);
	site->ncaptures = spec->nwants;
	for (unsigned i = 0; i < spec->nwants; i++) {
		struct error *error = check_register(resolver, spec, &spec->wants[i]);

		if (!error)
			error = check_return_value(resolver, spec, &spec->wants[i]);
		if (error)
			return error;
		capture_raw(resolver->arena, &spec->wants[i], &site->captures[i]);
		site->captures[i].name = names[i];
	}
	sites->sites = site;
	sites->nsites = 1;
	return NULL;
}

struct error *resolve_spec(struct resolver *resolver, const struct spec *spec, struct sites **ret)
{
	struct sites *sites = arena_new(resolver->arena, struct sites);
	const char **names = NULL;
	struct error *error = name_wants(resolver, spec, &names);

	if (error)
		return error;
	sites->spec = spec;
	*ret = sites;
	if (!resolver->info || (spec_is_raw(spec) && spec->place.module))
		return resolve_raw(resolver, spec, names, sites);
	return resolve_aliases(resolver, spec, sites);
}

static const char *leaf_text(void *cookie, struct arena *arena, const struct expr *leaf)
{
	const struct resolver *resolver = cookie;
	const struct symbol *symbol;

	if (leaf->op == EXPR_REG)
		return arch_register(resolver->arch, leaf->value) ?:
		       arena_printf(arena, "reg%llu", (unsigned long long)leaf->value);
	if (leaf->op == EXPR_CPU)
		return "cpu";
	if (leaf->op != EXPR_STATIC)
		return NULL;
	symbol = target_symbol_at(resolver->target, leaf->value, NULL);
	if (!symbol)
		return arena_printf(arena, "%#llx", (unsigned long long)leaf->value);
	return arena_printf(arena, "&%s+%llu", symbol->name,
			    (unsigned long long)(leaf->value - symbol->address));
}

static char *place_text(struct resolver *resolver, bool in_memory, const struct expr *expr)
{
	const char *text = expr_print(resolver->arena, expr, leaf_text, resolver);

	if (in_memory)
		return arena_printf(resolver->arena, "memory at %s", text);
	if (expr->op == EXPR_REG)
		return arena_printf(resolver->arena, "register %s", text);
	if (expr->op == EXPR_CONST)
		return arena_printf(resolver->arena, "constant %s", text);
	return arena_printf(resolver->arena, "value %s", text);
}

static char *pieces_text(struct resolver *resolver, const struct loc *loc)
{
	char *text = arena_strdup(resolver->arena, "");

	for (unsigned i = 0; i < loc->npieces; i++) {
		const struct piece *piece = &loc->pieces[i];

		text = arena_printf(resolver->arena, "%s%s%u bytes: %s", text, i ? ", " : "", piece->size,
				    piece->expr ? place_text(resolver, piece->in_memory, piece->expr) :
						  "nowhere");
	}
	return text;
}

char *resolve_loc_text(struct resolver *resolver, const struct loc *loc)
{
	if (loc->kind == LOC_PIECES)
		return pieces_text(resolver, loc);
	if (loc->kind != LOC_MEMORY && loc->kind != LOC_VALUE)
		return arena_strdup(resolver->arena, "");
	return place_text(resolver, loc->kind == LOC_MEMORY, loc->expr);
}
