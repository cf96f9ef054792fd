// SPDX-License-Identifier: GPL-2.0-only
/* Makes a pack of debug files: sections that are kept as they are, and units (build.c). */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "pack/write.h"

struct pack_output *pack_begin(struct arena *arena, const struct pack_writing *writing)
{
	struct pack_output *output = arena_new(arena, struct pack_output);

	output->arena = arena;
	output->writing = *writing;
	output->is_found = arena_array(arena, bool, writing->nonly + 1);
	return output;
}

void say_progress(const struct source_file *file, const char *step, unsigned percent)
{
	const struct pack_writing *writing = &file->output->writing;

	if (writing->progress)
		writing->progress(writing->cookie, file->input->name, step, percent);
}

uint64_t put_stream(struct pack_output *output, struct image_head *image, const void *data,
		    size_t size, const size_t *cuts, size_t ncuts)
{
	size_t before = output->data.length;

	frames_write(&output->data, data, size, cuts, ncuts, LEVEL_BEST);
	arena_append(output->arena, image->streams, image->nstreams) =
		(struct stream){.packed = output->data.length - before, .size = size};
	return image->nstreams - 1;
}

struct source_section *source_section(const struct source_file *file, const char *name)
{
	for (size_t i = 0; i < file->nsections; i++)
		if (!strcmp(file->sections[i].head.name, name) && file->sections[i].data)
			return &file->sections[i];
	return NULL;
}

/* What a reader looks at besides units. Code is the probed file's own. */
static bool is_wanted(const char *name)
{
	static const char *const names[] = {
		".symtab",	     ".strtab",	   ".symtab_shndx", ".notes", ".note.gnu.build-id",
		".gnu_debugaltlink", ".debug_sup",
	};
	static const char *const unread[] = {
		".debug_macro",	   ".debug_macinfo",	  ".debug_pubnames",
		".debug_pubtypes", ".debug_gnu_pubnames", ".debug_gnu_pubtypes",
		".debug_names",	   ".debug_gdb_scripts",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++)
		if (strstr(name, unread[i]))
			return false;
	return !strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8);
}

/* Relocations of debug sections, which only files to be linked further need. */
static bool is_relocation(const struct source_file *file, const struct source_section *section)
{
	GElf_Ehdr header;

	return section->head.type == SHT_RELA && gelf_getehdr(file->input->debug, &header) &&
	       header.e_type == ET_REL && section->head.info &&
	       section->head.info <= file->nsections &&
	       is_wanted(file->sections[section->head.info - 1].head.name);
}

static const char *plain_name(struct arena *arena, const char *name)
{
	return !strncmp(name, ".zdebug_", 8) ? arena_printf(arena, ".%s", name + 2) : name;
}

/* Reads one section, uncompressed. Returns false when that can't be done. */
static bool read_section(struct source_file *file, Elf_Scn *elf, size_t strings,
			 struct source_section *ret)
{
	struct arena *arena = file->output->arena;
	GElf_Shdr header;
	const char *name;
	Elf_Data *data;

	if (!gelf_getshdr(elf, &header))
		return false;
	name = elf_strptr(file->input->debug, strings, header.sh_name) ?: "";
	if (is_wanted(name) && header.sh_type != SHT_NOBITS &&
	    ((header.sh_flags & SHF_COMPRESSED && elf_compress(elf, 0, 0) < 0) ||
	     (!strncmp(name, ".zdebug_", 8) && elf_compress_gnu(elf, 0, 0) < 0)))
		return false;
	if (!gelf_getshdr(elf, &header))
		return false;
	ret->head = (struct section){
		.name = arena_strdup(arena, plain_name(arena, name)),
		.type = header.sh_type,
		.flags = header.sh_flags,
		.address = header.sh_addr,
		.size = header.sh_size,
		.link = header.sh_link,
		.info = header.sh_info,
		.align = header.sh_addralign,
		.entry = header.sh_entsize,
	};
	data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(elf, NULL);
	if (data && data->d_buf && data->d_size >= header.sh_size)
		ret->data = data->d_buf;
	ret->is_kept = is_wanted(ret->head.name) && ret->data;
	return true;
}

static struct error *read_file(struct source_file *file)
{
	Elf *elf = file->input->debug;
	Elf_Scn *section = NULL;
	size_t count, strings;

	if (elf_getshdrnum(elf, &count) || elf_getshdrstrndx(elf, &strings) || count < 2)
		return error_new(file->output->arena, ERROR_NO_DEBUGINFO, "'%s' has no sections",
				 file->input->name);
	file->sections = arena_array(file->output->arena, struct source_section, count);
	while ((section = elf_nextscn(elf, section)))
		if (file->nsections < count &&
		    !read_section(file, section, strings, &file->sections[file->nsections++]))
			return error_new(file->output->arena, ERROR_NO_DEBUGINFO,
					 "'%s': its section %zu can't be read: %s",
					 file->input->name, file->nsections, elf_errmsg(-1));
	/* a kernel's symbols are with its code */
	for (size_t i = 0; i < file->nsections && !file->input->kind; i++)
		file->sections[i].is_kept &= file->sections[i].head.type != SHT_SYMTAB &&
					     strcmp(file->sections[i].head.name, ".strtab") != 0;
	for (size_t i = 0; i < file->nsections; i++)
		file->sections[i].is_kept |=
			file->sections[i].data && is_relocation(file, &file->sections[i]);
	return NULL;
}

