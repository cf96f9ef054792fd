// SPDX-License-Identifier: GPL-2.0-only
/* Reads a unit's line table (DWARF 5, 6.2) and codes its rows. Discriminators are left out: nothing
 * reads them. */
#include <dwarf.h>

#include "pack/build.h"

#define FORMATS_MAX 8

struct entry_field {
	const uint8_t *text;
	size_t length;
	uint64_t directory;
};

static bool set_path(struct entry_field *entry, const struct bytes *strings, uint64_t offset)
{
	if (offset >= strings->size)
		return false;
	entry->text = strings->data + offset;
	entry->length = strnlen((const char *)entry->text, strings->size - offset);
	return entry->length < strings->size - offset;
}

static bool read_field(struct build *build, struct in *in, uint64_t content, uint64_t form,
		       struct entry_field *ret)
{
	const struct debug *debug = &build->source.debug;
	struct entry_field field = {0};
	uint64_t number = 0;

	switch (form) {
	case DW_FORM_line_strp:
		if (!set_path(&field, &debug->line_str, get_fixed(in, 4)))
			return false;
		break;
	case DW_FORM_strp:
		if (!set_path(&field, &debug->str, get_fixed(in, 4)))
			return false;
		break;
	case DW_FORM_string:
		field.text = in->at;
		field.length = strlen(get_text(in));
		break;
	case DW_FORM_udata: number = get_leb(in); break;
	case DW_FORM_data1: number = get_fixed(in, 1); break;
	case DW_FORM_data2: number = get_fixed(in, 2); break;
	case DW_FORM_data16: get_bytes(in, 16); break;
	default: return false;
	}
	if (content == DW_LNCT_path && field.text) {
		ret->text = field.text;
		ret->length = field.length;
	} else if (content == DW_LNCT_directory_index && !field.text) {
		ret->directory = number;
	}
	return !in->is_bad;
}

static void add_directory(struct build *build, const uint8_t *text, size_t length)
{
	arena_append(&build->unit_arena, build->lines.directories, build->lines.ndirectories) =
		text_of(build, text, length);
}

static bool add_file(struct build *build, const uint8_t *text, size_t length, uint64_t directory)
{
	struct line_head *head = &build->lines;

	if (directory >= head->ndirectories)
		return false;
	arena_append(&build->unit_arena, head->files, head->nfiles) = (struct line_file){
		(uint32_t)directory,
		file_of(build, head->directories[directory], text_of(build, text, length)),
	};
	return true;
}

static bool read_list(struct build *build, struct in *in, bool are_files)
{
	uint64_t formats[FORMATS_MAX][2], nformats = get_fixed(in, 1), count;

	if (nformats > FORMATS_MAX)
		return false;
	for (uint64_t i = 0; i < nformats; i++) {
		formats[i][0] = get_leb(in);
		formats[i][1] = get_leb(in);
	}
	count = get_leb(in);
	for (uint64_t i = 0; i < count; i++) {
		struct entry_field entry = {0};

		for (uint64_t j = 0; j < nformats; j++)
			if (!read_field(build, in, formats[j][0], formats[j][1], &entry))
				return false;
		if (!entry.text || in->is_bad)
			return false;
		if (!are_files)
			add_directory(build, entry.text, entry.length);
		else if (!add_file(build, entry.text, entry.length, entry.directory))
			return false;
	}
	return !in->is_bad;
}

/* Before DWARF 5, directory 0 is the compiler's, and file 1 the first. */
static bool read_old_lists(struct build *build, struct in *in)
{
	add_directory(build, (const uint8_t *)"", 0);
	while (!in->is_bad) {
		const char *text = get_text(in);

		if (!*text)
			break;
		add_directory(build, (const uint8_t *)text, strlen(text));
	}
	while (!in->is_bad) {
		const char *text = get_text(in);
		uint64_t directory;

		if (!*text)
			break;
		directory = get_leb(in);
		get_leb(in);
		get_leb(in);
		if (!add_file(build, (const uint8_t *)text, strlen(text), directory))
			return false;
	}
	return !in->is_bad;
}

