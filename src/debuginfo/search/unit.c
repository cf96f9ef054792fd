// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns offsets of .debug_info into DIEs; nothing else does. libdw reads the header of each unit
 * before the one it is asked for, a page fault each: up to half the time of a probe whose names are
 * in the index.
 *
 * The surprise: libdw is led past units that no question needs. For a moment, in this process's
 * private copy of the page (or in the pack's memory), the first of them claims to be as long as all
 * of them (bridge()). If one of them is asked for after all, the file is opened again, without
 * bridges.
 */
#include <string.h>
#include <unistd.h>

#include "base/mapping.h"
#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/search/search.h"
#include "debuginfo/section_bytes.h"
#include "pack/pack.h"

#define STRIDE ((Dwarf_Off)4 << 20)
#define FEW_UNITS 64
#define LENGTH_MAX 0xfffffff0u /* 4-byte lengths are below this (7.4) */

struct unit *unit_of(struct dwarf_info *info, Dwarf_Off offset)
{
	const struct split *split = split_of(info, offset);
	size_t behind;

	if (split)
		return &info->units[split->unit];
	behind = partition_point(info->nunits, i, info->units[i].start <= offset);
	return behind ? &info->units[behind - 1] : NULL;
}

/* Lists units by read(2) of their headers, as long as these look like a kernel's (7.5.1). Returns
 * the offset of the first that doesn't, or the end. */
static Dwarf_Off list_by_read(struct dwarf_info *info)
{
	const Elf_Data *data = section_data(info, ".debug_info");
	Dwarf_Off at = 0;
	uint8_t bytes[12];
	struct mapped_file file = info->is_mapped ?
		mapped_file_open(data->d_buf, data->d_size) : (struct mapped_file){.fd = -1};

	while (file.fd >= 0 && mapped_file_read(&file, at, sizeof(bytes), bytes) == bytes) {
		struct reader reader = {.at = bytes, .end = bytes + sizeof(bytes)};
		uint64_t length = read_fixed(&reader, 4), version = read_fixed(&reader, 2);
		uint64_t type = version == 5 ? read_fixed(&reader, 1) : DW_UT_compile;

		if (data->d_size - at < sizeof(bytes) || length < sizeof(bytes) ||
		    length >= LENGTH_MAX || length > data->d_size - at - 4 || version < 2 ||
		    version > 5 || type != DW_UT_compile)
			break;
		arena_append(info->kept, info->units, info->nunits) = (struct unit){
			.start = at,
			.end = at + 4 + length,
			.die = at + (version == 5 ? 12 : 11),
			.version = (uint8_t)version,
		};
		at += 4 + length;
	}
	if (file.fd >= 0)
		close(file.fd);
	return at;
}

/* Whether the unit at `at` ends within its section: libdw believes its header. */
static bool unit_fits(const Elf_Data *data, Dwarf_Off at)
{
	struct reader reader = {.at = (const uint8_t *)data->d_buf + at,
				.end = (const uint8_t *)data->d_buf + data->d_size};
	uint64_t length = read_fixed(&reader, 4);

	if (length == UINT32_MAX)
		length = read_fixed(&reader, 8);
	return length <= (uint64_t)(reader.end - reader.at);
}

static struct error *unit_too_long(struct dwarf_info *info, const char *section, Dwarf_Off at)
{
	return error_new(info->arena, ERROR_SYSTEM,
			 "damaged debug information in '%s': the unit at %#llx "
			 "of %s is longer than the section",
			 info->base.target->path, (unsigned long long)at, section);
}

/* libdw walks these by itself when it looks for a type by its signature. */
static struct error *check_type_units(struct dwarf_info *info)
{
	const Elf_Data *data = section_data(info, ".debug_types");

	for (Dwarf_Off at = 0; data && data->d_buf && at < data->d_size;) {
		struct reader reader = {.at = (const uint8_t *)data->d_buf + at,
					.end = (const uint8_t *)data->d_buf + data->d_size};
		uint64_t length = read_fixed(&reader, 4);

		if (!unit_fits(data, at))
			return unit_too_long(info, ".debug_types", at);
		if (length == UINT32_MAX)
			length = read_fixed(&reader, 8);
		at = data->d_size - (Dwarf_Off)(reader.end - reader.at) + length;
	}
	return NULL;
}

static void list_packed(struct dwarf_info *info)
{
	info->nunits = pack_units(info->pack);
	info->units = arena_array(info->kept, struct unit, info->nunits + 1);
	for (size_t i = 0; i < info->nunits; i++) {
		struct pack_unit unit = pack_unit(info->pack, i);

		info->units[i] = (struct unit){
			.start = unit.start,
			.end = unit.end,
			.die = unit.die,
			.version = unit.version,
		};
	}
}

struct error *list_units(struct dwarf_info *info)
{
	const Elf_Data *data = section_data(info, ".debug_info");
	Dwarf_Off offset = info->pack ? 0 : list_by_read(info), next;
	size_t header;
	Dwarf_Half version;

	if (info->pack) {
		list_packed(info);
		return NULL;
	}
	while (data && data->d_buf && offset < data->d_size) {
		if (!unit_fits(data, offset))
			return unit_too_long(info, ".debug_info", offset);
		if (dwarf_next_unit(info->dwarf, offset, &next, &header, &version, NULL, NULL, NULL,
				    NULL, NULL) ||
		    next <= offset || offset + header > next)
			break;
		arena_append(info->kept, info->units, info->nunits) = (struct unit){
			.start = offset,
			.end = next,
			.die = offset + header,
			.version = (uint8_t)version,
		};
		pass_unit(info, &info->units[info->nunits - 1]);
		offset = next;
	}
	return check_type_units(info);
}

void give_back_info(struct dwarf_info *info, Dwarf_Off from, Dwarf_Off to)
{
	const Elf_Data *data = info->is_mapped ? section_data(info, ".debug_info") : NULL;

	if (data && from <= to && to <= data->d_size)
		give_back((const uint8_t *)data->d_buf + from, (const uint8_t *)data->d_buf + to);
}

/* One section may be compressed, and another not: then libelf has allocated it. */
void give_back_sections(struct dwarf_info *info)
{
	for (struct known_section *known = info->sections; known; known = known->next) {
		const Elf_Data *data = known->data;

		if (!known->is_asked)
			known->is_mapped =
				data && data->d_buf && is_mapped_file(data->d_buf, data->d_size);
		known->is_asked = true;
		if (known->is_mapped)
			give_back(data->d_buf, (const uint8_t *)data->d_buf + data->d_size);
	}
}

void pass_unit(struct dwarf_info *info, const struct unit *unit)
{
	Dwarf_Off from = unit->start - unit->start % STRIDE;

	if (unit->end - from >= STRIDE)
		give_back_info(info, from, unit->end);
}

/* How a unit's DIEs refer to those of other units. */
struct outside {
	bool refers;
	bool is_origin; /* an instance refers to its origin */
};

static void note_form(struct outside *outside, uint64_t name, uint64_t form)
{
	bool refers =
		form == DW_FORM_ref_addr || form == DW_FORM_ref_sig8 || form == DW_FORM_indirect;

	outside->refers |= refers;
	outside->is_origin |= form == DW_FORM_ref_addr &&
			      (name == DW_AT_abstract_origin || name == DW_AT_specification);
}

/* Reads one abbreviation declaration (7.5.3). Returns false after the last. */
static bool read_abbreviation(struct reader *reader, struct outside *outside)
{
	uint64_t name, form;

	if (!read_leb(reader))
		return false;
	read_leb(reader); /* the tag */
	skip_bytes(reader, 1);
	do {
		name = read_leb(reader);
		form = read_leb(reader);
		if (form == DW_FORM_implicit_const)
			read_sleb(reader);
		note_form(outside, name, form);
	} while ((name || form) && !reader->is_bad);
	return !reader->is_bad;
}

/* What can't be read counts as both. */
static struct outside refers_outside(struct dwarf_info *info, const struct unit *unit)
{
	const struct outside any = {true, true};
	const Elf_Data *data = section_data(info, ".debug_info");
	const Elf_Data *abbreviations = section_data(info, ".debug_abbrev");
	struct reader reader = {
		.at = (const uint8_t *)data->d_buf + unit->start,
		.end = (const uint8_t *)data->d_buf + unit->die,
	};
	struct outside outside = {false, false};
	bool is_long = read_fixed(&reader, 4) != unit->end - unit->start - 4;
	uint64_t offset;

	skip_bytes(&reader, unit->version < 5 ? 2 : 4);
	offset = read_fixed(&reader, 4);
	if (is_long || !abbreviations || !abbreviations->d_buf || offset >= abbreviations->d_size)
		return any;
	reader.at = (const uint8_t *)abbreviations->d_buf + offset;
	reader.end = (const uint8_t *)abbreviations->d_buf + abbreviations->d_size;
	while (read_abbreviation(&reader, &outside))
		;
	return reader.is_bad ? any : outside;
}

/* Reading each unit's header costs a page fault, so first look for bytes that such a reference
 * needs: attribute, form. The form is the rarer byte, and memchr(3) is ten times as fast as
 * memmem(3) for the pair. */
static bool may_be_far(struct dwarf_info *info)
{
	const Elf_Data *abbreviations = section_data(info, ".debug_abbrev");
	const uint8_t *start = abbreviations ? abbreviations->d_buf : NULL, *at = start;
	const uint8_t *end = start ? start + abbreviations->d_size : NULL;

	while (at && at < end && (at = memchr(at, DW_FORM_ref_addr, (size_t)(end - at)))) {
		if (at > start &&
		    (at[-1] == DW_AT_abstract_origin || at[-1] == DW_AT_specification))
			return true;
		at++;
	}
	return false;
}

static bool mark_far(struct dwarf_info *info)
{
	bool found = false;

	for (size_t i = 0; i < info->nunits; i++) {
		info->units[i].is_far = refers_outside(info, &info->units[i]).is_origin;
		found |= info->units[i].is_far;
	}
	return found;
}

bool has_far_units(struct dwarf_info *info)
{
	if (info->is_far_known || info->pack)
		return info->has_far;
	info->is_far_known = true;
	if (recall_none_far(info))
		return false;
	if (may_be_far(info) && mark_far(info))
		info->has_far = read_all_units(info);
	else
		record_none_far(info);
	return info->has_far;
}

/* Whether a name that was searched for can be in the unit. */
static bool is_wanted(const struct dwarf_info *info, size_t unit)
{
	for (const struct searched *name = info->searched; name; name = name->next)
		if (name->is_candidate[unit] && !name->is_narrowed)
			return true;
	return false;
}

/* Makes libdw read the headers up to that of the unit. A pack's are written no sooner. */
static void pass_to(struct dwarf_info *info, size_t unit)
{
	Dwarf_Die die;

	if (info->pack)
		pack_write_head(info->pack, unit, unit + 1);
	dwarf_offdie(info->dwarf, info->units[unit].die, &die);
}

/* Makes libdw take the units from `from` up to `to` for one, so that it reads only the first
 * header. If the page is dropped meanwhile, the bridge is gone, and libdw reads all of them. */
static void bridge(struct dwarf_info *info, size_t from, size_t to)
{
	const Elf_Data *data = section_data(info, ".debug_info");
	uint8_t *header = (uint8_t *)data->d_buf + info->units[from].start;
	Dwarf_Off length = info->units[to].start - info->units[from].start - sizeof(uint32_t);
	uint32_t kept, longer = (uint32_t)length;

	if (length >= LENGTH_MAX)
		return;
	if (info->pack) {
		pack_write_head(info->pack, from, to);
		pass_to(info, to);
		pack_write_head(info->pack, from, from + 1);
	} else {
		memcpy(&kept, header, sizeof(kept));
		memcpy(header, &longer, sizeof(longer));
		pass_to(info, to);
		memcpy(header, &kept, sizeof(kept));
	}
	for (size_t i = from; i < to; i++)
		info->units[i].is_bridged = true;
	info->has_bridges = true;
}

/* Bridges pay when few units are read, and are safe when these refer to no other units, as a pack's
 * never do. */
static bool can_bridge(struct dwarf_info *info, size_t last)
{
	unsigned count = 0;

	for (size_t i = info->nread; i <= last; i++)
		if ((i == last || is_wanted(info, i)) &&
		    (++count > FEW_UNITS ||
		     (!info->pack && refers_outside(info, &info->units[i]).refers)))
			return false;
	return true;
}

bool read_all_units(struct dwarf_info *info)
{
	Dwarf *whole;

	info->may_bridge = false;
	if (!info->has_bridges)
		return true;
	whole = dwarf_begin_elf(dwarf_getelf(info->dwarf), DWARF_C_READ, NULL);
	if (!whole)
		return false;
	for (size_t i = 0; i < info->nread; i++)
		info->units[i].is_bridged = false;
	info->has_bridges = false;
	info->dwarf = info->whole = whole;
	info->nread = 0;
	return true;
}

bool read_units(struct dwarf_info *info, size_t last)
{
	bool is_known = last < info->nread;

	if ((!info->is_mapped && !info->pack) || last >= info->nunits)
		return true;
	if ((is_known ? info->units[last].is_bridged :
			info->may_bridge && !can_bridge(info, last)) &&
	    !read_all_units(info))
		return false;
	while (info->nread <= last) {
		size_t next = info->nread;

		while (info->may_bridge && next < last && !is_wanted(info, next))
			next++;
		if (next > info->nread)
			bridge(info, info->nread, next);
		pass_to(info, next);
		pass_unit(info, &info->units[next]);
		info->nread = next + 1;
	}
	return true;
}

Dwarf_Die *die_at(struct dwarf_info *info, Dwarf_Off offset, Dwarf_Die *ret)
{
	const struct split *split = split_of(info, offset);
	const struct unit *unit = split ? NULL : unit_of(info, offset);

	if (split)
		return dwarf_offdie(split->dwarf, offset & ~SPLIT_MASK, ret);
	if (unit && info->pack && !pack_fill(info->pack, (size_t)(unit - info->units))) {
		info->is_pack_damaged = true;
		return NULL;
	}
	if (unit && !read_units(info, (size_t)(unit - info->units)))
		return NULL;
	return dwarf_offdie(info->dwarf, offset, ret);
}
