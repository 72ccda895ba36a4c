/* data/synthetic.c - a batch without files: the numbers that numpy's RandomState gives. */
#include "data/batch.h"
#include "data/numpy_random.h"
#include "math/cast/cast.h"
#include "ops/common/elem_of.h"

enum { CLASSES = 10 }; /* when nobody says */

static void put(weir_tensor *t, int64_t at, double value)
{
    weir_elem to = weir_elem_of(t->dtype);
    weir_cast_run(&(weir_par){0}, WEIR_E_f64, to, 1, &value,
                  (char *)t->data + at * weir_elem_size(to));
}

static void draw_ints(weir_numpy_random *r, int64_t bound, weir_tensor *t)
{
    int64_t n = t->buffer ? weir_tensor_count(t) : 0;
    for (int64_t i = 0; i < n; i++)
        put(t, i, (double)weir_numpy_randint(r, bound));
}

static void draw_parts(weir_numpy_random *r, weir_tensor *t)
{
    int64_t n = weir_tensor_count(t);
    for (int64_t i = 0; i < n; i++)
        put(t, i, weir_numpy_rand(r));
}

static weir_status check(const weir_data_options *o)
{
    if (o->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "synthetic data need to know what the model wants (rank, dims)");
    if (o->classes > UINT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "%lld classes are too many for synthetic data",
                          (long long)o->classes);
    return WEIR_OK;
}

weir_status weir_synthetic_make(const weir_data_options *o, weir_batch *out_batch)
{
    WEIR_TRY(check(o));
    bool tokens = o->type && weir_dtype_is_int((weir_dtype)o->type);
    int64_t classes = o->classes > 0 ? o->classes : CLASSES;
    weir_source as_wanted = {.rank = o->rank, .of_tokens = tokens};
    memcpy(as_wanted.dims, o->dims, sizeof as_wanted.dims);
    weir_fit fit;
    WEIR_TRY(weir_fit_init(&fit, o, &as_wanted));
    WEIR_TRY(weir_batch_alloc(&fit, o->batch, out_batch));
    out_batch->count = o->batch;
    weir_numpy_random r;
    weir_numpy_seed(&r, (uint32_t)(o->seed + (uint64_t)o->shard));
    if (tokens)
        draw_ints(&r, classes, &out_batch->x);
    else
        draw_parts(&r, &out_batch->x);
    draw_ints(&r, classes, &out_batch->y);
    return WEIR_OK;
}
