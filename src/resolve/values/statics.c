// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the variable that a name means, also one that is only declared, or $current; and turns each
 * address in its location into one that the kernel can be told, or gives the reason why not. An
 * address inside .data..percpu is no address: it is what each CPU adds to the start of its own
 * area; from Linux 6.15 on (x86), what that address becomes when the kernel is moved (KASLR).
 */
#include "debuginfo/debuginfo.h"
#include "resolve/values/values.h"
#include "target/placing.h"
#include "target/target.h"

static const char percpu_area[] = "__per_cpu_offset"; /* unsigned long [NR_CPUS] */

/* The start of the area of the hit's CPU. Returns NULL and sets *reason if it is unknown. */
static const struct expr *cpu_area(struct resolver *resolver, const struct target *kernel,
				   const char **reason)
{
	struct arena *arena = resolver->arena;
	uint64_t area = target_symbol_address(kernel, percpu_area);
	const struct expr *at;

	if (!area) {
		*reason = "it is a per-CPU variable, and the kernel has no __per_cpu_offset";
		return NULL;
	}
	at = expr_binary(arena, EXPR_MUL, expr_leaf(arena, EXPR_CPU, 0), expr_const(arena, 8));
	at = expr_binary(arena, EXPR_ADD, expr_leaf(arena, EXPR_STATIC, area), at);
	return expr_load(arena, at, 8, false, false);
}

/* The kernel or module whose per-CPU section holds the address, and the offset in it; NULL:
 * none. */
static const struct target *percpu_of(const struct resolver *resolver, uint64_t *address)
{
	const struct target *owner = target_owner(resolver->target, address);

	return target_is_percpu(owner, *address) ? owner : NULL;
}

/* What a CPU adds to the start of its area. */
static const struct expr *percpu_number(struct arena *arena, const struct target *kernel,
					uint64_t address)
{
	return target_percpu_moves(kernel) ? expr_leaf(arena, EXPR_STATIC, address) :
					     expr_const(arena, address);
}

/* The linker gives what it drops (.discard.*) the address 0, in vmlinux and, for the loader's
 * part, in modules; vmlinux's first per-CPU object (fixed_percpu_data) is refused along with it. */
static const char discarded[] = "its section is dropped from the kernel";

struct statics {
	struct resolver *resolver;
	uint64_t at;
	const char *reason;
};

static const struct expr *relocate(struct statics *statics, const struct expr *expr, bool is_read);

/* The load address of a PIE or library is only known at run time; but the probed instruction
 * moves with it, and the kernel knows that one's address. */
static const struct expr *place_in_program(const struct statics *statics, const struct expr *leaf)
{
	const struct resolver *resolver = statics->resolver;

	if (resolver->target->is_fixed)
		return expr_const(resolver->arena, leaf->value);
	return expr_offset(resolver->arena,
			   expr_leaf(resolver->arena, EXPR_REG, resolver->arch->ip_register),
			   (int64_t)(leaf->value - statics->at));
}

/* A static address used as a number, not as the object's place: a pointer to a per-CPU variable
 * is just its offset. */
static const struct expr *relocate_leaf(struct statics *statics, const struct expr *leaf,
					bool is_read)
{
	const struct resolver *resolver = statics->resolver;
	struct placement place;
	uint64_t address = leaf->value;
	const struct target *percpu = percpu_of(resolver, &address);

	if (percpu && percpu->module)
		statics->reason = "its per-CPU offset is only known once the module is loaded";
	else if (!leaf->value)
		statics->reason = discarded;
	else if (percpu && is_read)
		statics->reason = "it is computed from a per-CPU variable";
	else if (percpu)
		return percpu_number(resolver->arena, percpu, address);
	else
		statics->reason = target_place_data(resolver->arena, resolver->target, leaf->value,
						    &place);
	return leaf;
}

static const struct expr *relocate_node(struct statics *statics, const struct expr *expr,
					bool is_read)
{
	struct arena *arena = statics->resolver->arena;
	const struct expr *a = relocate(statics, expr->a, is_read || expr->op == EXPR_LOAD);
	const struct expr *b = relocate(statics, expr->b, is_read);

	if (a == expr->a && b == expr->b)
		return expr;
	if (b)
		return expr_binary(arena, expr->op, a, b);
	if (expr->op == EXPR_LOAD)
		return expr_load(arena, a, expr->size, expr->is_signed, expr->is_user);
	if (expr->op == EXPR_EXTEND)
		return expr_extend(arena, a, expr->size, expr->is_signed);
	return expr_unary(arena, expr->op, a);
}

