// SPDX-License-Identifier: GPL-2.0-only
#include "tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH 512
#define EVENTS_MAX 16
#define FDS_MAX 64

/* A dynamic event. */
struct fake_event {
	char name[64]; /* "GROUP/EVENT" */
	char line[1024];
	bool is_program;
};

static struct {
	char root[PATH];
	struct fake_event events[EVENTS_MAX];
	unsigned nevents, next_id;
	char paths[FDS_MAX][PATH]; /* of open files, below root */
	unsigned fail_at, operations, busy, moved;
	int err;
	char failed[PATH + 16];
	bool has_failed;
} fake;

static const char *below(const char *path)
{
	size_t length = strlen(fake.root);

	return length && !strncmp(path, fake.root, length) && path[length] == '/' ? path + length + 1 : NULL;
}

static void put(const char *directory, const char *file, const char *format, ...)
{
	char path[3 * PATH];
	va_list args;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s/%s", fake.root, directory, file);
	out = fopen(path, "w");
	if (!out)
		perror(path), abort();
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fclose(out);
}

static bool get(const char *directory, const char *file, char *ret, size_t size)
{
	char path[3 * PATH];
	size_t length;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s/%s", fake.root, directory, file);
	in = fopen(path, "r");
	if (!in)
		return false;
	length = fread(ret, 1, size - 1, in);
	ret[length] = '\0';
	fclose(in);
	return true;
}

int __real_mkdir(const char *path, mode_t mode);

static void make(const char *directory, const char *name)
{
	char path[3 * PATH];

	snprintf(path, sizeof(path), "%s/%s/%s", fake.root, directory, name);
	__real_mkdir(path, 0755);
}

static int remove_one(const char *path, const struct stat *file, int type, struct FTW *where)
{
	(void)file, (void)type, (void)where;
	return remove(path);
}

static void remove_tree(const char *name)
{
	char path[2 * PATH];

	snprintf(path, sizeof(path), "%s/%s", fake.root, name);
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Of the top (".") and of each instance. */
static void each_instance(void (*act)(const char *directory, const void *what), const void *what)
{
	char path[2 * PATH];
	struct dirent *entry;
	DIR *instances;

	act(".", what);
	snprintf(path, sizeof(path), "%s/instances", fake.root);
	instances = opendir(path);
	while (instances && (entry = readdir(instances))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "instances/%s", entry->d_name);
		act(path, what);
	}
	if (instances)
		closedir(instances);
}

static void make_event(const char *directory, const char *name, int id, const char *fields)
{
	char events[PATH], path[2 * PATH];

	snprintf(events, sizeof(events), "%s/events", directory);
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(name, "/"), name);
	make(events, path);
	snprintf(path, sizeof(path), "%s/%.*s", events, (int)strcspn(name, "/"), name);
	put(path, "enable", "0");
	make(events, name);
	snprintf(path, sizeof(path), "%s/%s", events, name);
	put(path, "enable", "0");
	put(path, "filter", "none");
	put(path, "trigger", "");
	put(path, "id", "%d\n", id);
	put(path, "format", "name: %s\nID: %d\nformat:\n"
	    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n%s\nprint fmt: \"\"\n",
	    strchr(name, '/') + 1, id, fields);
}

static void make_dynamic(const char *directory, const void *what)
{
	const struct fake_event *event = what;

	make_event(directory, event->name, 1000 + (int)(event - fake.events),
		   "\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n");
}

static void make_instance(const char *directory, const void *what)
{
	static const char *const files[][2] = {
		{"tracing_on", "1"}, {"buffer_size_kb", "7 (expanded: 1408)\n"}, {"buffer_percent", "50"},
		{"error_log", ""}, {"trace_marker", ""}, {"trace_pipe", ""}, {"set_event_pid", ""},
		{"set_event_notrace_pid", ""}, {"trace_options", "markers\nnoraw\n"}, {"options/event-fork", "0"},
		 {"events/enable", "0"},
		{"events/header_page", "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"},
	};

	(void)what;
	make(directory, "options");
	make(directory, "events");
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		put(directory, files[i][0], "%s", files[i][1]);
	make_event(directory, "task/task_newtask", 101, "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
		   "\tfield:unsigned long clone_flags;\toffset:32;\tsize:8;\tsigned:0;\n");
	make_event(directory, "task/task_rename", 102, "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:char newcomm[16];\toffset:12;\tsize:16;\tsigned:0;\n");
	for (unsigned i = 0; i < fake.nevents; i++)
		make_dynamic(directory, &fake.events[i]);
}

