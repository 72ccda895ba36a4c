/* lab/bench/input.h - `weir bench input`: how fast files become batches. */
#ifndef WEIR_LAB_BENCH_INPUT_H
#define WEIR_LAB_BENCH_INPUT_H

#include "command/command.h"

extern const weir_command bench_command_input;

#endif
