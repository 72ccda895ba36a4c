/* model/signatures.c - SignatureDefs. */
#include "model/signatures.h"

#include <stdlib.h>

#include "model/saved_model_impl.h"
#include "tensor/proto.h"

static const char *keep(weir_arena *arena, weir_str text)
{
    return weir_arena_strndup(arena, text.length ? text.at : "", text.length);
}

static weir_status read_tensor(weir_arena *arena, weir_str key, const weir_msg_tensor_info *info,
                               weir_tensor_info_def *out)
{
    bool named = info && info->which_encoding == WEIR_FIELD_tensor_info_name;
    *out = (weir_tensor_info_def){.key = keep(arena, key),
                                  .name = keep(arena, named ? info->name : WEIR_STR("")),
                                  .type = info ? (weir_dtype)info->dtype : WEIR_DT_INVALID,
                                  .shape = WEIR_UNKNOWN_SHAPE};
    return info && info->tensor_shape ? weir_shape_from_proto(info->tensor_shape, &out->shape)
                                      : WEIR_OK;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b); /* first field: key */
}

static weir_status read_inputs(weir_arena *arena, const weir_msg_signature_def *signature,
                               weir_signature_def *out)
{
    size_t count = signature->inputs.count;
    weir_tensor_info_def *infos = WEIR_ARENA_ARRAY(arena, weir_tensor_info_def, count + 1);
    for (size_t i = 0; i < count; i++)
        WEIR_TRY(read_tensor(arena, signature->inputs.at[i].key, signature->inputs.at[i].value,
                             &infos[i]));
    qsort(infos, count, sizeof *infos, by_key);
    out->inputs = infos;
    out->input_count = (int)count;
    return WEIR_OK;
}

static weir_status read_outputs(weir_arena *arena, const weir_msg_signature_def *signature,
                                weir_signature_def *out)
{
    size_t count = signature->outputs.count;
    weir_tensor_info_def *infos = WEIR_ARENA_ARRAY(arena, weir_tensor_info_def, count + 1);
    for (size_t i = 0; i < count; i++)
        WEIR_TRY(read_tensor(arena, signature->outputs.at[i].key, signature->outputs.at[i].value,
                             &infos[i]));
    qsort(infos, count, sizeof *infos, by_key);
    out->outputs = infos;
    out->output_count = (int)count;
    return WEIR_OK;
}

static weir_status read_signature(weir_arena *arena, weir_str key,
                                  const weir_msg_signature_def *signature, weir_signature_defs *out)
{
    if (weir_str_is(key, WEIR_INIT_SIGNATURE) || weir_str_is(key, "__saved_model_train_op"))
        return WEIR_OK;
    weir_signature_def read = {.key = keep(arena, key),
                               .method = keep(arena, signature->method_name)};
    WEIR_TRY(read_inputs(arena, signature, &read));
    WEIR_TRY(read_outputs(arena, signature, &read));
    weir_vec_push(out, read);
    return WEIR_OK;
}

weir_status weir_signatures_read(weir_str meta_graph, weir_arena *arena, weir_signature_defs *out)
{
    static const weir_msg_signature_def none;
    WEIR_MESSAGE_ARENA(scratch);
    weir_msg_meta_graph_def meta;
    WEIR_TRY(weir_model_parsed(weir_msg_meta_graph_def_read(meta_graph, &scratch, &meta)));
    for (size_t i = 0; i < meta.signature_def.count; i++) {
        const weir_msg_meta_graph_def_signature_def_entry *entry = &meta.signature_def.at[i];
        WEIR_TRY(read_signature(arena, entry->key, entry->value ? entry->value : &none, out));
    }
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, by_key);
    return WEIR_OK;
}
