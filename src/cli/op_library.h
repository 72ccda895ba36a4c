/* cli/op_library.h - the --op-library option of commands that run graphs. */
#ifndef WEIR_CLI_OP_LIBRARY_H
#define WEIR_CLI_OP_LIBRARY_H

#include "base/status.h"

#define WEIR_OP_LIBRARY_HELP "load ops and kernels from these shared libraries"

/* Loads each of |files|, "a.so:b.so"; null: none. */
WEIR_CHECKED weir_status weir_cli_load_ops(const char *files);
/* Makes child processes load them too: |variable| is the environment variable of their option.
 * Paths become absolute. */
void weir_cli_pass_ops(const char *variable, const char *files);
/* The same for other hosts: |env|, a list for weir run, with the variable added. The caller frees
 * it. */
char *weir_cli_env_with_ops(const char *env, const char *variable, const char *files);

#endif
