// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packs of strangers: what pack_open() lets through is filled in, unit by unit, and asked for all its functions, lines,
 * variables and types, under ASan and UBSan. The checksums would keep a fuzzer out, so this file stands in for
 * src/pack/frame.c: streams are as they are, neither packed nor checked, and the head's hash is put right. With clang's
 * libFuzzer it looks for new ways (LLVMFuzzerTestOneInput); its changes to a stream are entered in the head. With
 * PACK_FUZZ_MAIN it replays files, and makes the first ones: see main().
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "debuginfo/debuginfo.h"
#include "pack/internal.h"
#include "target/target.h"

#define STREAM_ROOM 256		    /* bytes by which a change may lengthen a stream */
#define LENGTH_MAX  ((uint64_t)4 << 20) /* what is longer only takes time */
#define ANSWERS_MAX 20000
#define TYPE_DEPTH  3
#define FRAMES	    100 /* bytes of code whose frames are asked for by themselves */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

void frames_write(struct strbuf *out, const void *data, size_t size, const size_t *cuts, size_t ncuts, int level)
{
	(void)cuts;
	(void)ncuts;
	(void)level;
	strbuf_add(out, data, size);
}

uint64_t frame_size(const void *packed, size_t length)
{
	(void)packed;
	return length;
}

struct ZSTD_DCtx_s *frames_begin(void)
{
	return NULL;
}

void frames_end(struct ZSTD_DCtx_s *context)
{
	(void)context;
}

bool frames_read(struct ZSTD_DCtx_s *context, const void *packed, size_t length, void *ret, size_t size)
{
	(void)context;
	if (length != size)
		return false;
	if (size)
		memcpy(ret, packed, size);
	return true;
}

static unsigned answers; /* of this input, bounded */

static void ask_type(struct debuginfo *info, const struct type *type, unsigned depth)
{
	struct enumerator *constants;
	struct member *members;
	unsigned count;

	if (!type || depth > TYPE_DEPTH || answers++ > ANSWERS_MAX)
		return;
	ask_type(info, type->target, depth + 1);
	if (!debuginfo_members(info, type, &members, &count))
		for (unsigned i = 0; i < count && i < 16; i++)
			ask_type(info, members[i].type, depth + 1);
	(void)!debuginfo_enumerators(info, type, &constants, &count);
}

static void ask_at(struct debuginfo *info, const struct instance *instance, struct position at)
{
	struct variable *list;
	unsigned count;

	if (answers++ < ANSWERS_MAX && !debuginfo_variables(info, instance, at, true, &list, &count))
		for (unsigned i = 0; i < count && i < 64; i++)
			ask_type(info, list[i].type, 0);
}

static void ask_instance(struct debuginfo *info, const struct instance *instance)
{
	struct instance **inner;
	const struct type *type;
	struct frame frame;
	struct row *rows;
	unsigned count;

	ask_at(info, instance, (struct position){.address = instance->entry});
	if (!debuginfo_rows(info, instance, &rows, &count))
		for (unsigned i = 0; i < count && i < 32; i++)
			ask_at(info, instance, (struct position){.address = rows[i].address, .view = rows[i].view});
	if (!debuginfo_return_type(info, instance->function, &type))
		ask_type(info, type, 0);
	(void)!debuginfo_frame(info, instance, instance->entry + 4, &frame);
	(void)!debuginfo_inner(info, instance, &inner, &count);
}

static void count_name(void *cookie, const char *name, const char *linkage, bool has_code, bool inlined)
{
	*(size_t *)cookie += strlen(name) + (linkage ? strlen(linkage) : 0) + has_code + inlined;
}

static void ask_all(struct debuginfo *info)
{
	static const char *const names[] = {"work", "paint", "struct list", "color", "*"};
	struct instance **instances;
	const struct type *type;
	struct code_place *places;
	struct variable *global;
	uint64_t numbers[2];
	unsigned count;
	size_t length = 0;
	bool is_known;

	answers = 0;
	(void)!debuginfo_functions(info, NULL, count_name, &length);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!debuginfo_instances(info, names[i], &instances, &count))
			for (unsigned j = 0; j < count && j < 64; j++)
				ask_instance(info, instances[j]);
		if (!debuginfo_type_named(info, NULL, names[i], &type))
			ask_type(info, type, 0);
	}
	(void)!debuginfo_global(info, "root", &global);
	(void)!debuginfo_constant(info, "GREEN", numbers, &count);
	(void)!debuginfo_places(info, 0x401020, &places, &count);
	(void)!debuginfo_instances_at_lines(info, (struct file_lines){"shape.c", 1, 20}, &instances,
					   &count, &is_known);
}

/* The program that the packs are of: without its debug information. */
static const char *program_path(void)
{
	const char *path = getenv("PACK_FUZZ_PROGRAM");

	if (!path)
		abort();
	return path;
}

static uint64_t image_length(const struct image_head *image)
{
	uint64_t length = 0;

	for (uint64_t i = 0; i < image->nsections; i++)
		length += image->sections[i].size;
	return length;
}

