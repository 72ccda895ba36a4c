/* tensor/proto.c - tensors out of messages and back.
 *
 * One row per dtype says which repeated field holds its values and how a number becomes an element.
 */
#include "tensor/proto.h"

#include <inttypes.h>

#include "tensor/opaque.h"
#include "tensor/tstring.h"

/* ---- shapes --------------------------------------------------------------------------------- */

static bool parse_dim(weir_str proto, int64_t *out_size)
{
    weir_pb r = weir_pb_reader(proto);
    *out_size = 0;
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            *out_size = weir_pb_int(&r);
    return weir_pb_ok(&r);
}

weir_status weir_shape_parse(weir_str proto, weir_shape *out_shape)
{
    weir_pb r = weir_pb_reader(proto);
    int64_t dims[WEIR_MAX_RANK + 1], rank = 0;
    bool unknown = false;
    while (weir_pb_next(&r)) {
        if (r.field == 2 && r.type == WEIR_PB_LEN) {
            int64_t size;
            if (!parse_dim(r.bytes, &size))
                return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable TensorShapeProto");
            if (rank <= WEIR_MAX_RANK)
                dims[rank] = size;
            rank++;
        } else if (r.field == 3 && r.type == WEIR_PB_VARINT) {
            unknown = r.value != 0;
        }
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable TensorShapeProto");
    return weir_shape_make(dims, unknown ? -1 : rank, out_shape);
}

void weir_shape_encode(const weir_shape *s, weir_buf *out)
{
    if (s->rank < 0) {
        weir_pb_put_varint(out, 3, 1);
        return;
    }
    for (int i = 0; i < s->rank; i++) {
        size_t mark = weir_pb_begin(out, 2);
        weir_pb_put_varint_nz(out, 1, (uint64_t)s->dims[i]);
        weir_pb_end(out, mark);
    }
}

/* ---- elements ------------------------------------------------------------------------------- */

static void put_u8(void *at, uint64_t v)
{
    *(uint8_t *)at = (uint8_t)v;
}
static void put_u16(void *at, uint64_t v)
{
    *(uint16_t *)at = (uint16_t)v;
}
static void put_u32(void *at, uint64_t v)
{
    *(uint32_t *)at = (uint32_t)v;
}
static void put_u64(void *at, uint64_t v)
{
    *(uint64_t *)at = v;
}
static void put_bool(void *at, uint64_t v)
{
    *(uint8_t *)at = v != 0;
}

typedef struct row {
    uint8_t field;   /* of the repeated values */
    uint8_t element; /* weir_pb_type */
    uint8_t parts;   /* numbers in one element: 2 for complex */
    uint8_t bytes;   /* of one part */
    void (*put)(void *at, uint64_t v);
} row;

enum {
    FLOAT_VAL = 5,
    DOUBLE_VAL,
    INT_VAL,
    STRING_VAL,
    SCOMPLEX_VAL,
    INT64_VAL,
    BOOL_VAL,
    DCOMPLEX_VAL,
    HALF_VAL,
    RESOURCE_VAL,
    VARIANT_VAL,
    UINT32_VAL,
    UINT64_VAL,
    FLOAT8_VAL
};

#define SMALL_INT                                                                                  \
    {                                                                                              \
        INT_VAL, WEIR_PB_VARINT, 1, 1, put_u8                                                      \
    }

static const row rows[WEIR_DTYPE_COUNT] = {
    [WEIR_FLOAT] = {FLOAT_VAL, WEIR_PB_I32, 1, 4, put_u32},
    [WEIR_DOUBLE] = {DOUBLE_VAL, WEIR_PB_I64, 1, 8, put_u64},
    [WEIR_INT32] = {INT_VAL, WEIR_PB_VARINT, 1, 4, put_u32},
    [WEIR_QINT32] = {INT_VAL, WEIR_PB_VARINT, 1, 4, put_u32},
    [WEIR_INT16] = {INT_VAL, WEIR_PB_VARINT, 1, 2, put_u16},
    [WEIR_UINT16] = {INT_VAL, WEIR_PB_VARINT, 1, 2, put_u16},
    [WEIR_QINT16] = {INT_VAL, WEIR_PB_VARINT, 1, 2, put_u16},
    [WEIR_QUINT16] = {INT_VAL, WEIR_PB_VARINT, 1, 2, put_u16},
    [WEIR_INT8] = SMALL_INT,
    [WEIR_UINT8] = SMALL_INT,
    [WEIR_QINT8] = SMALL_INT,
    [WEIR_QUINT8] = SMALL_INT,
    [WEIR_INT4] = SMALL_INT,
    [WEIR_UINT4] = SMALL_INT,
    [WEIR_INT2] = SMALL_INT,
    [WEIR_UINT2] = SMALL_INT,
    [WEIR_INT64] = {INT64_VAL, WEIR_PB_VARINT, 1, 8, put_u64},
    [WEIR_UINT32] = {UINT32_VAL, WEIR_PB_VARINT, 1, 4, put_u32},
    [WEIR_UINT64] = {UINT64_VAL, WEIR_PB_VARINT, 1, 8, put_u64},
    [WEIR_BOOL] = {BOOL_VAL, WEIR_PB_VARINT, 1, 1, put_bool},
    [WEIR_HALF] = {HALF_VAL, WEIR_PB_VARINT, 1, 2, put_u16},
    [WEIR_BFLOAT16] = {HALF_VAL, WEIR_PB_VARINT, 1, 2, put_u16},
    [WEIR_COMPLEX64] = {SCOMPLEX_VAL, WEIR_PB_I32, 2, 4, put_u32},
    [WEIR_COMPLEX128] = {DCOMPLEX_VAL, WEIR_PB_I64, 2, 8, put_u64},
};

/* Repeats the last |one| bytes of the first |have| elements over the rest. */
static void splat(char *data, int64_t have, int64_t count, size_t one)
{
    if (have == 0) {
        memset(data, 0, (size_t)count * one);
        return;
    }
    for (int64_t i = have; i < count; i++)
        memcpy(data + (size_t)i * one, data + (size_t)(have - 1) * one, one);
}

static weir_status fill_numbers(weir_str proto, weir_tensor *t)
{
    const row *row = &rows[t->dtype];
    size_t one = weir_dtype_size(t->dtype);
    int64_t parts = 0, count = weir_tensor_count(t), room = count * row->parts;
    char *data = t->data;
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        if (r.field != row->field)
            continue;
        weir_pb_packed p = {0};
        while (weir_pb_each(&r, row->element, &p))
            if (parts < room)
                row->put(data + (size_t)parts++ * row->bytes, p.value);
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable TensorProto");
    splat(data, parts / row->parts, count, one);
    return WEIR_OK;
}

static weir_status fill_float8(weir_str proto, weir_tensor *t)
{
    int64_t count = weir_tensor_count(t), have = 0;
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        if (r.field == FLOAT8_VAL && r.type == WEIR_PB_LEN) {
            have = (int64_t)r.bytes.length < count ? (int64_t)r.bytes.length : count;
            if (have)
                memcpy(t->data, r.bytes.at, (size_t)have);
        }
    splat(t->data, have, count, 1);
    return WEIR_OK;
}

static weir_status fill_strings(weir_str proto, weir_tensor *t)
{
    int64_t have = 0, count = weir_tensor_count(t);
    weir_tstring *s = t->data;
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        if (r.field == STRING_VAL && r.type == WEIR_PB_LEN && have < count)
            weir_tstring_set(&s[have++], r.bytes.at, r.bytes.length);
    for (int64_t i = have; have && i < count; i++) {
        weir_str last = weir_tstring_get(&s[have - 1]);
        weir_tstring_set(&s[i], last.at, last.length);
    }
    return WEIR_OK;
}

static weir_status fill_handles(weir_str proto, weir_tensor *t)
{
    int64_t have = 0, count = weir_tensor_count(t);
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        if (r.field == RESOURCE_VAL && r.type == WEIR_PB_LEN && have < count)
            WEIR_TRY(weir_handle_parse(r.bytes, &((weir_handle **)t->data)[have++]));
    return WEIR_OK;
}

static weir_status fill_variants(weir_str proto, weir_tensor *t)
{
    int64_t have = 0, count = weir_tensor_count(t);
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        if (r.field == VARIANT_VAL && r.type == WEIR_PB_LEN && have < count)
            ((weir_variant **)t->data)[have++] = weir_opaque_create(r.bytes);
    return WEIR_OK;
}

/* Element |i| of a list in tensor_content becomes what it is. */
static weir_status set_listed(weir_tensor *t, int64_t i, weir_str bytes)
{
    if (t->dtype == WEIR_STRING)
        weir_tstring_set((weir_tstring *)t->data + i, bytes.at, bytes.length);
    else if (t->dtype == WEIR_RESOURCE)
        return weir_handle_parse(bytes, &((weir_handle **)t->data)[i]);
    else
        ((weir_variant **)t->data)[i] = weir_opaque_create(bytes);
    return WEIR_OK;
}

/* Strings, handles and variants in tensor_content: all lengths as varints, then all bytes. */
static weir_status list_of_content(weir_str content, weir_tensor *t)
{
    const uint8_t *at = (const uint8_t *)content.at, *end = at + content.length;
    int64_t count = weir_tensor_count(t);
    uint64_t *lengths = WEIR_NEW_ARRAY(uint64_t, count);
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i++)
        ok = weir_varint_get(&at, end, &lengths[i]);
    weir_status s = WEIR_OK;
    for (int64_t i = 0; i < count && ok && !s; i++) {
        ok = lengths[i] <= (uint64_t)(end - at);
        if (ok) {
            s = set_listed(t, i, (weir_str){(const char *)at, lengths[i]});
            at += lengths[i];
        }
    }
    weir_free(lengths);
    if (!s && (!ok || at != end))
        s = weir_error(WEIR_INVALID_ARGUMENT, "malformed tensor_content of %s",
                       weir_dtype_name(t->dtype));
    return s;
}

