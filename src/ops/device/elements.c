/* ops/device/elements.c - element-wise loops, sums, casts and selection. */
#include <stdio.h>

#include "math/binary/binary.h"
#include "math/reduce/reduce.h"
#include "math/unary/unary.h"
#include "ops/common/elements.h"
#include "ops/device/device.h"
#include "ops/device/device_impl.h"
#include "ops/math/arg_axis.h"

bool weir_device_narrow(const weir_call *call, int64_t items)
{
    int64_t most = items;
    for (int i = 0; i < call->site->in_count; i++) {
        int64_t count =
            weir_dtype_is_ref(call->site->in_types[i]) ? 0 : weir_tensor_count(weir_in(call, i));
        most = count > most ? count : most;
    }
    return most < WEIR_GPU_NARROW;
}

weir_status weir_device_layer(const weir_call *call, weir_elem elem, const char *kernel,
                              int64_t items, const weir_gpu_arg *args, size_t count)
{
    weir_gpu_which which = {.text = WEIR_GPU_IN_LAYERS,
                            .elem = elem,
                            .narrow = weir_device_narrow(call, items),
                            .kernel = kernel};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, items, args, (int)count);
}

weir_status weir_device_scratch(const weir_call *call, size_t bytes, weir_buffer **out_buffer)
{
    return call->site->memory->alloc(call->site->memory, bytes, out_buffer);
}

static const char *kernel_name(const char *family, int kind, int op, char text[64])
{
    snprintf(text, 64, "%s_%s", family, weir_gpu_op_name((weir_gpu_family)kind, op));
    return text;
}

weir_status weir_device_unary(const weir_call *call, int op, weir_elem elem, int64_t count,
                              const void *x, void *y)
{
    char name[64];
    weir_gpu_which which = {.family = WEIR_GPU_UNARY,
                            .op = op,
                            .elem = elem,
                            .kernel = kernel_name("unary", WEIR_GPU_UNARY, op, name)};
    weir_gpu_arg args[] = {WEIR_GPU_AT(x), WEIR_GPU_AT(y), VALUE(count)};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, 3);
}

weir_status weir_device_binary(const weir_call *call, int op, weir_elem elem, int64_t count,
                               const void *x, int64_t x_step, const void *y, int64_t y_step,
                               void *z)
{
    char name[64];
    weir_buffer *failed;
    WEIR_TRY(weir_device_scratch(call, sizeof(int32_t), &failed));
    weir_gpu_which which = {.family = WEIR_GPU_BINARY,
                            .op = op,
                            .elem = elem,
                            .kernel = kernel_name("binary", WEIR_GPU_BINARY, op, name)};
    weir_gpu_arg args[] = {
        WEIR_GPU_AT(x), WEIR_GPU_AT(y), WEIR_GPU_AT(z), WEIR_GPU_AT(failed->data),
        VALUE(count),   VALUE(x_step),  VALUE(y_step)};
    weir_status status = weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, 7);
    weir_buffer_release(failed);
    return status;
}

weir_status weir_device_add_to(weir_memory *memory, weir_elem elem, int64_t count, const void *x,
                               const void *y, void *z)
{
    weir_site site = {.memory = memory};
    weir_call call = {.site = &site};
    return weir_device_binary(&call, WEIR_B_add, elem, count, x, 1, y, 1, z);
}

