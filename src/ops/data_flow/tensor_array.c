/* ops/data_flow/tensor_array.c - TensorArrayV3 and its ops, and the older versions. */
#include <inttypes.h>

#include "grad/flow.h"
#include "op/device.h"
#include "ops/common/ndcopy.h"
#include "ops/data_flow/step_impl.h"
#include "ops/data_flow/tensor_array_impl.h"
#include "ops/declare.h"

static weir_status array_of(weir_call *call, weir_tensor_array **out_array)
{
    weir_resource *found;
    WEIR_TRY(weir_step_input(call, 0, &weir_tensor_array_type, &found));
    *out_array = (weir_tensor_array *)found;
    return WEIR_OK;
}

static weir_status check_write_type(const weir_tensor_array *ta, const weir_tensor *value)
{
    if (ta->dtype == value->dtype)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "TensorArray dtype is %s but Op is trying to write dtype %s.",
                      weir_dtype_name(ta->dtype), weir_dtype_name(value->dtype));
}

static weir_status check_read_type(const weir_call *call, const weir_tensor_array *ta)
{
    if (ta->dtype == weir_dtype_base(call->site->out_types[0]))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "TensorArray dtype is %s but Op requested dtype %s.",
                      weir_dtype_name(ta->dtype), weir_dtype_name(call->site->out_types[0]));
}

/* ---- creation -------------------------------------------------------------------------------- */

static const weir_attr *attr(const weir_call *call, const char *name)
{
    int at = weir_opdef_attr(call->site->def, name);
    return at < 0 ? NULL : &call->site->attrs[at];
}

static weir_status create(weir_call *call)
{
    const weir_tensor *size = weir_in(call, 0);
    if (size->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray size must be scalar, but had shape: %s",
                          WEIR_SHAPE_STR(&size->shape));
    int32_t count = *(const int32_t *)size->data;
    if (count < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Size should be >= 0.");
    WEIR_TRY(weir_ta_room(count));
    const weir_attr *same = attr(call, "identical_element_shapes");
    weir_tensor_array *ta = weir_ta_create(&(weir_ta_spec){
        .name = weir_step_name(call, attr(call, "tensor_array_name")->s),
        .dtype = (weir_dtype)attr(call, "dtype")->type,
        .element_shape = *attr(call, "element_shape")->shape,
        .size = count,
        .dynamic_size = attr(call, "dynamic_size")->b,
        .clear_after_read = attr(call, "clear_after_read")->b,
        .same_shapes = same && same->b,
    });
    weir_status status = weir_step_output(call, 0, &ta->base, ta->name);
    weir_ref_release(&ta->base.ref);
    if (!status && call->site->out_count > 1)
        status = weir_call_alloc(call, 1, &WEIR_SCALAR);
    if (!status && call->site->out_count > 1)
        weir_elements_zero(WEIR_FLOAT, weir_out(call, 1)->data, 1);
    return status;
}

static weir_status prefix_of(weir_call *call, weir_shape *out_prefix)
{
    int64_t dims[WEIR_MAX_RANK], count = 0;
    *out_prefix = WEIR_SCALAR;
    if (call->site->in_count < 3)
        return WEIR_OK;
    WEIR_TRY(weir_tensor_get_ints(weir_in(call, 2), dims, WEIR_MAX_RANK, &count));
    return weir_shape_make(dims, count, out_prefix);
}

static weir_status make_grad(weir_call *call)
{
    weir_tensor_array *ta, *grad;
    weir_shape prefix;
    WEIR_TRY(array_of(call, &ta));
    WEIR_TRY(prefix_of(call, &prefix));
    WEIR_TRY(weir_ta_grad_of(ta, weir_site_str(call->site, 0), &prefix, &grad));
    weir_status status = weir_step_output(call, 0, &grad->base, grad->name);
    weir_ref_release(&grad->base.ref);
    if (!status && call->site->out_count > 1)
        weir_call_forward(call, 1, 1, NULL);
    return status;
}

/* ---- one element ----------------------------------------------------------------------------- */

/* The memory where the values are read. */
static weir_memory *where(const weir_call *call)
{
    return weir_site_out_on_host(call->site, 0) ? NULL : call->site->memory;
}

static weir_status read_index(weir_call *call, int in, int64_t *out_index)
{
    const weir_tensor *tensor = weir_in(call, in);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray index must be scalar, but had shape: %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    *out_index = *(const int32_t *)tensor->data;
    return WEIR_OK;
}

static weir_status write_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    int64_t index;
    WEIR_TRY(read_index(call, 1, &index));
    WEIR_TRY(check_write_type(ta, weir_in(call, 2)));
    WEIR_TRY(weir_ta_write(ta, index, weir_tensor_share(weir_in(call, 2))));
    weir_call_forward(call, 3, 0, NULL);
    return WEIR_OK;
}

