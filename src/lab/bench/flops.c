/* lab/bench/flops.c - counts the arithmetic of a graph, from known shapes. */
#include "lab/bench/flops.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

enum { MOST_DIMS = 8 };

typedef struct shape {
    int rank; /* -1: unknown, or a dim is unknown */
    int64_t dims[MOST_DIMS];
} shape;

typedef struct counter {
    TF_Graph *graph;
    TF_Status *status;
    weir_map seen; /* indices by names of operations */
    WEIR_VEC(struct place *) waiting;
    bench_work *work;
} counter;

static shape shape_of(const counter *counter, TF_Output output)
{
    shape known = {.rank = TF_GraphGetTensorNumDims(counter->graph, output, counter->status)};
    if (known.rank < 0 || known.rank > MOST_DIMS)
        return (shape){.rank = -1};
    TF_GraphGetTensorShape(counter->graph, output, known.dims, known.rank, counter->status);
    for (int i = 0; i < known.rank; i++)
        if (known.dims[i] < 0)
            return (shape){.rank = -1};
    return known;
}

static double size_of(const shape *shape)
{
    double n = 1;
    for (int i = 0; i < shape->rank; i++)
        n *= (double)shape->dims[i];
    return n;
}

static shape input_shape(const counter *counter, TF_Operation *op, int i)
{
    return i < TF_OperationNumInputs(op) ? shape_of(counter, TF_OperationInput((TF_Input){op, i}))
                                         : (shape){.rank = -1};
}

static bool flag(const counter *counter, TF_Operation *op, const char *name)
{
    unsigned char value = 0;
    TF_OperationGetAttrBool(op, name, &value, counter->status);
    return TF_GetCode(counter->status) == TF_OK && value;
}

/* ---- the kinds of products ------------------------------------------------------------------- */

/* A multiply-add over the inner dim of a, for each element of the output. */
static double product(const counter *counter, TF_Operation *op, const char *adjoint)
{
    shape left = input_shape(counter, op, 0), out = shape_of(counter, (TF_Output){op, 0});
    if (left.rank < 2 || out.rank < 2)
        return -1;
    return 2 * size_of(&out) *
           (double)left.dims[flag(counter, op, adjoint) ? left.rank - 2 : left.rank - 1];
}

static double matmul(const counter *counter, TF_Operation *op)
{
    return product(counter, op, "transpose_a");
}

static double batch_matmul(const counter *counter, TF_Operation *op)
{
    return product(counter, op, "adj_x");
}

/* Each element of |dense|, the side with the output's positions, uses a filter's share. */
static double by_filter(const shape *dense, const shape *filter)
{
    if (dense->rank < 3 || filter->rank < 3)
        return -1;
    return 2 * size_of(dense) * size_of(filter) / (double)filter->dims[filter->rank - 1];
}

static double conv(const counter *counter, TF_Operation *op)
{
    shape shape = shape_of(counter, (TF_Output){op, 0}), filter = input_shape(counter, op, 1);
    return by_filter(&shape, &filter);
}

static double conv_to_input(const counter *counter, TF_Operation *op)
{
    shape dy = input_shape(counter, op, 2), filter = input_shape(counter, op, 1);
    return by_filter(&dy, &filter);
}

static double conv_to_filter(const counter *counter, TF_Operation *op)
{
    shape dy = input_shape(counter, op, 2), filter = shape_of(counter, (TF_Output){op, 0});
    return by_filter(&dy, &filter);
}

/* The filter's last two dims, channels and multiplier, are both output dims. */
static double depthwise(const counter *counter, TF_Operation *op)
{
    shape out = shape_of(counter, (TF_Output){op, 0}), filter = input_shape(counter, op, 1);
    return out.rank == 4 && filter.rank == 4
               ? 2 * size_of(&out) * (double)(filter.dims[0] * filter.dims[1])
               : -1;
}

static const struct kind {
    const char *type;
    double (*flops)(const counter *counter, TF_Operation *op); /* below 0: unknown */
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
 * A product with only control outputs, such as the gradient of a first layer's input, is not
 * computed: neither it nor its inputs are counted for it.
 */

typedef struct place {
    TF_Operation *op;
    const struct kind *kind; /* null: no product */
    bool needed;             /* its value is used; always true for other ops */
    bool done;               /* counted */
} place;

static const struct kind *kind_of(TF_Operation *op)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(TF_OperationOpType(op), kinds[i].type) == 0)
            return &kinds[i];
    return NULL;
}

static void count_flops(counter *counter, const place *place)
{
    double n = place->kind ? place->kind->flops(counter, place->op) : 0;
    counter->work->unknown += n < 0;
    counter->work->flops += n > 0 ? n : 0;
}

