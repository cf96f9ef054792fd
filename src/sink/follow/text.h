/* SPDX-License-Identifier: GPL-2.0-only */
/* change_text.c: values and changes as text. */
#ifndef SINK_FOLLOW_TEXT_H
#define SINK_FOLLOW_TEXT_H

#include "sink/follow/follow.h"

#define CHANGES_START 3u  /* columns behind the source */
#define CHANGES_LEFT  19u /* where they begin at the earliest: behind time and line */

enum paint {
	PAINT_TITLE,
	PAINT_DIM,
	PAINT_NEW,
	PAINT_CHANGED,
	PAINT_CALL,
	PAINT_RESULT,
	PAINT_BAD,
	PAINT_OFF,
};

void follow_paint(const struct follow *follow, enum paint as);
void follow_blanks(struct strbuf *out, size_t count);
/* A value. */
void follow_word(const struct follow *follow, const char *text);

/* Where changes and arguments go. */
struct column {
	size_t at;  /* where they begin, and go on where a terminal's line is full */
	size_t now; /* where the output is */
	bool is_first;
};

/* What was put out from `start` on goes to the next line if a terminal's has no room for it. */
void follow_wrap(const struct follow *follow, struct column *column, size_t start);
/* "(size=3, pages=1)". */
void follow_args(const struct follow *follow, const struct changes *args, struct column *column);

/* A struct or an array is shown by the members that changed. */
void follow_changes(const struct follow *follow, const struct changes *changes,
		    struct column *column);

#endif
