/* capi/kernel_builder.c - TF_KernelBuilder: kernels of libraries, how plans create and run
 * them. */
#include "capi/kernel_impl.h"
#include "graph/proto.h"
#include "wire/messages.h"

struct TF_KernelBuilder {
    weir_library_kernel kernel; /* texts are those below */
    char *op, *label;           /* owned */
    weir_buf types, host;
};

struct TF_AsyncOpKernelDoneCallback {
    TF_OpKernelContext context;
};

/* ---- making -----------------------------------------------------------------------------------
 */

static void destroy_object(const weir_library_kernel *kernel, void *made)
{
    if (kernel->destroy && made)
        kernel->destroy(made);
}

static weir_status make(weir_prepare *preparation)
{
    const weir_library_kernel *kernel = (const weir_library_kernel *)preparation->kernel;
    TF_OpKernelConstruction construction = {.site = preparation->site};
    void *made = kernel->create ? kernel->create(&construction) : NULL;
    if (construction.failure) {
        destroy_object(kernel, made);
        return construction.failure;
    }
    weir_kernel_object *object = WEIR_NEW(weir_kernel_object);
    *object = (weir_kernel_object){.kernel = kernel, .made = made};
    preparation->state = object;
    return WEIR_OK;
}

static void unmake(void *state)
{
    weir_kernel_object *object = state;
    destroy_object(object->kernel, object->made);
    weir_free(object);
}

/* ---- running ----------------------------------------------------------------------------------
 */

static weir_status check_output(const weir_call *call, int i)
{
    const weir_value *value = &call->out[i];
    if (!value->tensor.buffer && !value->var)
        return weir_error(WEIR_INTERNAL, "Missing %d-th output from {{node %s}}", i,
                          call->site->name);
    int declared = call->site->out_types[i];
    if (value->tensor.buffer && (int)value->tensor.dtype != declared)
        return weir_error(WEIR_INTERNAL,
                          "Output %d of type %s does not match declared output type %s for node "
                          "{{node %s}}",
                          i, weir_dtype_name(value->tensor.dtype), weir_dtype_name(declared),
                          call->site->name);
    return WEIR_OK;
}

/* The result of the computation. */
static weir_status outcome(TF_OpKernelContext *context)
{
    weir_mutex_lock(&context->lock);
    weir_status status = context->failure;
    context->failure = WEIR_OK;
    weir_mutex_unlock(&context->lock);
    weir_mutex_fini(&context->lock);
    for (int i = 0; !status && i < context->call->site->out_count; i++)
        status = check_output(context->call, i);
    return status;
}

static void begin(TF_OpKernelContext *context, weir_call *call)
{
    *context = (TF_OpKernelContext){.call = call, .object = call->state};
    weir_mutex_init(&context->lock);
}

static weir_status run(weir_call *call)
{
    TF_OpKernelContext context;
    begin(&context, call);
    context.object->kernel->compute(context.object->made, &context);
    return outcome(&context);
}

static void start(weir_call *call)
{
    TF_AsyncOpKernelDoneCallback *done = WEIR_NEW(TF_AsyncOpKernelDoneCallback);
    begin(&done->context, call);
    const weir_kernel_object *object = call->state;
    object->kernel->compute_async(object->made, &done->context, done);
}

void TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback *done)
{
    weir_call *call = done->context.call;
    weir_status status = outcome(&done->context);
    weir_free(done);
    weir_call_finish(call, status);
}

/* ---- adding -----------------------------------------------------------------------------------
 */

void weir_library_kernel_add(const weir_library_kernel *model)
{
    weir_library_kernel *kernel = WEIR_NEW(weir_library_kernel);
    *kernel = *model;
    kernel->added.op = weir_strdup(model->added.op);
    kernel->added.label = weir_strdup(model->added.label ? model->added.label : "");
    kernel->added.kernel.types = weir_strdup(model->added.kernel.types);
    kernel->host = weir_strdup(model->host ? model->host : "");
    kernel->added.kernel.prepare = make;
    kernel->added.kernel.cleanup = unmake;
    kernel->added.kernel.flags |= WEIR_OWN_OUTPUTS;
    if (kernel->compute_async) {
        kernel->added.kernel.flags |= WEIR_ASYNC;
        kernel->added.kernel.start = start;
    } else {
        kernel->added.kernel.run = run;
    }
    weir_kernel_add(&kernel->added);
}

/* Kernels for other devices are stored but never used: they would need a stream. */
static unsigned device_bits(const char *name)
{
    return strcmp(name, "CPU") == 0 || strcmp(name, "DEFAULT") == 0 ? WEIR_CPU : 0;
}

static TF_KernelBuilder *new_builder(const char *op_name, const char *device_name,
                                     const weir_library_kernel *functions)
{
    TF_KernelBuilder *builder = WEIR_NEW(TF_KernelBuilder);
    builder->kernel = *functions;
    builder->op = weir_strdup(op_name);
    builder->kernel.added.kernel.devices = device_bits(device_name);
    return builder;
}

TF_KernelBuilder *TF_NewKernelBuilder(const char *op_name, const char *device_name,
                                      void *(*create_func)(TF_OpKernelConstruction *),
                                      void (*compute_func)(void *, TF_OpKernelContext *),
                                      void (*delete_func)(void *))
{
    return new_builder(op_name, device_name,
                       &(weir_library_kernel){
                           .create = create_func, .compute = compute_func, .destroy = delete_func});
}