weir_status weir_device_expand(const weir_call *call, const weir_tensor *tensor,
                               const weir_shape *shape, weir_tensor *out_tensor)
{
    if (weir_shape_eq(&tensor->shape, shape)) {
        *out_tensor = weir_tensor_share(tensor);
        return WEIR_OK;
    }
    weir_tensor made;
    int extra = shape->rank - tensor->shape.rank;
    int64_t to[WEIR_MAX_RANK], from[WEIR_MAX_RANK];
    weir_ndcopy copy = {0};
    WEIR_TRY(weir_tensor_alloc_in(call->site->memory, tensor->dtype, shape, &made));
    weir_shape_strides(shape, to);
    weir_shape_strides(&tensor->shape, from);
    for (int axis = 0; axis < shape->rank; axis++) {
        bool repeats = axis < extra || tensor->shape.dims[axis - extra] == 1;
        weir_ndcopy_add(&copy, shape->dims[axis], to[axis], repeats ? 0 : from[axis - extra]);
    }
    weir_memory_scope scope = {.memory = call->site->memory};
    weir_memory_current = &scope;
    weir_ndcopy_run(NULL, tensor->dtype, made.data, tensor->data, &copy);
    weir_memory_current = NULL;
    if (scope.failed)
        weir_tensor_release(&made);
    else
        *out_tensor = made;
    return scope.failed;
}

/* z = x op y, with x and y broadcast to z's shape. */
static weir_status broadcast(const weir_call *call, int op, const weir_tensor *x,
                             const weir_tensor *y, const weir_tensor *z)
{
    weir_elem elem = weir_elem_of(x->dtype);
    int64_t count = weir_tensor_count(z), nx = weir_tensor_count(x), ny = weir_tensor_count(y);
    weir_tensor wide_x = {0}, wide_y = {0};
    if (nx != count && nx != 1)
        WEIR_TRY(weir_device_expand(call, x, &z->shape, &wide_x));
    weir_status status = WEIR_OK;
    if (ny != count && ny != 1)
        status = weir_device_expand(call, y, &z->shape, &wide_y);
    if (!status)
        status = weir_device_binary(call, op, elem, count, wide_x.buffer ? wide_x.data : x->data,
                                    nx != 1 || count == 1, wide_y.buffer ? wide_y.data : y->data,
                                    ny != 1 || count == 1, z->data);
    weir_tensor_release(&wide_x);
    weir_tensor_release(&wide_y);
    return status;
}

weir_status weir_device_unary_loop(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    return weir_device_unary(call, call->site->op->elementwise.loop, weir_elem_of(x->dtype),
                             weir_tensor_count(x), x->data, weir_out(call, 0)->data);
}

weir_status weir_device_binary_loop(weir_call *call)
{
    return broadcast(call, call->site->op->elementwise.loop, weir_in(call, 0), weir_in(call, 1),
                     weir_out(call, 0));
}

weir_status weir_device_unary_mode(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    return weir_device_unary(call, weir_site_mode(call->site), weir_elem_of(x->dtype),
                             weir_tensor_count(x), x->data, weir_out(call, 0)->data);
}

weir_status weir_device_binary_mode(weir_call *call)
{
    return broadcast(call, weir_site_mode(call->site), weir_in(call, 0), weir_in(call, 1),
                     weir_out(call, 0));
}

weir_status weir_device_add(weir_call *call)
{
    return broadcast(call, WEIR_B_add, weir_in(call, 0), weir_in(call, 1), weir_out(call, 0));
}

/* Input 0 times the result of the loop over the others. */
weir_status weir_device_scaled_loop(weir_call *call)
{
    const weir_elementwise *loop = &call->site->op->elementwise;
    const weir_tensor *z = weir_out(call, 0), *x = weir_in(call, 1);
    weir_elem elem = weir_elem_of(z->dtype);
    int64_t count = weir_tensor_count(z);
    if (loop->arity == 1)
        WEIR_TRY(weir_device_unary(call, loop->loop, elem, count, x->data, z->data));
    else
        WEIR_TRY(weir_device_binary(call, loop->loop, elem, count, x->data, 1,
                                    weir_in(call, 2)->data, 1, z->data));
    return weir_device_binary(call, WEIR_B_mul, elem, count, weir_in(call, 0)->data, 1, z->data, 1,
                              z->data);
}

enum { MOST_ADDED = 30 };