bool read_line_head(struct build *build, const struct source_unit *unit)
{
	const struct bytes *section = &build->source.debug.line;
	struct line_head *head = &build->lines;
	struct in in, list;
	uint64_t length;

	*head = (struct line_head){0};
	if (!unit->has_table)
		return true;
	if (unit->table >= section->size)
		return false;
	in = in_bytes(section->data + unit->table, section->size - unit->table);
	length = get_fixed(&in, 4);
	if (length >= 0xfffffff0 || length > in_left(&in))
		return false;
	in.end = in.at + length;
	head->version = (uint8_t)get_fixed(&in, 2);
	if (head->version == 5 && (get_fixed(&in, 1) != 8 || get_fixed(&in, 1)))
		return false;
	length = get_fixed(&in, 4);
	if (head->version < 3 || head->version > 5 || length > in_left(&in))
		return false;
	list = (struct in){in.at, in.at + length, false};
	head->program = (struct in){in.at + length, in.end, false};
	head->least = (uint8_t)get_fixed(&list, 1);
	if (head->version >= 4 && get_fixed(&list, 1) != 1)
		return false;
	head->is_statement = get_fixed(&list, 1);
	head->base = (uint8_t)get_fixed(&list, 1);
	head->range = (uint8_t)get_fixed(&list, 1);
	head->opcodes = (uint8_t)get_fixed(&list, 1);
	if (!head->range || !head->opcodes)
		return false;
	head->lengths = get_bytes(&list, head->opcodes - 1u);
	if (list.is_bad)
		return false;
	return head->version == 5 ?
		       read_list(build, &list, false) && read_list(build, &list, true) :
		       read_old_lists(build, &list);
}

uint32_t file_numbered(const struct build *build, uint64_t number)
{
	const struct line_head *head = &build->lines;

	if (!number)
		return 0;
	if (head->version < 5)
		number--;
	return number < head->nfiles ? head->files[number].file + 1 : NONE;
}

/* The state machine's registers (6.2.2). */
struct machine {
	uint64_t address;
	uint64_t file;
	uint64_t line;
	uint64_t column;
	unsigned flags;
};

struct rows {
	struct build *build;
	struct strbuf *columns;
	struct row_tracker tracker;
	struct machine machine;
	uint64_t count;
};

bool is_code_kept(const struct build *build, uint64_t address)
{
	for (size_t i = 0; i < build->nkept_code; i++)
		if (address >= build->kept_code[i].start && address <= build->kept_code[i].end)
			return true;
	return !build->file->output->writing.nonly;
}

static void begin_sequence(struct rows *rows)
{
	rows->machine = (struct machine){
		.file = 1, .line = 1, .flags = rows->build->lines.is_statement ? ROW_STATEMENT : 0,
	};
}

/* Codes the row at hand, or, behind the last that is kept, the end of a sequence. Files are numbers
 * of the unit here. */
