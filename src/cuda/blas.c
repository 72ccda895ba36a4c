/* cuda/blas.c - products by cublasLt, planned once per shape.
 *
 * The library's matrices are column-major: c' = b' a' is computed, which has the same memory
 * layout.
 */
#include "cuda/blas.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "math/elem.h"

enum { CHOICES = 8 };

/* The cached plan of a shape. */
typedef struct plan {
    blas_desc desc;
    blas_layout first, second, result; /* b, a and c */
    blas_choice choices[CHOICES];
    int choice; /* the selected algorithm; below 0: none is supported */
} plan;

struct weir_blas {
    const weir_blas_functions *lt;
    weir_tuner *tuner;
    blas_handle handle;
    blas_preference preference;
    cu_stream stream;
    void *workspace;
    size_t workspace_bytes;
    weir_map plans; /* by the product's parameters without its addresses */
};

weir_blas *weir_blas_create(weir_tuner *tuner, cu_stream stream, void *workspace, size_t bytes)
{
    const weir_blas_functions *lt = weir_blas_open();
    weir_blas made = {.lt = lt,
                      .tuner = tuner,
                      .stream = stream,
                      .workspace = workspace,
                      .workspace_bytes = bytes};
    uint64_t room = bytes;
    if (!lt || !tuner || lt->create(&made.handle) != 0 ||
        lt->preference_create(&made.preference) != 0 ||
        lt->preference_set(made.preference, BLAS_WORKSPACE, &room, sizeof room) != 0)
        return NULL;
    weir_blas *blas = WEIR_NEW(weir_blas);
    *blas = made;
    return blas;
}

static void free_plan(const weir_blas *blas, plan *plan)
{
    if (plan->desc)
        blas->lt->desc_destroy(plan->desc);
    if (plan->first)
        blas->lt->layout_destroy(plan->first);
    if (plan->second)
        blas->lt->layout_destroy(plan->second);
    if (plan->result)
        blas->lt->layout_destroy(plan->result);
    weir_free(plan);
}

void weir_blas_destroy(weir_blas *blas)
{
    size_t at = 0;
    weir_str key;
    void *value;
    if (!blas)
        return;
    while (weir_map_next(&blas->plans, &at, &key, &value))
        free_plan(blas, value);
    weir_map_fini(&blas->plans);
    weir_free(blas);
}

static int type_of(int elem)
{
    return elem == WEIR_E_f64    ? BLAS_F64
           : elem == WEIR_E_f16  ? BLAS_F16
           : elem == WEIR_E_bf16 ? BLAS_BF16
                                 : BLAS_F32;
}

static bool make_layout(const weir_blas *blas, int elem, int64_t rows, int64_t columns,
                        int64_t batch, int64_t step, blas_layout *out)
{
    int32_t count = (int32_t)batch;
    if (blas->lt->layout_create(out, type_of(elem), (uint64_t)rows, (uint64_t)columns, rows) != 0)
        return false;
    return batch == 1 || (blas->lt->layout_set(*out, BLAS_BATCH, &count, sizeof count) == 0 &&
                          blas->lt->layout_set(*out, BLAS_BATCH_STEP, &step, sizeof step) == 0);
}

static bool make_desc(const weir_blas *blas, const weir_gpu_product *p, blas_desc *out)
{
    int32_t first = p->b_transposed, second = p->a_transposed;
    int32_t then = p->relu ? BLAS_ADD_BIAS_RELU : BLAS_ADD_BIAS;
    bool wide = p->elem == WEIR_E_f64;
    int arithmetic = wide ? BLAS_IN_F64 : p->elem == WEIR_E_f32 ? BLAS_IN_TF32 : BLAS_IN_F32;
    return blas->lt->desc_create(out, arithmetic, wide ? BLAS_F64 : BLAS_F32) == 0 &&
           blas->lt->desc_set(*out, BLAS_TRANSPOSE_A, &first, sizeof first) == 0 &&
           blas->lt->desc_set(*out, BLAS_TRANSPOSE_B, &second, sizeof second) == 0 &&
           (!p->bias || (blas->lt->desc_set(*out, BLAS_THEN, &then, sizeof then) == 0 &&
                         blas->lt->desc_set(*out, BLAS_BIAS, &p->bias, sizeof p->bias) == 0));
}

