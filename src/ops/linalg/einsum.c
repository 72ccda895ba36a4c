/* ops/linalg/einsum.c - Einsum: products and sums over named dimensions.
 *
 * Every operand is brought to dense form with its labels in a chosen order, by one strided copy
 * that also takes diagonals (strides of repeated labels add up) and repeats broadcast dimensions
 * (stride 0). Then labels of one operand only are summed away, and the rest is a batch of matrix
 * products.
 */
#include "math/gemm/gemm.h"
#include "math/reduce/reduce.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/ndcopy.h"
#include "ops/linalg/einsum_grad.h"
#include "ops/linalg/equation.h"

enum { EQUATION }; /* attr */

/* ---- inference
 * ----------------------------------------------------------------------------------- */

static int ellipsis_dims(const weir_equation *e, const weir_shape *const *shapes)
{
    int most = 0;
    for (int k = 0; k < e->inputs; k++) {
        int dims = shapes[k]->rank - weir_term_letters(e->terms[k]);
        if (weir_term_has_ellipsis(e->terms[k]) && dims > most)
            most = dims;
    }
    return most;
}

static weir_status einsum_infer(weir_infer *i)
{
    weir_equation e;
    weir_term terms[WEIR_EINSUM_INPUTS], out;
    int64_t sizes[WEIR_EINSUM_LABELS];
    WEIR_TRY(weir_equation_parse(weir_site_str(i->site, EQUATION), i->in_count, &e));
    for (int k = 0; k < e.inputs; k++) {
        if (i->in[k]->rank < 0)
            return WEIR_OK;
        WEIR_TRY(weir_term_resolve(e.terms[k], i->in[k]->rank, 0, &terms[k]));
    }
    WEIR_TRY(weir_term_resolve(e.output, -1, ellipsis_dims(&e, i->in), &out));
    WEIR_TRY(weir_equation_sizes(terms, i->in, e.inputs, sizes));
    i->out[0] = WEIR_SCALAR;
    for (int d = 0; d < out.count; d++) {
        bool known = false;
        for (int k = 0; k < e.inputs; k++)
            known = known || weir_term_has(&terms[k], out.labels[d]);
        if (!known && out.labels[d] < WEIR_EINSUM_ELLIPSIS)
            return weir_error(WEIR_INVALID_ARGUMENT, "Einsum output label of '%.*s' is in no input",
                              (int)e.output.length, e.output.at);
        weir_shape_append(&i->out[0], sizes[out.labels[d]]);
    }
    return WEIR_OK;
}

/* ---- dense forms
 * --------------------------------------------------------------------------------- */

/* Strides by label of a dense array of |dims| labelled |t|; a dimension of 1 has stride 0. */
static void strides_of(const weir_term *t, const int64_t *dims, int64_t strides[WEIR_EINSUM_LABELS])
{
    int64_t step = 1;
    memset(strides, 0, sizeof *strides * WEIR_EINSUM_LABELS);
    for (int d = t->count - 1; d >= 0; d--) {
        strides[t->labels[d]] += dims[d] == 1 ? 0 : step;
        step *= dims[d];
    }
}

static int64_t product_of(const weir_term *t, const int64_t *sizes)
{
    int64_t n = 1;
    for (int d = 0; d < t->count; d++)
        n *= sizes[t->labels[d]];
    return n;
}

static void append(weir_term *t, const weir_term *more)
{
    for (int d = 0; d < more->count && t->count < WEIR_MAX_RANK; d++)
        t->labels[t->count++] = more->labels[d];
}

/* |x|, labelled |from|, as a new dense array with labels in the order of |to|. */
static weir_status rearrange(weir_call *call, const weir_tensor *x, const weir_term *from,
                             const weir_term *to, const int64_t *sizes, weir_tensor *out)
{
    int64_t strides[WEIR_EINSUM_LABELS], dims[WEIR_MAX_RANK] = {0};
    weir_shape flat = weir_shape_vector(product_of(to, sizes));
    WEIR_TRY(weir_tensor_alloc(x->dtype, &flat, out));
    strides_of(from, x->shape.dims, strides);
    weir_ndcopy copy = {0};
    int64_t step = flat.dims[0];
    for (int d = 0; d < to->count; d++) {
        dims[d] = sizes[to->labels[d]];
        step = dims[d] ? step / dims[d] : 0;
        weir_ndcopy_add(&copy, dims[d], step, strides[to->labels[d]]);
    }
    if (flat.dims[0])
        weir_ndcopy_run(&call->run->par, x->dtype, out->data, x->data, &copy);
    return WEIR_OK;
}

