// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a DIE's sibling, as dwarf_siblingof() does. libdw asks the abbreviation for each attribute
 * that it passes; here an abbreviation is read once, and becomes a list of how far to go.
 *
 * The surprise: where a DIE doesn't say where its sibling is (clang never does), all its children
 * are passed. What can't be told here, damaged DIEs among it, libdw tells.
 */
#include <stdint.h>

#include "base/hash.h"
#include "debuginfo/die_handle.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/search/search.h"
#include "debuginfo/section_bytes.h"

enum { STEPS_MAX = 16, SKIPS_KEPT = 512 };

enum step_kind {
	STEP_END,     /* behind the last attribute */
	STEP_LEB,     /* a number of any length */
	STEP_BYTES,   /* such a number, and as many bytes */
	STEP_BYTES1,  /* their number has one byte */
	STEP_TEXT,
	STEP_SIBLING, /* an offset in the unit */
};

/* How to pass the attributes of a unit's abbreviation. */
struct skip {
	const Dwarf_CU *unit; /* NULL: none yet */
	uint64_t code;
	Dwarf_Abbrev *abbrev; /* libdw's */
	bool has_children;
	bool is_known; /* false: only libdw can pass them */
	struct step {
		uint16_t fixed; /* bytes in front of what the kind says */
		uint8_t kind;
		uint8_t size; /* of a sibling's offset */
	} steps[STEPS_MAX];
};

struct siblings {
	Dwarf_CU *unit; /* the last one */
	const uint8_t *start; /* its bytes; NULL: only libdw can read it */
	const uint8_t *end;
	uint8_t address_size;
	uint8_t offset_size;
	Dwarf_Half version;
	struct skip skips[SKIPS_KEPT]; /* by a hash of the unit and the code */
};

static void enter_unit(struct dwarf_info *info, struct siblings *siblings, Dwarf_Die *die)
{
	const Elf_Data *data = section_data(info, ".debug_info");
	Dwarf_Off offset = dwarf_dieoffset(die);
	const struct unit *unit = split_tag(die->cu) ? NULL : unit_of(info, offset);
	const uint8_t *bytes = data ? data->d_buf : NULL;
	Dwarf_Die top;

	siblings->unit = die->cu;
	siblings->start = NULL;
	/* a unit of types, or of another file, is in another section */
	if (dwarf_cu_getdwarf(die->cu) != info->dwarf || !unit || !bytes ||
	    offset >= unit->end || unit->end > data->d_size || bytes + offset != die->addr ||
	    !dwarf_cu_die(die->cu, &top, &siblings->version, NULL, &siblings->address_size,
			  &siblings->offset_size, NULL, NULL))
		return;
	siblings->start = bytes + unit->start;
	siblings->end = bytes + unit->end;
}

/* The bytes of a form that always has as many; -1: it hasn't. (7.5.6) */
static int fixed_size(const struct siblings *siblings, unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3: return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4: return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sup8:
	case DW_FORM_ref_sig8: return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return siblings->address_size;
	case DW_FORM_ref_addr:
		return siblings->version == 2 ? siblings->address_size : siblings->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: return siblings->offset_size;
	default: return -1;
	}
}

/* Returns STEP_END for a form that isn't known. */
static enum step_kind variable_kind(unsigned form)
{
	switch (form) {
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: return STEP_LEB;
	case DW_FORM_exprloc:
	case DW_FORM_block: return STEP_BYTES;
	case DW_FORM_block1: return STEP_BYTES1;
	case DW_FORM_string: return STEP_TEXT;
	default: return STEP_END;
	}
}

/* Returns false where only libdw can pass the attribute. */
static bool add_attribute(const struct siblings *siblings, unsigned name, unsigned form,
			  struct step **at)
{
	int fixed = fixed_size(siblings, form);
	struct step *step = *at;

	if (name == DW_AT_sibling && fixed <= 0)
		return false;
	if (name != DW_AT_sibling && fixed >= 0) {
		step->fixed = (uint16_t)(step->fixed + fixed);
		return step->fixed < UINT16_MAX - 16;
	}
	step->kind = name == DW_AT_sibling ? STEP_SIBLING : (uint8_t)variable_kind(form);
	step->size = fixed > 0 ? (uint8_t)fixed : 0;
	*at = step + 1;
	return step->kind != STEP_END;
}

static void read_abbreviation(const struct siblings *siblings, Dwarf_Die *die, uint64_t code,
			      struct skip *ret)
{
	Dwarf_Abbrev *abbrev = die->abbrev;
	struct step *at = ret->steps;
	unsigned name = 0, form;

