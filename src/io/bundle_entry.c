/* io/bundle_entry.c - the messages of a bundle's index, and the names of its files. */
#include <inttypes.h>

#include "io/bundle_impl.h"
#include "io/file.h"
#include "wire/messages.h"

weir_status weir_bundle_header_parse(weir_str bytes, weir_bundle_header *out_header)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_bundle_header_proto header;
    WEIR_TRY(weir_file_damaged(weir_msg_bundle_header_proto_read(bytes, &arena, &header)));
    if (header.num_shards < 0 || header.num_shards > WEIR_BUNDLE_MAX_SHARDS)
        return weir_error(WEIR_DATA_LOSS, "Unparseable BundleHeaderProto: %d shards",
                          header.num_shards);
    *out_header = (weir_bundle_header){
        .shards = header.num_shards,
        .big_endian = header.endianness == WEIR_bundle_header_proto_endianness_BIG,
        .producer = header.version ? header.version->producer : 0,
        .min_consumer = header.version ? header.version->min_consumer : 0,
    };
    return WEIR_OK;
}

void weir_bundle_header_encode(const weir_bundle_header *header, weir_buf *out)
{
    weir_msg_version_def version = {.producer = (int32_t)header->producer,
                                    .min_consumer = (int32_t)header->min_consumer};
    weir_msg_bundle_header_proto_write(
        &(weir_msg_bundle_header_proto){.num_shards = (int32_t)header->shards, .version = &version},
        out);
}

weir_status weir_bundle_entry_parse(weir_str bytes, weir_bundle_entry *out_entry)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_bundle_entry_proto entry;
    weir_shape shape;
    WEIR_TRY(weir_file_damaged(weir_msg_bundle_entry_proto_read(bytes, &arena, &entry)));
    WEIR_TRY(weir_shape_from_proto(entry.shape, &shape));
    if (!weir_dtype_valid(entry.dtype) || !weir_shape_known(&shape) || entry.offset < 0 ||
        entry.size < 0)
        return weir_error(WEIR_DATA_LOSS,
                          "Invalid tensor entry: dtype %d, shape %s, offset %" PRId64
                          ", size %" PRId64,
                          entry.dtype, WEIR_SHAPE_STR(&shape), entry.offset, entry.size);
    *out_entry = (weir_bundle_entry){
        .dtype = (weir_dtype)entry.dtype,
        .shape = shape,
        .shard = entry.shard_id,
        .offset = entry.offset,
        .bytes = entry.size,
        .crc = entry.crc32c,
        .message = bytes,
        .slice_count = entry.slices.count,
    };
    return WEIR_OK;
}

void weir_bundle_entry_encode(const weir_bundle_entry *entry, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_bundle_entry_proto_write(
        &(weir_msg_bundle_entry_proto){.dtype = (int32_t)entry->dtype,
                                       .shape = weir_shape_to_proto(&entry->shape, &arena),
                                       .shard_id = (int32_t)entry->shard,
                                       .offset = entry->offset,
                                       .size = entry->bytes,
                                       .crc32c = entry->crc},
        out);
}

void weir_bundle_entry_add_slice(weir_buf *entry, const weir_slice *slice)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_slice_proto proto = weir_slice_to_proto(slice, &arena);
    weir_msg_bundle_entry_proto_write(&(weir_msg_bundle_entry_proto){.slices = {&proto, 1}}, entry);
}

weir_status weir_bundle_entry_slices(const weir_bundle_entry *entry, weir_arena *arena,
                                     weir_slice **out_slices)
{
    weir_msg_bundle_entry_proto proto;
    WEIR_TRY(weir_file_damaged(weir_msg_bundle_entry_proto_read(entry->message, arena, &proto)));
    weir_slice *slices = WEIR_ARENA_ARRAY(arena, weir_slice, proto.slices.count);
    for (size_t i = 0; i < proto.slices.count; i++)
        WEIR_TRY(weir_slice_from_proto(&proto.slices.at[i], &slices[i]));
    *out_slices = slices;
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
