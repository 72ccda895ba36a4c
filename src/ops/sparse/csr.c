/* ops/sparse/csr.c - the contents of a sparse matrix, and conversions from and to other tensors. */
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

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    weir_csr *csr = (weir_csr *)ref;
    weir_tensor_release(&csr->batches);
    weir_tensor_release(&csr->rows);
    weir_tensor_release(&csr->columns);
    weir_tensor_release(&csr->values);
    weir_free(csr);
}

int weir_csr_order(const void *a, const void *b)
{
    const weir_csr_entry *entry = a, *csr_entry = b;
    if (entry->batch != csr_entry->batch)
        return entry->batch < csr_entry->batch ? -1 : 1;
    if (entry->row != csr_entry->row)
        return entry->row < csr_entry->row ? -1 : 1;
    return entry->column < csr_entry->column ? -1 : entry->column > csr_entry->column;
}

static weir_status alloc_parts(weir_csr *csr, int64_t count)
{
    const weir_csr_form *form = &csr->form;
    weir_shape shape = weir_csr_shape(form);
    int64_t pointers;
    if (count > INT32_MAX || form->columns > INT32_MAX || form->rows >= INT32_MAX ||
        form->batch >= INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "A sparse matrix of %" PRId64 " entries in %s is too large", count,
                          WEIR_SHAPE_STR(&shape));
    WEIR_TRY(weir_dim_mul(form->batch, form->rows + 1, &pointers));
    weir_shape batches = weir_shape_vector(form->batch + 1), rows = weir_shape_vector(pointers),
               entries = weir_shape_vector(count);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &batches, &csr->batches));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &rows, &csr->rows));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &entries, &csr->columns));
    WEIR_TRY(weir_tensor_alloc(form->dtype, &entries, &csr->values));
    weir_tensor_zero(NULL, &csr->batches);
    weir_tensor_zero(NULL, &csr->rows);
    return WEIR_OK;
}

static void fill_parts(weir_csr *csr, const weir_csr_entry *entries, int64_t count)
{
    int32_t *batches = csr->batches.data, *rows = csr->rows.data, *columns = csr->columns.data;
    for (int64_t i = 0; i < count; i++) {
        batches[entries[i].batch + 1]++;
        rows[entries[i].batch * (csr->form.rows + 1) + entries[i].row + 1]++;
        columns[i] = (int32_t)entries[i].column;
        weir_matrix_store(&csr->values, i, 1, &entries[i].value);
    }
    for (int64_t batch = 0; batch < csr->form.batch; batch++) {
        int32_t *row = rows + batch * (csr->form.rows + 1);
        batches[batch + 1] += batches[batch];
        for (int64_t row_index = 0; row_index < csr->form.rows; row_index++)
            row[row_index + 1] += row[row_index];
    }
}

weir_status weir_csr_make(const weir_csr_form *form, weir_csr_entry *entries, int64_t count,
                          weir_csr **out)
{
    weir_csr *csr = WEIR_NEW(weir_csr);
    weir_ref_init(&csr->base.ref, destroy);
    csr->base.type = &csr_type;
    csr->form = *form;
    weir_status status = alloc_parts(csr, count);
    if (status) {
        weir_ref_release(&csr->base.ref);
        return status;
    }
    if (count)
        qsort(entries, (size_t)count, sizeof *entries, weir_csr_order);
    fill_parts(csr, entries, count);
    *out = csr;
    return WEIR_OK;
}

int64_t weir_csr_count(const weir_csr *csr)
{
    return weir_tensor_count(&csr->columns);
}

