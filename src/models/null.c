/* models/null.c - parameters of any size and next to no arithmetic: what a step itself costs.
 *
 * A step fetches every parameter p and sends an update of the same size: the loss is half the
 * square of p + 1, whose gradient is p + 1.
 */
#include <stdio.h>

#include "models/models_impl.h"

enum { PIECES = 16, DEFAULT_BYTES = 100 << 20 };

static TF_Output half_square(const building *m, int64_t count, int i)
{
    char name[16];
    snprintf(name, sizeof name, "p%d", i);
    TF_Output p = weir_nn_variable(
        &m->net, &(weir_variable_options){.name = name, .rank = 1, .dims = &count});
    TF_Output one = weir_build_float(m->b, "one", 1);
    TF_Output moved = weir_build_op(m->b, "AddV2", "add", WEIR_INPUTS(p, one));
    return weir_build_op(m->b, "L2Loss", "L2Loss", &moved, 1);
}

static void build(const building *m)
{
    int64_t bytes = m->o->bytes ? m->o->bytes : DEFAULT_BYTES;
    int64_t count = bytes / (int64_t)sizeof(float) / PIECES;
    TF_Output each[PIECES];
    for (int i = 0; i < PIECES; i++)
        each[i] = half_square(m, count ? count : 1, i);
    TF_OperationDescription *d = weir_build_begin(m->b, "AddN", "loss");
    if (d)
        TF_AddInputList(d, each, PIECES);
    m->out->loss = weir_build_end(m->b, d);
}

const weir_model weir_model_null = {
    .name = "null",
    .about = "16 parameters of --bytes in all, fetched and updated with no work between",
    .optimizer = {WEIR_GRADIENT_DESCENT, .rate = 0.01f},
    .build = build,
};
