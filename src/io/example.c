/* io/example.c - features out of messages. */
#include "io/example.h"

#include "tensor/tstring.h"

enum { BYTES = 1, FLOATS, INTS };

static bool visit_entry(weir_str entry, weir_feature_fn *fn, void *arg)
{
    weir_str key = WEIR_STR(""), value = WEIR_STR("");
    weir_pb r = weir_pb_reader(entry);
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == 1)
            key = r.bytes;
        else if (r.field == 2)
            value = r.bytes;
    }
    if (weir_pb_ok(&r))
        fn(arg, key, value);
    return weir_pb_ok(&r);
}

static bool visit_map(weir_str map, weir_feature_fn *fn, void *arg)
{
    weir_pb r = weir_pb_reader(map);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN && !visit_entry(r.bytes, fn, arg))
            return false;
    return weir_pb_ok(&r);
}

bool weir_features_visit(weir_str message, uint32_t outer, weir_feature_fn *fn, void *arg)
{
    weir_pb r = weir_pb_reader(message);
    while (weir_pb_next(&r))
        if (r.field == outer && r.type == WEIR_PB_LEN && !visit_map(r.bytes, fn, arg))
            return false;
    return weir_pb_ok(&r);
}

/* How one value of a list lies on the wire. */
static weir_pb_type wire_of(weir_dtype dtype)
{
    return dtype == WEIR_FLOAT ? WEIR_PB_I32 : WEIR_PB_VARINT;
}

static bool count_values(weir_feature *f)
{
    weir_pb r = weir_pb_reader(f->list);
    while (weir_pb_next(&r)) {
        if (r.field != 1)
            continue;
        if (f->dtype == WEIR_STRING) {
            f->count += r.type == WEIR_PB_LEN;
        } else if (f->dtype == WEIR_FLOAT && r.type == WEIR_PB_LEN) {
            if (r.bytes.length % 4)
                return false;
            f->count += (int64_t)(r.bytes.length / 4);
        } else if (r.type == WEIR_PB_LEN) {
            for (size_t i = 0; i < r.bytes.length; i++) /* a varint ends where the top bit is 0 */
                f->count += !(r.bytes.at[i] & 0x80);
            if (r.bytes.length && r.bytes.at[r.bytes.length - 1] & 0x80)
                return false;
        } else {
            f->count += r.type == wire_of(f->dtype);
        }
    }
    return weir_pb_ok(&r);
}

bool weir_feature_parse(weir_str proto, weir_feature *out_feature)
{
    static const weir_dtype dtypes[] = {
        [BYTES] = WEIR_STRING, [FLOATS] = WEIR_FLOAT, [INTS] = WEIR_INT64};
    weir_feature f = {0};
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        if (r.field >= BYTES && r.field <= INTS && r.type == WEIR_PB_LEN) {
            f.dtype = dtypes[r.field];
            f.list = r.bytes;
        }
    if (!weir_pb_ok(&r) || (f.dtype && !count_values(&f)))
        return false;
    *out_feature = f;
    return true;
}

static int64_t copy_strings(weir_pb *r, weir_tstring *to)
{
    if (r->type != WEIR_PB_LEN)
        return 0;
    weir_tstring_set(to, r->bytes.at, r->bytes.length);
    return 1;
}

static int64_t copy_floats(weir_pb *r, float *to)
{
    if (r->type == WEIR_PB_LEN) {
        if (r->bytes.length)
            memcpy(to, r->bytes.at, r->bytes.length / 4 * 4);
        return (int64_t)(r->bytes.length / 4);
    }
    if (r->type != WEIR_PB_I32)
        return 0;
    *to = weir_pb_float(r);
    return 1;
}

static int64_t copy_ints(weir_pb *r, int64_t *to)
{
    int64_t n = 0;
    if (r->type != WEIR_PB_LEN && r->type != WEIR_PB_VARINT)
        return 0;
    weir_pb_packed p = {0};
    while (weir_pb_each(r, WEIR_PB_VARINT, &p))
        to[n++] = (int64_t)p.value;
    return n;
}

void weir_feature_copy(const weir_feature *f, weir_tensor *out, int64_t first)
{
    weir_pb r = weir_pb_reader(f->list);
    while (weir_pb_next(&r)) {
        if (r.field != 1)
            continue;
        if (f->dtype == WEIR_STRING)
            first += copy_strings(&r, (weir_tstring *)out->data + first);
        else if (f->dtype == WEIR_FLOAT)
            first += copy_floats(&r, (float *)out->data + first);
        else
            first += copy_ints(&r, (int64_t *)out->data + first);
    }
}
