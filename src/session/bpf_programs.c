// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads and attaches the BPF programs that keep tables. All of it hangs on file descriptors:
 * nothing is left behind, however ktrace ends.
 *
 * The kernel runs no program while another one (or a user of a map) is busy on the CPU, and doesn't
 * say so. But it has counted the hit before: so what a probe's hits grow by, beyond the calls of
 * its program, was skipped. Both grow all the time, and are read one after the other; so the
 * difference is known within bounds, which meet in a quiet moment.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "session/counting_program.h"

#define SAMPLE_TRIES 40
#define LOG_SIZE     65536u

static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static int load_program(const struct bpf_insn *insns, unsigned count, char *log, size_t size)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .log_buf = log, .log_size = (__u32)size,
		    .log_level = log ? 1 : 0);

	return bpf_prog_load(BPF_PROG_TYPE_KPROBE, "ktrace", "GPL", insns, count, &options);
}

/* Tries the least that is needed: maps, and a program that may read memory. */
const char *programs_obstacle(struct arena *arena)
{
	static const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1, .imm = -8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const char *obstacle = NULL;
	int map, program;

	libbpf_set_print(silent);
	map = bpf_map_create(BPF_MAP_TYPE_PERCPU_HASH, "ktrace", 8, 8, 1, NULL);
	if (map < 0)
		return arena_printf(arena, "this kernel makes no BPF map (%s)", strerror(errno));
	program = load_program(insns, sizeof(insns) / sizeof(*insns), NULL, 0);
	if (program < 0)
		obstacle = arena_printf(
			arena, "this kernel loads no BPF program that reads memory at a probe (%s)",
			strerror(errno));
	else
		close(program);
	close(map);
	return obstacle;
}

static struct error *cannot(struct session *session, const char *what)
{
	return error_errno(session->arena, errno, "the kernel can't %s that counts", what);
}

static struct error *make_maps(struct session *session, struct program *program,
			       const struct counting *counting)
{
	LIBBPF_OPTS(bpf_map_create_opts, mapped, .map_flags = BPF_F_MMAPABLE);
	size_t size = (size_t)program->ncpus * program->layout.state_size;
	void *words;

	program->state =
		bpf_map_create(BPF_MAP_TYPE_ARRAY, "ktrace_state", 4, (__u32)size, 1, &mapped);
	if (program->state < 0)
		return cannot(session, "make the BPF map of a program");
	words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, program->state, 0);
	if (words == MAP_FAILED)
		return cannot(session, "map the BPF map of a program");
	program->words = words;
	if (!program->layout.key_size)
		return NULL;
	program->rows =
		bpf_map_create(BPF_MAP_TYPE_PERCPU_HASH, "ktrace_rows", program->layout.key_size,
			       8 * program->layout.row_words, counting->rows, NULL);
	return program->rows < 0 ? cannot(session, "make the BPF map of a program") : NULL;
}

/* The verifier's reason: the last line but one. */
static const char *verdict(char *log)
{
	char *end = NULL;

	for (int i = 0; i < 2; i++) {
		end = strrchr(log, '\n');
		if (end)
			*end = '\0';
	}
	end = strrchr(log, '\n');
	return end ? end + 1 : log;
}

static struct error *load(struct session *session, struct program *program,
			  const struct counting *counting)
{
	const struct counter_live live = {
		.state = program->state,
		.rows = program->rows,
		.ncpus = program->ncpus,
		.own = session->own,
		.comms = session->options->comms,
		.ncomms = session->options->ncomms,
	};
	struct bpf_insn *insns;
	unsigned count = counter_program(session->arena, program->probe, counting, &live, &insns);
	char *log = arena_array(session->arena, char, LOG_SIZE);

	program->fd = load_program(insns, count, NULL, 0);
	if (program->fd >= 0)
		return NULL;
	program->fd = load_program(insns, count, log, LOG_SIZE);
	return error_errno(session->arena, errno, "the kernel refuses the program of '%s' (%s)",
			   program->probe->event, verdict(log));
}

static struct error *attach(struct session *session, struct program *program, unsigned probe)
{
	const struct definition *definition = &session->definitions[probe];
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT,
				       .size = sizeof(attr),
				       .sample_period = 1,
				       .wakeup_events = 1,
				       .disabled = 1};
	struct error *error;
	int cpu = sched_getcpu();
	char *id;

	error = tfs_read(session->arena, NULL,
			 arena_printf(session->arena, "events/%s/%s/id", definition->group,
				      definition->event),
			 &id);
	if (error)
		return error;
	attr.config = strtoull(id, NULL, 10);
	/* one CPU's event: a program belongs to all of its kind */
	program->event = (int)syscall(SYS_perf_event_open, &attr, -1, cpu < 0 ? 0 : cpu, -1,
				      PERF_FLAG_FD_CLOEXEC);
	if (program->event < 0)
		return cannot(session, "open the event of a program");
	return ioctl(program->event, PERF_EVENT_IOC_SET_BPF, program->fd) ?
		       cannot(session, "attach a program") :
		       NULL;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Each program keeps two files open; a thousand probes are more than most shells allow. */
