// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures an argument in kernel syntax (%di, +8(%si):u64, $retval): it is checked, and then passed
 * on as written. A spec that says no more than the kernel needs becomes a site the same way,
 * without a file to look at. $retval alone gets the function's return type.
 */
#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"
#include "target/target.h"

bool capture_of_pair(const struct spec *spec, const struct want *want, struct capture *ret)
{
	if (want->is_start) {
		*ret = (struct capture){
			.kind = CAPTURE_START, .type_name = "", .start = want->start};
		return true;
	}
	if (!spec_is_end(spec) || want->kind != WANT_VARIABLE || want->nsteps ||
	    strcmp(want->base, DURATION) != 0)
		return false;
	*ret = (struct capture){
		.kind = CAPTURE_BETWEEN,
		.type_name = "ns",
		.render = want->type ? RENDER_TIME : RENDER_UNSIGNED,
		.size = 8,
	};
	return true;
}

bool spec_is_raw(const struct spec *spec)
{
	struct capture of_pair;

	if (spec->place.kind == PLACE_LINE || spec->place.kind == PLACE_FILE || spec->place.file ||
	    spec->place.kind == PLACE_PATTERN || spec->place.has_address ||
	    is_glob(spec->place.function))
		return false;
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind != WANT_RAW && spec->wants[i].kind != WANT_STACK &&
		    spec->wants[i].kind != WANT_PLACE &&
		    !capture_of_pair(spec, &spec->wants[i], &of_pair))
			return false;
	return true;
}

/* A register as a string: it points to it, which kernel syntax must say. */
static bool is_string_pointer(const struct want *want)
{
	return want->type && (!strcmp(want->type, "string") || !strcmp(want->type, "ustring")) &&
	       strchr("%$", *want->base) && strcmp(want->base, "$comm") != 0;
}

/* Refuses registers that kprobe events know but that have no DWARF number we use. */
static struct error *check_register(struct resolver *resolver, const struct spec *spec,
				    const struct want *want)
{
	static const char *const others[] = {"cs", "ss"};
	const char *percent = strchr(want->base, '%');
	const struct arch *arch = resolver->arch;
	char *name, *list = NULL;
	struct error *error;

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
	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "no register '%s'", name),
			 spec->text, want->base_span);
	/* the assembler's names: rdi, esi */
	for (unsigned i = 0; i < arch->nregisters && (*name == 'r' || *name == 'e'); i++)
		if (arch->registers[i] && !strcmp(name + 1, arch->registers[i]))
			return error_hint(resolver->arena, error, "did you mean %%%s?", name + 1);
	return error_hint(resolver->arena, error, "%s's registers are: %s cs ss", arch->name, list);
}

/* Passes on text for the kernel as written, checked as far as that needs no target. */
static struct error *pass_on(struct resolver *resolver, const struct spec *spec,
			     const struct want *want, struct capture *ret)
{
	struct error *error;

	ret->kind = CAPTURE_RAW;
	ret->text = is_string_pointer(want) ? arena_printf(resolver->arena, "+0(%s)", want->base) :
					      want->base;
	ret->raw_type = want->type;
	ret->type_name = "";
	error = check_register(resolver, spec, want);
	return error ? error : check_return_value(resolver, spec, want);
}

/* Refuses @NAME of several symbols: the kernel would silently read the first it finds. */
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

/* The kernel's functions, all of them C, return a small struct like a number of its size. */
static bool is_small_struct(const struct resolver *resolver, const struct type *type)
{
	return resolver->target->kind != TARGET_PROGRAM && type->size >= 1 && type->size <= 8 &&
	       (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION);
}

/* Whether it is $retval as the source means it, not the register's bytes. */
static bool is_typed_return(const struct want *want)
{
	return !strcmp(want->base, RETURN_VALUE) && (!want->type || !strcmp(want->type, "errno"));
}

bool returns_reference(struct resolver *resolver, const struct instance *instance,
		       const struct want *want)
{
	const struct type *type;

	return instance && is_typed_return(want) &&
	       !debuginfo_return_type(resolver->info, instance->function, &type) &&
	       type_is_reference(type);
}

/* $retval without a type gets the function's own: -ENOENT rather than 0xfffffffffffffffe. */
static struct error *type_return(struct resolver *resolver, const struct spec *spec,
				 const struct instance *instance, const struct want *want,
				 struct capture *ret)
{
	const struct type *type;
	struct error *error;

	error = debuginfo_return_type(resolver->info, instance->function, &type);
	if (error)
		return error;
	if (type->kind == TYPE_VOID)
		return error_hint(resolver->arena, error_at(
			error_new(resolver->arena, ERROR_NO_VALUE, "'%s' returns nothing",
				  instance->function->name), spec->text, want->span),
			"leave $retval out, or give it a type: $retval:x64");
	ret->type_name = type->name;
	if (type->kind == TYPE_FLOAT)
		return error_at(error_new(resolver->arena, ERROR_INEXPRESSIBLE,
					  "'%s' returns a '%s': it is in a floating-point "
					  "register, and probes can't read those",
					  instance->function->name, type->name),
				spec->text, want->span);
	if (is_small_struct(resolver, type)) {
		ret->raw_type = "x64";
		ret->render = RENDER_HEX;
		return make_shape(resolver, type, want->type, &ret->shape);
	}
	if (!is_number_type(resolver, type) || type->size > 8)
		return error_hint(resolver->arena,
				  error_at(error_new(resolver->arena, ERROR_INEXPRESSIBLE,
						     "'%s' returns a whole '%s', which "
						     "no one register holds",
						     instance->function->name, type->name),
					   spec->text, want->span),
				  "the register alone: $retval:x64");
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

struct error *capture_raw(struct resolver *resolver, const struct spec *spec,
			  const struct instance *instance, const struct want *want,
			  struct capture *ret)
{
	struct error *error = pass_on(resolver, spec, want, ret);

	if (!error)
		error = check_symbol(resolver, spec, want);
	if (!error)
		error = program_check_raw(resolver, spec, want);
	if (!error && instance && is_typed_return(want))
		error = type_return(resolver, spec, instance, want, ret);
	return error;
}

struct error *resolve_raw(struct resolver *resolver, const struct spec *spec,
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
		const struct want *want = &spec->wants[i];
		struct capture *capture = &site->captures[i];
		struct error *error = capture_of_pair(spec, want, capture) ?
					      NULL :
				      want->kind == WANT_STACK ?
					      capture_stack(resolver, spec, want, capture) :
				      want->kind == WANT_PLACE ?
					      capture_place(resolver, spec, want, site, capture) :
					      pass_on(resolver, spec, want, capture);

		if (error)
			return error;
		site->captures[i].name = names[i];
	}
	sites->sites = site;
	sites->nsites = 1;
	return NULL;
}
