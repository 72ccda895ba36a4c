/* ops/internal/products.c - _ProductsBegin, _ProductsAdd and _ProductsEnd: a sum of products of
 * transposed matrices that a loop adds to, one by one.
 *
 * pass/defer_sums.c creates them from the gradient of a weight shared by the iterations of a loop.
 * The sum is not needed before the loop ends, so its terms are collected in chunks, and each chunk
 * is summed at once: by another thread concurrently with the loop, if one is available and the
 * terms are small, else by the loop's own. The chunks do not depend on the thread, and so neither
 * does the result.
 *
 * The collection is an ordinary value (a variant): an op that adds to it returns a new one, which
 * reuses the memory of the old one if it holds the only reference.
 */
#include "base/mutex.h"
#include "base/word.h"
#include "math/binary/binary.h"
#include "math/broadcast.h"
#include "ops/common/elem_of.h"
#include "ops/internal/terms.h"
#include "tensor/handle.h"

enum {
    CHUNK_WORK = 1 << 20,  /* multiplications per chunk, or ... */
    CHUNK_BYTES = 2 << 20, /* ... bytes of factors */
    SMALL_SUM = 1 << 16,   /* elements of a sum for a single other thread, ... */
    SMALL_TERM = 1 << 19,  /* ... and multiplications per term for a single thread */
    FIRST_CHUNKS = 2,      /* queued chunks for which another thread is woken */
    SPINS = 20000,         /* polls for another thread's chunk before sleeping */
};

typedef struct chunk {
    WEIR_VEC(weir_tensor) a, b;
    size_t bytes;
} chunk;

typedef WEIR_VEC(chunk) chunks;

/* A sum, and its pending terms. */
typedef struct adder {
    weir_ref ref;
    weir_tensor sum; /* if idle, owned by this object's holder; otherwise by the summing thread */
    weir_mutex lock;
    chunks waiting WEIR_GUARDED_BY(lock);
    weir_status status WEIR_GUARDED_BY(lock); /* the first failure */
    bool helped WEIR_GUARDED_BY(lock);        /* a task was submitted before */
    bool begun WEIR_GUARDED_BY(lock);         /* another thread is summing */
    atomic_int idle; /* 0: a task is submitted or running; changed under lock */
} adder;

typedef struct products {
    weir_variant base;
    adder *adder;
    chunk chunk; /* being collected */
} products;

static const weir_variant_type products_type = {.name = "weir::Products"};

/* ---- chunks ---------------------------------------------------------------------------------- */

static void drop_chunk(chunk *chunk)
{
    for (size_t t = 0; t < chunk->a.count; t++) {
        weir_tensor_release(&chunk->a.at[t]);
        weir_tensor_release(&chunk->b.at[t]);
    }
    weir_vec_fini(&chunk->a);
    weir_vec_fini(&chunk->b);
    chunk->bytes = 0;
}

static void add_term(chunk *chunk, const weir_tensor *a, const weir_tensor *b)
{
    weir_vec_push(&chunk->a, weir_tensor_share(a));
    weir_vec_push(&chunk->b, weir_tensor_share(b));
    chunk->bytes += weir_tensor_bytes(a) + weir_tensor_bytes(b);
}

/* Whether another thread may add terms of |depth| rows to a sum of this shape. */
static bool is_small(const weir_shape *sum, int64_t depth)
{
    double size = (double)weir_shape_count(sum);
    return size <= SMALL_SUM && size * (double)depth <= SMALL_TERM;
}

/* Adds a chunk to the sum, which the caller owns, and frees the chunk. Small terms are always added
 * single-threaded, so that the result does not depend on the number of threads. */
static weir_status add_chunk(const weir_par *par, adder *adder, chunk *chunk)
{
    weir_status status = WEIR_OK;
    if (chunk->a.count) {
        bool steady = is_small(&adder->sum.shape, chunk->a.at->shape.dims[0]);
        weir_terms all = {chunk->a.at, chunk->b.at, chunk->a.count, .accumulate = true,
                          .steady = steady};
        status = weir_terms_sum(par, &all, &adder->sum);
    }
    drop_chunk(chunk);
    return status;
}

