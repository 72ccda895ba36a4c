/* capi/status.h - conversion between weir_status and TF_Status. */
#ifndef WEIR_CAPI_STATUS_H
#define WEIR_CAPI_STATUS_H

#include "base/status.h"
#include "tensorflow/c/tf_status.h"

/* Takes over |status| and writes it to |out|, also on success. True on success. */
bool weir_capi_end(TF_Status *out, weir_status status);
/* The reverse: |status| as a weir_status. */
WEIR_CHECKED weir_status weir_capi_status(const TF_Status *status);

#endif
