/* ops/summary/merge_summary.c - MergeSummary: merges the values of several summaries. */
#include "ops/summary/summary.h"

/* Adds the values of one summary; a tag may be used once. */
static weir_status add_summary(weir_str bytes, weir_map *tags, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_summary summary;
    weir_status damaged = weir_msg_summary_read(bytes, &arena, &summary);
    weir_status_free(damaged);
    if (damaged)
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse one of the summary inputs");
    for (size_t i = 0; i < summary.value.count; i++) {
        weir_str tag = summary.value.at[i].tag;
        if (tag.length && weir_map_put(tags, tag, tags))
            return weir_error(WEIR_INVALID_ARGUMENT, "Duplicate tag %.*s found in summary inputs",
                              WEIR_STR_ARG(tag));
    }
    weir_msg_summary_write(&(weir_msg_summary){.value = summary.value}, out);
    return WEIR_OK;
}

static weir_status merge_summary(weir_call *call)
{
    weir_map tags = {0};
    weir_buf summary = {0};
    weir_status status = WEIR_OK;
    for (int in = 0; in < call->site->in_count; in++)
        for (int64_t i = 0; i < weir_tensor_count(weir_in(call, in)) && !status; i++)
            status = add_summary(weir_str_at(weir_in(call, in), i), &tags, &summary);
    weir_map_fini(&tags);
    weir_str_put_buf(weir_out(call, 0), 0, &summary);
    return status;
}

const weir_op weir_op_merge_summary = {
    .name = "MergeSummary",
    .in = "inputs: N * string",
    .out = "summary: string",
    .attrs = "N: int >= 1",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", merge_summary, WEIR_CHEAP}},
};
