/* cli/predict/model.c - a SavedModel's signature, or a graph file, behind one interface. */
#include "cli/predict/model.h"

#include <stdlib.h>

#include "io/file.h"

struct predict_model {
    TF_Status *status;
    weir_saved_model *saved; /* null: a graph in a file */
    TF_Graph *graph;         /* of a graph file, with its session */
    TF_Session *session;
    const weir_signature *signature;
    /* Of a graph file: its generated signature. */
    weir_signature made;
    weir_arena arena;
    TF_Output *feeds, *fetches;
};

static weir_status status_of(const TF_Status *status)
{
    if (TF_GetCode(status) == TF_OK)
        return WEIR_OK;
    return weir_error((weir_code)TF_GetCode(status), "%s", TF_Message(status));
}

/* ---- SavedModels ----------------------------------------------------------------------------- */

static weir_status no_signature(const predict_model *model, const char *key)
{
    WEIR_BUF(keys);
    for (int i = 0; i < weir_saved_model_signature_count(model->saved); i++)
        weir_buf_addf(&keys, "%s%s", i ? ", " : "",
                      weir_saved_model_signature_at(model->saved, i)->key);
    weir_status status =
        weir_error(WEIR_NOT_FOUND, "the model has %s%s%s%s: %s",
                   key ? "no signature '" : "several signatures", key ? key : "", key ? "'" : "",
                   key ? "; there are" : "; choose one", keys.length ? keys.at : "none");
    return status;
}

static weir_status open_saved(predict_model *model, const char *dir, const predict_choice *choice)
{
    model->saved =
        weir_saved_model_load(dir, choice->tags.at, choice->tags.count, NULL, model->status);
    WEIR_TRY(status_of(model->status));
    model->signature = weir_saved_model_signature(model->saved, choice->signature);
    return model->signature ? WEIR_OK : no_signature(model, choice->signature);
}

/* ---- graphs in files ------------------------------------------------------------------------- */

static bool is_placeholder(TF_Operation *op)
{
    return strcmp(TF_OperationOpType(op), "Placeholder") == 0;
}

/* Whether it has outputs, all of them unused. */
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
static weir_status find_output(predict_model *model, const char *name, TF_Output *out)
{
    const char *colon = strrchr(name, ':');
    WEIR_FREED char *node = weir_strndup(name, colon ? (size_t)(colon - name) : strlen(name));
    *out = (TF_Output){TF_GraphOperationByName(model->graph, node), colon ? atoi(colon + 1) : 0};
    if (out->oper && out->index >= 0 && out->index < TF_OperationNumOutputs(out->oper))
        return WEIR_OK;
    return weir_error(WEIR_NOT_FOUND, "the graph has no tensor '%s'", name);
}

/* The named ones, or those selected by |like|. */
static weir_status choose(predict_model *model, const weir_words *names,
                          bool (*like)(TF_Operation *), TF_Output **out, int *out_count)
{
    size_t at = 0;
    int count = names->count;
    for (TF_Operation *op; !names->count && (op = TF_GraphNextOperation(model->graph, &at));)
        count += like(op);
    *out = WEIR_ARENA_ARRAY(&model->arena, TF_Output, count + 1);
    *out_count = count;
    for (int i = 0; i < names->count; i++)
        WEIR_TRY(find_output(model, names->at[i], &(*out)[i]));
    at = 0;
    int total = 0;
    for (TF_Operation *op; !names->count && (op = TF_GraphNextOperation(model->graph, &at));)
        if (like(op))
            (*out)[total++] = (TF_Output){op, 0};
    return WEIR_OK;
}

static weir_signature_tensor *describe(predict_model *model, const TF_Output *outputs, int count)
{
    weir_signature_tensor *tensors =
        WEIR_ARENA_ARRAY(&model->arena, weir_signature_tensor, count + 1);
    for (int i = 0; i < count; i++) {
        int rank = TF_GraphGetTensorNumDims(model->graph, outputs[i], model->status);
        int64_t *dims = WEIR_ARENA_ARRAY(&model->arena, int64_t, rank > 0 ? rank : 1);
        if (rank > 0)
            TF_GraphGetTensorShape(model->graph, outputs[i], dims, rank, model->status);
        tensors[i] = (weir_signature_tensor){.key = TF_OperationName(outputs[i].oper),
                                             .name = TF_OperationName(outputs[i].oper),
                                             .type = TF_OperationOutputType(outputs[i]),
                                             .rank = rank,
                                             .dims = dims};
    }
    return tensors;
}

