/* capi/kernel_context.c - TF_OpKernelContext: a call, as seen by a library's kernel. */
#include "capi/kernel_impl.h"
#include "tensor/handle.h"
#include "tensor/proto.h"

/* ---- failure ----------------------------------------------------------------------------------
 */

/* Takes over |status|; the first failure is kept. */
static void fail(TF_OpKernelContext *ctx, weir_status status)
{
    weir_mutex_lock(&ctx->lock);
    if (ctx->failure)
        weir_status_free(status);
    else
        ctx->failure = status;
    weir_mutex_unlock(&ctx->lock);
}

void TF_OpKernelContext_Failure(TF_OpKernelContext *ctx, TF_Status *status)
{
    weir_status said = weir_capi_status(status);
    if (said)
        fail(ctx, said);
}

/* ---- inputs -----------------------------------------------------------------------------------
 */

int TF_NumInputs(TF_OpKernelContext *ctx)
{
    return ctx->call->site->in_count;
}

int TF_NumOutputs(TF_OpKernelContext *ctx)
{
    return ctx->call->site->out_count;
}

static bool has_input(const TF_OpKernelContext *ctx, int i, TF_Status *status)
{
    int count = ctx->call->site->in_count;
    return weir_capi_end(status, i >= 0 && i < count
                                     ? WEIR_OK
                                     : weir_error(WEIR_OUT_OF_RANGE,
                                                  "input index %d is out of range: the op has %d",
                                                  i, count));
}

static bool has_output(const TF_OpKernelContext *ctx, int i, TF_Status *status)
{
    int count = ctx->call->site->out_count;
    return weir_capi_end(status, i >= 0 && i < count
                                     ? WEIR_OK
                                     : weir_error(WEIR_OUT_OF_RANGE,
                                                  "output index %d is out of range: the op has %d",
                                                  i, count));
}

void TF_GetInput(TF_OpKernelContext *ctx, int i, TF_Tensor **tensor, TF_Status *status)
{
    *tensor = NULL;
    if (!has_input(ctx, i, status))
        return;
    const weir_tensor *input = &ctx->call->in[i].tensor;
    if (!input->buffer)
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT,
                                         "input %d is a reference to a variable, not a value", i));
    else
        *tensor = weir_capi_tensor(weir_tensor_share(input));
}

TF_DataType TF_InputDatatype(TF_OpKernelContext *ctx, int index)
{
    const weir_site *site = ctx->call->site;
    return index < 0 || index >= site->in_count ? (TF_DataType)0
                                                : (TF_DataType)site->in_types[index];
}

TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext *ctx, int i)
{
    const weir_site *site = ctx->call->site;
    return i < 0 || i >= site->out_count ? (TF_DataType)0 : (TF_DataType)site->out_types[i];
}

static int find_arg(const weir_argdef *args, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(args[i].name, name) == 0)
            return i;
    return -1;
}

void TF_InputRange(TF_OpKernelContext *ctx, const char *name, TF_InputRange_Args *args)
{
    const weir_site *site = ctx->call->site;
    int arg = find_arg(site->def->in, site->def->in_count, name);
    if (arg < 0) {
        weir_capi_end(args->status,
                      weir_error(WEIR_INVALID_ARGUMENT, "Unknown input name: %s", name));
        return;
    }
    weir_range range = weir_site_in(site, arg);
    args->start = range.start;
    args->stop = range.start + range.count;
    weir_capi_end(args->status, WEIR_OK);
}

/* The argument of flat input or output |i|. */
static const char *arg_name(const weir_site *site, bool input, int i)
{
    const weir_argdef *args = input ? site->def->in : site->def->out;
    int count = input ? site->def->in_count : site->def->out_count;
    for (int arg = 0; arg < count; arg++) {
        weir_range range = input ? weir_site_in(site, arg) : weir_site_out(site, arg);
        if (i >= range.start && i < range.start + range.count)
            return args[arg].name;
    }
    return "";
}

static bool in_host_list(const TF_OpKernelContext *ctx, const char *name)
{
    for (const char *at = ctx->object->kernel->host; *at;) {
        size_t length = strcspn(at, "; ");
        if (length == strlen(name) && memcmp(at, name, length) == 0)
            return true;
        at += length;
        at += strspn(at, "; ");
    }
    return false;
}

