/* weir/data.h - examples from files, in batches that fit a model.
 *
 *   weir_data_options o = {.source = "/usr/share/datasets/fashion-mnist", .batch = 100,
 *                          .shuffle = true, .type = TF_FLOAT, .rank = 3, .dims = {28, 28, 1},
 *                          .label_type = TF_INT32, .classes = 10};
 *   weir_data *d = weir_data_open(&o, status);
 *   while (weir_data_next(d, &x, &y, status)) { feed x and y, delete them }
 *   weir_data_close(d);
 *
 * The kind of a source is detected from its files:
 *   IDX       a folder with train-images-idx3-ubyte, train-labels-idx1-ubyte and t10k-..., or .gz
 *   CIFAR     a folder with data_batch_1.bin ... test_batch.bin (10), or train.bin, test.bin (100)
 *   images    a folder per class with JPEG, PNG, GIF or BMP files
 *   records   TFRecord files of Examples (*.tfrecord, *.tfrecords, *-00000-of-00004), or compressed
 *   CSV       *.csv, *.tsv: a row per example, numbers and a label
 *   text      *.txt: words, or bytes for at most 256 classes; each is predicted from those before
 *   synthetic the word "synthetic": one batch, repeated, as numpy's RandomState(seed) draws it:
 *             x = rand(batch, dims...), then y = randint(0, classes, batch); for integer x
 *             both are randint(0, classes, (batch, dims...))
 *
 * The sequence of examples depends only on the options, never on thread scheduling. After a failed
 * batch there are no more: the status names the file, the position in it and a remedy.
 */
#ifndef WEIR_DATA_H
#define WEIR_DATA_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_data weir_data;

/* Random augmentation of images. */
typedef struct weir_data_variation {
    bool flip;         /* mirrors an image with probability 1/2 */
    double shift;      /* maximum shift as a fraction of each side, edges repeated */
    double crop;       /* minimum fraction of each side that is kept, 0 or 1: all */
    double brightness; /* maximum change of brightness, for pixels in [0, 1] */
} weir_data_variation;

typedef struct weir_data_options {
    const char *source; /* a folder, a file, or "synthetic" */
    const char *split;  /* "train" (null), "test" or "all" */
    int batch;          /* 0: 100 */
    bool shuffle;
    uint64_t seed;
    int epochs;        /* 0: unlimited */
    int shard, shards; /* this worker's shard of the examples; shards 0: one */
    bool augment;      /* augments as suits the source, or by |variation| */
    int threads;       /* 0: automatic; else the number of threads besides the caller */
    int prefetch;      /* prefetched batches; 0: 2 */
    /* The model's input: */
    TF_DataType type; /* 0: TF_FLOAT */
    int rank;         /* of one example; 0: as in the source */
    int64_t dims[4];
    TF_DataType label_type; /* 0: no labels, y is null */
    int64_t classes;        /* labels must be below it; 0: as in the source */
    /* Less common options: */
    const weir_data_variation *variation; /* for |augment|; copied */
    bool whole_batches;          /* drop an incomplete last batch instead of returning it */
    int64_t shuffle_buffer;      /* for TFRecord files; 0: 10000. Others: all */
    double scale;                /* factor for pixels; 0: 1/255 for floats, 1 for integers */
    const char *x_name, *y_name; /* features of records; of CSV y_name only, a column; null: found
                                    by their names */
} weir_data_options;

/* Null on failure. */
TF_CAPI_EXPORT extern weir_data *weir_data_open(const weir_data_options *o, TF_Status *status);
/* The next batch: x of [batch, dims...] and y of [batch], or x's shape for integer x. The caller
 * owns both; |y| may be null. False at the end (status OK) or on failure. Not thread-safe. */
TF_CAPI_EXPORT extern bool weir_data_next(weir_data *d, TF_Tensor **x, TF_Tensor **y,
                                          TF_Status *status);
/* Examples per epoch of this split in all shards; -1 if unknown (records, synthetic). */
TF_CAPI_EXPORT extern int64_t weir_data_examples(const weir_data *d);
/* Number of classes of the labels; 0 if unknown. */
TF_CAPI_EXPORT extern int64_t weir_data_classes(const weir_data *d);
/* The name of a class; null if the source has no names. */
TF_CAPI_EXPORT extern const char *weir_data_class_name(const weir_data *d, int64_t label);
/* The dims of one example in a batch; returns their number, at most 4. */
TF_CAPI_EXPORT extern int weir_data_dims(const weir_data *d, int64_t dims[4]);
/* A description: "IDX, 60000 examples of 28x28x1, 10 classes". */
TF_CAPI_EXPORT extern const char *weir_data_about(const weir_data *d);
/* Stops prefetching and frees the data; takes null. */
TF_CAPI_EXPORT extern void weir_data_close(weir_data *d);

#ifdef __cplusplus
}
#endif
#endif
