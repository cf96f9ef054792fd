/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a kernel's probe events accept: read from tracefs's README, or assumed for a dry run.
 * No kernel version is ever compared.
 */
#ifndef KTRACE_CAPS_H
#define KTRACE_CAPS_H

#include <stdbool.h>

struct caps {
	bool has_immediate; /* \IMM */
	bool has_histograms; /* hist triggers */
	bool has_sums; /* hist triggers with variables, synthetic events, event probes */
};

/* Limits of kernel/trace/trace_probe.h and trace_dynevent.c, the same from 5.x to 6.18. */
#define KERNEL_NAME_MAX     63   /* group, event: MAX_EVENT_NAME_LEN - 1 */
#define KERNEL_ARGNAME_MAX  31   /* MAX_ARG_NAME_LEN - 1 */
#define KERNEL_ARGUMENT_MAX 63   /* MAX_ARGSTR_LEN: body and type, without "name=" */
#define KERNEL_ARGS_MAX     128  /* MAX_TRACE_ARGS */
#define KERNEL_LINE_MAX     4094 /* WRITE_BUFSIZE - 2 */
#define KERNEL_RECORD_MAX   3072 /* MAX_PROBE_EVENT_SIZE: the fixed parts of all arguments */
#define KERNEL_ARRAY_MAX    64   /* MAX_ARRAY_LEN */
#define KERNEL_DEREFS_MAX   12   /* FETCH_INSN_MAX less base, store and end */

#endif
