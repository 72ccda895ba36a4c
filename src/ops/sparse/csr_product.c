/* ops/sparse/csr_product.c - SparseMatrixTranspose, SparseMatrixMatMul, SparseMatrixSparseMatMul.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/linalg/matrix.h"
#include "ops/sparse/csr.h"

/* |csr| as entries, possibly transposed and conjugated. */
static weir_csr_entry *entries_as(const weir_csr *csr, bool turned, bool conjugate,
                                  weir_csr_form *out_form)
{
    weir_csr_entry *entries = weir_csr_entries(csr);
    *out_form = csr->form;
    if (turned) {
        out_form->rows = csr->form.columns;
        out_form->columns = csr->form.rows;
    }
    for (int64_t i = 0; i < weir_csr_count(csr); i++) {
        if (turned)
            entries[i] = (weir_csr_entry){entries[i].batch, entries[i].column, entries[i].row,
                                          entries[i].value};
        if (conjugate)
            entries[i].value = conj(entries[i].value);
    }
    return entries;
}

enum { CONJUGATE, TYPE }; /* attrs of SparseMatrixTranspose */

static weir_status transpose(weir_call *call)
{
    const weir_csr *csr;
    weir_csr_form form;
    weir_csr *turned;
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(call->site, TYPE), &csr));
    weir_csr_entry *entry = entries_as(csr, true, weir_site_bool(call->site, CONJUGATE), &form);
    weir_status status = weir_csr_make(&form, entry, weir_csr_count(csr), &turned);
    weir_free(entry);
    WEIR_TRY(status);
    weir_csr_output(call, 0, turned);
    return WEIR_OK;
}

#define NUMBERS "{float, double, complex64, complex128}"

const weir_op weir_op_sparse_matrix_transpose = {
    .name = "SparseMatrixTranspose",
    .in = "input: variant",
    .out = "output: variant",
    .attrs = "conjugate: bool = false; type: " NUMBERS,
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", transpose, WEIR_OWN_OUTPUTS}},
};

/* ---- times a dense matrix -------------------------------------------------------------------- */

enum { T, TURN_A, TURN_B, ADJOINT_A, ADJOINT_B, TURN_OUT, CONJUGATE_OUT }; /* attrs */

static weir_status check_attrs(const weir_site *site, int turn_a, int turn_b, int adjoint_a,
                               int adjoint_b)
{
    if (weir_site_bool(site, adjoint_a) && weir_site_bool(site, turn_a))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Only one of adjoint_a and transpose_a may be true.");
    if (weir_site_bool(site, adjoint_b) && weir_site_bool(site, turn_b))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Only one of adjoint_b and transpose_b may be true.");
    return WEIR_OK;
}

static weir_status check_inner(const weir_csr_form *form, int64_t batch, int64_t rows)
{
    if (form->batch != batch)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Batch sizes of a and b must match: %" PRId64 " vs. %" PRId64,
                          form->batch, batch);
    if (form->columns != rows)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Inner dimensions of a and b must match: %" PRId64 " vs. %" PRId64,
                          form->columns, rows);
    return WEIR_OK;
}

/* A dense matrix of the batch in complex double, viewed transposed and conjugated if requested. */
typedef struct dense {
    weir_c128 *at;
    int64_t rows, columns; /* as viewed */
    bool turned, conjugate;
} dense;

static weir_c128 dense_at(const dense *dense, int64_t r, int64_t k)
{
    weir_c128 v =
        dense->turned ? dense->at[k * dense->rows + r] : dense->at[r * dense->columns + k];
    return dense->conjugate ? conj(v) : v;
}

/* Multiplies with matrix |b| of the batch, into |y| as [rows, columns]. */
static void multiply(const weir_csr_entry *entries, int64_t count, const dense *dense, weir_c128 *y)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < dense->columns; k++)
            y[entries[i].row * dense->columns + k] +=
                weir_cmul(entries[i].value, dense_at(dense, entries[i].column, k));
}

