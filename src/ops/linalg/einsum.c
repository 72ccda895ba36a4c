/* ops/linalg/einsum.c - Einsum: products and sums over named dimensions.
 *
 * Every operand is copied to dense form with its labels in a chosen order, by one strided copy
 * that also extracts diagonals (strides of repeated labels add up) and broadcasts dimensions
 * (stride 0). Then labels of one operand only are reduced, and the rest is a batch of matrix
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

/* ---- inference ------------------------------------------------------------------------------- */

static int ellipsis_dims(const weir_equation *equation, const weir_shape *const *shapes)
{
    int most = 0;
    for (int k = 0; k < equation->inputs; k++) {
        int dims = shapes[k]->rank - weir_term_letters(equation->terms[k]);
        if (weir_term_has_ellipsis(equation->terms[k]) && dims > most)
            most = dims;
    }
    return most;
}

static weir_status einsum_infer(weir_infer *infer)
{
    weir_equation equation;
    weir_term terms[WEIR_EINSUM_INPUTS], out;
    int64_t sizes[WEIR_EINSUM_LABELS];
    WEIR_TRY(weir_equation_parse(weir_site_str(infer->site, EQUATION), infer->in_count, &equation));
    for (int k = 0; k < equation.inputs; k++) {
        if (infer->in[k]->rank < 0)
            return WEIR_OK;
        WEIR_TRY(weir_term_resolve(equation.terms[k], infer->in[k]->rank, 0, &terms[k]));
    }
    WEIR_TRY(weir_term_resolve(equation.output, -1, ellipsis_dims(&equation, infer->in), &out));
    WEIR_TRY(weir_equation_sizes(terms, infer->in, equation.inputs, sizes));
    infer->out[0] = WEIR_SCALAR;
    for (int axis = 0; axis < out.count; axis++) {
        bool known = false;
        for (int k = 0; k < equation.inputs; k++)
            known = known || weir_term_has(&terms[k], out.labels[axis]);
        if (!known && out.labels[axis] < WEIR_EINSUM_ELLIPSIS)
            return weir_error(WEIR_INVALID_ARGUMENT, "Einsum output label of '%.*s' is in no input",
                              (int)equation.output.length, equation.output.at);
        weir_shape_append(&infer->out[0], sizes[out.labels[axis]]);
    }
    return WEIR_OK;
}

/* ---- dense forms ----------------------------------------------------------------------------- */

/* Strides by label of a dense array of |dims| labelled |term|; a dimension of 1 has stride 0. */
static void strides_of(const weir_term *term, const int64_t *dims,
                       int64_t strides[WEIR_EINSUM_LABELS])
{
    int64_t step = 1;
    memset(strides, 0, sizeof *strides * WEIR_EINSUM_LABELS);
    for (int axis = term->count - 1; axis >= 0; axis--) {
        strides[term->labels[axis]] += dims[axis] == 1 ? 0 : step;
        step *= dims[axis];
    }
}

static int64_t product_of(const weir_term *term, const int64_t *sizes)
{
    int64_t n = 1;
    for (int axis = 0; axis < term->count; axis++)
        n *= sizes[term->labels[axis]];
    return n;
}

static void append(weir_term *term, const weir_term *more)
{
    for (int axis = 0; axis < more->count && term->count < WEIR_MAX_RANK; axis++)
        term->labels[term->count++] = more->labels[axis];
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
    for (int axis = 0; axis < to->count; axis++) {
        dims[axis] = sizes[to->labels[axis]];
        step = dims[axis] ? step / dims[axis] : 0;
        weir_ndcopy_add(&copy, dims[axis], step, strides[to->labels[axis]]);
    }
    if (flat.dims[0])
        weir_ndcopy_run(&call->run->par, x->dtype, out->data, x->data, &copy);
    return WEIR_OK;
}

/* Selects the labels of |t|, without repeats, that |want| accepts. */
typedef struct chooser {
    const weir_term *other; /* null: none */
    const weir_term *output;
    bool in_other, in_output;
} chooser;

static weir_term choose(const weir_term *term, chooser chooser)
{
    weir_term out = {0};
    for (int axis = 0; axis < term->count; axis++) {
        int label = term->labels[axis];
        bool in_other = chooser.other && weir_term_has(chooser.other, label);
        bool in_output = weir_term_has(chooser.output, label);
        if (in_other == chooser.in_other && in_output == chooser.in_output &&
            !weir_term_has(&out, label))
            out.labels[out.count++] = (int8_t)label;
    }
    return out;
}

/* Sums [kept, summed] over its second part; takes ownership of |x|. */
static weir_status sum_tail(weir_call *call, weir_tensor *x, int64_t kept, int64_t summed)
{
    if (summed == 1)
        return WEIR_OK;
    weir_tensor y;
    weir_shape shape = weir_shape_vector(kept);
    WEIR_TRY(weir_tensor_alloc(x->dtype, &shape, &y));
    weir_status status =
        weir_reduce_run(&call->run->par, WEIR_R_sum, weir_elem_of(x->dtype), 2,
                        (int64_t[]){kept, summed}, (bool[]){false, true}, x->data, y.data);
    weir_tensor_release(x);
    *x = y;
    return status;
}

