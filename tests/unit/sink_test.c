// SPDX-License-Identifier: GPL-2.0-only
/* Each render and each kind of datum, as text and as JSON; lines and their ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sink/sink.h"

static const char *symbolize(void *cookie, uint64_t address)
{
	(void)cookie;
	return address == 0xffffffff81000010 ? "vfs_read+0x10" : NULL;
}

static const struct sink_context context = {.symbolize = symbolize};

/* The part of a sink's line that follows "v=" or "v":, up to the end. */
static void check(const struct sink *sink, const struct value *value, const struct datum *datum,
		  const char *expected)
{
	struct site site = {.shown_symbol = "f", .shown_offset = 0x1b};
	struct probe probe = {.group = "g", .event = "e", .kind = 'p', .site = &site,
			      .values = (struct value *)value, .nvalues = 1};
	struct event event = {.comm = "c", .probe = &probe, .values = datum};
	const char *begin = sink == &sink_json ? "\"args\":{\"v\":" : " v=";
	struct strbuf out;
	const char *found;

	strbuf_init(&out);
	sink->event(&out, &event, &context);
	found = strstr(out.data, begin);
	assert_non_null(found);
	assert_int_equal(out.data[out.length - 1], '\n');
	out.data[out.length - 1] = '\0';
	assert_string_equal(found + strlen(begin), expected);
	strbuf_deinit(&out);
}

#define INT(n) {.kind = DATUM_INT, .number = (uint64_t)(n)}
#define BYTES(s) {.kind = DATUM_BYTES, .bytes = s, .length = sizeof(s) - 1}

