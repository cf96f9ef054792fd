#include "cmd/cmd.h"
struct error *cmd_clean(struct arena *arena, const struct options *options) { (void)options; return error_new(arena, ERROR_USAGE, "todo"); }