TF_KernelBuilder *TF_NewAsyncKernelBuilder(
    const char *op_name, const char *device_name, void *(*create_func)(TF_OpKernelConstruction *),
    void (*compute_async_func)(void *, TF_OpKernelContext *, TF_AsyncOpKernelDoneCallback *done),
    void (*delete_func)(void *))
{
    return new_builder(op_name, device_name,
                       &(weir_library_kernel){.create = create_func,
                                              .compute_async = compute_async_func,
                                              .destroy = delete_func});
}

void TF_DeleteKernelBuilder(TF_KernelBuilder *builder)
{
    if (!builder)
        return;
    weir_free(builder->op);
    weir_free(builder->label);
    weir_buf_fini(&builder->types);
    weir_buf_fini(&builder->host);
    weir_free(builder);
}

static void add_part(weir_buf *to, const char *text)
{
    weir_buf_addf(to, "%s%s", to->length ? "; " : "", text);
}

void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder *kernel_builder, const char *attr_name,
                                     TF_DataType type, TF_Status *status)
{
    if (!weir_dtype_valid(type)) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT, "Unexpected type %d", (int)type));
        return;
    }
    WEIR_BUF(clause);
    weir_buf_addf(&clause, "%s: %s", attr_name, weir_dtype_name(type));
    add_part(&kernel_builder->types, clause.at);
    weir_capi_end(status, WEIR_OK);
}

void TF_KernelBuilder_HostMemory(TF_KernelBuilder *kernel_builder, const char *arg_name)
{
    add_part(&kernel_builder->host, arg_name);
}

void TF_KernelBuilder_Priority(TF_KernelBuilder *kernel_builder, int32_t priority_number)
{
    kernel_builder->kernel.added.priority = priority_number;
}

void TF_KernelBuilder_Label(TF_KernelBuilder *kernel_builder, const char *label)
{
    weir_free(kernel_builder->label);
    kernel_builder->label = weir_strdup(label);
}

static weir_status register_kernel(TF_KernelBuilder *builder)
{
    weir_library_kernel *kernel = &builder->kernel;
    if (!kernel->compute && !kernel->compute_async)
        return weir_error(WEIR_INVALID_ARGUMENT, "A kernel of op %s has no compute function",
                          builder->op);
    kernel->added.op = builder->op;
    kernel->added.label = builder->label;
    kernel->added.kernel.types = builder->types.length ? builder->types.at : "*";
    kernel->host = builder->host.length ? builder->host.at : "";
    weir_library_kernel_add(kernel);
    return WEIR_OK;
}

void TF_RegisterKernelBuilder(const char *kernel_name, TF_KernelBuilder *builder, TF_Status *status)
{
    weir_capi_end(status, register_kernel(builder));
    TF_DeleteKernelBuilder(builder);
}

/* "T: float, double" from a constraint of a KernelDef. */
static void take_constraint(TF_KernelBuilder *builder,
                            const weir_msg_kernel_def_attr_constraint *constraint)
{
    const weir_msg_attr_value *allowed = constraint->allowed_values;
    if (!allowed || !allowed->list || !allowed->list->type.count)
        return;
    WEIR_BUF(clause);
    weir_buf_addf(&clause, "%.*s:", (int)constraint->name.length, constraint->name.at);
    for (size_t i = 0; i < allowed->list->type.count; i++)
        weir_buf_addf(&clause, "%s %s", i ? "," : "", weir_dtype_name(allowed->list->type.at[i]));
    add_part(&builder->types, clause.at);
}

static weir_status take_definition(TF_KernelBuilder *builder, const weir_msg_kernel_def *def)
{
    char *device = weir_strndup(def->device_type.at, def->device_type.length);
    builder->kernel.added.kernel.devices = device_bits(device);
    weir_free(device);
    builder->kernel.added.priority = def->priority;
    weir_free(builder->op);
    builder->op = weir_strndup(def->op.at, def->op.length);
    weir_free(builder->label);
    builder->label = weir_strndup(def->label.at, def->label.length);
    builder->types.length = 0;
    builder->host.length = 0;
    for (size_t i = 0; i < def->constraint.count; i++)
        take_constraint(builder, &def->constraint.at[i]);
    for (size_t i = 0; i < def->host_memory_arg.count; i++) {
        weir_str name = def->host_memory_arg.at[i];
        weir_buf_addf(&builder->host, "%s%.*s", i ? "; " : "", (int)name.length, name.at);
    }
    return register_kernel(builder);
}

static weir_status register_with(TF_KernelBuilder *builder, weir_str bytes)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_kernel_def def;
    WEIR_TRY(weir_msg_kernel_def_read(bytes, &arena, &def));
    return take_definition(builder, &def);
}

void TF_RegisterKernelBuilderWithKernelDef(const char *serialized_kernel_def, const char *name,
                                           TF_KernelBuilder *builder, TF_Status *status)
{
    weir_capi_end(status, register_with(builder, weir_str_of(serialized_kernel_def)));
    TF_DeleteKernelBuilder(builder);
}
