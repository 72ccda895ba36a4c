/*
 * io/npy.c - one array in NumPy's format.
 *
 *   0  "\x93NUMPY", major version (1, 2 or 3), minor version
 *   8  length of the header: uint16 in version 1, uint32 later; little-endian
 *      the header: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, spaces, '\n'
 *      the elements
 */
#include "io/npy.h"

#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"
#include "io/file.h"
#include "tensor/tstring.h"

enum { MAGIC = 6, LONGEST_HEADER = 1 << 16, ALIGNED = 64 };
static const size_t largest_file = (size_t)64 << 30;

/* NumPy's letter and element size, and our type; the first entry of a type is used for writing. */
static const struct {
    char letter;
    uint8_t size;
    weir_dtype dtype;
} types[] = {
    {'f', 4, WEIR_FLOAT},     {'f', 8, WEIR_DOUBLE},      {'f', 2, WEIR_HALF},
    {'i', 1, WEIR_INT8},      {'i', 2, WEIR_INT16},       {'i', 4, WEIR_INT32},
    {'i', 8, WEIR_INT64},     {'u', 1, WEIR_UINT8},       {'u', 2, WEIR_UINT16},
    {'u', 4, WEIR_UINT32},    {'u', 8, WEIR_UINT64},      {'b', 1, WEIR_BOOL},
    {'c', 8, WEIR_COMPLEX64}, {'c', 16, WEIR_COMPLEX128}, {'V', 2, WEIR_BFLOAT16},
    {'i', 1, WEIR_QINT8},     {'i', 2, WEIR_QINT16},      {'i', 4, WEIR_QINT32},
    {'u', 1, WEIR_QUINT8},    {'u', 2, WEIR_QUINT16},
};
enum { TYPES = sizeof types / sizeof *types };

/* ---- reading --------------------------------------------------------------------------------- */

/* The text after 'key': in the header, which is a Python literal; empty if absent. */
static weir_str value_of(weir_str header, const char *key)
{
    char quoted[32];
    int length = snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = memmem(header.at, header.length, quoted, (size_t)length);
    const char *end = header.at + header.length;
    if (!at)
        return WEIR_STR("");
    at += length;
    while (at < end && (*at == ' ' || *at == ':'))
        at++;
    return (weir_str){at, (size_t)(end - at)};
}

/* '<f4': byte order, letter, size. */
static weir_status parse_type(weir_str text, weir_npy_head *head)
{
    const char *quote = text.length ? memchr(text.at + 1, '\'', text.length - 1) : NULL;
    uint64_t size;
    if (text.length < 4 || text.at[0] != '\'' || !quote || quote - text.at < 4)
        return weir_error(WEIR_UNIMPLEMENTED, "an array of numpy's with a type of its own: %.*s",
                          (int)(text.length < 40 ? text.length : 40), text.at);
    weir_str name = {text.at + 1, (size_t)(quote - text.at - 1)};
    char order = name.at[0], letter = name.at[1];
    if (!weir_parse_u64((weir_str){name.at + 2, name.length - 2}, &size) || size > UINT32_MAX)
        return weir_error(WEIR_UNIMPLEMENTED, "numpy's type '%.*s'", WEIR_STR_ARG(name));
    head->swapped = order == '>';
    head->item = size;
    head->text = letter == 'U';
    if (letter == 'S' || letter == 'U') {
        head->dtype = WEIR_STRING;
        head->item = letter == 'U' ? size * 4 : size;
        return WEIR_OK;
    }
    for (int i = 0; i < TYPES; i++)
        if (types[i].letter == letter && types[i].size == size) {
            head->dtype = types[i].dtype;
            return WEIR_OK;
        }
    return weir_error(WEIR_UNIMPLEMENTED, "numpy's type '%.*s'", WEIR_STR_ARG(name));
}

