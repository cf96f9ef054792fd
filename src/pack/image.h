/* SPDX-License-Identifier: GPL-2.0-only */
/* A build's debug information, opened: the ELF file in memory, and what fills it in. */
#ifndef PACK_IMAGE_H
#define PACK_IMAGE_H

#include "pack/internal.h"

struct pack_image {
	struct arena *arena;
	struct pack *pack;
	struct image_head *head;
	int fd;
	uint8_t *bytes; /* of the ELF file: a shared mapping */
	uint64_t length;
	struct frames *frames; /* debug_frame.c's; NULL: none was asked for */
	struct units *units; /* units.c's; NULL: there are none to fill in */
};

/* NULL when it has none, or one without bytes. */
struct section *image_section(const struct pack_image *image, const char *name);

/* units.c. units_open() returns false when they are damaged. */
bool units_open(struct pack_image *image);
void units_close(struct pack_image *image);
/* debug_frame.c */
void frames_close(struct pack_image *image);

#endif
