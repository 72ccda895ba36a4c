/* op/call.c - from values to a kernel: infer, allocate, run. */
#include <alloca.h>

#include "base/deadline.h"
#include "base/denormals.h"
#include "base/room.h"
#include "base/stop.h"
#include "memory/device.h"
#include "op/device.h"
#include "op/work.h"

static const weir_tensor *value_of(weir_infer *infer, int in)
{
    weir_call *call = infer->value_arg;
    const weir_buffer *buffer = call->in[in].tensor.buffer;
    if (buffer && buffer->memory) /* the op must list this argument in .host */
        return NULL;
    return buffer ? &call->in[in].tensor : NULL;
}

/* True when |tensor|'s buffer can hold an output of |dtype| with |count|
 * elements. */
static inline bool reusable(const weir_tensor *tensor, weir_dtype dtype, int64_t count)
{
    if (!weir_tensor_unique(tensor))
        return false;
    if (tensor->dtype != dtype &&
        (weir_dtype_size(tensor->dtype) != weir_dtype_size(dtype) ||
         !weir_dtype_is_plain(tensor->dtype) || !weir_dtype_is_plain(dtype)))
        return false;
    return weir_tensor_count(tensor) == count;
}

/* Moves |in|'s buffer to |out|; the kernel still reads it through |in|'s data. */
static inline void take_over(weir_tensor *out, weir_tensor *in, weir_dtype dtype)
{
    out->buffer = in->buffer;
    out->data = in->data;
    out->dtype = dtype;
    in->buffer = NULL;
}

/* Reuses the buffer of an input that may be overwritten for output |o|, if there is one. */
static bool reuse(weir_call *call, int o, weir_dtype dtype, const weir_shape *shape)
{
    unsigned bits = call->site->op->inplace;
    int64_t count = weir_shape_product(shape, 0, shape->rank);
    for (int in = 0; in < 4 && in < call->site->in_count; in++) {
        weir_tensor *tensor = &call->in[in].tensor;
        if (!(bits & WEIR_INPLACE(in, o)) || !reusable(tensor, dtype, count))
            continue;
        weir_tensor *out = &call->out[o].tensor;
        if (shape != &out->shape)
            weir_shape_copy(&out->shape, shape);
        take_over(out, tensor, dtype);
        return true;
    }
    return false;
}

static weir_status allocate(weir_call *call, const weir_shape *shapes)
{
    for (int output = 0; output < call->site->out_count; output++) {
        if (!weir_shape_known(&shapes[output]) || weir_dtype_is_ref(call->site->out_types[output]))
            continue;
        weir_dtype dtype = (weir_dtype)call->site->out_types[output];
        if (output < 4 && call->site->op->inplace && reuse(call, output, dtype, &shapes[output]))
            continue;
        WEIR_TRY(weir_tensor_alloc(dtype, &shapes[output], &call->out[output].tensor));
    }
    return WEIR_OK;
}

/* ---- on a device ---- */

static bool host_arg(const weir_argdef *args, int arg_count, int arg)
{
    return arg >= 0 && arg < arg_count && args[arg].host;
}

bool weir_site_out_on_host(const weir_site *site, int output)
{
    if (!site->memory || !weir_dtype_is_plain(weir_dtype_base(site->out_types[output])))
        return true;
    for (int arg = 0; arg < site->def->out_count; arg++) {
        weir_range range = weir_site_out(site, arg);
        if (output >= range.start && output < range.start + range.count)
            return host_arg(site->def->out, site->def->out_count, arg);
    }
    return false;
}

bool weir_site_in_on_host(const weir_site *site, int input)
{
    if (!site->memory || !weir_dtype_is_plain(weir_dtype_base(site->in_types[input])))
        return true;
    for (int arg = 0; arg < site->def->in_count; arg++) {
        weir_range range = weir_site_in(site, arg);
        if (input >= range.start && input < range.start + range.count)
            return host_arg(site->def->in, site->def->in_count, arg);
    }
    return false;
}

/* The status of a failed allocation, with the tensor named first. */
static weir_status no_memory(weir_status status, const weir_shape *shape, weir_dtype dtype)
{
    if (weir_status_code(status) != WEIR_RESOURCE_EXHAUSTED)
        return status;
    weir_status said = weir_error(
        WEIR_RESOURCE_EXHAUSTED, "OOM when allocating tensor with shape%s and type %s: %s",
        WEIR_SHAPE_STR(shape), weir_dtype_name(dtype), weir_status_message(status));
    weir_status_free(status);
    return said;
}

