// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures one want at one position: finds the variable and its location there; walk.c follows the
 * steps from it, and capture_type.c says how the result is shown.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/written.h"
#include "resolve/values/doubts.h"
#include "target/target.h"

/* Whether the location is the same at every instruction: it doesn't depend on the function's
 * frame. */
static bool is_everywhere(const struct loc *loc)
{
	return loc->kind == LOC_MEMORY && loc->expr->op == EXPR_STATIC;
}

/* $retval, alone or in kernel syntax, +8($retval): anywhere but at a return the register holds
 * anything. */
struct error *check_return_value(struct resolver *resolver, const struct spec *spec,
				 const struct want *want)
{
	const char *at = strstr(want->base, RETURN_VALUE);
	struct error *error;
	unsigned start;

	if (!at || spec_is_return(spec))
		return NULL;
	start = want->base_span.start + (unsigned)(at - want->base);
	error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "only a return has a return value"),
		spec->text, (struct span){start, start + (unsigned)strlen(RETURN_VALUE)});
	return spec->place.function && !spec->place.has_address ?
	       error_hint(resolver->arena, error, "probe %s%%return", spec->place.function) : error;
}

/* $retval with steps: the register that holds it, with the type that debug information gives it. */
static struct error *start_at_return_value(struct walk *walk, const struct instance *instance)
{
	struct resolver *resolver = walk->resolver;
	const struct type *type;
	struct error *error;

	error = check_return_value(resolver, walk->spec, walk->want);
	if (!error)
		error = debuginfo_return_type(resolver->info, instance->function, &type);
	if (error)
		return error;
	if (type->kind == TYPE_VOID)
		return walk_error(walk, walk->want->base_span, ERROR_NO_VALUE,
			     arena_printf(resolver->arena, "'%s' returns nothing",
					  instance->function->name));
	walk->at = (struct object){
		.type = type,
		.expr = expr_leaf(resolver->arena, EXPR_REG, resolver->arch->return_register),
	};
	return walk_refer(walk);
}

/* How many times `this->` has to stand before a member's name, as only C++ leaves it out; 0: it is
 * no member. In clang's lambdas `this` is the closure, whose member `this` is what it captured. */
static unsigned own_member_depth(struct walk *walk, const struct instance *instance,
				 struct position at)
{
	struct resolver *resolver = walk->resolver;
	const struct type *type;
	struct variable *object;
	struct member *member;

	if (!instance || resolver->target->kind != TARGET_PROGRAM ||
	    resolve_variable(resolver, instance, at, "this", &object) || !object ||
	    !object->is_artificial)
		return 0;
	type = object->type;
	for (unsigned depth = 1; depth <= 2; depth++) {
		if (type->kind != TYPE_POINTER || !type_is_struct(type->target))
			return 0;
		if (!debuginfo_member(resolver->info, type->target, walk->want->base, &member) &&
		    member)
			return depth;
		if (debuginfo_member(resolver->info, type->target, "this", &member) || !member)
			return 0;
		type = member->type;
	}
	return 0;
}

/* `count` in a method, as this->count. */
static const struct want *as_member(struct arena *arena, const struct want *want, unsigned depth)
{
	struct want *ret = arena_new(arena, struct want);

	*ret = *want;
	ret->base = "this";
	ret->nsteps = want->nsteps + depth;
	ret->steps = arena_array(arena, struct step, ret->nsteps);
	for (unsigned i = 0; i < depth; i++)
		ret->steps[i] = (struct step){
			.kind = STEP_ARROW,
			.name = i + 1 < depth ? "this" : want->base,
			.span = want->base_span,
		};
	for (unsigned i = 0; i < want->nsteps; i++)
		ret->steps[i + depth] = want->steps[i];
	return ret;
}

static struct error *start(struct walk *walk, const struct instance *instance, struct position at,
			   struct capture *ret)
{
	struct resolver *resolver = walk->resolver;
	const struct want *want = walk->want;
	const struct spec *spec = walk->spec;
	struct variable *variable;
	struct error *error;
	unsigned depth = 0;