/* Operand |in| in dense form, in the order |order| (followed by labels that are reduced here). */
static weir_status prepare(weir_call *call, int in, const weir_term *from, const weir_term *order,
                           const weir_term *alone, const int64_t *sizes, weir_tensor *out)
{
    weir_term to = *order;
    append(&to, alone);
    WEIR_TRY(rearrange(call, weir_in(call, in), from, &to, sizes, out));
    weir_status status = sum_tail(call, out, product_of(order, sizes), product_of(alone, sizes));
    if (status)
        weir_tensor_release(out);
    return status;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

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
    for (int axis = 0; axis < from->count; axis++) {
        step /= sizes[from->labels[axis]];
        weir_ndcopy_add(&copy, sizes[from->labels[axis]], strides[from->labels[axis]], step);
    }
    weir_ndcopy_run(&call->run->par, y->dtype, y->data, x->data, &copy);
    return WEIR_OK;
}

static weir_status one_operand(weir_call *call, const weir_term *term, const weir_term *out,
                               const int64_t *sizes)
{
    weir_term kept = choose(term, (chooser){NULL, out, false, true});
    weir_term summed = choose(term, (chooser){NULL, out, false, false});
    weir_tensor x;
    WEIR_TRY(prepare(call, 0, term, &kept, &summed, sizes, &x));
    weir_status status = finish(call, &x, &kept, out, sizes);
    weir_tensor_release(&x);
    return status;
}

/* The parts of two operands: [batch, rows, inner] and [batch, inner, columns]. */
typedef struct parts {
    weir_term batch, rows, columns, inner, alone[2];
} parts;

static parts split(const weir_term *terms, const weir_term *out)
{
    return (parts){
        .batch = choose(&terms[0], (chooser){&terms[1], out, true, true}),
        .inner = choose(&terms[0], (chooser){&terms[1], out, true, false}),
        .rows = choose(&terms[0], (chooser){&terms[1], out, false, true}),
        .columns = choose(&terms[1], (chooser){&terms[0], out, false, true}),
        .alone = {choose(&terms[0], (chooser){&terms[1], out, false, false}),
                  choose(&terms[1], (chooser){&terms[0], out, false, false})},
    };
}

static weir_status multiply(weir_call *call, const parts *parts, const int64_t *sizes,
                            const weir_tensor *a, const weir_tensor *b, weir_tensor *out)
{
    int64_t batch = product_of(&parts->batch, sizes), m = product_of(&parts->rows, sizes);
    int64_t size = product_of(&parts->columns, sizes), k = product_of(&parts->inner, sizes);
    weir_shape shape = weir_shape_vector(batch * m * size);
    WEIR_TRY(weir_tensor_alloc(a->dtype, &shape, out));
    if (batch > 0)
        weir_gemm_run(&call->run->par, &(weir_gemm){
                                           .elem = weir_elem_of(a->dtype),
                                           .m = m,
                                           .n = size,
                                           .k = k,
                                           .a = a->data,
                                           .b = b->data,
                                           .c = out->data,
                                           .batch = batch,
                                           .a_step = m * k,
                                           .b_step = k * size,
                                           .c_step = m * size,
                                       });
    return WEIR_OK;
}

static weir_status two_operands(weir_call *call, const weir_term *terms, const weir_term *out,
                                const int64_t *sizes)
{
    parts parts = split(terms, out);
    weir_term left = parts.batch, right = parts.batch, result = parts.batch;
    append(&left, &parts.rows);
    append(&left, &parts.inner);
    append(&right, &parts.inner);
    append(&right, &parts.columns);
    append(&result, &parts.rows);
    append(&result, &parts.columns);
    weir_tensor a = {0}, b = {0}, c = {0};
    weir_status status = prepare(call, 0, &terms[0], &left, &parts.alone[0], sizes, &a);
    if (!status)
        status = prepare(call, 1, &terms[1], &right, &parts.alone[1], sizes, &b);
    if (!status)
        status = multiply(call, &parts, sizes, &a, &b, &c);
    if (!status)
        status = finish(call, &c, &result, out, sizes);
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    weir_tensor_release(&c);
    return status;
}

static weir_status einsum(weir_call *call)
{
    weir_equation equation;
    weir_term terms[WEIR_EINSUM_INPUTS], out;
    const weir_shape *shapes[WEIR_EINSUM_INPUTS];
    int64_t sizes[WEIR_EINSUM_LABELS];
    int inputs = call->site->in_count;
    WEIR_TRY(weir_equation_parse(weir_site_str(call->site, EQUATION), inputs, &equation));
    for (int k = 0; k < inputs; k++) {
        shapes[k] = &weir_in(call, k)->shape;
        WEIR_TRY(weir_term_resolve(equation.terms[k], shapes[k]->rank, 0, &terms[k]));
    }
    WEIR_TRY(weir_term_resolve(equation.output, -1, ellipsis_dims(&equation, shapes), &out));
    WEIR_TRY(weir_equation_sizes(terms, shapes, inputs, sizes));
    weir_elem elem = weir_elem_of(weir_in(call, 0)->dtype);
    if (elem == WEIR_ELEM_NONE || !weir_gemm_has(elem))
        return weir_error(WEIR_UNIMPLEMENTED, "Einsum is not implemented for type %s",
                          weir_dtype_name(weir_in(call, 0)->dtype));
    return inputs == 1 ? one_operand(call, terms, &out, sizes)
                       : two_operands(call, terms, &out, sizes);
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
