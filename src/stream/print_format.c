// SPDX-License-Identifier: GPL-2.0-only
/*
 * Learns from an event's print fmt what its fields mean: flags, named numbers, code addresses,
 * devices, network addresses. Only an argument that is a plain field counts; one that computes with
 * a field says something about the result.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "stream/internal.h"

#include <traceevent/event-parse.h> /* last: it makes macros of our enum filter_op's names */

/* "%-5lu": letter 'u'; "%pI6c": letter 'p', extension "I6c"; the width in "%*pb" is a conversion
 * of its own, '*'. */
struct conversion {
	char letter;
	char extension[8];
};

static const char *read_extension(const char *at, struct conversion *ret)
{
	size_t length = 0;

	while (length + 1 < sizeof(ret->extension) &&
	       ((*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z') ||
		(length && *at >= '0' && *at <= '9')))
		ret->extension[length++] = *at++;
	return at;
}

/* The next conversion that takes an argument, behind the one in *ret. Returns false at the end. */
static bool next_conversion(const char **format, struct conversion *ret)
{
	const char *at = *format;

	if (ret->letter != '*') {
		while ((at = strchr(at, '%')) && at[1] == '%')
			at += 2;
		if (!at++)
			return false;
	}
	at += strspn(at, "-+ #0123456789.hlzjtLq");
	*ret = (struct conversion){.letter = *at};
	if (*at)
		at++;
	*format = ret->letter == 'p' ? read_extension(at, ret) : at;
	return ret->letter;
}

static const struct tep_print_arg *bare(const struct tep_print_arg *arg)
{
	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	return arg;
}

static bool is_op(const struct tep_print_arg *arg, const char *op)
{
	return arg && arg->type == TEP_PRINT_OP && !strcmp(arg->op.op, op);
}

/* A word that isn't a number is a name that the kernel did not resolve. */
static bool text_number(const char *text, uint64_t *ret)
{
	char *end;

	*ret = strtoull(text, &end, 0);
	return end != text && !end[strspn(end, "uUlL")];
}

static bool constant(const struct tep_print_arg *arg, uint64_t *ret)
{
	uint64_t a, b;

	arg = bare(arg);
	if (arg && arg->type == TEP_PRINT_ATOM)
		return text_number(arg->atom.atom, ret);
	if (!arg || arg->type != TEP_PRINT_OP || !constant(arg->op.left, &a) ||
	    !constant(arg->op.right, &b))
		return false;
	switch (arg->op.op[0]) {
	case '|': *ret = a | b; break;
	case '&': *ret = a & b; break;
	case '+': *ret = a + b; break;
	case '-': *ret = a - b; break;
	case '<': *ret = b < 64 ? a << b : 0; break;
	default: return false;
	}
	return !arg->op.op[1] || !strcmp(arg->op.op, "<<");
}

static struct tracepoint_field *find_field(struct tracepoint *tracepoint, const char *name)
{
	for (unsigned i = 0; i < tracepoint->nfields; i++)
		if (!strcmp(tracepoint->fields[i].name, name))
			return &tracepoint->fields[i];
	return NULL;
}

/* The field that an argument is, or some unshifted bits (*mask) of. Returns NULL when it is
 * neither. */
static struct tracepoint_field *field_of(struct tracepoint *tracepoint,
					 const struct tep_print_arg *arg, uint64_t *mask)
{
	arg = bare(arg);
	*mask = UINT64_MAX;
	if (is_op(arg, "&") && constant(arg->op.right, mask))
		arg = bare(arg->op.left);
	return arg && arg->type == TEP_PRINT_FIELD ? find_field(tracepoint, arg->field.name) : NULL;
}

static struct shape *new_shape(struct arena *arena, const struct tracepoint_field *field,
			       enum shape_kind kind, enum render render)
{
	struct shape *shape = arena_new(arena, struct shape);

	*shape = (struct shape){
		.kind = kind,
		.name = field->name,
		.size = field->size,
		.render = render,
		.is_signed = field->is_signed,
	};
	return shape;
}

static void add_name(struct arena *arena, struct shape *shape, uint64_t number, const char *name)
{
	struct enumerator *list = (struct enumerator *)shape->enumerators;

	arena_append(arena, list, shape->nenumerators) = (struct enumerator){
		.name = arena_strdup(arena, name),
		.number = extend_bits(number, shape->size * 8u, shape->is_signed),
	};
	shape->enumerators = list;
}

static bool is_number_field(const struct tracepoint_field *field)
{
	return !field->is_array && !field->is_dynamic &&
	       (field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8);
}

/* {-1, NULL}: the kernel's own end of a list. */
static bool is_list_end(const struct tep_print_flag_sym *entry)
{
	uint64_t number;

	return !entry->next && text_number(entry->str, &number) && !number;
}

/* Returns NULL when a number in the list is unknown. libtraceevent ends flags with { 0, NULL }. */
static struct shape *named(struct arena *arena, const struct tracepoint_field *field,
			   const struct tep_print_flag_sym *list, bool is_flags)
{
	struct shape *shape = new_shape(arena, field, SHAPE_NUMBER, RENDER_ENUM);
	uint64_t number;

	shape->is_flags = is_flags;
	for (; list && !is_list_end(list); list = list->next) {
		if (!text_number(list->value, &number))
			return NULL;
		if (!is_flags || number)
			add_name(arena, shape, number, list->str);
	}
	return shape->nenumerators ? shape : NULL;
}

static void read_symbols(struct arena *arena, struct tracepoint *tracepoint,
			 const struct tep_print_arg *arg)
{
	uint64_t mask;
	struct tracepoint_field *field = field_of(tracepoint, arg->symbol.field, &mask);

	if (field && is_number_field(field) && mask == UINT64_MAX)
		field->shape = named(arena, field, arg->symbol.symbols, false);
}

/* zero: the name for no flags set, or NULL. */
static void read_flags(struct arena *arena, struct tracepoint *tracepoint,
		       const struct tep_print_arg *arg, const char *zero)
{
	uint64_t mask;
	struct tracepoint_field *field = field_of(tracepoint, arg->flags.field, &mask);
	struct shape *shape;

	if (!field || !is_number_field(field))
		return;
	shape = named(arena, field, arg->flags.flags, true);
	if (shape && zero)
		add_name(arena, shape, 0, zero);
	field->shape = shape;
}

static const char *zero_name(const struct shape *shape)
{
	for (unsigned i = 0; i < shape->nenumerators; i++)
		if (!shape->enumerators[i].number)
			return shape->enumerators[i].name;
	return "";
}

/* Whether a condition is about the field alone. */
static bool tests_only(const struct tep_print_arg *arg, const char *field)
{
	uint64_t number;

	arg = bare(arg);
	if (!arg || arg->type == TEP_PRINT_NULL) /* the left side of -9ULL */
		return true;
	if (arg->type == TEP_PRINT_FIELD)
		return !strcmp(arg->field.name, field);
	if (arg->type == TEP_PRINT_OP)
		return tests_only(arg->op.left, field) && tests_only(arg->op.right, field);
	return constant(arg, &number);
}

/* As btrfs has it: OBJECT >= 1 && OBJECT <= 8 ? __print_symbolic(OBJECT) : "-". */
static bool read_bounded(struct arena *arena, struct tracepoint *tracepoint,
			 const struct tep_print_arg *arg)
{
	const struct tep_print_arg *choice = arg->op.right, *yes, *field;

	yes = is_op(choice, ":") ? bare(choice->op.left) : NULL;
	if (!yes || yes->type != TEP_PRINT_SYMBOL)
		return false;
	field = bare(yes->symbol.field);
	if (field && field->type == TEP_PRINT_FIELD && tests_only(arg->op.left, field->field.name))
		read_symbols(arena, tracepoint, yes);
	return true;
}

/* As in sched_switch: FLAGS ? __print_flags(FLAGS) : "R", followed by BIT ? "+" : "". */
static void read_choice(struct arena *arena, struct tracepoint *tracepoint,
			const struct tep_print_arg *arg)
{
	uint64_t mask;
	struct tracepoint_field *field = field_of(tracepoint, arg->op.left, &mask);
	const struct tep_print_arg *yes, *no;
	struct shape *shape;

	if (read_bounded(arena, tracepoint, arg))
		return;
	if (!field || !is_number_field(field) || strchr(field->type, '*') ||
	    !is_op(arg->op.right, ":"))
		return;
	yes = bare(arg->op.right->op.left);
	no = bare(arg->op.right->op.right);
	if (!yes || !no || no->type != TEP_PRINT_ATOM)
		return;
	shape = (struct shape *)field->shape;
	if (yes->type == TEP_PRINT_FLAGS) {
		read_flags(arena, tracepoint, yes, no->atom.atom);
	} else if (yes->type == TEP_PRINT_ATOM && mask == UINT64_MAX && !shape) {
		shape = new_shape(arena, field, SHAPE_NUMBER, RENDER_ENUM);
		add_name(arena, shape, 0, no->atom.atom);
		add_name(arena, shape, 1, yes->atom.atom);
		field->shape = shape;
	} else if (yes->type == TEP_PRINT_ATOM && !*no->atom.atom && shape && shape->is_flags &&
		   !(mask & (mask - 1))) {
		add_name(arena, shape, mask,
			 arena_printf(arena, "%s%s", zero_name(shape), yes->atom.atom));
	}
}

/* MAJOR(dev), as the kernel itself packs a dev_t (include/linux/kdev_t.h). */
static void read_shift(struct arena *arena, struct tracepoint *tracepoint,
		       const struct tep_print_arg *arg)
{
	uint64_t mask, shift;
	struct tracepoint_field *field = field_of(tracepoint, arg->op.left, &mask);

	if (field && is_number_field(field) && field->size == 4 && mask == UINT64_MAX &&
	    constant(arg->op.right, &shift) && shift == 20)
		field->shape = new_shape(arena, field, SHAPE_NUMBER, RENDER_DEV);
}

/* Documentation/core-api/printk-formats.rst */
static const struct {
	const char *extension;
	enum shape_kind kind;
	enum render render;
	uint16_t size; /* the field's least size, bytes; 0: any */
} pointers[] = {
	{"S", SHAPE_NUMBER, RENDER_SYMBOL, 8},	 {"s", SHAPE_NUMBER, RENDER_SYMBOL, 8},
	{"F", SHAPE_NUMBER, RENDER_SYMBOL, 8},	 {"f", SHAPE_NUMBER, RENDER_SYMBOL, 8},
	{"B", SHAPE_NUMBER, RENDER_SYMBOL, 8},	 {"M", SHAPE_FORMATTED, RENDER_MAC, 6},
	{"I4", SHAPE_FORMATTED, RENDER_IP4, 4},	 {"I6", SHAPE_FORMATTED, RENDER_IP6, 16},
	{"I6c", SHAPE_FORMATTED, RENDER_IP6, 16}, {"ISpc", SHAPE_FORMATTED, RENDER_SOCKADDR, 16},
	{"U", SHAPE_FORMATTED, RENDER_UUID, 16},  {"Ub", SHAPE_FORMATTED, RENDER_UUID, 16},
	{"", SHAPE_NUMBER, RENDER_HEX, 0},
};

/* A field's meaning by its conversion; a list of names from another argument says more, and
 * stays. */
static void read_field(struct arena *arena, struct tracepoint_field *field,
		       const struct conversion *conversion)
{
	const char *extension = conversion->extension;

	if (field->shape || field->is_dynamic)
		return;
	if (strchr("diu", conversion->letter) && is_number_field(field) &&
	    !strcmp(field->type, "char"))
		field->shape = new_shape(arena, field, SHAPE_NUMBER,
					 field->is_signed ? RENDER_SIGNED : RENDER_UNSIGNED);
	if (conversion->letter == 'x' || conversion->letter == 'X')
		extension = "";
	else if (conversion->letter != 'p')
		return;
	for (size_t i = 0; i < sizeof(pointers) / sizeof(*pointers); i++) {
		bool is_whole = pointers[i].kind == SHAPE_FORMATTED;

		if (strcmp(pointers[i].extension, extension))
			continue;
		if (field->size < pointers[i].size || (!is_whole && !is_number_field(field)) ||
		    (is_whole && pointers[i].render != RENDER_SOCKADDR &&
		     field->size != pointers[i].size))
			return;
		field->shape = new_shape(arena, field, pointers[i].kind, pointers[i].render);
		return;
	}
}

static void read_bytes(struct arena *arena, struct tracepoint *tracepoint,
		       const struct tep_print_arg *arg)
{
	const struct tep_print_arg *bytes = bare(arg->hex.field);
	struct tracepoint_field *field = NULL;

	if (bytes && bytes->type == TEP_PRINT_FIELD)
		field = find_field(tracepoint, bytes->field.name);
	else if (bytes && bytes->type == TEP_PRINT_DYNAMIC_ARRAY && bytes->dynarray.field)
		field = find_field(tracepoint, bytes->dynarray.field->name);
	if (field && field->is_array)
		field->shape = new_shape(arena, field, SHAPE_ARRAY, RENDER_HEX);
}

static void read_argument(struct arena *arena, struct tracepoint *tracepoint,
			  const struct tep_print_arg *arg, const struct conversion *conversion)
{
	struct tracepoint_field *field;

	arg = bare(arg);
	if (!arg)
		return;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		field = find_field(tracepoint, arg->field.name);
		if (field)
			read_field(arena, field, conversion);
		break;
	case TEP_PRINT_FLAGS:
		read_flags(arena, tracepoint, arg, NULL);
		break;
	case TEP_PRINT_SYMBOL:
		read_symbols(arena, tracepoint, arg);
		break;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		read_bytes(arena, tracepoint, arg);
		break;
	case TEP_PRINT_OP:
		if (!strcmp(arg->op.op, "?") && conversion->letter == 's')
			read_choice(arena, tracepoint, arg);
		else if (!strcmp(arg->op.op, ">>"))
			read_shift(arena, tracepoint, arg);
		break;
	default:
		break;
	}
}

void print_shapes(struct arena *arena, const struct tep_event *event, struct tracepoint *tracepoint)
{
	struct conversion conversion = {0};
	const char *format = event->print_fmt.format ?: "";
	const struct tep_print_arg *arg = event->print_fmt.args;

	for (; arg && next_conversion(&format, &conversion); arg = arg->next)
		read_argument(arena, tracepoint, arg, &conversion);
}
