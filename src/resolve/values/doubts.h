/* SPDX-License-Identifier: GPL-2.0-only */
/* The rules by which a value that debug information gives isn't believed: doubt.c asks them, the
 * other files know one kind of mistake each. A rule that takes a walk and a position holds there
 * or not; "of a list": the walk's variable must have one of a list's locations. Reasons are
 * static, or in the resolver's arena. */
#ifndef RESOLVE_DOUBTS_H
#define RESOLVE_DOUBTS_H

#include "resolve/values/walk.h"

struct question {
	struct walk *walk;
	const struct point *point;
	struct position at; /* where it is captured: at the point, or at one of its alternatives */
	const struct capture *capture;
};

/* doubt.c: returns NULL, or why the value may be older, or newer, than the source has it at the
 * point, or another one. */
const char *capture_doubt(const struct question *question);

/* changed.c: returns NULL, or why a statement that the source has before the line is still to
 * change the value. */
const char *find_outdated(const struct question *question);
/* Returns NULL, or why a statement that the source has behind the line may have changed it
 * already. Of a list. */
const char *find_newer(const struct question *question);

/* unread.c: whether the test holds for some part of a value that is of the variable's own memory on
 * the stack: for a number of a struct or an array. */
struct slot_object;
typedef bool part_test(const struct question *question, const struct slot_object *object,
		       const struct expr *part, unsigned size);
bool has_slot_part(const struct question *question, part_test *test);
/* Whether the value is of the variable's own memory on the stack, which nothing reads any more. */
bool may_be_stale(const struct question *question);
/* Whether no code of the function stores to a part of it. */
bool is_never_stored(const struct question *question);

/* unset_base.c: returns NULL, or why the register by which debug information finds the variable in
 * memory may be another function's, or the memory not be written yet. */
const char *find_unset_base(const struct walk *walk, uint64_t address);

/* stored.c: returns NULL, or why a variable's place on the stack may have what a statement behind
 * the position makes of it. */
const char *find_stored(struct walk *walk, const struct flow *flow, struct position at,
			const struct capture *capture);
/* Whether an instruction with that effect stores to what the capture reads. */
struct effect;
bool stores_to(struct walk *walk, struct effect effect, const struct capture *capture);
/* Whether it has one place, of a static: in the file, or by the instruction pointer. */
bool is_of_static(const struct walk *walk);
/* Whether debug information has the variable in a slot of the stack to which it may never have been
 * stored. Of a list. */
bool is_spill_dropped(const struct walk *walk, const struct flow *flow, struct position at);
/* Whether debug information has the variable in a slot of the stack before the straight-line code
 * stores it there. Of a list. */
bool is_stored_here(const struct walk *walk, const struct flow *flow, struct position at);

/* hoisted_store.c: returns NULL, or why memory behind a pointer already has what a statement behind
 * the position stores there. */
const char *find_hoisted_store(const struct question *question);

/* merged_update.c: whether the line's code does to a static what the statement before it does, as
 * well. */
bool is_update_merged(const struct question *question);

/* order.c: returns NULL, or why one of these instructions, which store to a variable, comes behind
 * the position, though the source has it before. */
struct search;
const char *find_disorder(struct walk *walk, const struct search *search, const struct flow *flow,
			  const uint64_t *list, unsigned count);
/* carried.c: whether a register has the static, or a part of what is on the stack, newer on one of
 * the ways to the position. */
bool is_carried(const struct question *question);

/* stale_place.c: whether clang names a slot whose value a register has in a newer state. Of a
 * list. */
bool is_stale_slot(const struct walk *walk, const struct flow *flow);
/* Whether clang names a register that has something else there. Of a list. */
bool is_other_register(const struct walk *walk, struct position at);
/* Whether the address is the register's and the offset. */
bool is_at(const struct expr *address, int base, int64_t offset);
/* left_register.c: likewise, where the variable was in it before. */
bool is_left_register(const struct walk *walk, struct position at);

/* both_arms.c: whether clang has the variable changed already, in front of an `if` whose arms both
 * change it. Of a list. */
bool is_of_both_arms(const struct walk *walk, struct position at);

/* lost_slot.c: whether clang goes on saying what the variable was before a function was given its
 * address. Of a list. */
bool is_given_away(const struct walk *walk, const struct flow *flow, uint64_t address);

/* Whether clang says of a constant what it was before code stored to the variable's slot. Of a
 * list. */
bool is_stored_since(const struct walk *walk, const struct flow *flow, uint64_t address);