static weir_status read_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    int64_t index;
    WEIR_TRY(read_index(call, 1, &index));
    WEIR_TRY(check_read_type(call, ta));
    weir_tensor tensor;
    WEIR_TRY(weir_ta_read(ta, index, where(call), &tensor));
    weir_call_set(call, 0, tensor);
    return WEIR_OK;
}

/* ---- many elements --------------------------------------------------------------------------- */

static void release_all(weir_tensor *parts, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        weir_tensor_release(&parts[i]);
    weir_free(parts);
}

/* Reads elements |indices| (null: all in order) into an array that the caller releases. */
static weir_status read_many(const weir_call *call, weir_tensor_array *ta, const int32_t *indices,
                             int64_t count, weir_tensor **out_parts) WEIR_REQUIRES(ta->lock)
{
    weir_tensor *parts = WEIR_NEW_ARRAY(weir_tensor, count + 1);
    for (int64_t i = 0; i < count; i++) {
        weir_status status = weir_ta_read(ta, indices ? indices[i] : i, where(call), &parts[i]);
        if (status) {
            release_all(parts, i);
            return status;
        }
    }
    *out_parts = parts;
    return WEIR_OK;
}

/* On a device the parts must not be freed before they have been read. */
static void copy_parts(const weir_call *call, const weir_tensor *out, const weir_tensor *parts,
                       int64_t count)
{
    char *at = out->data;
    size_t size = weir_dtype_size(out->dtype);
    for (int64_t i = 0; i < count; i++) {
        int64_t total = weir_tensor_count(&parts[i]);
        weir_rows_copy(&call->run->par, out->dtype, at, total, parts[i].data, total, 1, total);
        at += (size_t)total * size;
    }
    if (weir_memory_current)
        weir_memory_scope_end(weir_memory_current);
}

static weir_status pack(weir_call *call, const weir_tensor *parts, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (!weir_shape_eq(&parts[0].shape, &parts[i].shape))
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "TensorArray has inconsistent shapes.  Index 0 has shape: %s but index "
                "%" PRId64 " has shape: %s",
                WEIR_SHAPE_STR(&parts[0].shape), i, WEIR_SHAPE_STR(&parts[i].shape));
    weir_shape lead = weir_shape_vector(count), shape;
    WEIR_TRY(weir_infer_concat(&lead, &parts[0].shape, &shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    copy_parts(call, weir_out(call, 0), parts, count);
    return WEIR_OK;
}

static weir_status gather_none(weir_call *call, const weir_tensor_array *ta)
{
    if (!weir_shape_known(&ta->element_shape))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "TensorArray has size zero, but element shape %s is not fully defined. "
                          "Currently only static shapes are supported when packing zero-size "
                          "TensorArrays.",
                          WEIR_SHAPE_STR(&ta->element_shape));
    weir_shape none = weir_shape_vector(0), shape;
    WEIR_TRY(weir_infer_concat(&none, &ta->element_shape, &shape));
    return weir_call_alloc(call, 0, &shape);
}

enum { GATHER_ELEMENT_SHAPE = 1 };

static weir_status gather_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    const weir_tensor *indices = weir_in(call, 1);
    if (indices->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected indices to be a vector, but received shape: %s",
                          WEIR_SHAPE_STR(&indices->shape));
    WEIR_TRY(check_read_type(call, ta));
    WEIR_TRY(weir_ta_narrow(ta, weir_site_shape(call->site, GATHER_ELEMENT_SHAPE)));
    int64_t count = indices->shape.dims[0];
    if (count == 0)
        return gather_none(call, ta);
    weir_tensor *parts;
    WEIR_TRY(read_many(call, ta, indices->data, count, &parts));
    weir_status status = pack(call, parts, count);
    release_all(parts, count);
    return status;
}

