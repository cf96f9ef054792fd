// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packs that would fill a reader's memory, made of a sound one: each must be refused, with words, by a process that took little
 * memory: bombs PACK PROGRAM PLACE. Checksums are right. The last line is "N passed, N failed".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "pack/internal.h"

#define MEGABYTE ((uint64_t)1 << 20)
#define MOST	 (300 * MEGABYTE) /* of memory, the sanitizers' own among it */

struct bomb {
	const char *name;
	uint64_t head;	  /* zeros behind the head */
	uint64_t stream;  /* the first section's stream has so many zeros */
	uint64_t claimed; /* .debug_info has so many bytes, by the head */
	const char *says; /* what the refusal has in it */
};

static void put(int fd, const void *data, size_t length)
{
	if (write(fd, data, length) != (ssize_t)length)
		exit(2);
}

static void put_head(int fd, const struct pack *pack, const struct bomb *bomb)
{
	struct strbuf head = {0}, packed = {0};
	struct pack_start start = {.magic = PACK_MAGIC, .version = PACK_VERSION};

	head_write(&head, pack->images, pack->nimages);
	memset(strbuf_room(&head, bomb->head), 0, bomb->head);
	head.length += bomb->head;
	frames_write(&packed, head.data, head.length, NULL, 0, 1);
	start.head_size = (uint32_t)packed.length;
	start.head_check = bytes_hash(packed.data, packed.length);
	put(fd, &start, sizeof(start));
	put(fd, packed.data, packed.length);
	strbuf_deinit(&head);
	strbuf_deinit(&packed);
}

static void write_bomb(const char *from, const char *path, const struct bomb *bomb)
{
	struct arena arena;
	struct strbuf zeros = {0};
	struct pack *pack;
	struct stream *changed = NULL;
	struct image_head *image;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	arena_init(&arena);
	if (fd < 0 || pack_open(&arena, from, &pack))
		exit(2);
	image = pack->images;
	for (uint64_t i = 0; i < image->nsections; i++) {
		if (bomb->claimed && !strcmp(image->sections[i].name, ".debug_info"))
			image->sections[i].size = bomb->claimed;
		if (!bomb->stream || changed || !image->sections[i].stream)
			continue;
		changed = &image->streams[image->sections[i].stream - 1];
		frames_write(&zeros, calloc(1, bomb->stream), bomb->stream, NULL, 0, 1);
	}
	for (uint64_t i = 0; i < image->nsections && changed; i++)
		if (image->sections[i].stream && &image->streams[image->sections[i].stream - 1] == changed)
			image->sections[i].size = bomb->stream;
	if (changed)
		changed->size = bomb->stream;
	for (uint64_t i = 0; i < image->nstreams; i++) {
		const struct stream *stream = &image->streams[i];
		uint64_t length = stream->packed;
		char *bytes = malloc(length + 1);

		if (pread(pack->fd, bytes, length, (off_t)stream->at) != (ssize_t)length)
			exit(2);
		if (stream == changed)
			changed->packed = zeros.length;
		if (!i)
			put_head(fd, pack, bomb);
		put(fd, stream == changed ? zeros.data : bytes, stream->packed);
		free(bytes);
	}
	strbuf_deinit(&zeros);
	close(fd);
	pack_close(pack);
	arena_deinit(&arena);
}

/* As a reader would, in a process of its own. Returns what it says. */
static const char *read_bomb(struct arena *arena, const char *path, int program)
{
	struct pack_image *image;
	struct error *error;
	struct pack *pack;
	const char *name;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(program, ELF_C_READ, NULL);
	error = pack_open(arena, path, &pack);
	if (!error)
		error = pack_image_open(arena, pack, pack_build_id(pack, 0, &name), elf, &image);
	for (size_t i = 0; !error && i < pack_units(image); i++)
		if (!pack_fill(image, i))
			error = pack_damaged(arena, pack);
	return error ? error->message : "nothing";
}

static bool is_refused(const char *path, int program, const struct bomb *bomb)
{
	struct rusage usage;
	struct arena arena;
	int status;
	pid_t child = fork();

	if (!child) {
		const char *said;

		arena_init(&arena);
		said = read_bomb(&arena, path, program);
		getrusage(RUSAGE_SELF, &usage);
		if (strstr(said, bomb->says) && (uint64_t)usage.ru_maxrss * 1024 < MOST)
			_exit(0);
		printf("  %ld KB, said: %s\n", usage.ru_maxrss, said);
		fflush(stdout);
		_exit(1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	static const struct bomb bombs[] = {
		{.name = "none of them", .says = "nothing"},
		{.name = "a head of zeros", .head = 60 * MEGABYTE, .says = "far more than its bytes can be"},
		{.name = "a section of zeros", .stream = 900 * MEGABYTE, .says = "far more than its bytes can be"},
		{.name = "units that aren't there", .claimed = 900 * MEGABYTE, .says = "far more than its bytes can be"},
		{.name = "a few units that aren't there", .claimed = 8 * MEGABYTE, .says = "nothing"},
		{.name = "a small section of zeros", .stream = 8 * MEGABYTE, .says = ""},
	};
	unsigned failed = 0, count = sizeof(bombs) / sizeof(*bombs);
	int program = argc == 4 ? open(argv[2], O_RDONLY | O_CLOEXEC) : -1;

	if (program < 0)
		return 2;
	for (unsigned i = 0; i < count; i++) {
		pid_t writer = fork(); /* what writing takes isn't counted */
		int status;
		bool is_good;

		if (!writer) {
			write_bomb(argv[1], argv[3], &bombs[i]);
			_exit(0);
		}
		waitpid(writer, &status, 0);
		is_good = !status && is_refused(argv[3], program, &bombs[i]);
		printf("%sok a pack with %s\n", is_good ? "" : "not ", bombs[i].name);
		fflush(stdout);
		failed += !is_good;
	}
	printf("%u passed, %u failed\n", count - failed, failed);
	return failed;
}