static const struct expr *relocate(struct statics *statics, const struct expr *expr, bool is_read)
{
	if (!expr || statics->reason)
		return expr;
	if (expr->op == EXPR_STATIC && statics->resolver->target->kind == TARGET_PROGRAM)
		return place_in_program(statics, expr);
	if (expr->op == EXPR_STATIC)
		return relocate_leaf(statics, expr, is_read);
	return relocate_node(statics, expr, is_read);
}

static const char *place_statics(struct resolver *resolver, uint64_t at, struct loc *loc)
{
	struct statics statics = {.resolver = resolver, .at = at};
	uint64_t address = loc->expr && loc->expr->op == EXPR_STATIC ? loc->expr->value : 0;
	const struct target *percpu = NULL;
	const struct expr *area, *number;

	if (loc->kind == LOC_MEMORY && loc->expr->op == EXPR_STATIC &&
	    resolver->target->kind != TARGET_PROGRAM)
		percpu = percpu_of(resolver, &address);
	if (percpu && (percpu->module || address)) {
		number = percpu_number(resolver->arena, percpu, address);
		if (percpu->module) {
			statics.reason = target_module_percpu(percpu, address, &percpu, &address);
			number = expr_const(resolver->arena, address);
		}
		area = statics.reason ? NULL : cpu_area(resolver, percpu, &statics.reason);
		if (area)
			loc->expr = expr_binary(resolver->arena, EXPR_ADD, area, number);
	} else {
		loc->expr = relocate(&statics, loc->expr, false);
	}
	return statics.reason;
}

const char *resolve_statics(struct resolver *resolver, uint64_t at, struct loc *loc)
{
	struct piece *pieces;
	const char *reason = NULL;

	if (loc->kind != LOC_PIECES)
		return place_statics(resolver, at, loc);
	pieces = arena_array(resolver->arena, struct piece, loc->npieces + 1);
	for (unsigned i = 0; i < loc->npieces && !reason; i++) {
		struct loc one = {
			.kind = loc->pieces[i].in_memory ? LOC_MEMORY : LOC_VALUE,
			.expr = loc->pieces[i].expr,
		};

		if (one.expr)
			reason = place_statics(resolver, at, &one);
		pieces[i] = loc->pieces[i];
		pieces[i].expr = one.expr;
	}
	loc->pieces = pieces;
	return reason;
}

struct naming {
	struct resolver *resolver;
	struct static_place *list;
	unsigned count;
};

static struct static_place *find_place(const struct naming *naming, uint64_t address)
{
	for (unsigned i = 0; i < naming->count; i++)
		if (naming->list[i].address == address)
			return &naming->list[i];
	return NULL;
}

/* The probed module, if the object is its own and not one that it only declares. */
static const char *module_of(const struct resolver *resolver, uint64_t address)
{
	const struct target *owner = target_owner(resolver->target, &address);

	return address < EXTERN_BASE ? owner->module : NULL;
}

static void add_static(struct naming *naming, uint64_t address, bool is_number)
{
	struct resolver *resolver = naming->resolver;
	struct static_place *place = find_place(naming, address);
	struct placement placement;

	if (!place) {
		place = &arena_append(resolver->arena, naming->list, naming->count);
		*place = (struct static_place){.address = address,
					       .module = module_of(resolver, address)};
		if (!target_place_data(resolver->arena, resolver->target, address, &placement))
			place->name = placement_text(resolver->arena, &placement);
	}
	if (!is_number || place->is_live || !resolver->target->running)
		return;
	place->is_live = true;
	place->reason =
		target_running_address(resolver->arena, resolver->target, address, &place->running);
}

/* An address that memory is read at is given to the kernel by name; any other is a number that
 * ktrace computes with, or adds to the start of a CPU's area. */
static void add_statics(struct naming *naming, const struct expr *expr, bool is_number)
{
	if (!expr)
		return;
	if (expr->op == EXPR_STATIC)
		add_static(naming, expr->value, is_number);
	add_statics(naming, expr->a, is_number && expr->op != EXPR_LOAD);
	add_statics(naming, expr->b,
		    is_number || (expr->op == EXPR_ADD && expr_uses(expr->a, EXPR_CPU)));
}