static void put_row(struct rows *rows)
{
	struct row_tracker *tracker = &rows->tracker;
	struct machine *machine = &rows->machine;
	uint32_t *column = column_seen(tracker, machine->file, machine->line);
	bool is_kept = is_code_kept(rows->build, machine->address),
	     is_end = machine->flags & ROW_END;
	unsigned kind;

	if (!is_kept && !tracker->is_inside) {
		machine->flags &= ROW_STATEMENT;
		return;
	}
	if (!is_kept || (is_end && tracker->is_inside))
		machine->flags |= ROW_END;
	kind = machine->flags | (machine->file != tracker->file ? ROW_FILE : 0) |
			(machine->column != *column ? ROW_COLUMN : 0);

	strbuf_putc(&rows->columns[COLUMN_ROW_KIND], (char)kind);
	if (tracker->is_inside)
		put_leb(&rows->columns[COLUMN_ROW_ADDRESS], machine->address - tracker->address);
	else
		put_near(&rows->columns[COLUMN_ROW_ADDRESS], machine->address - tracker->address);
	put_near(&rows->columns[COLUMN_ROW_LINE],
		 machine->line - line_before(tracker, machine->file));
	if (kind & ROW_FILE)
		put_leb(&rows->columns[COLUMN_ROW_FILE], machine->file);
	if (kind & ROW_COLUMN)
		put_leb(&rows->columns[COLUMN_ROW_COLUMN], machine->column);
	*column = (uint32_t)machine->column;
	tracker->address = machine->address;
	tracker->line = machine->line;
	tracker->lines[machine->file % FILES_SEEN] = (uint32_t)machine->line;
	tracker->file = machine->file;
	tracker->is_inside = !(kind & ROW_END);
	machine->flags &= ROW_STATEMENT;
	rows->count++;
}

static void run_extended(struct rows *rows, struct in *in)
{
	uint64_t length = get_leb(in);
	struct in body = {in->at, in->at + (length < in_left(in) ? length : in_left(in)), false};

	get_bytes(in, length);
	switch (get_fixed(&body, 1)) {
	case DW_LNE_end_sequence:
		rows->machine.flags |= ROW_END;
		put_row(rows);
		begin_sequence(rows);
		break;
	case DW_LNE_set_address: rows->machine.address = get_fixed(&body, 8); break;
	case DW_LNE_set_discriminator: break;
	default: in->is_bad = true;
	}
	in->is_bad |= body.is_bad;
}

static void run_standard(struct rows *rows, struct in *in, unsigned opcode)
{
	const struct line_head *head = &rows->build->lines;
	struct machine *machine = &rows->machine;

	switch (opcode) {
	case DW_LNS_copy: put_row(rows); break;
	case DW_LNS_advance_pc: machine->address += head->least * get_leb(in); break;
	case DW_LNS_advance_line: machine->line += get_sleb(in); break;
	case DW_LNS_set_file: machine->file = get_leb(in); break;
	case DW_LNS_set_column: machine->column = get_leb(in); break;
	case DW_LNS_negate_stmt: machine->flags ^= ROW_STATEMENT; break;
	case DW_LNS_set_basic_block: machine->flags |= ROW_BLOCK; break;
	case DW_LNS_const_add_pc:
		machine->address += head->least * ((255u - head->opcodes) / head->range);
		break;
	case DW_LNS_fixed_advance_pc: machine->address += get_fixed(in, 2); break;
	case DW_LNS_set_prologue_end: machine->flags |= ROW_PROLOGUE; break;
	case DW_LNS_set_epilogue_begin: machine->flags |= ROW_EPILOGUE; break;
	default: /* DW_LNS_set_isa, and what isn't in the standard */
		for (unsigned i = head->lengths[opcode - 1]; i && !in->is_bad; i--)
			get_leb(in);
	}
}

bool put_rows(struct build *build, struct strbuf *columns, uint64_t *count)
{
	struct line_head *head = &build->lines;
	struct rows rows = {.build = build, .columns = columns, .tracker = {.line = 1}};
	struct in *in = &head->program;

	begin_sequence(&rows);
	while (in->at < in->end && !in->is_bad) {
		unsigned opcode = (unsigned)get_fixed(in, 1);

		if (!opcode) {
			run_extended(&rows, in);
		} else if (opcode < head->opcodes) {
			run_standard(&rows, in, opcode);
		} else {
			opcode -= head->opcodes;
			rows.machine.address += head->least * (opcode / head->range);
			rows.machine.line += (uint64_t)(int8_t)head->base + opcode % head->range;
			put_row(&rows);
		}
	}
	*count = rows.count;
	return !in->is_bad && !rows.tracker.is_inside && build->lines.version;
}
