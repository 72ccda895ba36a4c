/* capi/status.h - a weir_status as a TF_Status, and back. */
#ifndef WEIR_CAPI_STATUS_H
#define WEIR_CAPI_STATUS_H

#include "base/status.h"
#include "tensorflow/c/tf_status.h"

/* Takes |status| and writes it to |out|, success included. True on success. */
bool weir_capi_end(TF_Status *out, weir_status status);
/* The other way round: what |status| says, as a status to return. */
WEIR_CHECKED weir_status weir_capi_status(const TF_Status *status);

#endif