/* Sums all terms in order by one fused program. */
static weir_status add_at_once(weir_call *call, weir_elem elem, int64_t count)
{
    int64_t program[4 * MOST_ADDED];
    weir_gpu_arg args[WEIR_GPU_ARGS];
    uint32_t single = 0;
    int at = 0, ops = call->site->in_count - 1;
    for (int i = 0; i < ops; i++) {
        program[4 * i] = -1 - WEIR_B_add;
        program[4 * i + 1] = 0;
        program[4 * i + 2] = i ? 0 : -1;
        program[4 * i + 3] = -2 - i;
    }
    for (int i = 0; i < call->site->in_count; i++)
        args[at++] = AT(weir_in(call, i));
    args[at++] = AT(weir_out(call, 0));
    args[at++] = VALUE(count);
    args[at++] = VALUE(single);
    weir_gpu_which which = {.text = WEIR_GPU_IN_PROGRAM,
                            .family = ops,
                            .op = call->site->in_count,
                            .elem = elem,
                            .kernel = "elements",
                            .program = program};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, at);
}

weir_status weir_device_add_n(weir_call *call)
{
    const weir_tensor *z = weir_out(call, 0), *x = weir_in(call, 0);
    weir_memory *memory = call->site->memory;
    weir_elem elem = weir_elem_of(z->dtype);
    int64_t count = weir_tensor_count(z);
    if (call->site->in_count == 1)
        return memory->copy(memory, z->data, x->data, weir_tensor_bytes(x));
    if (call->site->in_count > 2 && call->site->in_count <= MOST_ADDED &&
        weir_gpu_has_program((int64_t[]){-1 - WEIR_B_add, 0, 0, 0}, 1, elem))
        return add_at_once(call, elem, count);
    for (int i = 1; i < call->site->in_count; i++)
        WEIR_TRY(weir_device_binary(call, WEIR_B_add, elem, count, i > 1 ? z->data : x->data, 1,
                                    weir_in(call, i)->data, 1, z->data));
    return WEIR_OK;
}

weir_status weir_device_clip(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *z = weir_out(call, 0);
    WEIR_TRY(broadcast(call, WEIR_B_minimum, x, weir_in(call, 2), z));
    return broadcast(call, WEIR_B_maximum, z, weir_in(call, 1), z);
}

weir_status weir_device_logical_not(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *z = weir_out(call, 0);
    weir_memory *memory = call->site->memory;
    weir_buffer *zero;
    WEIR_TRY(weir_device_scratch(call, 1, &zero));
    weir_status status = memory->clear(memory, zero->data, 1);
    if (!status)
        status = weir_device_binary(call, WEIR_B_equal, WEIR_E_b8, weir_tensor_count(z), x->data, 1,
                                    zero->data, 0, z->data);
    weir_buffer_release(zero);
    return status;
}

weir_status weir_device_convert(const weir_call *call, weir_elem from, weir_elem to, int64_t count,
                                const void *x, void *y)
{
    weir_gpu_which which = {
        .text = WEIR_GPU_IN_CAST, .op = (int)from, .elem = to, .kernel = "cast_run"};
    weir_gpu_arg args[] = {WEIR_GPU_AT(x), WEIR_GPU_AT(y), VALUE(count)};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, 3);
}

weir_status weir_device_cast(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    return weir_device_convert(call, weir_elem_of(x->dtype), weir_elem_of(y->dtype),
                               weir_tensor_count(x), x->data, y->data);
}

/* ---- programs ---- */

bool weir_device_has_elements(const weir_site *site)
{
    const weir_attr *numbers = weir_site_list(site, 2);
    weir_elem elem = weir_elem_of(weir_site_type(site, 1));
    return site->in_count <= WEIR_GPU_ARGS - 3 && numbers->count >= 4 &&
           weir_gpu_has_program(numbers->is, numbers->count / 4, elem);
}

