/* capi/to_function.c - TF_GraphToFunction: turns a subgraph into a FunctionDef.
 *
 * Names are assigned in the order inputs, outputs, nodes: an argument keeps its name (in lower
 * case), and a node with the same name gets a number.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/fingerprint.h"
#include "capi/capi_impl.h"
#include "graph/proto.h"
#include "wire/messages.h"

/* The client's request. */
typedef struct request {
    const weir_graph *graph;
    const char *name, *description;
    int node_count; /* -1: all except the inputs' */
    const TF_Operation *const *nodes;
    int in_count, out_count, control_count;
    const TF_Output *in, *out;
    const char *const *out_names;
    const TF_Operation *const *controls;
    const char *const *control_names;
} request;

typedef struct making {
    const request *r;
    weir_arena arena;
    weir_map used;    /* used names -> the number for the next clash, + 1 */
    weir_map tensors; /* "node:0" -> its name in the body */
    weir_map nodes;   /* a node's name -> its name in the body */
    const char **in_names, **out_names;
    WEIR_VEC(const weir_node *) body;
} making;

static const char *textf(making *making, const char *fmt, const char *name, int number)
{
    char text[32];
    snprintf(text, sizeof text, fmt, number);
    WEIR_BUF(whole);
    weir_buf_adds(&whole, name);
    weir_buf_adds(&whole, text);
    return weir_arena_strdup(&making->arena, whole.at);
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *unique(making *making, const char *name)
{
    uintptr_t next = (uintptr_t)weir_map_get(&making->used, weir_str_of(name));
    const char *taken = name;
    while (weir_map_get(&making->used, weir_str_of(taken)))
        taken = textf(making, "_%d", name, (int)next++ - 1);
    if (next)
        weir_map_put(&making->used, weir_str_of(name), (void *)next);
    weir_map_put(&making->used, weir_str_of(taken), (void *)1);
    return taken;
}

/* An argument's name: lower-case letters, digits and '_', starting with a letter. */
static const char *argument_name(making *making, const char *node)
{
    char *name = weir_arena_strdup(&making->arena, node);
    for (char *cursor = name; *cursor; cursor++)
        *cursor = isalnum((unsigned char)*cursor) ? (char)tolower((unsigned char)*cursor) : '_';
    while (*name && !isalpha((unsigned char)*name))
        name++;
    return unique(making, *name ? name : "unknown");
}

static const char *tensor_key(making *making, const weir_node *node, int index)
{
    return textf(making, ":%d", node->site.name, index);
}

/* ---- collecting ------------------------------------------------------------------------------ */

static weir_status check_output(const TF_Output *output)
{
    WEIR_TRY(weir_capi_check_output(*output));
    const weir_node *node = weir_capi_node(output->oper);
    int type = node->site.out_types[output->index];
    if (weir_dtype_is_ref(type))
        return weir_error(WEIR_INVALID_ARGUMENT, "Output %d of node '%s' has a reference type %s",
                          output->index, node->site.name, weir_dtype_name(type));
    return WEIR_OK;
}

static weir_status take_inputs(making *making)
{
    making->in_names = WEIR_ARENA_ARRAY(&making->arena, const char *, making->r->in_count);
    for (int i = 0; i < making->r->in_count; i++) {
        const TF_Output *output = &making->r->in[i];
        WEIR_TRY_NOTE(check_output(output),
                      " Encountered while processing input %d into function '%s'", i,
                      making->r->name);
        const weir_node *node = weir_capi_node(output->oper);
        const char *key = tensor_key(making, node, output->index);
        if (weir_map_get(&making->tensors, weir_str_of(key)))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "TF_Output %s appears more than once in the "
                              "input list",
                              key);
        making->in_names[i] = argument_name(making, node->site.name);
        weir_map_put(&making->tensors, weir_str_of(key), (void *)making->in_names[i]);
    }
    return WEIR_OK;
}

static weir_status take_outputs(making *making)
{
    making->out_names = WEIR_ARENA_ARRAY(&making->arena, const char *, making->r->out_count);
    for (int i = 0; i < making->r->out_count; i++) {
        const TF_Output *output = &making->r->out[i];
        WEIR_TRY_NOTE(check_output(output),
                      " Encountered while processing output %d from function '%s'", i,
                      making->r->name);
        if (!making->r->out_names) {
            making->out_names[i] = argument_name(making, weir_capi_node(output->oper)->site.name);
            continue;
        }
        const char *name = making->r->out_names[i];
        if (weir_map_put(&making->used, weir_str_of(name), (void *)1))
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Cannot have duplicate output names. Name '%s' appears more than once "
                "in 'output_names' array.",
                name);
        making->out_names[i] = weir_arena_strdup(&making->arena, name);
    }
    return WEIR_OK;
}