/* Writes row i of |value| to element indices[i]; rows alias its buffer. */
static weir_status write_rows(weir_tensor_array *ta, const weir_tensor *value,
                              const int32_t *indices, int64_t count) WEIR_REQUIRES(ta->lock)
{
    weir_shape row = weir_infer_sub(&value->shape, 1, WEIR_MAX_RANK);
    int64_t run = weir_shape_count(&row);
    for (int64_t i = 0; i < count; i++)
        WEIR_TRY(weir_ta_write(ta, indices[i], weir_tensor_slice(value, i * run, &row)));
    return WEIR_OK;
}

static weir_status scatter_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    const weir_tensor *indices = weir_in(call, 1), *value = weir_in(call, 2);
    if (indices->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected indices to be a vector, but received shape: %s",
                          WEIR_SHAPE_STR(&indices->shape));
    if (value->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input value for unpack must be at least a vector but received shape: %s",
                          WEIR_SHAPE_STR(&value->shape));
    int64_t count = indices->shape.dims[0], most = -1;
    if (count != value->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected len(indices) == values.shape[0], but saw: %" PRId64
                          " vs. %" PRId64,
                          count, value->shape.dims[0]);
    WEIR_TRY(check_write_type(ta, value));
    for (int64_t i = 0; i < count; i++)
        most =
            ((const int32_t *)indices->data)[i] > most ? ((const int32_t *)indices->data)[i] : most;
    if (!ta->dynamic_size && most >= (int64_t)ta->elements.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Max scatter index must be < array size (%" PRId64 " vs. %zu)", most,
                          ta->elements.count);
    WEIR_TRY(write_rows(ta, value, indices->data, count));
    weir_call_forward(call, 3, 0, NULL);
    return WEIR_OK;
}

/* Shape of the concatenation: checks the other dimensions and sums the first. */
static weir_status concat_shape(const weir_tensor *parts, int64_t count, weir_shape *out_shape)
{
    *out_shape = parts[0].shape;
    int64_t rows = 0;
    for (int64_t i = 0; i < count; i++) {
        const weir_shape *shape = &parts[i].shape;
        if (shape->rank < 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Concat saw a scalar shape at index %" PRId64
                              " but requires at least vectors.  Did you mean to call pack?",
                              i);
        weir_shape first = weir_infer_sub(&parts[0].shape, 1, WEIR_MAX_RANK);
        weir_shape mine = weir_infer_sub(shape, 1, WEIR_MAX_RANK);
        if (!weir_shape_eq(&first, &mine))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "TensorArray has inconsistent shapes.  Index 0 has (excepting "
                              "dimension 0) shape: %s but index %" PRId64
                              " has (excepting dimension 0) shape: %s",
                              WEIR_SHAPE_STR(&first), i, WEIR_SHAPE_STR(&mine));
        rows += shape->dims[0];
    }
    out_shape->dims[0] = rows;
    return WEIR_OK;
}