weir_csr_entry *weir_csr_entries(const weir_csr *csr)
{
    int64_t count = weir_csr_count(csr), at = 0;
    weir_csr_entry *entries = WEIR_NEW_ARRAY(weir_csr_entry, count + 1);
    const int32_t *columns = csr->columns.data;
    for (int64_t batch = 0; batch < csr->form.batch; batch++) {
        const int32_t *row = (const int32_t *)csr->rows.data + batch * (csr->form.rows + 1);
        for (int64_t row_index = 0; row_index < csr->form.rows; row_index++)
            for (int32_t n = row[row_index]; n < row[row_index + 1]; n++, at++) {
                entries[at] = (weir_csr_entry){batch, row_index, columns[at], 0};
                weir_matrix_load(&csr->values, at, 1, &entries[at].value);
            }
    }
    return entries;
}

weir_shape weir_csr_shape(const weir_csr_form *form)
{
    return form->rank == 3 ? (weir_shape){3, {form->batch, form->rows, form->columns}}
                           : weir_shape_matrix(form->rows, form->columns);
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */

weir_status weir_csr_input(const weir_call *call, int in, weir_dtype dtype, const weir_csr **out)
{
    const weir_tensor *tensor = weir_in(call, in);
    const weir_variant *variant =
        weir_tensor_count(tensor) == 1 ? weir_tensor_variant(tensor) : NULL;
    if (!variant || variant->type != &csr_type)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Unable to retrieve CSRSparseMatrix from input %d: %s", in,
                          variant ? variant->type->name : "nothing");
    const weir_csr *csr = (const weir_csr *)variant;
    if (dtype && csr->form.dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "dtype of input %d is not equal to 'type': %s vs. %s", in,
                          weir_dtype_name(csr->form.dtype), weir_dtype_name(dtype));
    *out = csr;
    return WEIR_OK;
}

void weir_csr_output(weir_call *call, int out, weir_csr *csr)
{
    weir_call_set(call, out, weir_tensor_from_variant(&csr->base));
}

/* ---- from other tensors ---------------------------------------------------------------------- */

static weir_status form_of(weir_dtype dtype, const int64_t *dims, int64_t rank, weir_csr_form *out)
{
    if (rank != 2 && rank != 3)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "SparseTensor must have rank 2 or 3; but indices has rank: %" PRId64,
                          rank);
    for (int64_t axis = 0; axis < rank; axis++)
        if (dims[axis] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0",
                              dims[axis]);
    *out =
        (weir_csr_form){dtype, (int)rank, rank == 3 ? dims[0] : 1, dims[rank - 2], dims[rank - 1]};
    return WEIR_OK;
}

static weir_csr_entry entry_at(const int64_t *at, int rank)
{
    return (weir_csr_entry){rank == 3 ? at[0] : 0, at[rank - 2], at[rank - 1], 0};
}

static weir_status from_sparse(weir_call *call)
{
    weir_sparse sparse;
    weir_csr_form form;
    weir_csr *csr;
    WEIR_TRY(weir_sparse_read(call, 0, 1, 2, &sparse));
    WEIR_TRY(form_of(sparse.values->dtype, sparse.dims, sparse.rank, &form));
    WEIR_TRY(weir_sparse_sorted(&sparse));
    WEIR_FREED weir_csr_entry *entries = WEIR_NEW_ARRAY(weir_csr_entry, sparse.count + 1);
    for (int64_t i = 0; i < sparse.count; i++) {
        entries[i] = entry_at(sparse.indices + i * sparse.rank, sparse.rank);
        weir_matrix_load(sparse.values, i, 1, &entries[i].value);
    }
    WEIR_TRY(weir_csr_make(&form, entries, sparse.count, &csr));
    weir_csr_output(call, 0, csr);
    return WEIR_OK;
}

static weir_status infer_from_sparse(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, 0, 1, 2, ""));
    return weir_infer_scalar(infer);
}

