/* native/saved_model.c - weir/saved_model.h: opens and loads models, their signatures, and
 * predictions. */
#include "weir/saved_model.h"

#include <ctype.h>
#include <stdlib.h>

#include "capi/capi.h"
#include "model/saved_model.h"
#include "model/signatures.h"

struct weir_saved_model {
    weir_buf bytes; /* of the file; |meta| has views into it */
    weir_meta_graph meta;
    weir_arena arena; /* signatures and names */
    WEIR_VEC(weir_signature) signatures;
    WEIR_VEC(const char *) tags;
    WEIR_VEC(const char *) assets;
    const char *writer;
    TF_Graph *graph;     /* null if only opened */
    TF_Session *session; /* null if only opened */
};

/* ---- reading --------------------------------------------------------------------------------- */

static const char *keep(weir_saved_model *model, weir_str text)
{
    return weir_arena_strndup(&model->arena, text.length ? text.at : "", text.length);
}

static weir_signature_tensor *take_tensors(weir_saved_model *model,
                                           const weir_tensor_info_def *from, int count)
{
    weir_signature_tensor *all = WEIR_ARENA_ARRAY(&model->arena, weir_signature_tensor, count + 1);
    for (int i = 0; i < count; i++) {
        int rank = from[i].shape.rank;
        int64_t *dims = WEIR_ARENA_ARRAY(&model->arena, int64_t, rank > 0 ? rank : 1);
        for (int k = 0; k < rank; k++)
            dims[k] = from[i].shape.dims[k];
        all[i] = (weir_signature_tensor){from[i].key, from[i].name, (TF_DataType)from[i].type, rank,
                                         rank < 0 ? NULL : dims};
    }
    return all;
}

/* Converts to the structs of weir/saved_model.h. */
static weir_status take_signatures(weir_saved_model *model)
{
    weir_signature_defs read = {0};
    weir_status status = weir_signatures_read(model->meta.proto, &model->arena, &read);
    for (size_t i = 0; i < read.count && !status; i++) {
        const weir_signature_def *from = &read.at[i];
        weir_signature signature = {from->key,
                                    from->method,
                                    take_tensors(model, from->inputs, from->input_count),
                                    from->input_count,
                                    take_tensors(model, from->outputs, from->output_count),
                                    from->output_count};
        weir_vec_push(&model->signatures, signature);
    }
    weir_vec_fini(&read);
    return status;
}

static void read_info(weir_saved_model *model)
{
    for (size_t i = 0; i < model->meta.tags.count; i++)
        weir_vec_push(&model->tags, keep(model, model->meta.tags.at[i]));
    model->writer = keep(model, model->meta.writer);
    for (size_t i = 0; i < model->meta.assets.count; i++)
        weir_vec_push(&model->assets, keep(model, model->meta.assets.at[i].file));
}

static weir_status read_all(weir_saved_model *model, const char *dir, const char *const *tags,
                            int tag_count)
{
    weir_str proto;
    WEIR_TRY(weir_model_read(dir, &model->bytes));
    weir_str bytes = weir_view(&model->bytes);
    WEIR_TRY(tag_count ? weir_model_find_graph(bytes, tags, tag_count, &proto)
                       : weir_model_any_graph(bytes, &proto));
    WEIR_TRY(weir_meta_graph_read(proto, &model->meta));
    read_info(model);
    return take_signatures(model);
}

weir_saved_model *weir_saved_model_open(const char *dir, const char *const *tags, int tag_count,
                                        TF_Status *status)
{
    weir_saved_model *model = WEIR_NEW(weir_saved_model);
    weir_arena_init(&model->arena);
    weir_status result = read_all(model, dir, tags, tag_count);
    if (result)
        result = weir_status_prefix(result, "%s: ", dir);
    if (weir_capi_end(status, result))
        return model;
    weir_saved_model_delete(model);
    return NULL;
}

weir_saved_model *weir_saved_model_load(const char *dir, const char *const *tags, int tag_count,
                                        const TF_SessionOptions *options, TF_Status *status)
{
    weir_saved_model *model = weir_saved_model_open(dir, tags, tag_count, status);
    if (!model)
        return NULL;
    model->graph = TF_NewGraph();
    if (weir_capi_end(status, weir_capi_start_model(&model->meta, dir, options, NULL, model->graph,
                                                    &model->session)))
        return model;
    weir_saved_model_delete(model);
    return NULL;
}

void weir_saved_model_delete(weir_saved_model *model)
{
    if (!model)
        return;
    weir_capi_session_delete(model->session);
    if (model->graph)
        TF_DeleteGraph(model->graph);
    weir_vec_fini(&model->signatures);
    weir_vec_fini(&model->tags);
    weir_vec_fini(&model->assets);
    weir_meta_graph_fini(&model->meta);
    weir_arena_fini(&model->arena);
    weir_buf_fini(&model->bytes);
    weir_free(model);
}

