// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows of a plan file: which members of which struct they hold. A struct that gets a new member
 * makes a warning here, so that none is left out unseen: add its field or say why there is none,
 * and one 0 more.
 */
#include "planfile/internal.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
/* One 0 for each member: -Wextra warns where one is missing. */
#define MEMBERS(type, ...) static const type type##_members __attribute__((unused)) = {__VA_ARGS__}

/* Not in rows: what a live run finds out (static_place.running, .reason, .is_live; site.path,
 * .directory), lists, which have rows of their own, and what only a call graph or a call that is
 * followed needs of a site. The row of a spec has its text, and what parsing that doesn't give
 * again. */
typedef struct site site;
typedef struct capture capture;
typedef struct part_value part_value;
typedef struct static_place static_place;
typedef struct shape shape;
typedef struct shape_member shape_member;
typedef struct enumerator enumerator;
typedef struct sites sites;
MEMBERS(site, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0);
MEMBERS(capture, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
MEMBERS(part_value, 0, 0, 0);
MEMBERS(static_place, 0, 0, 0, 0, 0, 0);
MEMBERS(shape, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
MEMBERS(shape_member, 0, 0, 0, 0, 0);
MEMBERS(enumerator, 0, 0);
MEMBERS(sites, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

static const char *const capture_words[] = {
	[CAPTURE_VALUE] = "number",
	[CAPTURE_STRING] = "string",
	[CAPTURE_ARRAY] = "array",
	[CAPTURE_DURATION] = "duration",
	[CAPTURE_PARTS] = "parts",
	[CAPTURE_OBJECT] = "object",
	[CAPTURE_RAW] = "raw",
	[CAPTURE_NONE] = "none",
	[CAPTURE_TEXT] = "text",
	[CAPTURE_START] = "start",
	[CAPTURE_BETWEEN] = "between",
	[CAPTURE_STACK] = "stack",
};

static const char *const stack_words[] = {
	[STACK_KERNEL] = "kernel",
	[STACK_POINTERS] = "pointers",
	[STACK_MEMORY] = "memory",
};

static const char *const render_words[] = {
	[RENDER_SIGNED] = "signed",
	[RENDER_UNSIGNED] = "unsigned",
	[RENDER_HEX] = "hex",
	[RENDER_CHAR] = "char",
	[RENDER_BOOL] = "bool",
	[RENDER_STRING] = "string",
	[RENDER_SYMBOL] = "symbol",
	[RENDER_ENUM] = "enum",
	[RENDER_ERRNO] = "errno",
	[RENDER_REFERENCE] = "reference",
	[RENDER_FLOAT] = "float",
	[RENDER_DEV] = "dev",
	[RENDER_SYSCALL] = "syscall",
	[RENDER_TIME] = "time",
	[RENDER_IP4] = "ip4",
	[RENDER_IP6] = "ip6",
	[RENDER_SOCKADDR] = "sockaddr",
	[RENDER_MAC] = "mac",
	[RENDER_UUID] = "uuid",
};

static const char *const shape_words[] = {
	[SHAPE_NUMBER] = "number",
	[SHAPE_TEXT] = "text",
	[SHAPE_ARRAY] = "array",
	[SHAPE_STRUCT] = "struct",
	[SHAPE_FORMATTED] = "formatted",
	[SHAPE_LOST] = "lost",
};

#define AT(member) offsetof(STRUCT, member)
#define WORDS(list) list, COUNT(list)
#define ROW(variable, text, table) const struct row_kind variable = {text, table, COUNT(table)}

#define STRUCT struct build
static const struct field kernel_fields[] = {
	{NULL, FIELD_TEXT, AT(id), NULL, 0},
	{"release", FIELD_TEXT, AT(name), NULL, 0},
};
static const struct field module_fields[] = {
	{NULL, FIELD_TEXT, AT(id), NULL, 0},
	{"name", FIELD_TEXT, AT(name), NULL, 0},
};
static const struct field program_fields[] = {
	{NULL, FIELD_TEXT, AT(id), NULL, 0},
	{"path", FIELD_TEXT, AT(name), NULL, 0},
};
const struct row_kind row_build[] = {
	[TARGET_KERNEL] = {"kernel", kernel_fields, COUNT(kernel_fields)},
	[TARGET_MODULE] = {"module", module_fields, COUNT(module_fields)},
	[TARGET_PROGRAM] = {"program", program_fields, COUNT(program_fields)},
};

#undef STRUCT
#define STRUCT struct spec
static const struct field spec_fields[] = {
	{NULL, FIELD_TEXT, AT(text), NULL, 0},
	{"event", FIELD_TEXT, AT(event), NULL, 0},
};
ROW(row_spec, "spec", spec_fields);
ROW(row_start, "start", spec_fields); /* where a pair begins; its ends follow as `spec` */

#undef STRUCT
#define STRUCT struct want
static const struct field want_fields[] = {
	{NULL, FIELD_TEXT, AT(base), NULL, 0},
	{"start", FIELD_U32, AT(span.start), NULL, 0},
	{"end", FIELD_U32, AT(span.end), NULL, 0},
	{"expanded", FIELD_FLAG, AT(is_expanded), NULL, 0},
};
ROW(row_want, "want", want_fields);

#undef STRUCT
#define STRUCT struct enumerator
static const struct field enumerator_fields[] = {
	{NULL, FIELD_TEXT, AT(name), NULL, 0},
	{"number", FIELD_U64, AT(number), NULL, 0},
};
ROW(row_constant, "constant", enumerator_fields);
ROW(row_name, "name", enumerator_fields);

/* One of sites.warnings. */
static const struct field warning_fields[] = {{NULL, FIELD_TEXT, 0, NULL, 0}};
ROW(row_warning, "warning", warning_fields);

#undef STRUCT
#define STRUCT struct shape
static const struct field shape_fields[] = {
	{NULL, FIELD_WORD, AT(kind), WORDS(shape_words)},
	{"type", FIELD_TEXT, AT(name), NULL, 0},
	{"size", FIELD_U32, AT(size), NULL, 0},
	{"show", FIELD_WORD, AT(render), WORDS(render_words)},
	{"signed", FIELD_FLAG, AT(is_signed), NULL, 0},
	{"flags", FIELD_FLAG, AT(is_flags), NULL, 0},
	{"element", FIELD_SHAPE, AT(element), NULL, 0},
	{"count", FIELD_U32, AT(count), NULL, 0},
	{"stride", FIELD_U32, AT(stride), NULL, 0},
};
ROW(row_shape, "shape", shape_fields);

#undef STRUCT
#define STRUCT struct shape_member
static const struct field member_fields[] = {
	{NULL, FIELD_TEXT, AT(name), NULL, 0},
	{"shape", FIELD_SHAPE, AT(shape), NULL, 0},
	{"offset", FIELD_U32, AT(offset), NULL, 0},
	{"bit_offset", FIELD_U8, AT(bit_offset), NULL, 0},
	{"bit_size", FIELD_U8, AT(bit_size), NULL, 0},
};
ROW(row_member, "member", member_fields);

#undef STRUCT
#define STRUCT struct site
static const struct field site_fields[] = {
	{NULL, FIELD_TEXT, AT(symbol), NULL, 0},
	{"offset", FIELD_U64, AT(offset), NULL, 0},
	{"return", FIELD_FLAG, AT(is_return), NULL, 0},
	{"exit", FIELD_FLAG, AT(is_exit), NULL, 0},
	{"exit_number", FIELD_U32, AT(exit_number), NULL, 0},
	{"module", FIELD_TEXT, AT(module), NULL, 0},
	{"shown", FIELD_TEXT, AT(shown_symbol), NULL, 0},
	{"shown_offset", FIELD_U64, AT(shown_offset), NULL, 0},
	{"has_address", FIELD_FLAG, AT(has_address), NULL, 0},
	{"address", FIELD_U64, AT(address), NULL, 0},
	{"function", FIELD_TEXT, AT(function), NULL, 0},
	{"file", FIELD_TEXT, AT(file), NULL, 0},
	{"line", FIELD_U32, AT(line), NULL, 0},
	{"asked_line", FIELD_U32, AT(asked_line), NULL, 0},
	{"inlined", FIELD_FLAG, AT(inlined), NULL, 0},
	{"frame", FIELD_EXPR, AT(frame), NULL, 0},
	{"has_frame_register", FIELD_FLAG, AT(has_frame_register), NULL, 0},
	{"frame_register", FIELD_REGISTER, AT(frame_register), NULL, 0},
	{"entry_frame", FIELD_EXPR, AT(entry_frame), NULL, 0},
	{"note", FIELD_TEXT, AT(note), NULL, 0},
};
ROW(row_site, "site", site_fields);
ROW(row_entry, "entry", site_fields);

#undef STRUCT
#define STRUCT struct capture
static const struct field value_fields[] = {
	{NULL, FIELD_TEXT, AT(name), NULL, 0},
	{"kind", FIELD_WORD, AT(kind), WORDS(capture_words)},
	{"type", FIELD_TEXT, AT(type_name), NULL, 0},
	{"show", FIELD_WORD, AT(render), WORDS(render_words)},
	{"size", FIELD_U8, AT(size), NULL, 0},
	{"signed", FIELD_FLAG, AT(is_signed), NULL, 0},
	{"count", FIELD_U32, AT(count), NULL, 0},
	{"shape", FIELD_SHAPE, AT(shape), NULL, 0},
	{"user", FIELD_FLAG, AT(is_user), NULL, 0},
	{"whole", FIELD_FLAG, AT(is_whole), NULL, 0},
	{"pointee", FIELD_FLAG, AT(is_pointee), NULL, 0},
	{"at_entry", FIELD_FLAG, AT(at_entry), NULL, 0},
	{"text", FIELD_TEXT, AT(text), NULL, 0},
	{"as", FIELD_TEXT, AT(raw_type), NULL, 0},
	{"reason", FIELD_TEXT, AT(reason), NULL, 0},
	{"start", FIELD_U32, AT(start), NULL, 0},
	{"stack", FIELD_WORD, AT(stack), WORDS(stack_words)},
	{"depth", FIELD_U32, AT(depth), NULL, 0},
	{"expr", FIELD_EXPR, AT(expr), NULL, 0},
};
ROW(row_value, "value", value_fields);

#undef STRUCT
#define STRUCT struct part_value
static const struct field part_fields[] = {
	{"size", FIELD_U8, AT(size), NULL, 0},
	{"expr", FIELD_EXPR, AT(expr), NULL, 0},
	{"lost", FIELD_FLAG, AT(is_lost), NULL, 0},
};
ROW(row_part, "part", part_fields);

#undef STRUCT
#define STRUCT struct static_place
static const struct field static_fields[] = {
	{NULL, FIELD_TEXT, AT(name), NULL, 0},
	{"address", FIELD_U64, AT(address), NULL, 0},
	{"module", FIELD_TEXT, AT(module), NULL, 0},
};
ROW(row_static, "static", static_fields);
