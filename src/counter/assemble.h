/* SPDX-License-Identifier: GPL-2.0-only */
/* A program in the making, and what counter/'s files share. */
#ifndef COUNTER_ASSEMBLE_H
#define COUNTER_ASSEMBLE_H

#include <stdbool.h>

#include "base/error.h"
#include "counter/counter.h"

/* Registers that keep their use; 0 to 5 are free. */
#define CONTEXT BPF_REG_6 /* struct pt_regs */
#define FAULTS  BPF_REG_7 /* bit i: used[i] could not be read */
#define STATE   BPF_REG_8
#define ROW     BPF_REG_9
#define FRAME   BPF_REG_10

#define USED_MAX 24u

/* Below FRAME, bytes. */
#define SLOT(i)  (-8 * ((int)(i) + 1))
#define SCRATCH  (SLOT(USED_MAX))
#define COMM     (SCRATCH - 16)
#define KEY_ROOM 192
#define KEY      (COMM - KEY_ROOM)
#define TEMPORARY(i) (KEY - 8 * ((int)(i) + 1))
#define TEMPORARIES 8u

/* A number that the program needs: a value of the probe's, or what every hit has. */
enum used_kind {
	USED_VALUE,
	USED_TID,
	USED_PID,
	USED_CPU,
};

struct used {
	enum used_kind kind;
	unsigned want;
	bool may_fault;
	bool is_loaded;
};

/* A jump's target: `at` is set by place(). */
struct jump {
	unsigned from;
	unsigned label;
};

struct code {
	struct arena *arena;
	const struct probe *probe;
	struct bpf_insn *insns;
	unsigned count;
	struct jump *jumps;
	unsigned njumps;
	unsigned *labels;
	unsigned nlabels;
	struct used used[USED_MAX];
	unsigned nused;
	bool uses_comm;
	bool is_atomic; /* another hit may come on the same CPU while this one is counted */
};

/* assemble.c */
unsigned new_label(struct code *code);
void place(struct code *code, unsigned label);
void finish_jumps(struct code *code);
void emit(struct code *code, struct bpf_insn insn);
void move(struct code *code, int to, int from);
void set(struct code *code, int to, uint64_t number);
void alu(struct code *code, int op, int to, int from);
void alu_number(struct code *code, int op, int to, int32_t number);
void load(struct code *code, int size, int to, int base, int offset);
void store(struct code *code, int base, int offset, int from);
void call(struct code *code, int helper);
void go(struct code *code, unsigned label);
void go_if(struct code *code, int op, int left, int right, unsigned label);
void go_if_number(struct code *code, int op, int left, int32_t number, unsigned label);
/* Loads what a map's fd stands for: the map, or the address of its value. */
void set_map(struct code *code, int to, int fd, bool is_value);
/* [base + offset] += from; *from is changed. */
void add_to(struct code *code, int base, int offset, int from);
/* The low bits of a register, extended to 64. */
void extend(struct code *code, int reg, unsigned bits, bool is_signed);

/* read_values.c: why the value can't be read by a program, or NULL. */
const char *fetch_obstacle(struct arena *arena, const struct probe *probe,
			   const struct value *value, bool *may_fault);
/* Loads used[index] into its slot, unless it is there; sets its bit of FAULTS where that fails. */
void load_used(struct code *code, unsigned index);
/* The index in used[] of a value or of what every hit has; UINT_MAX: no room. */
unsigned use(struct code *code, enum used_kind kind, unsigned want, bool may_fault);

/* counter.c: notes what the program needs, and how the table is kept. */
struct error *code_take(struct code *code, struct counting *counting) must_check;

/* filter_code.c: notes what a filter needs; what it can't test is an error. */
struct error *filter_use(struct code *code, const struct filter *filter) must_check;
/* Goes to `label` unless the filter holds. */
void filter_test(struct code *code, const struct filter *filter, unsigned label);
/* Goes to `label` if the comm is (is_equal), or isn't, the text. */
void comm_test(struct code *code, const char *text, bool is_equal, unsigned label);

#endif
