/* logistic_regression.c - tells two clouds of points apart, with Adam and a layer of weir/nn.h. */
#include <stdio.h>
#include <stdlib.h>

#include "weir/nn.h"
#include "weir/runner.h"

enum { POINTS = 400 };

/* Clouds around (-1, -1) and (1, 1), which overlap a little. */
static void make_points(float *x, int32_t *label)
{
    srand(2);
    for (int i = 0; i < POINTS; i++) {
        label[i] = i % 2;
        for (int k = 0; k < 2; k++) {
            float wide = (float)(rand() + (double)rand() + rand()) / (float)RAND_MAX - 1.5f;
            x[2 * i + k] = wide * 2 + (label[i] ? 1.f : -1.f);
        }
    }
}

int main(void)
{
    static float xs[2 * POINTS];
    static int32_t labels[POINTS];
    const int64_t dims[] = {POINTS, 2};
    make_points(xs, labels);

    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.last_step = 200});
    weir_builder *b = weir_trainer_builder(t);
    weir_net net = {.trainer = t};
    TF_Output x = weir_build_placeholder(b, "x", TF_FLOAT, 2, dims);
    TF_Output y = weir_build_placeholder(b, "y", TF_INT32, 1, dims);
    TF_Output logits = weir_nn_dense(&net, x, &(weir_nn_dense_options){.name = "out", .units = 2});
    TF_Output loss = weir_nn_softmax_loss(&net, logits, y);
    TF_Output accuracy = weir_nn_accuracy(&net, logits, y);
    weir_trainer_minimize(t, loss, &(weir_optimizer){WEIR_ADAM, .rate = 0.05f});
    weir_trainer_log_every(t, 100, (const char *const[]){"loss"}, &loss, 1);

    TF_Status *status = TF_NewStatus();
    const TF_Output feeds[] = {x, y}, fetches[] = {loss, accuracy};
    TF_Tensor *values[] = {weir_make_tensor(TF_FLOAT, 2, dims, xs),
                           weir_make_tensor(TF_INT32, 1, dims, labels)};
    TF_Tensor *fetched[2];
    float last[2] = {0};
    const weir_step_io io = {feeds, values, 2, fetches, fetched, 2};
    weir_trainer_start(t, status);
    while (TF_GetCode(status) == TF_OK && weir_trainer_step(t, &io, status))
        for (int i = 0; i < 2; i++) {
            last[i] = *(const float *)TF_TensorData(fetched[i]);
            TF_DeleteTensor(fetched[i]);
        }
    if (TF_GetCode(status) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(status)), 1;
    printf("loss %.3f, accuracy %.3f\n", last[0], last[1]);

    weir_trainer_stop(t, status);
    weir_trainer_delete(t);
    TF_DeleteTensor(values[0]);
    TF_DeleteTensor(values[1]);
    TF_DeleteStatus(status);
    return 0;
}
