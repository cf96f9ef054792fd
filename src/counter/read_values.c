// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a probe's values in a program: registers, chains of pointers, constants. The surprise:
 * bpf_probe_read() of x86 takes an address of either half for what it is, as the kernel's probe
 * events do.
 */
#include <limits.h>

#include "counter/assemble.h"

static unsigned bits_of(const struct fetch_type *type)
{
	return type->kind == FETCH_CHAR ? 8 : type->kind == FETCH_DEFAULT ? 64 : type->bits;
}

static const char *read_obstacle(struct arena *arena, const struct probe *probe, unsigned number,
				 bool *may_fault)
{
	const struct fetch *fetch = number < probe->nfetches ? &probe->fetches[number] : NULL;

	if (!fetch)
		return "it is computed of what another probe records";
	if (fetch->type.kind == FETCH_OTHER || fetch_type_is_string(&fetch->type) ||
	    fetch->type.count || !bits_of(&fetch->type) || bits_of(&fetch->type) > 64)
		return arena_printf(arena, "it is recorded as '%s'",
				    fetch->type.words ?: "several numbers");
	if (!fetch->way)
		return arena_printf(arena, "a program can't read '%s'", fetch->body);
	*may_fault |= fetch->way->nsteps;
	return NULL;
}

/* Whether a program can compute it with so many temporaries. BPF divides otherwise than DWARF, and
 * shifts by the low bits of a number. */
static bool is_simple(const struct expr *expr, unsigned room)
{
	switch (expr->op) {
	case EXPR_CONST:
	case EXPR_FETCH:
		return true;
	case EXPR_EXTEND:
	case EXPR_NEG:
	case EXPR_NOT:
		return is_simple(expr->a, room);
	case EXPR_SHL:
	case EXPR_SHR:
	case EXPR_SHRA:
		return room && is_simple(expr->a, room) && expr->b->op == EXPR_CONST &&
		       expr->b->value < 64;
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
	case EXPR_AND:
	case EXPR_OR:
	case EXPR_XOR:
		return room && is_simple(expr->a, room) && is_simple(expr->b, room - 1);
	default:
		return false;
	}
}

const char *fetch_obstacle(struct arena *arena, const struct probe *probe,
			   const struct value *value, bool *may_fault)
{
	const char *obstacle = NULL;

	*may_fault = false;
	if (value->status != VALUE_OK)
		return value->reason;
	if (value->render == RENDER_STRING)
		return "it is a text";
	if (value->count ||
	    (value->shape && (value->shape->kind != SHAPE_NUMBER || value->shape->size > 8)) ||
	    value->stack)
		return "it is not one number";
	if (value_is_float(value))
		return "it is a floating-point number";
	if (value->is_duration || value->is_start || value->is_between || value->by_cpu ||
	    value->parts || (!value->finish && value->nfetches > 1) ||
	    (value->finish && !is_simple(value->finish, TEMPORARIES)))
		return "it is computed of what is recorded";
	if (!value->finish)
		return read_obstacle(arena, probe, value->fetch, may_fault);
	for (unsigned i = 0; i < value->nfetches && !obstacle; i++)
		obstacle = read_obstacle(arena, probe, value->fetches[i], may_fault);
	return obstacle;
}

unsigned use(struct code *code, enum used_kind kind, unsigned want, bool may_fault)
{
	for (unsigned i = 0; i < code->nused; i++)
		if (code->used[i].kind == kind && code->used[i].want == want)
			return i;
	if (code->nused == USED_MAX)
		return UINT_MAX;
	code->used[code->nused] = (struct used){.kind = kind, .want = want, .may_fault = may_fault};
	return code->nused++;
}

static int size_code(unsigned bits)
{
	return bits == 8 ? BPF_B : bits == 16 ? BPF_H : bits == 32 ? BPF_W : BPF_DW;
}

/* Reads at REG_1, or goes to `fault`. */
static void emit_read(struct code *code, const struct fetch_step *step, unsigned bits,
		      unsigned fault)
{
	bool is_user = step->is_user || code->probe->site->path;

	move(code, BPF_REG_3, BPF_REG_1);
	if (step->offset)
		alu_number(code, BPF_ADD, BPF_REG_3, step->offset);
	set(code, BPF_REG_2, bits / 8);
	move(code, BPF_REG_1, FRAME);
	alu_number(code, BPF_ADD, BPF_REG_1, SCRATCH);
	call(code, is_user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read);
	go_if_number(code, BPF_JNE, BPF_REG_0, 0, fault);
	load(code, size_code(bits), BPF_REG_1, FRAME, SCRATCH);
}