/* ---- summation ------------------------------------------------------------------------------- */

static void drop_waiting(adder *adder) WEIR_REQUIRES(adder->lock)
{
    for (size_t i = 0; i < adder->waiting.count; i++)
        drop_chunk(&adder->waiting.at[i]);
    weir_vec_fini(&adder->waiting);
}

static void destroy_adder(weir_ref *ref)
{
    adder *self = (adder *)ref;
    weir_mutex_lock(&self->lock);
    drop_waiting(self);
    weir_status_free(self->status);
    weir_mutex_unlock(&self->lock);
    weir_tensor_release(&self->sum);
    weir_mutex_fini(&self->lock);
    weir_free(self);
}

static adder *create_adder(const weir_tensor *sum)
{
    adder *new_adder = WEIR_NEW(adder);
    weir_ref_init(&new_adder->ref, destroy_adder);
    new_adder->sum = weir_tensor_share(sum);
    weir_mutex_init(&new_adder->lock);
    atomic_init(&new_adder->idle, 1);
    return new_adder;
}

/* The next chunk; there is at least one. */
static chunk take_chunk(adder *adder) WEIR_REQUIRES(adder->lock)
{
    chunk next = adder->waiting.at[0];
    adder->waiting.count--;
    for (size_t i = 0; i < adder->waiting.count; i++)
        adder->waiting.at[i] = adder->waiting.at[i + 1];
    return next;
}

/* On a pool thread: sums queued chunks until there are none. */
static void add_waiting(void *arg)
{
    adder *adder = arg;
    weir_mutex_lock(&adder->lock);
    bool late = atomic_load(&adder->idle) || adder->begun; /* finished, or another task runs */
    adder->begun |= !late;
    while (!late && adder->waiting.count) {
        chunk next = take_chunk(adder);
        weir_mutex_unlock(&adder->lock);
        weir_status status = add_chunk(NULL, adder, &next);
        weir_mutex_lock(&adder->lock);
        if (adder->status)
            weir_status_free(status);
        else
            adder->status = status;
    }
    if (!late) {
        adder->begun = false;
        atomic_store(&adder->idle, 1);
    }
    weir_mutex_unlock(&adder->lock);
    if (!late)
        weir_word_wake(&adder->idle);
    weir_ref_release(&adder->ref);
}

/* Queues the chunk |full| for another thread, which is woken once there is enough work. */
static weir_status enqueue(const weir_par *par, adder *adder, chunk *full)
{
    if (atomic_load(&adder->idle))
        WEIR_TRY(weir_tensor_own(&adder->sum));
    weir_mutex_lock(&adder->lock);
    weir_vec_push(&adder->waiting, *full);
    bool submits =
        atomic_load(&adder->idle) && (adder->helped || adder->waiting.count >= FIRST_CHUNKS);
    if (submits)
        atomic_store(&adder->idle, 0);
    adder->helped |= submits;
    weir_mutex_unlock(&adder->lock);
    *full = (chunk){0};
    if (submits) {
        weir_ref_retain(&adder->ref);
        weir_pool_submit(par->pool, add_waiting, adder);
    }
    return WEIR_OK;
}

/* Sums all queued chunks, and |chunk|; afterwards no other thread uses the sum. A submitted task
 * that has not started finds nothing to do: its thread may be this one. */
