/* SPDX-License-Identifier: GPL-2.0-only */
/* Sections read as bytes, without libdw, which keeps everything that it has ever read. */
#ifndef DEBUGINFO_SECTION_BYTES_H
#define DEBUGINFO_SECTION_BYTES_H

#include "debuginfo/internal.h"

/* dwarf_read.c */
/* A section of the debug file, uncompressed and relocated; NULL when it has none. */
Elf_Data *section_data(struct dwarf_info *info, const char *name);

/* dwarf_one_frame.c: the call frame information of .debug_frame for the function at an address of
 * the file alone. Returns NULL where libdw is to look for it in the whole section. */
Dwarf_CFI *one_frame(struct dwarf_info *info, uint64_t pc);
void one_frame_close(struct dwarf_info *info);

struct reader {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};
uint64_t read_fixed(struct reader *reader, unsigned size);
uint64_t read_leb(struct reader *reader);
uint64_t read_sleb(struct reader *reader);
const char *read_text(struct reader *reader);
void skip_bytes(struct reader *reader, uint64_t count);

/* dwarf_line_table.c: a unit's line table. */
struct line_table {
	struct reader head;    /* from the list of directories on */
	struct reader program; /* that makes the rows */
	const uint8_t *operands; /* how many each standard operation has */
	uint8_t nopcodes;
	uint8_t step;  /* bytes of the shortest instruction */
	uint8_t range; /* of lines, in operations that also advance the address */
	int8_t base;   /* the least of them */
	bool is_stmt;  /* whether a sequence's first row is a statement */
	bool is_begun;
	struct line_row {
		Dwarf_Addr address;
		unsigned line;
		unsigned file;
		unsigned number; /* of the row, in the table's own order */
		uint16_t column; /* 0: not said */
		bool is_stmt;
		bool is_end; /* behind the last instruction of a sequence */
	} row;
};
/* Where it lies in .debug_line; then its head. They return false when only libdw can read it. */
bool line_table_offset(struct dwarf_info *info, Dwarf_Die *unit, Dwarf_Word *ret);
bool line_table_open(struct dwarf_info *info, Dwarf_Word offset, struct line_table *ret);
/* Makes table->row the next row, in the table's own order. Returns false behind the last one, or
 * when the program is bad. */
bool next_row(struct line_table *table);

/* dwarf_line_rows.c: the rows of a unit by address, those of one address in their order. */
struct line_rows {
	struct dwarf_info *info;
	Dwarf_Die unit;
	struct line_row *list; /* malloc(3)'s, which grows without a copy; NULL: the table can't
				* be read */
	size_t count;
	size_t size;
	Dwarf_Files *files; /* libdw's; or NULL, until file_name() can't tell */
	/* row_file()'s last answer, and its question: most rows have the file of the one before */
	const char *last_name;
	unsigned last_file;
};
/* Returns NULL when there is no table that can be read. The rows of the next unit replace them. */
struct line_rows *unit_rows(struct dwarf_info *info, Dwarf_Die *unit);
void rows_close(struct dwarf_info *info);
/* The first row at or behind an address of the file's own. */
size_t first_row(const struct line_rows *rows, Dwarf_Addr address);
/* Returns NULL when the file isn't said. */
const char *row_file(struct line_rows *rows, const struct line_row *row);
/* Whether the first row at or behind `from` is at an address. */
bool row_follows(struct dwarf_info *info, Dwarf_CU *unit, Dwarf_Addr from, Dwarf_Addr address);

/* dwarf_line_files.c: file_name() returns false when only libdw can tell. */
/* Returns the path, or NULL when it is NULL or longer than PATH_MAX: it will be compared with those
 * of a million rows. */
const char *short_path(const char *path);
bool file_name(struct dwarf_info *info, Dwarf_Die *unit, Dwarf_Word number, const char **ret);
/* The MD5 of the text that was compiled; NULL: not said. */
const uint8_t *file_checksum(struct dwarf_info *info, Dwarf_Die *unit, const char *file);

/* dwarf_loclist.c: the entries of a location list, in order. */
struct location_list {
	struct reader bytes;
	Dwarf_Addr base;
	uint8_t address_size;
	bool is_new;    /* DWARF 5 */
	bool is_single; /* not a list: one expression, valid everywhere */
};
/* Returns false when only libdw can read such a list. */
bool location_list_open(struct dwarf_info *info, Dwarf_Attribute *location,
			struct location_list *ret);
bool location_list_next(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end,
			struct reader *expression);
/* Compilers write nothing longer, and libdw would keep each operation. */
#define OPERATIONS_MAX 1000
#define EXPRESSION_MAX ((size_t)64 << 10) /* bytes, including those of an implicit value */
#define LIST_STEPS 32 /* budget steps for one entry */
/* Whether all expressions of a location, or of its list, are short enough for libdw. */
bool location_is_short(struct dwarf_info *info, Dwarf_Attribute *location);
/* Returns NULL, or the reason why they can't be read here. */
const char *read_operations(struct arena *arena, struct reader expression, Dwarf_Op **ops,
			    size_t *count);

#endif