/* (2, 3), (2,) or (). */
static weir_status parse_shape(weir_str text, weir_shape *out)
{
    int64_t dims[WEIR_MAX_RANK];
    int rank = 0;
    const char *close = text.length ? memchr(text.at, ')', text.length) : NULL;
    if (!close || text.at[0] != '(')
        return weir_error(WEIR_DATA_LOSS, "the header of an array of numpy's has no shape");
    for (const char *at = text.at + 1; at < close;) {
        const char *comma = memchr(at, ',', (size_t)(close - at));
        const char *end = comma ? comma : close;
        weir_str number = {at, (size_t)(end - at)};
        bool blank = strspn(number.at, " ") >= number.length;
        if (!blank &&
            (rank == WEIR_MAX_RANK || !weir_parse_i64(number, &dims[rank]) || dims[rank++] < 0))
            return weir_error(WEIR_DATA_LOSS, "an array of numpy's with the shape %.*s)",
                              (int)(close - text.at), text.at);
        at = end + 1;
    }
    return weir_shape_make(dims, rank, out);
}

static weir_status parse_dict(weir_str dict, weir_npy_head *head)
{
    weir_str fortran = value_of(dict, "fortran_order");
    head->fortran = fortran.length > 3 && memcmp(fortran.at, "True", 4) == 0;
    WEIR_TRY(parse_shape(value_of(dict, "shape"), &head->shape));
    return parse_type(value_of(dict, "descr"), head);
}

weir_status weir_npy_parse(weir_str bytes, weir_npy_head *out_head)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    weir_npy_head head = {0};
    if (bytes.length < 12 || memcmp(at, "\x93NUMPY", MAGIC) != 0 || at[6] < 1 || at[6] > 3)
        return weir_error(WEIR_DATA_LOSS, "not an array of numpy's");
    size_t before = at[6] == 1 ? 10 : 12;
    size_t length = at[8] | (size_t)at[9] << 8;
    if (at[6] > 1)
        length |= (size_t)at[10] << 16 | (size_t)at[11] << 24;
    if (length > LONGEST_HEADER || bytes.length - before < length)
        return weir_error(WEIR_DATA_LOSS, "the header of an array of numpy's is cut short");
    head.bytes = before + length;
    WEIR_FREED char *dict = weir_strndup(bytes.at + before, length);
    weir_status status = parse_dict(weir_str_of(dict), &head);
    if (!status)
        *out_head = head;
    return status;
}

/* The index of the tensor's element |i|, row major, in a file whose first dimension varies
 * fastest. */
static int64_t fortran_place(const weir_shape *shape, int64_t i)
{
    int64_t place = 0, before = weir_shape_product(shape, 0, shape->rank);
    for (int k = shape->rank - 1; k >= 0; k--) {
        before /= shape->dims[k];
        place += i % shape->dims[k] * before;
        i /= shape->dims[k];
    }
    return place;
}

static void get_string(const weir_npy_head *head, const uint8_t *at, weir_tstring *out)
{
    size_t count = head->item;
    if (!head->text) {
        while (count && !at[count - 1])
            count--;
        weir_tstring_set(out, at, count);
        return;
    }
    WEIR_BUF(buf);
    for (size_t i = 0; i + 4 <= count; i += 4) {
        const uint8_t *c = at + i;
        uint32_t cp = head->swapped ? (uint32_t)c[0] << 24 | c[1] << 16 | c[2] << 8 | c[3]
                                    : (uint32_t)c[3] << 24 | c[2] << 16 | c[1] << 8 | c[0];
        if (cp == 0)
            break;
        weir_utf8_add(&buf, cp > WEIR_UNICODE_LAST ? 0xfffd : (int32_t)cp);
    }
    weir_tstring_set(out, buf.at ? buf.at : "", buf.length);
}

/* The two parts of complex numbers are swapped separately. */
static void get_number(const weir_npy_head *head, const uint8_t *at, uint8_t *out)
{
    size_t part = weir_dtype_is_complex(head->dtype) ? head->item / 2 : head->item;
    for (size_t from = 0; from < head->item; from += part)
        for (size_t b = 0; b < part; b++)
            out[from + b] = at[from + (head->swapped ? part - 1 - b : b)];
}

static void get_elements(const weir_npy_head *head, const uint8_t *from, weir_tensor *tensor)
{
    int64_t count = weir_tensor_count(tensor);
    if (head->dtype != WEIR_STRING && !head->swapped && !head->fortran) {
        memcpy(tensor->data, from, (size_t)count * head->item);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *at =
            from + (size_t)(head->fortran ? fortran_place(&head->shape, i) : i) * head->item;
        if (head->dtype == WEIR_STRING)
            get_string(head, at, (weir_tstring *)tensor->data + i);
        else
            get_number(head, at, (uint8_t *)tensor->data + (size_t)i * head->item);
    }
}

