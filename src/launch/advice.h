/* launch/advice.h - what a program's lines mean for its user. */
#ifndef WEIR_LAUNCH_ADVICE_H
#define WEIR_LAUNCH_ADVICE_H

#include <stdbool.h>

#include "base/str.h"

/* A line that TensorFlow or its libraries print at every start, which explains no failure. */
bool run_is_noise(weir_str line);

/* What to do about the exception |cause|; null when nothing is known. */
const char *run_advice(const char *cause);

#endif