void name_statics(struct resolver *resolver, struct capture *capture)
{
	struct naming naming = {.resolver = resolver};

	add_statics(&naming, capture->expr, capture->kind == CAPTURE_VALUE);
	for (unsigned i = 0; i < capture->nparts; i++)
		add_statics(&naming, capture->parts[i].expr, true);
	capture->statics = naming.list;
	capture->nstatics = naming.count;
}

/* A declaration gives the type; the symbol table, the address. */
static void locate_declared(struct resolver *resolver, struct variable *variable)
{
	uint64_t address = target_symbol_address(resolver->target, variable->name);

	if (address)
		variable->loc = (struct loc){
			.kind = LOC_MEMORY,
			.expr = expr_leaf(resolver->arena, EXPR_STATIC, address),
		};
	else
		variable->loc.reason = "it is only declared here, and no symbol says where it is";
}

/* A kernel's own variable has a symbol. To find that there is none in debug information takes a
 * second, since every unit has a member of that name. */
static bool is_no_symbol(const struct target *target, const char *name)
{
	unsigned count;

	return target->kind == TARGET_KERNEL && target_symbol_named(target, "_stext", &count) &&
	       !target_symbol_named(target, name, &count);
}

static struct error *find_global(struct resolver *resolver, const char *name,
				 struct variable **ret)
{
	struct error *error;

	*ret = NULL;
	if (is_no_symbol(resolver->target, name))
		return NULL;
	error = debuginfo_global(resolver->info, name, ret);
	if (!error && *ret && (*ret)->is_declared)
		locate_declared(resolver, *ret);
	return error;
}

static bool is_task_pointer(const struct type *type)
{
	return type->kind == TYPE_POINTER && type->target->kind == TYPE_STRUCT &&
	       !strcmp(type->target->name, "struct task_struct");
}

/* Linux 6.2 to 6.14 keep it in a struct with other much-read things. */
static struct error *hot_task(struct resolver *resolver, struct variable **ret)
{
	struct member *member;
	struct error *error = find_global(resolver, "pcpu_hot", ret);

	if (error || !*ret)
		return error;
	error = debuginfo_member(resolver->info, (*ret)->type, "current_task", &member);
	if (error)
		return error;
	if (!member || (*ret)->loc.kind != LOC_MEMORY) {
		*ret = NULL;
		return NULL;
	}
	(*ret)->type = member->type;
	(*ret)->loc.expr = expr_offset(resolver->arena, (*ret)->loc.expr, (int64_t)member->offset);
	return NULL;
}

static struct error *current_task(struct resolver *resolver, struct variable **ret)
{
	struct error *error = find_global(resolver, "current_task", ret);

	if (!error && !*ret)
		error = hot_task(resolver, ret);
	if (!error && *ret && !is_task_pointer((*ret)->type))
		*ret = NULL;
	return error;
}

/* What debug information has found is its own, and may be found again. */
static struct error *look(struct resolver *resolver, const struct instance *instance,
			  struct position at, const char *name, bool externs, struct variable **ret)
{
	struct error *error = debuginfo_variable(resolver->info, instance, at, name, externs, ret);

	if (error || !*ret)
		return error;
	*ret = arena_grow(resolver->arena, *ret, sizeof(**ret), sizeof(**ret));
	if ((*ret)->is_declared)
		locate_declared(resolver, *ret);
	return NULL;
}

struct error *resolve_variable(struct resolver *resolver, const struct instance *instance,
			       struct position at, const char *name, struct variable **ret)
{
	if (!strcmp(name, CURRENT_TASK))
		return current_task(resolver, ret);
	return look(resolver, instance, at, name, true, ret);
}

const struct variable *local_at(struct resolver *resolver, const struct instance *instance,
				struct position at, const char *name)
{
	struct variable *ret;

	if (debuginfo_variable(resolver->info, instance, at, name, false, &ret) || !ret ||
	    ret->is_outside)
		return NULL;
	if (!ret->is_declared)
		return ret;
	return resolve_local(resolver, instance, at, name, &ret) ? NULL : ret;
}

struct error *resolve_local(struct resolver *resolver, const struct instance *instance,
			    struct position at, const char *name, struct variable **ret)
{
	struct error *error = look(resolver, instance, at, name, false, ret);

	if (!error && *ret && (*ret)->is_outside)
		*ret = NULL;
	return error;
}