/* What the kernel would record, in REG_1; or goes to `fault`. */
static void load_fetch(struct code *code, const struct fetch *fetch, unsigned fault)
{
	const struct fetch_type *type = &fetch->type;
	const struct fetch_way *way = fetch->way;

	if (way->is_register)
		load(code, BPF_DW, BPF_REG_1, CONTEXT, (int)way->number);
	else
		set(code, BPF_REG_1, way->number);
	for (unsigned i = 0; i < way->nsteps; i++)
		emit_read(code, &way->steps[i], i + 1 < way->nsteps ? 64 : bits_of(type), fault);
	if (type->kind == FETCH_BITS) {
		alu_number(code, BPF_LSH, BPF_REG_1, 64 - type->width - type->shift);
		alu_number(code, BPF_RSH, BPF_REG_1, 64 - type->width);
	} else {
		extend(code, BPF_REG_1, bits_of(type), type->letter == 's');
	}
}

/* Leaves the number in REG_1. */
static void compute(struct code *code, const struct expr *expr, unsigned temporary, unsigned fault)
{
	static const int ops[] = {
		[EXPR_ADD] = BPF_ADD, [EXPR_SUB] = BPF_SUB, [EXPR_MUL] = BPF_MUL,
		[EXPR_AND] = BPF_AND, [EXPR_OR] = BPF_OR,   [EXPR_XOR] = BPF_XOR,
		[EXPR_SHL] = BPF_LSH, [EXPR_SHR] = BPF_RSH, [EXPR_SHRA] = BPF_ARSH,
	};

	if (expr->op == EXPR_CONST) {
		set(code, BPF_REG_1, expr->value);
		return;
	}
	if (expr->op == EXPR_FETCH) {
		load_fetch(code, &code->probe->fetches[expr->value], fault);
		return;
	}
	compute(code, expr->a, temporary, fault);
	if (expr->op == EXPR_EXTEND) {
		extend(code, BPF_REG_1, expr->size, expr->is_signed);
	} else if (expr->op == EXPR_NEG || expr->op == EXPR_NOT) {
		alu_number(code, BPF_XOR, BPF_REG_1, -1);
		alu_number(code, BPF_ADD, BPF_REG_1, expr->op == EXPR_NEG);
	} else {
		store(code, FRAME, TEMPORARY(temporary), BPF_REG_1);
		compute(code, expr->b, temporary + 1, fault);
		move(code, BPF_REG_2, BPF_REG_1);
		load(code, BPF_DW, BPF_REG_1, FRAME, TEMPORARY(temporary));
		alu(code, ops[expr->op], BPF_REG_1, BPF_REG_2);
	}
}

static void load_value(struct code *code, unsigned index)
{
	const struct value *value = &code->probe->values[code->used[index].want];
	unsigned fault = new_label(code), done = new_label(code);

	if (value->finish)
		compute(code, value->finish, 0, fault);
	else
		load_fetch(code, &code->probe->fetches[value->fetch], fault);
	if (value->size)
		extend(code, BPF_REG_1, value->size * 8u, value->is_signed);
	if (code->used[index].may_fault) {
		go(code, done);
		place(code, fault);
		alu_number(code, BPF_OR, FAULTS, 1 << index);
		set(code, BPF_REG_1, 0);
		place(code, done);
	}
}

void load_used(struct code *code, unsigned index)
{
	struct used *used = &code->used[index];

	if (used->is_loaded)
		return;
	used->is_loaded = true;
	if (used->kind == USED_VALUE) {
		load_value(code, index);
	} else if (used->kind == USED_CPU) {
		call(code, BPF_FUNC_get_smp_processor_id);
		move(code, BPF_REG_1, BPF_REG_0);
	} else {
		call(code, BPF_FUNC_get_current_pid_tgid);
		move(code, BPF_REG_1, BPF_REG_0);
		if (used->kind == USED_PID)
			alu_number(code, BPF_RSH, BPF_REG_1, 32);
		else
			extend(code, BPF_REG_1, 32, false);
	}
	store(code, FRAME, SLOT(index), BPF_REG_1);
}
