/* tensor/tensor.c - shapes, tensors and their elements. */
#include "tensor/tensor.h"

#include "memory/device.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tensor/handle.h"
#include "tensor/tstring.h"

weir_status weir_shape_make(const int64_t *dims, int64_t rank, weir_shape *out_shape)
{
    if (rank < -1 || rank > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape has %" PRId64 " dimensions, more than the %d supported", rank,
                          WEIR_MAX_RANK);
    weir_shape shape = {.rank = (int32_t)rank};
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < -1)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0", dims[i]);
        if (dims[i] > 0 && __builtin_mul_overflow(count, dims[i], &count))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Shape has too many elements: dimension %d is "
                              "%" PRId64,
                              i, dims[i]);
        shape.dims[i] = dims[i];
    }
    *out_shape = shape;
    return WEIR_OK;
}

bool weir_shape_eq(const weir_shape *a, const weir_shape *b)
{
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

bool weir_shape_compatible(const weir_shape *a, const weir_shape *b)
{
    if (a->rank < 0 || b->rank < 0)
        return true;
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] >= 0 && b->dims[i] >= 0 && a->dims[i] != b->dims[i])
            return false;
    return true;
}

int64_t weir_shape_count(const weir_shape *shape)
{
    return weir_shape_known(shape) ? weir_shape_product(shape, 0, shape->rank) : -1;
}

void weir_shape_append(weir_shape *shape, int64_t dim)
{
    assert(shape->rank >= 0 && shape->rank < WEIR_MAX_RANK);
    shape->dims[shape->rank++] = dim;
}

char *weir_shape_text(const weir_shape *shape, char text[WEIR_SHAPE_TEXT])
{
    if (shape->rank < 0) {
        strcpy(text, "<unknown>");
        return text;
    }
    size_t count = 0;
    text[count++] = '[';
    for (int i = 0; i < shape->rank; i++) {
        const char *comma = i ? "," : "";
        if (shape->dims[i] < 0)
            count += (size_t)snprintf(text + count, WEIR_SHAPE_TEXT - count, "%s?", comma);
        else
            count += (size_t)snprintf(text + count, WEIR_SHAPE_TEXT - count, "%s%" PRId64, comma,
                                      shape->dims[i]);
    }
    snprintf(text + count, WEIR_SHAPE_TEXT - count, "]");
    return text;
}

static void fini_strings(weir_buffer *buffer)
{
    weir_tstring *tstrings = buffer->data;
    for (size_t i = 0; i < buffer->bytes / sizeof *tstrings; i++)
        weir_tstring_fini(&tstrings[i]);
}

static void fini_refs(weir_buffer *buffer)
{
    weir_ref **refs = buffer->data;
    for (size_t i = 0; i < buffer->bytes / sizeof *refs; i++)
        weir_ref_release(refs[i]);
}

static weir_status out_of_memory(weir_dtype dtype, const weir_shape *shape)
{
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "OOM when allocating tensor with shape%s and type %s", WEIR_SHAPE_STR(shape),
                      weir_dtype_name(dtype));
}

static weir_status count_bytes(weir_dtype dtype, const weir_shape *shape, size_t *out_bytes)
{
    bool empty = false, fits = true, countable = true;
    size_t count = 1, bytes = weir_dtype_size(dtype);
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] < 0)
            return weir_error(WEIR_INTERNAL, "a tensor needs a known shape, not %s",
                              WEIR_SHAPE_STR(shape));
        empty |= shape->dims[i] == 0;
        size_t dim = shape->dims[i] ? (size_t)shape->dims[i] : 1;
        countable &= weir_size_mul(count, dim, &count) && count <= INT64_MAX;
        fits &= weir_size_mul(bytes, dim, &bytes);
    }
    if (!empty && !countable)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Encountered overflow when multiplying the dimensions of shape %s",
                          WEIR_SHAPE_STR(shape));
    if (!empty && (!fits || bytes > ((size_t)1 << 46)))
        return out_of_memory(dtype, shape);
    *out_bytes = empty ? 0 : bytes;
    return WEIR_OK;
}