static bool is_input(const making *making, const weir_node *node)
{
    for (int i = 0; i < making->r->in_count; i++)
        if (weir_capi_node(making->r->in[i].oper) == node)
            return true;
    return false;
}

static weir_status take_all_nodes(making *making)
{
    for (size_t i = 0; i < making->r->graph->nodes.count; i++) {
        const weir_node *node = making->r->graph->nodes.at[i];
        if (node->removed)
            continue;
        if (!is_input(making, node))
            weir_vec_push(&making->body, node);
        else if (node->site.out_count != 1)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "When `num_opers` is set to -1, nodes referenced in `inputs` must have "
                "a single output. Node %s has %d outputs. Encountered while creating "
                "function '%s'",
                node->site.name, node->site.out_count, making->r->name);
    }
    return WEIR_OK;
}

/* The names of a node's outputs in the body: "node:argument:k". */
static void name_outputs(making *making, const weir_node *node, const char *name)
{
    for (int arg = 0; arg < node->site.def->out_count; arg++) {
        weir_range range = weir_site_out(&node->site, arg);
        for (int k = 0; k < range.count; k++) {
            const char *key = tensor_key(making, node, range.start + k);
            if (weir_map_get(&making->tensors, weir_str_of(key)))
                continue; /* an input of the function keeps its name */
            WEIR_BUF(text);
            weir_buf_addf(&text, "%s:%s:%d", name, node->site.def->out[arg].name, k);
            weir_map_put(&making->tensors, weir_str_of(key),
                         weir_arena_strdup(&making->arena, text.at));
        }
    }
}

static weir_status take_nodes(making *making)
{
    if (making->r->node_count < 0)
        WEIR_TRY(take_all_nodes(making));
    for (int i = 0; i < making->r->node_count; i++)
        weir_vec_push(&making->body, weir_capi_node(making->r->nodes[i]));
    for (size_t i = 0; i < making->body.count; i++) {
        const weir_node *node = making->body.at[i];
        const char *name = unique(making, node->site.name);
        weir_map_put(&making->nodes, weir_str_of(node->site.name), (void *)name);
        name_outputs(making, node, name);
    }
    return WEIR_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static weir_status name_inputs(making *making, const weir_node *node, weir_str *out)
{
    for (int i = 0; i < node->site.in_count; i++) {
        const char *key = tensor_key(making, node->in[i].node, node->in[i].index);
        const char *name = weir_map_get(&making->tensors, weir_str_of(key));
        if (!name)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Input %d, '%s', of node '%s' in function '%s' is not available. You "
                "might need to include it in inputs or include its source node in the "
                "body",
                i, key, node->site.name, making->r->name);
        out[i] = weir_str_of(name);
    }
    return WEIR_OK;
}

static weir_status name_controls(making *making, const weir_node *node, weir_str *out)
{
    for (size_t i = 0; i < node->controls.count; i++) {
        const char *from = node->controls.at[i]->site.name;
        const char *name = weir_map_get(&making->nodes, weir_str_of(from));
        if (!name)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "The source of control edge %s -> %s is not in the body. Encountered "
                              "while creating function '%s'",
                              from, node->site.name, making->r->name);
        WEIR_BUF(text);
        weir_buf_addf(&text, "^%s", name);
        out[i] = weir_str_of(weir_arena_strdup(&making->arena, text.at));
    }
    return WEIR_OK;
}

static weir_status put_node(making *making, const weir_node *node, weir_buf *out)
{
    size_t in = (size_t)node->site.in_count, count = in + node->controls.count;
    weir_str *inputs = WEIR_ARENA_ARRAY(&making->arena, weir_str, count);
    const char *name = weir_map_get(&making->nodes, weir_str_of(node->site.name));
    WEIR_TRY(name_inputs(making, node, inputs));
    WEIR_TRY(name_controls(making, node, inputs + in));
    size_t mark = weir_message_open(out, WEIR_FIELD_function_def_node_def);
    weir_msg_node_def_write(&(weir_msg_node_def){.name = weir_str_of(name),
                                                 .op = weir_str_of(node->site.def->name),
                                                 .input = {inputs, count},
                                                 .device = weir_str_of(node->requested_device)},
                            out);
    for (int i = 0; i < node->site.def->attr_count; i++)
        weir_named_attr_write(out, WEIR_FIELD_node_def_attr, node->site.def->attrs[i].name,
                              &node->site.attrs[i]);
    for (int i = 0; i < node->extra_count; i++)
        weir_named_attr_write(out, WEIR_FIELD_node_def_attr, node->extra[i].name,
                              &node->extra[i].value);
    weir_message_close(out, mark);
    return WEIR_OK;
}

