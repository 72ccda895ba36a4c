/* schedule_and_clip.c - a rate that falls, gradients that are cut, and averages of variables. */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/train.h"

static float number(const TF_Tensor *value)
{
    return *(const float *)TF_TensorData(value);
}

int main(void)
{
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.last_step = 50});
    weir_builder *b = weir_trainer_builder(t);

    /* 50 |w|: its gradient is 50 or -50 wherever it is, so that a plain step is far too long. */
    TF_Output w = weir_trainer_variable(
        t, &(weir_variable_options){.name = "w", .initial = {WEIR_CONSTANT, .a = 2}});
    TF_Output loss = weir_mul(b, "loss", weir_abs(b, "abs", w), weir_build_float(b, "steep", 50));

    const weir_schedule cosine = {WEIR_COSINE_DECAY, .rate = 0.1f, .steps = 50, .end = 0.01f};
    TF_Output rate = weir_build_schedule(b, &cosine, weir_trainer_global_step(t));
    weir_trainer_average(t, &(weir_average){.decay = 0.9f});
    weir_trainer_minimize(t, loss,
                          &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate_from = rate,
                                            .clip = {WEIR_CLIP_BY_GLOBAL_NORM, .limit = 1}});
    TF_Output average = weir_trainer_averaged(t, w);

    TF_Status *status = TF_NewStatus();
    const TF_Output fetches[] = {w, average, rate};
    TF_Tensor *fetched[3];
    const weir_step_io io = {.fetches = fetches, .fetched = fetched, .fetch_count = 3};
    weir_trainer_start(t, status);
    while (TF_GetCode(status) == TF_OK && weir_trainer_step(t, &io, status)) {
        if (weir_trainer_at(t) % 10 == 1)
            printf("step %2lld: rate %.4f, w %.3f, average %.3f\n", (long long)weir_trainer_at(t),
                   number(fetched[2]), number(fetched[0]), number(fetched[1]));
        for (int i = 0; i < 3; i++)
            TF_DeleteTensor(fetched[i]);
    }
    int bad = TF_GetCode(status) != TF_OK;
    if (bad)
        fprintf(stderr, "%s\n", TF_Message(status));
    weir_trainer_stop(t, status);
    weir_trainer_delete(t);
    TF_DeleteStatus(status);
    return bad;
}