bool TF_IsHostMemoryInput(TF_OpKernelContext *ctx, int i, TF_Status *status)
{
    return has_input(ctx, i, status) && in_host_list(ctx, arg_name(ctx->call->site, true, i));
}

bool TF_IsHostMemoryOutput(TF_OpKernelContext *ctx, int i, TF_Status *status)
{
    return has_output(ctx, i, status) && in_host_list(ctx, arg_name(ctx->call->site, false, i));
}

/* ---- outputs ----------------------------------------------------------------------------------
 */

void TF_SetOutput(TF_OpKernelContext *ctx, int i, const TF_Tensor *tensor, TF_Status *status)
{
    if (has_output(ctx, i, status))
        weir_call_set(ctx->call, i, weir_tensor_share(&tensor->t));
}

static TF_Tensor *share_output(TF_OpKernelContext *ctx, int i)
{
    const weir_tensor *output = &ctx->call->out[i].tensor;
    return output->buffer ? weir_capi_tensor(weir_tensor_share(output)) : NULL;
}

TF_Tensor *TF_GetMutableOutput(TF_OpKernelContext *ctx, int i, TF_Status *status)
{
    return has_output(ctx, i, status) ? share_output(ctx, i) : NULL;
}

static weir_status known_shape(const int64_t *dims, int rank, weir_shape *out_shape)
{
    WEIR_TRY(weir_shape_make(dims, rank, out_shape));
    if (!weir_shape_known(out_shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "a tensor needs a shape that is known");
    return WEIR_OK;
}

static weir_status allocate(TF_OpKernelContext *ctx, int i, TF_DataType dtype, const int64_t *dims,
                            int rank)
{
    weir_shape shape;
    if ((int)dtype != ctx->call->site->out_types[i])
        return weir_error(WEIR_INVALID_ARGUMENT, "output %d is of type %s, not %s", i,
                          weir_dtype_name(ctx->call->site->out_types[i]),
                          weir_dtype_valid(dtype) ? weir_dtype_name((int)dtype) : "?");
    WEIR_TRY(known_shape(dims, rank, &shape));
    return weir_call_alloc(ctx->call, i, &shape);
}

/* The size of outputs follows from shape and type: |len| is for devices with padding. */
TF_Tensor *TF_AllocateOutput(TF_OpKernelContext *context, int index, TF_DataType dtype,
                             const int64_t *dims, int num_dims, size_t len, TF_Status *status)
{
    if (!has_output(context, index, status) ||
        !weir_capi_end(status, allocate(context, index, dtype, dims, num_dims)))
        return NULL;
    return share_output(context, index);
}

/* True if input |in| was forwarded to output |out|. */
static bool forward(weir_call *call, int in, int out, const weir_shape *shape)
{
    if (in < 0 || in >= call->site->in_count || !weir_call_may_reuse(call, in))
        return false;
    const weir_tensor *tensor = &call->in[in].tensor;
    if ((int)tensor->dtype != call->site->out_types[out] ||
        weir_tensor_count(tensor) != weir_shape_count(shape))
        return false;
    weir_call_forward(call, in, out, shape);
    return true;
}

TF_Tensor *TF_ForwardInputOrAllocateOutput(TF_OpKernelContext *context,
                                           const int *candidate_input_indices,
                                           int num_candidate_input_indices, int output_index,
                                           const int64_t *output_dims, int output_num_dims,
                                           int *forwarded_input, TF_Status *status)
{
    int none, *taken = forwarded_input ? forwarded_input : &none;
    weir_shape shape;
    *taken = -1;
    if (!has_output(context, output_index, status) ||
        !weir_capi_end(status, known_shape(output_dims, output_num_dims, &shape)))
        return NULL;
    for (int i = 0; *taken < 0 && i < num_candidate_input_indices; i++)
        if (forward(context->call, candidate_input_indices[i], output_index, &shape))
            *taken = candidate_input_indices[i];
    if (*taken < 0 && !weir_capi_end(status, weir_call_alloc(context->call, output_index, &shape)))
        return NULL;
    return share_output(context, output_index);
}

static weir_status temporary(TF_DataType dtype, const int64_t *dims, int rank, weir_tensor *out)
{
    weir_shape shape;
    if (!weir_dtype_valid(dtype))
        return weir_error(WEIR_INVALID_ARGUMENT, "there is no type %d", (int)dtype);
    WEIR_TRY(known_shape(dims, rank, &shape));
    return weir_tensor_alloc((weir_dtype)dtype, &shape, out);
}

TF_Tensor *TF_AllocateTemp(TF_OpKernelContext *context, TF_DataType dtype, const int64_t *dims,
                           int num_dims, TF_AllocatorAttributes *alloc_attrs, TF_Status *status)
{
    weir_tensor tensor;
    if (!weir_capi_end(status, temporary(dtype, dims, num_dims, &tensor)))
        return NULL;
    return weir_capi_tensor(tensor);
}

/* ---- where the call is ------------------------------------------------------------------------
 */

static TF_StringView view(const char *text)
{
    return text ? (TF_StringView){text, strlen(text)} : (TF_StringView){"", 0};
}

int64_t TF_StepId(TF_OpKernelContext *ctx)
{
    return ctx->call->run->step_id;
}

int64_t TF_GetStepId(TF_OpKernelContext *ctx)
{
    return ctx->call->run->step_id;
}

uint64_t TF_GetFrameId(TF_OpKernelContext *ctx)
{
    return ctx->call->frame_id;
}

int64_t TF_GetIterId(TF_OpKernelContext *ctx)
{
    return ctx->call->iteration;
}

int TF_GetDeviceId(TF_OpKernelContext *ctx)
{
    const char *device = ctx->call->site->device;
    const char *colon = device ? strrchr(device, ':') : NULL;
    return colon ? atoi(colon + 1) : 0;
}

TF_StringView TF_GetDeviceName(TF_OpKernelContext *ctx)
{
    return view(ctx->call->site->device);
}

TF_StringView TF_GetOpKernelName(TF_OpKernelContext *ctx)
{
    return view(ctx->call->site->name);
}

TF_StringView TF_GetResourceMgrDefaultContainerName(TF_OpKernelContext *ctx)
{
    return view("localhost");
}

TF_StringView TF_GetOpKernelRequestedInput(TF_OpKernelContext *ctx, size_t index)
{
    return view(arg_name(ctx->call->site, true, (int)index));
}

int TF_GetGraphDefVersion(TF_OpKernelContext *ctx)
{
    return WEIR_GRAPH_VERSION;
}

SP_Stream TF_GetStream(TF_OpKernelContext *ctx, TF_Status *status)
{
    weir_capi_end(status, weir_error(WEIR_UNIMPLEMENTED,
                                     "node '%s' runs on a processor, which has no stream",
                                     ctx->call->site->name));
    return NULL;
}

static void fill_empty(TF_Buffer *buffer, TF_Status *status)
{
    weir_buf bytes = {0};
    weir_capi_end(status, weir_capi_fill(buffer, &bytes));
}

void TF_GetSerializedFunctionDefLibrary(TF_OpKernelContext *ctx,
                                        TF_Buffer *serialized_function_def_library,
                                        TF_Status *status)
{
    fill_empty(serialized_function_def_library, status);
}

void TF_GetSerializedConfigProto(TF_OpKernelContext *ctx, TF_Buffer *serialized_config_proto,
                                 TF_Status *status)
{
    fill_empty(serialized_config_proto, status);
}

void TF_GetSerializedResourceHandleProto(TF_OpKernelContext *ctx, int i,
                                         TF_Buffer *serialized_resource_handle_proto,
                                         TF_Status *status)
{
    if (!has_input(ctx, i, status))
        return;
    const weir_tensor *input = &ctx->call->in[i].tensor;
    const weir_handle *handle =
        input->buffer && input->dtype == WEIR_RESOURCE ? weir_tensor_handle(input) : NULL;
    if (!handle) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT, "input %d is no resource", i));
        return;
    }
    weir_buf bytes = {0};
    weir_handle_encode(handle, &bytes);
    weir_capi_end(status, weir_capi_fill(serialized_resource_handle_proto, &bytes));
}

void TF_IncNumDeferredOps(TF_OpKernelContext *context)
{
}

void TF_DecNumDeferredOps(TF_OpKernelContext *context)
{
}