static weir_msgs_op_def_arg_def describe_args(const char *const *names, const TF_Output *outputs,
                                              int count, weir_arena *arena)
{
    weir_msg_op_def_arg_def *args = WEIR_ARENA_ARRAY(arena, weir_msg_op_def_arg_def, count);
    for (int i = 0; i < count; i++) {
        args[i].name = weir_str_of(names[i]);
        args[i].type = weir_edge_dtype(weir_capi_edge(outputs[i]));
    }
    return (weir_msgs_op_def_arg_def){args, (size_t)count};
}

typedef WEIR_VEC(weir_msg_op_def_attr_def) attr_defs;

/* Placeholder attrs of nodes become attrs of the function, once each. */
static void add_placeholders(making *making, const weir_node *node, weir_map *seen, attr_defs *out)
{
    static const char *const types[] = {
        [WEIR_ATTR_STRING] = "string", [WEIR_ATTR_INT] = "int",   [WEIR_ATTR_FLOAT] = "float",
        [WEIR_ATTR_BOOL] = "bool",     [WEIR_ATTR_TYPE] = "type", [WEIR_ATTR_SHAPE] = "shape",
        [WEIR_ATTR_TENSOR] = "tensor", [WEIR_ATTR_FUNC] = "func",
    };
    for (int i = 0; i < node->site.def->attr_count; i++) {
        const weir_attrdef *def = &node->site.def->attrs[i];
        const weir_attr *attr = &node->site.attrs[i];
        if (attr->kind != WEIR_ATTR_PLACEHOLDER || weir_map_put(seen, attr->s, (void *)1))
            continue;
        char type[16];
        snprintf(type, sizeof type, def->is_list ? "list(%s)" : "%s", types[def->kind]);
        weir_vec_push(out, (weir_msg_op_def_attr_def){
                               .name = attr->s,
                               .type = weir_str_of(weir_arena_strdup(&making->arena, type))});
    }
}

static const char *control_name(const request *request, int i)
{
    return request->control_names ? request->control_names[i]
                                  : weir_capi_node(request->controls[i])->site.name;
}

static weir_strs control_names(making *making)
{
    weir_str *names = WEIR_ARENA_ARRAY(&making->arena, weir_str, making->r->control_count);
    for (int i = 0; i < making->r->control_count; i++)
        names[i] = weir_str_of(control_name(making->r, i));
    return (weir_strs){names, (size_t)making->r->control_count};
}

static void put_signature(making *making, const char *name, weir_buf *out)
{
    const request *request = making->r;
    weir_map seen = {0};
    attr_defs attrs = {0};
    weir_msg_op_def signature = {
        .name = weir_str_of(name),
        .input_arg =
            describe_args(making->in_names, request->in, request->in_count, &making->arena),
        .output_arg =
            describe_args(making->out_names, request->out, request->out_count, &making->arena),
        .description = weir_str_of(request->description ? request->description : ""),
        .control_output = control_names(making)};
    for (size_t i = 0; i < making->body.count; i++) {
        add_placeholders(making, making->body.at[i], &seen, &attrs);
        signature.is_stateful |= (making->body.at[i]->site.def->flags & WEIR_STATEFUL) != 0;
    }
    signature.attr = (weir_msgs_op_def_attr_def){attrs.at, attrs.count};
    weir_msg_function_def_write(&(weir_msg_function_def){.signature = &signature}, out);
    weir_vec_fini(&attrs);
    weir_map_fini(&seen);
}

static weir_status find_results(making *making, weir_msg_function_def_ret_entry *out)
{
    const request *request = making->r;
    for (int i = 0; i < request->out_count; i++) {
        const char *key =
            tensor_key(making, weir_capi_node(request->out[i].oper), request->out[i].index);
        const char *value = weir_map_get(&making->tensors, weir_str_of(key));
        if (!value)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "TF_Output %s is neither in the function body nor among function "
                              "inputs. Encountered while creating function '%s'",
                              key, request->name);
        out[i].key = weir_str_of(making->out_names[i]);
        out[i].value = weir_str_of(value);
    }
    return WEIR_OK;
}

