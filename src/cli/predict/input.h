/* cli/predict/input.h - files as the inputs of a model.
 *
 * The format is detected by content: JSON as TensorFlow Serving takes it, numpy's npy and npz,
 * CSV, IDX, images. Each gives a tensor for every input of the signature, fitted to its type and
 * shape: numbers are converted, pixels scaled, a missing first dimension added.
 */
#ifndef WEIR_CLI_PREDICT_INPUT_H
#define WEIR_CLI_PREDICT_INPUT_H

#include "tensor/tensor.h"
#include "weir/saved_model.h"

typedef struct predict_how {
    double scale; /* of pixels that become floats */
} predict_how;

/* The values of |count| files, several of which must be images; "-" is standard input, as JSON.
 * |out_tensors| has room for the signature's inputs and is the caller's to release. */
WEIR_CHECKED weir_status predict_read(const weir_signature *signature, const predict_how *how,
                                      char *const *paths, int count, weir_tensor *out_tensors);

/* ---- for the readers ------------------------------------------------------------------------- */

/* Converts |in|, which it takes over, to the dtype and shape of |want|. */
WEIR_CHECKED weir_status predict_fit(const weir_signature_tensor *want, const predict_how *how,
                                     bool pixels, weir_tensor *in, weir_tensor *out);
/* INVALID_ARGUMENT when the signature has not exactly one input. */
WEIR_CHECKED weir_status predict_only_input(const weir_signature *signature, const char *what);

WEIR_CHECKED weir_status predict_read_json(const weir_signature *signature, weir_str text,
                                           weir_tensor *out_tensors);
WEIR_CHECKED weir_status predict_read_csv(const weir_signature *signature, weir_str text,
                                          weir_tensor *out_tensors);
/* All images as one batch of the one input: encoded for strings, else resized to its shape. */
WEIR_CHECKED weir_status predict_read_images(const weir_signature *signature,
                                             const predict_how *how, char *const *paths, int count,
                                             weir_tensor *out_tensors);

#endif
