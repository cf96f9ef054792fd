// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the program that keeps a probe's table: the filter, the key, the row of that key, and what
 * the hit adds to it. The row is looked up once: a histogram's bucket is part of the key.
 */
#include <string.h>

#include "counter/assemble.h"

/* REG_1: a number; leaves its bucket there, as hist.c has them: exact below 64, then 32 for each
 * power of two. */
static void emit_bucket(struct code *code, bool is_signed)
{
	unsigned done = new_label(code);

	set(code, BPF_REG_3, 0);
	if (is_signed) {
		unsigned positive = new_label(code);

		go_if_number(code, BPF_JSGE, BPF_REG_1, 0, positive);
		alu_number(code, BPF_XOR, BPF_REG_1, -1);
		set(code, BPF_REG_3, COUNTED_BELOW);
		place(code, positive);
	}
	go_if_number(code, BPF_JLT, BPF_REG_1, 64, done);
	for (unsigned shift = 32; shift; shift /= 2) {
		unsigned small = new_label(code);

		if (shift == 32) {
			move(code, BPF_REG_2, BPF_REG_1);
			alu_number(code, BPF_RSH, BPF_REG_2, 37);
			go_if_number(code, BPF_JEQ, BPF_REG_2, 0, small);
		} else {
			go_if_number(code, BPF_JLT, BPF_REG_1, 32 << shift, small);
		}
		alu_number(code, BPF_RSH, BPF_REG_1, (int)shift);
		alu_number(code, BPF_ADD, BPF_REG_3, 32 * (int)shift);
		place(code, small);
	}
	place(code, done);
	alu(code, BPF_ADD, BPF_REG_1, BPF_REG_3);
}

/* REG_1: a number, leaves it divided by the step, rounded down. */
static void emit_step(struct code *code, uint64_t step, bool is_signed)
{
	unsigned below = new_label(code), done = new_label(code);

	set(code, BPF_REG_2, step);
	if (is_signed)
		go_if_number(code, BPF_JSLT, BPF_REG_1, 0, below);
	alu(code, BPF_DIV, BPF_REG_1, BPF_REG_2);
	if (is_signed) {
		go(code, done);
		place(code, below);
		alu_number(code, BPF_XOR, BPF_REG_1, -1);
		alu(code, BPF_DIV, BPF_REG_1, BPF_REG_2);
		alu_number(code, BPF_XOR, BPF_REG_1, -1);
	}
	place(code, done);
}

static void emit_fault_test(struct code *code, unsigned used, unsigned label)
{
	if (!code->used[used].may_fault)
		return;
	move(code, BPF_REG_1, FAULTS);
	alu_number(code, BPF_AND, BPF_REG_1, 1 << used);
	go_if_number(code, BPF_JNE, BPF_REG_1, 0, label);
}

/* The bits of FAULTS that belong to keys. */
static uint32_t key_faults(const struct counting *counting)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < counting->nkeys; i++)
		if (counting->keys[i].kind == COUNTED_VALUE)
			mask |= 1u << counting->keys[i].used;
	return mask;
}

static void emit_word(struct code *code, const struct counting *counting,
		      const struct counted_key *key)
{
	bool is_signed = code->used[key->used].kind == USED_VALUE &&
			 code->probe->values[code->used[key->used].want].is_signed;
	unsigned fault = new_label(code), done = new_label(code);

	if (key->kind == COUNTED_FAULTS) {
		move(code, BPF_REG_1, FAULTS);
		alu_number(code, BPF_AND, BPF_REG_1, (int32_t)key_faults(counting));
		return;
	}
	if (key->kind == COUNTED_BUCKET)
		emit_fault_test(code, key->used, fault);
	load(code, BPF_DW, BPF_REG_1, FRAME, SLOT(key->used));
	if (key->kind == COUNTED_STEP)
		emit_step(code, key->step, is_signed);
	if (key->kind != COUNTED_BUCKET)
		return;
	emit_bucket(code, is_signed);
	if (code->used[key->used].may_fault) {
		go(code, done);
		place(code, fault);
		set(code, BPF_REG_1, COUNTED_NO_BUCKET);
		place(code, done);
	}
}

static void emit_key(struct code *code, const struct counting *counting)
{
	int at = KEY;

	for (unsigned i = 0; i < counting->nkeys; i++) {
		if (counting->keys[i].is_text) {
			for (int word = 0; word < 16; word += 8) {
				load(code, BPF_DW, BPF_REG_1, FRAME, COMM + word);
				store(code, FRAME, at + word, BPF_REG_1);
			}
			at += 16;
			continue;
		}
		emit_word(code, counting, &counting->keys[i]);
		store(code, FRAME, at, BPF_REG_1);
		at += 8;
	}
}