static weir_status from_dense(weir_call *call)
{
    const weir_tensor *dense = weir_in(call, 0), *indices = weir_in(call, 1);
    weir_csr_form form;
    weir_csr *csr;
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
    weir_status status = weir_index_nd(indices, &dense->shape, false, offsets.data);
    WEIR_FREED weir_csr_entry *entries = WEIR_NEW_ARRAY(weir_csr_entry, count + 1);
    for (int64_t i = 0; i < count && !status; i++) {
        entries[i] = entry_at((const int64_t *)indices->data + i * rank, rank);
        weir_matrix_load(dense, ((const int64_t *)offsets.data)[i], 1, &entries[i].value);
    }
    if (!status)
        status = weir_csr_make(&form, entries, count, &csr);
    weir_tensor_release(&offsets);
    WEIR_TRY(status);
    weir_csr_output(call, 0, csr);
    return WEIR_OK;
}

/* ---- to other tensors ------------------------------------------------------------------------ */

static weir_status to_sparse(weir_call *call)
{
    const weir_csr *csr;
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(call->site, 0), &csr));
    int rank = csr->form.rank;
    int64_t count = weir_csr_count(csr);
    weir_shape shape = weir_csr_shape(&csr->form);
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, count, rank));
    WEIR_TRY(weir_sparse_alloc_shape(call, 2, shape.dims, rank));
    weir_csr_entry *entries = weir_csr_entries(csr);
    int64_t *at = weir_out(call, 0)->data;
    for (int64_t i = 0; i < count; i++) {
        if (rank == 3)
            *at++ = entries[i].batch;
        *at++ = entries[i].row;
        *at++ = entries[i].column;
    }
    weir_free(entries);
    weir_elements_copy(csr->form.dtype, weir_out(call, 1)->data, csr->values.data, count);
    return WEIR_OK;
}

static weir_status to_dense(weir_call *call)
{
    const weir_csr *csr;
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(call->site, 0), &csr));
    weir_shape shape = weir_csr_shape(&csr->form);
    WEIR_TRY(weir_shape_check(&shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_tensor *out = weir_out(call, 0);
    weir_tensor_zero(&call->run->par, out);
    weir_csr_entry *entries = weir_csr_entries(csr);
    for (int64_t i = 0; i < weir_csr_count(csr); i++)
        weir_elements_copy(
            out->dtype,
            weir_at(out, (entries[i].batch * csr->form.rows + entries[i].row) * csr->form.columns +
                             entries[i].column),
            weir_at(&csr->values, i), 1);
    weir_free(entries);
    return WEIR_OK;
}

/* Rows, columns and values of one matrix of the batch. */
static weir_status components(weir_call *call)
{
    const weir_csr *csr;
    WEIR_TRY(weir_csr_input(call, 0, weir_site_type(call->site, 0), &csr));
    const weir_tensor *index = weir_in(call, 1);
    if (index->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "index should be a scalar, but saw: %s",
                          WEIR_SHAPE_STR(&index->shape));
    int32_t b = *(const int32_t *)index->data;
    if (b < 0 || b >= csr->form.batch)
        return weir_error(WEIR_INVALID_ARGUMENT, "index (%d) not in [0, %" PRId64 ")", b,
                          csr->form.batch);
    const int32_t *batches = csr->batches.data;
    weir_shape rows = weir_shape_vector(csr->form.rows + 1),
               entries = weir_shape_vector(batches[b + 1] - batches[b]);
    weir_call_set(call, 0, weir_tensor_slice(&csr->rows, b * (csr->form.rows + 1), &rows));
    weir_call_set(call, 1, weir_tensor_slice(&csr->columns, batches[b], &entries));
    weir_call_set(call, 2, weir_tensor_slice(&csr->values, batches[b], &entries));
    return WEIR_OK;
}

static weir_status count_entries(weir_call *call)
{
    const weir_csr *csr;
    WEIR_TRY(weir_csr_input(call, 0, 0, &csr));
    weir_shape shape = csr->form.rank == 3 ? weir_shape_vector(csr->form.batch) : WEIR_SCALAR;
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    const int32_t *batches = csr->batches.data;
    for (int64_t batch = 0; batch < csr->form.batch; batch++)
        ((int32_t *)weir_out(call, 0)->data)[batch] = batches[batch + 1] - batches[batch];
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
