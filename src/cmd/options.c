// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses argv into struct options, by the tables of option_rows.c. The surprise: an option that is
 * given twice is misuse where only one could count.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/option_rows.h"
#include "cmd/sources.h"

static struct error *usage(struct arena *arena, const char *message)
{
	return error_hint(arena, error_new(arena, ERROR_USAGE, "%s", message),
			  "see ktrace --help");
}

/* Words stand behind these letters in other tools. */
static const char *other_meaning(char letter, const char *text)
{
	if (isdigit((unsigned char)text[0]) || text[0] == '-')
		return NULL;
	return letter == 'c' ? "to run a command and trace it, write it last: SPEC -- COMMAND" :
	       letter == 'p' ? "-p PID is a process; a name of tasks is --comm NAME; the calls "
			       "that a function makes: ktrace graph --help" :
			       NULL;
}

static struct error *bad_value(struct arena *arena, const struct option_row *row, const char *text,
			       const char *what)
{
	struct error *error = error_new(arena, ERROR_USAGE, "--%s takes %s, not '%s'", row->name,
					what, text);

	return error_hint(arena, error, "%s", other_meaning(row->letter, text) ?:
			  "see ktrace --help");
}

static struct error *set_number(struct arena *arena, const struct option_row *row, const char *text,
				unsigned long *ret)
{
	char *end;

	errno = 0;
	*ret = strtoul(text, &end, 10);
	if (errno || end == text || *end || !isdigit((unsigned char)text[0]) || !*ret)
		return bad_value(arena, row, text, "a whole number above 0");
	/* all but the number of events fit an int, in the kernel too */
	if (*ret > INT_MAX && row->offset != AT(count))
		return bad_value(arena, row, text, "a number up to 2147483647");
	return NULL;
}

static struct error *set_pids(struct arena *arena, const struct option_row *row, const char *text,
			      struct pid_list *list)
{
	for (;;) {
		unsigned long pid;
		size_t length = strcspn(text, ",");
		struct error *error =
			set_number(arena, row, arena_strndup(arena, text, length), &pid);

		if (error)
			return error;
		if (pid > INT_MAX)
			return bad_value(arena, row, text, "the number of a process");
		arena_append(arena, list->numbers, list->count) = (pid_t)pid;
		if (!text[length])
			return NULL;
		text += length + 1;
	}
}

static struct error *set_size(struct arena *arena, const struct option_row *row, const char *text,
			      unsigned long *ret)
{
	char *end;
	unsigned long size;
	unsigned shift = 0; /* against KiB */

	errno = 0;
	size = strtoul(text, &end, 10);
	if (tolower((unsigned char)*end) == 'm')
		shift = 10;
	else if (tolower((unsigned char)*end) == 'g')
		shift = 20;
	if (*end && strchr("kKmMgG", *end))
		end++;
	if (errno || end == text || *end || !isdigit((unsigned char)text[0]) || !size ||
	    size > (1ul << 30) >> shift)
		return bad_value(arena, row, text, "a size such as 512K or 8M");
	*ret = size << shift;
	return NULL;
}

static struct error *set_seconds(struct arena *arena, const struct option_row *row,
				 const char *text, double *ret)
{
	char *end;

	errno = 0;
	*ret = strtod(text, &end);
	if (*end == 'm' || *end == 'h')
		*ret *= *end == 'm' ? 60 : 3600;
	if (*end && strchr("smh", *end))
		end++;
	if (errno || end == text || *end || !(*ret > 0) || *ret > 1e9)
		return bad_value(arena, row, text, "a time such as 10, 0.5 or 2m");
	return NULL;
}

static const struct verb *verb_by_letter(char letter)
{
	for (unsigned i = 0; i < nverbs; i++)
		if (verbs[i].letter == letter)
			return &verbs[i];
	return NULL;
}

static struct error *set_verb(struct arena *arena, const struct option_row *row,
			      struct options *options)
{
	const struct verb *verb = verb_by_letter(row->letter);

	if (options->verb && options->verb != verb)
		return error_hint(
			arena, error_new(arena, ERROR_USAGE, "'%s' and -%c exclude each other",
					 options->verb->name, row->letter),
			"one of the two says what to do: -%c alone is the verb %s", row->letter,
			verb->name);
	options->verb = verb;
	return NULL;
}

static struct error *add(struct arena *arena, const char *text, struct text_list *list)
{
	arena_append(arena, list->texts, list->count) = text;
	return NULL;
}

