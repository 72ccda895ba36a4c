/* cli/inspect/checkpoint.h - checkpoints as people name them. */
#ifndef WEIR_CLI_INSPECT_CHECKPOINT_H
#define WEIR_CLI_INSPECT_CHECKPOINT_H

#include "command/output.h"
#include "io/checkpoint.h"

/* What to open for a prefix, an index or data file, a "checkpoint" file, a folder of checkpoints
 * (its latest) or a file of format V1; the caller frees. Null when there is nothing. */
char *weir_cli_checkpoint_prefix(const char *path);
#endif