static void store_product(weir_tensor *out, int64_t b, int64_t rows, int64_t columns, bool turn,
                          bool conjugate, const weir_c128 *y)
{
    for (int64_t row = 0; row < rows; row++)
        for (int64_t k = 0; k < columns; k++) {
            weir_c128 v = conjugate ? conj(y[row * columns + k]) : y[row * columns + k];
            weir_matrix_store(
                out, (b * rows * columns) + (turn ? k * rows + row : row * columns + k), 1, &v);
        }
}

static weir_status product(weir_call *call, const weir_csr_entry *entries, int64_t count,
                           const weir_csr_form *form)
{
    const weir_tensor *b = weir_in(call, 1);
    const weir_site *site = call->site;
    dense dense = {.turned = weir_site_bool(site, TURN_B) || weir_site_bool(site, ADJOINT_B),
                   .conjugate = weir_site_bool(site, ADJOINT_B)};
    int rank = b->shape.rank;
    int64_t batch = rank == 3 ? b->shape.dims[0] : 1, h = b->shape.dims[rank - 2],
            w = b->shape.dims[rank - 1], at = 0;
    dense.rows = dense.turned ? w : h;
    dense.columns = dense.turned ? h : w;
    WEIR_TRY(check_inner(form, batch, dense.rows));
    bool turn = weir_site_bool(site, TURN_OUT);
    weir_shape shape = rank == 3 ? (weir_shape){3, {batch, form->rows, dense.columns}}
                                 : weir_shape_matrix(form->rows, dense.columns);
    if (turn) {
        shape.dims[rank - 2] = dense.columns;
        shape.dims[rank - 1] = form->rows;
    }
    WEIR_TRY(weir_shape_check(&shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_tensor room;
    WEIR_TRY(weir_matrix_workspace(h * w + form->rows * dense.columns, &room));
    dense.at = room.data;
    weir_c128 *y = dense.at + h * w;
    for (int64_t n = 0; n < batch; n++) {
        int64_t from = at;
        while (at < count && entries[at].batch == n)
            at++;
        weir_matrix_load(b, n * h * w, h * w, dense.at);
        memset((void *)y, 0, sizeof *y * (size_t)(form->rows * dense.columns));
        multiply(entries + from, at - from, &dense, y);
        store_product(weir_out(call, 0), n, form->rows, dense.columns, turn,
                      weir_site_bool(site, CONJUGATE_OUT), y);
    }
    weir_tensor_release(&room);
    return WEIR_OK;
}

static weir_status times_dense(weir_call *call)
{
    const weir_csr *csr;
    const weir_site *site = call->site;
    weir_csr_form form;
    WEIR_TRY(check_attrs(site, TURN_A, TURN_B, ADJOINT_A, ADJOINT_B));
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(site, T), &csr));
    if (weir_in(call, 1)->shape.rank != csr->form.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Ranks of a and b must match, saw: %d vs. %d.",
                          csr->form.rank, weir_in(call, 1)->shape.rank);
    bool adjoint = weir_site_bool(site, ADJOINT_A);
    weir_csr_entry *entry =
        entries_as(csr, adjoint || weir_site_bool(site, TURN_A), adjoint, &form);
    weir_status status = product(call, entry, weir_csr_count(csr), &form);
    weir_free(entry);
    return status;
}

const weir_op weir_op_sparse_matrix_mat_mul = {
    .name = "SparseMatrixMatMul",
    .in = "a: variant; b: T",
    .out = "output: T",
    .attrs = "T: type; transpose_a: bool = false; transpose_b: bool = false; "
             "adjoint_a: bool = false; adjoint_b: bool = false; transpose_output: bool = false; "
             "conjugate_output: bool = false",
    .infer = weir_infer_unknown,
    .kernels = {{WEIR_CPU, "T: float, double, complex64, complex128", times_dense,
                 WEIR_OWN_OUTPUTS}},
};

