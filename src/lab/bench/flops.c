/* lab/bench/flops.c - arithmetic counted in a graph, by the shapes that it is known to have. */
#include "lab/bench/flops.h"

#include <stdio.h>
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
    weir_map seen; /* places by names of operations */
    WEIR_VEC(struct place *) waiting;
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

static double size_of(const shape *s)
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
    return 2 * size_of(&y) * (double)a.dims[flag(c, op, adjoint) ? a.rank - 2 : a.rank - 1];
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
    return 2 * size_of(dense) * size_of(filter) / (double)filter->dims[filter->rank - 1];
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
    return y.rank == 4 && f.rank == 4 ? 2 * size_of(&y) * (double)(f.dims[0] * f.dims[1]) : -1;
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

/* ---- walking --------------------------------------------------------------------------------
 *
 * A product that others only wait for, such as the gradient by a first layer's input, is not
 * computed, and neither counts nor makes its inputs count.
 */

typedef struct place {
    TF_Operation *op;
    const struct kind *kind; /* null: no product */
    bool needed;             /* somebody reads its value; always so for what is no product */
    bool done;               /* counted */
} place;

static const struct kind *kind_of(TF_Operation *op)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(TF_OperationOpType(op), kinds[i].type) == 0)
            return &kinds[i];
    return NULL;
}

static void count_flops(counter *c, const place *p)
{
    double n = p->kind ? p->kind->flops(c, p->op) : 0;
    c->work->unknown += n < 0;
    c->work->flops += n > 0 ? n : 0;
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
    c->work->bytes += 2 * size_of(&s) * (double)TF_DataTypeSize(dtype);
}

static void visit(counter *c, TF_Operation *op, bool needed)
{
    weir_str name = weir_str_of(TF_OperationName(op));
    place *p = weir_map_get(&c->seen, name);
    bool known = p != NULL;
    if (!known) {
        p = WEIR_NEW(place);
        *p = (place){.op = op, .kind = kind_of(op)};
        p->needed = !p->kind;
        weir_map_put(&c->seen, name, p);
    }
    if (known && (p->needed || !needed))
        return;
    p->needed |= needed;
    weir_vec_push(&c->waiting, p);
}

static void visit_inputs(counter *c, const place *p)
{
    TF_Operation *op = p->op;
    for (int i = 0; i < TF_OperationNumInputs(op); i++)
        visit(c, TF_OperationInput((TF_Input){op, i}).oper, p->needed);
    int controls = TF_OperationNumControlInputs(op);
    TF_Operation **before = WEIR_NEW_ARRAY(TF_Operation *, controls);
    TF_OperationGetControlInputs(op, before, controls);
    for (int i = 0; i < controls; i++)
        visit(c, before[i], false);
    weir_free(before);
}

static void count(counter *c, place *p)
{
    if (p->needed && !p->done) {
        count_flops(c, p);
        count_bytes(c, p->op);
        p->done = true;
    }
    visit_inputs(c, p);
}

/* Loops run their nodes a number of times that the graph does not tell. */
static bool has_loop(const counter *c)
{
    size_t at = 0;
    weir_str name;
    void *p;
    bool found = false;
    while (weir_map_next(&c->seen, &at, &name, &p)) {
        const char *type = TF_OperationOpType(((place *)p)->op);
        found |= strcmp(type, "Enter") == 0 || strcmp(type, "While") == 0;
    }
    return found;
}

static void count_step(counter *c, TF_Operation *step)
{
    size_t at = 0;
    weir_str name;
    void *p;
    visit(c, step, true);
    while (c->waiting.count)
        count(c, c->waiting.at[--c->waiting.count]);
    if (has_loop(c))
        c->work->unknown++;
    while (weir_map_next(&c->seen, &at, &name, &p))
        weir_free(p);
    weir_map_fini(&c->seen);
    weir_vec_fini(&c->waiting);
}

/* ---- the graph with what is fed ------------------------------------------------------------- */

/* A graph leaves the batch open; in this one a placeholder has the shape of what is fed to it. */
static void map_feed(const counter *c, const workload_feed *f, int i, TF_ImportGraphDefOptions *o)
{
    char name[WORKLOAD_NAME], own[32];
    int index = workload_output(f->tensor, name);
    snprintf(own, sizeof own, "weir_bench_feed_%d", i);
    TF_OperationDescription *d = TF_NewOperation(c->graph, "Placeholder", own);
    TF_SetAttrType(d, "dtype", f->type);
    TF_SetAttrShape(d, "shape", f->dims, f->rank);
    TF_Operation *op = TF_FinishOperation(d, c->status);
    if (op)
        TF_ImportGraphDefOptionsAddInputMapping(o, name, index, (TF_Output){op, 0});
}

static void import(const counter *c, const workload *w)
{
    TF_Buffer def = {.data = w->graph.at, .length = w->graph.length};
    TF_ImportGraphDefOptions *o = TF_NewImportGraphDefOptions();
    for (int i = 0; i < w->feed_count; i++)
        map_feed(c, &w->feeds[i], i, o);
    TF_GraphImportGraphDef(c->graph, &def, o, c->status);
    TF_DeleteImportGraphDefOptions(o);
}

weir_status bench_count_work(const workload *w, bench_work *out)
{
    weir_status s = WEIR_OK;
    char name[WORKLOAD_NAME];
    *out = (bench_work){0};
    counter c = {.graph = TF_NewGraph(), .status = TF_NewStatus(), .work = out};
    import(&c, w);
    workload_output(w->step, name);
    TF_Operation *step = TF_GraphOperationByName(c.graph, name);
    if (step)
        count_step(&c, step);
    else
        s = weir_error(WEIR_INTERNAL, "counting: %s", TF_Message(c.status));
    TF_DeleteStatus(c.status);
    TF_DeleteGraph(c.graph);
    return s;
}
