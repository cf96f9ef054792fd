// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds all instances of a template or generic function by its name without arguments: `max` is
 * max<int> and max<char>, `Point::show` is Point<i64>::show<i64>.
 */
#include <ctype.h>
#include <limits.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "resolve/points/kinds.h"

static bool is_operator(const char *name, const char *end)
{
	static const char word[] = "operator";
	size_t length = strlen(word);

	return (size_t)(end - name) >= length && !memcmp(end - length, word, length);
}

/* Removes what stands in <..>; operator<, operator<< and operator-> keep theirs. */
static char *strip_arguments(struct arena *arena, const char *name)
{
	char *text = arena_alloc(arena, strlen(name) + 1), *out = text;
	unsigned depth = 0;

	for (const char *p = name; *p; p++) {
		bool is_plain = !depth && is_operator(name, p);

		if (*p == '<' && !is_plain)
			depth++;
		else if (*p == '>' && depth)
			depth--;
		else if (!depth)
			*out++ = *p;
	}
	*out = '\0';
	return text;
}

/* Whether tail is the whole name, or its last components. */
static bool is_tail(const char *name, const char *tail)
{
	size_t length = strlen(name), end = strlen(tail);

	if (end > length || strcmp(name + length - end, tail))
		return false;
	return end == length || (length - end >= 2 && !memcmp(name + length - end - 2, "::", 2));
}

/* A glob that lets arguments follow each component, and scopes precede the name. */
static const char *any_arguments(struct arena *arena, const char *name)
{
	const char *scope = strstr(name, "::");
	char *glob = arena_strdup(arena, scope ? "*" : "");

	for (; scope; name = scope + 2, scope = strstr(name, "::"))
		glob = arena_printf(arena, "%s%.*s*::", glob, (int)(scope - name), name);
	return arena_printf(arena, "%s%s*", glob, name);
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

/* A type's integers may be written in several ways: "long unsigned int" is "unsigned long". Counts
 * of its words. */
struct integer {
	unsigned is_unsigned, is_signed, is_long, is_short, is_int, is_char;
};

static bool take_word(struct integer *integer, const char *word, size_t length)
{
	const struct {
		const char *text;
		unsigned *count;
	} words[] = {
		{"unsigned", &integer->is_unsigned}, {"signed", &integer->is_signed},
		{"long", &integer->is_long}, {"short", &integer->is_short},
		{"int", &integer->is_int}, {"char", &integer->is_char},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].text) == length && !memcmp(words[i].text, word, length)) {
			++*words[i].count;
			return true;
		}
	return false;
}

static const char *integer_text(struct arena *arena, const struct integer *integer)
{
	const char *sign = integer->is_unsigned ? "unsigned " :
			   integer->is_signed && integer->is_char ? "signed " : "";

	return arena_printf(arena, "%s%s", sign, integer->is_char ? "char" :
			    integer->is_short ? "short" : integer->is_long > 1 ? "long long" :
			    integer->is_long ? "long" : "int");
}

/* The name with all integers written in one way, and no blank where none is needed. */
static const char *canonical(struct arena *arena, const char *name)
{
	char *text = arena_strdup(arena, "");
	bool is_word = false; /* what text ends in */

	while (*name) {
		struct integer integer = {0};
		const char *word = NULL;
		size_t length = 0;

		while (*name == ' ')
			name++;
		while ((length = word_length(name)) && take_word(&integer, name, length)) {
			word = integer_text(arena, &integer);
			for (name += length; *name == ' ';)
				name++;
		}
		length = word ? 0 : length ?: *name != '\0';
		text = arena_printf(arena, "%s%s%.*s", text,
				    is_word && (word || word_length(name)) ? " " : "",
				    word ? INT_MAX : (int)length, word ?: name);
		is_word = word || word_length(name);
		name += length;
	}
	return text;
}

/* Whether the instance's name, or its brief one, is the wanted one: with its arguments if that has
 * some. */
static bool is_wanted(struct arena *arena, const struct instance *instance, const char *wanted)
{
	const char *names[] = {instance->function->name, instance->brief};
	bool has_arguments = strcmp(strip_arguments(arena, wanted), wanted) != 0;

	if (!strchr(names[0], '<'))
		return false;
	for (unsigned i = 0; i < 2 && names[i]; i++)
		if (has_arguments ?
		    is_tail(canonical(arena, names[i]), canonical(arena, wanted)) :
		    is_tail(strip_arguments(arena, names[i]), wanted))
			return true;
	return false;
}

struct error *generic_instances(struct resolver *resolver, const char *name, struct instance ***ret,
				unsigned *count)
{
	const char *bare = strip_arguments(resolver->arena, name);
	struct error *error;
	unsigned kept = 0;

	*count = 0;
	if (is_glob(name))
		return NULL;
	error = debuginfo_instances(resolver->info, any_arguments(resolver->arena, bare), ret,
				    count);
	for (unsigned i = 0; !error && i < *count; i++)
		if (is_wanted(resolver->arena, (*ret)[i], name))
			(*ret)[kept++] = (*ret)[i];
	*count = kept;
	return error;
}

const char *bare_name(struct arena *arena, const struct function *function)
{
	return strchr(function->name, '<') ? strip_arguments(arena, function->name) :
					     function->name;
}
