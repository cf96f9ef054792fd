// SPDX-License-Identifier: GPL-2.0-only
/* What of session/ needs no kernel: its texts, the log's entries, profiles, names of owners. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena_state.h"
#include "driver.h"
#include "session/internal.h"

#include <tracefs.h>

static struct session *session_of(struct arena *arena, const char *text)
{
	struct plan *plan = arena_new(arena, struct plan);
	struct session *session = arena_new(arena, struct session);

	assert_null(plan_read(arena, text, plan));
	session->arena = arena;
	session->plan = plan;
	session->group = "ktrace_123456";
	definitions_init(session);
	return session;
}

static void live_texts_and_columns(void **state)
{
	struct session *session = session_of(*state,
		"p probe/e f+0 mod:f+4 a=%di:u64 bb=+8(%si):string\n"
		"r user/e_1 f+0 f ret=$retval:s32\n"
		"p probe/u - /bin/x:0x10 c=%si:u8\n");
	const struct definition *definitions = session->definitions;

	for (unsigned i = 0; i < 3; i++)
		tracefs_dynevent_free(definition_event(session, i));
	assert_string_equal(definitions[0].text,
			    "p:ktrace_123456/e mod:f+4 a=%di:u64 bb=+8(%si):string "
			    "__comm=$comm");
	assert_int_equal(strncmp(definitions[0].text + definitions[0].fetches[1].start,
				 "bb=+8(%si):string ",
				 definitions[0].fetches[1].length + 1), 0);
	assert_int_equal(strncmp(definitions[0].text + definitions[0].head.start, "mod:f+4 ",
				 definitions[0].head.length + 1), 0);
	assert_int_equal(strncmp(definitions[2].text + definitions[2].fetches[0].start, "c=%si:u8 ",
				 definitions[2].fetches[0].length + 1), 0);
	assert_string_equal(definitions[1].text,
			    "r:ktrace_123456/e_1 f ret=$retval:s32 __comm=$comm");
	assert_string_equal(definitions[2].text,
			    "p:ktrace_123456/u /bin/x:0x0000000000000010 c=%si:u8 __comm=$comm");
	assert_string_equal(definitions[0].file->name, "kprobe_events");
	assert_string_equal(definitions[2].file->name, "uprobe_events");
}

/* Where nothing asks for the comm, it is recorded only behind a string, which it tells the end
 * of. */
static void nameless(void **state)
{
	struct session *session = session_of(
		*state, "p probe/e f+0 f a=%di:u64\np probe/g f+0 f a=+8(%si):string\n");

	for (unsigned i = 0; i < 2; i++)
		session->plan->probes[i].is_nameless = true;
	definitions_init(session);
	assert_string_equal(session->definitions[0].text, "p:ktrace_123456/e f a=%di:u64");
	assert_string_equal(session->definitions[1].text,
			    "p:ktrace_123456/g f a=+8(%si):string __comm=$comm");
}

static void no_room_for_the_comm(void **state)
{
	char *text = arena_alloc(*state, 8192);
	struct session *session;
	int length = snprintf(text, 8192, "p probe/e f+0 f+4");

	for (int i = 0; i < KERNEL_ARGS_MAX; i++)
		length += snprintf(text + length, 8192 - (size_t)length, " a%d=%%di:u8", i);
	session = session_of(*state, text);
	assert_null(strstr(session->definitions[0].text, COMM_FIELD));
}

static const char log_text[] =
	"[   10.000001] trace_kprobe: error: Failed to register probe event\n"
	"  Command: p:ktrace_1/e f a=%di:zork\n"
	"           ^\n"
	"[   11.000001] trace_kprobe: error: Unknown type is specified\n"
	"  Command: p:ktrace_1/e f a=%di:zork\n"
	"                                ^\n"
	"[   12.000001] trace_uprobe: error: Not ours\n"
	"  Command: p:other/e f a=%di:zork\n"
	"           ^\n";

static void the_newest_entry_of_ours(void **state)
{
	struct refusal refusal;

	refusal_find(*state, log_text, "", "p:ktrace_1/e f a=%di:zork", &refusal);
	assert_string_equal(refusal.message, "Unknown type is specified");
	assert_int_equal(refusal.column, 21);
	/* what was there before is nobody's answer */
	refusal_find(*state, log_text, log_text, "p:ktrace_1/e f a=%di:zork", &refusal);
	assert_null(refusal.message);
	refusal_find(*state, log_text, "", "p:ktrace_1/e f a=%di", &refusal);
	assert_null(refusal.message);
	refusal_find(*state, log_text, "", "p:ktrace_1/e f a=%di:zork b=%si", &refusal);
	assert_null(refusal.message);
	refusal_find(*state, "", "", "p:ktrace_1/e f", &refusal);
	assert_null(refusal.message);
	refusal_find(*state, "[", "", "", &refusal);
	assert_null(refusal.message);
}

