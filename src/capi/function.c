/* capi/function.c - TF_Function: life cycle and attrs, and the library of a graph. */
#include "capi/capi_impl.h"
#include "graph/proto.h"
#include "tensorflow/c/c_api_experimental.h"
#include "wire/messages.h"

static TF_Function *wrap(weir_function *function)
{
    TF_Function *out = WEIR_NEW(TF_Function);
    out->f = function;
    return out;
}

const char *TF_FunctionName(TF_Function *func)
{
    return func->f->def.name;
}

void TF_DeleteFunction(TF_Function *func)
{
    if (!func)
        return;
    weir_function_release(func->f);
    weir_free(func);
}

void TF_FunctionToFunctionDef(TF_Function *func, TF_Buffer *output_func_def, TF_Status *status)
{
    weir_buf bytes = {0};
    weir_function_export(func->f, &bytes);
    weir_capi_end(status, weir_capi_fill(output_func_def, &bytes));
}

TF_Function *TF_FunctionImportFunctionDef(const void *proto, size_t proto_len, TF_Status *status)
{
    weir_function *function = NULL;
    weir_status result = weir_function_import((weir_str){proto, proto_len}, &function);
    if (result) {
        weir_status_free(result);
        result = weir_error(WEIR_INVALID_ARGUMENT,
                            "Invalid FunctionDef given to TF_FunctionImportFunctionDef");
    }
    return weir_capi_end(status, result) ? wrap(function) : NULL;
}

/* ---- attrs ----------------------------------------------------------------------------------- */

static weir_status read_value(weir_str bytes, weir_arena *arena, weir_msg_attr_value *out)
{
    weir_attr parsed;
    weir_status status = weir_msg_attr_value_read(bytes, arena, out);
    if (!status)
        status = weir_attr_from_proto(arena, out, &parsed); /* validates it */
    if (!status)
        return WEIR_OK;
    weir_status_free(status);
    return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable AttrValue proto passed to "
                                             "TF_FunctionSetAttrValueProto");
}

/* The attrs of |def| with |name| as the last of them. */
static void set_attr(weir_msg_function_def *def, const char *name, const weir_msg_attr_value *value,
                     weir_arena *arena)
{
    size_t count = 0;
    weir_msg_function_def_attr_entry *attrs =
        WEIR_ARENA_ARRAY(arena, weir_msg_function_def_attr_entry, def->attr.count + 1);
    for (size_t i = 0; i < def->attr.count; i++)
        if (!weir_str_is(def->attr.at[i].key, name))
            attrs[count++] = def->attr.at[i];
    attrs[count++] = (weir_msg_function_def_attr_entry){.key = weir_str_of(name), .value = value};
    def->attr = (weir_msgs_function_def_attr_entry){attrs, count};
}

/* A function is read-only once graphs share it, so changing it creates a new one. */
static weir_status with_attr(const weir_function *function, const char *name, weir_str value,
                             weir_function **out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(bytes);
    weir_msg_attr_value read;
    weir_msg_function_def def;
    WEIR_TRY(read_value(value, &arena, &read));
    WEIR_TRY(weir_msg_function_def_read(function->proto, &arena, &def));
    set_attr(&def, name, &read, &arena);
    weir_msg_function_def_write(&def, &bytes);
    return weir_function_import(weir_view(&bytes), out);
}

void TF_FunctionSetAttrValueProto(TF_Function *func, const char *attr_name, const void *proto,
                                  size_t proto_len, TF_Status *status)
{
    weir_function *changed;
    weir_str value = {proto, proto_len};
    if (!weir_capi_end(status, with_attr(func->f, attr_name, value, &changed)))
        return;
    weir_function_release(func->f);
    func->f = changed;
}

void TF_FunctionGetAttrValueProto(TF_Function *func, const char *attr_name,
                                  TF_Buffer *output_attr_value, TF_Status *status)
{
    const weir_attr *attr = weir_named_attr_find(func->f->attrs, func->f->attr_count, attr_name);
    if (!attr) {
        weir_capi_end(status,
                      weir_error(WEIR_INVALID_ARGUMENT, "Function '%s' has no attr named '%s'.",
                                 func->f->def.name, attr_name));
        return;
    }
    weir_buf bytes = {0};
    weir_attr_export(attr, &bytes);
    weir_capi_end(status, weir_capi_fill(output_attr_value, &bytes));
}

/* ---- the library of a graph ------------------------------------------------------------------ */

static weir_status copy_function(TF_Graph *graph, const TF_Function *func, const TF_Function *grad)
{
    if (!func)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "'func' argument to TF_GraphCopyFunction cannot be null");
    if (grad && func->f->gradient && strcmp(func->f->gradient, grad->f->def.name) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot assign gradient function '%s' to '%s' because it already has "
                          "gradient function '%s'",
                          grad->f->def.name, func->f->def.name, func->f->gradient);
    WEIR_TRY(weir_graph_add_function(graph->graph, func->f));
    if (!grad)
        return WEIR_OK;
    WEIR_TRY(weir_graph_add_function(graph->graph, grad->f));
    if (!func->f->gradient)
        func->f->gradient = weir_arena_strdup(&func->f->arena, grad->f->def.name);
    return WEIR_OK;
}

void TF_GraphCopyFunction(TF_Graph *graph, const TF_Function *func, const TF_Function *grad,
                          TF_Status *status)
{
    weir_capi_lock(graph);
    weir_capi_end(status, copy_function(graph, func, grad));
    weir_capi_unlock(graph);
}

int TF_GraphNumFunctions(TF_Graph *graph)
{
    weir_capi_lock(graph);
    int count = (int)graph->graph->function_list.count;
    weir_capi_unlock(graph);
    return count;
}

int TF_GraphGetFunctions(TF_Graph *graph, TF_Function **funcs, int max_func, TF_Status *status)
{
    int count = 0;
    weir_capi_lock(graph);
    for (size_t i = 0; i < graph->graph->function_list.count && count < max_func; i++) {
        weir_function *function = graph->graph->function_list.at[i];
        weir_ref_retain(&function->ref);
        funcs[count++] = wrap(function);
    }
    weir_capi_unlock(graph);
    weir_capi_end(status, WEIR_OK);
    return count;
}

static void release(void *f)
{
    weir_function_release(f);
}

/* Nodes that call it keep it alive as long as the graph. */
static weir_status remove_function(weir_graph *graph, const char *name)
{
    weir_function *function = weir_map_remove(&graph->functions, weir_str_of(name));
    if (!function)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tried to remove non-existent function '%s'.",
                          name);
    for (size_t i = 0; i < graph->function_list.count; i++)
        if (graph->function_list.at[i] == function) {
            graph->function_list.at[i] = graph->function_list.at[--graph->function_list.count];
            break;
        }
    graph->version++;
    weir_arena_defer(&graph->arena, release, function);
    return WEIR_OK;
}

void TF_GraphRemoveFunction(TF_Graph *graph, const char *func_name, TF_Status *status)
{
    weir_capi_lock(graph);
    weir_capi_end(status, remove_function(graph->graph, func_name));
    weir_capi_unlock(graph);
}