static weir_status concat_parts(weir_call *call, const weir_tensor *parts, int64_t count)
{
    weir_shape shape, lengths = weir_shape_vector(count);
    WEIR_TRY(concat_shape(parts, count, &shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    WEIR_TRY(weir_call_alloc(call, 1, &lengths));
    copy_parts(call, weir_out(call, 0), parts, count);
    for (int64_t i = 0; i < count; i++)
        ((int64_t *)weir_out(call, 1)->data)[i] = parts[i].shape.dims[0];
    return WEIR_OK;
}

enum { CONCAT_ELEMENT_SHAPE = 1 };

static weir_status concat_none(weir_call *call)
{
    const weir_shape *rest = weir_site_shape(call->site, CONCAT_ELEMENT_SHAPE);
    if (!weir_shape_known(rest))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "TensorArray has size zero, but element_shape_except0 %s is not fully "
                          "defined. Currently only static shapes are supported when concatenating "
                          "zero-size TensorArrays.",
                          WEIR_SHAPE_STR(rest));
    weir_shape none = weir_shape_vector(0), shape;
    WEIR_TRY(weir_infer_concat(&none, rest, &shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    return weir_call_alloc(call, 1, &none);
}

static weir_status concat_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    WEIR_TRY(check_read_type(call, ta));
    int64_t count = (int64_t)ta->elements.count;
    if (ta->is_grad && ta->pieces >= 0 &&
        ta->pieces < count) /* from the split, excluding later elements */
        count = ta->pieces;
    if (count == 0)
        return concat_none(call);
    weir_tensor *parts;
    WEIR_TRY(read_many(call, ta, NULL, count, &parts));
    weir_status status = concat_parts(call, parts, count);
    release_all(parts, count);
    return status;
}

static weir_status check_split(const weir_tensor_array *ta, const weir_tensor *value,
                               const weir_tensor *lengths)
{
    if (lengths->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected lengths to be a vector, received shape: %s",
                          WEIR_SHAPE_STR(&lengths->shape));
    if (value->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected value to be at least a vector, but received shape: %s",
                          WEIR_SHAPE_STR(&value->shape));
    const int64_t *length = lengths->data;
    int64_t count = lengths->shape.dims[0], sum = 0;
    for (int64_t i = 0; i < count; i++)
        if (length[i] < 0 || __builtin_add_overflow(sum, length[i], &sum))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Split length %" PRId64 " at index %" PRId64 " is not valid",
                              length[i], i);
    if (sum != value->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected sum of lengths to be equal to values.shape[0], but sum of "
                          "lengths is %" PRId64 " and value's shape is: %s",
                          sum, WEIR_SHAPE_STR(&value->shape));
    if (!ta->dynamic_size && count != (int64_t)ta->elements.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray's size is not equal to the size of lengths (%zu vs. %" PRId64
                          "), and the TensorArray is not marked as dynamically resizeable",
                          ta->elements.count, count);
    return check_write_type(ta, value);
}

static weir_status split_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    const weir_tensor *value = weir_in(call, 1), *lengths = weir_in(call, 2);
    WEIR_TRY(check_split(ta, value, lengths));
    weir_shape part = value->shape;
    int64_t run = weir_shape_product(&part, 1, part.rank), at = 0;
    for (int64_t i = 0; i < lengths->shape.dims[0]; i++) {
        part.dims[0] = ((const int64_t *)lengths->data)[i];
        WEIR_TRY(weir_ta_write(ta, i, weir_tensor_slice(value, at * run, &part)));
        at += part.dims[0];
    }
    if (!ta->is_grad)
        ta->pieces = lengths->shape.dims[0];
    weir_call_forward(call, 3, 0, NULL);
    return WEIR_OK;
}

static weir_status size_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    *(int32_t *)weir_out(call, 0)->data = (int32_t)ta->elements.count;
    return WEIR_OK;
}

static weir_status close_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    for (size_t i = 0; i < ta->elements.count; i++)
        weir_tensor_release(&ta->elements.at[i].tensor);
    ta->closed = true;
    return WEIR_OK;
}

/* ---- all elements at once: first version only ------------------------------------------------ */

static weir_status pack_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    WEIR_TRY(check_read_type(call, ta));
    WEIR_TRY(weir_ta_narrow(ta, weir_site_shape(call->site, GATHER_ELEMENT_SHAPE)));
    int64_t count = (int64_t)ta->elements.count;
    if (count == 0)
        return gather_none(call, ta);
    weir_tensor *parts;
    WEIR_TRY(read_many(call, ta, NULL, count, &parts));
    weir_status status = pack(call, parts, count);
    release_all(parts, count);
    return status;
}

static weir_status unpack_locked(weir_call *call, weir_tensor_array *ta) WEIR_REQUIRES(ta->lock)
{
    const weir_tensor *value = weir_in(call, 1);
    int64_t count = value->shape.rank < 1 ? -1 : value->shape.dims[0];
    if (count < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input value for unpack must be at least a vector but received shape: %s",
                          WEIR_SHAPE_STR(&value->shape));
    if (!ta->dynamic_size && count != (int64_t)ta->elements.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray's size is not equal to the number of rows (%zu vs. %" PRId64
                          "), and the TensorArray is not marked as dynamically resizeable",
                          ta->elements.count, count);
    WEIR_TRY(check_write_type(ta, value));
    weir_shape row = weir_infer_sub(&value->shape, 1, WEIR_MAX_RANK);
    int64_t run = weir_shape_count(&row);
    for (int64_t i = 0; i < count; i++)
        WEIR_TRY(weir_ta_write(ta, i, weir_tensor_slice(value, i * run, &row)));
    weir_call_forward(call, 2, 0, NULL);
    return WEIR_OK;
}

