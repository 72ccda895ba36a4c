/* ops/sparse/csr.c - what a sparse matrix holds, and its ways from and to other tensors. */
#include "ops/sparse/csr.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ops/common/elements.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"
#include "ops/sparse/sparse.h"

static const weir_variant_type csr_type = {.name = "tensorflow::CSRSparseMatrix"};

/* ---- making ---------------------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    weir_csr *m = (weir_csr *)ref;
    weir_tensor_release(&m->batches);
    weir_tensor_release(&m->rows);
    weir_tensor_release(&m->columns);
    weir_tensor_release(&m->values);
    weir_free(m);
}

int weir_csr_order(const void *a, const void *b)
{
    const weir_csr_entry *x = a, *y = b;
    if (x->batch != y->batch)
        return x->batch < y->batch ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

static weir_status alloc_parts(weir_csr *m, int64_t count)
{
    const weir_csr_form *f = &m->form;
    weir_shape shape = weir_csr_shape(f);
    int64_t pointers;
    if (count > INT32_MAX || f->columns > INT32_MAX || f->rows >= INT32_MAX ||
        f->batch >= INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "A sparse matrix of %" PRId64 " entries in %s is too large", count,
                          WEIR_SHAPE_STR(&shape));
    WEIR_TRY(weir_dim_mul(f->batch, f->rows + 1, &pointers));
    weir_shape batches = weir_shape_vector(f->batch + 1), rows = weir_shape_vector(pointers),
               entries = weir_shape_vector(count);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &batches, &m->batches));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &rows, &m->rows));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &entries, &m->columns));
    WEIR_TRY(weir_tensor_alloc(f->dtype, &entries, &m->values));
    weir_tensor_zero(NULL, &m->batches);
    weir_tensor_zero(NULL, &m->rows);
    return WEIR_OK;
}

static void fill_parts(weir_csr *m, const weir_csr_entry *entries, int64_t count)
{
    int32_t *batches = m->batches.data, *rows = m->rows.data, *columns = m->columns.data;
    for (int64_t i = 0; i < count; i++) {
        batches[entries[i].batch + 1]++;
        rows[entries[i].batch * (m->form.rows + 1) + entries[i].row + 1]++;
        columns[i] = (int32_t)entries[i].column;
        weir_matrix_store(&m->values, i, 1, &entries[i].value);
    }
    for (int64_t b = 0; b < m->form.batch; b++) {
        int32_t *row = rows + b * (m->form.rows + 1);
        batches[b + 1] += batches[b];
        for (int64_t r = 0; r < m->form.rows; r++)
            row[r + 1] += row[r];
    }
}

weir_status weir_csr_make(const weir_csr_form *form, weir_csr_entry *entries, int64_t count,
                          weir_csr **out)
{
    weir_csr *m = WEIR_NEW(weir_csr);
    weir_ref_init(&m->base.ref, destroy);
    m->base.type = &csr_type;
    m->form = *form;
    weir_status s = alloc_parts(m, count);
    if (s) {
        weir_ref_release(&m->base.ref);
        return s;
    }
    if (count)
        qsort(entries, (size_t)count, sizeof *entries, weir_csr_order);
    fill_parts(m, entries, count);
    *out = m;
    return WEIR_OK;
}

int64_t weir_csr_count(const weir_csr *m)
{
    return weir_tensor_count(&m->columns);
}

weir_csr_entry *weir_csr_entries(const weir_csr *m)
{
    int64_t count = weir_csr_count(m), at = 0;
    weir_csr_entry *e = WEIR_NEW_ARRAY(weir_csr_entry, count + 1);
    const int32_t *columns = m->columns.data;
    for (int64_t b = 0; b < m->form.batch; b++) {
        const int32_t *row = (const int32_t *)m->rows.data + b * (m->form.rows + 1);
        for (int64_t r = 0; r < m->form.rows; r++)
            for (int32_t n = row[r]; n < row[r + 1]; n++, at++) {
                e[at] = (weir_csr_entry){b, r, columns[at], 0};
                weir_matrix_load(&m->values, at, 1, &e[at].value);
            }
    }
    return e;
}

weir_shape weir_csr_shape(const weir_csr_form *f)
{
    return f->rank == 3 ? (weir_shape){3, {f->batch, f->rows, f->columns}}
                        : weir_shape_matrix(f->rows, f->columns);
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */

weir_status weir_csr_input(const weir_call *c, int in, weir_dtype dtype, const weir_csr **out)
{
    const weir_tensor *t = weir_in(c, in);
    const weir_variant *v = weir_tensor_count(t) == 1 ? weir_tensor_variant(t) : NULL;
    if (!v || v->type != &csr_type)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Unable to retrieve CSRSparseMatrix from input %d: %s", in,
                          v ? v->type->name : "nothing");
    const weir_csr *m = (const weir_csr *)v;
    if (dtype && m->form.dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "dtype of input %d is not equal to 'type': %s vs. %s", in,
                          weir_dtype_name(m->form.dtype), weir_dtype_name(dtype));
    *out = m;
    return WEIR_OK;
}

void weir_csr_output(weir_call *c, int out, weir_csr *m)
{
    weir_call_set(c, out, weir_tensor_from_variant(&m->base));
}

/* ---- from other tensors ---------------------------------------------------------------------- */

static weir_status form_of(weir_dtype dtype, const int64_t *dims, int64_t rank, weir_csr_form *out)
{
    if (rank != 2 && rank != 3)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "SparseTensor must have rank 2 or 3; but indices has rank: %" PRId64,
                          rank);
    for (int64_t d = 0; d < rank; d++)
        if (dims[d] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0", dims[d]);
    *out =
        (weir_csr_form){dtype, (int)rank, rank == 3 ? dims[0] : 1, dims[rank - 2], dims[rank - 1]};
    return WEIR_OK;
}

static weir_csr_entry entry_at(const int64_t *at, int rank)
{
    return (weir_csr_entry){rank == 3 ? at[0] : 0, at[rank - 2], at[rank - 1], 0};
}

static weir_status from_sparse(weir_call *c)
{
    weir_sparse s;
    weir_csr_form form;
    weir_csr *m;
    WEIR_TRY(weir_sparse_read(c, 0, 1, 2, &s));
    WEIR_TRY(form_of(s.values->dtype, s.dims, s.rank, &form));
    WEIR_TRY(weir_sparse_sorted(&s));
    weir_csr_entry *e = WEIR_NEW_ARRAY(weir_csr_entry, s.count + 1);
    for (int64_t i = 0; i < s.count; i++) {
        e[i] = entry_at(s.indices + i * s.rank, s.rank);
        weir_matrix_load(s.values, i, 1, &e[i].value);
    }
    weir_status status = weir_csr_make(&form, e, s.count, &m);
    weir_free(e);
    WEIR_TRY(status);
    weir_csr_output(c, 0, m);
    return WEIR_OK;
}

static weir_status infer_from_sparse(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, 0, 1, 2, ""));
    return weir_infer_scalar(i);
}

static weir_status from_dense(weir_call *c)
{
    const weir_tensor *dense = weir_in(c, 0), *indices = weir_in(c, 1);
    weir_csr_form form;
    weir_csr *m;
    int rank = dense->shape.rank;
    WEIR_TRY(form_of(dense->dtype, dense->shape.dims, rank, &form));
    if (indices->shape.rank != 2 || indices->shape.dims[1] != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "indices.shape[1] must match rank of dense; saw: %s vs. %d",
                          WEIR_SHAPE_STR(&indices->shape), rank);
    int64_t count = indices->shape.dims[0];
    weir_shape vector = weir_shape_vector(count);
    weir_tensor offsets;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &offsets));
    weir_status s = weir_index_nd(indices, &dense->shape, false, offsets.data);
    weir_csr_entry *e = WEIR_NEW_ARRAY(weir_csr_entry, count + 1);
    for (int64_t i = 0; i < count && !s; i++) {
        e[i] = entry_at((const int64_t *)indices->data + i * rank, rank);
        weir_matrix_load(dense, ((const int64_t *)offsets.data)[i], 1, &e[i].value);
    }
    if (!s)
        s = weir_csr_make(&form, e, count, &m);
    weir_free(e);
    weir_tensor_release(&offsets);
    WEIR_TRY(s);
    weir_csr_output(c, 0, m);
    return WEIR_OK;
}

/* ---- to other tensors ------------------------------------------------------------------------ */

static weir_status to_sparse(weir_call *c)
{
    const weir_csr *m;
    WEIR_TRY(weir_csr_input(c, 0, weir_site_type(c->site, 0), &m));
    int rank = m->form.rank;
    int64_t count = weir_csr_count(m);
    weir_shape shape = weir_csr_shape(&m->form);
    WEIR_TRY(weir_sparse_alloc(c, 0, 1, count, rank));
    WEIR_TRY(weir_sparse_alloc_shape(c, 2, shape.dims, rank));
    weir_csr_entry *e = weir_csr_entries(m);
    int64_t *at = weir_out(c, 0)->data;
    for (int64_t i = 0; i < count; i++) {
        if (rank == 3)
            *at++ = e[i].batch;
        *at++ = e[i].row;
        *at++ = e[i].column;
    }
    weir_free(e);
    weir_elements_copy(m->form.dtype, weir_out(c, 1)->data, m->values.data, count);
    return WEIR_OK;
}

