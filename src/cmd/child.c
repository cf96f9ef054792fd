// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command in, a process that waits behind a pipe out. A command that can't be executed is told
 * by the other pipe, which a successful exec closes.
 */
#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

static void run_child(char *const *command, const sigset_t *signals, int gate, int failed)
{
	char go;

	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, signals, NULL);
	if (read(gate, &go, 1) != 1)
		_exit(0); /* the trace never began */
	execvp(command[0], command);
	if (write(failed, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

struct error *child_start(struct arena *arena, char *const *command, const sigset_t *signals,
			  struct child *ret)
{
	int gate[2], failed[2];

	*ret = (struct child){.gate = -1, .failed = -1};
	if (!command)
		return NULL;
	ret->name = command[0];
	if (pipe2(gate, O_CLOEXEC))
		return error_errno(arena, errno, "pipe");
	if (pipe2(failed, O_CLOEXEC)) {
		close(gate[0]);
		close(gate[1]);
		return error_errno(arena, errno, "pipe");
	}
	ret->pid = fork();
	if (!ret->pid) {
		close(gate[1]); /* else the gate would never read as closed */
		run_child(command, signals, gate[0], failed[1]);
	}
	close(gate[0]);
	close(failed[1]);
	ret->gate = gate[1];
	ret->failed = failed[0];
	if (ret->pid > 0)
		return NULL;
	ret->pid = 0;
	return error_errno(arena, errno, "can't start '%s'", command[0]);
}

struct error *child_go(struct arena *arena, struct child *child)
{
	int reason = 0;

	if (!child->pid)
		return NULL;
	if (write(child->gate, "g", 1) != 1)
		return error_errno(arena, errno, "can't start '%s'", child->name);
	if (read(child->failed, &reason, sizeof(reason)) == sizeof(reason))
		return error_hint(arena, error_errno(arena, reason, "can't run '%s'", child->name),
				  "after -- comes a program, by its path or from $PATH, and its "
				  "arguments");
	return NULL;
}

bool child_has_ended(struct child *child)
{
	if (!child->pid || waitpid(child->pid, NULL, WNOHANG) != child->pid)
		return false;
	child->pid = 0;
	return true;
}

void child_end(struct child *child)
{
	if (child->gate >= 0)
		close(child->gate);
	if (child->failed >= 0)
		close(child->failed);
	if (!child->pid)
		return;
	kill(child->pid, SIGTERM);
	waitpid(child->pid, NULL, 0);
	child->pid = 0;
}
