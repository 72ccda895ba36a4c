/* step_loop.c - times steps by the C API, for tools/python_bench: no interpreter is between them.
 */
#include <time.h>

#include "tensorflow/c/c_api.h"

typedef struct step_of {
    TF_Session *session;
    const TF_Output *inputs;
    TF_Tensor *const *values;
    int input_count;
    const TF_Output *output;
    const TF_Operation *const *target;
} step_of;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void run_once(const step_of *step, TF_Status *status)
{
    TF_Tensor *fetched = NULL;
    TF_SessionRun(step->session, NULL, step->inputs, step->values, step->input_count, step->output,
                  &fetched, 1, step->target, 1, NULL, status);
    if (fetched)
        TF_DeleteTensor(fetched);
}

/* The least time of a step over about |seconds|, in seconds; |status| says when one failed. */
double step_loop(const step_of *step, double seconds, TF_Status *status)
{
    run_once(step, status);
    double least = 1e9, end = now() + seconds, begin = 0, after = 0;
    while (TF_GetCode(status) == TF_OK && after < end) {
        begin = now();
        run_once(step, status);
        after = now();
        least = after - begin < least ? after - begin : least;
    }
    return least;
}