/* Old kernels keep 255 bytes of a command, and their caret wraps: no caret then. */
static void a_cut_command(void **state)
{
	char command[400], log[1000];
	struct refusal refusal;

	memset(command, 'x', sizeof(command));
	command[399] = '\0';
	snprintf(log, sizeof(log), "[ 1.0] trace_kprobe: error: Bad\n  Command: %.255s\n"
		 "              ^\n", command);
	refusal_find(*state, log, "", command, &refusal);
	assert_string_equal(refusal.message, "Bad");
	assert_int_equal(refusal.column, -1);
}

static void owners(void **state)
{
	static const struct {
		const char *group;
		int pid; /* 0: no ktrace's */
		unsigned number;
	} cases[] = {
		{"ktrace_123", 123, 1},
		{"ktrace_123_names", 123, 1},
		{"ktrace_1_2", 1, 2},
		{"ktrace_1_12_names", 1, 12},
		{"ktrace_", 0, 0},
		{"ktrace_0123", 0, 0},
		{"ktrace_12x", 0, 0},
		{"ktrace_12_", 0, 0},
		{"ktrace_12_1", 0, 0},
		{"ktrace_12_02", 0, 0},
		{"ktrace_12_2_2", 0, 0},
		{"ktrace_12_99999999999", 0, 0},
		{"ktrace_99999999999", 0, 0},
		{"ktrace", 0, 0},
		{"probe", 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct owner owner;

		assert_int_equal(owner_parse(cases[i].group, &owner), cases[i].pid != 0);
		if (!cases[i].pid)
			continue;
		assert_int_equal(owner.pid, cases[i].pid);
		assert_int_equal(owner.number, cases[i].number);
	}
}

static void write_file(struct arena *arena, const char *directory, const char *name,
		       const char *text)
{
	FILE *file = fopen(arena_printf(arena, "%s/%s", directory, name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Any directory with the file will do: the lock is the file's. */
static void the_living(void **state)
{
	char *directory = arena_strdup(*state, "/tmp/ktrace-owner.XXXXXX");
	struct owner first, second;
	int one, two, again;

	assert_non_null(mkdtemp(directory));
	write_file(*state, directory, "tracing_on", "1\n");
	assert_int_equal(tracefs_set_tracing_dir(directory), 0);
	assert_null(owner_claim(*state, &first, &one));
	assert_null(owner_claim(*state, &second, &two));
	assert_true(first.pid == getpid() && second.pid == getpid());
	assert_int_equal(first.number, 1);
	assert_int_equal(second.number, 2);
	assert_true(owner_alive(&first));
	assert_true(owner_is_here(*state, &first));
	assert_null(owner_hold(*state, &first, &again));
	assert_int_equal(again, -1);
	close(one);
	assert_false(owner_alive(&first));
	assert_false(owner_is_here(*state, &first));
	assert_true(owner_alive(&second));
	assert_false(owner_alive(&(struct owner){1, 1})); /* lives, but is no ktrace */
	close(two);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", directory)), 0);
}

static void profiles(void **state)
{
	char *directory = arena_strdup(*state, "/tmp/ktrace-profile.XXXXXX");
	struct profile *p;
	unsigned count;

	assert_non_null(mkdtemp(directory));
	assert_int_equal(tracefs_set_tracing_dir(directory), 0);
	write_file(*state, directory, "kprobe_events",
		   "p:a/same vfs_read\nr10:b/same vfs_read\np:b/other f x=%di\n");
	write_file(*state, directory, "kprobe_profile",
		   "  same              7               0\n"
		   "  same              8               2\n"
		   "  other                18446744073709551615       1\n");
	assert_null(profile_read(*state, &event_files[0], &p, &count));
	assert_int_equal(count, 3);
	assert_true(p[0].hits == 7 && p[1].hits == 8 && p[1].misses == 2 && p[1].kind == 'r');
	assert_true(p[2].hits == UINT64_MAX && p[2].misses == 1);
	assert_string_equal(p[1].group, "b");
	assert_string_equal(p[2].definition, "p:b/other f x=%di");
	write_file(*state, directory, "uprobe_events", "p:a/e /opt/my prog:0x10\np:a/f /x:0x1\n");
	write_file(*state, directory, "uprobe_profile", "  /opt/my prog e       5\n  /x f   6\n");
	assert_null(profile_read(*state, &event_files[1], &p, &count));
	assert_true(count == 2 && p[0].hits == 5 && p[1].hits == 6);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", directory)), 0);
	assert_null(profile_read(*state, &event_files[0], &p, &count));
	assert_int_equal(count, 0); /* a kernel without kprobes */
}

/* What the list of kprobes says when it is read, in turn; the last one from then on. NULL: the file. */
static const char *const *readings;

char *__real_tracefs_instance_file_read(struct tracefs_instance *instance, const char *file, int *size);
char *__wrap_tracefs_instance_file_read(struct tracefs_instance *instance, const char *file, int *size);
char *__wrap_tracefs_instance_file_read(struct tracefs_instance *instance, const char *file, int *size)
{
	const char *text;

	if (!readings || strcmp(file, "kprobe_events"))
		return __real_tracefs_instance_file_read(instance, file, size);
	text = *readings;
	readings += readings[1] != NULL;
	return strdup(text);
}

/* What others remove while a list is read makes the kernel leave out a line of somebody else's. */
static void a_list_that_changes(void **state)
{
	static const char before[] = "p:a/one f\np:b/one f\np:b/two f\n";
	static const char torn[] = "p:a/one f\np:b/two f\n"; /* has as many, of the same names */
	static const char after[] = "p:b/one f\np:b/two f\n";
	static const char *const reads[] = {torn, after, before, after, after, NULL};
	char *directory = arena_strdup(*state, "/tmp/ktrace-profile.XXXXXX");
	struct profile *p;
	unsigned count;

	assert_non_null(mkdtemp(directory));
	assert_int_equal(tracefs_set_tracing_dir(directory), 0);
	write_file(*state, directory, "kprobe_events", before);
	write_file(*state, directory, "kprobe_profile", "  one 7 0\n  two 8 2\n");
	readings = reads;
	assert_null(profile_read(*state, &event_files[0], &p, &count));
	assert_true(readings == reads + 4); /* all but the last were read once */
	readings = NULL;
	assert_int_equal(count, 2);
	assert_string_equal(p[0].group, "b");
	assert_string_equal(p[0].event, "one");
	assert_true(p[0].hits == 7 && p[1].hits == 8 && p[1].misses == 2);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", directory)), 0);
}

static const char *mounted;

int __wrap_tracefs_tracing_dir_is_mounted(bool mount, const char **path);
int __wrap_tracefs_tracing_dir_is_mounted(bool mount, const char **path)
{
	assert_false(mount);
	*path = strdup(mounted);
	return 1;
}

/* Instances that are removed and made at the question for a lock. */
static const char *ends, *begins;

int __real_fcntl(int fd, int command, void *argument);
int __wrap_fcntl(int fd, int command, void *argument);
int __wrap_fcntl(int fd, int command, void *argument)
{
	if (command == F_OFD_GETLK && ends)
		rmdir(ends);
	if (command == F_OFD_GETLK && begins)
		mkdir(begins, 0700);
	return __real_fcntl(fd, command, argument);
}

/* Two instances are listed. Before the question whether their owners are alive, one of these ends
 * and takes its instance with it; and there is one whose owner wasn't known to be dead. */
static void what_ends_just_now_isnt_left(void **state)
{
	char *directory = arena_strdup(*state, "/tmp/ktrace-left.XXXXXX");
	const char *dead;
	struct leftover *left;
	unsigned count;

	assert_non_null(mkdtemp(directory));
	mounted = directory;
	write_file(*state, directory, "tracing_on", "1\n");
	dead = arena_printf(*state, "%s/instances/ktrace_999999997", directory);
	ends = arena_printf(*state, "%s/instances/ktrace_999999998", directory);
	assert_int_equal(mkdir(arena_printf(*state, "%s/instances", directory), 0700), 0);
	assert_int_equal(mkdir(dead, 0700), 0);
	assert_int_equal(mkdir(ends, 0700), 0);
	begins = arena_printf(*state, "%s/instances/ktrace_999999996", directory);
	assert_null(leftovers_find(*state, &left, &count));
	assert_int_equal(access(ends, F_OK), -1);
	assert_int_equal(access(begins, F_OK), 0);
	ends = begins = NULL;
	assert_int_equal(count, 1);
	assert_true(left[0].owner.pid == 999999997 && left[0].has_instance && !left[0].nevents);
	assert_int_equal(system(arena_printf(*state, "rm -r %s", directory)), 0);
}

/* A session whose steps wrote 1, 2 and 3 to three files, and made a directory: their inverses write
 * what was there, and one more writes to the first file, earlier. */
struct undone {
	struct session session;
	struct undo undo[8];
	char *directory;
};

static const char *in(struct arena *arena, struct undone *undone, const char *name)
{
	return arena_printf(arena, "%s/%s", undone->directory, name);
}

static struct undone *undone_new(struct arena *arena)
{
	static const char *const files[] = {"a", "b", "c"};
	struct undone *undone = arena_new(arena, struct undone);

	undone->directory = arena_strdup(arena, "/tmp/ktrace-undo.XXXXXX");
	assert_non_null(mkdtemp(undone->directory));
	undone->session = (struct session){.arena = arena, .undo = undone->undo};
	for (int i = 0; i < 3; i++)
		write_file(arena, undone->directory, files[i], "live");
	undo_push(&undone->session, (struct undo){.path = in(arena, undone, "a"), .text = "was0"});
	for (int i = 0; i < 3; i++)
		undo_push(&undone->session, (struct undo){.path = in(arena, undone, files[i]),
							  .text = "was1"});
	assert_int_equal(mkdir(in(arena, undone, "instance"), 0700), 0);
	undo_push(&undone->session, (struct undo){.path = in(arena, undone, "instance")});
	return undone;
}

/* In reverse: of the first file's two, the one that was pushed first has the last word. */
static void assert_undone(struct arena *arena, struct undone *undone)
{
	static const char *const wanted[][2] = {{"a", "was0"}, {"b", "was1"}, {"c", "was1"}};

	for (int i = 0; i < 3; i++) {
		char text[8] = "";
		FILE *file = fopen(in(arena, undone, wanted[i][0]), "r");

		assert_non_null(file);
		assert_non_null(fgets(text, sizeof(text), file));
		fclose(file);
		assert_string_equal(text, wanted[i][1]);
	}
	assert_int_not_equal(access(in(arena, undone, "instance"), F_OK), 0);
	assert_int_equal(system(arena_printf(arena, "rm -r %s", undone->directory)), 0);
}

static void all_is_undone_in_reverse(void **state)
{
	struct undone *undone = undone_new(*state);

	assert_null(undo_all(&undone->session));
	assert_int_equal(undone->session.nundo, 0);
	assert_undone(*state, undone);
}

static void a_failure_is_told_and_the_rest_undone(void **state)
{
	struct undone *undone = undone_new(*state);
	struct error *error;

	undo_push(&undone->session,
		  (struct undo){.path = in(*state, undone, "nosuch"), .text = "0"});
	undo_push(&undone->session, (struct undo){.path = in(*state, undone, "gone"),
						  .text = "0",
						  .may_be_gone = true});
	error = undo_all(&undone->session);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "nosuch"));
	assert_undone(*state, undone);
}

static void what_exits_is_undone(void **state)
{
	struct undone *undone = undone_new(*state);
	pid_t child = fork();
	int status;

	if (!child) {
		if (last_resort_open(&undone->session))
			_exit(1);
		exit(7);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	assert_undone(*state, undone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(live_texts_and_columns, setup, teardown),
		cmocka_unit_test_setup_teardown(no_room_for_the_comm, setup, teardown),
		cmocka_unit_test_setup_teardown(nameless, setup, teardown),
		cmocka_unit_test_setup_teardown(the_newest_entry_of_ours, setup, teardown),
		cmocka_unit_test_setup_teardown(a_cut_command, setup, teardown),
		cmocka_unit_test_setup_teardown(owners, setup, teardown),
		cmocka_unit_test_setup_teardown(the_living, setup, teardown),
		cmocka_unit_test_setup_teardown(profiles, setup, teardown),
		cmocka_unit_test_setup_teardown(a_list_that_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(what_ends_just_now_isnt_left, setup, teardown),
		cmocka_unit_test_setup_teardown(all_is_undone_in_reverse, setup, teardown),
		cmocka_unit_test_setup_teardown(a_failure_is_told_and_the_rest_undone, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_exits_is_undone, setup, teardown),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