/* The lists of dynamic events, and how often each was hit. */
static void write_lists(void)
{
	char lists[2][EVENTS_MAX * 1024] = {"", ""}, profiles[2][EVENTS_MAX * 128] = {"", ""};

	for (unsigned i = 0; i < fake.nevents; i++) {
		const struct fake_event *event = &fake.events[i];
		char *list = lists[event->is_program], *profile = profiles[event->is_program];

		sprintf(list + strlen(list), "%s\n", event->line);
		sprintf(profile + strlen(profile), "  %s%s %u", event->is_program ? "/bin/x " : "",
			strchr(event->name, '/') + 1, 7 + i);
		if (!event->is_program)
			sprintf(profile + strlen(profile), " %u", 3 + i);
		strcat(profile, "\n");
	}
	put(".", "kprobe_events", "%s", lists[0]);
	put(".", "uprobe_events", "%s", lists[1]);
	put(".", "dynamic_events", "%s%s", lists[0], lists[1]);
	put(".", "kprobe_profile", "%s", profiles[0]);
	put(".", "uprobe_profile", "%s", profiles[1]);
}

struct question {
	const char *event;
	bool *ret;
};

static void ask_enabled(const char *directory, const void *what)
{
	const struct question *question = what;
	char path[2 * PATH], text[8] = "";

	snprintf(path, sizeof(path), "%s/events/%s", directory, question->event);
	if (get(path, "enable", text, sizeof(text)) && *text == '1')
		*question->ret = true;
}

static void drop_event(const char *directory, const void *what)
{
	const char *name = what;
	char path[2 * PATH];

	snprintf(path, sizeof(path), "%s/events/%s", directory, name);
	remove_tree(path);
	/* the group goes with its last event */
	snprintf(path, sizeof(path), "%s/%s/events/%.*s/enable", fake.root, directory, (int)strcspn(name, "/"), name);
	for (unsigned i = 0; i < fake.nevents; i++)
		if (!strncmp(fake.events[i].name, name, strcspn(name, "/") + 1))
			return;
	remove(path);
	*strrchr(path, '/') = '\0';
	remove(path);
}

static int undefine(const char *name)
{
	bool is_enabled = false;
	unsigned at = 0;

	while (at < fake.nevents && strcmp(fake.events[at].name, name))
		at++;
	if (at == fake.nevents)
		return ENOENT;
	each_instance(ask_enabled, &(struct question){name, &is_enabled});
	if (is_enabled)
		return EBUSY;
	memmove(&fake.events[at], &fake.events[at + 1], (--fake.nevents - at) * sizeof(*fake.events));
	each_instance(drop_event, name);
	write_lists();
	return 0;
}

static int define(const char *text)
{
	struct fake_event *event = &fake.events[fake.nevents++];
	const char *name = strchr(text, ':') + 1;

	snprintf(event->line, sizeof(event->line), "%s", text);
	snprintf(event->name, sizeof(event->name), "%.*s", (int)strcspn(name, " "), name);
	event->is_program = strchr(name + strcspn(name, " "), '/');
	each_instance(make_dynamic, event);
	write_lists();
	return 0;
}

/* A directory's `enable` is that of all events below. */
static void enable_below(const char *directory, const char *text)
{
	char path[4 * PATH];
	struct dirent *entry;
	DIR *list;

	put(directory, "enable", "%s", text);
	snprintf(path, sizeof(path), "%s/%s", fake.root, directory);
	list = opendir(path);
	while ((entry = readdir(list))) {
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			enable_below(path, text);
	}
	closedir(list);
}

static bool ends(const char *path, const char *with)
{
	size_t length = strlen(path), end = strlen(with);

	return length >= end && !strcmp(path + length - end, with);
}

/* As before Linux 6.18, a text whose page is being moved isn't read, and the record says so. 0 or an errno. */
static int mark(const char *directory, const char *text)
{
	char records[64 * 1024] = "", line[256];
	bool is_moved = fake.moved > 0;

	get(directory, "trace_pipe", records, sizeof(records) - sizeof(line));
	snprintf(line, sizeof(line), "  ktrace-%d [000] .... 1.5: tracing_mark_write+0x1b5/0x220 <ffffffff811>: %s\n",
		 (int)getpid(), is_moved ? "<faulted>" : text);
	put(directory, "trace_pipe", "%s%s", records, line);
	fake.moved -= is_moved;
	return is_moved ? EFAULT : 0;
}

/* 0 or an errno. */
static int written(const char *path, const char *text)
{
	char directory[PATH];

	snprintf(directory, sizeof(directory), "%.*s", (int)(strrchr(path, '/') ? strrchr(path, '/') - path : 0), path);
	if (ends(path, "_events"))
		return text[0] == '-' ? undefine(text + 2) : define(text);
	if (ends(path, "/enable"))
		enable_below(directory, text);
	else if (ends(path, "/trace_marker"))
		return mark(directory, text);
	else if (ends(path, "/trigger") && text[0] == '!')
		put(".", path, "%s", "");
	else
		put(".", path, "%s", text);
	return 0;
}

