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

static void put(const struct sink *sink, struct strbuf *out, const struct event *event,
		const struct sink_context *its)
{
	const struct plan plan = {.probes = (struct probe *)event->probe, .nprobes = 1};
	struct arena arena;

	arena_init(&arena);
	printer_event(printer_new(&arena, sink, &plan, its), out, event);
	arena_deinit(&arena);
}

/* The part of a sink's line that follows "v=" or "v":, up to the end. */
static void check(const struct sink *sink, const struct value *value, const struct datum *datum,
		  const char *expected)
{
	struct site site = {.shown_symbol = "f", .shown_offset = 0x1b};
	struct probe probe = {.group = "g", .event = "e", .kind = PROBE_HIT, .site = &site,
			      .values = (struct value *)value, .nvalues = 1};
	struct event event = {.comm = "c", .probe = &probe, .values = datum};
	const char *begin = sink == &sink_json ? "\"args\":{\"v\":" : " v=";
	struct strbuf out;
	const char *found;

	strbuf_init(&out);
	put(sink, &out, &event, &context);
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

#define U32 {.kind = SHAPE_NUMBER, .size = 4, .render = RENDER_UNSIGNED}
#define S32 {.kind = SHAPE_NUMBER, .size = 4, .render = RENDER_SIGNED, .is_signed = true}
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct enumerator colors[] = {{"RED", 0}, {"GREEN", 5}, {"BLUE", (uint64_t)-3}};
static const struct enumerator modes[] = {{"NONE", 0}, {"READ", 1}, {"WRITE", 2}, {"SYNC", 0x80}};
static const struct shape color = {
	.kind = SHAPE_NUMBER, .size = 4, .render = RENDER_ENUM, .is_signed = true,
	.enumerators = colors, .nenumerators = COUNT(colors)};
static const struct shape mode = {
	.kind = SHAPE_NUMBER, .size = 2, .render = RENDER_ENUM, .is_flags = true,
	.enumerators = modes, .nenumerators = COUNT(modes)};
static const struct shape sequence = {
	.kind = SHAPE_NUMBER, .size = 1, .render = RENDER_ENUM,
	.enumerators = modes, .nenumerators = COUNT(modes)};
static const struct shape u32 = U32, s32 = S32;
static const struct shape u8 = {.kind = SHAPE_NUMBER, .size = 1, .render = RENDER_UNSIGNED};
static const struct shape truth = {.kind = SHAPE_NUMBER, .size = 1, .render = RENDER_BOOL};
static const struct shape letter = {
	.kind = SHAPE_NUMBER, .size = 1, .render = RENDER_CHAR, .is_signed = true};
static const struct shape hex = {.kind = SHAPE_NUMBER, .size = 8, .render = RENDER_HEX};
static const struct shape function = {.kind = SHAPE_NUMBER, .size = 8, .render = RENDER_SYMBOL};
static const struct shape error_s32 = {
	.kind = SHAPE_NUMBER, .size = 4, .render = RENDER_ERRNO, .is_signed = true};
static const struct shape error_u64 = {.kind = SHAPE_NUMBER, .size = 8, .render = RENDER_ERRNO};
static const struct shape single = {.kind = SHAPE_NUMBER, .size = 4, .render = RENDER_FLOAT};
static const struct shape twice = {.kind = SHAPE_NUMBER, .size = 8, .render = RENDER_FLOAT};
static const struct shape x87 = {.kind = SHAPE_NUMBER, .size = 16, .render = RENDER_FLOAT};
static const struct shape s128 = {
	.kind = SHAPE_NUMBER, .size = 16, .render = RENDER_SIGNED, .is_signed = true};
static const struct shape u128 = {.kind = SHAPE_NUMBER, .size = 16, .render = RENDER_UNSIGNED};
static const struct shape x128 = {.kind = SHAPE_NUMBER, .size = 16, .render = RENDER_HEX};
static const struct shape text = {.kind = SHAPE_TEXT, .size = 4};
static const struct shape row = {.kind = SHAPE_ARRAY, .size = 2, .element = &u8, .count = 2};
static const struct shape table = {.kind = SHAPE_ARRAY, .size = 4, .element = &row, .count = 2};
static const struct shape none = {.kind = SHAPE_ARRAY, .size = 0, .element = &u8, .count = 0};
static const struct shape_member bits[] = {
	{"low", &u32, 0, 0, 3}, {"minus", &s32, 0, 3, 5}, {"mode", &mode, 1, 0, 9}, {"flag", &truth, 2, 1, 1}};
static const struct shape bit_struct = {
	.kind = SHAPE_STRUCT, .size = 4, .members = bits, .nmembers = COUNT(bits)};
static const struct shape_member inner_members[] = {{"a", &u8, 0, 0, 0}, {"t", &text, 1, 0, 0}};
static const struct shape inner = {
	.kind = SHAPE_STRUCT, .size = 5, .members = inner_members, .nmembers = COUNT(inner_members)};
static const struct shape inners = {.kind = SHAPE_ARRAY, .size = 10, .element = &inner, .count = 2};
static const struct shape_member outer_members[] = {
	{"in", &inner, 0, 0, 0}, {"list", &inners, 0, 0, 0}, {"table", &table, 6, 0, 0}};
static const struct shape outer = {
	.kind = SHAPE_STRUCT, .size = 10, .members = outer_members, .nmembers = COUNT(outer_members)};
static const struct shape empty = {.kind = SHAPE_STRUCT};
/* 64 bits from bit 3 on: nine bytes */
static const struct shape_member far_members[] = {{"far", &hex, 0, 3, 61}, {"wide", &hex, 1, 7, 64}};
static const struct shape far = {
	.kind = SHAPE_STRUCT, .size = 10, .members = far_members, .nmembers = COUNT(far_members)};

static void shapes(void **state)
{
	static const struct {
		const struct shape *shape;
		struct datum datum;
		const char *text;
		const char *json;
	} cases[] = {
		{&color, INT(5), "GREEN", "\"GREEN\"}}"},
		{&color, INT(-3), "BLUE", "\"BLUE\"}}"},
		{&color, INT(6), "6", "6}}"},
		{&color, INT(-4), "-4", "-4}}"},
		{&mode, INT(0), "NONE", "\"NONE\"}}"},
		{&mode, INT(0x83), "READ|WRITE|SYNC", "\"READ|WRITE|SYNC\"}}"},
		{&mode, INT(0x87), "READ|WRITE|SYNC|0x4", "\"READ|WRITE|SYNC|0x4\"}}"},
		{&sequence, INT(3), "3", "3}}"},
		{&error_s32, INT(-2), "-ENOENT", "\"-ENOENT\"}}"},
		{&error_s32, INT(-517), "-EPROBE_DEFER", "\"-EPROBE_DEFER\"}}"},
		{&error_s32, INT(-4000), "-4000", "-4000}}"},
		{&error_s32, INT(-4096), "-4096", "-4096}}"},
		{&error_s32, INT(2), "2", "2}}"},
		{&error_u64, INT(-14), "-EFAULT", "\"-EFAULT\"}}"},
		{&error_u64, INT(-5000), "18446744073709546616", "18446744073709546616}}"},
		{&single, INT(0x3dcccccd), "0.1", "0.1}}"},
		{&single, INT(0x3dccccce), "0.10000001", "0.10000001}}"},
		{&single, INT(0x80000000), "-0", "-0}}"},
		{&single, INT(0x7f800000), "inf", "\"inf\"}}"},
		{&single, INT(0x7f7fffff), "3.4028235e+38", "3.4028235e+38}}"},
		{&single, INT(1), "1.4013e-45", "1.4013e-45}}"},
		{&twice, INT(0x3fb999999999999a), "0.1", "0.1}}"},
		{&twice, INT(0x3fd3333333333334), "0.30000000000000004", "0.30000000000000004}}"},
		{&twice, INT(0xfff0000000000000), "-inf", "\"-inf\"}}"},
		{&twice, INT(0x7ff8000000000000), "nan", "\"nan\"}}"},
		{&twice, INT(0x7fefffffffffffff), "1.7976931348623157e+308",
		 "1.7976931348623157e+308}}"},
		{&x87, BYTES("\0\0\0\0\0\0\0\x80\xff\x3f\0\0\0\0\0\0"), "1", "1}}"},
		{&x87, BYTES("\0\0\0\0\0\0\0\xc0\0\xc0garbag"), "-3", "-3}}"},
		{&x87, BYTES("\0\0\0\0\0\0\0\x80\xff\x7f\0\0\0\0\0\0"), "inf", "\"inf\"}}"},
		{&x87, BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "0", "0}}"},
		{&x87, BYTES("\0\0\0\0\0\0\0\0\xff\x7f\0\0\0\0\0\0"), "nan", "\"nan\"}}"},
		{&x87, BYTES("\0\0\0\0\0\0\0\x40\xff\x3f\0\0\0\0\0\0"), "nan", "\"nan\"}}"},
		{&s128, BYTES("\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377"), "-1",
		 "\"-1\"}}"},
		{&s128, BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200"),
		 "-170141183460469231731687303715884105728",
		 "\"-170141183460469231731687303715884105728\"}}"},
		{&u128, BYTES("\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377"),
		 "340282366920938463463374607431768211455",
		 "\"340282366920938463463374607431768211455\"}}"},
		{&x128, BYTES("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"), "0x20000000000000001",
		 "\"0x20000000000000001\"}}"},
		{&u128, BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "<unavailable: not recorded>", NULL},
		{&text, BYTES("ab\0z"), "\"ab\"", "\"ab\"}}"},
		{&text, BYTES("abcd"), "\"abcd\"", "\"abcd\"}}"},
		{&table, BYTES("\1\2\3\377"), "{{1,2},{3,255}}", "[[1,2],[3,255]]}}"},
		{&none, BYTES(""), "{}", "[]}}"},
		{&empty, BYTES(""), "{}", "{}}}"},
		/* low 5, minus -2, mode READ|SYNC, flag true: 1 1 010000001 11110 101 */
		{&bit_struct, BYTES("\xf5\x81\x02\0"), "{.low=5, .minus=-2, .mode=READ|SYNC, .flag=true}",
		 "{\"low\":5,\"minus\":-2,\"mode\":\"READ|SYNC\",\"flag\":true}}}"},
		{&far, BYTES("\xf8\xff\xff\xff\xff\xff\xff\xff\x7f\0"),
		 "{.far=0x1fffffffffffffff, .wide=0xffffffffffffff}",
		 "{\"far\":\"0x1fffffffffffffff\",\"wide\":\"0xffffffffffffff\"}}}"},
		{&outer, BYTES("\7a\"\0\1\10xyz\2"),
		 "{.in={.a=7, .t=\"a\\\"\"}, .list={{.a=7, .t=\"a\\\"\"},{.a=8, .t=\"xyz\\002\"}}, "
		 ".table={{120,121},{122,2}}}",
		 "{\"in\":{\"a\":7,\"t\":\"a\\\"\"},\"list\":[{\"a\":7,\"t\":\"a\\\"\"},"
		 "{\"a\":8,\"t\":\"xyz\\u0002\"}],\"table\":[[120,121],[122,2]]}}}"},
		{&letter, INT('x'), "'x'", "\"x\"}}"},
		{&function, INT(0xffffffff81000010), "vfs_read+0x10", "\"vfs_read+0x10\"}}"},
		{&function, INT(0), "0x0", "\"0x0\"}}"},
	};

	(void)state;
	for (unsigned i = 0; i < COUNT(cases); i++) {
		const struct value value = {.name = "v", .shape = cases[i].shape,
					    .render = cases[i].shape->render};

		check(&sink_text, &value, &cases[i].datum, cases[i].text);
		if (cases[i].json)
			check(&sink_json, &value, &cases[i].datum, cases[i].json);
	}
}

static void nested(void **state)
{
	static const struct sink_context lines_context = {.is_nested = true};
	static const struct datum datum = BYTES("\7a\"\0\1\10xyz\2");
	struct value value = {.name = "v", .shape = &outer};
	struct site site = {.shown_symbol = "f"};
	struct probe probe = {.group = "g", .event = "e", .kind = PROBE_HIT, .site = &site,
			      .values = &value, .nvalues = 1};
	struct event event = {.comm = "c", .probe = &probe, .values = &datum};
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	put(&sink_text, &out, &event, &lines_context);
	assert_string_equal(strstr(out.data, "v="),
			    "v={\n    .in={\n        .a=7,\n        .t=\"a\\\"\",\n    },\n"
			    "    .list={{\n        .a=7,\n        .t=\"a\\\"\",\n    },{\n"
			    "        .a=8,\n        .t=\"xyz\\002\",\n    }},\n"
			    "    .table={{120,121},{122,2}},\n}\n");
	out.length = 0;
	put(&sink_json, &out, &event, &lines_context);
	assert_null(strchr(strchr(out.data, '\n') + 1, '\n'));
	strbuf_deinit(&out);
}

static void line(const struct sink *sink, const struct event *event, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	put(sink, &out, event, &context);
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
	struct probe probe = {.group = "probe", .event = "xennet_count_skb_slots_L16", .kind = PROBE_HIT,
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
	probe.kind = PROBE_RETURN;
	probe.is_return = true;
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

/* What a printer keeps of a line must not show in one that differs. */
static void heads(void **state)
{
	static const char *const comms[] = {"a", "ab", "a", "0123456789abcdef", "0123456789abcdeg", ""};
	struct site site = {.shown_symbol = "f"};
	struct probe probe = {.group = "g", .event = "e", .kind = PROBE_HIT, .site = &site};
	const struct plan plan = {.probes = &probe, .nprobes = 1};
	struct printer *as_text, *as_json;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	as_text = printer_new(&arena, &sink_text, &plan, &context);
	as_json = printer_new(&arena, &sink_json, &plan, &context);
	for (unsigned i = 0; i < 6 * 3 * 3 * 4; i++) {
		struct event event = {.comm = comms[i % 6], .pid = 1 + (int)(i / 6 % 3), .probe = &probe,
				      .cpu = (int)(i / 18 % 3) * 64,
				      .time = (uint64_t)(i / 54) * 999999999};
		struct strbuf out = {0}, fresh = {0};

		put(&sink_text, &fresh, &event, &context);
		put(&sink_json, &fresh, &event, &context);
		for (int again = 0; again < 2; again++) {
			out.length = 0;
			printer_event(as_text, &out, &event);
			printer_event(as_json, &out, &event);
			assert_string_equal(out.data, fresh.data);
		}
		strbuf_deinit(&out);
		strbuf_deinit(&fresh);
	}
	arena_deinit(&arena);
}

/* Of one printer, as what lines have in common is kept from one to the next. */
static void where_and_when(void **state)
{
	static const uint64_t times[] = {0, 1, 999999, 1000000, 1000001, 2999999999, 3000000000, 86400000000000, 86400000999999};
	static const struct {
		uint64_t wall, trace;
	} begins[] = {{1763822466123456789, 0}, {999999999999999999, 0}, {9999999, 0}, {UINT64_MAX - 90000000000000, 0},
		      {1763822466000000000, 86400000000000}};
	static const char *const build_ids[] = {"00ff", NULL};
	struct site site = {.shown_symbol = "f"};
	struct probe probes[] = {{.group = "g", .event = "e", .kind = PROBE_HIT, .site = &site},
				 {.group = "g", .event = "e", .kind = PROBE_HIT, .site = &site}};
	const struct plan plan = {.probes = probes, .nprobes = 2};

	(void)state;
	for (unsigned i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		struct wall_clock clock = {.wall = begins[i].wall, .trace = begins[i].trace};
		const struct origin origin = {.host = "h\"", .builds = build_ids, .clock = &clock};
		const struct sink_context its = {.origin = &origin};
		struct strbuf out = {0};
		struct printer *printer;
		struct arena arena;
		char expected[400];

		arena_init(&arena);
		printer = printer_new(&arena, &sink_json, &plan, &its);
		for (unsigned j = 0; j < 2 * sizeof(times) / sizeof(*times); j++) {
			uint64_t time = times[j / 2];
			struct event event = {.comm = "c", .probe = &probes[j % 2], .time = time};

			out.length = 0;
			printer_event(printer, &out, &event);
			snprintf(expected, sizeof(expected), "{\"wall_ns\":%llu,\"time_ns\":%llu,\"comm\":\"c\",\"pid\":0,\"cpu\":0,"
				 "\"host\":\"h\\\"\",\"build_id\":%s,\"group\":\"g\"",
				 (unsigned long long)(begins[i].wall + time - begins[i].trace), (unsigned long long)time,
				 j % 2 ? "null" : "\"00ff\"");
			assert_memory_equal(out.data, expected, strlen(expected));
		}
		strbuf_deinit(&out);
		arena_deinit(&arena);
	}
}

static void ends(void **state)
{
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	sink_text.end(&out, &(struct table_end){.events = 1, .lost = 2, .missed = 3, .unrecorded = 4});
	assert_int_equal(out.length, 0);
	sink_json.end(&out, &(struct table_end){.events = 1, .lost = 2, .missed = UINT64_MAX - 1});
	assert_string_equal(out.data, "{\"end\":{\"events\":1,\"lost\":2,"
			    "\"missed\":18446744073709551614}}\n");
	out.length = 0;
	sink_json.end(&out, &(struct table_end){.events = 1, .lost = NOT_KNOWN, .missed = NOT_KNOWN});
	assert_string_equal(out.data, "{\"end\":{\"events\":1,\"lost\":null,\"missed\":null}}\n");
	out.length = 0;
	sink_json.end(&out, &(struct table_end){.events = 1, .lost = 2, .missed = 3, .unrecorded = 4});
	assert_string_equal(out.data, "{\"end\":{\"events\":1,\"lost\":2,\"missed\":3,\"unrecorded\":4}}\n");
	strbuf_deinit(&out);
}

static uint64_t random_number(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33 | *seed << 31;
}

/* One value more of a line, and its text by printf(3). Returns the text's end. */
static char *a_value(uint64_t *seed, struct value *value, struct datum *datum, bool is_json, char *expected)
{
	static const char *const texts[] = {"%lld", "%llu", "%#llx"};
	enum render render = random_number(seed) % 3;
	uint64_t number = random_number(seed) >> random_number(seed) % 64;
	bool is_quoted = is_json && render == RENDER_HEX;

	if (random_number(seed) % 8 == 0)
		for (number = 1; random_number(seed) % 20; number *= 10) /* 10^n, and one less */
			;
	number -= random_number(seed) % 4 == 0;
	value->render = render;
	*datum = (struct datum){.kind = DATUM_INT, .number = number};
	if (random_number(seed) % 8 == 0) {
		*datum = (struct datum){.kind = DATUM_FAULT};
		return expected + sprintf(expected, is_json ? "null" : "(fault)");
	}
	if (render == RENDER_HEX && !number) /* where printf has no "0x" */
		return expected + sprintf(expected, is_quoted ? "\"0x0\"" : "0x0");
	expected += is_quoted ? sprintf(expected, "\"") : 0;
	expected += sprintf(expected, texts[render], (unsigned long long)number);
	return expected + (is_quoted ? sprintf(expected, "\"") : 0);
}

/* Lines of many numbers under names of every length, one behind the other in a buffer that grows: as printf(3)
 * writes them. */
static void lines_of_numbers(void **state)
{
	enum { VALUES = 9, NAME = 60 };
	const struct site site = {.shown_symbol = "f"};
	char expected[VALUES * (NAME + 40)], *end;
	struct value list[VALUES] = {0};
	struct datum data[VALUES];
	struct probe probe = {.group = "g", .event = "e", .kind = PROBE_HIT, .site = &site, .values = list};
	struct event event = {.comm = "c", .probe = &probe, .values = data};
	char names[VALUES][NAME];
	struct strbuf out;
	size_t before;
	uint64_t seed = 1;

	(void)state;
	strbuf_init(&out);
	for (unsigned round = 0; round < 20000; round++) {
		bool is_json = round & 1;

		probe.nvalues = 1 + (unsigned)(random_number(&seed) % VALUES);
		end = expected;
		for (unsigned i = 0; i < probe.nvalues; i++) {
			int length = 1 + (int)(random_number(&seed) % (NAME - 1));

			memset(names[i], 'a' + (int)i, (size_t)length);
			names[i][length] = '\0';
			list[i].name = names[i];
			end += sprintf(end, is_json ? "%s\"%s\":" : "%s%s=", is_json ? (i ? "," : "{") : " ", names[i]);
			end = a_value(&seed, &list[i], &data[i], is_json, end);
		}
		sprintf(end, is_json ? "}" : "\n");
		if (round % 500 == 0)
			strbuf_deinit(&out);
		before = out.length;
		put(is_json ? &sink_json : &sink_text, &out, &event, &context);
		end = is_json ? strstr(out.data + before, "\"args\":") + 7 : strchr(out.data + before, ')') + 1;
		assert_memory_equal(end, expected, strlen(expected));
	}
	strbuf_deinit(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values), cmocka_unit_test(shapes),
		cmocka_unit_test(nested), cmocka_unit_test(lines), cmocka_unit_test(lines_of_numbers),
		cmocka_unit_test(heads), cmocka_unit_test(where_and_when), cmocka_unit_test(ends)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
