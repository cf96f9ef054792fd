// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into clang, which so waits with its libraries in place and is forked for each command (tests/lib/lane.py): most of
 * what a small program's compilation costs is the relocation of those libraries, twice, since clang starts itself again.
 * CLANG_SERVES has a listening socket. A command is one message, `directory\0argument\0...`, with the files for its output
 * and errors; the answer is its status. It ends when its standard input does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 1000, BYTES = 100000 };
typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static main_fn *clang;

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
		char *const argv[], char *const envp[])
{
	int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
		     char *const[]) = dlsym(RTLD_NEXT, "posix_spawn");
	int count = 0;

	if (!clang || actions || !argv[0] || !argv[1] || strcmp(argv[1], "-cc1"))
		return spawn(pid, path, actions, attr, argv, envp);
	*pid = fork();
	if (*pid)
		return 0;
	while (argv[count])
		count++;
	exit(clang(count, (char **)argv, environ));
}

/* The words of a command; its files are this process's from now on. */
static int command_of(int connection, char *text, char **words)
{
	char space[CMSG_SPACE(2 * sizeof(int))] = "";
	struct iovec part = {text, BYTES - 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space)};
	ssize_t length = recvmsg(connection, &message, 0);
	struct cmsghdr *control = CMSG_FIRSTHDR(&message);
	int count = 0, files[2];

	if (length <= 0 || !control || control->cmsg_len != CMSG_LEN(sizeof(files)))
		_exit(125);
	memcpy(files, CMSG_DATA(control), sizeof(files));
	for (int i = 0; i < 2; i++) {
		dup2(files[i], 1 + i);
		close(files[i]);
	}
	close(STDIN_FILENO);
	open("/dev/null", O_RDONLY);
	text[length] = '\0';
	if (chdir(text))
		_exit(125);
	for (char *word = text + strlen(text) + 1; word < text + length && count < WORDS - 1; word += strlen(word) + 1)
		words[count++] = word;
	words[count] = NULL;
	return count;
}

/* Comes back in the process that is to be clang. Its parent, which waits for it, answers. */
static int serve(int listener, char *text, char **words)
{
	struct pollfd ready[2] = {{listener, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
	int connection, count, status;
	pid_t child;

	for (;;) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		poll(ready, 2, -1);
		if (ready[1].revents) {
			while (wait(NULL) > 0)
				;
			_exit(0);
		}
		connection = accept(listener, NULL, NULL);
		if (connection >= 0 && !fork())
			break;
		close(connection);
	}
	close(listener);
	count = command_of(connection, text, words);
	child = fork();
	if (child) {
		waitpid(child, &status, 0);
		status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
		_exit(write(connection, &status, sizeof(status)) != sizeof(status));
	}
	close(connection);
	return count;
}

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
		      void *stack_end);
int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
		      void *stack_end)
{
	start_fn *start = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");
	const char *listener = getenv("CLANG_SERVES");

	if (listener) {
		argv = calloc(WORDS, sizeof(*argv));
		unsetenv("LD_PRELOAD");
		unsetenv("CLANG_SERVES");
		clang = main;
		argc = serve(atoi(listener), malloc(BYTES), argv);
	}
	return start(main, argc, argv, init, fini, rtld_fini, stack_end);
}
