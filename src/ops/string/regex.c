/* ops/string/regex.c - RegexReplace and RegexFullMatch, with the pattern as input or as attr. */
#include "ops/string/regex.h"

#include "ops/string/string_impl.h"

/* The data of one call; a static pattern is compiled once, when the node is prepared. */
typedef struct job {
    const weir_regex *re;
    weir_str rewrite;
    bool all;
} job;

static weir_status replace_one(weir_call *call, const void *arg, weir_str in, weir_buf *out)
{
    const job *job = arg;
    return weir_regex_replace(job->re, in, job->rewrite, job->all, out);
}

static weir_status match_all(weir_call *call, const weir_regex *re)
{
    const weir_tensor *in = weir_in(call, 0);
    bool *out = weir_out(call, 0)->data;
    for (int64_t i = 0; i < weir_tensor_count(in); i++)
        out[i] = weir_regex_full(re, weir_str_at(in, i));
    return WEIR_OK;
}

static weir_status infer_inputs(weir_infer *infer)
{
    for (int in = 1; in < infer->in_count; in++)
        WEIR_TRY(weir_infer_rank(infer, in, 0));
    infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static weir_status replace(weir_call *call)
{
    WEIR_OWNED(weir_regex) re = NULL;
    WEIR_TRY(weir_regex_compile(weir_str_at(weir_in(call, 1), 0), &re));
    job job = {re, weir_str_at(weir_in(call, 2), 0), weir_site_bool(call->site, 0)};
    return weir_string_map(call, replace_one, &job);
}

static weir_status full_match(weir_call *call)
{
    WEIR_OWNED(weir_regex) re = NULL;
    WEIR_TRY(weir_regex_compile(weir_str_at(weir_in(call, 1), 0), &re));
    return match_all(call, re);
}

const weir_op weir_op_regex_replace = {
    .name = "RegexReplace",
    .in = "input: string; pattern: string; rewrite: string",
    .out = "output: string",
    .attrs = "replace_global: bool = true",
    .infer = infer_inputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", replace}},
};

const weir_op weir_op_regex_full_match = {
    .name = "RegexFullMatch",
    .in = "input: string; pattern: string",
    .out = "output: bool",
    .infer = infer_inputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", full_match}},
};

/* ---- static patterns ---- */

static weir_status prepare(weir_prepare *preparation)
{
    weir_regex *re = NULL;
    WEIR_TRY(weir_regex_compile(weir_site_str(preparation->site, 0), &re));
    preparation->state = re;
    return WEIR_OK;
}

static void cleanup(void *state)
{
    weir_regex_destroy(state);
}

static weir_status static_replace(weir_call *call)
{
    job job = {call->state, weir_site_str(call->site, 1), weir_site_bool(call->site, 2)};
    return weir_string_map(call, replace_one, &job);
}

static weir_status static_full_match(weir_call *call)
{
    return match_all(call, call->state);
}

const weir_op weir_op_static_regex_replace = {
    .name = "StaticRegexReplace",
    .in = "input: string",
    .out = "output: string",
    .attrs = "pattern: string; rewrite: string; replace_global: bool = true",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", static_replace, .prepare = prepare, .cleanup = cleanup}},
};

const weir_op weir_op_static_regex_full_match = {
    .name = "StaticRegexFullMatch",
    .in = "input: string",
    .out = "output: bool",
    .attrs = "pattern: string",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", static_full_match, .prepare = prepare, .cleanup = cleanup}},
};
