// SPDX-License-Identifier: GPL-2.0-only
/* Reads lists of locations and of ranges (DWARF 5, 7.7.3 and 7.25; DWARF 4, 2.6.2 and 2.17.3) with
 * whole addresses. */
#include <dwarf.h>
#include <stdlib.h>

#include "base/last.h"
#include "pack/source.h"

#define ENTRIES_MAX 1000000

static void add_entry(struct list *list, const struct list_entry *entry)
{
	if (list->count == list->size) {
		list->size = list->size ? 2 * list->size : 64;
		list->entries = realloc(list->entries, list->size * sizeof(*list->entries));
		if (!list->entries)
			out_of_memory();
	}
	list->entries[list->count++] = *entry;
}

/* The offset of a list that a number of a table stands for. */
static bool indexed_offset(const struct bytes *lists, uint64_t base, uint64_t index, uint64_t *ret)
{
	struct in in;

	if (base > lists->size || index >= (lists->size - base) / 4)
		return false;
	in = in_bytes(lists->data + base + index * 4, 4);
	*ret = base + get_fixed(&in, 4);
	return true;
}

struct reading {
	const struct debug *debug;
	const struct source_unit *unit;
	struct in in;
	uint64_t base;
	bool has_expressions;
};

static uint64_t get_indexed(struct reading *reading)
{
	bool is_good;
	uint64_t address =
		source_address(reading->debug, reading->unit, get_leb(&reading->in), &is_good);

	reading->in.is_bad |= !is_good;
	return address;
}

/* DW_LLE_* and DW_RLE_* are the same numbers but for those of default locations and beyond. Returns
 * false at the end; *is_entry: it has a range. */
static bool read_new(struct reading *reading, struct list_entry *entry, bool *is_entry)
{
	struct in *in = &reading->in;
	uint64_t kind = get_fixed(in, 1);

	*is_entry = true;
	if (!reading->has_expressions && kind >= DW_LLE_default_location)
		kind++;
	switch (kind) {
	case DW_LLE_end_of_list: return false;
	case DW_LLE_base_addressx: reading->base = get_indexed(reading); *is_entry = false; break;
	case DW_LLE_startx_endx:
		entry->start = get_indexed(reading);
		entry->end = get_indexed(reading);
		break;
	case DW_LLE_startx_length:
		entry->start = get_indexed(reading);
		entry->end = entry->start + get_leb(in);
		break;
	case DW_LLE_offset_pair:
		entry->start = reading->base + get_leb(in);
		entry->end = reading->base + get_leb(in);
		break;
	case DW_LLE_default_location:
		entry->start = 0;
		entry->end = UINT64_MAX;
		break;
	case DW_LLE_base_address: reading->base = get_fixed(in, 8); *is_entry = false; break;
	case DW_LLE_start_end:
		entry->start = get_fixed(in, 8);
		entry->end = get_fixed(in, 8);
		break;
	case DW_LLE_start_length:
		entry->start = get_fixed(in, 8);
		entry->end = entry->start + get_leb(in);
		break;
	default: in->is_bad = true;
	}
	return true;
}

static bool read_old(struct reading *reading, struct list_entry *entry, bool *is_entry)
{
	entry->start = get_fixed(&reading->in, 8);
	entry->end = get_fixed(&reading->in, 8);
	*is_entry = entry->start != UINT64_MAX;
	if (!*is_entry)
		reading->base = entry->end;
	else if (!entry->start && !entry->end)
		return false;
	entry->start += reading->base;
	entry->end += reading->base;
	return true;
}

static bool read_list(struct reading *reading, struct list *ret)
{
	bool is_new = reading->unit->version >= 5, is_entry;
	struct list_entry entry = {0};

	ret->count = 0;
	while (is_new ? read_new(reading, &entry, &is_entry) :
			read_old(reading, &entry, &is_entry)) {
		if (reading->in.is_bad || ret->count == ENTRIES_MAX)
			return false;
		if (!is_entry)
			continue;
		if (reading->has_expressions) {
			entry.length = is_new ? get_leb(&reading->in) : get_fixed(&reading->in, 2);
			entry.expression = get_bytes(&reading->in, entry.length);
		}
		add_entry(ret, &entry);
	}
	return !reading->in.is_bad;
}

static bool open_list(struct reading *reading, const struct bytes *section, uint64_t offset)
{
	if (offset >= section->size)
		return false;
	reading->in = in_bytes(section->data + offset, section->size - offset);
	reading->base = reading->unit->base;
	return true;
}

bool read_locations(const struct debug *debug, const struct source_unit *unit, uint16_t form,
		    uint64_t number, struct list *ret)
{
	struct reading reading = {.debug = debug, .unit = unit, .has_expressions = true};

	if (form == DW_FORM_loclistx &&
	    !indexed_offset(&debug->loclists, unit->list_base, number, &number))
		return false;
	return open_list(&reading, unit->version >= 5 ? &debug->loclists : &debug->loc, number) &&
	       read_list(&reading, ret);
}

bool read_ranges(const struct debug *debug, const struct source_unit *unit, uint16_t form,
		 uint64_t number, struct list *ret)
{
	struct reading reading = {.debug = debug, .unit = unit};

	if (form == DW_FORM_rnglistx &&
	    !indexed_offset(&debug->rnglists, unit->range_base, number, &number))
		return false;
	return open_list(&reading, unit->version >= 5 ? &debug->rnglists : &debug->ranges,
			 number) &&
	       read_list(&reading, ret);
}