weir_status weir_npy_decode(weir_str bytes, weir_tensor *out_tensor)
{
    weir_npy_head head;
    WEIR_TRY(weir_npy_parse(bytes, &head));
    size_t need, count = (size_t)weir_shape_count(&head.shape);
    if (!weir_size_mul(count, head.item, &need) || need > bytes.length - head.bytes)
        return weir_error(WEIR_DATA_LOSS, "an array of numpy's of shape %s has %zu bytes, not %zu",
                          WEIR_SHAPE_STR(&head.shape), bytes.length - head.bytes, need);
    if (head.dtype == WEIR_STRING && count > bytes.length) /* strings of length 0 */
        return weir_error(WEIR_DATA_LOSS, "an array of %zu empty strings in %zu bytes", count,
                          bytes.length);
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_alloc(head.dtype, &head.shape, &tensor));
    if (count)
        get_elements(&head, (const uint8_t *)bytes.at + head.bytes, &tensor);
    *out_tensor = tensor;
    return WEIR_OK;
}

weir_status weir_npy_read(const char *path, weir_tensor *out_tensor)
{
    WEIR_BUF(bytes);
    WEIR_TRY(weir_file_read_all(path, largest_file, &bytes));
    weir_status status = weir_npy_decode(weir_view(&bytes), out_tensor);
    return weir_status_note(status, " (file %s)", path);
}

/* ---- writing --------------------------------------------------------------------------------- */

static size_t longest(const weir_tensor *tensor)
{
    size_t count = 1; /* NumPy's minimum */
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++) {
        size_t length = weir_tstring_get((const weir_tstring *)tensor->data + i).length;
        count = length > count ? length : count;
    }
    return count;
}

static weir_status add_head(const weir_tensor *tensor, size_t item, weir_buf *out)
{
    char letter = tensor->dtype == WEIR_STRING ? 'S' : 0;
    for (int i = 0; i < TYPES && !letter; i++)
        if (types[i].dtype == tensor->dtype)
            letter = types[i].letter;
    if (!letter)
        return weir_error(WEIR_UNIMPLEMENTED, "numpy has no type for %s",
                          weir_dtype_name((int)tensor->dtype));
    WEIR_BUF(dict);
    weir_buf_addf(&dict, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
                  item == 1 || letter == 'S' || letter == 'V' ? '|' : '<', letter, item);
    for (int i = 0; i < tensor->shape.rank; i++)
        weir_buf_addf(&dict, i || tensor->shape.rank == 1 ? "%lld," : "%lld, ",
                      (long long)tensor->shape.dims[i]);
    if (tensor->shape.rank > 1)
        dict.length--; /* the last comma */
    weir_buf_adds(&dict, "), }");
    while ((10 + dict.length + 1) % ALIGNED)
        weir_buf_addc(&dict, ' ');
    weir_buf_addc(&dict, '\n');
    uint8_t fixed[] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)dict.length, (uint8_t)(dict.length >> 8)};
    weir_buf_add(out, fixed, sizeof fixed);
    weir_buf_add(out, dict.at, dict.length);
    return WEIR_OK;
}

weir_status weir_npy_encode(const weir_tensor *tensor, weir_buf *out)
{
    if (tensor->dtype != WEIR_STRING) {
        WEIR_TRY(add_head(tensor, weir_dtype_size(tensor->dtype), out));
        weir_buf_add(out, tensor->data, weir_tensor_bytes(tensor));
        return WEIR_OK;
    }
    size_t item = longest(tensor), all;
    if (!weir_size_mul(item, (size_t)weir_tensor_count(tensor), &all) || all > largest_file)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "strings of up to %zu bytes in an array of %s",
                          item, WEIR_SHAPE_STR(&tensor->shape));
    WEIR_TRY(add_head(tensor, item, out));
    weir_buf_reserve(out, all + 1);
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++) {
        weir_str text = weir_tstring_get((const weir_tstring *)tensor->data + i);
        weir_buf_add(out, text.at, text.length);
        memset(out->at + out->length, 0, item - text.length);
        out->length += item - text.length;
    }
    return WEIR_OK;
}
