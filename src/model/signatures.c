/* model/signatures.c - SignatureDefs. */
#include "model/signatures.h"

#include <stdlib.h>

#include "model/saved_model_impl.h"
#include "tensor/proto.h"

static const char *keep(weir_arena *arena, weir_str s)
{
    return weir_arena_strndup(arena, s.length ? s.at : "", s.length);
}

/* A map entry: key to TensorInfo. */
static weir_status read_tensor(weir_arena *arena, weir_str entry, weir_tensor_info_def *out)
{
    weir_str info = weir_message_get(entry, WEIR_MAP_VALUE);
    *out = (weir_tensor_info_def){.key = keep(arena, weir_message_get(entry, WEIR_MAP_KEY)),
                                  .name = keep(arena, weir_message_get(info, WEIR_INFO_NAME)),
                                  .shape = WEIR_UNKNOWN_SHAPE};
    weir_pb r = weir_pb_reader(info);
    while (weir_pb_next(&r)) {
        if (r.field == WEIR_INFO_TYPE && r.type == WEIR_PB_VARINT)
            out->type = (weir_dtype)r.value;
        else if (r.field == WEIR_INFO_SHAPE && r.type == WEIR_PB_LEN)
            WEIR_TRY(weir_shape_parse(r.bytes, &out->shape));
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_error(WEIR_DATA_LOSS, "Unparseable TensorInfo");
}

static int by_key(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b); /* the key comes first */
}

/* The inputs or the outputs of a signature. */
static weir_status read_tensors(weir_arena *arena, weir_str signature, uint32_t field,
                                weir_tensor_info_def **out, int *out_count)
{
    int count = 0;
    weir_pb r = weir_pb_reader(signature);
    while (weir_pb_next(&r))
        count += r.field == field && r.type == WEIR_PB_LEN;
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_DATA_LOSS, "Unparseable SignatureDef");
    weir_tensor_info_def *all = WEIR_ARENA_ARRAY(arena, weir_tensor_info_def, count + 1);
    r = weir_pb_reader(signature);
    for (int i = 0; weir_pb_next(&r);)
        if (r.field == field && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_tensor(arena, r.bytes, &all[i++]));
    qsort(all, (size_t)count, sizeof *all, by_key);
    *out = all;
    *out_count = count;
    return WEIR_OK;
}

static weir_status read_signature(weir_arena *arena, weir_str entry, weir_signature_defs *out)
{
    weir_str key = weir_message_get(entry, WEIR_MAP_KEY);
    weir_str proto = weir_message_get(entry, WEIR_MAP_VALUE);
    if (weir_str_is(key, WEIR_INIT_SIGNATURE) || weir_str_is(key, "__saved_model_train_op"))
        return WEIR_OK;
    weir_signature_def s = {.key = keep(arena, key),
                            .method = keep(arena, weir_message_get(proto, WEIR_SIGNATURE_METHOD))};
    WEIR_TRY(read_tensors(arena, proto, WEIR_SIGNATURE_INPUTS, &s.inputs, &s.input_count));
    WEIR_TRY(read_tensors(arena, proto, WEIR_SIGNATURE_OUTPUTS, &s.outputs, &s.output_count));
    weir_vec_push(out, s);
    return WEIR_OK;
}

weir_status weir_signatures_read(weir_str meta_graph, weir_arena *arena, weir_signature_defs *out)
{
    weir_pb r = weir_pb_reader(meta_graph);
    while (weir_pb_next(&r))
        if (r.field == WEIR_META_SIGNATURE && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_signature(arena, r.bytes, out));
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, by_key);
    return WEIR_OK;
}
