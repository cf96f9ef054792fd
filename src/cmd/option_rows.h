/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of verbs and options: options.c parses by them, option_rows.c makes the help. */
#ifndef CMD_OPTION_ROWS_H
#define CMD_OPTION_ROWS_H

#include <stddef.h>

#include "cmd/options.h"

/* What an option takes. Giving it again adds to a list, does nothing for a flag, and is misuse
 * otherwise, since only one could count. */
enum kind {
	KIND_FLAG,
	KIND_TEXT,
	KIND_LIST,    /* of texts */
	KIND_PIDS,    /* lists of numbers with commas between */
	KIND_NUMBER,
	KIND_SIZE,    /* bytes with K, M, G; kept in KiB */
	KIND_SECONDS, /* with a fraction and s, m, h */
	KIND_VERB,
};

#define PROBE 1u
#define LINES 2u
#define VARS  4u
#define FUNCS 8u
#define LIST  16u
#define CLEAN 32u
#define MERGE 64u
#define PLAN  128u /* makes plans, as PROBE does */
#define RUN   256u /* streams, as PROBE does */
#define GRAPH 1024u
#define FOLLOW 2048u
#define PACK  4096u
#define ALL   63u
#define MAKES (PROBE | PLAN)
#define SHOWS (PROBE | RUN)
#define CALLS (GRAPH | FOLLOW)
#define LIVE  (SHOWS | CALLS) /* traces */
#define READS (MAKES | CALLS | LINES | VARS | FUNCS) /* debug information */

struct option_row {
	char letter;
	const char *name;
	const char *argument;
	enum kind kind;
	size_t offset;  /* in struct options */
	unsigned verbs; /* that have it, one bit each */
	const char *help;
};

#define AT(field) offsetof(struct options, field)

#define NROWS_MAX 64

extern const struct option_row option_rows[];
extern const unsigned noption_rows; /* at most NROWS_MAX */

#endif
