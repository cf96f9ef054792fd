/* SPDX-License-Identifier: GPL-2.0-only */
/* Binary search in sorted lists. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>

/*
 * The index of the first of `count` elements for which is_before is false; `count` when there isn't
 * one. is_before: an expression of the index, named `i`, true for every element up to some point
 * and false from there on. A macro, so that the comparison is compiled into the loop:
 *
 *	first = partition_point(nrows, i, rows[i].address < address);
 */
#define partition_point(count, i, is_before) ({ \
	size_t low_ = 0, high_ = (count); \
	while (low_ < high_) { \
		size_t i = low_ + (high_ - low_) / 2; \
		if (is_before) \
			low_ = i + 1; \
		else \
			high_ = i; \
	} \
	low_; \
})

#endif
