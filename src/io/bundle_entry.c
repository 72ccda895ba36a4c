/* io/bundle_entry.c - the messages in a bundle's index, and the names of its files. */
#include <inttypes.h>

#include "io/bundle_impl.h"

static weir_status parse_version(weir_str proto, weir_bundle_header *h)
{
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            h->producer = (int32_t)r.value;
        else if (r.field == 2 && r.type == WEIR_PB_VARINT)
            h->min_consumer = (int32_t)r.value;
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_error(WEIR_DATA_LOSS, "Unparseable VersionDef");
}

weir_status weir_bundle_header_parse(weir_str proto, weir_bundle_header *out_header)
{
    weir_bundle_header h = {0};
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            h.shards = (int32_t)r.value;
        else if (r.field == 2 && r.type == WEIR_PB_VARINT)
            h.big_endian = r.value == 1;
        else if (r.field == 3 && r.type == WEIR_PB_LEN)
            WEIR_TRY(parse_version(r.bytes, &h));
    }
    if (!weir_pb_ok(&r) || h.shards < 0 || h.shards > WEIR_BUNDLE_MAX_SHARDS)
        return weir_error(WEIR_DATA_LOSS, "Unparseable BundleHeaderProto");
    *out_header = h;
    return WEIR_OK;
}

void weir_bundle_header_encode(const weir_bundle_header *h, weir_buf *out)
{
    weir_pb_put_varint_nz(out, 1, (uint64_t)h->shards);
    size_t mark = weir_pb_begin(out, 3);
    weir_pb_put_varint_nz(out, 1, (uint64_t)h->producer);
    weir_pb_put_varint_nz(out, 2, (uint64_t)h->min_consumer);
    weir_pb_end(out, mark);
}

static weir_status read_field(weir_pb *r, weir_bundle_entry *e)
{
    bool number = r->type == WEIR_PB_VARINT;
    if (r->field == 1 && number)
        e->dtype = (weir_dtype)r->value;
    else if (r->field == 2 && r->type == WEIR_PB_LEN)
        return weir_shape_parse(r->bytes, &e->shape);
    else if (r->field == 3 && number)
        e->shard = (int32_t)r->value;
    else if (r->field == 4 && number)
        e->offset = weir_pb_int(r);
    else if (r->field == 5 && number)
        e->bytes = weir_pb_int(r);
    else if (r->field == 6 && r->type == WEIR_PB_I32)
        e->crc = (uint32_t)r->value;
    else if (r->field == 7 && r->type == WEIR_PB_LEN)
        e->slice_count++;
    return WEIR_OK;
}

weir_status weir_bundle_entry_parse(weir_str proto, weir_bundle_entry *out_entry)
{
    weir_bundle_entry e = {.proto = proto};
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        WEIR_TRY(read_field(&r, &e));
    if (!weir_pb_ok(&r) || !weir_dtype_valid(e.dtype) || !weir_shape_known(&e.shape) ||
        e.offset < 0 || e.bytes < 0)
        return weir_error(WEIR_DATA_LOSS,
                          "Invalid tensor entry: dtype %d, shape %s, offset %" PRId64
                          ", size %" PRId64,
                          e.dtype, WEIR_SHAPE_STR(&e.shape), e.offset, e.bytes);
    *out_entry = e;
    return WEIR_OK;
}

void weir_bundle_entry_encode(const weir_bundle_entry *e, weir_buf *out)
{
    weir_pb_put_varint(out, 1, e->dtype);
    size_t mark = weir_pb_begin(out, 2);
    weir_shape_encode(&e->shape, out);
    weir_pb_end(out, mark);
    weir_pb_put_varint_nz(out, 3, (uint64_t)e->shard);
    weir_pb_put_varint_nz(out, 4, (uint64_t)e->offset);
    weir_pb_put_varint_nz(out, 5, (uint64_t)e->bytes);
    if (e->crc)
        weir_pb_put_i32(out, 6, e->crc);
}

void weir_bundle_entry_add_slice(weir_buf *entry, const weir_slice *s)
{
    size_t mark = weir_pb_begin(entry, 7);
    weir_slice_encode(s, entry);
    weir_pb_end(entry, mark);
}

weir_status weir_bundle_entry_next_slice(weir_pb *r, weir_slice *out_slice, bool *out_end)
{
    *out_end = false;
    while (weir_pb_next(r))
        if (r->field == 7 && r->type == WEIR_PB_LEN)
            return weir_slice_parse(r->bytes, out_slice);
    *out_end = true;
    return WEIR_OK;
}

char *weir_bundle_index_name(const char *prefix)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s.index", prefix);
    return weir_buf_take(&name);
}

char *weir_bundle_data_name(const char *prefix, int64_t shard, int64_t shards)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s.data-%05" PRId64 "-of-%05" PRId64, prefix, shard, shards);
    return weir_buf_take(&name);
}
