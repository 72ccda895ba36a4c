/* tensor/tensor.c - shapes, tensors and their elements. */
#include "tensor/tensor.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensor/handle.h"
#include "tensor/tstring.h"

weir_status weir_shape_make(const int64_t *dims, int64_t rank, weir_shape *out_shape)
{
    if (rank < -1 || rank > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape has %" PRId64 " dimensions, more than the %d supported", rank,
                          WEIR_MAX_RANK);
    weir_shape s = {.rank = (int32_t)rank};
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < -1)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0", dims[i]);
        if (dims[i] > 0 && __builtin_mul_overflow(count, dims[i], &count))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Shape has too many elements: dimension %d is "
                              "%" PRId64,
                              i, dims[i]);
        s.dims[i] = dims[i];
    }
    *out_shape = s;
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

int64_t weir_shape_count(const weir_shape *s)
{
    return weir_shape_known(s) ? weir_shape_product(s, 0, s->rank) : -1;
}

void weir_shape_set_dim(weir_shape *s, int i, int64_t dim)
{
    assert(i >= 0 && i < s->rank);
    s->dims[i] = dim;
}

void weir_shape_append(weir_shape *s, int64_t dim)
{
    assert(s->rank >= 0 && s->rank < WEIR_MAX_RANK);
    s->dims[s->rank++] = dim;
}

char *weir_shape_text(const weir_shape *s, char text[WEIR_SHAPE_TEXT])
{
    if (s->rank < 0) {
        strcpy(text, "<unknown>");
        return text;
    }
    size_t n = 0;
    text[n++] = '[';
    for (int i = 0; i < s->rank; i++) {
        const char *comma = i ? "," : "";
        if (s->dims[i] < 0)
            n += (size_t)snprintf(text + n, WEIR_SHAPE_TEXT - n, "%s?", comma);
        else
            n += (size_t)snprintf(text + n, WEIR_SHAPE_TEXT - n, "%s%" PRId64, comma, s->dims[i]);
    }
    snprintf(text + n, WEIR_SHAPE_TEXT - n, "]");
    return text;
}

static void fini_strings(weir_buffer *b)
{
    weir_tstring *s = b->data;
    for (size_t i = 0; i < b->bytes / sizeof *s; i++)
        weir_tstring_fini(&s[i]);
}

static void fini_refs(weir_buffer *b)
{
    weir_ref **r = b->data;
    for (size_t i = 0; i < b->bytes / sizeof *r; i++)
        weir_ref_release(r[i]);
}

weir_status weir_tensor_alloc(weir_dtype dtype, const weir_shape *shape, weir_tensor *out_tensor)
{
    size_t bytes = weir_dtype_size(dtype);
    if (!bytes)
        return weir_error(WEIR_INVALID_ARGUMENT, "no tensor can have type %s",
                          weir_dtype_name(dtype));
    bool empty = false, fits = true, countable = true;
    size_t count = 1;
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
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Shape %s has too many elements: overflow when multiplying its dimensions",
            WEIR_SHAPE_STR(shape));
    if (!empty && (!fits || bytes > ((size_t)1 << 46)))
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "OOM when allocating tensor with shape%s and type "
                          "%s",
                          WEIR_SHAPE_STR(shape), weir_dtype_name(dtype));
    weir_buffer *buffer;
    weir_status s = weir_buffer_alloc(empty ? 0 : bytes, &buffer);
    if (s) {
        weir_status_free(s);
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "OOM when allocating tensor with shape%s and type "
                          "%s",
                          WEIR_SHAPE_STR(shape), weir_dtype_name(dtype));
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

void weir_tensor_release(weir_tensor *t)
{
    weir_buffer *b = t->buffer;
    t->buffer = NULL;
    t->data = NULL;
    t->dtype = WEIR_DT_INVALID;
    weir_buffer_release(b);
}

weir_tensor weir_tensor_share(const weir_tensor *t)
{
    weir_buffer_retain(t->buffer);
    return *t;
}

weir_tensor weir_tensor_view(const weir_tensor *t, const weir_shape *shape)
{
    weir_tensor v = weir_tensor_share(t);
    v.shape = *shape;
    return v;
}

weir_tensor weir_tensor_slice(const weir_tensor *t, int64_t first_element, const weir_shape *shape)
{
    weir_tensor v = weir_tensor_view(t, shape);
    v.data = (char *)t->data + (size_t)first_element * weir_dtype_size(t->dtype);
    return v;
}

weir_status weir_tensor_clone(const weir_tensor *t, weir_tensor *out_tensor)
{
    weir_tensor copy;
    WEIR_TRY(weir_tensor_alloc(t->dtype, &t->shape, &copy));
    weir_elements_copy(t->dtype, copy.data, t->data, weir_tensor_count(t));
    *out_tensor = copy;
    return WEIR_OK;
}