static weir_status fill_content(weir_str content, weir_tensor *t)
{
    if (!weir_dtype_is_plain(t->dtype))
        return list_of_content(content, t);
    if (content.length != weir_tensor_bytes(t))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tensor_content has %zu bytes, but %s of shape %s needs %zu",
                          content.length, weir_dtype_name(t->dtype), WEIR_SHAPE_STR(&t->shape),
                          weir_tensor_bytes(t));
    memcpy(t->data, content.at, content.length);
    return WEIR_OK;
}

typedef weir_status (*filler)(weir_str proto, weir_tensor *t);

static filler filler_of(weir_dtype dtype)
{
    if (dtype == WEIR_STRING)
        return fill_strings;
    if (dtype == WEIR_RESOURCE)
        return fill_handles;
    if (dtype == WEIR_VARIANT)
        return fill_variants;
    return rows[dtype].put ? fill_numbers : fill_float8;
}

weir_status weir_tensor_parse(weir_str proto, weir_tensor *out_tensor)
{
    weir_pb r = weir_pb_reader(proto);
    weir_shape shape = WEIR_SCALAR;
    weir_str content = {0};
    int dtype = 0;
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            dtype = (int)r.value;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            WEIR_TRY(weir_shape_parse(r.bytes, &shape));
        else if (r.field == 4 && r.type == WEIR_PB_LEN)
            content = r.bytes;
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable TensorProto");
    if (!weir_dtype_valid(dtype))
        return weir_error(WEIR_INVALID_ARGUMENT, "TensorProto has invalid dtype %d", dtype);
    if (shape.rank < 0)
        shape = WEIR_SCALAR;
    if (!weir_shape_known(&shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "TensorProto has unknown dimensions: %s",
                          WEIR_SHAPE_STR(&shape));
    weir_tensor t;
    WEIR_TRY(weir_tensor_alloc((weir_dtype)dtype, &shape, &t));
    weir_status s = content.length ? fill_content(content, &t) : filler_of(t.dtype)(proto, &t);
    if (s) {
        weir_tensor_release(&t);
        return s;
    }
    *out_tensor = t;
    return WEIR_OK;
}

weir_status weir_variant_data_parse(weir_str proto, weir_variant_data *out_data)
{
    enum { TYPE_NAME = 1, METADATA = 2, TENSORS = 3 };
    weir_variant_data d = {0};
    WEIR_VEC(weir_tensor) tensors = {0};
    weir_status s = WEIR_OK;
    weir_pb r = weir_pb_reader(proto);
    while (!s && weir_pb_next(&r)) {
        weir_tensor t;
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == TYPE_NAME)
            d.type_name = r.bytes;
        else if (r.field == METADATA)
            d.metadata = r.bytes;
        else if (r.field == TENSORS && !(s = weir_tensor_parse(r.bytes, &t)))
            weir_vec_push(&tensors, t);
    }
    if (!s && !weir_pb_ok(&r))
        s = weir_error(WEIR_INVALID_ARGUMENT, "Unparseable VariantTensorDataProto");
    d.tensors = tensors.at;
    d.count = (int)tensors.count;
    if (s)
        weir_variant_data_fini(&d);
    else
        *out_data = d;
    return s;
}

