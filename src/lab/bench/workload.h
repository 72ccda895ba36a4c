/* lab/bench/workload.h - graphs to measure, in a folder shared by all peers.
 *
 * A workload NAME is NAME.pb, a GraphDef, and NAME.job:
 *
 *   init OP                  run once
 *   step OP                  run repeatedly
 *   loss TENSOR:0            a float
 *   feed TENSOR:0 DTYPE RANK DIM... FILE    raw elements in a file of the folder
 */
#ifndef WEIR_LAB_BENCH_WORKLOAD_H
#define WEIR_LAB_BENCH_WORKLOAD_H

#include "base/mem.h"
#include "base/str.h"
#include "tensorflow/c/c_api.h"

enum { WORKLOAD_MOST_FEEDS = 8, WORKLOAD_MOST_DIMS = 8, WORKLOAD_NAME = 256 };

typedef struct workload_feed {
    char tensor[WORKLOAD_NAME];
    TF_DataType type;
    int rank;
    int64_t dims[WORKLOAD_MOST_DIMS];
    weir_buf bytes;
} workload_feed;

typedef struct workload {
    weir_buf graph;
    char init[WORKLOAD_NAME], step[WORKLOAD_NAME], loss[WORKLOAD_NAME];
    workload_feed feeds[WORKLOAD_MOST_FEEDS];
    int feed_count;
    int64_t batch; /* first dim of the first feed; 1 without feeds */
} workload;

WEIR_CHECKED weir_status workload_read(const char *folder, const char *name, workload *out);

/* Built-in models available as workloads. */
typedef struct workload_model {
    const char *name, *about;
    int batch;
} workload_model;

int workload_model_count(void);
workload_model workload_model_at(int i);
bool workload_is_model(const char *name);
/* Writes a workload with a batch of synthetic data; |batch| 0: the model's default. */
WEIR_CHECKED weir_status workload_write(const char *folder, const char *model, long batch);

/* "mnist_cnn:0" is output 0 of mnist_cnn; stores the name before the colon in |out|. */
int workload_output(const char *tensor, char out[WORKLOAD_NAME]);

#endif
