// SPDX-License-Identifier: GPL-2.0-only
/*
 * A want and a position in, a capture out: finds the variable and where it is there; walk.c walks on from
 * it, and capture_type.c says how it is shown.
 */
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/values/walk.h"
#include "target/target.h"

/* Whether it is the same wherever the CPU is: it doesn't go with the function's frame. */
static bool is_everywhere(const struct loc *loc)
{
	return loc->kind == LOC_MEMORY && loc->expr->op == EXPR_STATIC;
}

/* Nothing but the stack pointer and constants goes into it. */
static bool is_of_stack(const struct resolver *resolver, const struct expr *expr)
{
	if (!expr || expr->op == EXPR_CONST)
		return true;
	if (expr->op == EXPR_REG)
		return expr->value == resolver->arch->stack_register;
	return (expr->a || expr->b) && expr->op != EXPR_LOAD && expr->op != EXPR_ENTRY &&
	       is_of_stack(resolver, expr->a) && is_of_stack(resolver, expr->b);
}

/* A number of fewer bytes than an address has is none of the stack's: clang says `sp + 8`, where it means what
 * was stored there. The difference of two is a number. */
static bool is_lost_slot(const struct resolver *resolver, const struct variable *variable)
{
	const struct type *type = variable->type;

	return variable->loc.kind == LOC_VALUE && type->size < 8 && type->kind != TYPE_POINTER &&
	       expr_uses(variable->loc.expr, EXPR_REG) && is_of_stack(resolver, variable->loc.expr);
}

/* The walk goes on at a variable. */
static struct error *enter(struct walk *walk, struct variable *variable)
{
	struct resolver *resolver = walk->resolver;
	const struct want *want = walk->want;
	struct loc *loc = &variable->loc;
	const char *reason;
	struct error *error;

	if (loc->kind == LOC_ABSENT || loc->kind == LOC_REFUSED)
		return missing_value(resolver, walk->instance, walk->spec, want, loc->reason);
	if (is_lost_slot(resolver, variable))
		return missing_value(resolver, walk->instance, walk->spec, want,
				     "debug information has an address of the stack for it");
	reason = resolve_statics(resolver, walk->probed, loc);
	if (reason)
		return walk_error(walk, want->base_span, ERROR_INEXPRESSIBLE,
			     arena_printf(resolver->arena, "'%s' can't be had: %s", want->base,
					  reason));
	walk->at = (struct object){
		.type = variable->type,
		.in_memory = loc->kind == LOC_MEMORY,
		.expr = loc->expr,
		.pieces = loc->pieces,
		.npieces = loc->npieces,
		.pointee = loc->target,
		.pointee_offset = loc->offset,
	};
	error = walk_settle(walk, want->base_span);
	return error ? error : walk_refer(walk);
}

/* The object that an implicit pointer leads to: it has a value, though no address. */
struct error *walk_enter_pointee(struct walk *walk)
{
	struct debuginfo *info = walk->resolver->info;
	int64_t offset = walk->at.pointee_offset;
	struct variable *variable;
	struct error *error;

	if (walk->depth++ > 8)
		return walk_error(walk, walk->want->base_span, ERROR_INEXPRESSIBLE,
			     "implicit pointers that lead to one another");
	error = debuginfo_object(info, walk->instance, walk->position, walk->at.pointee, &variable);
	if (!error && !variable)
		error = walk_error(walk, walk->want->base_span, ERROR_NO_VALUE,
			      "what it points to was optimised out");
	if (!error)
		error = enter(walk, variable);
	if (error || !offset)
		return error;
	if (walk->at.npieces)
		walk->at.piece_offset += (uint64_t)offset;
	else if (walk->at.in_memory)
		walk->at.expr = expr_offset(walk->resolver->arena, walk->at.expr, offset);
	else
		return walk_error(walk, walk->want->base_span, ERROR_INEXPRESSIBLE,
			     "it points into the middle of a value");
	return NULL;
}

