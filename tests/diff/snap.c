// SPDX-License-Identifier: GPL-2.0-only
/*
 * snap PROGRAM DATA SIZE ADDRESS...: runs the program, and writes down at each of these
 * addresses, by breakpoints of its own, what the machine holds: the address, 17 registers in
 * DWARF's order, the stack from BELOW bytes below the stack pointer on, and SIZE bytes at DATA.
 * The program's own output is discarded.
 *
 * The surprise: tests/diff/random reads values from that as ktrace's definitions say, so it needs
 * neither root nor a kernel with uprobes.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BELOW = 256, STACK = 2048, DATA = 65536, MOST = 4096, BREAK = 0xcc };

static struct {
	uint64_t address;
	uint8_t byte;
} places[MOST];
static unsigned nplaces;
static uint64_t base, data;
static size_t size;
static int memory;

static int fail(const char *what)
{
	perror(what);
	exit(1);
}

static void put(uint64_t address, uint8_t byte)
{
	if (pwrite(memory, &byte, 1, (off_t)address) != 1)
		fail("write");
}

/* Where the program was loaded; its first segment is said to be at 0, or where it is. */
static uint64_t find_base(pid_t child, const char *path)
{
	char name[64], line[4096], *real = realpath(path, NULL);
	uint64_t start = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", child);
	maps = fopen(name, "r");
	if (!maps || !real)
		fail(name);
	while (!start && fgets(line, sizeof(line), maps))
		if (strstr(line, real))
			start = strtoull(line, NULL, 16);
	fclose(maps);
	free(real);
	return start == 0x400000 ? 0 : start;
}

static void tell(uint64_t address, struct user_regs_struct *regs)
{
	uint64_t head[18] = {address, regs->rax, regs->rdx, regs->rcx, regs->rbx, regs->rsi,
			     regs->rdi, regs->rbp, regs->rsp, regs->r8, regs->r9, regs->r10,
			     regs->r11, regs->r12, regs->r13, regs->r14, regs->r15, regs->rip};
	static uint8_t stack[STACK], statics[DATA];

	memset(stack, 0, sizeof(stack));
	if (pread(memory, stack, sizeof(stack), (off_t)regs->rsp - BELOW) < BELOW)
		fail("stack");
	fwrite(head, sizeof(head), 1, stdout);
	fwrite(stack, sizeof(stack), 1, stdout);
	if (pread(memory, statics, size, (off_t)(base + data)) != (ssize_t)size)
		fail("data");
	fwrite(statics, size, 1, stdout);
}

static void pass(pid_t child, struct user_regs_struct *regs)
{
	int status;

	for (unsigned i = 0; i < nplaces; i++)
		if (places[i].address == regs->rip) {
			tell(regs->rip - base, regs);
			put(regs->rip, places[i].byte);
			ptrace(PTRACE_SETREGS, child, 0, regs);
			ptrace(PTRACE_SINGLESTEP, child, 0, 0);
			waitpid(child, &status, 0);
			put(places[i].address, BREAK);
			return;
		}
	fprintf(stderr, "a trap at %#llx\n", regs->rip);
	exit(1);
}

static pid_t start(char **arguments)
{
	pid_t child = fork();
	int status, null;

	if (child < 0)
		fail("fork");
	if (!child) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, 1);
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(arguments[1], arguments[1], NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status))
		exit(1);
	return child;
}

int main(int argc, char **argv)
{
	struct user_regs_struct regs;
	char name[64];
	pid_t child;
	int status;

	if (argc < 4 || argc - 4 > MOST)
		return 2;
	data = strtoull(argv[2], NULL, 16);
	size = strtoull(argv[3], NULL, 16);
	if (size > DATA)
		return 2;
	child = start(argv);
	snprintf(name, sizeof(name), "/proc/%d/mem", child);
	memory = open(name, O_RDWR);
	base = find_base(child, argv[1]);
	for (int i = 4; i < argc; i++, nplaces++) {
		places[nplaces].address = base + strtoull(argv[i], NULL, 16);
		if (pread(memory, &places[nplaces].byte, 1, (off_t)places[nplaces].address) != 1)
			fail("read");
		put(places[nplaces].address, BREAK);
	}
	for (;;) {
		ptrace(PTRACE_CONT, child, 0, 0);
		if (waitpid(child, &status, 0) < 0 || WIFEXITED(status))
			break;
		if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
			return fail("a signal");
		ptrace(PTRACE_GETREGS, child, 0, &regs);
		regs.rip--;
		pass(child, &regs);
	}
	fwrite(&base, sizeof(base), 1, stdout);
	return ferror(stdout) || fflush(stdout);
}