/* ---- times a sparse matrix ------------------------------------------------------------------- */

enum { S_TYPE, S_TURN_A, S_TURN_B, S_ADJOINT_A, S_ADJOINT_B }; /* attrs */

typedef WEIR_VEC(weir_csr_entry) entry_list;

/* First entry of |entries| at or after row |row| of matrix |batch|. */
static int64_t find_row(const weir_csr_entry *entries, int64_t count, int64_t batch, int64_t row)
{
    weir_csr_entry at = {batch, row, -1, 0};
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (weir_csr_order(&entries[middle], &at) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Multiplies all matching pairs of entries, then sums those of the same position. */
static void multiply_sparse(const weir_csr_entry *a, int64_t a_count, const weir_csr_entry *b,
                            int64_t b_count, entry_list *out)
{
    for (int64_t i = 0; i < a_count; i++)
        for (int64_t k = find_row(b, b_count, a[i].batch, a[i].column);
             k < b_count && b[k].batch == a[i].batch && b[k].row == a[i].column; k++)
            weir_vec_push(out, (weir_csr_entry){a[i].batch, a[i].row, b[k].column,
                                                weir_cmul(a[i].value, b[k].value)});
    if (!out->count)
        return;
    qsort(out->at, out->count, sizeof *out->at, weir_csr_order);
    size_t kept = 1;
    for (size_t i = 1; i < out->count; i++) {
        if (weir_csr_order(&out->at[kept - 1], &out->at[i]) == 0)
            out->at[kept - 1].value += out->at[i].value;
        else
            out->at[kept++] = out->at[i];
    }
    out->count = kept;
}

static weir_status times_sparse(weir_call *call)
{
    const weir_csr *csr, *matrix;
    const weir_site *site = call->site;
    weir_csr_form a, b;
    WEIR_TRY(check_attrs(site, S_TURN_A, S_TURN_B, S_ADJOINT_A, S_ADJOINT_B));
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(site, S_TYPE), &csr));
    WEIR_TRY(weir_csr_input(call, 1, weir_site_type(site, S_TYPE), &matrix));
    if (csr->form.rank != matrix->form.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Ranks of a and b must match, saw: %d vs. %d.",
                          csr->form.rank, matrix->form.rank);
    bool adjoint_a = weir_site_bool(site, S_ADJOINT_A),
         adjoint_b = weir_site_bool(site, S_ADJOINT_B);
    weir_csr_entry *ea =
        entries_as(csr, adjoint_a || weir_site_bool(site, S_TURN_A), adjoint_a, &a);
    weir_csr_entry *eb =
        entries_as(matrix, adjoint_b || weir_site_bool(site, S_TURN_B), adjoint_b, &b);
    if (weir_csr_count(matrix))
        qsort(eb, (size_t)weir_csr_count(matrix), sizeof *eb, weir_csr_order);
    entry_list sum = {0};
    weir_csr *m = NULL;
    weir_status status = check_inner(&a, b.batch, b.rows);
    if (!status) {
        multiply_sparse(ea, weir_csr_count(csr), eb, weir_csr_count(matrix), &sum);
        a.columns = b.columns;
        status = weir_csr_make(&a, sum.at, (int64_t)sum.count, &m);
    }
    weir_vec_fini(&sum);
    weir_free(ea);
    weir_free(eb);
    WEIR_TRY(status);
    weir_csr_output(call, 0, m);
    return WEIR_OK;
}

const weir_op weir_op_sparse_matrix_sparse_mat_mul = {
    .name = "SparseMatrixSparseMatMul",
    .in = "a: variant; b: variant",
    .out = "c: variant",
    .attrs = "type: " NUMBERS "; transpose_a: bool = false; transpose_b: bool = false; "
             "adjoint_a: bool = false; adjoint_b: bool = false",
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", times_sparse, WEIR_OWN_OUTPUTS}},
};
