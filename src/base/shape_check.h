/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks a shape that was made from a file of others. */
#ifndef BASE_SHAPE_CHECK_H
#define BASE_SHAPE_CHECK_H

#include "ktrace/shape.h"

/* Whether all that sink/ reads by the shape lies within the shape's bytes. */
bool shape_is_sound(const struct shape *shape);

#endif