void weir_variant_data_fini(weir_variant_data *d)
{
    for (int i = 0; i < d->count; i++)
        weir_tensor_release(&d->tensors[i]);
    weir_free(d->tensors);
    *d = (weir_variant_data){0};
}

static weir_status encode_parts(const weir_variant *v, weir_buf *out)
{
    WEIR_BUF(metadata);
    weir_tensor *tensors = NULL;
    int count = 0;
    weir_pb_put_str(out, 1, v->type->name);
    weir_status s = v->type->encode(v, &metadata, &tensors, &count);
    weir_pb_put_bytes(out, 2, metadata.at, metadata.length);
    for (int k = 0; k < count; k++) {
        size_t inner = weir_pb_begin(out, 3);
        if (!s)
            s = weir_tensor_encode(&tensors[k], out);
        weir_pb_end(out, inner);
        weir_tensor_release(&tensors[k]);
    }
    weir_free(tensors);
    return s;
}

weir_status weir_variant_encode(const weir_variant *v, weir_buf *out)
{
    weir_str bytes;
    if (!v)
        return WEIR_OK;
    if (weir_opaque_get(v, &bytes)) {
        weir_buf_add(out, bytes.at, bytes.length);
        return WEIR_OK;
    }
    if (!v->type->encode)
        return weir_error(WEIR_UNIMPLEMENTED, "a variant of type %s has no serial form",
                          v->type->name);
    return encode_parts(v, out);
}

