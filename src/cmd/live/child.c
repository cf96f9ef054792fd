// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the command after "--" as a process that waits at a gate until it is traced. Between then
 * and its execve(2) it makes no system call and doesn't search for the program, or these would be
 * the first events. Nothing is written to the second pipe (`tie`): its ends tell each side when the
 * other is gone, or has become the command.
 */
#include "cmd/live/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/open_files.h"

#define END_MS   1000 /* after SIGTERM */
#define SIGNALED 128  /* what a shell adds to the number of a signal */

/* Calls `take` for each open file, except the directory it reads. */
static void each_descriptor(struct child *child, void (*take)(struct child *child, int fd))
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(directory))
			take(child, atoi(entry->d_name));
	if (directory)
		closedir(directory);
}

static void note(struct child *child, int fd)
{
	arena_append(child->arena, child->inherited, child->ninherited) = fd;
}

/* Files that ktrace opened (libelf's, say) must not reach the command. */
static void close_ours(struct child *child, int fd)
{
	for (unsigned i = 0; i < child->ninherited; i++)
		if (child->inherited[i] == fd)
			return;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static bool is_program(const char *path)
{
	struct stat stat_buffer;

	return !stat(path, &stat_buffer) && S_ISREG(stat_buffer.st_mode) && !access(path, X_OK);
}

const char *child_program(struct arena *arena, const char *name)
{
	const char *list = getenv("PATH") ?: _PATH_DEFPATH;
	int err = ENOENT;

	if (strchr(name, '/') || !*name) {
		errno = ENOENT;
		if (*name && !access(name, X_OK))
			errno = EACCES; /* a directory */
		return *name && is_program(name) ? name : NULL;
	}
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ":");
		const char *path = arena_printf(arena, "%.*s%s%s", (int)length, at,
						length ? "/" : "./", name);

		if (is_program(path))
			return path;
		if (errno == EACCES)
			err = EACCES;
		at += length;
		if (!*at)
			break;
	}
	errno = err;
	return NULL;
}

static struct error *cant_run(struct arena *arena, const struct child *child, int err)
{
	return error_hint(arena, error_errno(arena, err, "can't run '%s'", child->command[0]),
			  "write a program, by its path or its name in $PATH, and its arguments "
			  "after --");
}

struct error *child_find(struct arena *arena, char *const *command, struct child *ret)
{
	unsigned count = 0;

	*ret = (struct child){.arena = arena, .gate = -1, .tie = -1, .command = command};
	if (!command)
		return NULL;
	each_descriptor(ret, note);
	ret->path = child_program(arena, command[0]);
	if (!ret->path)
		return cant_run(arena, ret, errno);
	while (command[count])
		count++;
	/* a script without "#!" is run by the shell, as with execvp(3) */
	ret->shell = arena_array(arena, char *, count + 2);
	memcpy(ret->shell + 1, command, count * sizeof(*command));
	ret->shell[0] = arena_strdup(arena, _PATH_BSHELL);
	ret->shell[1] = arena_strdup(arena, ret->path);
	return NULL;
}

/* While it spins it can make no system call to ask whether the parent lives: so the kernel is
 * told to kill it when the other side closes (O_ASYNC, SIGKILL). A byte in that pipe would do
 * the same, so none is written. */
static void wait_at_gate(const struct child *child, int gate, int tie)
{
	struct pollfd gone = {.fd = tie};
	char go;

	atomic_store(&child->shared->step, CHILD_WAITS);
	if (fcntl(tie, F_SETSIG, SIGKILL) || fcntl(tie, F_SETOWN, getpid()) ||
	    fcntl(tie, F_SETFL, O_ASYNC) || read(gate, &go, 1) != 1 || poll(&gone, 1, 0))
		_exit(0); /* the trace never began */
	atomic_store(&child->shared->step, CHILD_SPINS);
	while (atomic_load(&child->shared->step) != CHILD_RUNS)
		;
}

