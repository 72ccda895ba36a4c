/* models/zero_feeds.h - zeros for a model's feeds, for unit tests of its steps. */
#ifndef WEIR_MODELS_ZERO_FEEDS_H
#define WEIR_MODELS_ZERO_FEEDS_H

#include <string.h>

#include "weir/models.h"

static inline TF_Tensor *zeros(TF_DataType type, int rank, const int64_t *dims)
{
    size_t bytes = TF_DataTypeSize(type);
    for (int i = 0; i < rank; i++)
        bytes *= (size_t)dims[i];
    TF_Tensor *tensor = TF_AllocateTensor(type, dims, rank, bytes);
    memset(TF_TensorData(tensor), 0, bytes);
    return tensor;
}

/* Creates one tensor per feed of the model; returns how many. */
static inline int make_feeds(const weir_model_input *in, int batch, TF_Tensor **out)
{
    int count = 0;
    int64_t dims[5] = {batch};
    memcpy(dims + 1, in->dims, sizeof in->dims);
    if (in->type)
        out[count++] = zeros(in->type, in->rank + 1, dims);
    if (in->label_type)
        out[count++] = zeros(in->label_type, in->label_rank + 1, dims);
    return count;
}

#endif