static bool is_given(const struct option_row *row, const struct options *options)
{
	static const struct options none;

	return row->kind != KIND_VERB &&
	       memcmp((const char *)options + row->offset, (const char *)&none + row->offset,
		      row->kind == KIND_FLAG ? sizeof(bool) : sizeof(long)) != 0;
}

static bool may_come_again(enum kind kind)
{
	return kind == KIND_FLAG || kind == KIND_LIST || kind == KIND_PIDS || kind == KIND_VERB;
}

static void take_turn(const struct option_row *row, struct options *options)
{
	size_t due = options->turns % 2 ? offsetof(struct options, filters) :
					  offsetof(struct options, events);

	options->turns += row->offset == due;
}

static struct error *set(struct arena *arena, const struct option_row *row, const char *text,
			 struct options *options)
{
	void *field = (char *)options + row->offset;

	if (is_given(row, options) && !may_come_again(row->kind))
		return usage(arena, arena_printf(arena, "--%s is given twice", row->name));
	switch (row->kind) {
	case KIND_FLAG:
		*(bool *)field = true;
		return NULL;
	case KIND_TEXT:
		*(const char **)field = text ?: "";
		return NULL;
	case KIND_LIST:
		take_turn(row, options);
		return add(arena, text, field);
	case KIND_PIDS: return set_pids(arena, row, text, field);
	case KIND_NUMBER: return set_number(arena, row, text, field);
	case KIND_SIZE: return set_size(arena, row, text, field);
	case KIND_SECONDS: return set_seconds(arena, row, text, field);
	case KIND_VERB: return set_verb(arena, row, options);
	}
	return NULL;
}

static void make_getopt(char *letters, struct option *longs)
{
	*letters++ = ':'; /* a missing argument is reported as ':' */
	for (unsigned i = 0; i < noption_rows; i++) {
		longs[i] = (struct option){
			.name = option_rows[i].name,
			.has_arg = !option_rows[i].argument	      ? no_argument :
				   option_rows[i].argument[0] == '[' ? optional_argument :
								required_argument,
			.val = 256 + (int)i,
		};
		if (!option_rows[i].letter)
			continue;
		*letters++ = option_rows[i].letter;
		if (option_rows[i].argument)
			*letters++ = ':';
	}
	*letters = '\0';
}

static const struct option_row *find_row(int option)
{
	if (option >= 256)
		return &option_rows[option - 256];
	for (unsigned i = 0; i < noption_rows; i++)
		if (option_rows[i].letter == option)
			return &option_rows[i];
	return NULL;
}

static struct error *take_verb(struct arena *arena, int argc, char **argv, struct options *ret)
{
	for (unsigned i = 0; argc > 1 && i < nverbs; i++)
		if (!strcmp(argv[1], verbs[i].name))
			ret->verb = &verbs[i];
	if (ret->verb || argc < 2 || argv[1][0] == '-')
		return NULL;
	if (!strcmp(argv[1], "help")) {
		ret->help = true;
		return argc > 2 ? take_verb(arena, argc - 1, argv + 1, ret) : NULL;
	}
	return unknown_verb(arena, argv + 1);
}

static bool is_debuginfo(const char *kind)
{
	return !strcmp(kind, "dwarf") || !strcmp(kind, "btf") || !strcmp(kind, "symbols");
}

bool options_are_live(const struct options *options)
{
	return (options->verb->bit & LIVE) && !options->dry_run && !options->definition;
}

static struct error *check_fit(struct arena *arena, const struct options *options)
{
	const struct verb *verb = options->verb;