enum { WRITE, READ, GATHER, SCATTER, CONCAT, SPLIT, SIZE, CLOSE, PACK, UNPACK }; /* .mode */

/* Runs the op on the array of input 0, which must be open, under its lock. */
static weir_status use_array(weir_call *call)
{
    static weir_status (*const uses[])(weir_call *, weir_tensor_array *) = {
        [WRITE] = write_locked,     [READ] = read_locked,     [GATHER] = gather_locked,
        [SCATTER] = scatter_locked, [CONCAT] = concat_locked, [SPLIT] = split_locked,
        [SIZE] = size_locked,       [CLOSE] = close_locked,   [PACK] = pack_locked,
        [UNPACK] = unpack_locked,
    };
    weir_tensor_array *ta;
    WEIR_TRY(array_of(call, &ta));
    weir_mutex_lock(&ta->lock);
    weir_status status = weir_ta_check_open(ta);
    if (!status)
        status = uses[weir_site_mode(call->site)](call, ta);
    weir_mutex_unlock(&ta->lock);
    return status;
}

/* ---- inference ------------------------------------------------------------------------------- */

static weir_status infer_create(weir_infer *infer)
{
    if (infer->in_handles)
        WEIR_TRY(weir_infer_rank(infer, 0, 0));
    infer->out[0] = weir_shape_vector(2);
    if (infer->out_count > 1)
        infer->out[1] = WEIR_SCALAR;
    int same = weir_opdef_attr(infer->site->def, "identical_element_shapes");
    const weir_shape *element = weir_site_shape(infer->site, 1);
    if (infer->out_handles && same >= 0 &&
        (weir_site_bool(infer->site, same) || weir_shape_known(element)))
        infer->out_handles[0] = (weir_handle_info){weir_site_type(infer->site, 0), *element};
    return WEIR_OK;
}

static weir_status infer_grad(weir_infer *infer)
{
    infer->out[0] = weir_shape_vector(2);
    if (infer->out_count > 1)
        infer->out[1] = WEIR_SCALAR;
    if (infer->out_handles && infer->in_count == 2 && infer->in_handles[0])
        infer->out_handles[0] = *infer->in_handles[0];
    return WEIR_OK;
}

/* The scalar flow output of writing ops. */
static weir_status infer_flow(weir_infer *infer)
{
    infer->out[0] = WEIR_SCALAR;
    return WEIR_OK;
}

static const weir_handle_info *handle_of(const weir_infer *infer)
{
    return infer->in_handles && infer->in_handles[0] && infer->in_handles[0]->dtype
               ? infer->in_handles[0]
               : NULL;
}

static weir_status infer_write(weir_infer *infer)
{
    weir_shape merged;
    infer->out[0] = WEIR_SCALAR;
    if (infer->in_handles)
        WEIR_TRY(weir_infer_rank(infer, 1, 0));
    return handle_of(infer) ? weir_infer_merge(&handle_of(infer)->shape, infer->in[2], &merged)
                            : WEIR_OK;
}

static weir_status infer_scatter(weir_infer *infer)
{
    infer->out[0] = WEIR_SCALAR;
    if (!infer->in_handles)
        return WEIR_OK;
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t rows;
    return infer->in[2]->rank < 1
               ? WEIR_OK
               : weir_infer_merge_dim(infer->in[2]->dims[0], weir_infer_dim(infer, 1, 0), &rows);
}

static weir_status infer_read(weir_infer *infer)
{
    if (handle_of(infer) && handle_of(infer)->dtype == weir_dtype_base(infer->site->out_types[0]))
        infer->out[0] = handle_of(infer)->shape;
    return WEIR_OK;
}

static weir_status infer_gather(weir_infer *infer)
{
    if (!infer->in_handles)
        return WEIR_OK;
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    weir_shape lead = weir_shape_vector(infer->in[1]->rank < 0 ? -1 : infer->in[1]->dims[0]);
    return weir_infer_concat(&lead, weir_site_shape(infer->site, GATHER_ELEMENT_SHAPE),
                             &infer->out[0]);
}

static weir_status infer_concat(weir_infer *infer)
{
    weir_shape lead = weir_shape_vector(-1);
    infer->out[1] = lead;
    return weir_infer_concat(&lead, weir_site_shape(infer->site, CONCAT_ELEMENT_SHAPE),
                             &infer->out[0]);
}

