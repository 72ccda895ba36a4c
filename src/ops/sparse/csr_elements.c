/* ops/sparse/csr_elements.c - SparseMatrixAdd, SparseMatrixMul, SparseMatrixSoftmax,
 * SparseMatrixSoftmaxGrad, SparseMatrixZeros: sparse matrices entry by entry. */
#include <inttypes.h>
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"
#include "ops/sparse/csr.h"

/* Sets output 0 to a matrix of |entries|, and frees them. */
static weir_status give(weir_call *call, const weir_csr_form *form, weir_csr_entry *entries,
                        int64_t count)
{
    weir_csr *csr;
    weir_status status = weir_csr_make(form, entries, count, &csr);
    weir_free(entries);
    WEIR_TRY(status);
    weir_csr_output(call, 0, csr);
    return WEIR_OK;
}

static weir_status same_form(const weir_call *call, const weir_csr *a, const weir_csr *b)
{
    weir_shape left = weir_csr_shape(&a->form), right = weir_csr_shape(&b->form);
    if (a->form.dtype == b->form.dtype && weir_shape_eq(&left, &right))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "%s: matrices of shapes %s and %s, types %s and %s",
                      call->site->op->name, WEIR_SHAPE_STR(&left), WEIR_SHAPE_STR(&right),
                      weir_dtype_name(a->form.dtype), weir_dtype_name(b->form.dtype));
}

static weir_status scalar(const weir_call *call, int in, weir_c128 *out)
{
    if (weir_in(call, in)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: input %d must be a scalar",
                          call->site->op->name, in);
    weir_matrix_load(weir_in(call, in), 0, 1, out);
    return WEIR_OK;
}

/* Merges two sorted lists of entries; common ones are added. */
static int64_t merge(const weir_csr_entry *a, int64_t a_count, weir_c128 alpha,
                     const weir_csr_entry *b, int64_t b_count, weir_c128 beta, weir_csr_entry *out)
{
    int64_t i = 0, j = 0, count = 0;
    while (i < a_count || j < b_count) {
        int order = i == a_count ? 1 : j == b_count ? -1 : weir_csr_order(&a[i], &b[j]);
        weir_csr_entry entry = order <= 0 ? a[i] : b[j];
        entry.value = 0;
        if (order <= 0)
            entry.value += weir_cmul(alpha, a[i++].value);
        if (order >= 0)
            entry.value += weir_cmul(beta, b[j++].value);
        out[count++] = entry;
    }
    return count;
}

static weir_status add(weir_call *call)
{
    const weir_csr *a, *b;
    weir_c128 alpha, beta;
    weir_dtype dtype = weir_site_type(call->site, 0);
    WEIR_TRY(weir_csr_input(call, 0, dtype, &a));
    WEIR_TRY(weir_csr_input(call, 1, dtype, &b));
    WEIR_TRY(same_form(call, a, b));
    WEIR_TRY(scalar(call, 2, &alpha));
    WEIR_TRY(scalar(call, 3, &beta));
    int64_t counts[] = {weir_csr_count(a), weir_csr_count(b)};
    WEIR_FREED weir_csr_entry *left = weir_csr_entries(a);
    WEIR_FREED weir_csr_entry *right = weir_csr_entries(b);
    weir_csr_entry *sum = WEIR_NEW_ARRAY(weir_csr_entry, counts[0] + counts[1] + 1);
    int64_t count = merge(left, counts[0], alpha, right, counts[1], beta, sum);
    return give(call, &a->form, sum, count);
}

/* By a scalar, or by one number per row: [batch, rows, 1] or [rows, 1]. */
static weir_status multiply(weir_call *call)
{
    const weir_csr *a;
    const weir_tensor *b = weir_in(call, 1);
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(call->site, 0), &a));
    weir_shape per_row = weir_csr_shape(&a->form);
    per_row.dims[per_row.rank - 1] = 1;
    if (b->shape.rank != 0 && !weir_shape_eq(&b->shape, &per_row))
        return weir_error(
            WEIR_UNIMPLEMENTED,
            "SparseMatrixMul: the dense factor is a scalar or has the shape %s, not %s",
            WEIR_SHAPE_STR(&per_row), WEIR_SHAPE_STR(&b->shape));
    weir_csr_entry *entries = weir_csr_entries(a);
    for (int64_t i = 0; i < weir_csr_count(a); i++) {
        weir_c128 factor;
        int64_t row = entries[i].batch * a->form.rows + entries[i].row;
        weir_matrix_load(b, b->shape.rank ? row : 0, 1, &factor);
        entries[i].value = weir_cmul(entries[i].value, factor);
    }
    return give(call, &a->form, entries, weir_csr_count(a));
}

