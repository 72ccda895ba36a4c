/* capi/tensor.c - TF_Tensor over weir_tensor.
 *
 * The client destroys string elements that it allocated, because clients copy them as plain bytes;
 * those of a step are destroyed with their tensor.
 */
#include "capi/capi_impl.h"
#include "tensor/handle.h"
#include "tensor/proto.h"
#include "weir/embed.h"

TF_Tensor *weir_capi_tensor(weir_tensor tensor)
{
    TF_Tensor *out = WEIR_NEW(TF_Tensor);
    out->t = tensor;
    out->bytes = weir_tensor_bytes(&tensor);
    return out;
}

const weir_tensor *weir_capi_tensor_of(const TF_Tensor *tensor)
{
    return &tensor->t;
}

size_t TF_DataTypeSize(TF_DataType dt)
{
    return weir_dtype_valid(dt) ? weir_dtype_wire_size((weir_dtype)dt) : 0;
}

size_t TF_TensorDefaultAlignment(void)
{
    return WEIR_ALIGNMENT;
}

/* A valid type and known dims for which |len| bytes suffice. */
static bool describe(TF_DataType dtype, const int64_t *dims, int rank, size_t len,
                     weir_shape *out_shape)
{
    if (!weir_dtype_valid(dtype) || rank < 0)
        return false;
    weir_status status = weir_shape_make(dims, rank, out_shape);
    bool ok = status == WEIR_OK && weir_shape_known(out_shape);
    weir_status_free(status);
    size_t need;
    return ok &&
           weir_size_mul((size_t)weir_shape_count(out_shape), weir_dtype_size((weir_dtype)dtype),
                         &need) &&
           need <= len;
}

/* Memory for elements that the client fills in. Handles cannot be created by clients. */
static bool make_room(TF_DataType dtype, const weir_shape *shape, size_t len, weir_tensor *out)
{
    weir_buffer *buffer;
    if (dtype == TF_RESOURCE || dtype == TF_VARIANT)
        return false;
    weir_status status = weir_buffer_alloc(len, &buffer);
    if (status) {
        weir_status_free(status);
        return false;
    }
    if (dtype == TF_STRING)
        memset(buffer->data, 0, len);
    *out = (weir_tensor){
        .buffer = buffer, .data = buffer->data, .dtype = (weir_dtype)dtype, .shape = *shape};
    return true;
}

TF_Tensor *TF_AllocateTensor(TF_DataType dtype, const int64_t *dims, int num_dims, size_t len)
{
    weir_shape shape;
    weir_tensor tensor;
    if (!describe(dtype, dims, num_dims, len, &shape) || !make_room(dtype, &shape, len, &tensor))
        return NULL;
    TF_Tensor *out = weir_capi_tensor(tensor);
    out->bytes = len;
    return out;
}

/* A resource is passed as a serialised handle; only scalars are supported. */
static TF_Tensor *from_handle_proto(int num_dims, const void *data, size_t len)
{
    weir_handle *handle;
    weir_status status = num_dims == 0
                             ? weir_handle_parse((weir_str){data, len}, &handle)
                             : weir_error(WEIR_INVALID_ARGUMENT, "resource tensors are scalars");
    bool ok = status == WEIR_OK;
    weir_status_free(status);
    return ok ? weir_capi_tensor(weir_tensor_from_handle(handle)) : NULL;
}

/* A tensor of |len| bytes, of which the client may use all. */
static TF_Tensor *sized(weir_tensor tensor, size_t len)
{
    TF_Tensor *out = weir_capi_tensor(tensor);
    out->bytes = len;
    return out;
}

static bool copy_of(TF_DataType dtype, const weir_shape *shape, const void *data, size_t len,
                    weir_tensor *out)
{
    if (!make_room(dtype, shape, len, out))
        return false;
    if (len)
        memcpy(out->data, data, len);
    return true;
}

static TF_Tensor *wrapped(TF_DataType dtype, const weir_shape *shape, weir_buffer *buffer)
{
    TF_Tensor *out = weir_capi_tensor((weir_tensor){
        .buffer = buffer, .data = buffer->data, .dtype = (weir_dtype)dtype, .shape = *shape});
    out->bytes = buffer->bytes;
    return out;
}

static bool is_plain(TF_DataType dtype)
{
    return weir_dtype_valid(dtype) && weir_dtype_is_plain((weir_dtype)dtype);
}

TF_Tensor *TF_NewTensor(TF_DataType dtype, const int64_t *dims, int num_dims, void *data,
                        size_t len, void (*deallocator)(void *data, size_t len, void *arg),
                        void *deallocator_arg)
{
    weir_shape shape;
    weir_tensor copy;
    TF_Tensor *out = NULL;
    bool in_place = dtype == TF_STRING || (uintptr_t)data % WEIR_ALIGNMENT == 0;

    if (dtype == TF_RESOURCE) {
        out = from_handle_proto(num_dims, data, len);
    } else if ((is_plain(dtype) || dtype == TF_STRING) &&
               describe(dtype, dims, num_dims, len, &shape)) {
        if (in_place && deallocator)
            return wrapped(dtype, &shape,
                           weir_buffer_wrap(data, len, deallocator, deallocator_arg));
        if (copy_of(dtype, &shape, data, len, &copy))
            out = sized(copy, len);
    }
    if (deallocator)
        deallocator(data, len, deallocator_arg);
    return out;
}