/* Labels of |t|, each once, for which |want| says yes. */
typedef struct chooser {
    const weir_term *other; /* null: none */
    const weir_term *output;
    bool in_other, in_output;
} chooser;

static weir_term choose(const weir_term *t, chooser c)
{
    weir_term out = {0};
    for (int d = 0; d < t->count; d++) {
        int label = t->labels[d];
        bool in_other = c.other && weir_term_has(c.other, label);
        bool in_output = weir_term_has(c.output, label);
        if (in_other == c.in_other && in_output == c.in_output && !weir_term_has(&out, label))
            out.labels[out.count++] = (int8_t)label;
    }
    return out;
}

/* Sums [kept, summed] over its second part; takes over |x|. */
static weir_status sum_tail(weir_call *call, weir_tensor *x, int64_t kept, int64_t summed)
{
    if (summed == 1)
        return WEIR_OK;
    weir_tensor y;
    weir_shape shape = weir_shape_vector(kept);
    WEIR_TRY(weir_tensor_alloc(x->dtype, &shape, &y));
    weir_status s =
        weir_reduce_run(&call->run->par, WEIR_R_sum, weir_elem_of(x->dtype), 2,
                        (int64_t[]){kept, summed}, (bool[]){false, true}, x->data, y.data);
    weir_tensor_release(x);
    *x = y;
    return s;
}

/* Operand |in| dense, in the order |order| (followed by labels that are summed away here). */
static weir_status prepare(weir_call *call, int in, const weir_term *from, const weir_term *order,
                           const weir_term *alone, const int64_t *sizes, weir_tensor *out)
{
    weir_term to = *order;
    append(&to, alone);
    WEIR_TRY(rearrange(call, weir_in(call, in), from, &to, sizes, out));
    weir_status s = sum_tail(call, out, product_of(order, sizes), product_of(alone, sizes));
    if (s)
        weir_tensor_release(out);
    return s;
}

/* ---- the kernel
 * ---------------------------------------------------------------------------------- */

/* Writes dense |x|, labelled |from|, into the output, whose labels may repeat. */
static weir_status finish(weir_call *call, const weir_tensor *x, const weir_term *from,
                          const weir_term *out, const int64_t *sizes)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t strides[WEIR_EINSUM_LABELS];
    strides_of(out, y->shape.dims, strides);
    weir_tensor_zero(&call->run->par, y);
    weir_ndcopy copy = {0};
    int64_t step = product_of(from, sizes);
    if (step == 0)
        return WEIR_OK;
    for (int d = 0; d < from->count; d++) {
        step /= sizes[from->labels[d]];
        weir_ndcopy_add(&copy, sizes[from->labels[d]], strides[from->labels[d]], step);
    }
    weir_ndcopy_run(&call->run->par, y->dtype, y->data, x->data, &copy);
    return WEIR_OK;
}

static weir_status one_operand(weir_call *call, const weir_term *t, const weir_term *out,
                               const int64_t *sizes)
{
    weir_term kept = choose(t, (chooser){NULL, out, false, true});
    weir_term summed = choose(t, (chooser){NULL, out, false, false});
    weir_tensor x;
    WEIR_TRY(prepare(call, 0, t, &kept, &summed, sizes, &x));
    weir_status s = finish(call, &x, &kept, out, sizes);
    weir_tensor_release(&x);
    return s;
}

/* The parts of two operands: [batch, rows, inner] and [batch, inner, columns]. */
typedef struct parts {
    weir_term batch, rows, columns, inner, alone[2];
} parts;

