/* ops/internal/products.c - _ProductsBegin, _ProductsAdd and _ProductsEnd: a sum of products of
 * transposed matrices that a loop adds to, one by one.
 *
 * pass/terms.c makes them of the gradient of a weight that the turns of a loop share. Nobody needs
 * the sum before the loop ends, so its terms are collected, and summed many at a time: by another
 * thread while the loop goes on, where there is one and they are small, else on the way. They are
 * always summed in the same lots, so that the result does not depend on who did it.
 *
 * What was collected is a value like others: an op that adds to it gives a new one, in the memory
 * of the old when nobody else holds that.
 */
#include <pthread.h>

#include "base/word.h"
#include "math/binary/binary.h"
#include "math/broadcast.h"
#include "ops/common/elem_of.h"
#include "ops/internal/terms.h"
#include "tensor/handle.h"

enum {
    LOT_WORK = 1 << 20,   /* products of numbers that make a lot, or ... */
    LOT_BYTES = 2 << 20,  /* ... bytes of factors */
    SMALL_SUM = 1 << 16,  /* elements of a sum that another thread may keep to itself, */
    SMALL_TERM = 1 << 19, /* of terms too small for two threads at once; */
    FIRST_LOTS = 2,       /* lots that are worth waking it for */
    SPINS = 20000,        /* watching for the end of another thread's lot before sleeping */
};

typedef struct lot {
    WEIR_VEC(weir_tensor) a, b;
    size_t bytes;
} lot;

typedef WEIR_VEC(lot) lots;

/* A sum, and what waits to be added to it. */
typedef struct adder {
    weir_ref ref;
    weir_tensor sum; /* of whom |idle| says: the thread that adds up, or the one that holds this */
    pthread_mutex_t lock;
    lots waiting;       /* under lock */
    weir_status status; /* under lock: the first failure */
    bool helped;        /* under lock: another thread was asked before */
    bool begun;         /* under lock: another thread adds up, */
    atomic_int idle;    /* or, if this is 0, soon will; changed under lock */
} adder;

typedef struct products {
    weir_variant base;
    adder *adder;
    lot lot; /* being collected */
} products;

static const weir_variant_type products_type = {.name = "weir::Products"};

/* ---- lots ------------------------------------------------------------------------------------ */

static void drop_lot(lot *l)
{
    for (size_t t = 0; t < l->a.count; t++) {
        weir_tensor_release(&l->a.at[t]);
        weir_tensor_release(&l->b.at[t]);
    }
    weir_vec_fini(&l->a);
    weir_vec_fini(&l->b);
    l->bytes = 0;
}

static void add_term(lot *l, const weir_tensor *a, const weir_tensor *b)
{
    weir_vec_push(&l->a, weir_tensor_share(a));
    weir_vec_push(&l->b, weir_tensor_share(b));
    l->bytes += weir_tensor_bytes(a) + weir_tensor_bytes(b);
}

/* For another thread: terms so deep of such a sum. */
static bool is_small(const weir_shape *sum, int64_t depth)
{
    double size = (double)weir_shape_count(sum);
    return size <= SMALL_SUM && size * (double)depth <= SMALL_TERM;
}

/* Adds a lot to the sum, which is the adder's own, and drops it. One that another thread might have
 * added is added as that would. */
static weir_status add_lot(const weir_par *par, adder *d, lot *l)
{
    weir_status s = WEIR_OK;
    if (l->a.count) {
        bool steady = is_small(&d->sum.shape, l->a.at->shape.dims[0]);
        weir_terms all = {l->a.at, l->b.at, l->a.count, .accumulate = true, .steady = steady};
        s = weir_terms_sum(par, &all, &d->sum);
    }
    drop_lot(l);
    return s;
}

/* ---- adding up ------------------------------------------------------------------------------- */

static void drop_waiting(adder *d)
{
    for (size_t i = 0; i < d->waiting.count; i++)
        drop_lot(&d->waiting.at[i]);
    weir_vec_fini(&d->waiting);
}

static void destroy_adder(weir_ref *ref)
{
    adder *d = (adder *)ref;
    drop_waiting(d);
    weir_status_free(d->status);
    weir_tensor_release(&d->sum);
    pthread_mutex_destroy(&d->lock);
    weir_free(d);
}

static adder *create_adder(const weir_tensor *sum)
{
    adder *d = WEIR_NEW(adder);
    weir_ref_init(&d->ref, destroy_adder);
    d->sum = weir_tensor_share(sum);
    pthread_mutex_init(&d->lock, NULL);
    atomic_init(&d->idle, 1);
    return d;
}

