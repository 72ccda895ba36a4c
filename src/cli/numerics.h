/* cli/numerics.h - the --check-numerics option of commands that run graphs.
 */
#ifndef WEIR_CLI_NUMERICS_H
#define WEIR_CLI_NUMERICS_H

#include <stdbool.h>

#define WEIR_CHECK_NUMERICS_HELP "report the first op that produces a NaN or an infinity"

/* Makes this process and its children check kernel outputs; no-op unless |on|. */
void weir_cli_check_numerics(bool on);
/* The corresponding environment variable, for other hosts: "NAME=VALUE". */
extern const char weir_cli_numerics_variable[];

#endif
