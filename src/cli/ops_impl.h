/* cli/ops_impl.h - the parts of weir ops. */
#ifndef WEIR_CLI_OPS_IMPL_H
#define WEIR_CLI_OPS_IMPL_H

#include "command/command.h"
#include "op/op.h"

/* Prints the names of TensorFlow's ops that |registry| lacks; returns the exit status. */
int weir_cli_ops_missing(const weir_registry *registry, int format);

#endif
