/* lab/bench/input.h - `weir bench input`: the speed of the input pipeline. */
#ifndef WEIR_LAB_BENCH_INPUT_H
#define WEIR_LAB_BENCH_INPUT_H

#include "command/command.h"

extern const weir_command bench_command_input;

#endif
