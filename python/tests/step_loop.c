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

static double now(int clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
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

/* The seconds by |clock| that |count| steps take, one after the other; |status| says when one
 * failed. */
double step_loop(const step_of *step, int count, int clock, TF_Status *status)
{
    double begin = now(clock);
    for (int i = 0; i < count && TF_GetCode(status) == TF_OK; i++)
        run_once(step, status);
    return now(clock) - begin;
}
