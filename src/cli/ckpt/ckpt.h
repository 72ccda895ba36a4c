/* cli/ckpt/ckpt.h - the subcommands of weir ckpt, and what they share. */
#ifndef WEIR_CLI_CKPT_CKPT_H
#define WEIR_CLI_CKPT_CKPT_H

#include "command/command.h"
#include "io/tensors.h"

extern const weir_command weir_command_ckpt_list, weir_command_ckpt_show, weir_command_ckpt_diff,
    weir_command_ckpt_convert;

/* Opens a checkpoint given as a prefix, index file, folder, V1 file or npz. On failure prints an
 * error and returns null. */
weir_tensors *ckpt_open(const char *path);

#endif
