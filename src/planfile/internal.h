/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of planfile/. */
#ifndef PLANFILE_INTERNAL_H
#define PLANFILE_INTERNAL_H

#include <string.h>

#include "base/error.h"
#include "planfile/planfile.h"

#define PLANFILE_VERSION "1"

/*
 * A row is a word and the members of a struct: `value size kind=number size=4 expr="(u32)%si"`.
 * Writer and reader go by the same table, so that neither knows a member that the other doesn't. A
 * member of 0 or NULL is left out.
 */
enum field_kind {
	FIELD_FLAG,     /* bool; its name alone */
	FIELD_TEXT,     /* const char * */
	FIELD_U8,
	FIELD_U32,
	FIELD_U64,
	FIELD_WORD,     /* an enum: words[] */
	FIELD_EXPR,     /* const struct expr * */
	FIELD_SHAPE,    /* const struct shape *: its number */
	FIELD_REGISTER, /* uint64_t, DWARF's number: the register's name */
};

struct field {
	const char *name; /* NULL: the value stands alone, behind the row's word */
	enum field_kind kind;
	size_t offset;
	const char *const *words;
	unsigned nwords;
};

struct row_kind {
	const char *word;
	const struct field *fields;
	unsigned nfields;
};

/* rows.c */
extern const struct row_kind row_build[3]; /* by enum target_kind */
extern const struct row_kind row_spec, row_start, row_want, row_constant, row_shape, row_name,
	row_member, row_site, row_entry, row_value, row_part, row_static, row_warning;

/* write_rows.c */
struct writing {
	struct arena *arena;
	struct strbuf *out;
	const struct arch *arch;
	const char *refused; /* what can't be written, or NULL */
	/* shapes written so far: their texts, and which text a shape has */
	const char **texts;
	unsigned ntexts;
	struct written_shape {
		const struct shape *shape;
		unsigned number; /* index of the text + 1 */
	} *written;
	unsigned nwritten;
};
void put_row(struct writing *writing, const struct row_kind *kind, const void *object);

/* words.c: a word of a row, in quotes where it needs them; and back. */
void put_word(struct strbuf *out, const char *text);
struct reading;
/* Reads the next word: NAME, NAME=VALUE (*value is set), or a value in quotes (*name is NULL). Both
 * are NULL at the end of the row. */
struct error *next_word(struct reading *reading, const char **name, const char **value) must_check;

/* read.c */
struct reading {
	struct arena *arena;
	struct planfile *file;
	unsigned line;
	const char *at; /* in the row */
	const char *word; /* the row's */
	/* the innermost of each so far, or NULL */
	struct variant *variant;
	struct planned *planned;
	const struct spec *parsed; /* its spec as its text has it */
	struct sites *sites;
	struct spec *spec; /* the sites' */
	struct site *site;
	struct capture *capture;
	struct shape *shape;
	bool has_wants; /* the spec's wants are the file's, not those of its text */
	/* the spec's shapes: number N is shapes[N - 1] */
	struct read_shape {
		const struct shape *shape;
		unsigned nodes; /* shapes that it consists of, itself too */
		unsigned depth;
	} *shapes;
	unsigned nshapes;
};
struct error *bad(const struct reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What a row must stand behind: the innermost one of it is what the row belongs to. */
enum row_needs { NOTHING, A_PLAN, A_SPEC, A_SHAPE, A_SITE, A_VALUE };
/* How a kind of row is read; a table of these ends with {0}. */
struct row_reader {
	const char *word;
	enum row_needs needs;
	struct error *(*read)(struct reading *reading);
};
extern const struct row_reader variant_rows[]; /* variant.c */
extern const struct row_reader planned_rows[]; /* planned.c */
extern const struct row_reader site_rows[];    /* read_sites.c */

/* fields.c: what is left of the row: into the members of a struct, or a single word. */
struct error *read_fields(struct reading *reading, const struct row_kind *kind,
			  void *object) must_check;
struct error *read_one_word(struct reading *reading, const char **ret) must_check;

/* planned.c: ends the spec that is being read, if any: a pair has both its places. */
struct error *end_planned(struct reading *reading) must_check;
/* variant.c: the variant, and with it the last spec, ends. */
struct error *end_variant(struct reading *reading) must_check;

/* sound.c: whether plan/ and sink/ can take what was read. */
struct error *check_shape(struct reading *reading)
	must_check; /* the last one, if any: it is complete */
struct error *check_sites(struct reading *reading) must_check; /* the same */

#endif
