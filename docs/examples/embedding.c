/* embedding.c - rows of a table that learn: only those that a step reads are sent and changed. */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"
#include "weir/train.h"

enum { WORDS = 1000, WIDTH = 2, PAIRS = 4 };

int main(void)
{
    /* Words that belong together should end up in one place. */
    const int32_t left[PAIRS] = {1, 2, 700, 701}, right[PAIRS] = {2, 3, 701, 702};
    const int64_t pairs = PAIRS, dims[] = {WORDS, WIDTH};
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.last_step = 200});
    weir_builder *b = weir_trainer_builder(t);
    TF_Output table = weir_trainer_variable(
        t, &(weir_variable_options){.name = "table",
                                    .rank = 2,
                                    .dims = dims,
                                    .initial = {WEIR_NORMAL, .a = 0, .b = 1, .seed = 7}});
    TF_Output one = weir_trainer_gather(t, "one", table,
                                        weir_build_const(b, "left", TF_INT32, 1, &pairs, left));
    TF_Output other = weir_trainer_gather(t, "other", table,
                                          weir_build_const(b, "right", TF_INT32, 1, &pairs, right));
    TF_Output loss = weir_l2_loss(b, "loss", weir_sub(b, "apart", one, other));

    weir_trained pair;
    weir_trainer_gradients(t, loss, &pair, 1);
    printf("the gradient is %s\n", pair.gradient.indices.oper ? "sparse" : "dense");
    weir_trainer_apply_gradients(t, &pair, 1, &(weir_optimizer){WEIR_ADAGRAD, .rate = 0.5f});

    TF_Status *status = TF_NewStatus();
    TF_Tensor *fetched;
    float last = 0, first = -1;
    const weir_step_io io = {.fetches = &loss, .fetched = &fetched, .fetch_count = 1};
    weir_trainer_start(t, status);
    while (TF_GetCode(status) == TF_OK && weir_trainer_step(t, &io, status)) {
        last = *(const float *)TF_TensorData(fetched);
        first = first < 0 ? last : first;
        TF_DeleteTensor(fetched);
    }
    int bad = TF_GetCode(status) != TF_OK;
    if (bad)
        fprintf(stderr, "%s\n", TF_Message(status));
    printf("loss %.3f, then %.3f\n", first, last);
    weir_trainer_stop(t, status);
    weir_trainer_delete(t);
    TF_DeleteStatus(status);
    return bad;
}
