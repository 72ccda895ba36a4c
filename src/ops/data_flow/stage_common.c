/* ops/data_flow/stage_common.c - tuples and limits of staging areas. */
#include "ops/data_flow/stage_impl.h"

weir_stage_limits weir_stage_limits_of(const weir_site *site)
{
    return (weir_stage_limits){weir_site_int(site, 0), weir_site_int(site, 1)};
}

weir_stage_tuple weir_stage_tuple_of(const weir_call *call, int from)
{
    weir_stage_tuple tuple = {.count = call->site->in_count - from};
    tuple.at = WEIR_NEW_ARRAY(weir_tensor, tuple.count + 1);
    for (int i = 0; i < tuple.count; i++)
        tuple.at[i] = weir_tensor_share(weir_in(call, from + i));
    return tuple;
}

void weir_stage_tuple_fini(weir_stage_tuple *tuple)
{
    for (int i = 0; i < tuple->count; i++)
        weir_tensor_release(&tuple->at[i]);
    weir_free(tuple->at);
    *tuple = (weir_stage_tuple){0};
}

size_t weir_stage_tuple_bytes(const weir_stage_tuple *tuple)
{
    size_t bytes = 0;
    for (int i = 0; i < tuple->count; i++)
        if (tuple->at[i].buffer)
            bytes += weir_tensor_bytes(&tuple->at[i]);
    return bytes;
}

size_t weir_stage_bytes(const weir_call *call, int from)
{
    size_t bytes = 0;
    for (int i = from; i < call->site->in_count; i++)
        bytes += weir_tensor_bytes(weir_in(call, i));
    return bytes;
}

bool weir_stage_full(const weir_stage_limits *limits, size_t count, size_t bytes, size_t more,
                     weir_status *out_status)
{
    *out_status = WEIR_OK;
    if (limits->memory > 0 && more > (size_t)limits->memory) {
        *out_status =
            weir_error(WEIR_RESOURCE_EXHAUSTED,
                       "Attempted to insert tensors with combined size of '%zu' bytes into "
                       "Staging Area with a memory limit of '%lld'.",
                       more, (long long)limits->memory);
        return true;
    }
    return (limits->capacity > 0 && count >= (size_t)limits->capacity) ||
           (limits->memory > 0 && bytes + more > (size_t)limits->memory);
}

weir_status weir_stage_give(weir_call *call, int out, const weir_tensor *tensor)
{
    if (tensor->dtype != weir_dtype_base(call->site->out_types[out]))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Output %d of node %s is declared %s, but the staged tensor is %s", out,
                          call->site->name, weir_dtype_name(call->site->out_types[out]),
                          weir_dtype_name(tensor->dtype));
    weir_call_set(call, out, weir_tensor_share(tensor));
    return WEIR_OK;
}
