/* ops/data_flow/stage_common.c - tuples and limits of staging areas. */
#include "ops/data_flow/stage_impl.h"

weir_stage_limits weir_stage_limits_of(const weir_site *site)
{
    return (weir_stage_limits){weir_site_int(site, 0), weir_site_int(site, 1)};
}

weir_stage_tuple weir_stage_tuple_of(const weir_call *c, int from)
{
    weir_stage_tuple t = {.count = c->site->in_count - from};
    t.at = WEIR_NEW_ARRAY(weir_tensor, t.count + 1);
    for (int i = 0; i < t.count; i++)
        t.at[i] = weir_tensor_share(weir_in(c, from + i));
    return t;
}

void weir_stage_tuple_fini(weir_stage_tuple *t)
{
    for (int i = 0; i < t->count; i++)
        weir_tensor_release(&t->at[i]);
    weir_free(t->at);
    *t = (weir_stage_tuple){0};
}

size_t weir_stage_tuple_bytes(const weir_stage_tuple *t)
{
    size_t bytes = 0;
    for (int i = 0; i < t->count; i++)
        if (t->at[i].buffer)
            bytes += weir_tensor_bytes(&t->at[i]);
    return bytes;
}

size_t weir_stage_bytes(const weir_call *c, int from)
{
    size_t bytes = 0;
    for (int i = from; i < c->site->in_count; i++)
        bytes += weir_tensor_bytes(weir_in(c, i));
    return bytes;
}

bool weir_stage_full(const weir_stage_limits *l, size_t count, size_t bytes, size_t more,
                     weir_status *out_status)
{
    *out_status = WEIR_OK;
    if (l->memory > 0 && more > (size_t)l->memory) {
        *out_status =
            weir_error(WEIR_RESOURCE_EXHAUSTED,
                       "Attempted to insert tensors with combined size of '%zu' bytes into "
                       "Staging Area with a memory limit of '%lld'.",
                       more, (long long)l->memory);
        return true;
    }
    return (l->capacity > 0 && count >= (size_t)l->capacity) ||
           (l->memory > 0 && bytes + more > (size_t)l->memory);
}

weir_status weir_stage_give(weir_call *c, int out, const weir_tensor *t)
{
    if (t->dtype != weir_dtype_base(c->site->out_types[out]))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Output %d of node %s is declared %s, but the staged tensor is %s", out,
                          c->site->name, weir_dtype_name(c->site->out_types[out]),
                          weir_dtype_name(t->dtype));
    weir_call_set(c, out, weir_tensor_share(t));
    return WEIR_OK;
}
