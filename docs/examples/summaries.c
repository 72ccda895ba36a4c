/* summaries.c - a training that TensorBoard can follow: summaries [FOLDER]. */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/train.h"

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "summaries";
    const int64_t dims[] = {16, 16};
    weir_trainer *t =
        weir_trainer_new(&(weir_trainer_options){.last_step = 100, .checkpoint_dir = folder});
    weir_builder *b = weir_trainer_builder(t);

    /* An image that learns to be a plain one. */
    TF_Output w = weir_trainer_variable(
        t, &(weir_variable_options){.name = "w",
                                    .rank = 2,
                                    .dims = dims,
                                    .initial = {WEIR_UNIFORM, .a = 0, .b = 1, .seed = 1}});
    TF_Output gray = weir_build_float(b, "gray", 0.5f);
    TF_Output loss = weir_l2_loss(b, "loss", weir_sub(b, "off", w, gray));
    weir_trainer_minimize(t, loss, &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate = 0.05f});

    TF_Output shape =
        weir_build_const(b, "shape", TF_INT32, 1, (int64_t[]){4}, (int32_t[]){1, 16, 16, 1});
    weir_trainer_scalar(t, "loss", loss);
    weir_trainer_histogram(t, "pixels", w);
    weir_trainer_image(t, "image", weir_reshape(b, "image_of", w, shape), 1);
    weir_trainer_write_summaries(t, folder, 20);
    weir_trainer_profile(t, folder, 50);
    weir_trainer_guard_nan(t, loss, false);

    TF_Status *status = TF_NewStatus();
    weir_trainer_start(t, status);
    while (TF_GetCode(status) == TF_OK && weir_trainer_step(t, &(weir_step_io){0}, status))
        ;
    int bad = TF_GetCode(status) != TF_OK;
    if (bad)
        fprintf(stderr, "%s\n", TF_Message(status));
    else
        printf("%lld steps; tensorboard --logdir %s\n", (long long)weir_trainer_at(t), folder);
    weir_trainer_stop(t, status);
    weir_trainer_delete(t);
    TF_DeleteStatus(status);
    return bad;
}