weir_status weir_tensor_alloc(weir_dtype dtype, const weir_shape *shape, weir_tensor *out_tensor)
{
    size_t bytes;
    weir_buffer *buffer;
    if (!weir_dtype_size(dtype))
        return weir_error(WEIR_INVALID_ARGUMENT, "no tensor can have type %s",
                          weir_dtype_name(dtype));
    WEIR_TRY(count_bytes(dtype, shape, &bytes));
    weir_status status = weir_buffer_alloc(bytes, &buffer);
    if (status) {
        weir_status_free(status);
        return weir_status_note(out_of_memory(dtype, shape), ": %zu bytes", bytes);
    }
    if (!weir_dtype_is_plain(dtype)) {
        memset(buffer->data, 0, buffer->bytes);
        buffer->fini = dtype == WEIR_STRING ? fini_strings : fini_refs;
    }
    if (&out_tensor->shape != shape)
        weir_shape_copy(&out_tensor->shape, shape);
    out_tensor->dtype = dtype;
    out_tensor->buffer = buffer;
    out_tensor->data = buffer->data;
    return WEIR_OK;
}

void weir_tensor_release(weir_tensor *tensor)
{
    weir_buffer *buffer = tensor->buffer;
    tensor->buffer = NULL;
    tensor->data = NULL;
    tensor->dtype = WEIR_DT_INVALID;
    weir_buffer_release(buffer);
}

weir_tensor weir_tensor_share(const weir_tensor *tensor)
{
    weir_buffer_retain(tensor->buffer);
    return *tensor;
}

weir_tensor weir_tensor_view(const weir_tensor *tensor, const weir_shape *shape)
{
    weir_tensor view = weir_tensor_share(tensor);
    view.shape = *shape;
    return view;
}

weir_tensor weir_tensor_slice(const weir_tensor *tensor, int64_t first_element,
                              const weir_shape *shape)
{
    weir_tensor view = weir_tensor_view(tensor, shape);
    view.data = (char *)tensor->data + (size_t)first_element * weir_dtype_size(tensor->dtype);
    return view;
}

/* A copy in the same device's memory. */
static weir_status clone_on_device(const weir_tensor *tensor, weir_tensor *out_tensor)
{
    weir_memory *memory = tensor->buffer->memory;
    weir_tensor copy = *tensor;
    size_t bytes = weir_tensor_bytes(tensor);
    WEIR_TRY(memory->alloc(memory, bytes, &copy.buffer));
    copy.data = copy.buffer->data;
    weir_status status = memory->copy(memory, copy.data, tensor->data, bytes);
    if (status)
        weir_tensor_release(&copy);
    else
        *out_tensor = copy;
    return status;
}

weir_status weir_tensor_clone(const weir_tensor *tensor, weir_tensor *out_tensor)
{
    weir_tensor copy;
    if (tensor->buffer && tensor->buffer->memory)
        return clone_on_device(tensor, out_tensor);
    WEIR_TRY(weir_tensor_alloc(tensor->dtype, &tensor->shape, &copy));
    weir_elements_copy(tensor->dtype, copy.data, tensor->data, weir_tensor_count(tensor));
    *out_tensor = copy;
    return WEIR_OK;
}

weir_status weir_tensor_own(weir_tensor *tensor)
{
    if (weir_tensor_unique(tensor))
        return WEIR_OK;
    weir_tensor copy;
    WEIR_TRY(weir_tensor_clone(tensor, &copy));
    weir_tensor_release(tensor);
    *tensor = copy;
    return WEIR_OK;
}

static void copy_strings(weir_tstring *dst, const weir_tstring *src, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        weir_str text = weir_tstring_get(&src[i]);
        weir_tstring_set(&dst[i], text.at, text.length);
    }
}

static void copy_refs(weir_ref **dst, weir_ref *const *src, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (src[i])
            weir_ref_retain(src[i]);
        weir_ref_release(dst[i]);
        dst[i] = src[i];
    }
}

/* Copies or (without a source) clears in the memory of this thread's scope: memory/device.h. */
static void on_device(void *dst, const void *src, size_t bytes)
{
    weir_memory_scope *scope = weir_memory_current;
    weir_memory *memory = scope->memory;
    if (!scope->failed)
        scope->failed =
            src ? memory->copy(memory, dst, src, bytes) : memory->clear(memory, dst, bytes);
}

void weir_elements_copy(weir_dtype dtype, void *dst, const void *src, int64_t count)
{
    if (count <= 0)
        return;
    if (dtype == WEIR_STRING)
        copy_strings(dst, src, count);
    else if (weir_dtype_is_plain(dtype) && !weir_memory_current)
        memcpy(dst, src, (size_t)count * weir_dtype_size(dtype));
    else if (weir_dtype_is_plain(dtype))
        on_device(dst, src, (size_t)count * weir_dtype_size(dtype));
    else
        copy_refs(dst, (weir_ref *const *)src, count);
}

