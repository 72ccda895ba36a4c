/* ops/summary/audio_summary.c - AudioSummary and AudioSummaryV2: a batch of sounds as WAV. */
#include "base/arith.h"
#include "io/wav.h"
#include "ops/summary/summary.h"

static weir_status add_clip(weir_str tag, const weir_tensor *tensor, float rate, int64_t most,
                            int64_t i, weir_buf *summary)
{
    int64_t frames = tensor->shape.dims[1],
            channels = tensor->shape.rank == 3 ? tensor->shape.dims[2] : 1;
    WEIR_BUF(wav);
    WEIR_BUF(name);
    WEIR_TRY(weir_wav_encode((const float *)tensor->data + i * frames * channels, (int64_t)rate,
                             channels, frames, &wav));
    weir_summary_tag(tag, "audio", i, most, &name);
    weir_msg_summary_audio audio = {.sample_rate = rate,
                                    .num_channels = channels,
                                    .length_frames = frames,
                                    .encoded_audio_string = weir_view(&wav),
                                    .content_type = WEIR_STR("audio/wav")};
    weir_summary_add(summary,
                     &(weir_msg_summary_value){.tag = weir_view(&name),
                                               .which_value = WEIR_FIELD_summary_value_audio,
                                               .audio = &audio});
    return WEIR_OK;
}

weir_status weir_summary_add_sounds(weir_str tag, const weir_tensor *sounds, float sample_rate,
                                    int64_t most, weir_buf *summary)
{
    if (sounds->shape.rank != 2 && sounds->shape.rank != 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tensor must be 3-D or 2-D, got: %s",
                          WEIR_SHAPE_STR(&sounds->shape));
    if (!(sample_rate > 0) || sample_rate > 4e9f)
        return weir_error(WEIR_INVALID_ARGUMENT, "sample_rate must be in (0, 2^32), got: %g",
                          (double)sample_rate);
    int64_t count = weir_min(sounds->shape.dims[0], most);
    weir_status status = WEIR_OK;
    for (int64_t i = 0; i < count && !status; i++)
        status = add_clip(tag, sounds, sample_rate, most, i, summary);
    return status;
}

static weir_status summarize(weir_call *call, float rate, int64_t most)
{
    if (weir_in(call, 0)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tag must be a scalar");
    weir_buf summary = {0};
    weir_status status = weir_summary_add_sounds(weir_str_at(weir_in(call, 0), 0), weir_in(call, 1),
                                                 rate, most, &summary);
    weir_str_put_buf(weir_out(call, 0), 0, &summary);
    return status;
}

static weir_status audio_summary(weir_call *call)
{
    return summarize(call, weir_site_float(call->site, 0), weir_site_int(call->site, 1));
}

static weir_status audio_summary_v2(weir_call *call)
{
    const weir_tensor *rate = weir_in(call, 2);
    if (weir_tensor_count(rate) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "sample_rate must be rank-0 or contain a single value");
    return summarize(call, *(const float *)rate->data, weir_site_int(call->site, 0));
}

const weir_op weir_op_audio_summary = {
    .name = "AudioSummary",
    .in = "tag: string; tensor: float",
    .out = "summary: string",
    .attrs = "sample_rate: float; max_outputs: int >= 1 = 3",
    .deprecated_at = 15,
    .deprecation = "Use AudioSummaryV2.",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", audio_summary, WEIR_EXPENSIVE}},
};

const weir_op weir_op_audio_summary_v2 = {
    .name = "AudioSummaryV2",
    .in = "tag: string; tensor: float; sample_rate: float",
    .out = "summary: string",
    .attrs = "max_outputs: int >= 1 = 3",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", audio_summary_v2, WEIR_EXPENSIVE}},
};