static void values(void **state)
{
	static const struct {
		struct value value;
		struct datum datum;
		const char *text;
		const char *json;
	} cases[] = {
		{{.render = RENDER_SIGNED}, INT(-1), "-1", "-1}}"},
		{{.render = RENDER_SIGNED}, INT(INT64_MIN), "-9223372036854775808",
		 "-9223372036854775808}}"},
		{{.render = RENDER_SIGNED}, INT(0), "0", "0}}"},
		{{.render = RENDER_UNSIGNED}, INT(UINT64_MAX), "18446744073709551615",
		 "18446744073709551615}}"},
		{{.render = RENDER_HEX}, INT(0), "0x0", "\"0x0\"}}"},
		{{.render = RENDER_HEX}, INT(UINT64_MAX), "0xffffffffffffffff",
		 "\"0xffffffffffffffff\"}}"},
		{{.render = RENDER_CHAR}, INT('a'), "'a'", "\"a\"}}"},
		{{.render = RENDER_CHAR}, INT('\''), "'\\''", "\"'\"}}"},
		{{.render = RENDER_CHAR}, INT(10), "10", "10}}"},
		{{.render = RENDER_CHAR}, INT(-3), "-3", "-3}}"},
		{{.render = RENDER_BOOL}, INT(0), "false", "false}}"},
		{{.render = RENDER_BOOL}, INT(1), "true", "true}}"},
		{{.render = RENDER_STRING}, BYTES("ab"), "\"ab\"", "\"ab\"}}"},
		{{.render = RENDER_STRING}, BYTES(""), "\"\"", "\"\"}}"},
		{{.render = RENDER_STRING}, BYTES("a\"\\\n\001\377z"), "\"a\\\"\\\\\\n\\001\\377z\"",
		 "\"a\\\"\\\\\\n\\u0001\\ufffdz\"}}"},
		{{.render = RENDER_STRING}, BYTES("\303\251"), "\"\\303\\251\"", "\"\303\251\"}}"},
		{{.render = RENDER_SYMBOL}, INT(0xffffffff81000010), "vfs_read+0x10",
		 "\"vfs_read+0x10\"}}"},
		{{.render = RENDER_SYMBOL}, INT(16), "0x10", "\"0x10\"}}"},
		{{.render = RENDER_UNSIGNED, .size = 1, .count = 3}, BYTES("\001\002\377"), "{1,2,255}",
		 "[1,2,255]}}"},
		{{.render = RENDER_SIGNED, .size = 2, .count = 2}, BYTES("\376\377\001\000"), "{-2,1}",
		 "[-2,1]}}"},
		{{.render = RENDER_HEX, .size = 4, .count = 1}, BYTES("\001\002\003\004"),
		 "{0x4030201}", "[\"0x4030201\"]}}"},
		{{.render = RENDER_CHAR, .size = 1, .count = 2}, BYTES("a\000"), "{'a',0}",
		 "[\"a\",0]}}"},
		{{.render = RENDER_HEX, .size = 8, .count = 0}, BYTES(""), "{}", "[]}}"},
		{{.render = RENDER_HEX}, {.kind = DATUM_FAULT}, "(fault)",
		 "null},\"errors\":{\"v\":\"fault\"}}"},
		{{.render = RENDER_HEX, .reason = "optimized \"out\""}, {.kind = DATUM_NONE},
		 "<unavailable: optimized \"out\">",
		 "null},\"errors\":{\"v\":\"optimized \\\"out\\\"\"}}"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct value value = cases[i].value;

		value.name = "v";
		check(&sink_text, &value, &cases[i].datum, cases[i].text);
		check(&sink_json, &value, &cases[i].datum, cases[i].json);
	}
}

static void line(const struct sink *sink, const struct event *event, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	sink->event(&out, event, &context);
	assert_string_equal(out.data, expected);
	strbuf_deinit(&out);
}

static void lines(void **state)
{
	static const struct site site = {.shown_symbol = "xennet_start_xmit", .shown_offset = 0x11b,
					 .function = "xennet_count_skb_slots",
					 .file = "drivers/net/xen-netfront.c", .line = 623};
	static struct value two[] = {{.name = "size", .render = RENDER_UNSIGNED},
				     {.name = "offset", .render = RENDER_UNSIGNED}};
	static const struct datum data[] = {INT(280), INT(66)};
	struct probe probe = {.group = "probe", .event = "xennet_count_skb_slots_L16", .kind = 'p',
			      .site = &site, .values = two, .nvalues = 2};
	struct event event = {.time = 87585288990999, .cpu = 9, .pid = 92592, .comm = "sshd",
			      .probe = &probe, .values = data, .ip = 0xffffffffc0001234};

	(void)state;
	line(&sink_text, &event,
	     "            sshd 92592 [009] 87585.288990: probe:xennet_count_skb_slots_L16: "
	     "(xennet_start_xmit+0x11b) size=280 offset=66\n");
	line(&sink_json, &event,
	     "{\"time_ns\":87585288990999,\"comm\":\"sshd\",\"pid\":92592,\"cpu\":9,"
	     "\"group\":\"probe\",\"event\":\"xennet_count_skb_slots_L16\","
	     "\"symbol\":\"xennet_start_xmit\",\"offset\":283,\"ip\":\"0xffffffffc0001234\","
	     "\"function\":\"xennet_count_skb_slots\",\"file\":\"drivers/net/xen-netfront.c\","
	     "\"line\":623,\"args\":{\"size\":280,\"offset\":66}}\n");
	probe.kind = 'r';
	probe.nvalues = 0;
	event.return_ip = 0xffffffff81000010;
	event.comm = "a\"\n\033long enough for all";
	event.time = 5000001000;
	event.pid = 1234567;
	event.cpu = 1234;
	line(&sink_text, &event,
	     "a\"\\n\\033long enough for all 1234567 [1234]     5.000001: "
	     "probe:xennet_count_skb_slots_L16: (vfs_read+0x10 <- xennet_start_xmit)\n");
	line(&sink_json, &event,
	     "{\"time_ns\":5000001000,\"comm\":\"a\\\"\\n\\u001blong enough for all\","
	     "\"pid\":1234567,\"cpu\":1234,"
	     "\"group\":\"probe\",\"event\":\"xennet_count_skb_slots_L16\","
	     "\"symbol\":\"xennet_start_xmit\",\"offset\":283,\"ip\":\"0xffffffffc0001234\","
	     "\"caller\":\"vfs_read+0x10\","
	     "\"function\":\"xennet_count_skb_slots\",\"file\":\"drivers/net/xen-netfront.c\","
	     "\"line\":623,\"args\":{}}\n");
}

static void ends(void **state)
{
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	sink_text.end(&out, 1, 2, 3);
	assert_int_equal(out.length, 0);
	sink_json.end(&out, 1, 2, UINT64_MAX);
	assert_string_equal(out.data, "{\"end\":{\"events\":1,\"lost\":2,"
			    "\"missed\":18446744073709551615}}\n");
	strbuf_deinit(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values), cmocka_unit_test(lines), cmocka_unit_test(ends)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