void weir_elements_zero(weir_dtype dtype, void *dst, int64_t count)
{
    if (count <= 0)
        return;
    if (dtype == WEIR_STRING) {
        for (int64_t i = 0; i < count; i++)
            weir_tstring_fini((weir_tstring *)dst + i);
    } else if (weir_dtype_is_plain(dtype) && !weir_memory_current) {
        memset(dst, 0, (size_t)count * weir_dtype_size(dtype));
    } else if (weir_dtype_is_plain(dtype)) {
        on_device(dst, NULL, (size_t)count * weir_dtype_size(dtype));
    } else {
        weir_ref **refs = dst;
        for (int64_t i = 0; i < count; i++) {
            weir_ref_release(refs[i]);
            refs[i] = NULL;
        }
    }
}

static void must(weir_status status)
{
    if (!status)
        return;
    fprintf(stderr, "weir: %s\n", weir_status_message(status));
    _exit(70); /* as in base/mem.h */
}

weir_tensor weir_tensor_from(weir_dtype dtype, const weir_shape *shape, const void *elements)
{
    weir_tensor tensor;
    must(weir_tensor_alloc(dtype, shape, &tensor));
    weir_elements_copy(dtype, tensor.data, elements, weir_tensor_count(&tensor));
    return tensor;
}

weir_tensor weir_tensor_scalar(weir_dtype dtype, const void *value)
{
    return weir_tensor_from(dtype, &WEIR_SCALAR, value);
}

weir_tensor weir_tensor_string(weir_str value)
{
    weir_tensor tensor;
    must(weir_tensor_alloc(WEIR_STRING, &WEIR_SCALAR, &tensor));
    weir_tstring_set(tensor.data, value.at, value.length);
    return tensor;
}

weir_status weir_tensor_get_ints(const weir_tensor *tensor, int64_t *out, int64_t room,
                                 int64_t *out_count)
{
    int64_t count = weir_tensor_count(tensor);
    if (tensor->dtype != WEIR_INT32 && tensor->dtype != WEIR_INT64)
        return weir_error(WEIR_INVALID_ARGUMENT, "expected int32 or int64, got %s",
                          weir_dtype_name(tensor->dtype));
    if (count > room)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%" PRId64 " values where at most %" PRId64 " are supported", count,
                          room);
    for (int64_t i = 0; i < count; i++)
        out[i] = tensor->dtype == WEIR_INT32 ? ((const int32_t *)tensor->data)[i]
                                             : ((const int64_t *)tensor->data)[i];
    *out_count = count;
    return WEIR_OK;
}

static void destroy_handle(weir_ref *ref)
{
    weir_handle *handle = (weir_handle *)ref;
    weir_free(handle->device);
    weir_free(handle->container);
    weir_free(handle->name);
    weir_free(handle->type_name);
    weir_free(handle->dtypes);
    weir_free(handle->shapes);
    weir_ref_release(handle->object);
    weir_free(handle);
}

weir_handle *weir_handle_create(const char *device, const char *container, const char *name,
                                const char *type_name)
{
    weir_handle *handle = WEIR_NEW(weir_handle);
    weir_ref_init(&handle->ref, destroy_handle);
    handle->device = weir_strdup(device);
    handle->container = weir_strdup(container);
    handle->name = weir_strdup(name);
    handle->type_name = weir_strdup(type_name);
    return handle;
}

static weir_tensor from_ref(weir_dtype dtype, weir_ref *ref)
{
    weir_tensor tensor;
    must(weir_tensor_alloc(dtype, &WEIR_SCALAR, &tensor));
    *(weir_ref **)tensor.data = ref;
    return tensor;
}

weir_tensor weir_tensor_from_handle(weir_handle *handle)
{
    return from_ref(WEIR_RESOURCE, &handle->ref);
}

weir_tensor weir_tensor_from_variant(weir_variant *variant)
{
    return from_ref(WEIR_VARIANT, &variant->ref);
}

weir_handle *weir_tensor_handle(const weir_tensor *tensor)
{
    return tensor->dtype == WEIR_RESOURCE && weir_tensor_count(tensor) > 0
               ? *(weir_handle **)tensor->data
               : NULL;
}

weir_variant *weir_tensor_variant(const weir_tensor *tensor)
{
    return tensor->dtype == WEIR_VARIANT && weir_tensor_count(tensor) > 0
               ? *(weir_variant **)tensor->data
               : NULL;
}