/* The next lot, of which there is one; lock held. */
static lot take_lot(adder *d)
{
    lot next = d->waiting.at[0];
    d->waiting.count--;
    for (size_t i = 0; i < d->waiting.count; i++)
        d->waiting.at[i] = d->waiting.at[i + 1];
    return next;
}

/* On a thread of the pool: adds up what waits until nothing does. */
static void add_waiting(void *arg)
{
    adder *d = arg;
    pthread_mutex_lock(&d->lock);
    bool late = atomic_load(&d->idle) || d->begun; /* others were sooner */
    d->begun |= !late;
    while (!late && d->waiting.count) {
        lot next = take_lot(d);
        pthread_mutex_unlock(&d->lock);
        weir_status s = add_lot(NULL, d, &next);
        pthread_mutex_lock(&d->lock);
        if (d->status)
            weir_status_free(s);
        else
            d->status = s;
    }
    if (!late) {
        d->begun = false;
        atomic_store(&d->idle, 1);
    }
    pthread_mutex_unlock(&d->lock);
    if (!late)
        weir_word_wake(&d->idle);
    weir_ref_release(&d->ref);
}

/* Leaves |l| to another thread, once there is enough for it. */
static weir_status hand_over(const weir_par *par, adder *d, lot *l)
{
    if (atomic_load(&d->idle))
        WEIR_TRY(weir_tensor_own(&d->sum));
    pthread_mutex_lock(&d->lock);
    weir_vec_push(&d->waiting, *l);
    bool asks = atomic_load(&d->idle) && (d->helped || d->waiting.count >= FIRST_LOTS);
    if (asks)
        atomic_store(&d->idle, 0);
    d->helped |= asks;
    pthread_mutex_unlock(&d->lock);
    *l = (lot){0};
    if (asks) {
        weir_ref_retain(&d->ref);
        weir_pool_submit(par->pool, add_waiting, d);
    }
    return WEIR_OK;
}

/* Adds up all that waits, and |l|; nobody else works on the sum then. What a thread was asked for
 * and has not begun is done here: it may be this one. */
static weir_status settle(const weir_par *par, adder *d, lot *l)
{
    pthread_mutex_lock(&d->lock);
    lots rest = d->waiting;
    d->waiting = (lots){0};
    if (!d->begun)
        atomic_store(&d->idle, 1);
    pthread_mutex_unlock(&d->lock);
    if (!atomic_load(&d->idle))
        weir_pool_wait(par->pool, &d->idle, SPINS);
    weir_status s = d->status;
    d->status = WEIR_OK;
    if (!s)
        s = weir_tensor_own(&d->sum);
    for (size_t i = 0; i < rest.count; i++)
        if (s)
            drop_lot(&rest.at[i]);
        else
            s = add_lot(par, d, &rest.at[i]);
    weir_vec_fini(&rest);
    return s ? s : add_lot(par, d, l);
}

static bool may_hand_over(const weir_par *par, const weir_shape *sum, int64_t depth)
{
    return par->pool && par->threads > 1 && is_small(sum, depth) && !weir_pool_crowded(par->pool);
}

/* ---- products -------------------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    products *p = (products *)ref;
    pthread_mutex_lock(&p->adder->lock);
    drop_waiting(p->adder);
    pthread_mutex_unlock(&p->adder->lock);
    weir_ref_release(&p->adder->ref);
    drop_lot(&p->lot);
    weir_free(p);
}

static products *create(const weir_tensor *sum)
{
    products *p = WEIR_NEW(products);
    weir_ref_init(&p->base.ref, destroy);
    p->base.type = &products_type;
    p->adder = create_adder(sum);
    return p;
}

static weir_status products_at(const weir_call *call, products **out)
{
    weir_variant *v = weir_tensor_variant(weir_in(call, 0));
    *out = (products *)v;
    return v && v->type == &products_type
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT, "%s takes a sum of products, not %s",
                            call->site->def->name, v ? v->type->name : "nothing");
}

/* Input 0 for changing, with a reference to it: a copy when somebody else holds it. */
static weir_status own_products(const weir_call *call, products **out)
{
    products *from;
    WEIR_TRY(products_at(call, &from));
    if (weir_call_may_reuse(call, 0) && weir_ref_unique(&from->base.ref)) {
        weir_ref_retain(&from->base.ref);
        *out = from;
        return WEIR_OK;
    }
    static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER; /* several may copy the same */
    pthread_mutex_lock(&copying);
    weir_status s = settle(&call->run->par, from->adder, &(lot){0});
    if (!s)
        *out = create(&from->adder->sum);
    pthread_mutex_unlock(&copying);
    WEIR_TRY(s);
    for (size_t t = 0; t < from->lot.a.count; t++)
        add_term(&(*out)->lot, &from->lot.a.at[t], &from->lot.b.at[t]);
    return WEIR_OK;
}