bool weir_capi_lend(const weir_fed *fed, weir_tensor *out)
{
    if (!is_plain(fed->dtype) ||
        !describe(fed->dtype, fed->dims, fed->num_dims, fed->len, &out->shape))
        return false;
    if ((uintptr_t)fed->data % weir_dtype_size((weir_dtype)fed->dtype) != 0) {
        weir_shape shape = out->shape;
        return copy_of(fed->dtype, &shape, fed->data, fed->len, out);
    }
    out->buffer = weir_buffer_wrap(fed->data, fed->len, fed->release, fed->arg);
    out->buffer->read_only = out->buffer->lent = true;
    out->data = fed->data;
    out->dtype = (weir_dtype)fed->dtype;
    return true;
}

TF_Tensor *weir_lend_tensor(TF_DataType dtype, const int64_t *dims, int num_dims, void *data,
                            size_t len, void (*release)(void *data, size_t len, void *arg),
                            void *arg)
{
    weir_fed fed = {NULL, dtype, num_dims, dims, data, len, release, arg, 0};
    weir_tensor tensor;
    TF_Tensor *out = weir_capi_lend(&fed, &tensor) ? sized(tensor, len) : NULL;
    if (!out || !tensor.buffer->lent)
        release(data, len, arg);
    return out;
}

void TF_DeleteTensor(TF_Tensor *tensor)
{
    if (!tensor)
        return;
    weir_tensor_release(&tensor->t);
    weir_free(tensor);
}

TF_Tensor *TF_TensorMaybeMove(TF_Tensor *tensor)
{
    bool ours = weir_tensor_unique(&tensor->t) && !tensor->t.buffer->release;
    return ours ? tensor : NULL;
}

TF_DataType TF_TensorType(const TF_Tensor *tensor)
{
    return (TF_DataType)tensor->t.dtype;
}

int TF_NumDims(const TF_Tensor *tensor)
{
    return tensor->t.shape.rank;
}

int64_t TF_Dim(const TF_Tensor *tensor, int dim_index)
{
    bool inside = dim_index >= 0 && dim_index < tensor->t.shape.rank;
    return inside ? tensor->t.shape.dims[dim_index] : -1;
}

size_t TF_TensorByteSize(const TF_Tensor *tensor)
{
    return tensor->bytes;
}

void *TF_TensorData(const TF_Tensor *tensor)
{
    if (tensor->t.buffer)
        weir_buffer_show(tensor->t.buffer);
    return tensor->bytes ? tensor->t.data : NULL;
}

int64_t TF_TensorElementCount(const TF_Tensor *tensor)
{
    return weir_tensor_count(&tensor->t);
}

bool TF_TensorIsAligned(const TF_Tensor *tensor)
{
    return (uintptr_t)tensor->t.data % WEIR_ALIGNMENT == 0;
}

/* Ignores dims with another number of elements: the buffer would not match. */
void TF_SetShape(TF_Tensor *tensor, const int64_t *dims, int num_dims)
{
    weir_shape shape;
    if (describe((TF_DataType)tensor->t.dtype, dims, num_dims, tensor->bytes, &shape))
        tensor->t.shape = shape;
}

static weir_status bitcast(const weir_tensor *from, TF_DataType type, const int64_t *dims, int rank,
                           weir_tensor *out)
{
    weir_shape shape;
    if (!weir_dtype_valid(type) || !weir_dtype_is_plain((weir_dtype)type) ||
        !weir_dtype_is_plain(from->dtype))
        return weir_error(WEIR_INVALID_ARGUMENT, "cannot see a tensor of type %s as type %s",
                          weir_dtype_name(from->dtype), weir_dtype_name(type));
    WEIR_TRY(weir_shape_make(dims, rank, &shape));
    int64_t count = weir_shape_count(&shape);
    size_t bytes;
    if (count < 0 || !weir_size_mul((size_t)count, weir_dtype_size((weir_dtype)type), &bytes) ||
        bytes != weir_tensor_bytes(from))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input and output shapes/data type sizes are not compatible");
    *out = weir_tensor_view(from, &shape);
    out->dtype = (weir_dtype)type;
    return WEIR_OK;
}

static void replace(TF_Tensor *to, weir_tensor tensor)
{
    weir_tensor old = to->t;
    to->t = tensor;
    to->bytes = weir_tensor_bytes(&tensor);
    weir_tensor_release(&old);
}

void TF_TensorBitcastFrom(const TF_Tensor *from, TF_DataType type, TF_Tensor *to,
                          const int64_t *new_dims, int num_new_dims, TF_Status *status)
{
    weir_tensor tensor;
    if (weir_capi_end(status, bitcast(&from->t, type, new_dims, num_new_dims, &tensor)))
        replace(to, tensor);
}

void TF_TensorFromProto(const TF_Buffer *from, TF_Tensor *to, TF_Status *status)
{
    weir_tensor tensor;
    if (weir_capi_end(status, weir_tensor_parse(weir_capi_bytes(from), &tensor)))
        replace(to, tensor);
}
