/* ops/summary/merge_summary.c - MergeSummary: the values of several summaries in one. */
#include "ops/summary/summary.h"

static weir_str tag_of(weir_str value)
{
    weir_str tag = {0};
    weir_pb r = weir_pb_reader(value);
    while (weir_pb_next(&r))
        if (r.field == WEIR_SUMMARY_TAG && r.type == WEIR_PB_LEN)
            tag = r.bytes;
    return tag;
}

/* Adds the values of one summary; a tag may be used once. */
static weir_status add_summary(weir_str summary, weir_map *tags, weir_buf *out)
{
    weir_pb r = weir_pb_reader(summary);
    while (weir_pb_next(&r)) {
        if (r.field != WEIR_SUMMARY_VALUE || r.type != WEIR_PB_LEN)
            continue;
        weir_str tag = tag_of(r.bytes);
        if (tag.length && weir_map_put(tags, tag, tags))
            return weir_error(WEIR_INVALID_ARGUMENT, "Duplicate tag %.*s found in summary inputs",
                              WEIR_STR_ARG(tag));
        weir_pb_put_view(out, WEIR_SUMMARY_VALUE, r.bytes);
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse one of the summary inputs");
    return WEIR_OK;
}

static weir_status merge_summary(weir_call *c)
{
    weir_map tags = {0};
    weir_buf summary = {0};
    weir_status status = WEIR_OK;
    for (int in = 0; in < c->site->in_count; in++)
        for (int64_t i = 0; i < weir_tensor_count(weir_in(c, in)) && !status; i++)
            status = add_summary(weir_str_at(weir_in(c, in), i), &tags, &summary);
    weir_map_fini(&tags);
    weir_str_put_buf(weir_out(c, 0), 0, &summary);
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
