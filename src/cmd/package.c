// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells how to install the debug information of a file or of the running kernel. Only packages that
 * this system really has are named: if no package has the file, no debug package would fit it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/sources.h"

#define DPKG_LISTS "/var/lib/dpkg/info"

/* Whether ID or ID_LIKE in os-release has the word. */
static bool is_system(const char *word)
{
	FILE *file = fopen("/etc/os-release", "re");
	char line[256];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = (!strncmp(line, "ID=", 3) || !strncmp(line, "ID_LIKE=", 8)) &&
			strstr(line, word);
	if (file)
		fclose(file);
	return found;
}

/* Whether a package's list of files has the path; either may lack a leading /usr. */
static bool lists(int directory, const char *list, const char *path)
{
	int fd = openat(directory, list, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char line[4096];
	bool found = false;

	path += strncmp(path, "/usr/", 5) ? 0 : 4;
	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strcmp(strncmp(line, "/usr/", 5) ? line : line + 4, path);
	}
	if (file)
		fclose(file);
	return found;
}

/* "libc6" for the C library. Returns NULL when no dpkg package has the file. */
static char *dpkg_package(struct arena *arena, const char *path)
{
	DIR *directory = opendir(DPKG_LISTS);
	struct dirent *entry;
	char *package = NULL;

	while (directory && !package && (entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);

		if (length > 5 && !strcmp(entry->d_name + length - 5, ".list") &&
		    lists(dirfd(directory), entry->d_name, path))
			package = arena_strndup(arena, entry->d_name, strcspn(entry->d_name, ":"));
	}
	if (directory)
		closedir(directory);
	if (package && strlen(package) > 5 && !strcmp(package + strlen(package) - 5, ".list"))
		package[strlen(package) - 5] = '\0';
	return package;
}

const char *program_package(struct arena *arena, const char *path)
{
	const char *package = dpkg_package(arena, path);

	if (package && !strcmp(package, "libc6"))
		return "apt install libc6-dbg";
	if (package)
		return arena_printf(
			arena,
			"apt install %s-dbgsym, from the distribution's archive of debug "
			"packages (or %s-dbg, where there is one)",
			package, package);
	if (is_system("fedora") || is_system("rhel"))
		return arena_printf(arena, "dnf debuginfo-install $(rpm -qf --qf '%%{NAME}' %s)",
				    path);
	if (is_system("suse"))
		return arena_printf(arena, "zypper install $(rpm -qf --qf '%%{NAME}' %s)-debuginfo",
				    path);
	return NULL;
}

const char *kernel_package(struct arena *arena)
{
	struct utsname name;
	const char *release = uname(&name) ? "" : name.release;
	const char *list = arena_printf(arena, DPKG_LISTS "/linux-image-%s.list", release);
	const char *modules = arena_printf(arena, "/lib/modules/%s/modules.dep", release);

	if (!access(list, F_OK))
		return arena_printf(arena,
				    is_system("ubuntu") ? "apt install linux-image-%s-dbgsym, from "
							  "ddebs.ubuntu.com" :
							  "apt install linux-image-%s-dbg",
				    release);
	if (access(modules, F_OK))
		return NULL;
	if (is_system("fedora") || is_system("rhel"))
		return arena_printf(arena, "dnf install --enablerepo='*debug*' kernel-debuginfo-%s",
				    release);
	if (is_system("suse"))
		return "zypper install kernel-default-debuginfo";
	return NULL;
}