static weir_status encode_variants(const weir_tensor *t, weir_buf *out)
{
    for (int64_t i = 0; i < weir_tensor_count(t); i++) {
        size_t mark = weir_pb_begin(out, VARIANT_VAL);
        WEIR_TRY(weir_variant_encode(((weir_variant **)t->data)[i], out));
        weir_pb_end(out, mark);
    }
    return WEIR_OK;
}

weir_status weir_tensor_encode(const weir_tensor *t, weir_buf *out)
{
    weir_pb_put_varint(out, 1, t->dtype);
    size_t mark = weir_pb_begin(out, 2);
    weir_shape_encode(&t->shape, out);
    weir_pb_end(out, mark);
    int64_t count = weir_tensor_count(t);
    if (count == 0)
        return WEIR_OK;
    if (weir_dtype_is_plain(t->dtype)) {
        weir_pb_put_bytes(out, 4, t->data, weir_tensor_bytes(t));
        return WEIR_OK;
    }
    if (t->dtype == WEIR_VARIANT)
        return encode_variants(t, out);
    for (int64_t i = 0; i < count; i++) {
        if (t->dtype == WEIR_STRING) {
            weir_str s = weir_tstring_get((const weir_tstring *)t->data + i);
            weir_pb_put_bytes(out, STRING_VAL, s.at, s.length);
            continue;
        }
        size_t inner = weir_pb_begin(out, RESOURCE_VAL);
        if (((weir_handle **)t->data)[i])
            weir_handle_encode(((weir_handle **)t->data)[i], out);
        weir_pb_end(out, inner);
    }
    return WEIR_OK;
}

