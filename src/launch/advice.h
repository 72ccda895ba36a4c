/* launch/advice.h - explains a program's output lines. */
#ifndef WEIR_LAUNCH_ADVICE_H
#define WEIR_LAUNCH_ADVICE_H

#include <stdbool.h>

#include "base/str.h"

/* A line that TensorFlow or its libraries print at every start, unrelated to failures. */
bool run_is_noise(weir_str line);

/* The remedy for exception |cause|; null if unknown. */
const char *run_advice(const char *cause);

#endif