static void run_child(struct child *child, const struct child_start *start, int gate, int tie)
{
	each_descriptor(child, close_ours);
	if (start->to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, start->was_ignored ? SIG_IGN : SIG_DFL);
	start->mark(start->cookie);
	open_files_limit(start->open_files);
	sigprocmask(SIG_SETMASK, start->signals, NULL);
	wait_at_gate(child, gate, tie);
	execv(child->path, child->command);
	if (errno == ENOEXEC)
		execv(child->shell[0], child->shell);
	child->shared->reason = errno;
	_exit(127);
}

static struct error *was_killed(struct arena *arena, const struct child *child)
{
	return error_new(arena, ERROR_SYSTEM, "'%s' was killed before it began",
			 child->command[0]);
}

/* It may be killed meanwhile, by anybody. */
static struct error *wait_for(struct arena *arena, struct child *child, enum child_step step)
{
	const struct timespec pause = {.tv_nsec = 100 * 1000};

	while (atomic_load(&child->shared->step) != (int)step) {
		if (child_has_ended(child))
			return was_killed(arena, child);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static struct error *open_pipes(struct arena *arena, int gate[2], int tie[2])
{
	struct error *error;

	if (pipe2(gate, O_CLOEXEC))
		return error_errno(arena, errno, "pipe");
	if (!pipe2(tie, O_CLOEXEC))
		return NULL;
	error = error_errno(arena, errno, "pipe");
	close(gate[0]);
	close(gate[1]);
	return error;
}

struct error *child_start(struct arena *arena, struct child *child, const struct child_start *start)
{
	int gate[2], tie[2], err;
	struct error *error;

	if (!child->path)
		return NULL;
	child->shared = mmap(NULL, sizeof(*child->shared), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (child->shared == MAP_FAILED)
		return error_errno(arena, errno, "can't start '%s'", child->command[0]);
	error = open_pipes(arena, gate, tie);
	if (error)
		return error;
	child->pid = fork();
	err = errno;
	if (!child->pid) {
		close(gate[1]); /* or their readers would never see the end */
		close(tie[0]);
		run_child(child, start, gate[0], tie[1]);
	}
	close(gate[0]);
	close(tie[1]);
	child->gate = gate[1];
	child->tie = tie[0];
	if (child->pid > 0)
		return wait_for(arena, child, CHILD_WAITS);
	child->pid = 0;
	return error_errno(arena, err, "can't start '%s'", child->command[0]);
}

struct error *child_wake(struct arena *arena, struct child *child)
{
	if (!child->pid)
		return NULL;
	if (write(child->gate, "g", 1) != 1)
		return errno == EPIPE ? was_killed(arena, child) :
					error_errno(arena, errno, "can't start '%s'",
						    child->command[0]);
	return wait_for(arena, child, CHILD_SPINS);
}

struct error *child_go(struct arena *arena, struct child *child)
{
	struct pollfd gone = {.fd = child->tie};

	if (!child->pid)
		return NULL;
	atomic_store(&child->shared->step, CHILD_RUNS);
	while (poll(&gone, 1, -1) != 1)
		;
	return child->shared->reason ? cant_run(arena, child, child->shared->reason) : NULL;
}

bool child_has_ended(struct child *child)
{
	int status;

	if (!child->pid || waitpid(child->pid, &status, WNOHANG) != child->pid)
		return false;
	child->pid = 0;
	child->status = WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALED + WTERMSIG(status);
	return true;
}

bool child_end(struct child *child)
{
	const struct timespec pause = {.tv_nsec = 1000 * 1000};

	if (child->gate >= 0)
		close(child->gate);
	if (child->tie >= 0)
		close(child->tie);
	if (!child->pid)
		return true;
	kill(child->pid, SIGTERM);
	for (int i = 0; i < END_MS && !child_has_ended(child); i++)
		nanosleep(&pause, NULL);
	return !child->pid;
}
