/* ops/xla/fold.c - XlaReduce, XlaVariadicReduce, XlaVariadicReduceV2, XlaReduceWindow, XlaScatter:
 * reductions by a function of scalars, one pair after another.
 *
 * The pairs are listed first: element |from| of the values is folded into element |to| of the
 * results. As in ops/flow/while.c, the second of the two events, completion of the function or
 * return of its call, starts the next call.
 */
#include <stdatomic.h>

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/flow/functions_impl.h"
#include "ops/xla/numbers.h"

typedef struct pair {
    int64_t to, from;
} pair;

typedef struct fold {
    weir_call *call;
    int count;  /* number of tensors folded together */
    int values; /* the first folded input */
    WEIR_VEC(pair) pairs;
    size_t next;
    atomic_bool second;
    weir_status status;
} fold;

static void fold_finish(fold *fold, weir_status status)
{
    weir_call *call = fold->call;
    weir_vec_fini(&fold->pairs);
    weir_free(fold);
    weir_call_finish(call, status);
}

static weir_tensor scalar_at(const weir_tensor *tensor, int64_t at)
{
    return weir_tensor_scalar(tensor->dtype, weir_at(tensor, at));
}

/* Checks and stores the function's results. */
static weir_status keep(fold *fold, weir_tensor *rets, int count)
{
    int64_t to = fold->pairs.at[fold->next - 1].to;
    if (count != fold->count)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s expects %d results of its function, not %d",
                          fold->call->site->op->name, fold->count, count);
    for (int i = 0; i < count; i++) {
        weir_tensor *result = weir_out(fold->call, i);
        if (rets[i].dtype != result->dtype || weir_tensor_count(&rets[i]) != 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s: result %d of its function is not a scalar of type %s",
                              fold->call->site->op->name, i, weir_dtype_name(result->dtype));
        weir_elements_copy(result->dtype, weir_at(result, to), rets[i].data, 1);
    }
    return WEIR_OK;
}

static void drive(fold *fold);

static void answered(void *arg, weir_status status, weir_tensor *rets, int count)
{
    fold *fold = arg;
    bool given = !status;
    fold->status = given ? keep(fold, rets, count) : status;
    for (int i = 0; given && i < count; i++)
        weir_tensor_release(&rets[i]);
    if (atomic_exchange(&fold->second, true))
        drive(fold);
}

static void call_next(fold *fold)
{
    const weir_functions *functions = fold->call->state;
    pair pair = fold->pairs.at[fold->next++];
    int count = 2 * fold->count;
    WEIR_FREED weir_tensor *args = WEIR_NEW_ARRAY(weir_tensor, count);
    for (int i = 0; i < fold->count; i++) {
        args[i] = scalar_at(weir_out(fold->call, i), pair.to);
        args[fold->count + i] = scalar_at(weir_in(fold->call, fold->values + i), pair.from);
    }
    atomic_store(&fold->second, false);
    functions->runner->call(functions->at[0], fold->call->run, args, count, answered, fold);
    for (int i = 0; i < count; i++) /* the fold may be freed by now */
        weir_tensor_release(&args[i]);
}

static void drive(fold *fold)
{
    do {
        if (!fold->status && weir_cancel_fired(fold->call->run->cancel))
            fold->status = weir_error(WEIR_CANCELLED, "%s was cancelled", fold->call->site->name);
        if (fold->status || fold->next == fold->pairs.count) {
            fold_finish(fold, fold->status);
            return;
        }
        call_next(fold);
    } while (atomic_exchange(&fold->second, true));
}

/* Lists the pairs, sets the outputs to their initial values, and starts. */
static void start(weir_call *call, weir_status (*list)(weir_call *call, fold *fold))
{
    fold *fold = WEIR_NEW(struct fold);
    fold->call = call;
    fold->count = call->site->out_count;
    fold->status = list(call, fold);
    if (fold->status) {
        fold_finish(fold, fold->status);
        return;
    }
    drive(fold);
}

static void push(fold *fold, int64_t to, int64_t from)
{
    pair pair = {to, from};
    weir_vec_push(&fold->pairs, pair);
}