weir_status weir_device_elements(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    const weir_attr *numbers = weir_site_list(call->site, 2);
    int64_t count = weir_tensor_count(y);
    weir_gpu_arg args[WEIR_GPU_ARGS];
    uint32_t single = 0;
    int at = 0;
    for (int i = 0; i < call->site->in_count; i++) {
        const weir_tensor *x = weir_in(call, i);
        int64_t total = weir_tensor_count(x);
        if (total != count && total != 1)
            return weir_error(WEIR_INTERNAL, "%s: input %d of shape %s is not as it was known",
                              call->site->name, i, WEIR_SHAPE_STR(&x->shape));
        single |= (uint32_t)(total == 1) << i;
        args[at++] = AT(x);
    }
    args[at++] = AT(y);
    args[at++] = VALUE(count);
    args[at++] = VALUE(single);
    weir_gpu_which which = {.text = WEIR_GPU_IN_PROGRAM,
                            .family = numbers->count / 4,
                            .op = call->site->in_count,
                            .elem = weir_elem_of(y->dtype),
                            .kernel = "elements",
                            .program = numbers->is};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, at);
}

/* ---- reductions ---- */

static weir_status launch_reduce(const weir_call *call, int op, weir_elem elem, const char *shape,
                                 int64_t items, const weir_gpu_arg *args, int count)
{
    char name[64];
    snprintf(name, sizeof name, "reduce_%s_%s", weir_gpu_op_name(WEIR_GPU_REDUCE, op), shape);
    weir_gpu_which which = {.family = WEIR_GPU_REDUCE, .op = op, .elem = elem, .kernel = name};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, items, args, count);
}

static weir_status reduce_columns(const weir_call *call, int op, weir_elem elem, int64_t outer,
                                  int64_t length, int64_t inner, const void *x, void *y)
{
    weir_gpu_arg args[] = {WEIR_GPU_AT(x), WEIR_GPU_AT(y), VALUE(outer), VALUE(length),
                           VALUE(inner)};
    return launch_reduce(call, op, elem, "columns", outer * inner, args, 5);
}

/* A divisor of |length| by which long columns are reduced in two passes, so that there are enough
 * work items for the device; 1: none. The partial results are rounded, which matters for 16-bit
 * floats. */
static int64_t split_of(int64_t length, int64_t columns)
{
    enum { ENOUGH = 1 << 17, MOST = 512, LONG = 64 };
    int64_t most = columns ? ENOUGH / columns : 1;
    if (length < LONG)
        return 1;
    most = most > MOST ? MOST : most;
    for (int64_t parts = most; parts > 3; parts--)
        if (length % parts == 0 && parts * parts <= 4 * length)
            return parts;
    return 1;
}

weir_status weir_device_reduce(const weir_call *call, int op, weir_elem elem, int64_t outer,
                               int64_t length, int64_t inner, const void *x, void *y)
{
    if (inner == 1 && length >= 64) {
        weir_gpu_arg args[] = {WEIR_GPU_AT(x), WEIR_GPU_AT(y), VALUE(outer), VALUE(length)};
        return launch_reduce(call, op, elem, "rows", outer * WEIR_GPU_LANES, args, 4);
    }
    int64_t parts = weir_elem_size(elem) < 4 ? 1 : split_of(length, outer * inner);
    if (parts == 1)
        return reduce_columns(call, op, elem, outer, length, inner, x, y);
    weir_buffer *middle;
    WEIR_TRY(
        weir_device_scratch(call, (size_t)(outer * parts * inner * weir_elem_size(elem)), &middle));
    weir_status status =
        reduce_columns(call, op, elem, outer * parts, length / parts, inner, x, middle->data);
    if (!status)
        status = reduce_columns(call, op, elem, outer, parts, inner, middle->data, y);
    weir_buffer_release(middle);
    return status;
}

/* Adjacent dimensions that are all reduced, or all kept, merged. */
typedef struct groups {
    int count;
    int64_t size[WEIR_MAX_RANK];
    bool reduced[WEIR_MAX_RANK];
} groups;

