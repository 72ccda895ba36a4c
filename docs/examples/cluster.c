/* cluster.c - one program for every task of a cluster; synchronous training by all workers.
 *
 *   weir run --ps 1 --workers 2 -- cluster
 *   cluster --job_name worker --task_index 0 --ps_hosts localhost:2220 --worker_hosts ...
 */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"
#include "weir/train.h"

static int fail(const TF_Status *status)
{
    return fprintf(stderr, "%s\n", TF_Message(status)), 1;
}

/* Every worker has one number; the variable learns their mean. */
static int work(weir_job *job, TF_Status *status)
{
    weir_trainer *t = weir_trainer_new(
        &(weir_trainer_options){.job = job, .update = WEIR_SYNC, .last_step = 100});
    weir_builder *b = weir_trainer_builder(t);
    TF_Output own = weir_build_placeholder(b, "own", TF_FLOAT, 0, NULL);
    TF_Output w = weir_trainer_variable(t, &(weir_variable_options){.name = "w"});
    TF_Output loss = weir_squared_difference(b, "loss", w, own);
    weir_trainer_minimize(t, loss, &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate = 0.1f});

    float number = 10.f * (float)(weir_job_worker(job) + 1), mean = 0;
    TF_Tensor *fed = weir_make_tensor(TF_FLOAT, 0, NULL, &number), *fetched;
    const weir_step_io io = {&own, &fed, 1, &w, &fetched, 1};
    weir_trainer_start(t, status);
    while (TF_GetCode(status) == TF_OK && weir_trainer_step(t, &io, status)) {
        mean = *(const float *)TF_TensorData(fetched);
        TF_DeleteTensor(fetched);
    }
    if (TF_GetCode(status) != TF_OK)
        return fail(status);
    weir_trainer_stop(t, status);
    printf("worker %d of %d: the mean is %.2f\n", weir_job_worker(job), weir_job_workers(job),
           mean);
    TF_DeleteTensor(fed);
    weir_trainer_delete(t);
    return 0;
}

int main(int argc, char **argv)
{
    TF_Status *status = TF_NewStatus();
    weir_job *job = weir_job_from_args(&argc, argv, status);
    if (!job)
        return fail(status);
    weir_job_start(job, status);
    int result = 0;
    if (TF_GetCode(status) != TF_OK)
        result = fail(status);
    else if (weir_job_is_ps(job))
        weir_job_serve(job, status);
    else
        result = work(job, status);
    weir_job_delete(job);
    TF_DeleteStatus(status);
    return result;
}