/* As ktrace would: the pack is found by the program's build-id, and libdw reads what it gives. */
static void ask(const char *path)
{
	struct target_places places = {.is_pack_named = true, .packs = &path, .npacks = 1};
	struct arena arena;
	struct target *target = NULL;
	struct debuginfo *info;

	arena_init(&arena);
	if (!target_open_program(&arena, program_path(), &places, &target) &&
	    !dwarf_open(&arena, target, NULL, NULL, 0, &info)) {
		ask_all(info);
		debuginfo_close(info);
	}
	if (target)
		target_unbound(target);
	target_close(target);
	arena_deinit(&arena);
}

/* All of it, by itself. Returns whether it is worth being asked. */
static bool fill(struct arena *arena, const char *path, Elf *program)
{
	struct pack_image *image;
	struct pack *pack;
	const char *name, *id;
	bool is_short = true;

	if (pack_open(arena, path, &pack))
		return false;
	for (unsigned i = 0; i < pack->nimages; i++)
		is_short &= image_length(&pack->images[i]) < LENGTH_MAX;
	for (unsigned i = 0; i < pack_count(pack) && is_short; i++) {
		id = pack_build_id(pack, i, &name);
		if (pack_image_open(arena, pack, id, program, &image))
			continue;
		for (uint64_t code = 0; code < FRAMES; code++)
			(void)!pack_fill_frames(image, 0x401000 + code);
		for (size_t j = 0; j < pack_units(image); j++)
			(void)!pack_fill(image, j);
		if (pack_units(image)) {
			bool *is_candidate = calloc(pack_units(image), sizeof(bool));

			(void)!(pack_mark(image, "work", is_candidate) && pack_mark(image, "list", is_candidate));
			(void)!pack_mark_file(image, "shape.c", is_candidate);
			free(is_candidate);
		}
		pack_image_close(image);
	}
	pack_close(pack);
	return is_short;
}

/* With the right beginning, and the head's hash. */
static int make_file(const uint8_t *data, size_t size)
{
	struct pack_start start;
	int fd = memfd_create("input", MFD_CLOEXEC);

	memcpy(&start, data, sizeof(start));
	memcpy(start.magic, PACK_MAGIC, sizeof(start.magic));
	start.version = PACK_VERSION;
	if (start.head_size <= size - sizeof(start))
		start.head_check = bytes_hash(data + sizeof(start), start.head_size);
	if (fd < 0 || write(fd, &start, sizeof(start)) != sizeof(start) ||
	    write(fd, data + sizeof(start), size - sizeof(start)) != (ssize_t)(size - sizeof(start)))
		abort();
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int program = -1;
	struct arena arena;
	char *path;
	Elf *elf;
	int fd;

	if (size < sizeof(struct pack_start))
		return 0;
	if (program < 0)
		program = open(program_path(), O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	elf = elf_begin(program, ELF_C_READ, NULL);
	fd = make_file(data, size);
	arena_init(&arena);
	path = arena_printf(&arena, "/proc/self/fd/%d", fd);
	if (fill(&arena, path, elf))
		ask(path);
	arena_deinit(&arena);
	elf_end(elf);
	close(fd);
	return 0;
}

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % (below ?: 1);
}

static uint64_t odd_number(void)
{
	static const uint64_t numbers[] = {0, 1, 2, 7, 8, 63, 64, 127, 128, 255, 4096, 0x7fffffff, 0x80000000, 0xffffffff,
					   (uint64_t)1 << 32, (uint64_t)1 << 62, UINT64_MAX - 1, UINT64_MAX};

	return draw(3) ? numbers[draw(sizeof(numbers) / sizeof(*numbers))] : draw(1024);
}

/* A pack taken apart. */
struct parts {
	struct arena arena;
	struct pack pack;
	const uint8_t *data;
	const uint8_t *changed; /* in place of a stream's bytes */
	const struct stream *which;
};

static bool take_apart(struct parts *parts, const uint8_t *data, size_t size)
{
	struct pack_start start;
	struct in in;

	if (size < sizeof(start))
		return false;
	memcpy(&start, data, sizeof(start));
	if (start.head_size > size - sizeof(start))
		return false;
	in = in_bytes(data + sizeof(start), start.head_size);
	parts->data = data;
	return head_read(&parts->arena, &in, sizeof(start) + start.head_size, size, &parts->pack) && parts->pack.nimages;
}

static void put_together(const struct parts *parts, struct strbuf *out)
{
	struct pack_start start = {.magic = PACK_MAGIC, .version = PACK_VERSION};
	struct strbuf head = {0};

	head_write(&head, parts->pack.images, parts->pack.nimages);
	start.head_size = (uint32_t)head.length;
	strbuf_add(out, &start, sizeof(start));
	strbuf_add(out, head.data, head.length);
	for (unsigned i = 0; i < parts->pack.nimages; i++)
		for (uint64_t j = 0; j < parts->pack.images[i].nstreams; j++) {
			const struct stream *stream = &parts->pack.images[i].streams[j];

			strbuf_add(out, stream == parts->which ? parts->changed : parts->data + stream->at, stream->packed);
		}
	strbuf_deinit(&head);
}