static void emit_map_and_key(struct code *code, int rows)
{
	set_map(code, BPF_REG_1, rows, false);
	move(code, BPF_REG_2, FRAME);
	alu_number(code, BPF_ADD, BPF_REG_2, KEY);
}

/* ROW: that of the key, made if there is room. */
static void emit_row(struct code *code, const struct counter_layout *layout, int rows, unsigned out)
{
	unsigned found = new_label(code);

	if (!layout->key_size) {
		move(code, ROW, STATE);
		alu_number(code, BPF_ADD, ROW, 8 * COUNTER_WORDS);
		return;
	}
	emit_map_and_key(code, rows);
	call(code, BPF_FUNC_map_lookup_elem);
	go_if_number(code, BPF_JNE, BPF_REG_0, 0, found);
	emit_map_and_key(code, rows);
	move(code, BPF_REG_3, STATE);
	alu_number(code, BPF_ADD, BPF_REG_3, (int)(8 * (COUNTER_WORDS + layout->row_words)));
	set(code, BPF_REG_4, BPF_NOEXIST);
	call(code, BPF_FUNC_map_update_elem);
	emit_map_and_key(code, rows);
	call(code, BPF_FUNC_map_lookup_elem);
	go_if_number(code, BPF_JNE, BPF_REG_0, 0, found);
	set(code, BPF_REG_1, 1);
	add_to(code, STATE, 8 * COUNTER_DROPPED, BPF_REG_1);
	go(code, out);
	place(code, found);
	move(code, ROW, BPF_REG_0);
}

#define TRIES 4 /* to store a bound while another hit on this CPU does, too */

/* The word at `offset` of ROW becomes the larger of it and REG_2. */
static void emit_bound(struct code *code, int offset)
{
	unsigned done = new_label(code);

	for (int i = 0; code->is_atomic && i < TRIES; i++) {
		load(code, BPF_DW, BPF_REG_0, ROW, offset);
		go_if(code, BPF_JGE, BPF_REG_0, BPF_REG_2, done);
		move(code, BPF_REG_3, BPF_REG_0);
		emit(code, (struct bpf_insn){.code = BPF_STX | BPF_ATOMIC | BPF_DW,
					     .dst_reg = ROW,
					     .src_reg = BPF_REG_2,
					     .off = (__s16)offset,
					     .imm = BPF_CMPXCHG});
		go_if(code, BPF_JEQ, BPF_REG_0, BPF_REG_3, done);
	}
	if (code->is_atomic) {
		set(code, BPF_REG_3, 1);
		add_to(code, STATE, 8 * COUNTER_TORN, BPF_REG_3);
	} else {
		load(code, BPF_DW, BPF_REG_0, ROW, offset);
		go_if(code, BPF_JGE, BPF_REG_0, BPF_REG_2, done);
		store(code, ROW, offset, BPF_REG_2);
	}
	place(code, done);
}

/* Adds REG_1 to the 128 bits of the sum. */
static void emit_sum(struct code *code, int offset, bool is_signed)
{
	unsigned carried = new_label(code), done = new_label(code);

	move(code, BPF_REG_2, BPF_REG_1);
	add_to(code, ROW, offset, BPF_REG_2);
	if (code->is_atomic)
		alu(code, BPF_ADD, BPF_REG_2, BPF_REG_1);
	else
		move(code, BPF_REG_2, BPF_REG_0);
	set(code, BPF_REG_3, 0);
	go_if(code, BPF_JGE, BPF_REG_2, BPF_REG_1, carried);
	set(code, BPF_REG_3, 1);
	place(code, carried);
	if (is_signed) {
		move(code, BPF_REG_2, BPF_REG_1);
		alu_number(code, BPF_ARSH, BPF_REG_2, 63);
		alu(code, BPF_ADD, BPF_REG_3, BPF_REG_2);
	}
	go_if_number(code, BPF_JEQ, BPF_REG_3, 0, done);
	add_to(code, ROW, offset + 8, BPF_REG_3);
	place(code, done);
}

