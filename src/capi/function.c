/* capi/function.c - TF_Function: its life and attrs, and the library of a graph. */
#include "capi/capi_impl.h"
#include "tensorflow/c/c_api_experimental.h"
#include "wire/pb.h"

enum { FUNCTION_ATTR = 5, ENTRY_KEY = 1, ENTRY_VALUE = 2 }; /* fields of FunctionDef */

static TF_Function *wrap(weir_function *f)
{
    TF_Function *out = WEIR_NEW(TF_Function);
    out->f = f;
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
    weir_function *f = NULL;
    weir_status s = weir_function_import((weir_str){proto, proto_len}, &f);
    if (s) {
        weir_status_free(s);
        s = weir_error(WEIR_INVALID_ARGUMENT,
                       "Invalid FunctionDef given to TF_FunctionImportFunctionDef");
    }
    return weir_capi_end(status, s) ? wrap(f) : NULL;
}

/* ---- attrs ----------------------------------------------------------------------------------- */

static weir_str entry_key(weir_str entry)
{
    weir_pb r = weir_pb_reader(entry);
    while (weir_pb_next(&r))
        if (r.field == ENTRY_KEY && r.type == WEIR_PB_LEN)
            return r.bytes;
    return (weir_str){"", 0};
}

/* Copies the fields of a FunctionDef, leaving out the attr |name|. They are all messages. */
static void copy_without(weir_str proto, const char *name, weir_buf *out)
{
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        if (r.type == WEIR_PB_LEN &&
            !(r.field == FUNCTION_ATTR && weir_str_is(entry_key(r.bytes), name)))
            weir_pb_put_bytes(out, r.field, r.bytes.at, r.bytes.length);
}

/* A function is read-only once graphs share it, so that a changed one is a new one. */
static weir_status with_attr(const weir_function *f, const char *name, weir_str value,
                             weir_function **out)
{
    weir_arena scratch;
    weir_attr parsed;
    weir_arena_init(&scratch);
    weir_status s = weir_attr_import(&scratch, value, &parsed);
    weir_arena_fini(&scratch);
    if (s) {
        weir_status_free(s);
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable AttrValue proto passed to "
                                                 "TF_FunctionSetAttrValueProto");
    }
    weir_buf bytes = {0};
    copy_without(f->proto, name, &bytes);
    size_t mark = weir_pb_begin(&bytes, FUNCTION_ATTR);
    weir_pb_put_str(&bytes, ENTRY_KEY, name);
    weir_pb_put_bytes(&bytes, ENTRY_VALUE, value.at, value.length);
    weir_pb_end(&bytes, mark);
    s = weir_function_import((weir_str){bytes.at, bytes.length}, out);
    weir_buf_fini(&bytes);
    return s;
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
    const weir_attr *a = weir_named_attr_find(func->f->attrs, func->f->attr_count, attr_name);
    if (!a) {
        weir_capi_end(status,
                      weir_error(WEIR_INVALID_ARGUMENT, "Function '%s' has no attr named '%s'.",
                                 func->f->def.name, attr_name));
        return;
    }
    weir_buf bytes = {0};
    weir_attr_export(a, &bytes);
    weir_capi_end(status, weir_capi_fill(output_attr_value, &bytes));
}

/* ---- the library of a graph ------------------------------------------------------------------ */

static weir_status copy_function(TF_Graph *g, const TF_Function *func, const TF_Function *grad)
{
    if (!func)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "'func' argument to TF_GraphCopyFunction cannot be null");
    if (grad && func->f->gradient && strcmp(func->f->gradient, grad->f->def.name) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot assign gradient function '%s' to '%s' because it already has "
                          "gradient function '%s'",
                          grad->f->def.name, func->f->def.name, func->f->gradient);
    WEIR_TRY(weir_graph_add_function(g->graph, func->f));
    if (!grad)
        return WEIR_OK;
    WEIR_TRY(weir_graph_add_function(g->graph, grad->f));
    if (!func->f->gradient)
        func->f->gradient = weir_arena_strdup(&func->f->arena, grad->f->def.name);
    return WEIR_OK;
}

void TF_GraphCopyFunction(TF_Graph *g, const TF_Function *func, const TF_Function *grad,
                          TF_Status *status)
{
    weir_capi_lock(g);
    weir_capi_end(status, copy_function(g, func, grad));
    weir_capi_unlock(g);
}

int TF_GraphNumFunctions(TF_Graph *g)
{
    weir_capi_lock(g);
    int count = (int)g->graph->function_list.count;
    weir_capi_unlock(g);
    return count;
}

int TF_GraphGetFunctions(TF_Graph *g, TF_Function **funcs, int max_func, TF_Status *status)
{
    int count = 0;
    weir_capi_lock(g);
    for (size_t i = 0; i < g->graph->function_list.count && count < max_func; i++) {
        weir_function *f = g->graph->function_list.at[i];
        weir_ref_retain(&f->ref);
        funcs[count++] = wrap(f);
    }
    weir_capi_unlock(g);
    weir_capi_end(status, WEIR_OK);
    return count;
}

static void release(void *f)
{
    weir_function_release(f);
}

/* Nodes that call it keep it alive until the graph ends. */
static weir_status remove_function(weir_graph *g, const char *name)
{
    weir_function *f = weir_map_remove(&g->functions, weir_str_of(name));
    if (!f)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tried to remove non-existent function '%s'.",
                          name);
    for (size_t i = 0; i < g->function_list.count; i++)
        if (g->function_list.at[i] == f) {
            g->function_list.at[i] = g->function_list.at[--g->function_list.count];
            break;
        }
    g->version++;
    weir_arena_defer(&g->arena, release, f);
    return WEIR_OK;
}

void TF_GraphRemoveFunction(TF_Graph *g, const char *func_name, TF_Status *status)
{
    weir_capi_lock(g);
    weir_capi_end(status, remove_function(g->graph, func_name));
    weir_capi_unlock(g);
}