/* $retval, alone or in the kernel's syntax, +8($retval): elsewhere the register holds anything. */
struct error *check_return_value(struct resolver *resolver, const struct spec *spec,
				 const struct want *want)
{
	const char *at = strstr(want->base, RETURN_VALUE);
	struct error *error;
	unsigned start;

	if (!at || spec_is_return(spec))
		return NULL;
	start = want->base_span.start + (unsigned)(at - want->base);
	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "only a return has a return value"),
			 spec->text, (struct span){start, start + (unsigned)strlen(RETURN_VALUE)});
	return spec->place.function && !spec->place.has_address ?
	       error_hint(resolver->arena, error, "probe %s%%return", spec->place.function) : error;
}

/* $retval with steps: the register it is in, of the type that debug information says. */
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

static struct error *start(struct walk *walk, const struct instance *instance, struct position at,
			   struct capture *ret)
{
	struct resolver *resolver = walk->resolver;
	const struct want *want = walk->want;
	const struct spec *spec = walk->spec;
	struct variable *variable;
	struct error *error;

	if (!strcmp(want->base, RETURN_VALUE))
		return start_at_return_value(walk, instance);
	error = resolve_variable(resolver, instance, at, want->base, &variable);
	if (error)
		return error;
	if (!variable && !strcmp(want->base, CURRENT_TASK))
		return resolver->target->kind == TARGET_PROGRAM ?
		       error_hint(resolver->arena, walk_error(walk, want->base_span, ERROR_NOT_FOUND,
			     "$current is the kernel's: a program doesn't see its task_struct"),
			     "the thread's name is $comm; each event says its number") :
		       walk_error(walk, want->base_span, ERROR_NO_DEBUGINFO, "the kernel's debug information "
			     "has no current_task, nor a pcpu_hot with one");
	if (!variable)
		return unknown_variable(resolver, instance, at, spec, want);
	/* a return's variables are the entry's: by then they are gone */
	ret->at_entry = spec->place.kind == PLACE_RETURN && !is_everywhere(&variable->loc);
	walk->instance = instance;
	walk->position = at;
	if (ret->at_entry || !walk->probed)
		walk->probed = at.address;
	return enter(walk, variable);
}

/* What $current is, a module's debug information hardly ever says. */
static struct error *enter_kernel(struct walk *walk)
{
	struct resolver *resolver = walk->resolver;

	if (strcmp(walk->want->base, CURRENT_TASK) != 0 || !resolver->target->module)
		return NULL;
	if (!resolver->open_kernel)
		return error_hint(resolver->arena,
				  walk_error(walk, walk->want->base_span, ERROR_NO_DEBUGINFO, "the kernel "
					"defines it, and its debug information isn't at hand"),
				  "name the kernel too: -k VMLINUX");
	return resolver->open_kernel(resolver->cookie, &walk->resolver);
}

static const char unwritten_reason[] =
	"it is still to be stored at this address, the beginning of the function";

static const char *unwritten(const struct point *point, const struct variable *variable)
{
	const struct loc *loc = &variable->loc;
	unsigned size = variable->type->size ? (unsigned)variable->type->size : 1;

	if ((loc->kind != LOC_MEMORY && loc->kind != LOC_VALUE) ||
	    !prologue_is_unwritten(point->prologue, point->at.address, loc->expr,
				   loc->kind == LOC_MEMORY ? size : 0))
		return NULL;
	return unwritten_reason;
}

static unsigned bytes_read(const struct capture *capture)
{
	switch (capture->kind) {
	case CAPTURE_STRING: return capture->count ? capture->count : 1;
	case CAPTURE_ARRAY: return capture->size * capture->count;
	case CAPTURE_OBJECT: return capture->shape->size;
	default: return 0;
	}
}

/* NULL: nowhere. */
static const struct loc *loc_at(const struct walk *walk, struct position at)
{
	struct variable *variable;

	if (resolve_variable(walk->resolver, walk->instance, at, walk->want->base, &variable) || !variable ||
	    variable->loc.kind == LOC_ABSENT || variable->loc.kind == LOC_REFUSED)
		return NULL;
	return &variable->loc;
}