/* Invalid sizes fail as on the CPU. */
static weir_status count_bytes(const weir_shape *shape, weir_dtype dtype, size_t *out_bytes)
{
    bool empty = false;
    weir_shape same;
    for (int i = 0; i < shape->rank; i++)
        empty |= shape->dims[i] == 0;
    if (!empty)
        WEIR_TRY(weir_shape_make(shape->dims, shape->rank, &same));
    size_t count = empty ? 0 : (size_t)weir_shape_product(shape, 0, shape->rank);
    return __builtin_mul_overflow(count, weir_dtype_size(dtype), out_bytes)
               ? weir_error(WEIR_RESOURCE_EXHAUSTED, "there are not so many bytes")
               : WEIR_OK;
}

weir_status weir_tensor_alloc_in(weir_memory *memory, weir_dtype dtype, const weir_shape *shape,
                                 weir_tensor *out_tensor)
{
    if (!memory)
        return weir_tensor_alloc(dtype, shape, out_tensor);
    weir_tensor tensor = {.dtype = dtype};
    weir_shape_copy(&tensor.shape, shape);
    size_t bytes;
    weir_status status = count_bytes(shape, dtype, &bytes);
    if (!status)
        status = memory->alloc(memory, bytes, &tensor.buffer);
    if (status)
        return no_memory(status, shape, dtype);
    tensor.data = tensor.buffer->data;
    *out_tensor = tensor;
    return WEIR_OK;
}

/* From device to device through host memory. */
static weir_status copy_across(weir_memory *to, const weir_tensor *from, void *at)
{
    weir_memory *source = from->buffer->memory;
    size_t bytes = weir_tensor_bytes(from);
    weir_tensor here;
    WEIR_TRY(weir_tensor_alloc(from->dtype, &from->shape, &here));
    weir_status status = source->copy_out(source, here.data, from->data, bytes);
    if (!status)
        status = to->copy_in(to, at, here.data, bytes);
    weir_tensor_release(&here);
    return status;
}

weir_status weir_tensor_copy_to(weir_memory *to, const weir_tensor *tensor, weir_tensor *out_tensor)
{
    weir_memory *from = tensor->buffer ? tensor->buffer->memory : NULL;
    size_t bytes = weir_tensor_bytes(tensor);
    weir_tensor there;
    if (from == to)
        return weir_tensor_clone(tensor, out_tensor);
    WEIR_TRY(weir_tensor_alloc_in(to, tensor->dtype, &tensor->shape, &there));
    weir_status status = !from ? to->copy_in(to, there.data, tensor->data, bytes)
                         : !to ? from->copy_out(from, there.data, tensor->data, bytes)
                               : copy_across(to, tensor, there.data);
    if (status)
        weir_tensor_release(&there);
    else
        *out_tensor = there;
    return status;
}

static weir_status alloc_output(weir_call *call, int output, const weir_shape *shape,
                                weir_tensor *out_tensor)
{
    weir_memory *memory = weir_site_out_on_host(call->site, output) ? NULL : call->site->memory;
    weir_dtype dtype = weir_dtype_base(call->site->out_types[output]);
    return weir_tensor_alloc_in(memory, dtype, shape, out_tensor);
}

/* As allocate, for a kernel that runs in the memory of its site. */
static weir_status allocate_on_device(weir_call *call, const weir_shape *shapes)
{
    for (int output = 0; output < call->site->out_count; output++) {
        if (!weir_shape_known(&shapes[output]) || weir_dtype_is_ref(call->site->out_types[output]))
            continue;
        weir_tensor tensor;
        WEIR_TRY(alloc_output(call, output, &shapes[output], &tensor));
        call->out[output].tensor = tensor;
    }
    return WEIR_OK;
}

enum { STACK_ARGS = 256 };

weir_status weir_call_ready(weir_call *call, const weir_kernel *kernel)
{
    const weir_site *site = call->site;
    int ins = site->in_count, outs = site->out_count;
    if (!site->op->infer)
        return WEIR_OK;
    bool large = ins + outs > STACK_ARGS;
    const weir_shape **in =
        large ? weir_alloc(sizeof *in * (size_t)ins) : alloca(sizeof *in * (size_t)(ins + 1));
    /* The single output of most ops is inferred in place. */
    weir_shape *out = outs == 1 ? &call->out[0].tensor.shape
                      : large   ? weir_alloc(sizeof *out * (size_t)outs)
                                : alloca(sizeof *out * (size_t)(outs + 1));
    static const weir_shape unknown = {.rank = -1};
    for (int i = 0; i < ins; i++)
        in[i] = call->in[i].var ? &unknown : &call->in[i].tensor.shape;
    for (int o = 0; o < outs; o++)
        out[o].rank = -1;
    weir_infer infer = {.site = site,
                        .in_count = ins,
                        .out_count = outs,
                        .in = in,
                        .out = out,
                        .value = value_of,
                        .value_arg = call};
    weir_status status = site->op->infer(&infer);
    if (!status && !(kernel->flags & (WEIR_OWN_OUTPUTS | WEIR_ON_DEVICE)))
        status = allocate(call, out);
    else if (!status && !(kernel->flags & WEIR_OWN_OUTPUTS))
        status = allocate_on_device(call, out);
    if (large)
        weir_free(in);
    if (large && outs != 1)
        weir_free(out);
    return status;
}