/* One operation on the tree. */
static bool fails(const char *operation, const char *path)
{
	if (!path || !fake.fail_at || ++fake.operations != fake.fail_at)
		return false;
	snprintf(fake.failed, sizeof(fake.failed), "%s %s", operation, path);
	fake.has_failed = true;
	errno = fake.err;
	return true;
}

int __real_open(const char *path, int flags, ...);

static int open_file(const char *path, int flags, mode_t mode)
{
	int fd = fails("open", below(path)) ? -1 : __real_open(path, flags, mode);

	if (fd >= 0 && fd < FDS_MAX)
		snprintf(fake.paths[fd], PATH, "%s", below(path) ? below(path) : "");
	return fd;
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & O_CREAT ? va_arg(args, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_file(path, flags, mode_of(flags, args));
	va_end(args);
	return fd;
}

int __wrap_open64(const char *path, int flags, ...) __attribute__((alias("__wrap_open")));

int __wrap___open64_2(const char *path, int flags);
int __wrap___open64_2(const char *path, int flags)
{
	return open_file(path, flags, 0);
}

ssize_t __real_write(int fd, const void *data, size_t length);
ssize_t __wrap_write(int fd, const void *data, size_t length);
ssize_t __wrap_write(int fd, const void *data, size_t length)
{
	const char *path = fd >= 0 && fd < FDS_MAX ? fake.paths[fd] : "";
	char text[4096];

	if (!*path)
		return __real_write(fd, data, length);
	if (fails("write", path))
		return -1;
	snprintf(text, sizeof(text), "%.*s", (int)length, (const char *)data);
	text[strcspn(text, "\n")] = '\0';
	errno = written(path, text);
	return errno ? -1 : (ssize_t)length;
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	if (fd >= 0 && fd < FDS_MAX)
		fake.paths[fd][0] = '\0';
	return __real_close(fd);
}

int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode)
{
	if (fails("mkdir", below(path)) || __real_mkdir(path, mode))
		return -1;
	if (below(path))
		make_instance(below(path), NULL);
	return 0;
}

int __real_rmdir(const char *path);
int __wrap_rmdir(const char *path);
int __wrap_rmdir(const char *path)
{
	if (!below(path))
		return __real_rmdir(path);
	if (access(path, F_OK))
		return -1;
	if (fake.busy) {
		fake.busy--;
		errno = EBUSY;
		return -1;
	}
	remove_tree(below(path));
	return 0;
}

int __wrap_tracefs_tracing_dir_is_mounted(bool mount, const char **path);
int __wrap_tracefs_tracing_dir_is_mounted(bool mount, const char **path)
{
	(void)mount;
	*path = strdup(fake.root);
	return 1;
}

void fake_make(const char *root)
{
	memset(&fake, 0, sizeof(fake));
	snprintf(fake.root, sizeof(fake.root), "%s", root);
	make(".", "instances");
	make_instance(".", NULL);
	put(".", "README", "fake\n");
	write_lists();
}

void fake_remove(void)
{
	nftw(fake.root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static FILE *state;

static int tell(const char *path, const struct stat *file, int type, struct FTW *where)
{
	char text[8192] = "";

	(void)file, (void)where;
	if (type == FTW_F)
		get(".", below(path), text, sizeof(text));
	fprintf(state, "%s: %s\n", below(path) ? below(path) : "", text);
	return 0;
}

static int by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of names. */
static char *sorted(char *text)
{
	char *lines[4096], *ret = strdup(text), *at = ret;
	size_t count = 0;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		lines[count++] = line;
	qsort(lines, count, sizeof(*lines), by_line);
	for (size_t i = 0; i < count; i++)
		at += sprintf(at, "%s\n", lines[i]);
	free(text);
	return ret;
}

char *fake_state(void)
{
	char *text;
	size_t size;

	state = open_memstream(&text, &size);
	nftw(fake.root, tell, 8, FTW_PHYS);
	fclose(state);
	return sorted(text);
}

void fake_fail(unsigned n, int err)
{
	fake.fail_at = n;
	fake.operations = 0;
	fake.err = err;
	fake.has_failed = false;
}

void fake_move(unsigned n)
{
	fake.moved = n;
}

void fake_busy(unsigned n)
{
	fake.busy = n;
}

unsigned fake_operations(void)
{
	return fake.operations;
}

const char *fake_failed(void)
{
	return fake.has_failed ? fake.failed : NULL;
}
