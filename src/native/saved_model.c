/* native/saved_model.c - weir/saved_model.h: models opened and loaded, their signatures, and
 * predictions. */
#include "weir/saved_model.h"

#include <ctype.h>
#include <stdlib.h>

#include "capi/capi.h"
#include "model/saved_model.h"
#include "model/signatures.h"

struct weir_saved_model {
    weir_buf bytes; /* of the file; |meta| looks into it */
    weir_meta_graph meta;
    weir_arena arena; /* signatures and names */
    WEIR_VEC(weir_signature) signatures;
    WEIR_VEC(const char *) tags;
    WEIR_VEC(const char *) assets;
    const char *writer;
    TF_Graph *graph;     /* null when only opened */
    TF_Session *session; /* likewise */
};

/* ---- reading --------------------------------------------------------------------------------- */

static const char *keep(weir_saved_model *m, weir_str s)
{
    return weir_arena_strndup(&m->arena, s.length ? s.at : "", s.length);
}

static weir_signature_tensor *take_tensors(weir_saved_model *m, const weir_tensor_info_def *from,
                                           int count)
{
    weir_signature_tensor *all = WEIR_ARENA_ARRAY(&m->arena, weir_signature_tensor, count + 1);
    for (int i = 0; i < count; i++) {
        int rank = from[i].shape.rank;
        int64_t *dims = WEIR_ARENA_ARRAY(&m->arena, int64_t, rank > 0 ? rank : 1);
        for (int k = 0; k < rank; k++)
            dims[k] = from[i].shape.dims[k];
        all[i] = (weir_signature_tensor){from[i].key, from[i].name, (TF_DataType)from[i].type, rank,
                                         rank < 0 ? NULL : dims};
    }
    return all;
}

/* In the form of weir/saved_model.h. */
static weir_status take_signatures(weir_saved_model *m)
{
    weir_signature_defs read = {0};
    weir_status s = weir_signatures_read(m->meta.proto, &m->arena, &read);
    for (size_t i = 0; i < read.count && !s; i++) {
        const weir_signature_def *from = &read.at[i];
        weir_signature signature = {from->key,
                                    from->method,
                                    take_tensors(m, from->inputs, from->input_count),
                                    from->input_count,
                                    take_tensors(m, from->outputs, from->output_count),
                                    from->output_count};
        weir_vec_push(&m->signatures, signature);
    }
    weir_vec_fini(&read);
    return s;
}

static void read_info(weir_saved_model *m)
{
    for (size_t i = 0; i < m->meta.tags.count; i++)
        weir_vec_push(&m->tags, keep(m, m->meta.tags.at[i]));
    m->writer = keep(m, m->meta.writer);
    for (size_t i = 0; i < m->meta.assets.count; i++)
        weir_vec_push(&m->assets, keep(m, m->meta.assets.at[i].file));
}

static weir_status read_all(weir_saved_model *m, const char *dir, const char *const *tags,
                            int tag_count)
{
    weir_str proto;
    WEIR_TRY(weir_model_read(dir, &m->bytes));
    weir_str bytes = weir_view(&m->bytes);
    WEIR_TRY(tag_count ? weir_model_find_graph(bytes, tags, tag_count, &proto)
                       : weir_model_any_graph(bytes, &proto));
    WEIR_TRY(weir_meta_graph_read(proto, &m->meta));
    read_info(m);
    return take_signatures(m);
}

weir_saved_model *weir_saved_model_open(const char *dir, const char *const *tags, int tag_count,
                                        TF_Status *status)
{
    weir_saved_model *m = WEIR_NEW(weir_saved_model);
    weir_arena_init(&m->arena);
    weir_status s = read_all(m, dir, tags, tag_count);
    if (s)
        s = weir_status_prefix(s, "%s: ", dir);
    if (weir_capi_end(status, s))
        return m;
    weir_saved_model_delete(m);
    return NULL;
}

weir_saved_model *weir_saved_model_load(const char *dir, const char *const *tags, int tag_count,
                                        const TF_SessionOptions *options, TF_Status *status)
{
    weir_saved_model *m = weir_saved_model_open(dir, tags, tag_count, status);
    if (!m)
        return NULL;
    m->graph = TF_NewGraph();
    if (weir_capi_end(status,
                      weir_capi_start_model(&m->meta, dir, options, NULL, m->graph, &m->session)))
        return m;
    weir_saved_model_delete(m);
    return NULL;
}

void weir_saved_model_delete(weir_saved_model *m)
{
    if (!m)
        return;
    weir_capi_session_delete(m->session);
    if (m->graph)
        TF_DeleteGraph(m->graph);
    weir_vec_fini(&m->signatures);
    weir_vec_fini(&m->tags);
    weir_vec_fini(&m->assets);
    weir_meta_graph_fini(&m->meta);
    weir_arena_fini(&m->arena);
    weir_buf_fini(&m->bytes);
    weir_free(m);
}

