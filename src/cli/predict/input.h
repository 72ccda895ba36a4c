/* cli/predict/input.h - files as the inputs of a model.
 *
 * The format is detected by content: JSON in TensorFlow Serving's format, numpy's npy and npz, CSV,
 * IDX, images. Each yields a tensor per input of the signature, converted to its type and shape:
 * numbers are cast, pixels scaled, a missing batch dimension added.
 */
#ifndef WEIR_CLI_PREDICT_INPUT_H
#define WEIR_CLI_PREDICT_INPUT_H

#include "tensor/tensor.h"
#include "weir/saved_model.h"

typedef struct predict_how {
    double scale; /* for pixels converted to floats */
} predict_how;

/* Reads |count| files (several only for images); "-" is standard input, as JSON. |out_tensors| has
 * one slot per input of the signature; the caller releases them. */
WEIR_CHECKED weir_status predict_read(const weir_signature *signature, const predict_how *how,
                                      char *const *paths, int count, weir_tensor *out_tensors);

/* ---- used by the readers --------------------------------------------------------------------- */

/* Converts |in|, which it takes ownership of, to the dtype and shape of |want|. */
WEIR_CHECKED weir_status predict_fit(const weir_signature_tensor *want, const predict_how *how,
                                     bool pixels, weir_tensor *in, weir_tensor *out);
/* INVALID_ARGUMENT unless the signature has exactly one input. */
WEIR_CHECKED weir_status predict_only_input(const weir_signature *signature, const char *what);

WEIR_CHECKED weir_status predict_read_json(const weir_signature *signature, weir_str text,
                                           weir_tensor *out_tensors);
WEIR_CHECKED weir_status predict_read_csv(const weir_signature *signature, weir_str text,
                                          weir_tensor *out_tensors);
/* All images as one batch of the single input: encoded for strings, else resized to its shape. */
WEIR_CHECKED weir_status predict_read_images(const weir_signature *signature,
                                             const predict_how *how, char *const *paths, int count,
                                             weir_tensor *out_tensors);

#endif