static weir_status scalar_inits(const weir_call *call, int from, int count)
{
    for (int i = 0; i < count; i++)
        if (weir_in(call, from + i)->shape.rank != 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s: init value %d must be a scalar, not %s",
                              call->site->op->name, i,
                              WEIR_SHAPE_STR(&weir_in(call, from + i)->shape));
    return WEIR_OK;
}

/* ---- reductions ------------------------------------------------------------------------------ */

static weir_status list_reduction(weir_call *call, fold *fold)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    const weir_attr *attr =
        &call->site->attrs[weir_opdef_attr(call->site->def, "dimensions_to_reduce")];
    weir_int64s reduced = {attr->is, (size_t)attr->count};
    weir_shape shape = WEIR_SCALAR;
    int64_t index[WEIR_MAX_RANK], count = weir_shape_count(x);
    WEIR_TRY(scalar_inits(call, fold->count, fold->count));
    WEIR_TRY(weir_xla_check_dims(call->site, reduced, x->rank));
    for (int i = 1; i < fold->count; i++)
        if (!weir_shape_eq(x, &weir_in(call, i)->shape))
            return weir_error(WEIR_INVALID_ARGUMENT, "%s: inputs 0 and %d have different shapes",
                              call->site->op->name, i);
    for (int i = 0; i < x->rank; i++)
        if (!weir_dims_has(reduced, i))
            shape.dims[shape.rank++] = x->dims[i];
    for (int i = 0; i < fold->count; i++) {
        WEIR_TRY(weir_xla_alloc(call, i, &shape));
        weir_tensor_fill(&call->run->par, weir_out(call, i), weir_in(call, fold->count + i)->data);
    }
    for (int64_t at = 0; at < count; at++) {
        int kept = 0;
        weir_xla_unravel(x, at, index);
        for (int i = 0; i < x->rank; i++)
            if (!weir_dims_has(reduced, i))
                index[kept++] = index[i];
        push(fold, weir_xla_ravel(&shape, index), at);
    }
    return WEIR_OK;
}

static void start_reduction(weir_call *call)
{
    start(call, list_reduction);
}

/* ---- windows --------------------------------------------------------------------------------- */

typedef struct window {
    int64_t size[WEIR_MAX_RANK], stride[WEIR_MAX_RANK], base[WEIR_MAX_RANK], gap[WEIR_MAX_RANK];
    int64_t padding[2 * WEIR_MAX_RANK];
} window;

static weir_status read_window(const weir_call *call, window *out)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    WEIR_TRY(weir_xla_ints(call, 2, x->rank, out->size));
    WEIR_TRY(weir_xla_ints(call, 3, x->rank, out->stride));
    WEIR_TRY(weir_xla_ints(call, 4, x->rank, out->base));
    WEIR_TRY(weir_xla_ints(call, 5, x->rank, out->gap));
    WEIR_TRY(weir_xla_ints(call, 6, 2 * x->rank, out->padding));
    for (int i = 0; i < x->rank; i++) {
        int64_t most = 1 << 20;
        if (out->size[i] < 1 || out->stride[i] < 1 || out->base[i] < 1 || out->gap[i] < 1 ||
            out->size[i] > most || out->stride[i] > most || out->base[i] > most ||
            out->gap[i] > most || out->padding[2 * i] < -most || out->padding[2 * i] > most ||
            out->padding[2 * i + 1] < -most || out->padding[2 * i + 1] > most ||
            x->dims[i] > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "XlaReduceWindow: dimension %d of the window "
                              "is not valid",
                              i);
    }
    return WEIR_OK;
}

static weir_shape windows_shape(const weir_shape *x, const window *window)
{
    weir_shape shape = {.rank = x->rank};
    for (int i = 0; i < x->rank; i++) {
        int64_t padded = (x->dims[i] ? (x->dims[i] - 1) * window->base[i] + 1 : 0) +
                         window->padding[2 * i] + window->padding[2 * i + 1];
        int64_t size = (window->size[i] - 1) * window->gap[i] + 1;
        shape.dims[i] = padded < size ? 0 : (padded - size) / window->stride[i] + 1;
    }
    return shape;
}

