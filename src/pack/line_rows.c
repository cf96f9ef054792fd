// SPDX-License-Identifier: GPL-2.0-only
/* Gives a unit's line table back: its head, and a program that makes the rows (DWARF 5, 6.2). */
#include "pack/decode.h"

#define LINE_BASE  (-5)
#define LINE_RANGE 14
#define OPCODES    13 /* the first special opcode */

bool decode_files(struct decoder *decoder, struct arena *arena, struct in *in,
		  struct unit_files *ret)
{
	uint64_t last = 0;

	*ret = (struct unit_files){.version = (uint8_t)get_leb(in)};
	if (!ret->version)
		return !in->is_bad;
	ret->ndirectories = get_leb(in);
	if (ret->version < 3 || ret->version > 5 || ret->ndirectories > in_left(in))
		return false;
	ret->directories = arena_array(arena, uint64_t, ret->ndirectories + 1);
	for (uint64_t i = 0; i < ret->ndirectories; i++, last++)
		ret->directories[i] = last += get_near(in);
	ret->nfiles = get_leb(in);
	if (ret->nfiles > in_left(in))
		return false;
	ret->files = arena_array(arena, struct unit_file, ret->nfiles + 1);
	last = 0;
	for (uint64_t i = 0; i < ret->nfiles; i++) {
		uint64_t directory = get_leb(in);

		last += get_near(in);
		if (directory >= ret->ndirectories || last >= decoder->nfiles)
			return false;
		ret->files[i] = (struct unit_file){(uint32_t)directory, (uint32_t)last++};
	}
	return !in->is_bad;
}

/* Text whose offset or bytes are put into a table. */
struct table_text {
	uint32_t offset;
	const char *bytes;
};

static bool get_table_text(struct decoder *decoder, uint64_t number, struct table_text *ret)
{
	return text_numbered(decoder, number, &ret->offset, &ret->bytes);
}

/* A table of entries: their fields, how many there are, and each. */
static bool put_lists(struct decoder *decoder, const struct unit_files *files, struct strbuf *out)
{
	struct table_text text;

	put_fixed(out, 1, 1);
	put_leb(out, DW_LNCT_path);
	put_leb(out, DW_FORM_strp);
	put_leb(out, files->ndirectories);
	for (uint64_t i = 0; i < files->ndirectories; i++) {
		if (!get_table_text(decoder, files->directories[i], &text))
			return false;
		put_fixed(out, text.offset, 4);
	}
	put_fixed(out, 2, 1);
	put_leb(out, DW_LNCT_path);
	put_leb(out, DW_FORM_strp);
	put_leb(out, DW_LNCT_directory_index);
	put_leb(out, DW_FORM_udata);
	put_leb(out, files->nfiles);
	for (uint64_t i = 0; i < files->nfiles; i++) {
		if (!get_table_text(decoder, decoder->files[files->files[i].file].name, &text))
			return false;
		put_fixed(out, text.offset, 4);
		put_leb(out, files->files[i].directory);
	}
	return true;
}

static bool put_old_lists(struct decoder *decoder, const struct unit_files *files, uint64_t most,
			  struct strbuf *out)
{
	struct table_text text;

	for (uint64_t i = 1; i < files->ndirectories; i++) {
		if (!get_table_text(decoder, files->directories[i], &text) || out->length > most)
			return false;
		put_text(out, text.bytes);
	}
	put_fixed(out, 0, 1);
	for (uint64_t i = 0; i < files->nfiles; i++) {
		if (!get_table_text(decoder, decoder->files[files->files[i].file].name, &text) ||
		    out->length > most)
			return false;
		put_text(out, text.bytes);
		put_leb(out, files->files[i].directory);
		put_fixed(out, 0, 2); /* time and length */
	}
	put_fixed(out, 0, 1);
	return true;
}

static bool put_head(struct decoder *decoder, const struct unit_files *files, uint64_t most,
		     struct strbuf *out)
{
	static const char lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	size_t start, length;

	put_fixed(out, 0, 4); /* the length, later */
	put_fixed(out, files->version, 2);
	if (files->version >= 5)
		put_fixed(out, 8, 2); /* size of addresses, of segments */
	start = out->length;
	put_fixed(out, 0, 4);
	put_fixed(out, 1, 1); /* least length of an instruction */
	if (files->version >= 4)
		put_fixed(out, 1, 1);
	put_fixed(out, 1, 1); /* rows begin statements */
	put_fixed(out, (uint8_t)LINE_BASE, 1);
	put_fixed(out, LINE_RANGE, 1);
	put_fixed(out, OPCODES, 1);
	strbuf_add(out, lengths, sizeof(lengths));
	if (!(files->version >= 5 ? put_lists(decoder, files, out) :
				    put_old_lists(decoder, files, most, out)))
		return false;
	length = out->length - start - 4;
	memcpy(out->data + start, &length, 4);
	return true;
}