/* own_result.c: whether the variable is already what the line at the position makes of it. Of a
 * list. */
bool is_own_result(const struct walk *walk, struct position at);
/* Whether the value begins right at the position, and padding does too. Of a list. */
bool begins_at_padding(const struct walk *walk, struct position at);
/* Whether all code between the addresses does nothing. */
bool is_padding(const struct walk *walk, uint64_t from, uint64_t to);

/* made_twice.c: whether gcc makes of it once more what code has made of it. Of a list. */
bool is_made_twice(const struct walk *walk, struct position at);

/* split.c: whether a parameter may lack what the head of its function, which gcc has split, makes
 * of it. is_own: the position is the point's. */
bool is_before_head(const struct walk *walk, struct position at, bool is_own);

/* head_step.c: whether gcc makes a step of it where a loop's head leads into the body. Of a
 * list. */
bool is_step_at_head(const struct walk *walk, struct position at);

/* loop_rounds.c: whether it may be what the variable was before the loop around the position. Of a
 * list. */
bool is_of_first_round(const struct walk *walk, struct position at);
/* Whether it is what the first round of a loop, before or around the position, finds or leaves in a
 * variable that each round counts up or down. Of a list. */
bool is_of_one_step(const struct walk *walk, struct position at);
/* Whether it may be another round's, of a loop that clang unrolled. Of a list. */
bool is_of_other_round(const struct walk *walk, struct position at);

/* Whether it is a constant of an unrolled loop's later round, beside one of an earlier one, or the
 * other way round. Of a list. */
bool is_out_of_order(const struct walk *walk, struct position at);

/* one_way.c: whether it is a constant for all of its scope, though the line that declares it has
 * code. */
bool is_made_by_code(const struct walk *walk, struct position at);
/* Whether it is a constant that a register has on one way to where it begins, and which has
 * something else on another. Of a list. */
bool is_of_one_way(const struct walk *walk, struct position at);

/* arm_constant.c: the line of the source that makes the variable something else than the constant
 * that debug information has; 0: none does. */
unsigned find_arm_constant(const struct walk *walk, struct position at);
/* lost_change.c: whether it may be a constant that a statement has changed on a way to the
 * position, which clang has forgotten. */
bool is_change_lost(const struct walk *walk, struct position at);
/* Whether nothing may change an object of the type. */
bool is_read_only(const struct type *type);

/* set_by_copy.c: whether an inlined copy that was given its address may have set it, which LLVM
 * doesn't say. */
bool may_be_set_by_copy(const struct walk *walk, struct position at);

/* rotated.c: the line whose change of the variable may be left out, in a loop that clang begins in
 * its middle; 0: none. Of a list. */
unsigned find_uncounted(const struct walk *walk, struct position at);

/* recursive.c: whether the position may be a line of another copy of the same function. */
bool may_be_inner(const struct walk *walk, struct position at);

/* next_call.c: whether a parameter may be what the function's next call, which gcc has made a loop
 * of, is given. */
bool is_of_next_call(const struct walk *walk, struct position at);

/* ahead.c: returns NULL, or why the variable may be what a statement behind the position makes of
 * it. Of a list. */
const char *find_ahead(struct walk *walk, struct position at);

/* later_line.c: returns NULL, or why the value may be what a statement further down makes of it in
 * the round of the loop around the position. */
const char *find_later(const struct question *question);

/* joins.c: whether debug information says something else of a constant, or of a place, on a way to
 * the position. Of a list. The first is a part of the second that needs no flow. */
bool may_be_contradicted(const struct walk *walk);
bool is_contradicted(const struct walk *walk, const struct flow *flow, struct position at);

/* forgotten_load.c: whether clang computes it from a slot's address where the slot is meant. */
bool is_load_forgotten(const struct walk *walk, struct position at);

/* lost_pointer.c: the same of a pointer, which is an address behind a pointer's slot. */
bool is_pointer_lost(const struct walk *walk, struct position at);

/* lost_statement.c: the line that sets the variable before the position, by the source, and that
 * debug information leaves out; 0: none. Of a list. */
unsigned find_lost_statement(const struct walk *walk, struct position at);

/* The line of a loop before the position that counts the variable down, to another number than the
 * constant that debug information has; 0: none. */
unsigned find_lost_count(const struct walk *walk, struct position at);

/* united.c: whether gcc may say of a struct in registers, where ways meet, what only some of them
 * bring. Of a list. */
bool is_united(const struct walk *walk, struct position at);

#endif
