/* lab/bench/tensorflow.h - the tasks of an experiment on TensorFlow, if installed.
 *
 * A worker builds its graph as for Weir, writes it to a file together with batches, and executes
 * Python, which runs the same graph on TensorFlow's server, on the same machine.
 */
#ifndef WEIR_LAB_BENCH_TENSORFLOW_H
#define WEIR_LAB_BENCH_TENSORFLOW_H

#include <stdbool.h>

#include "base/status.h"

enum { BENCH_TF_VERSION = 32 };

/* Whether the interpreter |python| has TensorFlow, and its version. */
bool bench_tensorflow_find(const char *python, char out_version[BENCH_TF_VERSION]);

typedef struct bench_tensorflow_work {
    struct weir_trainer *trainer;
    const struct weir_model_graph *graph;
    struct weir_data *data; /* null: no feeds */
    long steps, straggle_every;
    double straggle_ms;
    int log; /* descriptor of a step log */
} bench_tensorflow_work;

/* Both execute the interpreter in place of this process, and return only on failure. */
WEIR_CHECKED weir_status bench_tensorflow_serve(const char *python);
WEIR_CHECKED weir_status bench_tensorflow_run(const char *python,
                                              const bench_tensorflow_work *work);

#endif