static weir_status open_graph(predict_model *model, const char *path, const predict_choice *choice)
{
    model->graph = TF_NewGraph();
    weir_graph_read(model->graph, path, model->status);
    WEIR_TRY(status_of(model->status));
    model->made.key = "graph";
    WEIR_TRY(
        choose(model, &choice->inputs, is_placeholder, &model->feeds, &model->made.input_count));
    WEIR_TRY(choose(model, &choice->outputs, is_end, &model->fetches, &model->made.output_count));
    model->made.inputs = describe(model, model->feeds, model->made.input_count);
    model->made.outputs = describe(model, model->fetches, model->made.output_count);
    model->signature = &model->made;
    TF_SessionOptions *options = TF_NewSessionOptions();
    model->session = TF_NewSession(model->graph, options, model->status);
    TF_DeleteSessionOptions(options);
    return status_of(model->status);
}

/* ---- both ------------------------------------------------------------------------------------ */

weir_status predict_model_open(const char *path, const predict_choice *choice,
                               predict_model **out_model)
{
    WEIR_OWNED(predict_model) model = WEIR_NEW(predict_model);
    weir_arena_init(&model->arena);
    model->status = TF_NewStatus();
    if (weir_path_is_dir(path))
        WEIR_TRY(open_saved(model, path, choice));
    else
        WEIR_TRY(open_graph(model, path, choice));
    *out_model = WEIR_TAKE(model);
    return WEIR_OK;
}

void predict_model_destroy(predict_model *model)
{
    if (!model)
        return;
    if (model->session)
        TF_DeleteSession(model->session, model->status);
    if (model->graph)
        TF_DeleteGraph(model->graph);
    weir_saved_model_delete(model->saved);
    TF_DeleteStatus(model->status);
    weir_arena_fini(&model->arena);
    weir_free(model);
}

const weir_signature *predict_model_signature(const predict_model *model)
{
    return model->signature;
}

static TF_Tensor *tensor_to(const weir_tensor *tensor)
{
    TF_Tensor *out = TF_AllocateTensor((TF_DataType)tensor->dtype, tensor->shape.dims,
                                       tensor->shape.rank, weir_tensor_bytes(tensor));
    if (out)
        weir_elements_copy(tensor->dtype, TF_TensorData(out), tensor->data,
                           weir_tensor_count(tensor));
    return out;
}

static weir_status tensor_from(const TF_Tensor *tensor, weir_tensor *out)
{
    weir_shape shape = {.rank = TF_NumDims(tensor)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = TF_Dim(tensor, i);
    WEIR_TRY(weir_tensor_alloc((weir_dtype)TF_TensorType(tensor), &shape, out));
    weir_elements_copy(out->dtype, out->data, TF_TensorData(tensor), weir_tensor_count(out));
    return WEIR_OK;
}

static weir_status run(predict_model *model, TF_Tensor **in, TF_Tensor **out)
{
    const weir_signature *signature = model->signature;
    for (int i = 0; i < signature->input_count; i++)
        if (!in[i])
            return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory for the input '%s'",
                              signature->inputs[i].key);
    if (model->saved)
        weir_saved_model_predict(model->saved, signature, in, out, model->status);
    else
        TF_SessionRun(model->session, NULL, model->feeds, in, signature->input_count,
                      model->fetches, out, signature->output_count, NULL, 0, NULL, model->status);
    return status_of(model->status);
}

weir_status predict_model_run(predict_model *model, const weir_tensor *inputs, weir_tensor *outputs)
{
    int count = model->signature->input_count, k = model->signature->output_count, done = 0;
    TF_Tensor **in = WEIR_NEW_ARRAY(TF_Tensor *, count + 1),
              **out = WEIR_NEW_ARRAY(TF_Tensor *, k + 1);
    for (int i = 0; i < count; i++)
        in[i] = tensor_to(&inputs[i]);
    weir_status status = run(model, in, out);
    for (; !status && done < k; done++)
        status = tensor_from(out[done], &outputs[done]);
    for (int i = 0; status && i < done - 1; i++)
        weir_tensor_release(&outputs[i]);
    for (int i = 0; i < count; i++)
        TF_DeleteTensor(in[i]);
    for (int i = 0; i < k; i++)
        TF_DeleteTensor(out[i]);
    weir_free(in);
    weir_free(out);
    return status;
}
