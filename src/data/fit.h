/* data/fit.h - converts an example to the model's input: decodes, crops, resizes, augments,
 * casts. */
#ifndef WEIR_DATA_FIT_H
#define WEIR_DATA_FIT_H

#include "data/source.h"
#include "tensor/tensor.h"

enum { WEIR_MOST_SIDE = 1 << 16 }; /* of source and target images */

typedef struct weir_fit {
    weir_dtype type, label_type; /* label_type 0: no labels */
    int rank;
    int64_t dims[4]; /* of one example */
    int64_t count;   /* elements of one example */
    bool is_image;
    int64_t height, width; /* of images: the meaning of |dims| */
    int channels;
    bool of_tokens; /* y is x shifted by one token */
    float scale;
    weir_data_variation vary;
    bool varies;
    uint64_t seed;
    int64_t classes; /* 0: any label */
    bool resizes;    /* examples differ from the target size */
} weir_fit;

/* Checks that the source can satisfy the options. */
WEIR_CHECKED weir_status weir_fit_init(weir_fit *fit, const weir_data_options *options,
                                       const weir_source *source);
/* Writes one example to index |at| of the batch's x and y (null without labels). */
WEIR_CHECKED weir_status weir_fit_run(const weir_fit *fit, const weir_example *example,
                                      const weir_item *item, weir_scratch *scratch, weir_tensor *x,
                                      weir_tensor *y, int64_t at);
/* The shape of x, or y, for |count| examples. */
weir_shape weir_fit_shape(const weir_fit *fit, bool labels, int64_t count);

#endif
