#include "cmd/cmd.h"
struct error *run_live(struct arena *arena, const struct options *options, const struct plan *plan) { (void)options;(void)plan; return error_new(arena, ERROR_USAGE, "todo"); }