struct row {
	uint64_t address;
	uint64_t file;
	uint64_t line;
	uint64_t column;
	unsigned kind;
};

static bool read_row(struct columns *columns, struct row_tracker *tracker, struct row *row)
{
	struct in *in = columns->list;
	uint32_t *column;

	row->kind = (unsigned)get_fixed(&in[COLUMN_ROW_KIND], 1);
	row->address = tracker->address + (tracker->is_inside ? get_leb(&in[COLUMN_ROW_ADDRESS]) :
					   get_near(&in[COLUMN_ROW_ADDRESS]));
	row->file = row->kind & ROW_FILE ? get_leb(&in[COLUMN_ROW_FILE]) : tracker->file;
	row->line = line_before(tracker, row->file) + get_near(&in[COLUMN_ROW_LINE]);
	column = column_seen(tracker, row->file, row->line);
	row->column = row->kind & ROW_COLUMN ? get_leb(&in[COLUMN_ROW_COLUMN]) : *column;
	*column = (uint32_t)row->column;
	tracker->address = row->address;
	tracker->line = row->line;
	tracker->lines[row->file % FILES_SEEN] = (uint32_t)row->line;
	tracker->file = row->file;
	tracker->is_inside = !(row->kind & ROW_END);
	return !in[COLUMN_ROW_KIND].is_bad && !in[COLUMN_ROW_ADDRESS].is_bad &&
	       !in[COLUMN_ROW_LINE].is_bad;
}

static void put_address(struct strbuf *out, uint64_t address)
{
	put_fixed(out, 0 | 9 << 8 | DW_LNE_set_address << 16, 3);
	put_fixed(out, address, 8);
}

/* What the next row has that the last one hadn't, but for the address and the line. */
static void put_changes(struct strbuf *out, const struct row *last, const struct row *row)
{
	if (row->file != last->file) {
		put_fixed(out, DW_LNS_set_file, 1);
		put_leb(out, row->file);
	}
	if (row->column != last->column) {
		put_fixed(out, DW_LNS_set_column, 1);
		put_leb(out, row->column);
	}
	if ((row->kind ^ last->kind) & ROW_STATEMENT)
		put_fixed(out, DW_LNS_negate_stmt, 1);
	if (row->kind & ROW_BLOCK)
		put_fixed(out, DW_LNS_set_basic_block, 1);
	if (row->kind & ROW_PROLOGUE)
		put_fixed(out, DW_LNS_set_prologue_end, 1);
	if (row->kind & ROW_EPILOGUE)
		put_fixed(out, DW_LNS_set_epilogue_begin, 1);
}

static void put_row(struct strbuf *out, const struct row *last, const struct row *row)
{
	uint64_t line = row->line - last->line - (uint64_t)LINE_BASE,
		 address = row->address - last->address;

	put_changes(out, last, row);
	if (!(row->kind & ROW_END) && line < LINE_RANGE &&
	    address <= (255 - OPCODES - line) / LINE_RANGE) {
		put_fixed(out, OPCODES + line + address * LINE_RANGE, 1);
		return;
	}
	if (row->line != last->line) {
		put_fixed(out, DW_LNS_advance_line, 1);
		put_sleb(out, (int64_t)(row->line - last->line));
	}
	if (address) {
		put_fixed(out, DW_LNS_advance_pc, 1);
		put_leb(out, address);
	}
	if (row->kind & ROW_END)
		put_fixed(out, 0 | 1 << 8 | DW_LNE_end_sequence << 16, 3);
	else
		put_fixed(out, DW_LNS_copy, 1);
}

bool emit_rows(struct decoder *decoder, struct columns *columns, const struct unit_files *files,
	       uint64_t most, struct strbuf *out)
{
	struct row_tracker tracker = {.line = 1};
	uint64_t count, length;
	struct row row, last = {0};

	if (!files->version)
		return true;
	if (!put_head(decoder, files, most, out))
		return false;
	count = get_leb(&columns->list[COLUMN_UNIT]);
	for (uint64_t i = 0; i < count; i++) {
		bool is_first = !tracker.is_inside;

		if (!read_row(columns, &tracker, &row))
			return false;
		if (is_first) {
			put_address(out, row.address);
			last = (struct row){.address = row.address,
					    .file = 1,
					    .line = 1,
					    .kind = ROW_STATEMENT};
		}
		put_row(out, &last, &row);
		last = row;
	}
	length = out->length - 4;
	memcpy(out->data, &length, 4);
	return !tracker.is_inside && length < 0xfffffff0;
}
