/* models/null.c - parameters of any size with almost no arithmetic: the cost of a step itself.
 *
 * The loss is half the square of p + 1 for every fetched parameter p, so that the gradient p + 1,
 * which is sent back, has the same size. The dense variant fetches all parameters; the sparse
 * variant a few rows, like a model with a large embedding.
 */
#include <stdio.h>

#include "models/models_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"
#include "weir/ops/random.h"

enum { PIECES = 16, DEFAULT_BYTES = 100 << 20, ROW = 256, ROWS_OF_A_PIECE = 2 };

static TF_Output piece(const building *building, int i, int rank, const int64_t *dims)
{
    char name[16];
    snprintf(name, sizeof name, "p%d", i);
    return weir_nn_variable(&building->net,
                            &(weir_variable_options){.name = name, .rank = rank, .dims = dims});
}

/* Number of rows of |width| in each partition. */
static int64_t rows_of(const building *building, int64_t width)
{
    int64_t bytes = building->o->bytes ? building->o->bytes : DEFAULT_BYTES;
    int64_t rows = bytes / (int64_t)sizeof(float) / PIECES / width;
    return rows ? rows : 1;
}

static TF_Output half_square(const building *building, TF_Output p)
{
    TF_Output one = weir_build_float(building->b, "one", 1);
    return weir_l2_loss(building->b, "L2Loss", weir_add_v2(building->b, "add", p, one));
}

static void build(const building *building)
{
    int64_t count = rows_of(building, 1);
    TF_Output each[PIECES];
    for (int i = 0; i < PIECES; i++)
        each[i] = half_square(building, piece(building, i, 1, &count));
    building->out->loss = weir_add_n(building->b, "loss", each, PIECES);
}

/* Different rows in every step. */
static TF_Output some_rows(const building *building, TF_Output table, int64_t rows, int i)
{
    weir_builder *builder = building->b;
    weir_random_uniform_int_options seeds = {.seed = WEIR_MODELS_SEED, .seed2 = i + 1};
    int64_t one = 1;
    TF_Output count =
        weir_build_const(builder, "count", TF_INT32, 1, &one, (int32_t[]){ROWS_OF_A_PIECE});
    TF_Output low = weir_build_const(builder, "low", TF_INT64, 0, NULL, &(int64_t){0});
    TF_Output high = weir_build_const(builder, "high", TF_INT64, 0, NULL, &rows);
    TF_Output ids = weir_random_uniform_int(builder, "ids", count, low, high, &seeds);
    return weir_nn_embedding(&building->net, table, ids);
}

static void build_sparse(const building *building)
{
    int64_t dims[] = {rows_of(building, ROW), ROW};
    TF_Output each[PIECES];
    for (int i = 0; i < PIECES; i++)
        each[i] =
            half_square(building, some_rows(building, piece(building, i, 2, dims), dims[0], i));
    building->out->loss = weir_add_n(building->b, "loss", each, PIECES);
}

const weir_model weir_model_null = {
    .name = "null",
    .about = "16 parameters of --bytes in all, fetched and updated with no work between",
    .optimizer = {WEIR_GRADIENT_DESCENT, .rate = 0.01f},
    .build = build,
};

const weir_model weir_model_null_sparse = {
    .name = "null_sparse",
    .about = "16 tables of --bytes in all, of which 32 rows are fetched and updated",
    .optimizer = {WEIR_GRADIENT_DESCENT, .rate = 0.01f},
    .build = build_sparse,
};
