/* cli/predict/model.c - a SavedModel's signature, or a graph in a file, as one thing to run. */
#include "cli/predict/model.h"

#include <stdlib.h>

#include "io/file.h"

struct predict_model {
    TF_Status *status;
    weir_saved_model *saved; /* null: a graph in a file */
    TF_Graph *graph;         /* of a file, with its session */
    TF_Session *session;
    const weir_signature *signature;
    /* Of a file: the signature made up for it. */
    weir_signature made;
    weir_arena arena;
    TF_Output *feeds, *fetches;
};

static weir_status status_of(const TF_Status *s)
{
    if (TF_GetCode(s) == TF_OK)
        return WEIR_OK;
    return weir_error((weir_code)TF_GetCode(s), "%s", TF_Message(s));
}

/* ---- SavedModels --------------------------------------------------------------------------------
 */

static weir_status no_signature(const predict_model *m, const char *key)
{
    WEIR_BUF(keys);
    for (int i = 0; i < weir_saved_model_signature_count(m->saved); i++)
        weir_buf_addf(&keys, "%s%s", i ? ", " : "",
                      weir_saved_model_signature_at(m->saved, i)->key);
    weir_status s =
        weir_error(WEIR_NOT_FOUND, "the model has %s%s%s%s: %s",
                   key ? "no signature '" : "several signatures", key ? key : "", key ? "'" : "",
                   key ? "; there are" : "; choose one", keys.length ? keys.at : "none");
    return s;
}

static weir_status open_saved(predict_model *m, const char *dir, const predict_choice *c)
{
    m->saved = weir_saved_model_load(dir, c->tags.at, c->tags.count, NULL, m->status);
    WEIR_TRY(status_of(m->status));
    m->signature = weir_saved_model_signature(m->saved, c->signature);
    return m->signature ? WEIR_OK : no_signature(m, c->signature);
}

/* ---- graphs in files ----------------------------------------------------------------------------
 */

static bool is_placeholder(TF_Operation *op)
{
    return strcmp(TF_OperationOpType(op), "Placeholder") == 0;
}

/* Gives a value, and nobody takes any. */
static bool is_end(TF_Operation *op)
{
    int outputs = TF_OperationNumOutputs(op);
    for (int i = 0; i < outputs; i++)
        if (TF_OperationOutputNumConsumers((TF_Output){op, i}))
            return false;
    return outputs > 0 && !is_placeholder(op) && strcmp(TF_OperationOpType(op), "Const") != 0 &&
           TF_OperationNumControlOutputs(op) == 0;
}

/* "node" or "node:1". */
static weir_status find_output(predict_model *m, const char *name, TF_Output *out)
{
    const char *colon = strrchr(name, ':');
    char *node = weir_strndup(name, colon ? (size_t)(colon - name) : strlen(name));
    *out = (TF_Output){TF_GraphOperationByName(m->graph, node), colon ? atoi(colon + 1) : 0};
    weir_free(node);
    if (out->oper && out->index >= 0 && out->index < TF_OperationNumOutputs(out->oper))
        return WEIR_OK;
    return weir_error(WEIR_NOT_FOUND, "the graph has no tensor '%s'", name);
}

/* The named ones, or those that |like| picks. */
static weir_status choose(predict_model *m, const weir_words *names, bool (*like)(TF_Operation *),
                          TF_Output **out, int *out_count)
{
    size_t at = 0;
    int count = names->count;
    for (TF_Operation *op; !names->count && (op = TF_GraphNextOperation(m->graph, &at));)
        count += like(op);
    *out = WEIR_ARENA_ARRAY(&m->arena, TF_Output, count + 1);
    *out_count = count;
    for (int i = 0; i < names->count; i++)
        WEIR_TRY(find_output(m, names->at[i], &(*out)[i]));
    at = 0;
    int n = 0;
    for (TF_Operation *op; !names->count && (op = TF_GraphNextOperation(m->graph, &at));)
        if (like(op))
            (*out)[n++] = (TF_Output){op, 0};
    return WEIR_OK;
}

static weir_signature_tensor *describe(predict_model *m, const TF_Output *outputs, int count)
{
    weir_signature_tensor *t = WEIR_ARENA_ARRAY(&m->arena, weir_signature_tensor, count + 1);
    for (int i = 0; i < count; i++) {
        int rank = TF_GraphGetTensorNumDims(m->graph, outputs[i], m->status);
        int64_t *dims = WEIR_ARENA_ARRAY(&m->arena, int64_t, rank > 0 ? rank : 1);
        if (rank > 0)
            TF_GraphGetTensorShape(m->graph, outputs[i], dims, rank, m->status);
        t[i] = (weir_signature_tensor){.key = TF_OperationName(outputs[i].oper),
                                       .name = TF_OperationName(outputs[i].oper),
                                       .type = TF_OperationOutputType(outputs[i]),
                                       .rank = rank,
                                       .dims = dims};
    }
    return t;
}