/* The element under position |tap| of the window of |out|; false: there is none. */
static bool under_window(const weir_shape *x, const window *window, const int64_t *out,
                         const int64_t *tap, int64_t *index)
{
    for (int i = 0; i < x->rank; i++) {
        int64_t at = out[i] * window->stride[i] + tap[i] * window->gap[i] - window->padding[2 * i];
        if (at < 0 || at % window->base[i] || at / window->base[i] >= x->dims[i])
            return false;
        index[i] = at / window->base[i];
    }
    return true;
}

static weir_status list_windows(weir_call *call, fold *fold)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    window window;
    int64_t out[WEIR_MAX_RANK], tap[WEIR_MAX_RANK], index[WEIR_MAX_RANK], total;
    WEIR_TRY(scalar_inits(call, 1, 1));
    WEIR_TRY(read_window(call, &window));
    weir_shape shape = windows_shape(x, &window), taps = {.rank = x->rank};
    memcpy(taps.dims, window.size, sizeof taps.dims[0] * (size_t)x->rank);
    WEIR_TRY(weir_shape_check(&taps));
    WEIR_TRY(weir_xla_alloc(call, 0, &shape));
    weir_tensor_fill(&call->run->par, weir_out(call, 0), weir_in(call, 1)->data);
    WEIR_TRY(weir_dim_mul(weir_shape_count(&shape), weir_shape_count(&taps), &total));
    if (total > (int64_t)1 << 28)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "XlaReduceWindow: %" PRId64 " calls of the function are too many", total);
    for (int64_t o = 0; o < weir_shape_count(&shape); o++) {
        weir_xla_unravel(&shape, o, out);
        for (int64_t t = 0; t < weir_shape_count(&taps); t++) {
            weir_xla_unravel(&taps, t, tap);
            if (under_window(x, &window, out, tap, index))
                push(fold, o, weir_xla_ravel(x, index));
        }
    }
    return WEIR_OK;
}

static void start_windows(weir_call *call)
{
    start(call, list_windows);
}

/* ---- scatters -------------------------------------------------------------------------------- */

static weir_status check_scatter(const weir_call *call,
                                 const weir_msg_scatter_dimension_numbers *numbers)
{
    int64_t vector_dim = numbers->index_vector_dim;
    weir_int64s window = numbers->update_window_dims;
    const weir_shape *x = &weir_in(call, 0)->shape, *indices = &weir_in(call, 1)->shape;
    const weir_shape *updates = &weir_in(call, 2)->shape;
    bool fine = vector_dim >= 0 && vector_dim <= indices->rank &&
                !numbers->input_batching_dims.count &&
                !numbers->scatter_indices_batching_dims.count &&
                (size_t)x->rank == window.count + numbers->inserted_window_dims.count &&
                updates->rank == indices->rank - (vector_dim < indices->rank) + (int)window.count;
    int64_t vector = fine && vector_dim < indices->rank ? indices->dims[vector_dim] : 1;
    fine = fine && (int64_t)numbers->scatter_dims_to_operand_dims.count == vector;
    for (int i = 0, batch = 0; fine && i < updates->rank; i++)
        if (!weir_dims_has(window, i)) {
            batch += batch == vector_dim;
            fine = batch < indices->rank && updates->dims[i] == indices->dims[batch++];
        }
    if (!fine)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "XlaScatter: the dimension numbers do not fit %s, %s and %s",
                          WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(indices), WEIR_SHAPE_STR(updates));
    WEIR_TRY(weir_xla_check_dims(call->site, window, updates->rank));
    WEIR_TRY(weir_xla_check_dims(call->site, numbers->inserted_window_dims, x->rank));
    return weir_xla_check_dims(call->site, numbers->scatter_dims_to_operand_dims, x->rank);
}

