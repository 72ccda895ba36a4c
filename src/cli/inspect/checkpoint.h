/* cli/inspect/checkpoint.h - resolves the ways to name a checkpoint. */
#ifndef WEIR_CLI_INSPECT_CHECKPOINT_H
#define WEIR_CLI_INSPECT_CHECKPOINT_H

#include "command/output.h"
#include "io/checkpoint.h"

/* The file to open for a prefix, an index or data file, a "checkpoint" file, a folder of
 * checkpoints (its latest) or a file of format V1; the caller frees it. Null if there is none. */
char *weir_cli_checkpoint_prefix(const char *path);
#endif