	if (!strcmp(want->base, RETURN_VALUE))
		return start_at_return_value(walk, instance);
	error = want->is_local ? resolve_local(resolver, instance, at, want->base, &variable) :
		resolve_variable(resolver, instance, at, want->base, &variable);
	if (!error && !want->is_local && (!variable || variable->is_outside))
		depth = own_member_depth(walk, instance, at);
	if (depth) {
		walk->want = want = as_member(resolver->arena, want, depth);
		error = resolve_variable(resolver, instance, at, want->base, &variable);
	}
	if (error)
		return error;
	if (!variable && !strcmp(want->base, CURRENT_TASK))
		return resolver->target->kind == TARGET_PROGRAM ?
			       error_hint(
				       resolver->arena,
				       walk_error(walk, want->base_span, ERROR_NOT_FOUND,
						  "$current is the kernel's: a program doesn't see "
						  "its task_struct"),
				       "the thread's name is $comm; each event shows its number") :
			       walk_error(walk, want->base_span, ERROR_NO_DEBUGINFO,
					  "the kernel's debug information "
					  "has no current_task, nor a pcpu_hot with one");
	if (!variable)
		return unknown_variable(resolver, instance, at, spec, want);
	/* a return's variables are captured at the entry: by then they are gone */
	ret->at_entry = spec->place.kind == PLACE_RETURN && !is_everywhere(&variable->loc);
	walk->instance = instance;
	walk->variable = variable;
	walk->position = at;
	if (ret->at_entry || !walk->probed)
		walk->probed = at.address;
	return walk_enter(walk, variable);
}

/* For $current: a module's debug information hardly ever has it, its kernel's does. */
static struct error *enter_kernel(struct walk *walk)
{
	struct resolver *resolver = walk->resolver;

	if (strcmp(walk->want->base, CURRENT_TASK) != 0 || !resolver->target->module)
		return NULL;
	if (!resolver->open_kernel)
		return error_hint(resolver->arena,
				  walk_error(walk, walk->want->base_span, ERROR_NO_DEBUGINFO,
					     "the kernel defines it, and its debug information "
					     "isn't available"),
				  "name the kernel too: -k VMLINUX");
	return resolver->open_kernel(resolver->cookie, &walk->resolver);
}

static const char unwritten_reason[] =
	"it is still to be stored at this address, the beginning of the function";

const char *variable_unwritten(const struct point *point, const struct variable *variable)
{
	const struct loc *loc = &variable->loc;
	unsigned size = variable->type->size ? (unsigned)variable->type->size : 1;

	if ((loc->kind != LOC_MEMORY && loc->kind != LOC_VALUE) ||
	    !prologue_is_unwritten(point->prologue, point->at.address, loc->expr,
				   loc->kind == LOC_MEMORY ? size : 0))
		return NULL;
	return unwritten_reason;
}

unsigned capture_bytes(const struct capture *capture)
{
	switch (capture->kind) {
	case CAPTURE_STRING: return capture->count ? capture->count : 1;
	case CAPTURE_ARRAY: return capture->size * capture->count;
	case CAPTURE_OBJECT: return capture->shape->size;
	default: return 0;
	}
}

static struct error *check_current(struct walk *walk, const struct point *point, struct position at,
				  const struct capture *capture)
{
	const struct question question = {walk, point, at, capture};
	const char *reason = capture_doubt(&question);

	if (prologue_is_unwritten(point->prologue, at.address, capture->expr,
				  capture_bytes(capture)))
		reason = unwritten_reason;
	return reason ? missing_value(walk->resolver, point->instance, walk->spec, walk->want,
				      reason) :
			NULL;
}

struct error *resolve_capture(struct resolver *resolver, const struct point *point,
			      struct position at, const struct spec *spec,
			      const struct want *want, struct capture *ret)
{
	struct walk walk = {
		.resolver = resolver,
		.home = resolver,
		.instance = point->instance,
		.spec = spec,
		.want = want,
		.probed = point->exit ? point->exit->address : 0,
	};
	struct error *error;

	/* a function of 20,000 rows with 1,000 variables would need gigabytes */
	arena_reset(&resolver->scratch);
	error = enter_kernel(&walk);
	walk.path = arena_strdup(resolver->arena, want->base);
	if (!error)
		error = start(&walk, point->instance, at, ret);
	if (error)
		return error;
	error = walk_steps(&walk);
	if (!error)
		error = capture_shape(&walk, ret);
	ret->type_name = walk.at.type->name;
	if (!error)
		error = check_current(&walk, point, at, ret);
	if (!error)
		name_statics(resolver, ret);
	return error;
}

const char *resolve_uninitialised(const struct point *point, const struct variable *variable)
{
	const struct instance *instance = point->instance;

	if (variable->scope != SCOPE_LOCAL || variable->loc.kind != LOC_MEMORY ||
	    variable->loc.expr->op == EXPR_STATIC || !is_begun_at(instance, point->at.address))
		return NULL;
	return "not yet initialised";
}