static void emit_cell(struct code *code, const struct counted_value *counted, int offset)
{
	bool is_signed = code->probe->values[counted->want].is_signed;
	unsigned fault = new_label(code);

	emit_fault_test(code, counted->used, fault);
	set(code, BPF_REG_1, 1);
	add_to(code, ROW, offset + 8 * COUNTER_N, BPF_REG_1);
	load(code, BPF_DW, BPF_REG_1, FRAME, SLOT(counted->used));
	emit_sum(code, offset + 8 * COUNTER_LOW, is_signed);
	move(code, BPF_REG_2, BPF_REG_1);
	if (is_signed) {
		set(code, BPF_REG_3, 1ull << 63);
		alu(code, BPF_XOR, BPF_REG_2, BPF_REG_3);
	}
	move(code, BPF_REG_4, BPF_REG_2);
	emit_bound(code, offset + 8 * COUNTER_MAX);
	move(code, BPF_REG_2, BPF_REG_4);
	alu_number(code, BPF_XOR, BPF_REG_2, -1);
	emit_bound(code, offset + 8 * COUNTER_MIN);
	place(code, fault);
}

static void emit_one(struct code *code, int base, int offset)
{
	set(code, BPF_REG_1, 1);
	add_to(code, base, offset, BPF_REG_1);
}

/* STATE: this CPU's; goes to `out` while the table is off. */
static void emit_begin(struct code *code, const struct counter_layout *layout,
		       const struct counter_live *live, unsigned out)
{
	move(code, CONTEXT, BPF_REG_1);
	call(code, BPF_FUNC_get_smp_processor_id);
	alu_number(code, BPF_AND, BPF_REG_0, (int)live->ncpus - 1);
	alu_number(code, BPF_LSH, BPF_REG_0, __builtin_ctz(layout->state_size));
	set_map(code, STATE, live->state, true);
	alu(code, BPF_ADD, STATE, BPF_REG_0);
	emit_one(code, STATE, 8 * COUNTER_CALLS);
	load(code, BPF_DW, BPF_REG_1, STATE, 8 * COUNTER_ON);
	go_if_number(code, BPF_JEQ, BPF_REG_1, 0, out);
}

/* Which threads are counted. */
static void emit_who(struct code *code, const struct counter_live *live, unsigned out)
{
	unsigned named = new_label(code);

	if (live->own) {
		call(code, BPF_FUNC_get_current_pid_tgid);
		extend(code, BPF_REG_0, 32, false);
		go_if_number(code, BPF_JEQ, BPF_REG_0, live->own, out);
	}
	if (live->ncomms || code->uses_comm) { /* 6.1 leaves what is behind the name as it was */
		set(code, BPF_REG_1, 0);
		store(code, FRAME, COMM, BPF_REG_1);
		store(code, FRAME, COMM + 8, BPF_REG_1);
		move(code, BPF_REG_1, FRAME);
		alu_number(code, BPF_ADD, BPF_REG_1, COMM);
		set(code, BPF_REG_2, 16);
		call(code, BPF_FUNC_get_current_comm);
	}
	for (unsigned i = 0; i < live->ncomms; i++)
		comm_test(code, live->comms[i], true, named);
	if (live->ncomms)
		go(code, out);
	place(code, named);
}

unsigned counter_program(struct arena *arena, const struct probe *probe,
			 const struct counting *counting, const struct counter_live *live,
			 struct bpf_insn **ret)
{
	/* a kprobe's program isn't entered again on its CPU; a uprobe's may be left for another
	 * thread's */
	struct code code = {.arena = arena, .probe = probe, .is_atomic = probe->site->path};
	struct counter_layout layout = counter_layout(counting);
	unsigned out = new_label(&code);

	if (code_take(&code, arena_new(arena, struct counting))) /* used[] as when it was planned */
		return 0;
	emit_begin(&code, &layout, live, out);
	emit_who(&code, live, out);
	set(&code, FAULTS, 0);
	for (unsigned i = 0; i < code.nused; i++)
		load_used(&code, i);
	if (probe->whole_filter)
		filter_test(&code, probe->whole_filter, out);
	emit_key(&code, counting);
	emit_row(&code, &layout, live->rows, out);
	emit_one(&code, ROW, (int)(8 * (layout.row_words - 1)));
	for (unsigned i = 0; i < counting->nvalues; i++)
		emit_cell(&code, &counting->values[i], (int)(8 * (1 + i * COUNTER_CELL_WORDS)));
	emit_one(&code, ROW, 0);
	place(&code, out);
	set(&code, BPF_REG_0, 0);
	emit(&code, (struct bpf_insn){.code = BPF_JMP | BPF_EXIT});
	finish_jumps(&code);
	*ret = code.insns;
	return code.count;
}