static weir_status zeros(weir_call *call)
{
    const weir_tensor *shape = weir_in(call, 0);
    int64_t rank = weir_tensor_count(shape);
    if (shape->shape.rank != 1 || rank < 2 || rank > 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "dense_shape must have 2 or 3 elements, not %s",
                          WEIR_SHAPE_STR(&shape->shape));
    const int64_t *dims = shape->data;
    weir_csr_form form = {weir_site_type(call->site, 0), (int)rank, rank == 3 ? dims[0] : 1,
                          dims[rank - 2], dims[rank - 1]};
    if (form.batch < 0 || form.rows < 0 || form.columns < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "dense_shape must not be negative");
    return give(call, &form, WEIR_NEW_ARRAY(weir_csr_entry, 1), 0);
}

/* ---- softmax of the entries of each row --------------------------------------------------------
 */

/* The end of the row that begins at |from|. */
static int64_t row_end(const weir_csr_entry *entries, int64_t from, int64_t count)
{
    int64_t end = from;
    while (end < count && entries[end].batch == entries[from].batch &&
           entries[end].row == entries[from].row)
        end++;
    return end;
}

static void softmax_row(weir_csr_entry *row, int64_t count)
{
    double most = -INFINITY, sum = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, creal(row[i].value));
    for (int64_t i = 0; i < count; i++) {
        row[i].value = exp(creal(row[i].value) - most);
        sum += creal(row[i].value);
    }
    for (int64_t i = 0; i < count; i++)
        row[i].value /= sum;
}

static weir_status softmax(weir_call *call)
{
    const weir_csr *a;
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(call->site, 0), &a));
    weir_csr_entry *entries = weir_csr_entries(a);
    int64_t count = weir_csr_count(a), end;
    for (int64_t from = 0; from < count; from = end) {
        end = row_end(entries, from, count);
        softmax_row(entries + from, end - from);
    }
    return give(call, &a->form, entries, count);
}

/* The value at |entry|'s position in |others|; the first |*at| of these precede it. */
static double value_at(const weir_csr_entry *entry, const weir_csr_entry *others, int64_t count,
                       int64_t *at)
{
    while (*at < count && weir_csr_order(&others[*at], entry) < 0)
        ++*at;
    return *at < count && weir_csr_order(&others[*at], entry) == 0 ? creal(others[*at].value) : 0;
}

/* dx = (dy - sum of dy y over the row) y, with the sparsity of y. */
static weir_status softmax_grad(weir_call *call)
{
    const weir_csr *y, *dy;
    weir_dtype dtype = weir_site_type(call->site, 0);
    WEIR_TRY(weir_csr_input(call, 0, dtype, &y));
    WEIR_TRY(weir_csr_input(call, 1, dtype, &dy));
    WEIR_TRY(same_form(call, y, dy));
    weir_csr_entry *entries = weir_csr_entries(y);
    WEIR_FREED weir_csr_entry *slopes = weir_csr_entries(dy);
    int64_t count = weir_csr_count(y), slope_count = weir_csr_count(dy), at = 0, end;
    for (int64_t from = 0; from < count; from = end) {
        int64_t first = at;
        double sum = 0;
        end = row_end(entries, from, count);
        for (int64_t i = from; i < end; i++)
            sum += value_at(&entries[i], slopes, slope_count, &at) * creal(entries[i].value);
        at = first;
        for (int64_t i = from; i < end; i++)
            entries[i].value *= value_at(&entries[i], slopes, slope_count, &at) - sum;
    }
    return give(call, &y->form, entries, count);
}

#define NUMBERS "{float, double, complex64, complex128}"
#define MATRIX(kernel)                                                                             \
    .infer = weir_infer_scalar, .kernels = {{WEIR_CPU, "*", kernel, WEIR_OWN_OUTPUTS}}
WEIR_DEFINE_OP(sparse_matrix_add, "SparseMatrixAdd", MATRIX(add),
               .in = "a: variant; b: variant; alpha: T; beta: T", .out = "c: variant",
               .attrs = "T: " NUMBERS);
WEIR_DEFINE_OP(sparse_matrix_mul, "SparseMatrixMul", .infer = weir_infer_scalar,
               .in = "a: variant; b: T", .out = "output: variant", .attrs = "T: type",
               .kernels = {{WEIR_CPU, "T: float, double, complex64, complex128", multiply,
                            WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(sparse_matrix_zeros, "SparseMatrixZeros", MATRIX(zeros), .in = "dense_shape: int64",
               .out = "sparse_matrix: variant", .attrs = "type: " NUMBERS);
WEIR_DEFINE_OP(sparse_matrix_softmax, "SparseMatrixSoftmax", MATRIX(softmax),
               .in = "logits: variant", .out = "softmax: variant",
               .attrs = "type: {float, double}");
WEIR_DEFINE_OP(sparse_matrix_softmax_grad, "SparseMatrixSoftmaxGrad", MATRIX(softmax_grad),
               .in = "softmax: variant; grad_softmax: variant", .out = "gradient: variant",
               .attrs = "type: {float, double}");
