/* place/export.c - the nodes of one task as a GraphDef, with the functions they can reach. */
#include "graph/proto.h"
#include "place/partition.h"

typedef struct reaching {
    const weir_graph *g;
    weir_map seen;
    WEIR_VEC(const weir_function *) found; /* grows while it is walked */
} reaching;

static void reach(reaching *r, const char *name)
{
    const weir_function *f = weir_graph_find_function(r->g, weir_str_of(name));
    if (f && !weir_map_put(&r->seen, weir_str_of(name), (void *)f))
        weir_vec_push(&r->found, f);
}

static void reach_attr(reaching *r, const weir_attr *a);

static void reach_func(reaching *r, const weir_func *f)
{
    reach(r, f->name);
    for (int i = 0; i < f->attr_count; i++)
        reach_attr(r, &f->attrs[i].value);
}

static void reach_attr(reaching *r, const weir_attr *a)
{
    if (a->kind != WEIR_ATTR_FUNC)
        return;
    if (!a->is_list)
        reach_func(r, a->func);
    for (int i = 0; a->is_list && i < a->count; i++)
        reach_func(r, &a->funcs[i]);
}

static void reach_body(reaching *r, const weir_function *f)
{
    for (int i = 0; i < f->node_count; i++) {
        const weir_function_node *n = &f->nodes[i];
        reach(r, n->op);
        for (int k = 0; k < n->attr_count; k++)
            reach_attr(r, &n->attrs[k].value);
    }
    if (f->gradient)
        reach(r, f->gradient);
}

static bool is_on(const weir_node *n, const char *task)
{
    size_t length = strlen(task);
    return !n->removed && strncmp(n->site.device, task, length) == 0 &&
           n->site.device[length] == '/';
}

static void put_library(reaching *r, weir_buf *out)
{
    size_t library = weir_pb_begin(out, 2);
    for (size_t i = 0; i < r->found.count; i++) {
        const weir_function *f = r->found.at[i];
        reach_body(r, f);
        size_t mark = weir_pb_begin(out, 1);
        weir_function_export(f, out);
        weir_pb_end(out, mark);
        if (!f->gradient)
            continue;
        mark = weir_pb_begin(out, 2);
        weir_pb_put_str(out, 1, f->def.name);
        weir_pb_put_str(out, 2, f->gradient);
        weir_pb_end(out, mark);
    }
    weir_pb_end(out, library);
}

int weir_place_export_task(const weir_graph *g, const char *task, weir_buf *out)
{
    reaching r = {.g = g};
    int count = 0;
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        if (!is_on(n, task))
            continue;
        size_t mark = weir_pb_begin(out, 1);
        weir_node_export(n, out);
        weir_pb_end(out, mark);
        count++;
        reach(&r, n->site.def->name);
        for (int k = 0; k < n->site.def->attr_count; k++)
            reach_attr(&r, &n->site.attrs[k]);
    }
    put_library(&r, out);
    size_t mark = weir_pb_begin(out, 4);
    weir_pb_put_varint_nz(out, 1, (uint64_t)g->producer);
    weir_pb_put_varint_nz(out, 2, (uint64_t)g->min_consumer);
    weir_pb_end(out, mark);
    weir_map_fini(&r.seen);
    weir_vec_fini(&r.found);
    return count;
}
