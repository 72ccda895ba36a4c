/* session/cost.c - CostGraphDef: what each node of a plan took in one step. */
#include "exec/stats.h"
#include "session/session_impl.h"
#include "tensor/proto.h"

/* CostGraphDef.Node and its parts, by field number. */
enum { NAME = 1, DEVICE, ID, INPUT, OUTPUT, FINAL = 7, CONTROL = 8, COST = 9, TIME = 14 };
enum { FROM_NODE = 1, FROM_PORT };
enum { SIZE = 1, ALIAS, SHAPE, DTYPE };

static void put_inputs(const weir_node *n, weir_buf *out)
{
    for (int i = 0; i < n->site.in_count; i++) {
        size_t mark = weir_pb_begin(out, INPUT);
        weir_pb_put_varint_nz(out, FROM_NODE, (uint64_t)n->in[i].node->id);
        weir_pb_put_varint_nz(out, FROM_PORT, (uint64_t)n->in[i].index);
        weir_pb_end(out, mark);
    }
    for (size_t i = 0; i < n->controls.count; i++)
        weir_pb_put_varint(out, CONTROL, (uint64_t)n->controls.at[i]->id);
}

static int64_t bytes_of(weir_dtype dtype, const weir_shape *shape)
{
    return weir_shape_known(shape) ? weir_shape_count(shape) * (int64_t)weir_dtype_size(dtype) : -1;
}

static void put_outputs(const weir_node *n, weir_buf *out)
{
    for (int i = 0; i < n->site.out_count; i++) {
        weir_dtype dtype = weir_dtype_base(n->site.out_types[i]);
        size_t mark = weir_pb_begin(out, OUTPUT);
        weir_pb_put_varint_nz(out, SIZE, (uint64_t)bytes_of(dtype, &n->out_shapes[i]));
        weir_pb_put_varint(out, ALIAS, (uint64_t)-1);
        size_t shape = weir_pb_begin(out, SHAPE);
        weir_shape_encode(&n->out_shapes[i], out);
        weir_pb_end(out, shape);
        weir_pb_put_varint(out, DTYPE, dtype);
        weir_pb_end(out, mark);
    }
}

void weir_cost_export(const weir_graph *g, const weir_collector *c, weir_buf *out)
{
    weir_map times = {0};
    weir_collector_times(c, &times);
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        if (n->removed)
            continue;
        int64_t us = (intptr_t)weir_map_get(&times, weir_str_of(n->site.name)) / 1000;
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_str(out, NAME, n->site.name);
        weir_pb_put_str(out, DEVICE, n->site.device);
        weir_pb_put_varint_nz(out, ID, (uint64_t)n->id);
        put_inputs(n, out);
        put_outputs(n, out);
        weir_pb_put_varint_nz(out, FINAL, weir_node_flow(n) == WEIR_FLOW_RETVAL);
        weir_pb_put_varint_nz(out, COST, (uint64_t)us);
        weir_pb_put_varint_nz(out, TIME, (uint64_t)us);
        weir_pb_end(out, mark);
    }
    weir_map_fini(&times);
}