static weir_status to_dense(weir_call *c)
{
    const weir_csr *m;
    WEIR_TRY(weir_csr_input(c, 0, weir_site_type(c->site, 0), &m));
    weir_shape shape = weir_csr_shape(&m->form);
    WEIR_TRY(weir_shape_check(&shape));
    WEIR_TRY(weir_call_alloc(c, 0, &shape));
    weir_tensor *out = weir_out(c, 0);
    weir_tensor_zero(&c->run->par, out);
    weir_csr_entry *e = weir_csr_entries(m);
    for (int64_t i = 0; i < weir_csr_count(m); i++)
        weir_elements_copy(
            out->dtype,
            weir_at(out, (e[i].batch * m->form.rows + e[i].row) * m->form.columns + e[i].column),
            weir_at(&m->values, i), 1);
    weir_free(e);
    return WEIR_OK;
}

/* Rows, columns and values of one matrix of the batch. */
static weir_status components(weir_call *c)
{
    const weir_csr *m;
    WEIR_TRY(weir_csr_input(c, 0, weir_site_type(c->site, 0), &m));
    const weir_tensor *index = weir_in(c, 1);
    if (index->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "index should be a scalar, but saw: %s",
                          WEIR_SHAPE_STR(&index->shape));
    int32_t b = *(const int32_t *)index->data;
    if (b < 0 || b >= m->form.batch)
        return weir_error(WEIR_INVALID_ARGUMENT, "index (%d) not in [0, %" PRId64 ")", b,
                          m->form.batch);
    const int32_t *batches = m->batches.data;
    weir_shape rows = weir_shape_vector(m->form.rows + 1),
               entries = weir_shape_vector(batches[b + 1] - batches[b]);
    weir_call_set(c, 0, weir_tensor_slice(&m->rows, b * (m->form.rows + 1), &rows));
    weir_call_set(c, 1, weir_tensor_slice(&m->columns, batches[b], &entries));
    weir_call_set(c, 2, weir_tensor_slice(&m->values, batches[b], &entries));
    return WEIR_OK;
}

static weir_status count_entries(weir_call *c)
{
    const weir_csr *m;
    WEIR_TRY(weir_csr_input(c, 0, 0, &m));
    weir_shape shape = m->form.rank == 3 ? weir_shape_vector(m->form.batch) : WEIR_SCALAR;
    WEIR_TRY(weir_call_alloc(c, 0, &shape));
    const int32_t *batches = m->batches.data;
    for (int64_t b = 0; b < m->form.batch; b++)
        ((int32_t *)weir_out(c, 0)->data)[b] = batches[b + 1] - batches[b];
    return WEIR_OK;
}

#define NUMBERS "{float, double, complex64, complex128}"

WEIR_DEFINE_OP(sparse_tensor_to_csr_sparse_matrix, "SparseTensorToCSRSparseMatrix",
               .in = "indices: int64; values: T; dense_shape: int64",
               .out = "sparse_matrix: variant", .attrs = "T: " NUMBERS, .infer = infer_from_sparse,
               .kernels = {{WEIR_CPU, "*", from_sparse, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(dense_to_csr_sparse_matrix, "DenseToCSRSparseMatrix",
               .in = "dense_input: T; indices: int64", .out = "sparse_output: variant",
               .attrs = "T: " NUMBERS, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", from_dense, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(csr_sparse_matrix_to_sparse_tensor, "CSRSparseMatrixToSparseTensor",
               .in = "sparse_matrix: variant",
               .out = "indices: int64; values: type; dense_shape: int64", .attrs = "type: " NUMBERS,
               .infer = weir_infer_unknown,
               .kernels = {{WEIR_CPU, "*", to_sparse, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(csr_sparse_matrix_to_dense, "CSRSparseMatrixToDense", .in = "sparse_input: variant",
               .out = "dense_output: type", .attrs = "type: " NUMBERS, .infer = weir_infer_unknown,
               .kernels = {{WEIR_CPU, "*", to_dense, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(csr_sparse_matrix_components, "CSRSparseMatrixComponents",
               .in = "csr_sparse_matrix: variant; index: int32",
               .out = "row_ptrs: int32; col_inds: int32; values: type", .attrs = "type: " NUMBERS,
               .infer = weir_infer_unknown,
               .kernels = {{WEIR_CPU, "*", components, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(sparse_matrix_nnz, "SparseMatrixNNZ", .in = "sparse_matrix: variant",
               .out = "nnz: int32", .infer = weir_infer_unknown,
               .kernels = {{WEIR_CPU, "*", count_entries, WEIR_OWN_OUTPUTS}});
