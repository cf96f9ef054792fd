// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what it is told, and says on standard error, a line an act, what it did:
 *	acts write N | wide N | names | open FILE | storm N PROCESSES | threads N | exec PROGRAM | hit N
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FD 999 /* nobody else has it */

static char buffer[65536];

static void say_write(const char *comm, long fd, unsigned long count, long result)
{
	fprintf(stderr, "write %d %s %ld %p %lu %ld\n", (int)gettid(), comm, fd, (void *)buffer, count,
		result);
}

static void writes(int n)
{
	for (int i = 0; i < n; i++)
		say_write("acts", FD, (unsigned long)i * 13, write(FD, buffer, (unsigned long)i * 13));
}

/* Of an int in a register of 64 bits the kernel takes the low 32. */
static void wide(int n)
{
	for (int i = 0; i < n; i++)
		say_write("acts", FD, (unsigned)i,
			  syscall(SYS_write, (unsigned long)i << 32 | FD, buffer, i));
}

static void names(void)
{
	char name[16];

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "act %d\"\\", i);
		if (i)
			prctl(PR_SET_NAME, name);
		if (i % 5 == 4 && !fork()) { /* has its name, and is gone soon */
			say_write(name, FD, 100, write(FD, buffer, 100));
			prctl(PR_SET_NAME, "child");
			say_write("child", FD, 101, write(FD, buffer, 101));
			_exit(0);
		}
		while (wait(NULL) > 0)
			;
		say_write(i ? name : "acts", FD, (unsigned)i, write(FD, buffer, (unsigned)i));
	}
}

static void opens(const char *file)
{
	const unsigned long spoilt = 0x100000000ul * 7 | (unsigned)AT_FDCWD;

	fprintf(stderr, "open %d %p %d\n", AT_FDCWD, (const void *)file, O_RDONLY | O_CLOEXEC);
	syscall(SYS_openat, (long)AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0);
	fprintf(stderr, "open %d %p %d\n", AT_FDCWD, (const void *)file, O_RDONLY);
	syscall(SYS_openat, spoilt, file, O_RDONLY, 0);
}

static void storm(int n, int processes)
{
	for (int i = 0; i < processes; i++)
		if (!fork()) {
			for (int j = 0; j < n; j++)
				syscall(SYS_write, FD, buffer, 7ul);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

static void *thread(void *argument)
{
	char name[16];
	long i = (long)argument;

	snprintf(name, sizeof(name), "thread %ld", i);
	pthread_setname_np(pthread_self(), name);
	say_write(name, FD, (unsigned long)i, write(FD, buffer, (unsigned long)i));
	return NULL;
}

static void threads(int n)
{
	pthread_t all[256];

	for (long i = 0; i < n; i++)
		pthread_create(&all[i], NULL, thread, (void *)i);
	for (long i = 0; i < n; i++)
		pthread_join(all[i], NULL);
}

__attribute__((noinline, noclone)) void hit(int i)
{
	__asm__ volatile("" : : "r"(i) : "memory");
}

static void hits(int n)
{
	for (int i = 0; i < n; i++) {
		hit(i);
		syscall(SYS_write, FD, buffer, (long)i);
	}
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	dup2(open("/dev/null", O_WRONLY), FD);
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "write"))
		writes(n);
	else if (!strcmp(argv[1], "wide"))
		wide(n);
	else if (!strcmp(argv[1], "names"))
		names();
	else if (!strcmp(argv[1], "open"))
		opens(argv[2]);
	else if (!strcmp(argv[1], "storm"))
		storm(n, atoi(argv[3]));
	else if (!strcmp(argv[1], "threads"))
		threads(n);
	else if (!strcmp(argv[1], "hit"))
		hits(n);
	else if (!strcmp(argv[1], "exec"))
		execv(argv[2], argv + 2);
	return 0;
}
