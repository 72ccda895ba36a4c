/* data/synthetic.c - a batch without files: the numbers of numpy's RandomState. */
#include "data/batch.h"
#include "data/numpy_random.h"
#include "math/cast/cast.h"
#include "ops/common/elem_of.h"

enum { CLASSES = 10 }; /* by default */

static void put(weir_tensor *tensor, int64_t at, double value)
{
    weir_elem to = weir_elem_of(tensor->dtype);
    weir_cast_run(&(weir_par){0}, WEIR_E_f64, to, 1, &value,
                  (char *)tensor->data + at * weir_elem_size(to));
}

static void draw_ints(weir_numpy_random *random, int64_t bound, weir_tensor *tensor)
{
    int64_t count = tensor->buffer ? weir_tensor_count(tensor) : 0;
    for (int64_t i = 0; i < count; i++)
        put(tensor, i, (double)weir_numpy_randint(random, bound));
}

static void draw_parts(weir_numpy_random *random, weir_tensor *tensor)
{
    int64_t count = weir_tensor_count(tensor);
    for (int64_t i = 0; i < count; i++)
        put(tensor, i, weir_numpy_rand(random));
}

static weir_status check(const weir_data_options *options)
{
    if (options->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "synthetic data need to know what the model wants (rank, dims)");
    if (options->classes > UINT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "%lld classes are too many for synthetic data",
                          (long long)options->classes);
    return WEIR_OK;
}

weir_status weir_synthetic_make(const weir_data_options *options, weir_batch *out_batch)
{
    WEIR_TRY(check(options));
    bool tokens = options->type && weir_dtype_is_int((weir_dtype)options->type);
    int64_t classes = options->classes > 0 ? options->classes : CLASSES;
    weir_source as_wanted = {.rank = options->rank, .of_tokens = tokens};
    memcpy(as_wanted.dims, options->dims, sizeof as_wanted.dims);
    weir_fit fit;
    WEIR_TRY(weir_fit_init(&fit, options, &as_wanted));
    WEIR_TRY(weir_batch_alloc(&fit, options->batch, out_batch));
    out_batch->count = options->batch;
    weir_numpy_random random;
    weir_numpy_seed(&random, (uint32_t)(options->seed + (uint64_t)options->shard));
    if (tokens)
        draw_ints(&random, classes, &out_batch->x);
    else
        draw_parts(&random, &out_batch->x);
    draw_ints(&random, classes, &out_batch->y);
    return WEIR_OK;
}