/* ---- queries --------------------------------------------------------------------------------- */

TF_Session *weir_saved_model_session(const weir_saved_model *model)
{
    return model->session;
}

TF_Graph *weir_saved_model_graph(const weir_saved_model *model)
{
    return model->graph;
}

TF_Buffer *weir_saved_model_meta_graph(const weir_saved_model *model)
{
    return TF_NewBufferFromString(model->meta.proto.at, model->meta.proto.length);
}

int weir_saved_model_tag_count(const weir_saved_model *model)
{
    return (int)model->tags.count;
}

const char *weir_saved_model_tag(const weir_saved_model *model, int i)
{
    return i >= 0 && (size_t)i < model->tags.count ? model->tags.at[i] : NULL;
}

int weir_saved_model_asset_count(const weir_saved_model *model)
{
    return (int)model->assets.count;
}

const char *weir_saved_model_asset(const weir_saved_model *model, int i)
{
    return i >= 0 && (size_t)i < model->assets.count ? model->assets.at[i] : NULL;
}

const char *weir_saved_model_writer(const weir_saved_model *model)
{
    return model->writer;
}

int weir_saved_model_signature_count(const weir_saved_model *model)
{
    return (int)model->signatures.count;
}

const weir_signature *weir_saved_model_signature_at(const weir_saved_model *model, int i)
{
    return i >= 0 && (size_t)i < model->signatures.count ? &model->signatures.at[i] : NULL;
}

const weir_signature *weir_saved_model_signature(const weir_saved_model *model, const char *key)
{
    const char *wanted = key ? key : "serving_default";
    for (size_t i = 0; i < model->signatures.count; i++)
        if (strcmp(model->signatures.at[i].key, wanted) == 0)
            return &model->signatures.at[i];
    return !key && model->signatures.count == 1 ? &model->signatures.at[0] : NULL;
}

/* ---- predicting ------------------------------------------------------------------------------ */

/* "node:2", or "node" for its first output. */
static weir_status find_output(const weir_saved_model *model, const weir_signature_tensor *tensor,
                               TF_Output *out)
{
    const char *colon = strrchr(tensor->name, ':');
    bool numbered = colon && isdigit((unsigned char)colon[1]);
    char *node = weir_strndup(tensor->name,
                              numbered ? (size_t)(colon - tensor->name) : strlen(tensor->name));
    *out = (TF_Output){TF_GraphOperationByName(model->graph, node), numbered ? atoi(colon + 1) : 0};
    weir_free(node);
    if (!out->oper)
        return weir_error(WEIR_NOT_FOUND,
                          "Tensor %s of the signature (its '%s') is not in the graph", tensor->name,
                          tensor->key);
    return weir_capi_check_output(*out);
}

static weir_status find_outputs(const weir_saved_model *model, const weir_signature_tensor *all,
                                int count, TF_Output *out)
{
    for (int i = 0; i < count; i++)
        WEIR_TRY(find_output(model, &all[i], &out[i]));
    return WEIR_OK;
}

/* Checks the types of feeds; the rest is checked by the step. */
static weir_status check_inputs(const weir_signature *signature, TF_Tensor *const *inputs)
{
    for (int i = 0; i < signature->input_count; i++) {
        const weir_signature_tensor *want = &signature->inputs[i];
        if (!inputs[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "Input '%s' of signature '%s' is missing",
                              want->key, signature->key);
        if (TF_TensorType(inputs[i]) != want->type)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input '%s' of signature '%s' must be %s, not %s", want->key,
                              signature->key, weir_dtype_name((weir_dtype)want->type),
                              weir_dtype_name((weir_dtype)TF_TensorType(inputs[i])));
    }
    return WEIR_OK;
}

static weir_status predict(const weir_saved_model *model, const weir_signature *signature,
                           TF_Tensor *const *inputs, TF_Output *edges)
{
    if (!model->session)
        return weir_error(WEIR_FAILED_PRECONDITION, "The model was opened, not loaded");
    WEIR_TRY(check_inputs(signature, inputs));
    WEIR_TRY(find_outputs(model, signature->inputs, signature->input_count, edges));
    return find_outputs(model, signature->outputs, signature->output_count,
                        edges + signature->input_count);
}

void weir_saved_model_predict(const weir_saved_model *model, const weir_signature *signature,
                              TF_Tensor *const *inputs, TF_Tensor **outputs, TF_Status *status)
{
    TF_Output *edges = WEIR_NEW_ARRAY(TF_Output, signature->input_count + signature->output_count);
    for (int i = 0; i < signature->output_count; i++)
        outputs[i] = NULL;
    if (weir_capi_end(status, predict(model, signature, inputs, edges)))
        TF_SessionRun(model->session, NULL, edges, inputs, signature->input_count,
                      edges + signature->input_count, outputs, signature->output_count, NULL, 0,
                      NULL, status);
    weir_free(edges);
}
