/* cli/predict/result.h - prints a model's outputs. */
#ifndef WEIR_CLI_PREDICT_RESULT_H
#define WEIR_CLI_PREDICT_RESULT_H

#include "command/command.h"
#include "tensor/tensor.h"
#include "weir/saved_model.h"

/* Prints the outputs named in |only| (all if empty); |paths| are the files, for one row each.
 * Returns the exit status. */
int predict_print(const weir_signature *signature, const weir_words *only, const weir_tensor *out,
                  int format, char *const *paths, int count);

#endif