/* The header of a section as it will be: without its bytes if no reader needs them. */
static struct section kept_header(const struct source_section *section)
{
	struct section head = section->head;

	if (section->is_kept)
		return head;
	if (head.flags & SHF_ALLOC) {
		head.type = SHT_NOBITS;
		return head;
	}
	return (struct section){.name = head.name, .type = SHT_NOBITS, .align = 1};
}

static void put_sections(struct source_file *file, struct image_head *image)
{
	struct arena *arena = file->output->arena;

	image->sections = arena_array(arena, struct section, file->nsections + 1);
	image->nsections = file->nsections;
	for (size_t i = 0; i < file->nsections; i++) {
		const struct source_section *section = &file->sections[i];

		image->sections[i] = kept_header(section);
		say_progress(file, "sections", (unsigned)(i * 100 / file->nsections));
		if (section->is_kept && !section->is_made && section->head.size)
			image->sections[i].stream = put_stream(file->output, image, section->data,
								section->head.size, NULL, 0) + 1;
	}
}

static struct error *nothing_of(struct pack_output *output, const char *name)
{
	struct strbuf globs = {0};
	struct error *error;

	for (unsigned i = 0; i < output->writing.nonly; i++)
		strbuf_printf(&globs, " --only '%s'", output->writing.only[i]);
	error = error_hint(output->arena,
			   error_new(output->arena, ERROR_NOT_FOUND, "'%s' has nothing for%s", name,
				     globs.data),
			   "it takes whole names of functions and of variables outside functions, "
			   "or globs: '*_open*'");
	strbuf_deinit(&globs);
	return error;
}

struct error *pack_add(struct pack_output *output, const struct pack_input *input, bool *by_units)
{
	struct source_file file = {.output = output, .input = input};
	struct error *error = read_file(&file);
	struct image_head *image;
	GElf_Ehdr header;

	if (error)
		return error;
	if (!gelf_getehdr(input->debug, &header) || gelf_getclass(input->debug) != ELFCLASS64)
		return error_new(output->arena, ERROR_NO_DEBUGINFO,
				 "'%s' is not a 64-bit ELF file", input->name);
	image = &arena_append(output->arena, output->images, output->nimages);
	*image = (struct image_head){
		.name = input->name,
		.build_id = input->build_id,
		.kind = input->kind,
		.type = header.e_type,
		.machine = header.e_machine,
	};
	*by_units = header.e_type != ET_REL && put_units(&file, image, put_sections);
	if (*by_units) {
		image->only = output->writing.only;
		image->nonly = output->writing.nonly;
		if (!image->counts[GROUP_UNITS])
			return nothing_of(output, input->name);
	} else {
		memset(output->is_found, true, output->writing.nonly); /* it is packed whole */
		put_sections(&file, image);
	}
	if (!is_bounded(image))
		return error_new(
			output->arena, ERROR_LIMIT,
			"'%s' can't be packed: it would become so small that it couldn't be told "
			"from a pack made to fill a reader's memory",
			input->name);
	return NULL;
}

static bool write_bytes(int fd, const void *data, size_t length)
{
	const char *at = data;

	while (length) {
		ssize_t done = write(fd, at, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		length -= (size_t)done;
	}
	return true;
}

/* A device or a pipe would be replaced by the file. */
static bool is_replaceable(const char *path)
{
	struct stat status;

	return stat(path, &status) || S_ISREG(status.st_mode);
}

/* Under another name first, so that no reader sees half of it. */
static struct error *write_file(struct arena *arena, const char *path, const struct strbuf *head,
				const struct strbuf *data)
{
	struct pack_start start = {.version = PACK_VERSION, .head_size = (uint32_t)head->length};
	const char *beside = arena_printf(arena, "%s.%d", path, (int)getpid());
	struct error *error = NULL;
	int fd;

	if (!is_replaceable(path))
		return error_new(arena, ERROR_SYSTEM, "can't write '%s': it isn't a regular file",
				 path);
	unlink(beside); /* of an earlier process of that number */
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	memcpy(start.magic, PACK_MAGIC, sizeof(start.magic));
	start.head_check = bytes_hash(head->data, head->length);
	if (fd < 0)
		return error_errno(arena, errno, "can't write '%s'", path);
	if (!write_bytes(fd, &start, sizeof(start)) || !write_bytes(fd, head->data, head->length) ||
	    !write_bytes(fd, data->data, data->length))
		error = error_errno(arena, errno, "can't write '%s'", path);
	if (close(fd) && !error)
		error = error_errno(arena, errno, "can't write '%s'", path);
	if (!error && rename(beside, path))
		error = error_errno(arena, errno, "can't write '%s'", path);
	if (error)
		unlink(beside);
	return error;
}

const char *pack_unfound(const struct pack_output *output, unsigned *next)
{
	while (*next < output->writing.nonly && output->is_found[*next])
		++*next;
	return *next < output->writing.nonly ? output->writing.only[(*next)++] : NULL;
}

struct error *pack_end(struct pack_output *output, const char *path, uint64_t *size)
{
	struct strbuf head = {0}, packed = {0};
	struct error *error;

	head_write(&head, output->images, output->nimages);
	frames_write(&packed, head.data, head.length, NULL, 0, LEVEL_BEST);
	*size = sizeof(struct pack_start) + packed.length + output->data.length;
	error = write_file(output->arena, path, &packed, &output->data);
	strbuf_deinit(&head);
	strbuf_deinit(&packed);
	strbuf_deinit(&output->data);
	return error;
}