/* Returns the number of algorithms. */
static int fill_plan(const weir_blas *blas, const weir_gpu_product *p, plan *plan)
{
    int count = 0;
    bool made = make_desc(blas, p, &plan->desc) &&
                make_layout(blas, p->elem, p->b_transposed ? p->k : p->n,
                            p->b_transposed ? p->n : p->k, p->batch, p->b_step, &plan->first) &&
                make_layout(blas, p->elem, p->a_transposed ? p->m : p->k,
                            p->a_transposed ? p->k : p->m, p->batch, p->a_step, &plan->second) &&
                make_layout(blas, p->elem, p->n, p->m, p->batch, p->c_step, &plan->result);
    if (!made ||
        blas->lt->choose(blas->handle, plan->desc, plan->first, plan->second, plan->result,
                         plan->result, blas->preference, CHOICES, plan->choices, &count) != 0)
        return 0;
    return count;
}

typedef struct choosing {
    const weir_blas *blas;
    const plan *plan;
    const weir_gpu_product *product;
} choosing;

static bool run_choice(void *arg, int choice)
{
    static const float one = 1, zero = 0;
    static const double wide_one = 1, wide_zero = 0;
    const choosing *choosing = arg;
    const weir_blas *blas = choosing->blas;
    const plan *plan = choosing->plan;
    const weir_gpu_product *p = choosing->product;
    bool wide = p->elem == WEIR_E_f64;
    if (p->bias && blas->lt->desc_set(plan->desc, BLAS_BIAS, &p->bias, sizeof p->bias) != 0)
        return false;
    return blas->lt->multiply(blas->handle, plan->desc, wide ? (const void *)&wide_one : &one, p->b,
                              plan->first, p->a, plan->second,
                              wide ? (const void *)&wide_zero : &zero, p->c, plan->result, p->c,
                              plan->result, &plan->choices[choice].algorithm, blas->workspace,
                              blas->workspace_bytes, blas->stream) == 0;
}

static void add_key(const weir_gpu_product *p, weir_buf *key)
{
    weir_buf_addf(key, "product %d %lld %lld %lld %lld %d%d%d", p->elem, (long long)p->m,
                  (long long)p->n, (long long)p->k, (long long)p->batch, p->a_transposed,
                  p->b_transposed, (p->bias != NULL) + (p->bias && p->relu));
}

static plan *make_plan(const weir_blas *blas, const weir_gpu_product *product)
{
    plan *made = WEIR_NEW(plan);
    choosing choosing = {blas, made, product};
    WEIR_BUF(key);
    add_key(product, &key);
    size_t unit = (size_t)weir_elem_size((weir_elem)product->elem);
    weir_tuner_work work = {.key = key.at,
                            .count = fill_plan(blas, product, made),
                            .run = run_choice,
                            .arg = &choosing,
                            .result = product->c,
                            .bytes = (size_t)(product->m * product->n) * unit,
                            .elem = product->elem};
    made->choice = weir_tuner_pick(blas->tuner, &work);
    return made;
}

static plan *get_plan(weir_blas *blas, const weir_gpu_product *product)
{
    weir_gpu_product key;
    memset(&key, 0, sizeof key); /* including padding: it is the key */
    key.elem = product->elem;
    key.m = product->m, key.n = product->n, key.k = product->k, key.batch = product->batch;
    key.a_transposed = product->a_transposed, key.b_transposed = product->b_transposed;
    key.bias = product->bias ? "" : NULL, key.relu = product->bias && product->relu;
    key.a_step = product->a_step, key.b_step = product->b_step, key.c_step = product->c_step;
    weir_str text = {(const char *)&key, sizeof key};
    plan *found = weir_map_get(&blas->plans, text);
    if (found)
        return found;
    found = make_plan(blas, product);
    weir_map_put(&blas->plans, text, found);
    return found;
}

weir_status weir_blas_multiply(weir_blas *blas, const weir_gpu_product *product)
{
    const plan *plan = get_plan(blas, product);
    choosing choosing = {blas, plan, product};
    if (plan->choice < 0)
        return weir_error(WEIR_UNIMPLEMENTED, "cublasLt does not serve the product");
    return run_choice(&choosing, plan->choice) ? WEIR_OK
                                               : weir_error(WEIR_INTERNAL, "cublasLtMatmul failed");
}