static weir_status settle(const weir_par *par, adder *adder, chunk *chunk)
{
    weir_mutex_lock(&adder->lock);
    chunks rest = adder->waiting;
    adder->waiting = (chunks){0};
    if (!adder->begun)
        atomic_store(&adder->idle, 1);
    weir_mutex_unlock(&adder->lock);
    if (!atomic_load(&adder->idle))
        weir_pool_wait(par->pool, &adder->idle, SPINS);
    weir_mutex_lock(&adder->lock);
    weir_status status = adder->status;
    adder->status = WEIR_OK;
    weir_mutex_unlock(&adder->lock);
    if (!status)
        status = weir_tensor_own(&adder->sum);
    for (size_t i = 0; i < rest.count; i++)
        if (status)
            drop_chunk(&rest.at[i]);
        else
            status = add_chunk(par, adder, &rest.at[i]);
    weir_vec_fini(&rest);
    return status ? status : add_chunk(par, adder, chunk);
}

static bool may_enqueue(const weir_par *par, const weir_shape *sum, int64_t depth)
{
    return par->pool && par->threads > 1 && is_small(sum, depth) && !weir_pool_crowded(par->pool);
}

/* ---- products -------------------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    products *self = (products *)ref;
    weir_mutex_lock(&self->adder->lock);
    drop_waiting(self->adder);
    weir_mutex_unlock(&self->adder->lock);
    weir_ref_release(&self->adder->ref);
    drop_chunk(&self->chunk);
    weir_free(self);
}

static products *create(const weir_tensor *sum)
{
    products *new_products = WEIR_NEW(products);
    weir_ref_init(&new_products->base.ref, destroy);
    new_products->base.type = &products_type;
    new_products->adder = create_adder(sum);
    return new_products;
}

static weir_status products_at(const weir_call *call, products **out)
{
    weir_variant *variant = weir_tensor_variant(weir_in(call, 0));
    *out = (products *)variant;
    return variant && variant->type == &products_type
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT, "%s takes a sum of products, not %s",
                            call->site->def->name, variant ? variant->type->name : "nothing");
}

/* Input 0, retained, for modification: copied if there are other references. */
static weir_status own_products(const weir_call *call, products **out)
{
    products *from;
    WEIR_TRY(products_at(call, &from));
    if (weir_call_may_reuse(call, 0) && weir_ref_unique(&from->base.ref)) {
        weir_ref_retain(&from->base.ref);
        *out = from;
        return WEIR_OK;
    }
    static weir_mutex copying = WEIR_MUTEX_INIT; /* several threads may copy the same value */
    weir_mutex_lock(&copying);
    weir_status status = settle(&call->run->par, from->adder, &(chunk){0});
    if (!status)
        *out = create(&from->adder->sum);
    weir_mutex_unlock(&copying);
    WEIR_TRY(status);
    for (size_t t = 0; t < from->chunk.a.count; t++)
        add_term(&(*out)->chunk, &from->chunk.a.at[t], &from->chunk.b.at[t]);
    return WEIR_OK;
}

/* The rare case of a sum of another shape: as in AddV2. */
static weir_status add_any_shape(const weir_par *par, products *products, const weir_tensor *a,
                                 const weir_tensor *b)
{
    weir_tensor *sum = &products->adder->sum;
    weir_shape matrix = weir_shape_matrix(a->shape.dims[1], b->shape.dims[1]), shape;
    weir_tensor product = {0}, more = {0};
    WEIR_TRY(settle(par, products->adder, &products->chunk));
    WEIR_TRY(weir_infer_broadcast_shapes(&sum->shape, &matrix, &shape));
    WEIR_TRY(weir_tensor_alloc(sum->dtype, &matrix, &product));
    weir_status status = weir_terms_sum(par, &(weir_terms){.a = a, .b = b, .count = 1}, &product);
    if (!status)
        status = weir_tensor_alloc(sum->dtype, &shape, &more);
    weir_bcast walk;
    if (!status && weir_bcast_init(&walk, 2, (int[]){sum->shape.rank, 2},
                                   (const int64_t *[]){sum->shape.dims, matrix.dims})) {
        weir_binary_bcast(par, WEIR_B_add, weir_elem_of(more.dtype), &walk, sum->data, product.data,
                          more.data);
        weir_tensor_release(sum);
        *sum = more;
    }
    weir_tensor_release(&product);
    return status;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static weir_status infer_begin(weir_infer *infer)
{
    infer->out[0] = WEIR_SCALAR;
    return WEIR_OK;
}

static weir_status begin(weir_call *call)
{
    weir_call_set(call, 0, weir_tensor_from_variant(&create(weir_in(call, 0))->base));
    return WEIR_OK;
}

const weir_op weir_op_products_begin = {
    .name = "_ProductsBegin",
    .in = "sum: T",
    .out = "products: variant",
    .attrs = "T: {float, double}",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_begin,
    .kernels = {{WEIR_CPU, "*", begin, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

static weir_status infer_add(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 1, 2));
    WEIR_TRY(weir_infer_rank(infer, 2, 2));
    int64_t k;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), weir_infer_dim(infer, 2, 0), &k));
    infer->out[0] = WEIR_SCALAR;
    return WEIR_OK;
}