static void count_bytes(counter *counter, TF_Operation *op)
{
    const char *type = TF_OperationOpType(op);
    bool variable = strcmp(type, "VariableV2") == 0 || strcmp(type, "VarHandleOp") == 0;
    TF_DataType dtype;
    int64_t dims[MOST_DIMS];
    if (!variable)
        return;
    TF_AttrMetadata metadata = TF_OperationGetAttrMetadata(op, "shape", counter->status);
    if (TF_GetCode(counter->status) != TF_OK || metadata.total_size < 0 ||
        metadata.total_size > MOST_DIMS)
        return;
    TF_OperationGetAttrShape(op, "shape", dims, (int)metadata.total_size, counter->status);
    TF_OperationGetAttrType(op, "dtype", &dtype, counter->status);
    if (TF_GetCode(counter->status) != TF_OK)
        return;
    shape shape = {.rank = (int)metadata.total_size};
    memcpy(shape.dims, dims, sizeof dims);
    counter->work->bytes += 2 * size_of(&shape) * (double)TF_DataTypeSize(dtype);
}

static void visit(counter *counter, TF_Operation *op, bool needed)
{
    weir_str name = weir_str_of(TF_OperationName(op));
    place *found = weir_map_get(&counter->seen, name);
    bool known = found != NULL;
    if (!known) {
        found = WEIR_NEW(place);
        *found = (place){.op = op, .kind = kind_of(op)};
        found->needed = !found->kind;
        weir_map_put(&counter->seen, name, found);
    }
    if (known && (found->needed || !needed))
        return;
    found->needed |= needed;
    weir_vec_push(&counter->waiting, found);
}

static void visit_inputs(counter *counter, const place *place)
{
    TF_Operation *op = place->op;
    for (int i = 0; i < TF_OperationNumInputs(op); i++)
        visit(counter, TF_OperationInput((TF_Input){op, i}).oper, place->needed);
    int controls = TF_OperationNumControlInputs(op);
    TF_Operation **before = WEIR_NEW_ARRAY(TF_Operation *, controls);
    TF_OperationGetControlInputs(op, before, controls);
    for (int i = 0; i < controls; i++)
        visit(counter, before[i], false);
    weir_free(before);
}

static void count(counter *counter, place *place)
{
    if (place->needed && !place->done) {
        count_flops(counter, place);
        count_bytes(counter, place->op);
        place->done = true;
    }
    visit_inputs(counter, place);
}

/* Loops run their nodes a number of times unknown from the graph. */
static bool has_loop(const counter *counter)
{
    size_t at = 0;
    weir_str name;
    void *ptr;
    bool found = false;
    while (weir_map_next(&counter->seen, &at, &name, &ptr)) {
        const char *type = TF_OperationOpType(((place *)ptr)->op);
        found |= strcmp(type, "Enter") == 0 || strcmp(type, "While") == 0;
    }
    return found;
}

static void count_step(counter *counter, TF_Operation *step)
{
    size_t at = 0;
    weir_str name;
    void *ptr;
    visit(counter, step, true);
    while (counter->waiting.count)
        count(counter, counter->waiting.at[--counter->waiting.count]);
    if (has_loop(counter))
        counter->work->unknown++;
    while (weir_map_next(&counter->seen, &at, &name, &ptr))
        weir_free(ptr);
    weir_map_fini(&counter->seen);
    weir_vec_fini(&counter->waiting);
}

/* ---- the graph with its feeds ---------------------------------------------------------------- */

/* A graph leaves the batch size open; here a placeholder has the shape of its feed. */
static void map_feed(const counter *counter, const workload_feed *feed, int i,
                     TF_ImportGraphDefOptions *options)
{
    char name[WORKLOAD_NAME], own[32];
    int index = workload_output(feed->tensor, name);
    snprintf(own, sizeof own, "weir_bench_feed_%d", i);
    TF_OperationDescription *description = TF_NewOperation(counter->graph, "Placeholder", own);
    TF_SetAttrType(description, "dtype", feed->type);
    TF_SetAttrShape(description, "shape", feed->dims, feed->rank);
    TF_Operation *op = TF_FinishOperation(description, counter->status);
    if (op)
        TF_ImportGraphDefOptionsAddInputMapping(options, name, index, (TF_Output){op, 0});
}

static void import(const counter *counter, const workload *workload)
{
    TF_Buffer def = {.data = workload->graph.at, .length = workload->graph.length};
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    for (int i = 0; i < workload->feed_count; i++)
        map_feed(counter, &workload->feeds[i], i, options);
    TF_GraphImportGraphDef(counter->graph, &def, options, counter->status);
    TF_DeleteImportGraphDefOptions(options);
}

weir_status bench_count_work(const workload *workload, bench_work *out)
{
    weir_status status = WEIR_OK;
    char name[WORKLOAD_NAME];
    *out = (bench_work){0};
    counter counter = {.graph = TF_NewGraph(), .status = TF_NewStatus(), .work = out};
    import(&counter, workload);
    workload_output(workload->step, name);
    TF_Operation *step = TF_GraphOperationByName(counter.graph, name);
    if (step)
        count_step(&counter, step);
    else
        status = weir_error(WEIR_INTERNAL, "counting: %s", TF_Message(counter.status));
    TF_DeleteStatus(counter.status);
    TF_DeleteGraph(counter.graph);
    return status;
}
