/* SPDX-License-Identifier: GPL-2.0-only */
/* Binary search in sorted lists. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>

/*
 * How many of `count` elements come first, up to the one where what is asked for begins. is_before: an
 * expression that holds for each of them, and for none behind; `i` is the name under which it knows an
 * element's index. A macro, so that the comparison is compiled into the loop:
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
