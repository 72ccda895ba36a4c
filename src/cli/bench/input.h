/* cli/bench/input.h - `weir bench input`: how fast files become batches. */
#ifndef WEIR_CLI_BENCH_INPUT_H
#define WEIR_CLI_BENCH_INPUT_H

#include "cli/cli.h"

extern const weir_command bench_command_input;

#endif