/* ---- ops ------------------------------------------------------------------------------------- */

#define TYPES                                                                                      \
    "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, "    \
    "complex64, complex128, bool, string, resource, variant, qint8, quint8, qint32"
#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_CHEAP)

const weir_op weir_op_tensor_array_v3 = {
    .name = "TensorArrayV3",
    .in = "size: int32",
    .out = "handle: resource; flow: float",
    .attrs = "dtype: type; element_shape: shape = unknown; dynamic_size: bool = false; "
             "clear_after_read: bool = true; identical_element_shapes: bool = false; "
             "tensor_array_name: string = \"\"",
    .host = "size",
    .flags = WEIR_STATEFUL,
    .infer = infer_create,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", create, FLAGS}},
};

const weir_op weir_op_tensor_array_v2 = {
    .name = "TensorArrayV2",
    .in = "size: int32",
    .out = "handle: string",
    .attrs = "dtype: type; element_shape: shape = unknown; dynamic_size: bool = false; "
             "clear_after_read: bool = true; tensor_array_name: string = \"\"",
    .host = "size",
    .flags = WEIR_STATEFUL,
    .deprecated_at = 26,
    .deprecation = "Use TensorArrayV3",
    .infer = infer_create,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", create, FLAGS}},
};

const weir_op weir_op_tensor_array_grad_v3 = {
    .name = "TensorArrayGradV3",
    .in = "handle: resource; flow_in: float",
    .out = "grad_handle: resource; flow_out: float",
    .attrs = "source: string",
    .flags = WEIR_STATEFUL,
    .infer = infer_grad,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", make_grad, FLAGS}},
};

const weir_op weir_op_tensor_array_grad_with_shape = {
    .name = "TensorArrayGradWithShape",
    .in = "handle: resource; flow_in: float; shape_to_prepend: int32",
    .out = "grad_handle: resource; flow_out: float",
    .attrs = "source: string",
    .host = "shape_to_prepend",
    .flags = WEIR_STATEFUL,
    .infer = infer_grad,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", make_grad, FLAGS}},
};

const weir_op weir_op_tensor_array_grad_v2 = {
    .name = "TensorArrayGradV2",
    .in = "handle: string; flow_in: float",
    .out = "grad_handle: string",
    .attrs = "source: string",
    .flags = WEIR_STATEFUL,
    .deprecated_at = 26,
    .deprecation = "Use TensorArrayGradV3",
    .infer = infer_grad,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", make_grad, FLAGS}},
};

#define OLD(version, name) .deprecated_at = version, .deprecation = "Use TensorArray" name
#define FIRST_write OLD(16, "WriteV3")
#define FIRST_read OLD(16, "ReadV3")
#define FIRST_gather OLD(16, "GatherV3")
#define FIRST_scatter OLD(19, "GradV3")
#define FIRST_concat OLD(16, "GradV3")
#define FIRST_split OLD(16, "SplitV3")
#define FIRST_size OLD(16, "SizeV3")
#define FIRST_close OLD(16, "CloseV3")

/* An op on an array, which V3 passes as a resource, V2 as a string and the first version as a
 * reference to one. Only V3 has gradients. */
