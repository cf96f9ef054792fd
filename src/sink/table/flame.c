// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws tables as a flame graph: an SVG that needs nothing else, neither scripts nor fonts. A
 * frame's width is its part of the whole; what it stands on called it. Resting on a frame shows its
 * figure.
 */
#include "base/escape.h"
#include "base/hash.h"
#include "sink/table/show.h"

#define WIDTH     1200u /* of the picture, in its own units */
#define MARGIN    10u
#define LEVEL     17u   /* height of a frame, with the gap */
#define HEAD      40u
#define CHARACTER 7u    /* width of one */
#define DEPTH_MAX 1024u

struct node {
	const char *name;
	__int128 number; /* its own and its children's */
	struct node *children;
	struct node *last; /* of them */
	struct node *next;
};

struct flame {
	struct arena *arena;
	struct strbuf *out;
	__int128 all;
	unsigned depth;
	unsigned height;
	unsigned hidden; /* frames too narrow to be seen */
};

/* The stacks come sorted, so that it is the last child or a new one. */
static struct node *child(struct flame *flame, struct node *parent, const char *name)
{
	struct node *node = parent->last;

	if (node && !strcmp(node->name, name))
		return node;
	node = arena_new(flame->arena, struct node);
	node->name = name;
	*(parent->last ? &parent->last->next : &parent->children) = node;
	parent->last = node;
	return node;
}

static void add(struct flame *flame, struct node *root, const struct folded *folded)
{
	struct node *node = root;
	unsigned depth = folded->nparts < DEPTH_MAX ? folded->nparts : DEPTH_MAX;

	root->number += folded->number;
	for (unsigned i = 0; i < depth; i++) {
		node = child(flame, node, folded->parts[i]);
		node->number += folded->number;
	}
	flame->depth = depth > flame->depth ? depth : flame->depth;
}

/* What XML gives a meaning; control characters, which it can't have at all, are escaped before. */
static void put_xml(struct strbuf *out, const char *text, size_t length)
{
	struct strbuf shown = {0};

	strbuf_shown(&shown, text, length, "");
	for (size_t i = 0; i < shown.length; i++)
		switch (shown.data[i]) {
		case '<': strbuf_puts(out, "&lt;"); break;
		case '>': strbuf_puts(out, "&gt;"); break;
		case '&': strbuf_puts(out, "&amp;"); break;
		case '"': strbuf_puts(out, "&quot;"); break;
		case '\'': strbuf_puts(out, "&#39;"); break;
		default: strbuf_putc(out, shown.data[i]);
		}
	strbuf_deinit(&shown);
}

/* "12.34" */
static void put_hundredths(struct strbuf *out, long double number)
{
	unsigned long hundredths = (unsigned long)(number * 100 + 0.5L);

	strbuf_printf(out, "%lu.%02lu", hundredths / 100, hundredths % 100);
}

/* As much of the name as the frame has room for. */
static void put_label(struct strbuf *out, const char *name, long double width)
{
	size_t room = width > 2 * CHARACTER ? (size_t)(width / CHARACTER) - 1 : 0,
	       length = strlen(name);

	if (room < 3)
		return;
	if (length > room)
		for (length = room - 2; length && (name[length] & 0xc0) == 0x80; length--)
			;
	put_xml(out, name, length);
	strbuf_puts(out, name[length] ? ".." : "");
}

static void put_frame(struct flame *flame, const struct node *node, long double x,
		      long double width, unsigned depth)
{
	uint64_t hash = bytes_hash(node->name, strlen(node->name));
	struct strbuf *out = flame->out;
	unsigned y = flame->height - MARGIN - (depth + 1) * LEVEL;

	strbuf_puts(out, "<g><title>");
	put_xml(out, node->name, strlen(node->name));
	strbuf_puts(out, ": ");
	strbuf_puts(out, number_text(flame->arena, node->number, false));
	strbuf_puts(out, ", ");
	put_hundredths(out, 100 * (long double)node->number / (long double)flame->all);
	strbuf_puts(out, "%</title><rect x=\"");
	put_hundredths(out, x);
	strbuf_printf(out, "\" y=\"%u\" width=\"", y);
	put_hundredths(out, width);
	strbuf_printf(out, "\" height=\"%u\" rx=\"2\" fill=\"rgb(%u,%u,%u)\"/><text x=\"",
		      LEVEL - 1, 205 + (unsigned)(hash % 50), 80 + (unsigned)(hash / 64 % 120),
		      (unsigned)(hash / 8192 % 60));
	put_hundredths(out, x + 3);
	strbuf_printf(out, "\" y=\"%u\">", y + LEVEL - 5);
	put_label(out, node->name, width);
	strbuf_puts(out, "</text></g>\n");
}

static void draw(struct flame *flame, const struct node *node, long double x, unsigned depth)
{
	long double scale = (WIDTH - 2 * MARGIN) / (long double)flame->all;

	for (; node; node = node->next) {
		long double width = (long double)node->number * scale;

		if (width >= 0.1L) {
			put_frame(flame, node, x, width, depth);
			draw(flame, node->children, x, depth + 1);
		} else {
			flame->hidden++;
		}
		x += width;
	}
}

static void put_flame(struct flame *flame, const struct table *table, const struct node *root,
		      unsigned top)
{
	struct strbuf *out = flame->out;

	flame->all = root->number ?: 1;
	flame->height = HEAD + 2 * MARGIN + flame->depth * LEVEL;
	strbuf_printf(
		out, "<g transform=\"translate(0,%u)\">\n<text x=\"%u\" y=\"24\" font-size=\"16\">",
		top, MARGIN);
	put_xml(out, table->title, strlen(table->title));
	strbuf_puts(out, ": ");
	strbuf_puts(out, number_text(flame->arena, root->number, false));
	strbuf_puts(out, "</text>\n");
	draw(flame, root->children, MARGIN, 0);
	if (flame->hidden)
		strbuf_printf(out,
			      "<text x=\"%u\" y=\"%u\">%u frames are too narrow to be drawn, with "
			      "what they call</text>\n",
			      MARGIN, HEAD, flame->hidden);
	strbuf_puts(out, "</g>\n");
}

/* Returns how high it is. */
static unsigned draw_table(struct arena *arena, struct strbuf *out, const struct table_list *list,
			   const struct table *table, unsigned top)
{
	struct flame flame = {.arena = arena, .out = out};
	struct node root = {.name = ""};
	struct folded *folded;
	unsigned count = table_fold(arena, table, list->options->sort, &folded);

	for (unsigned i = 0; i < count; i++)
		add(&flame, &root, &folded[i]);
	put_flame(&flame, table, &root, top);
	return flame.height;
}

void table_list_flame(const struct table_list *list, struct strbuf *out)
{
	struct strbuf body = {0};
	unsigned height = 0;
	struct arena arena;

	arena_init(&arena);
	for (unsigned i = 0; i < list->count; i++)
		height += draw_table(&arena, &body, list, list->tables[i], height);
	strbuf_printf(
		out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
		"xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" font-family=\"monospace\" "
		"font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fffdf7\"/>\n",
		WIDTH, height, WIDTH, height);
	strbuf_join(out, body.data ?: "", "</svg>\n", NULL);
	strbuf_deinit(&body);
	arena_deinit(&arena);
}
