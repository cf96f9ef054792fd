// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks up what the words of a filter mean in the source language. Only words compared with plain
 * integers are looked up, since an int often holds an enum's value; for enums, pointers and
 * booleans plan/ knows by itself.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/values/values.h"

struct words {
	struct resolver *resolver;
	const struct sites *sites;
	struct enumerator *list;
	unsigned count;
	struct error *error;
};

static bool has_word(const struct capture *capture, const char *word)
{
	for (unsigned i = 0; capture->shape && i < capture->shape->nenumerators; i++)
		if (!strcmp(capture->shape->enumerators[i].name, word))
			return true;
	return false;
}

/* A raw capture's type is for plan/ to read. */
static bool is_integer(const struct capture *capture)
{
	return capture->kind == CAPTURE_RAW ||
	       (capture->kind != CAPTURE_NONE &&
		(capture->render == RENDER_SIGNED || capture->render == RENDER_UNSIGNED ||
		 capture->render == RENDER_ERRNO));
}

static bool asks_for(const struct words *words, const char *name, const char *word)
{
	for (unsigned i = 0; i < words->sites->nsites; i++) {
		const struct site *site = &words->sites->sites[i];

		for (unsigned j = 0; j < site->ncaptures; j++)
			if (!strcmp(site->captures[j].name, name) &&
			    is_integer(&site->captures[j]) && !has_word(&site->captures[j], word))
				return true;
	}
	return false;
}

static bool is_capture(const struct words *words, const char *name)
{
	for (unsigned i = 0; i < words->sites->nsites; i++)
		for (unsigned j = 0; j < words->sites->sites[i].ncaptures; j++)
			if (!strcmp(words->sites->sites[i].captures[j].name, name))
				return true;
	return false;
}

static void add_word(struct words *words, const char *name, const char *word)
{
	uint64_t numbers[2];
	unsigned count = 0;
	struct error *error;

	for (unsigned i = 0; i < words->count; i++)
		if (!strcmp(words->list[i].name, word))
			return;
	if (*word == '-' || !asks_for(words, name, word))
		return;
	error = debuginfo_constant(words->resolver->info, word, numbers, &count);
	if (error && !is_capture(words, word))
		words->error = error;
	if (error || count != 1)
		return;
	arena_append(words->resolver->arena, words->list, words->count) =
		(struct enumerator){.name = word, .number = numbers[0]};
}

static void add_words(struct words *words, const struct filter *filter)
{
	if (!filter)
		return;
	add_words(words, filter->left);
	add_words(words, filter->right);
	if (!filter->field || !filter->constant)
		return;
	add_word(words, filter->field, filter->constant);
	add_word(words, filter->constant, filter->field); /* RED == color */
}

struct error *resolve_constants(struct resolver *resolver, const struct filter *const *filters,
				unsigned count, struct sites *sites)
{
	struct words words = {.resolver = resolver, .sites = sites};

	if (!resolver->info)
		return NULL;
	for (unsigned i = 0; i < count; i++)
		add_words(&words, filters[i]);
	sites->constants = words.list;
	sites->nconstants = words.count;
	return words.error;
}
