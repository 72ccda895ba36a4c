/* place/export.c - the nodes of one task as a GraphDef, with the functions they can reach. */
#include "graph/proto.h"
#include "place/partition.h"
#include "wire/messages.h"

typedef struct reaching {
    const weir_graph *g;
    weir_map seen;
    WEIR_VEC(const weir_function *) found; /* grows while it is walked */
} reaching;

static void reach(reaching *reaching, const char *name)
{
    const weir_function *function = weir_graph_find_function(reaching->g, weir_str_of(name));
    if (function && !weir_map_put(&reaching->seen, weir_str_of(name), (void *)function))
        weir_vec_push(&reaching->found, function);
}

static void reach_attr(reaching *reaching, const weir_attr *attr);

static void reach_func(reaching *reaching, const weir_func *func)
{
    reach(reaching, func->name);
    for (int i = 0; i < func->attr_count; i++)
        reach_attr(reaching, &func->attrs[i].value);
}

static void reach_attr(reaching *reaching, const weir_attr *attr)
{
    if (attr->kind != WEIR_ATTR_FUNC)
        return;
    if (!attr->is_list)
        reach_func(reaching, attr->func);
    for (int i = 0; attr->is_list && i < attr->count; i++)
        reach_func(reaching, &attr->funcs[i]);
}

static void reach_body(reaching *reaching, const weir_function *function)
{
    for (int i = 0; i < function->node_count; i++) {
        const weir_function_node *node = &function->nodes[i];
        reach(reaching, node->op);
        for (int k = 0; k < node->attr_count; k++)
            reach_attr(reaching, &node->attrs[k].value);
    }
    if (function->gradient)
        reach(reaching, function->gradient);
}

static bool is_on(const weir_node *node, const char *task)
{
    size_t length = strlen(task);
    return !node->removed && strncmp(node->site.device, task, length) == 0 &&
           node->site.device[length] == '/';
}

static void put_library(reaching *reaching, weir_buf *out)
{
    size_t library = weir_message_open(out, WEIR_FIELD_graph_def_library);
    for (size_t i = 0; i < reaching->found.count; i++) {
        const weir_function *function = reaching->found.at[i];
        reach_body(reaching, function);
        size_t mark = weir_message_open(out, WEIR_FIELD_function_def_library_function);
        weir_function_export(function, out);
        weir_message_close(out, mark);
        if (!function->gradient)
            continue;
        mark = weir_message_open(out, WEIR_FIELD_function_def_library_gradient);
        weir_msg_gradient_def_write(
            &(weir_msg_gradient_def){.function_name = weir_str_of(function->def.name),
                                     .gradient_func = weir_str_of(function->gradient)},
            out);
        weir_message_close(out, mark);
    }
    weir_message_close(out, library);
}

int weir_place_export_task(const weir_graph *graph, const char *task, weir_buf *out)
{
    reaching reaching = {.g = graph};
    int count = 0;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (!is_on(node, task))
            continue;
        size_t mark = weir_message_open(out, WEIR_FIELD_graph_def_node);
        weir_node_export(node, out);
        weir_message_close(out, mark);
        count++;
        reach(&reaching, node->site.def->name);
        for (int k = 0; k < node->site.def->attr_count; k++)
            reach_attr(&reaching, &node->site.attrs[k]);
    }
    put_library(&reaching, out);
    size_t mark = weir_message_open(out, WEIR_FIELD_graph_def_versions);
    weir_msg_version_def_write(
        &(weir_msg_version_def){.producer = graph->producer, .min_consumer = graph->min_consumer},
        out);
    weir_message_close(out, mark);
    weir_map_fini(&reaching.seen);
    weir_vec_fini(&reaching.found);
    return count;
}