/* Element |i| as a list in tensor_content holds it. */
static weir_status encode_listed(const weir_tensor *t, int64_t i, weir_buf *out)
{
    if (t->dtype == WEIR_VARIANT)
        return weir_variant_encode(((weir_variant **)t->data)[i], out);
    if (t->dtype == WEIR_STRING) {
        weir_str s = weir_tstring_get((const weir_tstring *)t->data + i);
        weir_buf_add(out, s.at, s.length);
    } else if (((weir_handle **)t->data)[i]) {
        weir_handle_encode(((weir_handle **)t->data)[i], out);
    }
    return WEIR_OK;
}

weir_status weir_tensor_encode_list(const weir_tensor *t, weir_buf *out)
{
    weir_pb_put_varint(out, 1, t->dtype);
    size_t mark = weir_pb_begin(out, 2);
    weir_shape_encode(&t->shape, out);
    weir_pb_end(out, mark);
    WEIR_BUF(lengths);
    WEIR_BUF(bytes);
    weir_status s = WEIR_OK;
    for (int64_t i = 0, count = weir_tensor_count(t); i < count && !s; i++) {
        size_t before = bytes.length;
        s = encode_listed(t, i, &bytes);
        weir_varint_put(&lengths, bytes.length - before);
    }
    if (lengths.length) {
        mark = weir_pb_begin(out, 4);
        weir_buf_add(out, lengths.at, lengths.length);
        weir_buf_add(out, bytes.at, bytes.length);
        weir_pb_end(out, mark);
    }
    return s;
}

/* ---- handles -------------------------------------------------------------------------------- */

void weir_handle_encode(const weir_handle *h, weir_buf *out)
{
    weir_pb_put_str_nz(out, 1, h->device);
    weir_pb_put_str_nz(out, 2, h->container);
    weir_pb_put_str_nz(out, 3, h->name);
    weir_pb_put_varint_nz(out, 4, h->hash_code);
    weir_pb_put_str_nz(out, 5, h->type_name);
    for (int i = 0; i < h->dtype_count; i++) {
        size_t mark = weir_pb_begin(out, 6);
        weir_pb_put_varint_nz(out, 1, h->dtypes[i]);
        size_t inner = weir_pb_begin(out, 2);
        weir_shape_encode(&h->shapes[i], out);
        weir_pb_end(out, inner);
        weir_pb_end(out, mark);
    }
}

static weir_status parse_dtype_and_shape(weir_str proto, weir_handle *h)
{
    int n = h->dtype_count++;
    h->dtypes = weir_realloc(h->dtypes, sizeof *h->dtypes * (size_t)h->dtype_count);
    h->shapes = weir_realloc(h->shapes, sizeof *h->shapes * (size_t)h->dtype_count);
    h->dtypes[n] = WEIR_DT_INVALID;
    h->shapes[n] = WEIR_SCALAR;
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT && weir_dtype_valid((int)r.value))
            h->dtypes[n] = (weir_dtype)r.value;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            WEIR_TRY(weir_shape_parse(r.bytes, &h->shapes[n]));
    }
    return WEIR_OK;
}

weir_status weir_handle_parse(weir_str proto, weir_handle **out_handle)
{
    weir_handle *h = weir_handle_create("", "", "", "");
    char **texts[] = {[1] = &h->device, [2] = &h->container, [3] = &h->name, [5] = &h->type_name};
    weir_status s = WEIR_OK;
    weir_pb r = weir_pb_reader(proto);
    while (!s && weir_pb_next(&r)) {
        if (r.type == WEIR_PB_LEN && r.field < 6 && texts[r.field]) {
            weir_free(*texts[r.field]);
            *texts[r.field] = weir_strndup(r.bytes.at, r.bytes.length);
        } else if (r.field == 4 && r.type == WEIR_PB_VARINT) {
            h->hash_code = r.value;
        } else if (r.field == 6 && r.type == WEIR_PB_LEN) {
            s = parse_dtype_and_shape(r.bytes, h);
        }
    }
    if (!s && !weir_pb_ok(&r))
        s = weir_error(WEIR_INVALID_ARGUMENT, "Unparseable ResourceHandleProto");
    if (s) {
        weir_ref_release(&h->ref);
        return s;
    }
    *out_handle = h;
    return WEIR_OK;
}
