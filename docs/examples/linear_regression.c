/* linear_regression.c - finds the line behind noisy points, with a trainer. */
#include <stdio.h>
#include <stdlib.h>

#include "weir/ops.h"
#include "weir/runner.h"
#include "weir/train.h"

enum { POINTS = 200 };

/* y = 3 x + 2, give or take a little. */
static void make_points(float *x, float *y)
{
    srand(1);
    for (int i = 0; i < POINTS; i++) {
        x[i] = (float)rand() / (float)RAND_MAX * 2 - 1;
        y[i] = 3 * x[i] + 2 + 0.02f * ((float)rand() / (float)RAND_MAX - 0.5f);
    }
}

int main(void)
{
    float xs[POINTS], ys[POINTS];
    const int64_t dims[] = {POINTS};
    make_points(xs, ys);

    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.last_step = 300});
    weir_builder *b = weir_trainer_builder(t);
    TF_Output x = weir_build_placeholder(b, "x", TF_FLOAT, 1, dims);
    TF_Output y = weir_build_placeholder(b, "y", TF_FLOAT, 1, dims);
    TF_Output w = weir_trainer_variable(t, &(weir_variable_options){.name = "w"});
    TF_Output c = weir_trainer_variable(t, &(weir_variable_options){.name = "c"});
    TF_Output line = weir_add_v2(b, "line", weir_mul(b, "wx", x, w), c);
    TF_Output error = weir_squared_difference(b, "error", line, y);
    TF_Output loss = weir_mean(b, "loss", error, weir_build_int32(b, "axis", 0), NULL);
    weir_trainer_minimize(t, loss, &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate = 0.3f});

    TF_Status *status = TF_NewStatus();
    const TF_Output feeds[] = {x, y}, fetches[] = {loss, w, c};
    TF_Tensor *values[] = {weir_make_tensor(TF_FLOAT, 1, dims, xs),
                           weir_make_tensor(TF_FLOAT, 1, dims, ys)};
    TF_Tensor *fetched[3];
    float found[3] = {0};
    const weir_step_io io = {feeds, values, 2, fetches, fetched, 3};
    weir_trainer_start(t, status);
    while (TF_GetCode(status) == TF_OK && weir_trainer_step(t, &io, status))
        for (int i = 0; i < 3; i++) {
            found[i] = *(const float *)TF_TensorData(fetched[i]);
            TF_DeleteTensor(fetched[i]);
        }
    if (TF_GetCode(status) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(status)), 1;
    printf("y = %.2f x + %.2f after %lld steps, loss %.1e\n", found[1], found[2],
           (long long)weir_trainer_at(t), found[0]);

    weir_trainer_stop(t, status);
    weir_trainer_delete(t);
    TF_DeleteTensor(values[0]);
    TF_DeleteTensor(values[1]);
    TF_DeleteStatus(status);
    return 0;
}