static parts split(const weir_term *t, const weir_term *out)
{
    return (parts){
        .batch = choose(&t[0], (chooser){&t[1], out, true, true}),
        .inner = choose(&t[0], (chooser){&t[1], out, true, false}),
        .rows = choose(&t[0], (chooser){&t[1], out, false, true}),
        .columns = choose(&t[1], (chooser){&t[0], out, false, true}),
        .alone = {choose(&t[0], (chooser){&t[1], out, false, false}),
                  choose(&t[1], (chooser){&t[0], out, false, false})},
    };
}

static weir_status multiply(weir_call *call, const parts *p, const int64_t *sizes,
                            const weir_tensor *a, const weir_tensor *b, weir_tensor *out)
{
    int64_t batch = product_of(&p->batch, sizes), m = product_of(&p->rows, sizes);
    int64_t n = product_of(&p->columns, sizes), k = product_of(&p->inner, sizes);
    weir_shape shape = weir_shape_vector(batch * m * n);
    WEIR_TRY(weir_tensor_alloc(a->dtype, &shape, out));
    if (batch > 0)
        weir_gemm_run(&call->run->par, &(weir_gemm){
                                           .elem = weir_elem_of(a->dtype),
                                           .m = m,
                                           .n = n,
                                           .k = k,
                                           .a = a->data,
                                           .b = b->data,
                                           .c = out->data,
                                           .batch = batch,
                                           .a_step = m * k,
                                           .b_step = k * n,
                                           .c_step = m * n,
                                       });
    return WEIR_OK;
}

static weir_status two_operands(weir_call *call, const weir_term *t, const weir_term *out,
                                const int64_t *sizes)
{
    parts p = split(t, out);
    weir_term left = p.batch, right = p.batch, result = p.batch;
    append(&left, &p.rows);
    append(&left, &p.inner);
    append(&right, &p.inner);
    append(&right, &p.columns);
    append(&result, &p.rows);
    append(&result, &p.columns);
    weir_tensor a = {0}, b = {0}, c = {0};
    weir_status s = prepare(call, 0, &t[0], &left, &p.alone[0], sizes, &a);
    if (!s)
        s = prepare(call, 1, &t[1], &right, &p.alone[1], sizes, &b);
    if (!s)
        s = multiply(call, &p, sizes, &a, &b, &c);
    if (!s)
        s = finish(call, &c, &result, out, sizes);
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    weir_tensor_release(&c);
    return s;
}

static weir_status einsum(weir_call *call)
{
    weir_equation e;
    weir_term t[WEIR_EINSUM_INPUTS], out;
    const weir_shape *shapes[WEIR_EINSUM_INPUTS];
    int64_t sizes[WEIR_EINSUM_LABELS];
    int inputs = call->site->in_count;
    WEIR_TRY(weir_equation_parse(weir_site_str(call->site, EQUATION), inputs, &e));
    for (int k = 0; k < inputs; k++) {
        shapes[k] = &weir_in(call, k)->shape;
        WEIR_TRY(weir_term_resolve(e.terms[k], shapes[k]->rank, 0, &t[k]));
    }
    WEIR_TRY(weir_term_resolve(e.output, -1, ellipsis_dims(&e, shapes), &out));
    WEIR_TRY(weir_equation_sizes(t, shapes, inputs, sizes));
    weir_elem elem = weir_elem_of(weir_in(call, 0)->dtype);
    if (elem == WEIR_ELEM_NONE || !weir_gemm_has(elem))
        return weir_error(WEIR_UNIMPLEMENTED, "Einsum is not implemented for type %s",
                          weir_dtype_name(weir_in(call, 0)->dtype));
    return inputs == 1 ? one_operand(call, t, &out, sizes) : two_operands(call, t, &out, sizes);
}

const weir_op weir_op_einsum = {
    .name = "Einsum",
    .in = "inputs: N * T",
    .out = "output: T",
    .attrs = "equation: string; N: int >= 1; T: type",
    .infer = einsum_infer,
    .grad = weir_einsum_grad,
    .kernels = {{WEIR_CPU, "*", einsum}},
};