	for (unsigned i = 0; i < noption_rows; i++)
		if (is_given(&option_rows[i], options) && !(option_rows[i].verbs & verb->bit))
			return usage(arena, arena_printf(arena, "--%s is not for '%s'",
							 option_rows[i].name, verb->name));
	if (options->command && !options->command[0])
		return usage(arena, "a command is missing after --");
	if (options->all && options->pids.count)
		return usage(arena, "-a and -p exclude each other");
	if (options->command && !options_are_live(options))
		return usage(arena, "a command after -- is for a live trace only");
	if (options->plan && !options->dry_run)
		return usage(arena, "--plan is for -n; or write: ktrace plan");
	if (options->text && options->noperands)
		return usage(arena, "--text is the plan, and no file is read");
	if (options->cpus && !options->dry_run && !options->definition)
		return usage(arena, "--cpus is for -n and -D: a live run knows how many there are");
	if (options->folded && (options->json || options->interval > 0))
		return usage(arena, "--folded excludes --json and -i");
	if (options->turns >= 4) /* perf's filter is for the event before it */
		return error_hint(arena,
				  error_new(arena, ERROR_USAGE,
					    "a --filter is for every event, and all must hold: "
					    "'%s' has none of its own",
					    options->events.texts[options->events.count - 1]),
				  "trace it by another ktrace; if both are meant for all, write "
				  "them after the last -e");
	if (options->quiet && options->verbose)
		return usage(arena, "-q and -v exclude each other");
	if (options->program && (options->vmlinux || options->module))
		return usage(arena, arena_printf(arena, "-x and -%c exclude each other",
						 options->vmlinux ? 'k' : 'm'));
	if (options->debuginfo && !is_debuginfo(options->debuginfo))
		return usage(arena,
			     arena_printf(arena,
					  "--debuginfo takes dwarf, btf or symbols, not '%s'",
					  options->debuginfo));
	if (options->in_kernel && options->in_kernel[0] && strcmp(options->in_kernel, "program") &&
	    strcmp(options->in_kernel, "trigger"))
		return usage(arena,
			     arena_printf(arena, "--in-kernel takes program or trigger, not '%s'",
					  options->in_kernel));
	if (options->source_dir && is_debuginfo(options->source_dir) &&
	    access(options->source_dir, F_OK))
		return error_hint(arena,
				  error_new(arena, ERROR_USAGE,
					    "--source is the directory of source files; "
					    "'%s' doesn't exist",
					    options->source_dir),
				  "the source of debug information is chosen by: --debuginfo %s",
				  options->source_dir);
	if (options->program && !options->program[0])
		return usage(arena, "-x takes a path or a name");
	if (options->pack && options->debuginfo && strcmp(options->debuginfo, "dwarf"))
		return usage(
			arena,
			arena_printf(
				arena,
				"a pack has DWARF: --pack and --debuginfo %s exclude each other",
				options->debuginfo));
	if (verb->operands[0] == '\0' && options->noperands)
		return error_hint(
			arena, error_new(arena, ERROR_USAGE, "'%s' takes no operands", verb->name),
			verb->letter == 'l' ?
				"it lists live probes; functions: ktrace funcs '*read*'; events of "
				"the kernel: ktrace probe -n -e 'sched:*'" :
				"see ktrace --help");
	if (verb->operands[0] && verb->operands[0] != '[' && !options->noperands &&
	    !options->events.count && !options->text)
		return usage(arena, arena_printf(arena, "'%s' needs an operand: ktrace %s %s",
						 verb->name, verb->name, verb->operands));
	return NULL;
}

/* Everything behind the first "--" is the command; getopt never sees it. */
static int split_command(int argc, char **argv, struct options *ret)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--")) {
			ret->command = &argv[i + 1];
			return i;
		}
	return argc;
}

static struct error *unknown(struct arena *arena, const char *text, const struct option *longs)
{
	const char *names[NROWS_MAX];
	unsigned count = 0;

	for (; longs[count].name; count++)
		names[count] = longs[count].name;
	return unknown_option(arena, text, names, count);
}

struct error *options_parse(struct arena *arena, int argc, char **argv, struct options *ret)
{
	char letters[2 * NROWS_MAX + 2];
	struct option longs[NROWS_MAX + 1] = {0};
	struct error *error;
	char **args;
	int option;

	ret->words = argv;
	argc = split_command(argc, argv, ret);
	args = arena_grow(arena, argv, (size_t)argc * sizeof(*argv),
			  ((size_t)argc + 1) * sizeof(*argv));
	error = take_verb(arena, argc, args, ret);
	if (error)
		return error;
	make_getopt(letters, longs);
	optind = ret->verb ? 2 : 1;
	opterr = 0;
	while ((option = getopt_long(argc, args, letters, longs, NULL)) != -1) {
		const struct option_row *row = option == '?' ? NULL : find_row(option);

		if (option == ':')
			return usage(arena, arena_printf(arena, "%s needs an argument",
							 args[optind - 1]));
		if (!row)
			return unknown(arena,
				       optopt && optopt < 256 ? arena_printf(arena, "-%c", optopt) :
								args[optind - 1],
				       longs);
		error = set(arena, row, optarg, ret);
		if (error)
			return error;
	}
	ret->operands = (const char *const *)&args[optind];
	ret->noperands = (unsigned)(argc - optind);
	if (ret->help || ret->version)
		return NULL;
	if (!ret->verb && argc == 1)
		return usage(arena, "nothing to do");
	if (!ret->verb)
		ret->verb = &verbs[0];
	return check_fit(arena, ret);
}