static void allow_files(unsigned nprobes)
{
	const rlim_t needed = 2 * (rlim_t)nprobes + 64;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= needed)
		return;
	limit.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit); /* if it fails, so does what needs the files */
}

struct error *program_make(struct session *session, unsigned probe)
{
	struct program *program = arena_new(session->arena, struct program);
	const struct counting *counting = session->plan->probes[probe].counting;
	unsigned ncpus = possible_cpus();
	struct error *error;

	*program = (struct program){.probe = &session->plan->probes[probe],
				    .layout = counter_layout(counting),
				    .ncpus = 1,
				    .state = -1,
				    .rows = -1,
				    .fd = -1,
				    .event = -1};
	while (program->ncpus < ncpus)
		program->ncpus *= 2;
	session->programs[probe] = program;
	allow_files(session->plan->nprobes);
	error = make_maps(session, program, counting);
	if (!error)
		error = load(session, program, counting);
	if (!error)
		error = attach(session, program, probe);
	if (!error) { /* the event keeps the program, and that the map */
		close_fd(&program->fd);
		close_fd(&program->state);
	}
	return error;
}

static volatile uint64_t *state_of(const struct program *program, unsigned cpu)
{
	return program->words + (size_t)cpu * program->layout.state_size / 8;
}

uint64_t state_sum(const struct program *program, enum counter_word word)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < program->ncpus; i++)
		sum += state_of(program, i)[word];
	return sum;
}

static void narrow(struct bounds *bounds, int64_t least, int64_t most, bool is_first)
{
	if (is_first || least > bounds->least)
		bounds->least = least;
	if (is_first || most < bounds->most)
		bounds->most = most;
	if (bounds->least > bounds->most) /* a hit that was counted, and its program not yet run */
		bounds->least = bounds->most;
}

/* Narrows the bounds of all programs until they meet, or long enough. */
static struct error *sample(struct session *session, bool is_after)
{
	uint64_t *calls = arena_array(session->arena, uint64_t, session->plan->nprobes);
	struct probe_hits *hits;
	bool meet = false;

	for (int tries = 0; tries < SAMPLE_TRIES && !meet; tries++) {
		struct error *error;

		for (unsigned i = 0; i < session->plan->nprobes; i++)
			calls[i] = session->programs[i] ?
					   state_sum(session->programs[i], COUNTER_CALLS) :
					   0;
		error = session_hits(session, &hits);
		if (error)
			return error;
		meet = true;
		for (unsigned i = 0; i < session->plan->nprobes; i++) {
			struct program *program = session->programs[i];
			struct bounds *bounds = !program ? NULL :
						is_after ? &program->after :
							   &program->before;

			if (!bounds)
				continue;
			narrow(bounds, (int64_t)(hits[i].hits - state_sum(program, COUNTER_CALLS)),
			       (int64_t)(hits[i].hits - calls[i]), !tries);
			meet = meet && bounds->least == bounds->most;
		}
	}
	return NULL;
}

static void switch_all(struct session *session, bool is_on)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		for (unsigned cpu = 0; session->programs[i] && cpu < session->programs[i]->ncpus;
		     cpu++)
			state_of(session->programs[i], cpu)[COUNTER_ON] = is_on;
}

static bool has_programs(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->programs[i])
			return true;
	return false;
}

struct error *programs_start(struct session *session)
{
	struct error *error = has_programs(session) ? sample(session, false) : NULL;

	switch_all(session, true);
	return error;
}

/* To close an event takes a tenth of a second, in which the kernel waits for all programs that
 * still run, also those of other processes. So one is closed now, and the others when the table is
 * out (programs_close()). */
struct error *programs_stop(struct session *session)
{
	struct error *error;
	bool is_first = true;

	switch_all(session, false);
	error = has_programs(session) ? sample(session, true) : NULL;
	for (unsigned i = 0; i < session->plan->nprobes; i++) {
		struct program *program = session->programs[i];

		if (!program)
			continue;
		if (is_first)
			close_fd(&program->event);
		is_first = false;
		program->is_stopped = true;
	}
	return error;
}

void programs_close(struct session *session)
{
	for (unsigned i = 0; session->programs && i < session->plan->nprobes; i++) {
		struct program *program = session->programs[i];

		if (!program)
			continue;
		close_fd(&program->event);
		close_fd(&program->fd);
		close_fd(&program->rows);
		close_fd(&program->state);
		if (program->words)
			munmap((void *)program->words,
			       (size_t)program->ncpus * program->layout.state_size);
		session->programs[i] = NULL;
	}
}

void program_skipped(const struct session *session, unsigned probe, struct probe_hits *ret)
{
	const struct program *program = session->programs ? session->programs[probe] : NULL;
	int64_t least, most;

	if (!program || !program->is_stopped)
		return;
	least = program->after.least - program->before.most;
	most = program->after.most - program->before.least;
	ret->skipped = least > 0 ? (uint64_t)least : 0;
	ret->unsure = most > 0 ? (uint64_t)most - ret->skipped : 0;
}
