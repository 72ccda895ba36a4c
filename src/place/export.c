/* place/export.c - exports the nodes of one task, with the reachable functions, as a GraphDef. */
#include "graph/proto.h"
#include "graph/reach.h"
#include "place/partition.h"
#include "wire/messages.h"

static bool is_on(const weir_node *node, const char *task)
{
    size_t length = strlen(task);
    return !node->removed && strncmp(node->site.device, task, length) == 0 &&
           node->site.device[length] == '/';
}

static void put_library(weir_reach *reach, weir_buf *out)
{
    weir_reach_all(reach);
    size_t library = weir_message_open(out, WEIR_FIELD_graph_def_library);
    for (size_t i = 0; i < reach->found.count; i++) {
        const weir_function *function = reach->found.at[i];
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
    weir_reach reach = {.library = graph};
    int count = 0;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (!is_on(node, task))
            continue;
        size_t mark = weir_message_open(out, WEIR_FIELD_graph_def_node);
        weir_node_export(node, out);
        weir_message_close(out, mark);
        count++;
        weir_reach_name(&reach, node->site.def->name);
        for (int k = 0; k < node->site.def->attr_count; k++)
            weir_reach_attr(&reach, &node->site.attrs[k]);
    }
    put_library(&reach, out);
    size_t mark = weir_message_open(out, WEIR_FIELD_graph_def_versions);
    weir_msg_version_def_write(
        &(weir_msg_version_def){.producer = graph->producer, .min_consumer = graph->min_consumer},
        out);
    weir_message_close(out, mark);
    weir_reach_fini(&reach);
    return count;
}
