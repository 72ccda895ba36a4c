/* cli/bench/flops.c - arithmetic counted in a graph, by the shapes that it is known to have. */
#include "cli/bench/flops.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

enum { MOST_DIMS = 8 };

typedef struct shape {
    int rank; /* -1: not known, or a dim is not */
    int64_t dims[MOST_DIMS];
} shape;

typedef struct counter {
    TF_Graph *graph;
    TF_Status *status;
    weir_map seen; /* names of operations */
    WEIR_VEC(TF_Operation *) waiting;
    bench_work *work;
} counter;

static shape shape_of(const counter *c, TF_Output o)
{
    shape s = {.rank = TF_GraphGetTensorNumDims(c->graph, o, c->status)};
    if (s.rank < 0 || s.rank > MOST_DIMS)
        return (shape){.rank = -1};
    TF_GraphGetTensorShape(c->graph, o, s.dims, s.rank, c->status);
    for (int i = 0; i < s.rank; i++)
        if (s.dims[i] < 0)
            return (shape){.rank = -1};
    return s;
}

static double count(const shape *s)
{
    double n = 1;
    for (int i = 0; i < s->rank; i++)
        n *= (double)s->dims[i];
    return n;
}

static shape input_shape(const counter *c, TF_Operation *op, int i)
{
    return i < TF_OperationNumInputs(op) ? shape_of(c, TF_OperationInput((TF_Input){op, i}))
                                         : (shape){.rank = -1};
}

static bool flag(const counter *c, TF_Operation *op, const char *name)
{
    unsigned char value = 0;
    TF_OperationGetAttrBool(op, name, &value, c->status);
    return TF_GetCode(c->status) == TF_OK && value;
}

/* ---- the kinds of products ------------------------------------------------------------------ */

/* Sums over the inner dim of a, for each element of the output. */
static double product(const counter *c, TF_Operation *op, const char *adjoint)
{
    shape a = input_shape(c, op, 0), y = shape_of(c, (TF_Output){op, 0});
    if (a.rank < 2 || y.rank < 2)
        return -1;
    return 2 * count(&y) * (double)a.dims[flag(c, op, adjoint) ? a.rank - 2 : a.rank - 1];
}

static double matmul(const counter *c, TF_Operation *op)
{
    return product(c, op, "transpose_a");
}

static double batch_matmul(const counter *c, TF_Operation *op)
{
    return product(c, op, "adj_x");
}

/* Each element of |dense|, the side that has the output's places, meets a filter's share. */
static double by_filter(const shape *dense, const shape *filter)
{
    if (dense->rank < 3 || filter->rank < 3)
        return -1;
    return 2 * count(dense) * count(filter) / (double)filter->dims[filter->rank - 1];
}

static double conv(const counter *c, TF_Operation *op)
{
    shape y = shape_of(c, (TF_Output){op, 0}), filter = input_shape(c, op, 1);
    return by_filter(&y, &filter);
}

static double conv_to_input(const counter *c, TF_Operation *op)
{
    shape dy = input_shape(c, op, 2), filter = input_shape(c, op, 1);
    return by_filter(&dy, &filter);
}

static double conv_to_filter(const counter *c, TF_Operation *op)
{
    shape dy = input_shape(c, op, 2), filter = shape_of(c, (TF_Output){op, 0});
    return by_filter(&dy, &filter);
}

/* The filter's last two dims, channels and their multiple, are both of the output. */
static double depthwise(const counter *c, TF_Operation *op)
{
    shape y = shape_of(c, (TF_Output){op, 0}), f = input_shape(c, op, 1);
    return y.rank == 4 && f.rank == 4 ? 2 * count(&y) * (double)(f.dims[0] * f.dims[1]) : -1;
}

static const struct kind {
    const char *type;
    double (*flops)(const counter *c, TF_Operation *op); /* below 0: not known */
} kinds[] = {
    {"MatMul", matmul},
    {"BatchMatMul", batch_matmul},
    {"BatchMatMulV2", batch_matmul},
    {"BatchMatMulV3", batch_matmul},
    {"SparseMatMul", matmul},
    {"Conv2D", conv},
    {"Conv3D", conv},
    {"Conv2DBackpropInput", conv_to_input},
    {"Conv2DBackpropFilter", conv_to_filter},
    {"Conv3DBackpropInputV2", conv_to_input},
    {"Conv3DBackpropFilterV2", conv_to_filter},
    {"DepthwiseConv2dNative", depthwise},
};

/* ---- walking -------------------------------------------------------------------------------- */

static void count_flops(counter *c, TF_Operation *op)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(TF_OperationOpType(op), kinds[i].type) != 0)
            continue;
        double n = kinds[i].flops(c, op);
        c->work->unknown += n < 0;
        c->work->flops += n > 0 ? n : 0;
    }
}

static void count_bytes(counter *c, TF_Operation *op)
{
    const char *type = TF_OperationOpType(op);
    bool variable = strcmp(type, "VariableV2") == 0 || strcmp(type, "VarHandleOp") == 0;
    TF_DataType dtype;
    int64_t dims[MOST_DIMS];
    if (!variable)
        return;
    TF_AttrMetadata m = TF_OperationGetAttrMetadata(op, "shape", c->status);
    if (TF_GetCode(c->status) != TF_OK || m.total_size < 0 || m.total_size > MOST_DIMS)
        return;
    TF_OperationGetAttrShape(op, "shape", dims, (int)m.total_size, c->status);
    TF_OperationGetAttrType(op, "dtype", &dtype, c->status);
    if (TF_GetCode(c->status) != TF_OK)
        return;
    shape s = {.rank = (int)m.total_size};
    memcpy(s.dims, dims, sizeof dims);
    c->work->bytes += 2 * count(&s) * (double)TF_DataTypeSize(dtype);
}

static void visit(counter *c, TF_Operation *op)
{
    weir_str name = weir_str_of(TF_OperationName(op));
    if (weir_map_get(&c->seen, name))
        return;
    weir_map_put(&c->seen, name, op);
    weir_vec_push(&c->waiting, op);
}

static void visit_inputs(counter *c, TF_Operation *op)
{
    for (int i = 0; i < TF_OperationNumInputs(op); i++)
        visit(c, TF_OperationInput((TF_Input){op, i}).oper);
    int controls = TF_OperationNumControlInputs(op);
    TF_Operation **before = WEIR_NEW_ARRAY(TF_Operation *, controls);
    TF_OperationGetControlInputs(op, before, controls);
    for (int i = 0; i < controls; i++)
        visit(c, before[i]);
    weir_free(before);
}

/* Loops run their nodes a number of times that the graph does not tell. */
static bool has_loop(const counter *c)
{
    size_t at = 0;
    weir_str name;
    void *op;
    while (weir_map_next(&c->seen, &at, &name, &op))
        if (strcmp(TF_OperationOpType(op), "Enter") == 0 ||
            strcmp(TF_OperationOpType(op), "While") == 0)
            return true;
    return false;
}

void bench_count_work(TF_Graph *graph, TF_Operation *step, bench_work *out)
{
    *out = (bench_work){0};
    counter c = {.graph = graph, .status = TF_NewStatus(), .work = out};
    visit(&c, step);
    while (c.waiting.count) {
        TF_Operation *op = c.waiting.at[--c.waiting.count];
        count_flops(&c, op);
        count_bytes(&c, op);
        visit_inputs(&c, op);
    }
    if (has_loop(&c))
        out->unknown++;
    weir_map_fini(&c.seen);
    weir_vec_fini(&c.waiting);
    TF_DeleteStatus(c.status);
}