/* Whether the variable is what the instruction makes of it: debug information has it where it was, also behind
 * the instruction. Where it has it as another expression there, of the same value, the register was needed for
 * something else; where it has none any more, what is made of the old value is the new one. */
static bool is_changed(const struct walk *walk, struct position at, const struct pending_write *write,
		       bool is_update)
{
	const struct position behind = {.address = write->end, .is_straight = true, .line = at.line};
	const struct loc *before = loc_at(walk, at), *after = loc_at(walk, behind);

	if (!before || !after)
		return before && is_update && (before->kind == LOC_MEMORY ||
					       (before->expr && before->expr->op == EXPR_REG));
	return before->kind == after->kind && before->expr && after->expr &&
	       expr_equal(before->expr, after->expr);
}

static bool reads_changed(const struct capture *capture, const struct pending_write *write, bool is_update)
{
	bool found = pending_changes(write, capture->expr, bytes_read(capture), is_update);

	for (unsigned i = 0; i < capture->nparts; i++)
		found |= pending_changes(write, capture->parts[i].expr, 0, is_update);
	return found;
}

/* Why the value is an older one than the source has at the point, or NULL. */
static const char *outdated(struct walk *walk, const struct point *point, struct position at,
			    const struct capture *capture)
{
	const struct pending *pending = at.address == point->at.address ? point->pending : NULL;

	for (unsigned i = 0; pending && i < pending->count; i++) {
		const struct pending_write *write = &pending->list[i];

		if (!reads_changed(capture, write, false))
			continue;
		if (!is_changed(walk, at, write, reads_changed(capture, write, true)))
			return NULL;
		return arena_printf(walk->resolver->arena, "line %u, which the source has before this one, "
				    "changes it behind this address", write->line);
	}
	return NULL;
}

static struct error *finish_capture(struct walk *walk, const struct point *point,
				    struct position at, struct capture *ret)
{
	const char *reason;

	ret->type_name = walk->at.type->name;
	reason = prologue_is_unwritten(point->prologue, at.address, ret->expr, bytes_read(ret)) ?
		 unwritten_reason : outdated(walk, point, at, ret);
	return reason ? missing_value(walk->resolver, point->instance, walk->spec, walk->want, reason) :
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
	struct error *error = enter_kernel(&walk);

	walk.path = arena_strdup(resolver->arena, want->base);
	if (!error)
		error = start(&walk, point->instance, at, ret);
	if (error)
		return error;
	error = walk_steps(&walk);
	if (!error)
		error = capture_shape(&walk, ret);
	if (!error)
		return finish_capture(&walk, point, at, ret);
	ret->type_name = walk.at.type->name;
	return error;
}

const char *resolve_uninitialised(const struct point *point, const struct variable *variable)
{
	const struct instance *instance = point->instance;

	if (variable->scope != SCOPE_LOCAL || variable->loc.kind != LOC_MEMORY ||
	    variable->loc.expr->op == EXPR_STATIC || point->at.address != instance->entry)
		return NULL;
	return "not yet initialised";
}

const char *resolve_shown(struct resolver *resolver, const struct point *point,
			  const struct variable *variable, struct capture *ret)
{
	const struct want want = {.base = variable->name};
	const struct spec spec = {.text = ""};
	struct walk walk = {.resolver = resolver, .spec = &spec, .want = &want,
			    .home = resolver, .instance = point->instance, .position = point->at,
			    .probed = point->at.address};
	struct variable copy = *variable;
	const char *reason = variable->loc.reason;
	struct error *error;

	if (variable->loc.kind == LOC_ABSENT || variable->loc.kind == LOC_REFUSED)
		return reason;
	reason = resolve_uninitialised(point, variable);
	if (!reason)
		reason = unwritten(point, variable);
	if (reason)
		return reason;
	walk.path = arena_strdup(resolver->arena, variable->name);
	*ret = (struct capture){.name = variable->name, .type_name = variable->type->name};
	error = enter(&walk, &copy);
	if (!error)
		error = capture_shape(&walk, ret);
	return error ? error->message : outdated(&walk, point, point->at, ret);
}
