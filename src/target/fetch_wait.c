// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens while debuginfod is waited for: a line on a terminal, and an end without leftovers
 * when a signal comes, which only then takes effect.
 */
#include "target/fetch_wait.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/strbuf.h"

#define SHOWN_MAX 40 /* of a name, in the line of progress */

static void show(struct progress *progress, long done, long total)
{
	struct strbuf line = {0};

	strbuf_printf(&line, "\rktrace: debuginfod: %ld", done >> 10);
	if (total > 0)
		strbuf_printf(&line, " of %ld", total >> 10);
	strbuf_puts(&line, " KiB for ");
	strbuf_shown(&line, progress->what, strnlen(progress->what, SHOWN_MAX), "");
	strbuf_puts(&line, "\033[K");
	fputs(line.data, stderr);
	strbuf_deinit(&line);
	progress->is_shown = true;
}

int on_progress(debuginfod_client *client, long done, long total)
{
	typeof(&debuginfod_get_user_data) get_data =
		dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	struct progress *progress = get_data ? get_data(client) : NULL;
	sigset_t pending;

	if (progress && progress->is_terminal)
		show(progress, done, total);
	sigpending(&pending);
	if (!sigismember(&pending, SIGINT) && !sigismember(&pending, SIGTERM) &&
	    !sigismember(&pending, SIGHUP))
		return 0;
	if (progress)
		progress->is_over = true;
	return 1;
}

void hold_signals(sigset_t *old)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, old);
}