	*ret = (struct skip){.unit = die->cu, .code = code, .abbrev = abbrev,
			     .has_children = dwarf_abbrevhaschildren(abbrev)};
	/* dwarf_getattrcnt() stops at a DW_FORM_implicit_const of 0 */
	for (size_t i = 0; name != DW_AT_sibling &&
			   !dwarf_getabbrevattr_data(abbrev, i, &name, &form, NULL, NULL);
	     i++)
		if (at == ret->steps + STEPS_MAX - 1 || !add_attribute(siblings, name, form, &at))
			return;
	ret->is_known = true;
}

static struct skip *kept_skip(struct siblings *siblings, uint64_t code)
{
	uint64_t both = (uintptr_t)siblings->unit / sizeof(void *) + code;

	return &siblings->skips[number_hash(both) % SKIPS_KEPT];
}

static bool is_of(const struct skip *skip, const struct siblings *siblings, uint64_t code)
{
	return skip->unit == siblings->unit && skip->code == code;
}

/* The code is the DIE's. Returns NULL where only libdw can pass it. */
static const struct skip *skip_of(struct siblings *siblings, Dwarf_Die *die, uint64_t code)
{
	struct skip *skip = kept_skip(siblings, code);

	if (!is_of(skip, siblings, code)) {
		if (dwarf_tag(die) == DW_TAG_invalid) /* it looks for the abbreviation */
			return NULL;
		read_abbreviation(siblings, die, code, skip);
	}
	return skip->is_known ? skip : NULL;
}

/* A DIE whose abbreviation libdw needn't look for, if it was met before. */
static Dwarf_Die die_of(struct siblings *siblings, const uint8_t *bytes)
{
	struct reader reader = {.at = bytes, .end = siblings->end};
	uint64_t code = read_leb(&reader);
	const struct skip *skip = kept_skip(siblings, code);

	return (Dwarf_Die){
		.addr = (void *)bytes,
		.cu = siblings->unit,
		.abbrev = is_of(skip, siblings, code) ? skip->abbrev : NULL,
	};
}

static void pass_variable(struct reader *reader, enum step_kind kind)
{
	switch (kind) {
	case STEP_LEB: read_leb(reader); break;
	case STEP_BYTES: skip_bytes(reader, read_leb(reader)); break;
	case STEP_BYTES1: skip_bytes(reader, read_fixed(reader, 1)); break;
	default: read_text(reader); break;
	}
}

/* Returns what is behind the DIE, or its sibling if it names that; NULL: libdw may know. level goes
 * up by one if its children come next. */
static const uint8_t *pass_die(struct siblings *siblings, Dwarf_Die *die, unsigned *level)
{
	struct reader reader = {.at = die->addr, .end = siblings->end};
	const struct skip *skip = skip_of(siblings, die, read_leb(&reader));
	const struct step *step;
	uint64_t offset;

	if (!skip)
		return NULL;
	for (step = skip->steps;; step++) {
		skip_bytes(&reader, step->fixed);
		if (step->kind == STEP_END || step->kind == STEP_SIBLING)
			break;
		pass_variable(&reader, step->kind);
	}
	if (step->kind == STEP_END) {
		*level += skip->has_children;
		return reader.is_bad ? NULL : reader.at;
	}
	offset = read_fixed(&reader, step->size);
	return !reader.is_bad &&
			       offset > (uint64_t)((const uint8_t *)die->addr - siblings->start) &&
			       offset < (uint64_t)(siblings->end - siblings->start) ?
		       siblings->start + offset : NULL;
}

static struct siblings *siblings_of(struct dwarf_info *info, Dwarf_Die *die)
{
	if (!info->siblings)
		info->siblings = arena_new(info->kept, struct siblings);
	if (info->siblings->unit != die->cu)
		enter_unit(info, info->siblings, die);
	return info->siblings->start ? info->siblings : NULL;
}

int sibling_of(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret)
{
	struct siblings *siblings = siblings_of(info, die);
	Dwarf_Die at = *die;
	unsigned level = 0; /* of children, below the DIE's own list */

	if (!siblings)
		return dwarf_siblingof(die, ret);
	do {
		const uint8_t *next = pass_die(siblings, &at, &level);

		if (!next)
			return dwarf_siblingof(die, ret);
		for (; next < siblings->end && !*next; next++) /* ends of lists */
			if (!level--) {
				ret->addr = (void *)next;
				return 1;
			}
		if (next == siblings->end)
			return 1;
		at = die_of(siblings, next);
	} while (level);
	*ret = at;
	return 0;
}

const uint8_t *unit_bytes(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Off *start, size_t *size)
{
	const struct siblings *siblings = siblings_of(info, die);

	if (!siblings)
		return NULL;
	*start = (Dwarf_Off)(siblings->start -
			     (const uint8_t *)section_data(info, ".debug_info")->d_buf);
	*size = (size_t)(siblings->end - siblings->start);
	return siblings->start;
}
