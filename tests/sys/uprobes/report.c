/* SPDX-License-Identifier: GPL-2.0-only */
/* The program's own word: one JSON object a call. format: "name:kind ...", kind d, u, x or s. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void report(const char *tag, const char *format, ...);
void settle(void);

void settle(void)
{
}

void report(const char *tag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("{\"tag\":\"%s\",\"values\":[", tag);
	for (const char *comma = ""; *format; comma = ",") {
		size_t length = strcspn(format, ":");

		printf("%s[\"%.*s\",", comma, (int)length, format);
		switch (format[length + 1]) {
		case 'd': printf("%ld]", va_arg(args, long)); break;
		case 'u': printf("%lu]", va_arg(args, unsigned long)); break;
		case 'x': printf("\"%#lx\"]", va_arg(args, unsigned long)); break;
		case 's': printf("\"%s\"]", va_arg(args, const char *)); break;
		}
		format += length + 2 + (format[length + 2] == ' ');
	}
	puts("]}");
	va_end(args);
}
