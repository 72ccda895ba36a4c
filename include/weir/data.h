/* weir/data.h - examples from files, in batches that fit a model.
 *
 *   weir_data *d = weir_data_open(&(weir_data_options){.source =
 * "/usr/share/datasets/fashion-mnist", .batch = 100, .shuffle = true, .type = TF_FLOAT, .rank = 3,
 * .dims = {28, 28, 1}, .label_type = TF_INT32, .classes = 10}, status); while (weir_data_next(d,
 * &x, &y, status))
 *       ... feed x and y, delete them ...
 *   weir_data_close(d);
 *
 * What a source is, is found out by looking at it:
 *   IDX       a folder with train-images-idx3-ubyte, train-labels-idx1-ubyte and t10k-..., or .gz
 *   CIFAR     a folder with data_batch_1.bin ... test_batch.bin (10), or train.bin, test.bin (100)
 *   images    a folder per class with JPEG, PNG, GIF or BMP files
 *   records   TFRecord files of Examples (*.tfrecord, *.tfrecords, or named like
 * train-00000-of-00004), plain or compressed CSV       *.csv, *.tsv: a row per example, numbers and
 * a label text      *.txt: words, or bytes when there are at most 256 classes, each to be told from
 * those before it synthetic the word "synthetic": one batch, given again and again, drawn as numpy
 * draws it from RandomState(seed): x = rand(batch, dims...), then y = randint(0, classes, batch);
 * for integer x both are randint(0, classes, (batch, dims...))
 *
 * The sequence of examples depends on the options alone, never on threads. A batch that a failure
 * hits ends the data: the status names the file, the place in it and what to do.
 */
#ifndef WEIR_DATA_H
#define WEIR_DATA_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_data weir_data;

/* How examples vary when they are drawn; images only. */
typedef struct weir_data_variation {
    bool flip;         /* left and right, every other time */
    double shift;      /* moved by up to this part of each side, edges repeated */
    double crop;       /* down to this part of each side is kept, 0 or 1: all */
    double brightness; /* up to this much is added, of a range of 1 */
} weir_data_variation;

typedef struct weir_data_options {
    const char *source; /* a folder, a file, or "synthetic" */
    const char *split;  /* "train" (null), "test" or "all" */
    int batch;          /* 0: 100 */
    bool shuffle;
    uint64_t seed;
    int epochs;        /* 0: for ever */
    int shard, shards; /* this worker's part of the examples; shards 0: one */
    bool augment;      /* varied as suits the source, unless |variation| says how */
    int threads;       /* 0: as suits the source; 1 and up: so many beside the caller */
    int prefetch;      /* batches made ahead; 0: 2 */
    /* What the model wants: */
    TF_DataType type; /* 0: TF_FLOAT */
    int rank;         /* of one example; 0: as the source has them */
    int64_t dims[4];
    TF_DataType label_type; /* 0: no labels, y is null */
    int64_t classes;        /* labels must be below it; 0: as the source has them */
    /* Rarely set: */
    const weir_data_variation *variation; /* of |augment|; copied */
    bool whole_batches;     /* drop a last batch that is not full; else it is smaller */
    int64_t shuffle_buffer; /* records to choose among, of records; 0: 10000. The rest shuffles all
                             */
    double scale;           /* what pixels are multiplied by; 0: 1/255 for floats, 1 for integers */
    const char *x_name, *y_name; /* features of records; of CSV y_name only, a column; null: found
                                    by their names */
} weir_data_options;

/* Null on failure. */
TF_CAPI_EXPORT extern weir_data *weir_data_open(const weir_data_options *o, TF_Status *status);
/* The next batch: x of [batch, dims...] and y of [batch], or x's shape for integer x. Both are the
 * caller's; |y| may be null. False at the end (the status is OK) or on failure. One thread at a
 * time. */
TF_CAPI_EXPORT extern bool weir_data_next(weir_data *d, TF_Tensor **x, TF_Tensor **y,
                                          TF_Status *status);
/* Examples of this split, of all shards, in one epoch; -1 when not known (records, synthetic). */
TF_CAPI_EXPORT extern int64_t weir_data_examples(const weir_data *d);
/* Classes that the labels stand for; 0 when not known. */
TF_CAPI_EXPORT extern int64_t weir_data_classes(const weir_data *d);
/* The name of a class, where the source has names; else null. */
TF_CAPI_EXPORT extern const char *weir_data_class_name(const weir_data *d, int64_t label);
/* The dims of one example as it comes out; returns their number, at most 4. */
TF_CAPI_EXPORT extern int weir_data_dims(const weir_data *d, int64_t dims[4]);
/* In words: "IDX, 60000 examples of 28x28x1, 10 classes". */
TF_CAPI_EXPORT extern const char *weir_data_about(const weir_data *d);
/* Stops what is being prepared and ends the data; takes null. */
TF_CAPI_EXPORT extern void weir_data_close(weir_data *d);

#ifdef __cplusplus
}
#endif
#endif
