/* cli/numerics.h - the option --check-numerics of commands that run graphs or start others that do.
 */
#ifndef WEIR_CLI_NUMERICS_H
#define WEIR_CLI_NUMERICS_H

#include <stdbool.h>

#define WEIR_CHECK_NUMERICS_HELP "report the first op that produces a NaN or an infinity"

/* Has this process, and those that it starts, look at what kernels write; nothing when not |on|. */
void weir_cli_check_numerics(bool on);
/* The variable that says so, for other hosts: "NAME=VALUE". */
extern const char weir_cli_numerics_variable[];

#endif