/* Large terms whose concatenation, which one thread does, would cost more than one pass over the
 * sum per term. */
static bool is_deep(const weir_shape *sum, int64_t depth)
{
    double m = (double)sum->dims[0], n = (double)sum->dims[1];
    return 3 * (m + n) * (double)depth >= 2 * m * n;
}

static bool is_full(const chunk *chunk, const weir_shape *sum)
{
    int64_t depth = chunk->a.at->shape.dims[0];
    double work = (double)chunk->a.count * (double)depth * (double)weir_shape_count(sum);
    return chunk->bytes >= CHUNK_BYTES ||
           (is_small(sum, depth) ? work >= CHUNK_WORK : is_deep(sum, depth));
}

static weir_status collect(const weir_par *par, products *products, const weir_tensor *a,
                           const weir_tensor *b)
{
    weir_shape product = weir_shape_matrix(a->shape.dims[1], b->shape.dims[1]);
    if (!weir_shape_eq(&product, &products->adder->sum.shape))
        return add_any_shape(par, products, a, b);
    add_term(&products->chunk, a, b);
    if (!is_full(&products->chunk, &product))
        return WEIR_OK;
    if (!may_enqueue(par, &product, a->shape.dims[0]))
        return settle(par, products->adder, &products->chunk);
    return enqueue(par, products->adder, &products->chunk);
}

static weir_status add(weir_call *call)
{
    products *products;
    WEIR_TRY(own_products(call, &products));
    weir_status status = collect(&call->run->par, products, weir_in(call, 1), weir_in(call, 2));
    if (weir_tensor_variant(weir_in(call, 0)) != &products->base) {
        weir_call_set(call, 0, weir_tensor_from_variant(&products->base));
        return status;
    }
    weir_ref_release(&products->base.ref);
    weir_call_forward(call, 0, 0, NULL);
    return status;
}

const weir_op weir_op_products_add = {
    .name = "_ProductsAdd",
    .in = "products: variant; a: T; b: T",
    .out = "more: variant",
    .attrs = "T: {float, double}",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_add,
    .kernels = {{WEIR_CPU, "*", add, WEIR_OWN_OUTPUTS}},
};

enum { SHAPE };

static weir_status infer_end(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, SHAPE);
    return WEIR_OK;
}

static weir_status end(weir_call *call)
{
    products *products;
    WEIR_TRY(own_products(call, &products));
    weir_status status = settle(&call->run->par, products->adder, &products->chunk);
    if (!status)
        weir_call_set(call, 0, weir_tensor_share(&products->adder->sum));
    weir_ref_release(&products->base.ref);
    return status;
}

const weir_op weir_op_products_end = {
    .name = "_ProductsEnd",
    .in = "products: variant",
    .out = "sum: T",
    .attrs = "shape: shape; T: {float, double}",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_end,
    .kernels = {{WEIR_CPU, "*", end, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};