#define ARRAY_OPS(id, text, inputs, deprecated_in_v2, gradient, ...)                               \
    WEIR_DEFINE_OP(tensor_array_##id, "TensorArray" text, .in = "handle: Ref(string)" inputs,      \
                   .flags = WEIR_NO_FOLD, FIRST_##id, __VA_ARGS__);                                \
    WEIR_DEFINE_OP(tensor_array_##id##_v3, "TensorArray" text "V3",                                \
                   .in = "handle: resource" inputs, .flags = WEIR_STATEFUL, .grad = gradient,      \
                   __VA_ARGS__);                                                                   \
    WEIR_DEFINE_OP(tensor_array_##id##_v2, "TensorArray" text "V2", .in = "handle: string" inputs, \
                   .flags = WEIR_NO_FOLD, .deprecated_at = deprecated_in_v2,                       \
                   .deprecation = "Use TensorArray" text "V3", __VA_ARGS__)

ARRAY_OPS(write, "Write", "; index: int32; value: T; flow_in: float", 26,
          weir_grad_tensor_array_write, .out = "flow_out: float", .attrs = "T: type",
          .infer = infer_write, .mode = WRITE, .host = "index",
          .kernels = {{WEIR_CPU, "T: " TYPES, use_array, FLAGS}});
ARRAY_OPS(read, "Read", "; index: int32; flow_in: float", 26, weir_grad_tensor_array_read,
          .out = "value: dtype", .attrs = "dtype: type", .infer = infer_read, .mode = READ,
          .host = "index", .kernels = {{WEIR_CPU, "dtype: " TYPES, use_array, FLAGS}});
ARRAY_OPS(gather, "Gather", "; indices: int32; flow_in: float", 26, weir_grad_tensor_array_gather,
          .out = "value: dtype", .attrs = "dtype: type; element_shape: shape = unknown",
          .infer = infer_gather, .mode = GATHER, .host = "indices",
          .kernels = {{WEIR_CPU, "dtype: " TYPES, use_array, WEIR_OWN_OUTPUTS}});
ARRAY_OPS(scatter, "Scatter", "; indices: int32; value: T; flow_in: float", 26,
          weir_grad_tensor_array_scatter, .out = "flow_out: float", .attrs = "T: type",
          .infer = infer_scatter, .mode = SCATTER, .host = "indices",
          .kernels = {{WEIR_CPU, "T: " TYPES, use_array, FLAGS}});
ARRAY_OPS(concat, "Concat", "; flow_in: float", 0, weir_grad_tensor_array_concat,
          .out = "value: dtype; lengths: int64",
          .attrs = "dtype: type; element_shape_except0: shape = unknown", .infer = infer_concat,
          .mode = CONCAT, .host = "lengths",
          .kernels = {{WEIR_CPU, "dtype: " TYPES, use_array, WEIR_OWN_OUTPUTS}});
ARRAY_OPS(split, "Split", "; value: T; lengths: int64; flow_in: float", 26,
          weir_grad_tensor_array_split, .out = "flow_out: float", .attrs = "T: type",
          .infer = infer_flow, .mode = SPLIT, .host = "lengths",
          .kernels = {{WEIR_CPU, "T: " TYPES, use_array, FLAGS}});
ARRAY_OPS(size, "Size", "; flow_in: float", 26, NULL, .out = "size: int32", .infer = infer_flow,
          .no_grad = true, .mode = SIZE, .host = "size",
          .kernels = {{WEIR_CPU, "*", use_array, WEIR_CHEAP}});
ARRAY_OPS(close, "Close", "", 26, NULL, .infer = weir_infer_no_outputs, .no_grad = true,
          .mode = CLOSE, .kernels = {{WEIR_CPU, "*", use_array, WEIR_CHEAP}});

WEIR_DEFINE_OP(tensor_array_pack, "TensorArrayPack", .in = "handle: Ref(string); flow_in: float",
               .out = "value: dtype", .attrs = "dtype: type; element_shape: shape = unknown",
               .flags = WEIR_NO_FOLD, .mode = PACK, OLD(16, "GatherV3 with RangeOp"),
               .kernels = {{WEIR_CPU, "dtype: " TYPES, use_array, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(tensor_array_unpack, "TensorArrayUnpack",
               .in = "handle: Ref(string); value: T; flow_in: float", .out = "flow_out: float",
               .attrs = "T: type", .flags = WEIR_NO_FOLD, .infer = infer_flow, .mode = UNPACK,
               OLD(20, "ScatterV3 with RangeOp"),
               .kernels = {{WEIR_CPU, "T: " TYPES, use_array, FLAGS}});
WEIR_DEFINE_OP(tensor_array, "TensorArray", .in = "size: int32", .out = "handle: Ref(string)",
               .attrs = "dtype: type; dynamic_size: bool = false; clear_after_read: bool = true; "
                        "tensor_array_name: string = \"\"; element_shape: shape = unknown",
               .host = "size", .flags = WEIR_STATEFUL, .infer = infer_create, .no_grad = true,
               OLD(16, "V3"), .kernels = {{WEIR_CPU, "*", create, FLAGS}});
WEIR_DEFINE_OP(tensor_array_grad, "TensorArrayGrad", .in = "handle: string; flow_in: float",
               .out = "grad_handle: Ref(string)", .attrs = "source: string", .flags = WEIR_STATEFUL,
               .infer = infer_grad, .no_grad = true, OLD(16, "GradV3"),
               .kernels = {{WEIR_CPU, "*", make_grad, FLAGS}});