/* The target of an update; false: out of range. */
static bool scatter_target(const weir_call *call, const weir_msg_scatter_dimension_numbers *numbers,
                           const int64_t *update, int64_t *target)
{
    int64_t vector_dim = numbers->index_vector_dim;
    weir_int64s map = numbers->scatter_dims_to_operand_dims;
    const weir_shape *x = &weir_in(call, 0)->shape, *indices = &weir_in(call, 1)->shape;
    int64_t index[WEIR_MAX_RANK + 1] = {0};
    int batch = 0, dim = 0;
    memset(target, 0, sizeof(int64_t) * WEIR_MAX_RANK);
    for (int i = 0; i < weir_in(call, 2)->shape.rank; i++)
        if (weir_dims_has(numbers->update_window_dims, i)) {
            while (weir_dims_has(numbers->inserted_window_dims, dim))
                dim++;
            target[dim++] = update[i];
        } else {
            batch += batch == vector_dim;
            index[batch++] = update[i];
        }
    for (size_t k = 0; k < map.count; k++) {
        if (vector_dim < indices->rank)
            index[vector_dim] = (int64_t)k;
        int64_t value = weir_int_at(weir_in(call, 1), weir_xla_ravel(indices, index));
        if (value < 0 || value > x->dims[map.at[k]])
            return false;
        target[map.at[k]] += value;
    }
    for (int i = 0; i < x->rank; i++)
        if (target[i] >= x->dims[i])
            return false;
    return true;
}

static weir_status list_scatter(weir_call *call, fold *fold)
{
    const weir_tensor *x = weir_in(call, 0);
    const weir_shape *updates = &weir_in(call, 2)->shape;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_scatter_dimension_numbers numbers;
    int64_t index[WEIR_MAX_RANK], target[WEIR_MAX_RANK];
    WEIR_TRY(weir_xla_numbers(call->site, &weir_message_types[WEIR_INDEX_scatter_dimension_numbers],
                              &arena, &numbers));
    WEIR_TRY(check_scatter(call, &numbers));
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    weir_elements_copy(x->dtype, weir_out(call, 0)->data, x->data, weir_tensor_count(x));
    fold->values = 2;
    for (int64_t at = 0; at < weir_shape_count(updates); at++) {
        weir_xla_unravel(updates, at, index);
        if (scatter_target(call, &numbers, index, target))
            push(fold, weir_xla_ravel(&x->shape, target), at);
    }
    return WEIR_OK;
}

static void start_scatter(weir_call *call)
{
    start(call, list_scatter);
}

#define FOLD(begin) .flags = WEIR_NO_FOLD, .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = begin}}
#define TYPES                                                                                      \
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "         \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool}"
WEIR_DEFINE_OP(xla_reduce, "XlaReduce", FOLD(start_reduction), .in = "input: T; init_value: T",
               .out = "output: T",
               .attrs = "T: " TYPES "; dimensions_to_reduce: list(int); reducer: func");
WEIR_DEFINE_OP(xla_variadic_reduce, "XlaVariadicReduce", FOLD(start_reduction),
               .in = "input: N * T; init_value: N * T", .out = "output: N * T",
               .attrs = "N: int >= 1; T: " TYPES
                        "; dimensions_to_reduce: list(int); reducer: func");
WEIR_DEFINE_OP(xla_variadic_reduce_v2, "XlaVariadicReduceV2", FOLD(start_reduction),
               .in = "inputs: T; init_values: T", .out = "outputs: T",
               .attrs = "T: list(type) >= 1; dimensions_to_reduce: list(int); reducer: func");
WEIR_DEFINE_OP(xla_reduce_window, "XlaReduceWindow", FOLD(start_windows),
               .in = "input: T; init_value: T; window_dimensions: Tindices; "
                     "window_strides: Tindices; base_dilations: Tindices; "
                     "window_dilations: Tindices; padding: Tindices",
               .out = "output: T",
               .attrs = "T: " TYPES "; Tindices: {int32, int64}; computation: func");
WEIR_DEFINE_OP(xla_scatter, "XlaScatter", FOLD(start_scatter),
               .in = "operand: T; scatter_indices: Tindices; updates: T", .out = "output: T",
               .attrs = "update_computation: func; dimension_numbers: string; "
                        "indices_are_sorted: bool; T: " TYPES "; Tindices: {int32, int64}");