/* A stream is changed, and the head told how long it is now. */
static void change_stream(struct parts *parts, struct image_head *image)
{
	uint64_t number = draw(image->nstreams);
	struct stream *stream = &image->streams[number];
	uint8_t *bytes = arena_array(&parts->arena, uint8_t, stream->packed + STREAM_ROOM);

	memcpy(bytes, parts->data + stream->at, stream->packed);
	stream->packed = stream->size = LLVMFuzzerMutate(bytes, stream->packed, stream->packed + STREAM_ROOM);
	for (uint64_t i = 0; i < image->nsections; i++)
		if (image->sections[i].stream == number + 1)
			image->sections[i].size = stream->size;
	parts->changed = bytes;
	parts->which = stream;
}

static void change_section(struct image_head *image)
{
	struct section *section = &image->sections[draw(image->nsections)];
	uint64_t *const fields[] = {&section->type, &section->flags, &section->address, &section->size, &section->link,
				    &section->info, &section->align, &section->entry, &section->stream};

	*fields[draw(sizeof(fields) / sizeof(*fields))] = odd_number();
}

static void change_counts(struct image_head *image)
{
	uint64_t *const fields[] = {&image->kind, &image->type, &image->machine, &image->first_part};
	uint64_t number = draw(sizeof(fields) / sizeof(*fields) + NGROUPS);
	uint64_t *field = number < NGROUPS ? &image->counts[number] : fields[number - NGROUPS];

	*field = draw(2) ? odd_number() : *field + draw(3) - 1;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	struct parts parts = {0};
	struct strbuf out = {0};
	size_t length = 0;

	state = seed;
	arena_init(&parts.arena);
	if (draw(16) && take_apart(&parts, data, size)) {
		struct image_head *image = &parts.pack.images[draw(parts.pack.nimages)];

		if (draw(8) == 0 && image->nsections)
			change_section(image);
		else if (draw(16) == 0)
			change_counts(image);
		else if (image->nstreams)
			change_stream(&parts, image);
		put_together(&parts, &out);
		length = out.length <= room ? out.length : 0;
	}
	if (length)
		memcpy(data, out.data, length);
	strbuf_deinit(&out);
	arena_deinit(&parts.arena);
	return length ?: LLVMFuzzerMutate(data, size, room);
}

#ifdef PACK_FUZZ_MAIN
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
	size_t at = draw(size);
	uint64_t number = odd_number();

	(void)room;
	if (size && draw(2))
		data[at] ^= (uint8_t)(1u << draw(8));
	else if (size)
		memcpy(data + at, &number, size - at < 8 ? size - at : 8);
	return size;
}

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	uint8_t *data = malloc(1 << 20);

	if (!file || !data)
		exit(2);
	*size = fread(data, 1, 1 << 20, file);
	fclose(file);
	return data;
}

/* A copy of exactly that size, so that ASan sees a byte too many. */
static void try(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static unsigned long replay(const char *path, unsigned long count)
{
	size_t size;
	uint8_t *data = read_file(path, &size), *room = malloc(size + STREAM_ROOM);

	try(data, size);
	for (unsigned long i = 0; i < count; i++) {
		size_t length = size;

		memcpy(room, data, size);
		for (unsigned j = 0; j <= i % 3; j++)
			length = LLVMFuzzerCustomMutator(room, length, size + STREAM_ROOM, (unsigned)(i * 3 + j));
		try(room, length);
		try(data, size * i / count);
	}
	free(data);
	free(room);
	return 1 + 2 * count;
}

static int say(const struct error *error)
{
	if (error)
		fprintf(stderr, "%s\n", error->message);
	return error ? 1 : 0;
}

/* A pack as the fuzzer wants it, of a program with debug information. */
static int make(const char *out, const char *path, const char *const *only, unsigned nonly)
{
	const struct pack_writing writing = {.only = only, .nonly = nonly};
	struct pack_input input = {.name = "program", .kind = TARGET_PROGRAM};
	struct pack_output *output;
	struct target *target = NULL;
	struct arena arena;
	uint64_t size;
	bool by_units;
	int status;

	arena_init(&arena);
	output = pack_begin(&arena, &writing);
	status = say(target_open_program(&arena, path, NULL, &target)) || say(target_debug_elf(&arena, target, &input.debug));
	if (!status) {
		input.build_id = target->build_id;
		status = say(pack_add(output, &input, &by_units)) || say(pack_end(output, out, &size));
	}
	target_close(target);
	arena_deinit(&arena);
	return status;
}

/* COUNT PACK...: each pack, so many changes of it, and as many of its beginnings. --make PACK PROGRAM [GLOB...]: a new one. */
int main(int argc, char **argv)
{
	unsigned long cases = 0;

	if (argc > 3 && !strcmp(argv[1], "--make"))
		return make(argv[2], argv[3], (const char *const *)argv + 4, (unsigned)argc - 4);
	for (int i = 2; i < argc; i++)
		cases += replay(argv[i], strtoul(argv[1], NULL, 10));
	printf("ok %lu packs, whole, cut off and changed\n%d passed, 0 failed\n", cases, cases ? 1 : 0);
	return !cases;
}
#endif
