// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refuses to write to a file that would be gone then: a program, or one that the command reads. A
 * file's name may be any other that it has.
 */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/live/output.h"

static bool are_files(const struct verb *verb)
{
	return verb->run == cmd_run || verb->run == cmd_merge || verb->run == cmd_pack;
}

const char *const *precious_files(struct arena *arena, const struct options *options,
				  const char *const *more, unsigned nmore)
{
	const char *const named[] = {options->program, options->vmlinux, options->module,
				     options->pack,
				     options->command ? options->command[0] : NULL};
	unsigned count = sizeof(named) / sizeof(*named), n = 0;
	unsigned nfiles = are_files(options->verb) ? options->noperands : 0;
	const char **ret = arena_array(arena, const char *, count + nfiles + nmore + 1);

	for (unsigned i = 0; i < count; i++)
		if (named[i])
			ret[n++] = named[i];
	for (unsigned i = 0; i < nfiles; i++)
		ret[n++] = options->operands[i];
	for (unsigned i = 0; i < nmore; i++)
		ret[n++] = more[i];
	return ret;
}

static bool is_elf(int fd)
{
	char magic[SELFMAG] = "";

	return pread(fd, magic, SELFMAG, 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);
}

static struct error *would_overwrite(struct arena *arena, const char *option, const char *what)
{
	struct error *error = error_new(arena, ERROR_USAGE, "%s would overwrite %s", option, what);

	return error_hint(arena, error, "name another file: %s FILE", option);
}

struct error *precious_check(struct arena *arena, const char *option, const char *path,
			     const char *const *precious)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct error *error = NULL;
	struct stat file, other;

	if (fd < 0)
		return NULL; /* opening it for writing will say why */
	if (!fstat(fd, &file) && S_ISREG(file.st_mode)) {
		if (is_elf(fd))
			error = would_overwrite(arena, option,
						arena_printf(arena, "the program '%s'", path));
		for (; *precious && !error; precious++)
			if (!stat(*precious, &other) && file.st_dev == other.st_dev &&
			    file.st_ino == other.st_ino)
				error = would_overwrite(arena, option,
							arena_printf(arena,
								     "'%s', which is needed",
								     *precious));
	}
	close(fd);
	return error;
}
