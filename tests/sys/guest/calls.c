// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes system calls that succeed and that fail, each of a size or a name of its own, and prints for each
 * what it was and what it returned: NAME KEY RESULT.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void tell(const char *name, long key, long result)
{
	printf("%s %ld %ld\n", name, key, result < 0 ? -errno : result);
}

static void reads(void)
{
	static char bytes[128];
	int plain = open("/tmp/calls", O_RDWR | O_CREAT | O_TRUNC, 0600), writes = open("/tmp/calls", O_WRONLY);
	int directory = open("/tmp", O_RDONLY), zero = open("/dev/zero", O_RDONLY), proc = open("/proc/ktfollow", O_RDONLY);

	tell("write", 20, write(plain, bytes, 20));
	tell("plain", 101, pread(plain, bytes, 101, 0));
	tell("end", 102, pread(plain, bytes, 102, 20));
	tell("zero", 17, read(zero, bytes, 17));
	tell("proc", 104, read(proc, bytes, 104));
	tell("denied", 105, read(writes, bytes, 105));
	tell("address", 106, read(zero, (void *)-4096L, 106));
	tell("directory", 107, read(directory, bytes, 107));
	tell("denied", 108, read(writes, bytes, 108));
}

static void opens(void)
{
	struct open_how bad = {.flags = O_CREAT | O_TMPFILE, .mode = 0600}, good = {.flags = O_RDONLY};

	tell("opened", 0, syscall(SYS_openat2, -100, "/tmp/calls", &good, sizeof(good)) < 0 ? -1 : 0);
	tell("missing", -ENOENT, syscall(SYS_openat2, -100, "/tmp/nothing", &good, sizeof(good)));
	tell("flags", -EINVAL, syscall(SYS_openat2, -100, "/tmp/calls", &bad, sizeof(bad)));
	tell("name", -EFAULT, syscall(SYS_openat2, -100, 8, &good, sizeof(good)));
	tell("loop", -ENOTDIR, syscall(SYS_openat2, -100, "/tmp/calls/x", &good, sizeof(good)));
}

static int connected(int *other)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);

	bind(server, (void *)&address, size);
	listen(server, 1);
	getsockname(server, (void *)&address, &size);
	if (connect(client, (void *)&address, size))
		return -1;
	*other = accept(server, NULL, NULL);
	return client;
}

static void sends(void)
{
	static char bytes[4096];
	char control[CMSG_SPACE(4)] = {0};
	struct iovec vector = {bytes, 604};
	struct msghdr bad = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&bad);
	int other, client = connected(&other), flags = MSG_NOSIGNAL | MSG_DONTWAIT;

	header->cmsg_len = CMSG_LEN(4);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = 0x7777;
	tell("sent", 601, send(client, bytes, 601, flags));
	tell("sent", 602, send(client, bytes, 602, flags));
	tell("address", 603, send(client, (void *)8, 603, flags)); /* nothing is mapped there */
	tell("control", 604, sendmsg(client, &bad, flags));
	shutdown(client, SHUT_WR);
	tell("shut", 605, send(client, bytes, 605, flags));
	client = connected(&other);
	while (send(client, bytes, sizeof(bytes), flags) > 0)
		;
	tell("full", 606, send(client, bytes, 606, flags));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "reads"))
		reads();
	else if (argc == 2 && !strcmp(argv[1], "opens"))
		opens();
	else if (argc == 2 && !strcmp(argv[1], "sends"))
		sends();
	else
		return 2;
	return 0;
}