/* Skipped work, or strings for which there was no memory, are errors of the call. */
static weir_status why_stopped(const weir_call *call, const weir_stop *stop, bool undone)
{
    if (atomic_load_explicit(&stop->no_room, memory_order_relaxed))
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "OOM when making strings: of a limit of %zu bytes %zu are in use",
                          weir_room_limit(), weir_room_used());
    return undone ? weir_call_check(call) : WEIR_OK;
}

weir_status weir_call_work(weir_call *call, weir_status (*fn)(weir_call *call, void *arg),
                           void *arg)
{
    weir_stop stop;
    weir_stop_begin(&stop, call->run->cancel);
    weir_status status = fn(call, arg);
    bool undone = weir_stop_end(&stop);
    if (!undone && !atomic_load_explicit(&stop.no_room, memory_order_relaxed))
        return status;
    weir_status_free(status);
    return why_stopped(call, &stop, undone);
}

static weir_status run_kernel(weir_call *call, void *arg)
{
    return ((const weir_kernel *)arg)->run(call);
}

static weir_status ready_and_run(weir_call *call, const weir_kernel *kernel)
{
    WEIR_TRY(weir_call_ready(call, kernel));
    return kernel->flags & WEIR_CHEAP ? kernel->run(call)
                                      : weir_call_work(call, run_kernel, (void *)kernel);
}

weir_status weir_call_run(weir_call *call, const weir_kernel *kernel)
{
    if (!call->site->memory)
        return ready_and_run(call, kernel);
    const char *before = weir_memory_user;
    weir_memory_user = call->site->name;
    weir_status status = ready_and_run(call, kernel);
    weir_memory_user = before;
    return status;
}

weir_status weir_call_alloc(weir_call *call, int i, const weir_shape *shape)
{
    weir_tensor tensor;
    WEIR_TRY(alloc_output(call, i, shape, &tensor));
    weir_call_set(call, i, tensor);
    return WEIR_OK;
}

void weir_call_set(weir_call *call, int i, weir_tensor tensor)
{
    weir_tensor_release(&call->out[i].tensor);
    call->out[i].tensor = tensor;
}

void weir_call_forward(weir_call *call, int in, int out, const weir_shape *shape)
{
    const weir_tensor *tensor = &call->in[in].tensor;
    weir_call_set(call, out, shape ? weir_tensor_view(tensor, shape) : weir_tensor_share(tensor));
}

void weir_call_set_ref(weir_call *call, int i, struct weir_var *var)
{
    weir_ref_retain((weir_ref *)var);
    weir_ref_release((weir_ref *)call->out[i].var);
    call->out[i].var = var;
}

static weir_status evaluate(const weir_site *site, const weir_kernel *kernel, void *state,
                            weir_run *run, weir_value *in, weir_value *out)
{
    for (int output = 0; output < site->out_count; output++)
        out[output] = (weir_value){0};
    weir_call call = {.site = site, .state = state, .in = in, .out = out, .run = run};
    uint64_t mode = weir_denormals_flush();
    weir_status status = weir_call_run(&call, kernel);
    weir_denormals_restore(mode);
    for (int output = 0; status && output < site->out_count; output++) {
        weir_tensor_release(&out[output].tensor);
        weir_ref_release((weir_ref *)out[output].var);
        out[output] = (weir_value){0};
    }
    return status;
}

weir_status weir_op_compute(const weir_site *site, const weir_kernel *kernel, weir_value *in,
                            weir_value *out)
{
    weir_prepare prepare = {.site = site, .kernel = kernel};
    weir_run run = {.par = {.threads = 1}, .cancel = weir_cancel_create(NULL)};
    weir_status status = kernel->prepare ? kernel->prepare(&prepare) : WEIR_OK;
    if (!status)
        status = evaluate(site, kernel, prepare.state, &run, in, out);
    if (kernel->cleanup && prepare.state)
        kernel->cleanup(prepare.state);
    weir_cancel_release(run.cancel);
    return status;
}

weir_status weir_call_check(const weir_call *call)
{
    WEIR_TRY(weir_deadline_check());
    const weir_run *run = call->run;
    return run->cancel && weir_cancel_fired(run->cancel) ? weir_cancel_status(run->cancel)
                                                         : WEIR_OK;
}
