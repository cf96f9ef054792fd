// SPDX-License-Identifier: GPL-2.0-only
/* Addresses, devices, times and numbers of system calls, for tests/sys/uprobes/tables: the program prints what it has. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

struct host {
	struct in_addr v4;
	struct in6_addr v6;
	unsigned char mac[6];
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;
	unsigned char *hw;
	long lag;
	dev_t dev;
	int nr;
};

__attribute__((noipa)) int look(struct host *h, unsigned raw, struct in6_addr *six, struct sockaddr_storage *any)
{
	return h->nr + (int)raw + !!six + !!any;
}

static void fill(void *to, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((unsigned char *)to)[i] = (unsigned char)(random() % 3 ? random() : 0);
}

int main(void)
{
	static const long lags[] = {0, 7, -7, 999, 1000, 1050, -1234567, 2000000000, 12000000345, 60000000000};

	for (int i = 0; i < 50; i++) {
		char four[64], six[64], raw_text[64];
		struct sockaddr_storage any = {0};
		struct host h = {.nr = (int)(random() % 300), .lag = lags[i % 10]};
		unsigned raw;

		fill(&h.v4, sizeof(h.v4));
		fill(&h.v6, sizeof(h.v6));
		fill(h.mac, sizeof(h.mac));
		fill(&raw, sizeof(raw));
		h.hw = h.mac;
		h.dev = makedev((unsigned)random() % 5000, (unsigned)random() % 500000);
		h.sin.sin_family = AF_INET;
		h.sin.sin_port = htons((unsigned short)random());
		h.sin.sin_addr = h.v4;
		h.sin6.sin6_family = AF_INET6;
		h.sin6.sin6_port = htons((unsigned short)random());
		h.sin6.sin6_addr = h.v6;
		memcpy(&any, &h.sin6, sizeof(h.sin6));
		inet_ntop(AF_INET, &h.v4, four, sizeof(four));
		inet_ntop(AF_INET, &raw, raw_text, sizeof(raw_text));
		inet_ntop(AF_INET6, &h.v6, six, sizeof(six));
		look(&h, raw, &h.v6, &any);
		printf("%s %s %s %02x:%02x:%02x:%02x:%02x:%02x %s:%u [%s]:%u %ld %u:%u %d\n", four, raw_text, six, h.mac[0],
		       h.mac[1], h.mac[2], h.mac[3], h.mac[4], h.mac[5], four, ntohs(h.sin.sin_port), six,
		       ntohs(h.sin6.sin6_port), h.lag, major(h.dev), minor(h.dev), h.nr);
	}
	return 0;
}