/* ---- looking --------------------------------------------------------------------------------- */

TF_Session *weir_saved_model_session(const weir_saved_model *m)
{
    return m->session;
}

TF_Graph *weir_saved_model_graph(const weir_saved_model *m)
{
    return m->graph;
}

TF_Buffer *weir_saved_model_meta_graph(const weir_saved_model *m)
{
    return TF_NewBufferFromString(m->meta.proto.at, m->meta.proto.length);
}

int weir_saved_model_tag_count(const weir_saved_model *m)
{
    return (int)m->tags.count;
}

const char *weir_saved_model_tag(const weir_saved_model *m, int i)
{
    return i >= 0 && (size_t)i < m->tags.count ? m->tags.at[i] : NULL;
}

int weir_saved_model_asset_count(const weir_saved_model *m)
{
    return (int)m->assets.count;
}

const char *weir_saved_model_asset(const weir_saved_model *m, int i)
{
    return i >= 0 && (size_t)i < m->assets.count ? m->assets.at[i] : NULL;
}

const char *weir_saved_model_writer(const weir_saved_model *m)
{
    return m->writer;
}

int weir_saved_model_signature_count(const weir_saved_model *m)
{
    return (int)m->signatures.count;
}

const weir_signature *weir_saved_model_signature_at(const weir_saved_model *m, int i)
{
    return i >= 0 && (size_t)i < m->signatures.count ? &m->signatures.at[i] : NULL;
}

const weir_signature *weir_saved_model_signature(const weir_saved_model *m, const char *key)
{
    const char *wanted = key ? key : "serving_default";
    for (size_t i = 0; i < m->signatures.count; i++)
        if (strcmp(m->signatures.at[i].key, wanted) == 0)
            return &m->signatures.at[i];
    return !key && m->signatures.count == 1 ? &m->signatures.at[0] : NULL;
}

/* ---- predicting ------------------------------------------------------------------------------ */

/* "node:2", or "node" for its first output. */
static weir_status find_output(const weir_saved_model *m, const weir_signature_tensor *t,
                               TF_Output *out)
{
    const char *colon = strrchr(t->name, ':');
    bool numbered = colon && isdigit((unsigned char)colon[1]);
    char *node = weir_strndup(t->name, numbered ? (size_t)(colon - t->name) : strlen(t->name));
    *out = (TF_Output){TF_GraphOperationByName(m->graph, node), numbered ? atoi(colon + 1) : 0};
    weir_free(node);
    if (!out->oper)
        return weir_error(WEIR_NOT_FOUND,
                          "Tensor %s of the signature (its '%s') is not in the graph", t->name,
                          t->key);
    return weir_capi_check_output(*out);
}

static weir_status find_outputs(const weir_saved_model *m, const weir_signature_tensor *all,
                                int count, TF_Output *out)
{
    for (int i = 0; i < count; i++)
        WEIR_TRY(find_output(m, &all[i], &out[i]));
    return WEIR_OK;
}

/* Feeds of the right type; the rest is the step's to check. */
static weir_status check_inputs(const weir_signature *s, TF_Tensor *const *inputs)
{
    for (int i = 0; i < s->input_count; i++) {
        const weir_signature_tensor *want = &s->inputs[i];
        if (!inputs[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "Input '%s' of signature '%s' is missing",
                              want->key, s->key);
        if (TF_TensorType(inputs[i]) != want->type)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input '%s' of signature '%s' must be %s, not %s", want->key, s->key,
                              weir_dtype_name((weir_dtype)want->type),
                              weir_dtype_name((weir_dtype)TF_TensorType(inputs[i])));
    }
    return WEIR_OK;
}

static weir_status predict(const weir_saved_model *m, const weir_signature *s,
                           TF_Tensor *const *inputs, TF_Output *edges)
{
    if (!m->session)
        return weir_error(WEIR_FAILED_PRECONDITION, "The model was opened, not loaded");
    WEIR_TRY(check_inputs(s, inputs));
    WEIR_TRY(find_outputs(m, s->inputs, s->input_count, edges));
    return find_outputs(m, s->outputs, s->output_count, edges + s->input_count);
}

void weir_saved_model_predict(const weir_saved_model *m, const weir_signature *s,
                              TF_Tensor *const *inputs, TF_Tensor **outputs, TF_Status *status)
{
    TF_Output *edges = WEIR_NEW_ARRAY(TF_Output, s->input_count + s->output_count);
    for (int i = 0; i < s->output_count; i++)
        outputs[i] = NULL;
    if (weir_capi_end(status, predict(m, s, inputs, edges)))
        TF_SessionRun(m->session, NULL, edges, inputs, s->input_count, edges + s->input_count,
                      outputs, s->output_count, NULL, 0, NULL, status);
    weir_free(edges);
}
