/* ops/state/update.c - runs an in-place loop in parallel. */
#include "ops/state/update_impl.h"

#include "ops/common/elem_of.h"

typedef struct work {
    weir_update_fn fn;
    char *y;
    const char *x;
    size_t size;
} work;

static void part(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    size_t at = (size_t)begin * work->size;
    work->fn(work->y + at, work->x + at, end - begin, 1);
}

enum { GRAIN = 32768 }; /* elements per thread */

void weir_update_tensor(const weir_par *par, weir_update_op op, weir_tensor *y,
                        const weir_tensor *x)
{
    work work = {weir_update_find(op, weir_elem_of(y->dtype)), y->data, x->data,
                 weir_dtype_size(y->dtype)};
    weir_par_for(par, weir_tensor_count(y), GRAIN, part, &work);
}
