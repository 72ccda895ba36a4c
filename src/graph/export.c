/* graph/export.c - exports a graph as a GraphDef. */
#include <stdio.h>

#include "graph/proto.h"
#include "wire/messages.h"

/* "name", "name:1" or "^name". */
static weir_str input_name(weir_edge in, weir_arena *arena)
{
    const char *name = in.node->site.name;
    if (in.index == 0)
        return weir_str_of(name);
    size_t room = strlen(name) + 16;
    char *text = weir_arena_alloc(arena, room);
    int length = in.index < 0 ? snprintf(text, room, "^%s", name)
                              : snprintf(text, room, "%s:%d", name, in.index);
    return (weir_str){text, (size_t)length};
}

/* The remaining data inputs, then the control inputs. */
static weir_strs input_names(const weir_node *node, weir_arena *arena)
{
    int ins = node->site.in_count;
    weir_str *names = WEIR_ARENA_ARRAY(arena, weir_str, ins + (int)node->controls.count);
    size_t count = 0;
    for (int i = 0; i < ins; i++)
        if (node->in[i].node)
            names[count++] = input_name(node->in[i], arena);
    for (size_t i = 0; i < node->controls.count; i++)
        names[count++] = input_name((weir_edge){node->controls.at[i], -1}, arena);
    return (weir_strs){names, count};
}

void weir_node_export(const weir_node *node, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    const weir_site *site = &node->site;
    const char *device = site->device && *site->device ? site->device : node->requested_device;
    weir_msg_node_def_write(&(weir_msg_node_def){.name = weir_str_of(site->name),
                                                 .op = weir_str_of(site->def->name),
                                                 .input = input_names(node, &arena),
                                                 .device = weir_str_of(device ? device : "")},
                            out);
    for (int i = 0; i < site->def->attr_count; i++)
        weir_named_attr_write(out, WEIR_FIELD_node_def_attr, site->def->attrs[i].name,
                              &site->attrs[i]);
    for (int i = 0; i < node->extra_count; i++)
        weir_named_attr_write(out, WEIR_FIELD_node_def_attr, node->extra[i].name,
                              &node->extra[i].value);
}

void weir_function_export(const weir_function *function, weir_buf *out)
{
    weir_buf_add(out, function->proto.at, function->proto.length);
}

static void put_gradient(const weir_function *function, weir_buf *out)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_function_def_library_gradient);
    weir_msg_gradient_def_write(
        &(weir_msg_gradient_def){.function_name = weir_str_of(function->def.name),
                                 .gradient_func = weir_str_of(function->gradient)},
        out);
    weir_message_close(out, mark);
}

static void put_library(const weir_graph *graph, size_t first, weir_buf *out)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_graph_def_library);
    for (size_t i = first; i < graph->function_list.count; i++)
        weir_message_put_bytes(out, WEIR_FIELD_function_def_library_function,
                               graph->function_list.at[i]->proto);
    for (size_t i = first; i < graph->function_list.count; i++)
        if (graph->function_list.at[i]->gradient)
            put_gradient(graph->function_list.at[i], out);
    weir_message_close(out, mark);
}

static int put_nodes(const weir_graph *graph, size_t first, const char *device, weir_buf *out)
{
    int count = 0;
    for (size_t i = first; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (node->removed || (device && strcmp(node->site.device, device) != 0))
            continue;
        size_t mark = weir_message_open(out, WEIR_FIELD_graph_def_node);
        weir_node_export(node, out);
        weir_message_close(out, mark);
        count++;
    }
    return count;
}

static void put_rest(const weir_graph *graph, size_t first_function, weir_buf *out)
{
    put_library(graph, first_function, out);
    weir_msg_version_def versions = {.producer = graph->producer,
                                     .min_consumer = graph->min_consumer};
    weir_msg_graph_def_write(&(weir_msg_graph_def){.versions = &versions}, out);
}

void weir_graph_export(const weir_graph *graph, weir_buf *out)
{
    weir_graph_export_since(graph, 0, 0, out);
}

void weir_graph_export_since(const weir_graph *graph, size_t first_node, size_t first_function,
                             weir_buf *out)
{
    put_nodes(graph, first_node, NULL, out);
    put_rest(graph, first_function, out);
}

bool weir_graph_export_device(const weir_graph *graph, const char *device, weir_buf *out)
{
    bool any = put_nodes(graph, 0, device, out) > 0;
    put_rest(graph, 0, out);
    return any;
}
