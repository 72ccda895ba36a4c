/* data/batch.h - the tensors of a batch. */
#ifndef WEIR_DATA_BATCH_H
#define WEIR_DATA_BATCH_H

#include "data/fit.h"

typedef struct weir_batch {
    weir_tensor x, y; /* y is empty without labels */
    int64_t count;    /* number of examples; may be below the capacity */
} weir_batch;

WEIR_CHECKED weir_status weir_batch_alloc(const weir_fit *fit, int64_t room, weir_batch *out_batch);
void weir_batch_release(weir_batch *batch); /* accepts a zeroed one */
/* Transfers both to the caller: |out_y| may be null. The batch is empty afterwards. */
void weir_batch_give(weir_batch *batch, TF_Tensor **out_x, TF_Tensor **out_y);

/* One batch as numpy generates it: see weir/data.h. */
WEIR_CHECKED weir_status weir_synthetic_make(const weir_data_options *options,
                                             weir_batch *out_batch);

#endif