static weir_status find_controls(making *making, weir_msg_function_def_control_ret_entry *out)
{
    const request *request = making->r;
    for (int i = 0; i < request->control_count; i++) {
        const char *node = weir_capi_node(request->controls[i])->site.name;
        const char *value = weir_map_get(&making->nodes, weir_str_of(node));
        if (!value)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Control output %s is not in the function body. Encountered while "
                              "creating function '%s'",
                              node, request->name);
        out[i].key = weir_str_of(control_name(request, i));
        out[i].value = weir_str_of(value);
    }
    return WEIR_OK;
}

static weir_status put_results(making *making, weir_buf *out)
{
    size_t count = (size_t)making->r->out_count, control_count = (size_t)making->r->control_count;
    weir_msg_function_def_ret_entry *results =
        WEIR_ARENA_ARRAY(&making->arena, weir_msg_function_def_ret_entry, count);
    weir_msg_function_def_control_ret_entry *controls =
        WEIR_ARENA_ARRAY(&making->arena, weir_msg_function_def_control_ret_entry, control_count);
    WEIR_TRY(find_results(making, results));
    WEIR_TRY(find_controls(making, controls));
    weir_msg_function_def_write(
        &(weir_msg_function_def){.ret = {results, count}, .control_ret = {controls, control_count}},
        out);
    return WEIR_OK;
}

static weir_status put_body(making *making, weir_buf *out)
{
    for (size_t i = 0; i < making->body.count; i++)
        WEIR_TRY(put_node(making, making->body.at[i], out));
    return put_results(making, out);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static weir_status write_def(making *making, bool append_hash, weir_buf *out)
{
    WEIR_BUF(body);
    WEIR_BUF(name);
    WEIR_TRY(put_body(making, &body));
    weir_buf_adds(&name, making->r->name);
    if (append_hash)
        weir_buf_addf(&name, "_%" PRIx64, weir_fingerprint64((weir_str){body.at, body.length}));
    put_signature(making, name.at, out);
    weir_buf_add(out, body.at, body.length);
    return WEIR_OK;
}

static weir_status make(making *making, bool append_hash, weir_function **out)
{
    WEIR_BUF(def);
    WEIR_TRY(take_inputs(making));
    WEIR_TRY(take_outputs(making));
    WEIR_TRY(take_nodes(making));
    WEIR_TRY(write_def(making, append_hash, &def));
    return weir_function_import(weir_view(&def), out);
}

static weir_status to_function(const request *request, bool append_hash, weir_function **out)
{
    making making = {.r = request};
    weir_arena_init(&making.arena);
    weir_status status = make(&making, append_hash, out);
    weir_map_fini(&making.used);
    weir_map_fini(&making.tensors);
    weir_map_fini(&making.nodes);
    weir_vec_fini(&making.body);
    weir_arena_fini(&making.arena);
    return status;
}

TF_Function *TF_GraphToFunctionWithControlOutputs(
    const TF_Graph *fn_body, const char *fn_name, unsigned char append_hash_to_fn_name,
    int num_opers, const TF_Operation *const *opers, int ninputs, const TF_Output *inputs,
    int noutputs, const TF_Output *outputs, const char *const *output_names, int ncontrol_outputs,
    const TF_Operation *const *control_outputs, const char *const *control_output_names,
    const TF_FunctionOptions *opts, const char *description, TF_Status *status)
{
    request request = {.graph = fn_body->graph,
                       .name = fn_name,
                       .description = description,
                       .node_count = num_opers,
                       .nodes = opers,
                       .in_count = ninputs,
                       .in = inputs,
                       .out_count = noutputs,
                       .out = outputs,
                       .out_names = output_names,
                       .control_count = ncontrol_outputs,
                       .controls = control_outputs,
                       .control_names = control_output_names};
    weir_function *function = NULL;
    (void)opts; /* the type has no fields yet */
    weir_capi_lock(fn_body);
    bool ok = weir_capi_end(status, to_function(&request, append_hash_to_fn_name, &function));
    weir_capi_unlock(fn_body);
    if (!ok)
        return NULL;
    TF_Function *out = WEIR_NEW(TF_Function);
    out->f = function;
    return out;
}

TF_Function *TF_GraphToFunction(const TF_Graph *fn_body, const char *fn_name,
                                unsigned char append_hash_to_fn_name, int num_opers,
                                const TF_Operation *const *opers, int ninputs,
                                const TF_Output *inputs, int noutputs, const TF_Output *outputs,
                                const char *const *output_names, const TF_FunctionOptions *opts,
                                const char *description, TF_Status *status)
{
    return TF_GraphToFunctionWithControlOutputs(
        fn_body, fn_name, append_hash_to_fn_name, num_opers, opers, ninputs, inputs, noutputs,
        outputs, output_names, 0, NULL, NULL, opts, description, status);
}
