/* ops/flow/functions.c - binds and calls a node's functions. */
#include "ops/flow/functions_impl.h"

#include "tensor/tstring.h"

void weir_functions_cleanup(void *functions)
{
    weir_functions *f = functions;
    if (!f)
        return;
    for (int i = 0; i < f->count; i++)
        f->runner->release(f->at[i]);
    weir_free(f);
}

static int count_funcs(const weir_site *site)
{
    int count = 0;
    for (int attr_index = 0; attr_index < site->def->attr_count; attr_index++)
        if (site->def->attrs[attr_index].kind == WEIR_ATTR_FUNC)
            count += site->def->attrs[attr_index].is_list ? site->attrs[attr_index].count : 1;
    return count;
}

static weir_status bind_one(weir_prepare *preparation, weir_functions *functions,
                            const weir_func *func)
{
    WEIR_TRY(preparation->runner->bind(preparation->runner_arg, func, preparation->site->device,
                                       &functions->at[functions->count]));
    functions->count++;
    return WEIR_OK;
}

static weir_status bind_attr(weir_prepare *preparation, weir_functions *functions, int a)
{
    const weir_attr *attr = &preparation->site->attrs[a];
    if (preparation->site->def->attrs[a].kind != WEIR_ATTR_FUNC)
        return WEIR_OK;
    if (!preparation->site->def->attrs[a].is_list)
        return bind_one(preparation, functions, attr->func);
    for (int i = 0; i < attr->count; i++)
        WEIR_TRY(bind_one(preparation, functions, &attr->funcs[i]));
    return WEIR_OK;
}

weir_status weir_functions_prepare(weir_prepare *preparation)
{
    if (!preparation->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library for node %s",
                          preparation->site->name);
    weir_functions *functions = weir_zalloc(
        sizeof *functions + sizeof(weir_bound *) * (size_t)count_funcs(preparation->site));
    functions->runner = preparation->runner;
    for (int attr_index = 0; attr_index < preparation->site->def->attr_count; attr_index++) {
        weir_status status = bind_attr(preparation, functions, attr_index);
        if (status) {
            weir_functions_cleanup(functions);
            return status;
        }
    }
    preparation->state = functions;
    return WEIR_OK;
}

weir_tensor *weir_functions_args(const weir_call *call, int from)
{
    int count = call->site->in_count - from;
    weir_tensor *args = WEIR_NEW_ARRAY(weir_tensor, count + 1);
    for (int i = 0; i < count; i++)
        args[i] = *weir_in(call, from + i);
    return args;
}

static weir_status check_returns(const weir_call *call, const weir_tensor *rets, int count)
{
    if (count != call->site->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s expects %d results of its function, but got %d", call->site->name,
                          call->site->out_count, count);
    for (int o = 0; o < count; o++)
        if (rets[o].dtype != weir_dtype_base(call->site->out_types[o]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected input %d of %s to be of type %s, but its function gives %s",
                              o, call->site->name, weir_dtype_name(call->site->out_types[o]),
                              weir_dtype_name(rets[o].dtype));
    return WEIR_OK;
}

void weir_functions_return(weir_call *call, weir_status status, weir_tensor *rets, int count)
{
    bool given = !status;
    if (given)
        status = check_returns(call, rets, count);
    for (int o = 0; given && o < count; o++) {
        if (status)
            weir_tensor_release(&rets[o]);
        else
            weir_call_set(call, o, rets[o]);
    }
    weir_call_finish(call, status);
}

static void returned(void *arg, weir_status status, weir_tensor *rets, int count)
{
    weir_functions_return(arg, status, rets, count);
}

void weir_functions_forward(weir_call *call, int f, int from)
{
    const weir_functions *functions = call->state;
    weir_tensor *args = weir_functions_args(call, from);
    functions->runner->call(functions->at[f], call->run, args, call->site->in_count - from,
                            returned, call);
    weir_free(args); /* the call may be freed by now */
}

weir_status weir_truth_of(const weir_tensor *tensor, bool *out_truth)
{
    if (tensor->shape.rank != 0) {
        *out_truth = weir_tensor_count(tensor) > 0;
        return WEIR_OK;
    }
    switch (tensor->dtype) {
    case WEIR_STRING:
        *out_truth = weir_tstring_get(tensor->data).length > 0;
        return WEIR_OK;
    case WEIR_FLOAT: /* -0.0 is false, but has a non-zero bit */
        *out_truth = *(const float *)tensor->data != 0;
        return WEIR_OK;
    case WEIR_DOUBLE:
        *out_truth = *(const double *)tensor->data != 0;
        return WEIR_OK;
    case WEIR_HALF:
    case WEIR_BFLOAT16:
        *out_truth = (*(const uint16_t *)tensor->data & 0x7fff) != 0;
        return WEIR_OK;
    default:
        break;
    }
    if (!weir_dtype_is_int(tensor->dtype) && tensor->dtype != WEIR_BOOL)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s cannot be converted to bool",
                          weir_dtype_name(tensor->dtype));
    const char *bytes = tensor->data;
    *out_truth = false;
    for (size_t i = 0; i < weir_dtype_size(tensor->dtype); i++)
        *out_truth |= bytes[i] != 0;
    return WEIR_OK;
}
