// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes bytes that read as one word: network and hardware addresses, UUIDs, device numbers. A
 * socket address that isn't IP is shown by its family alone: the rest is unknown.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include "sink/value.h"

#define WORD_MAX (INET6_ADDRSTRLEN + sizeof("[]:65535"))

/* struct sockaddr_in: family, port, address; sockaddr_in6: family, port, flow, address */
static void sockaddr_text(const uint8_t *bytes, uint32_t size, char *ret)
{
	char address[INET6_ADDRSTRLEN];
	uint16_t family;
	unsigned port = (unsigned)bytes[2] << 8 | bytes[3];

	memcpy(&family, bytes, sizeof(family));
	if (family == AF_INET && size >= 8) {
		inet_ntop(AF_INET, bytes + 4, address, sizeof(address));
		snprintf(ret, WORD_MAX, "%s:%u", address, port);
	} else if (family == AF_INET6 && size >= 24) {
		inet_ntop(AF_INET6, bytes + 8, address, sizeof(address));
		snprintf(ret, WORD_MAX, "[%s]:%u", address, port);
	} else {
		snprintf(ret, WORD_MAX, "family:%u", family);
	}
}

static void mac_text(const uint8_t *b, char *ret)
{
	snprintf(ret, WORD_MAX, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4],
		 b[5]);
}

static void uuid_text(const uint8_t *b, char *ret)
{
	snprintf(ret, WORD_MAX,
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
		 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
		 b[15]);
}

void put_formatted(const struct writer *to, const struct shape *shape, const uint8_t *bytes)
{
	char text[WORD_MAX] = "";

	switch (shape->render) {
	case RENDER_IP4: inet_ntop(AF_INET, bytes, text, sizeof(text)); break;
	case RENDER_IP6: inet_ntop(AF_INET6, bytes, text, sizeof(text)); break;
	case RENDER_SOCKADDR: sockaddr_text(bytes, shape->size, text); break;
	case RENDER_MAC: mac_text(bytes, text); break;
	default: uuid_text(bytes, text);
	}
	to->notation->word(to->out, text);
}

void put_dev(const struct writer *to, const struct shape *shape, uint64_t number)
{
	char text[24];

	if (shape->size == 8)
		snprintf(text, sizeof(text), "%u:%u", major(number), minor(number));
	else
		snprintf(text, sizeof(text), "%u:%u", (unsigned)number >> 20,
			 (unsigned)number & 0xfffff);
	to->notation->word(to->out, text);
}