weir_status weir_tensor_own(weir_tensor *t)
{
    if (weir_tensor_unique(t))
        return WEIR_OK;
    weir_tensor copy;
    WEIR_TRY(weir_tensor_clone(t, &copy));
    weir_tensor_release(t);
    *t = copy;
    return WEIR_OK;
}

static void copy_strings(weir_tstring *dst, const weir_tstring *src, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        weir_str s = weir_tstring_get(&src[i]);
        weir_tstring_set(&dst[i], s.at, s.length);
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

void weir_elements_copy(weir_dtype dtype, void *dst, const void *src, int64_t count)
{
    if (count <= 0)
        return;
    if (dtype == WEIR_STRING)
        copy_strings(dst, src, count);
    else if (weir_dtype_is_plain(dtype))
        memcpy(dst, src, (size_t)count * weir_dtype_size(dtype));
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
    } else if (weir_dtype_is_plain(dtype)) {
        memset(dst, 0, (size_t)count * weir_dtype_size(dtype));
    } else {
        weir_ref **refs = dst;
        for (int64_t i = 0; i < count; i++) {
            weir_ref_release(refs[i]);
            refs[i] = NULL;
        }
    }
}

static void must(weir_status s)
{
    if (!s)
        return;
    fprintf(stderr, "weir: %s\n", weir_status_message(s));
    abort();
}

weir_tensor weir_tensor_from(weir_dtype dtype, const weir_shape *shape, const void *elements)
{
    weir_tensor t;
    must(weir_tensor_alloc(dtype, shape, &t));
    weir_elements_copy(dtype, t.data, elements, weir_tensor_count(&t));
    return t;
}

weir_tensor weir_tensor_scalar(weir_dtype dtype, const void *value)
{
    return weir_tensor_from(dtype, &WEIR_SCALAR, value);
}

weir_tensor weir_tensor_string(weir_str value)
{
    weir_tensor t;
    must(weir_tensor_alloc(WEIR_STRING, &WEIR_SCALAR, &t));
    weir_tstring_set(t.data, value.at, value.length);
    return t;
}

weir_status weir_tensor_get_ints(const weir_tensor *t, int64_t *out, int64_t room,
                                 int64_t *out_count)
{
    int64_t count = weir_tensor_count(t);
    if (t->dtype != WEIR_INT32 && t->dtype != WEIR_INT64)
        return weir_error(WEIR_INVALID_ARGUMENT, "expected int32 or int64, got %s",
                          weir_dtype_name(t->dtype));
    if (count > room)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%" PRId64 " values where at most %" PRId64 " are supported", count,
                          room);
    for (int64_t i = 0; i < count; i++)
        out[i] =
            t->dtype == WEIR_INT32 ? ((const int32_t *)t->data)[i] : ((const int64_t *)t->data)[i];
    *out_count = count;
    return WEIR_OK;
}

static void destroy_handle(weir_ref *ref)
{
    weir_handle *h = (weir_handle *)ref;
    weir_free(h->device);
    weir_free(h->container);
    weir_free(h->name);
    weir_free(h->type_name);
    weir_free(h->dtypes);
    weir_free(h->shapes);
    weir_ref_release(h->object);
    weir_free(h);
}

weir_handle *weir_handle_create(const char *device, const char *container, const char *name,
                                const char *type_name)
{
    weir_handle *h = WEIR_NEW(weir_handle);
    weir_ref_init(&h->ref, destroy_handle);
    h->device = weir_strdup(device);
    h->container = weir_strdup(container);
    h->name = weir_strdup(name);
    h->type_name = weir_strdup(type_name);
    return h;
}

static weir_tensor from_ref(weir_dtype dtype, weir_ref *r)
{
    weir_tensor t;
    must(weir_tensor_alloc(dtype, &WEIR_SCALAR, &t));
    *(weir_ref **)t.data = r;
    return t;
}

weir_tensor weir_tensor_from_handle(weir_handle *handle)
{
    return from_ref(WEIR_RESOURCE, &handle->ref);
}

weir_tensor weir_tensor_from_variant(weir_variant *variant)
{
    return from_ref(WEIR_VARIANT, &variant->ref);
}

weir_handle *weir_tensor_handle(const weir_tensor *t)
{
    return t->dtype == WEIR_RESOURCE && weir_tensor_count(t) > 0 ? *(weir_handle **)t->data : NULL;
}

weir_variant *weir_tensor_variant(const weir_tensor *t)
{
    return t->dtype == WEIR_VARIANT && weir_tensor_count(t) > 0 ? *(weir_variant **)t->data : NULL;
}
