# Code for tests/unit/resolve_test.c, whose debug information is a table in there. Labels are looked up with nm.
	.text
	.globl _start
	.type _start, @function
_start:	ret
	.size _start, .-_start

# Without optimisation: the argument is in its slot behind the third instruction.
	.globl plain
	.type plain, @function
plain:	push %rbp
	mov %rsp, %rbp
	mov %edi, -4(%rbp)
plain_filled:
	mov -4(%rbp), %eax
	pop %rbp
	ret
plain_end:
	.size plain, .-plain

# The same, but a loop begins in front of the store.
	.globl joined
	.type joined, @function
joined:	push %rbp
	mov %rsp, %rbp
joined_top:
	mov %edi, -4(%rbp)
	dec %edi
	jnz joined_top
	pop %rbp
	ret
joined_end:
	.size joined, .-joined

# for (i = 0; i < n; i++) sum += i;
	.globl work
	.type work, @function
work:	xor %eax, %eax
work_init:
	xor %ecx, %ecx
	jmp work_test
work_body:
	add %ecx, %eax
work_next:
	inc %ecx
work_test:
	cmp %edi, %ecx
	jl work_body
work_return:
	ret
work_end:
	.size work, .-work

# b -= i; m -= i; with b's statement behind the beginning of m's
	.globl pair
	.type pair, @function
pair:	nop
pair_begin:
	mov %edx, %eax
pair_b:
	sub %esi, %edi
pair_m:
	sub %esi, %eax
	ret
pair_end:
	.size pair, .-pair

# The same in a loop's body, where b -= i is also executed behind it: its instruction in front belongs to that
	.globl again
	.type again, @function
again:	nop
again_use:
	mov %edx, %eax
again_b:
	sub %esi, %edi
again_m:
	sub %esi, %eax
again_next:
	dec %ecx
	ret
again_end:
	.size again, .-again

# The same from the entry on: behind b's statement a hit is still one of a call.
	.globl early
	.type early, @function
early:	mov %edx, %eax
early_b:
	sub %esi, %edi
early_m:
	sub %esi, %eax
	ret
early_end:
	.size early, .-early

# for (n = 0; list; list--) n++; use(n), with the loop's `n = 0` left where both ways meet
	.globl emptied
	.type emptied, @function
emptied: xor %eax, %eax
	test %edi, %edi
	je emptied_meet
emptied_loop:
	inc %eax
	dec %edi
	jnz emptied_loop
emptied_meet:
	nop
emptied_again:
	nop
emptied_use:
	ret
emptied_end:
	.size emptied, .-emptied

# switch (a) { case 0: n = 2; break; default: n = 1; } if (n) ...: one way's mark of the `if` comes behind its jump,
# with the mark of the other way's break before it
	.globl jumped
	.type jumped, @function
jumped:	test %edi, %edi
	je jumped_case
jumped_other:
	mov $1, %eax
jumped_meet:
	cmp %eax, %esi
	sete %al
	ret
jumped_case:
	mov $2, %eax
jumped_jump:
	jmp jumped_meet
jumped_end:
	.size jumped, .-jumped

# if (a) *p = a; return *p - 16, of which clang leaves the load out where *p is known, and with it the row. And
# the same where the load isn't before the place where the ways meet
	.globl known
	.type known, @function
known:	mov (%rsi), %eax
	test %edi, %edi
	je known_meet
known_store:
	mov %edi, (%rsi)
known_load:
	mov (%rsi), %eax
known_meet:
	sub $16, %eax
	ret
known_end:
	.size known, .-known

	.globl apart
	.type apart, @function
apart:	test %edi, %edi
	je apart_meet
apart_load:
	mov (%rsi), %eax
	ret
apart_meet:
	xor %eax, %eax
	ret
apart_end:
	.size apart, .-apart

# n is loaded, changed in the register, said to be in its slot, and in the register again, as by clang
	.globl stale
	.type stale, @function
stale:	mov %edi, -4(%rsp)
	mov -4(%rsp), %eax
stale_loaded:
	add $1, %eax
stale_slot:
	nop
stale_use:
	nop
stale_back:
	mov %eax, -4(%rsp)
	ret
stale_end:
	.size stale, .-stale

# n's spill is gone, and its slot was and will be another's, as by gcc
	.globl dropped
	.type dropped, @function
dropped: mov %edi, -8(%rsp)
	nop
dropped_use:
	nop
	mov %esi, -8(%rsp)
	mov -8(%rsp), %eax
	ret
dropped_end:
	.size dropped, .-dropped

# do { use(n); n = d; } while (--i); with n in eax to the reader of the list, in each round
	.globl left
	.type left, @function
left:	mov %edi, %eax
left_top:
	test %esi, %esi
left_use:
	nop
	nop
left_set:
	dec %esi
	jnz left_use
	ret
left_end:
	.size left, .-left

# use(n); n--; with the decrement before the statement's marker, and n said to be decremented from the beginning on
	.globl ahead
	.type ahead, @function
ahead:	nop
ahead_use:
	nop
ahead_dec:
	dec %eax
ahead_moved:
	nop
ahead_marked:
	nop
	ret
ahead_end:
	.size ahead, .-ahead

# n = 0; n = 1; use(n); of which the last has no marker, so that it may be behind the first as well
	.globl untold
	.type untold, @function
untold:	dec %esi
untold_one:
	dec %esi
untold_use:
	dec %esi
	ret
untold_end:
	.size untold, .-untold

# Without markers: if (a) i--; n++; use(n), with n + 1 from the first way's beginning on, and only there
	.globl met
	.type met, @function
met:	test %edi, %edi
	je met_meet
met_way:
	dec %esi
met_meet:
	nop
	ret
met_end:
	.size met, .-met

# The same in straight-line code.
	.globl begins
	.type begins, @function
begins:	dec %esi
begins_use:
	dec %esi
	ret
begins_end:
	.size begins, .-begins

# n--; use(n), with n said to be decremented at the statement's own address, and once more behind it
	.globl twice
	.type twice, @function
twice:	dec %esi
twice_dec:
	dec %esi
twice_use:
	dec %esi
	ret
twice_end:
	.size twice, .-twice

# use(n); n--; with n on the stack, and decremented before the use
	.globl moved
	.type moved, @function
moved:	nop
moved_store:
	subl $1, -4(%rsp)
moved_use:
	nop
moved_mark:
	mov -4(%rsp), %eax
	ret
moved_end:
	.size moved, .-moved

# An inlined copy in an inlined copy.
	.globl nests
	.type nests, @function
nests:	nop
nests_outside:
	nop
nests_inside:
	inc %edi
nests_inside_end:
	nop
nests_outside_end:
	ret
nests_end:
	.size nests, .-nests

	.data
	.globl counter
	.type counter, @object
	.size counter, 8
counter: .quad 7
	.section .note.GNU-stack, "", @progbits
