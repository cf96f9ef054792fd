// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the type that a cast names ("struct tcp_sock *", "unsigned long"). Types that every
 * compiler has are made here; names are looked up in the debug information, and if a module's lacks
 * one, in its kernel's.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/values/values.h"

struct type_words {
	unsigned is_unsigned, is_signed, is_short, is_long, is_char, is_int, is_bool, is_void,
		others;
};

static void count_word(struct type_words *words, const char *word, size_t length)
{
	const struct {
		const char *name;
		unsigned *count;
	} known[] = {
		{"unsigned", &words->is_unsigned}, {"signed", &words->is_signed},
		{"short", &words->is_short}, {"long", &words->is_long}, {"char", &words->is_char},
		{"int", &words->is_int}, {"bool", &words->is_bool}, {"_Bool", &words->is_bool},
		{"void", &words->is_void},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == length && !memcmp(known[i].name, word, length)) {
			++*known[i].count;
			return;
		}
	words->others++;
}

/* u8, s64: as after a ':', for programs that don't define them. */
static const struct type *short_type(struct arena *arena, const char *name)
{
	static const char *const sizes[] = {"8", "16", "32", "64"};
	struct type *type;

	for (unsigned i = 0; i < 4 && (*name == 'u' || *name == 's'); i++) {
		if (strcmp(name + 1, sizes[i]))
			continue;
		type = arena_new(arena, struct type);
		*type = (struct type){
			.kind = TYPE_INT,
			.name = name,
			.size = 1u << i,
			.is_signed = *name == 's',
		};
		return type;
	}
	return NULL;
}

/* C's own types on LP64; NULL: a name the program must define. */
static const struct type *plain_type(struct arena *arena, const char *name)
{
	struct type_words words = {0};
	struct type *type;

	for (const char *at = name; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		count_word(&words, at, length);
		at += length;
	}
	if (words.others || words.is_long > 2 || words.is_bool + words.is_void + words.is_char +
	    words.is_short + !!words.is_long > 1)
		return NULL;
	type = arena_new(arena, struct type);
	type->name = name;
	type->kind = words.is_void ? TYPE_VOID : words.is_bool ? TYPE_BOOL :
		     words.is_char ? TYPE_CHAR : TYPE_INT;
	type->size = words.is_void ? 0 : words.is_bool || words.is_char ? 1 : words.is_short ? 2 :
		     words.is_long ? 8 : 4;
	type->is_signed = !words.is_unsigned && !words.is_void && !words.is_bool;
	return type;
}

const struct type *pointer_to(struct arena *arena, const struct type *target)
{
	struct type *type = arena_new(arena, struct type);
	size_t length = strlen(target->name);

	type->kind = TYPE_POINTER;
	type->size = 8;
	type->target = target;
	type->name = arena_printf(arena, length && target->name[length - 1] == '*' ? "%s*" : "%s *",
				  target->name);
	return type;
}

static const struct type *const_type(struct arena *arena, const struct type *type)
{
	struct type *copy = arena_new(arena, struct type);

	*copy = *type;
	copy->name = arena_printf(arena, "const %s", type->name);
	return copy;
}

static struct error *named_type(struct resolver **resolver, const struct instance *instance,
				const char *name, const struct type **ret)
{
	struct resolver *own = *resolver;
	struct error *error;

	*ret = plain_type(own->arena, name) ?: short_type(own->arena, name);
	if (*ret)
		return NULL;
	error = debuginfo_type_named(own->info, instance, name, ret);
	if (error || *ret || !own->target->module || !own->open_kernel)
		return error;
	error = own->open_kernel(own->cookie, resolver);
	return error ? error : debuginfo_type_named((*resolver)->info, NULL, name, ret);
}

static struct error *unknown_type(struct resolver *resolver, const struct instance *instance,
				  const char *name)
{
	struct error *error = error_new(resolver->arena, ERROR_NOT_FOUND, "no type '%s' in '%s'",
					name, resolver->target->path);
	static const char *const keywords[] = {"struct", "union", "enum"};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords) && !strchr(name, ' '); i++) {
		const struct type *type = NULL;
		const char *longer = arena_printf(resolver->arena, "%s %s", keywords[i], name);

		if (!debuginfo_type_named(resolver->info, instance, longer, &type) && type)
			return error_hint(resolver->arena, error, "did you mean '%s'?", longer);
	}
	return error_hint(resolver->arena, error,
			  "a type is a name of the source's (struct sock, u32) or "
			  "of C's (unsigned long), with '*' behind it for a pointer");
}

struct error *resolve_type(struct resolver **resolver, const struct instance *instance,
			   const char *text, const struct type **ret)
{
	struct arena *arena = (*resolver)->arena;
	const char *stars, *name;
	bool is_const = !strncmp(text, "const ", 6); /* as debug information has it */
	struct error *error;
	size_t length;

	text += is_const ? 6 : 0;
	stars = strchr(text, '*') ?: text + strlen(text);
	length = (size_t)(stars - text);
	while (length && text[length - 1] == ' ')
		length--;
	name = arena_strndup(arena, text, length);
	error = named_type(resolver, instance, name, ret);
	if (!error && !*ret)
		error = unknown_type(*resolver, instance, name);
	if (!error && is_const)
		*ret = const_type(arena, *ret);
	for (; !error && *stars; stars++)
		if (*stars == '*')
			*ret = pointer_to(arena, *ret);
	return error;
}
