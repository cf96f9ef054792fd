// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetches debug information and source files by build-id, with libdebuginfod, which keeps them in
 * its cache. It isn't linked: with it come 20 libraries more.
 *
 * The surprise: libdwfl would ask debuginfod by itself, without a word, for each library in a
 * stack, and believe the answer, so the variable is hidden from it for the moment that it searches.
 */
#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "target/debuginfod.h"
#include "target/fetch_wait.h"

#define URLS    "DEBUGINFOD_URLS"
#define LIBRARY "libdebuginfod.so.1"

struct library {
	typeof(&debuginfod_begin) begin;
	typeof(&debuginfod_end) end;
	typeof(&debuginfod_find_debuginfo) find_debuginfo;
	typeof(&debuginfod_find_source) find_source;
	typeof(&debuginfod_set_progressfn) set_progress;
	typeof(&debuginfod_set_user_data) set_data;
};

bool fetch_is_wanted(void)
{
	const char *urls = getenv(URLS);

	return urls && *urls;
}

int without_fetching(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
		     const char *path, const char *link, GElf_Word checksum, char **found)
{
	char *urls = fetch_is_wanted() ? strdup(getenv(URLS)) : NULL;
	int fd;

	if (urls)
		unsetenv(URLS);
	fd = dwfl_standard_find_debuginfo(module, userdata, name, base, path, link, checksum,
					  found);
	if (urls)
		setenv(URLS, urls, true);
	free(urls);
	return fd;
}

static bool load(struct library *library)
{
	/* global, for the function that progress() looks up; never unloaded, as libcurl needs it */
	void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);

	if (!handle)
		return false;
	library->begin = dlsym(handle, "debuginfod_begin");
	library->end = dlsym(handle, "debuginfod_end");
	library->find_debuginfo = dlsym(handle, "debuginfod_find_debuginfo");
	library->find_source = dlsym(handle, "debuginfod_find_source");
	library->set_progress = dlsym(handle, "debuginfod_set_progressfn");
	library->set_data = dlsym(handle, "debuginfod_set_user_data");
	return library->begin && library->end && library->find_debuginfo && library->find_source &&
	       library->set_progress && library->set_data;
}

/* The id's bytes; 0 when it isn't one. */
static int id_bytes(const char *build_id, unsigned char bytes[FETCH_ID_MAX])
{
	size_t length = build_id ? strlen(build_id) : 0;

	if (!length || length % 2 || length / 2 > FETCH_ID_MAX ||
	    strspn(build_id, "0123456789abcdef") != length)
		return 0;
	for (size_t i = 0; i < length; i += 2)
		sscanf(build_id + i, "%2hhx", &bytes[i / 2]);
	return (int)length / 2;
}

/* Returns a file descriptor, or -errno. */
static int ask(const struct library *library, const struct fetch *fetch, const unsigned char *id,
	       int length, char **path)
{
	struct progress progress = {.what = fetch->source ?: fetch->what,
				    .is_terminal = isatty(STDERR_FILENO)};
	debuginfod_client *client = library->begin();
	int fd;

	if (!client)
		return -ENOMEM;
	library->set_data(client, &progress);
	library->set_progress(client, on_progress);
	fd = fetch->source ? library->find_source(client, id, length, fetch->source, path) :
			     library->find_debuginfo(client, id, length, path);
	library->end(client);
	if (progress.is_shown)
		fputs("\r\033[K", stderr);
	if (fd >= 0 || !progress.is_over)
		return fd;
	forget_misses(fetch->arena, fetch->build_id);
	return -EINTR;
}

static const char *reason(struct arena *arena, int number)
{
	switch (number) {
	case ENOENT:
		return "no server has it";
	case ETIME:
	case ETIMEDOUT:
		return "no answer in time ($DEBUGINFOD_TIMEOUT has the seconds)";
	case ECONNREFUSED:
	case EHOSTUNREACH:
		return arena_printf(arena, "no server can be reached: $" URLS " is '%s'",
				    getenv(URLS));
	default:
		return arena_strdup(arena, strerror(number));
	}
}

/* Whether the file is the user's own. Another user could give root any file, in a cache that sudo
 * left. */
static bool is_own(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	       !(status.st_mode & 022);
}

static bool has_id(int fd, const unsigned char *id, int length)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *bits = NULL;
	bool ret = elf && dwelf_elf_gnu_build_id(elf, &bits) == length &&
		   !memcmp(bits, id, (size_t)length);

	elf_end(elf);
	return ret;
}

/* Why the file can't be used, or NULL. */
static const char *fault(struct fetch *fetch, int fd, const char *path, const unsigned char *id,
			 int length)
{
	if (!is_own(fd))
		return arena_printf(
			fetch->arena,
			"'%s' is another user's: set $DEBUGINFOD_CACHE_PATH to a directory of "
			"your own",
			path);
	if (!fetch->source && !has_id(fd, id, length))
		return arena_printf(fetch->arena,
				    "a server sent a wrong file, not of build-id %s: check "
				    "$" URLS " names, and "
				    "remove it: rm '%s'", fetch->build_id, path);
	return NULL;
}

int fetch_file(struct fetch *fetch)
{
	unsigned char id[FETCH_ID_MAX];
	int length = id_bytes(fetch->build_id, id), fd;
	struct library library;
	char *path = NULL;
	sigset_t old;

	fetch->why = NULL;
	fetch->is_nowhere = false;
	if (!length || !fetch_is_wanted())
		return -1;
	if (!load(&library)) {
		fetch->why = LIBRARY " isn't installed";
		return -1;
	}
	hold_signals(&old);
	fd = ask(&library, fetch, id, length, &path);
	sigprocmask(SIG_SETMASK, &old, NULL);
	fetch->path = path ? arena_strdup(fetch->arena, path) : "";
	free(path);
	fetch->is_nowhere = fd == -ENOENT;
	fetch->why = fd < 0 ? reason(fetch->arena, -fd) : fault(fetch, fd, fetch->path, id, length);
	if (fd < 0)
		return -1;
	if (!fetch->why && !lseek(fd, 0, SEEK_SET)) /* it was just written through this */
		return fd;
	close(fd);
	return -1;
}

int fetch_cached(struct fetch *fetch)
{
	unsigned char id[FETCH_ID_MAX];
	int length = id_bytes(fetch->build_id, id), fd;
	unsigned place = 0;

	while (length &&
	       (fd = open_cached(fetch->arena, fetch->build_id, &place, &fetch->path)) >= 0) {
		if (!fault(fetch, fd, fetch->path, id, length) && !lseek(fd, 0, SEEK_SET))
			return fd;
		close(fd);
	}
	return -1;
}