/* The rare case of a sum of another shape: what AddV2 would do. */
static weir_status add_any_shape(const weir_par *par, products *p, const weir_tensor *a,
                                 const weir_tensor *b)
{
    weir_tensor *sum = &p->adder->sum;
    weir_shape matrix = weir_shape_matrix(a->shape.dims[1], b->shape.dims[1]), shape;
    weir_tensor product = {0}, more = {0};
    WEIR_TRY(settle(par, p->adder, &p->lot));
    WEIR_TRY(weir_infer_broadcast_shapes(&sum->shape, &matrix, &shape));
    WEIR_TRY(weir_tensor_alloc(sum->dtype, &matrix, &product));
    weir_status s = weir_terms_sum(par, &(weir_terms){.a = a, .b = b, .count = 1}, &product);
    if (!s)
        s = weir_tensor_alloc(sum->dtype, &shape, &more);
    weir_bcast walk;
    if (!s && weir_bcast_init(&walk, 2, (int[]){sum->shape.rank, 2},
                              (const int64_t *[]){sum->shape.dims, matrix.dims})) {
        weir_binary_bcast(par, WEIR_B_add, weir_elem_of(more.dtype), &walk, sum->data, product.data,
                          more.data);
        weir_tensor_release(sum);
        *sum = more;
    }
    weir_tensor_release(&product);
    return s;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static weir_status infer_begin(weir_infer *i)
{
    i->out[0] = WEIR_SCALAR;
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

static weir_status infer_add(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 1, 2));
    WEIR_TRY(weir_infer_rank(i, 2, 2));
    int64_t k;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, 1, 0), weir_infer_dim(i, 2, 0), &k));
    i->out[0] = WEIR_SCALAR;
    return WEIR_OK;
}

/* Large terms that are so deep that laying them behind each other, which one thread does, costs
 * more than going over the sum for each. */
static bool is_deep(const weir_shape *sum, int64_t depth)
{
    double m = (double)sum->dims[0], n = (double)sum->dims[1];
    return 3 * (m + n) * (double)depth >= 2 * m * n;
}

static bool is_full(const lot *l, const weir_shape *sum)
{
    int64_t depth = l->a.at->shape.dims[0];
    double work = (double)l->a.count * (double)depth * (double)weir_shape_count(sum);
    return l->bytes >= LOT_BYTES || (is_small(sum, depth) ? work >= LOT_WORK : is_deep(sum, depth));
}

static weir_status collect(const weir_par *par, products *p, const weir_tensor *a,
                           const weir_tensor *b)
{
    weir_shape product = weir_shape_matrix(a->shape.dims[1], b->shape.dims[1]);
    if (!weir_shape_eq(&product, &p->adder->sum.shape))
        return add_any_shape(par, p, a, b);
    add_term(&p->lot, a, b);
    if (!is_full(&p->lot, &product))
        return WEIR_OK;
    if (!may_hand_over(par, &product, a->shape.dims[0]))
        return settle(par, p->adder, &p->lot);
    return hand_over(par, p->adder, &p->lot);
}

static weir_status add(weir_call *call)
{
    products *p;
    WEIR_TRY(own_products(call, &p));
    weir_status s = collect(&call->run->par, p, weir_in(call, 1), weir_in(call, 2));
    if (weir_tensor_variant(weir_in(call, 0)) != &p->base) {
        weir_call_set(call, 0, weir_tensor_from_variant(&p->base));
        return s;
    }
    weir_ref_release(&p->base.ref);
    weir_call_forward(call, 0, 0, NULL);
    return s;
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

static weir_status infer_end(weir_infer *i)
{
    i->out[0] = *weir_site_shape(i->site, SHAPE);
    return WEIR_OK;
}

static weir_status end(weir_call *call)
{
    products *p;
    WEIR_TRY(own_products(call, &p));
    weir_status s = settle(&call->run->par, p->adder, &p->lot);
    if (!s)
        weir_call_set(call, 0, weir_tensor_share(&p->adder->sum));
    weir_ref_release(&p->base.ref);
    return s;
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