static groups group_dims(const weir_tensor *x, const weir_tensor *axes)
{
    groups groups = {0};
    bool reduced[WEIR_MAX_RANK] = {0};
    int rank = x->shape.rank;
    for (int64_t i = 0; i < weir_tensor_count(axes); i++) {
        int64_t axis = weir_int_at(axes, i);
        reduced[axis < 0 ? axis + rank : axis] = true;
    }
    for (int axis = 0; axis < rank; axis++) {
        if (groups.count && groups.reduced[groups.count - 1] == reduced[axis]) {
            groups.size[groups.count - 1] *= x->shape.dims[axis];
            continue;
        }
        groups.size[groups.count] = x->shape.dims[axis];
        groups.reduced[groups.count++] = reduced[axis];
    }
    return groups;
}

static int last_reduced(const groups *groups)
{
    for (int i = groups->count - 1; i >= 0; i--)
        if (groups->reduced[i])
            return i;
    return -1;
}

static int64_t product_of(const groups *groups, int from, int to)
{
    int64_t product = 1;
    for (int i = from; i < to; i++)
        product *= groups->size[i];
    return product;
}

/* Reduces one group of dimensions per pass, the last first. */
weir_status weir_device_reduction(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    groups groups = group_dims(x, weir_in(call, 1));
    weir_elem elem = weir_elem_of(x->dtype);
    const void *from = x->data;
    weir_buffer *held = NULL;
    weir_status status = WEIR_OK;
    int op = weir_site_mode(call->site), at = last_reduced(&groups);
    if (at < 0)
        return reduce_columns(call, op, elem, weir_tensor_count(x), 1, 1, from, y->data);
    for (; at >= 0 && !status; at = last_reduced(&groups)) {
        int64_t outer = product_of(&groups, 0, at),
                inner = product_of(&groups, at + 1, groups.count);
        int64_t length = groups.size[at];
        groups.size[at] = 1;
        groups.reduced[at] = false;
        weir_buffer *next = NULL;
        if (last_reduced(&groups) >= 0)
            status =
                weir_device_scratch(call, (size_t)(outer * inner * weir_elem_size(elem)), &next);
        if (!status)
            status = weir_device_reduce(call, op, elem, outer, length, inner, from,
                                        next ? next->data : y->data);
        weir_buffer_release(held);
        held = next;
        from = next ? next->data : NULL;
    }
    weir_buffer_release(held);
    return status;
}

/* ---- selection ------------------------------------------------------------------------------- */

weir_status weir_device_select(weir_call *call)
{
    const weir_tensor *z = weir_out(call, 0);
    weir_tensor in[3] = {0};
    int64_t count = weir_tensor_count(z), one = 1, inner = 1;
    weir_status status = WEIR_OK;
    bool rows = strcmp(call->site->op->name, "Select") == 0 && weir_in(call, 0)->shape.rank == 1 &&
                z->shape.rank > 1;
    for (int i = rows; i < 3 && !status; i++)
        status = weir_device_expand(call, weir_in(call, i), &z->shape, &in[i]);
    if (rows) {
        in[0] = weir_tensor_share(weir_in(call, 0));
        inner = z->shape.dims[0] ? count / z->shape.dims[0] : 1;
    }
    if (!status)
        status = WEIR_LAYER(call, weir_elem_of(z->dtype), "choose", count, AT(&in[0]), AT(&in[1]),
                            AT(&in[2]), AT(z), VALUE(count), VALUE(inner), VALUE(one), VALUE(one),
                            VALUE(one));
    for (int i = 0; i < 3; i++)
        weir_tensor_release(&in[i]);
    return status;
}

weir_status weir_device_arg_max(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    int at = 0;
    WEIR_TRY(weir_arg_axis(call, &at));
    int64_t outer = weir_shape_product(&x->shape, 0, at), length = x->shape.dims[at];
    int64_t inner = weir_shape_product(&x->shape, at + 1, x->shape.rank);
    int32_t smallest = strcmp(call->site->op->name, "ArgMin") == 0,
            kind = weir_device_index_kind(y->dtype);
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "arg_most", outer * inner, AT(x), AT(y),
                      VALUE(outer), VALUE(length), VALUE(inner), VALUE(smallest), VALUE(kind));
}
