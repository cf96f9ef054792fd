// SPDX-License-Identifier: GPL-2.0-only
/* clang folds the branch on what `copy` returned, and has what one way returns on both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status { DONE, SHORT = 12 };

struct set {
	int most, count;
	int *list;
};

struct state {
	unsigned hash;
	struct set nodes;
	struct set *entrance;
	unsigned context : 4, accepts : 1, halts : 1, refers : 1;
};

struct table {
	int *tokens;
	unsigned mask;
	struct set *sets;
};

static enum status copy(struct set *to, const struct set *from)
{
	to->count = from->count;
	if (from->count > 0) {
		to->most = to->count;
		to->list = malloc(to->most * sizeof(int));
		if (!to->list) {
			to->most = to->count = 0;
			return SHORT;
		}
		memcpy(to->list, from->list, from->count * sizeof(int));
	} else {
		memset(to, 0, sizeof(*to));
	}
	return DONE;
}

__attribute__((noipa)) static enum status enter(const struct table *table, struct state *state,
						unsigned hash)
{
	state->hash = hash;
	return copy(&table->sets[hash & table->mask], &state->nodes);
}

static void drop(struct state *state)
{
	free(state->nodes.list);
	if (state->entrance != &state->nodes) {
		free(state->entrance->list);
		free(state->entrance);
	}
	free(state);
}

static struct state *make(const struct table *table, const struct set *nodes, unsigned context,
			  unsigned hash)
{
	int i, left_out = 0;
	int err;
	struct state *state;

	state = calloc(sizeof(struct state), 1);
	if (!state)
		return NULL;
	err = copy(&state->nodes, nodes);
	if (err != DONE) {
		free(state);
		return NULL;
	}
	state->context = context;
	state->entrance = &state->nodes;
	for (i = 0; i < nodes->count; i++) {
		int token = table->tokens[nodes->list[i]]; /* HERE */
		unsigned constraint = token >> 8 & 0x3ff;

		if ((token & 0xff) == 1 && !constraint)
			continue;
		state->accepts |= token >> 20 & 1;
		if ((token & 0xff) == 2)
			state->halts = 1;
		else if ((token & 0xff) == 4)
			state->refers = 1;
		if (constraint) {
			if (state->entrance == &state->nodes) {
				state->entrance = malloc(sizeof(struct set));
				if (!state->entrance) {
					drop(state);
					return NULL;
				}
				if (copy(state->entrance, nodes) != DONE) {
					drop(state);
					return NULL;
				}
				left_out = 0;
			}
			if (constraint & context) {
				state->entrance->list[i - left_out] = 0;
				++left_out;
			}
		}
	}
	err = enter(table, state, hash);
	if (err != DONE) {
		drop(state);
		state = NULL;
	}
	return state;
}

__attribute__((noipa)) struct state *acquire(enum status *err, const struct table *table,
					     const struct set *nodes, unsigned context)
{
	unsigned hash = nodes->count + context;
	struct state *state;

	if (nodes->count == 0) {
		*err = DONE;
		return NULL;
	}
	for (int i = 0; i < nodes->count; i++)
		hash += nodes->list[i];
	state = make(table, nodes, context, hash);
	if (!state)
		*err = SHORT;
	return state;
}

int main(void)
{
	int tokens[] = {1, 2, 4, 0x102, 1 << 20}, list[] = {0, 1, 2, 3, 4};
	struct set sets[8], nodes = {5, 5, list};
	struct table table = {tokens, 7, sets};
	enum status err = DONE;

	for (int i = 0; i < nodes.count; i++)
		puts("err=0");
	return !acquire(&err, &table, &nodes, 3);
}