static weir_status open_graph(predict_model *m, const char *path, const predict_choice *c)
{
    m->graph = TF_NewGraph();
    weir_graph_read(m->graph, path, m->status);
    WEIR_TRY(status_of(m->status));
    m->made.key = "graph";
    WEIR_TRY(choose(m, &c->inputs, is_placeholder, &m->feeds, &m->made.input_count));
    WEIR_TRY(choose(m, &c->outputs, is_end, &m->fetches, &m->made.output_count));
    m->made.inputs = describe(m, m->feeds, m->made.input_count);
    m->made.outputs = describe(m, m->fetches, m->made.output_count);
    m->signature = &m->made;
    TF_SessionOptions *options = TF_NewSessionOptions();
    m->session = TF_NewSession(m->graph, options, m->status);
    TF_DeleteSessionOptions(options);
    return status_of(m->status);
}

/* ---- both ---------------------------------------------------------------------------------------
 */

weir_status predict_model_open(const char *path, const predict_choice *choice,
                               predict_model **out_model)
{
    WEIR_OWNED(predict_model) m = WEIR_NEW(predict_model);
    weir_arena_init(&m->arena);
    m->status = TF_NewStatus();
    if (weir_path_is_dir(path))
        WEIR_TRY(open_saved(m, path, choice));
    else
        WEIR_TRY(open_graph(m, path, choice));
    *out_model = WEIR_TAKE(m);
    return WEIR_OK;
}

void predict_model_destroy(predict_model *m)
{
    if (!m)
        return;
    if (m->session)
        TF_DeleteSession(m->session, m->status);
    if (m->graph)
        TF_DeleteGraph(m->graph);
    weir_saved_model_delete(m->saved);
    TF_DeleteStatus(m->status);
    weir_arena_fini(&m->arena);
    weir_free(m);
}

const weir_signature *predict_model_signature(const predict_model *m)
{
    return m->signature;
}

static TF_Tensor *tensor_to(const weir_tensor *t)
{
    TF_Tensor *out = TF_AllocateTensor((TF_DataType)t->dtype, t->shape.dims, t->shape.rank,
                                       weir_tensor_bytes(t));
    if (out)
        weir_elements_copy(t->dtype, TF_TensorData(out), t->data, weir_tensor_count(t));
    return out;
}

static weir_status tensor_from(const TF_Tensor *t, weir_tensor *out)
{
    weir_shape shape = {.rank = TF_NumDims(t)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = TF_Dim(t, i);
    WEIR_TRY(weir_tensor_alloc((weir_dtype)TF_TensorType(t), &shape, out));
    weir_elements_copy(out->dtype, out->data, TF_TensorData(t), weir_tensor_count(out));
    return WEIR_OK;
}

static weir_status run(predict_model *m, TF_Tensor **in, TF_Tensor **out)
{
    const weir_signature *s = m->signature;
    for (int i = 0; i < s->input_count; i++)
        if (!in[i])
            return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory for the input '%s'",
                              s->inputs[i].key);
    if (m->saved)
        weir_saved_model_predict(m->saved, s, in, out, m->status);
    else
        TF_SessionRun(m->session, NULL, m->feeds, in, s->input_count, m->fetches, out,
                      s->output_count, NULL, 0, NULL, m->status);
    return status_of(m->status);
}

weir_status predict_model_run(predict_model *m, const weir_tensor *inputs, weir_tensor *outputs)
{
    int n = m->signature->input_count, k = m->signature->output_count, done = 0;
    TF_Tensor **in = WEIR_NEW_ARRAY(TF_Tensor *, n + 1), **out = WEIR_NEW_ARRAY(TF_Tensor *, k + 1);
    for (int i = 0; i < n; i++)
        in[i] = tensor_to(&inputs[i]);
    weir_status s = run(m, in, out);
    for (; !s && done < k; done++)
        s = tensor_from(out[done], &outputs[done]);
    for (int i = 0; s && i < done - 1; i++)
        weir_tensor_release(&outputs[i]);
    for (int i = 0; i < n; i++)
        TF_DeleteTensor(in[i]);
    for (int i = 0; i < k; i++)
        TF_DeleteTensor(out[i]);
    weir_free(in);
    weir_free(out);
    return s;
}
