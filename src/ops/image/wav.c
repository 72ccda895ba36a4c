/* ops/image/wav.c - DecodeWav, EncodeWav: WAV files with 16-bit samples. */
#include <inttypes.h>
#include <math.h>

#include "base/arith.h"
#include "ops/common/infer_util.h"
#include "ops/common/strs.h"

enum { HEADER = 44, SAMPLE = 2, PCM = 1 };

static uint32_t number_at(const char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | (uint8_t)at[i];
    return value;
}

static void add_number(weir_buf *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        weir_buf_addc(out, (char)(value >> (8 * i)));
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct sound {
    uint32_t channels, rate;
    weir_str samples;
} sound;

/* Removes |bytes| bytes from the front of |rest|. */
static weir_status take(weir_str *rest, size_t bytes, weir_str *out)
{
    if (rest->length < bytes)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Data too short when trying to read string or value: %zu bytes are "
                          "needed, %zu are left",
                          bytes, rest->length);
    *out = (weir_str){rest->at, bytes};
    *rest = (weir_str){rest->at + bytes, rest->length - bytes};
    return WEIR_OK;
}

static weir_status expect(weir_str *rest, const char *word)
{
    weir_str got;
    WEIR_TRY(take(rest, strlen(word), &got));
    if (!weir_str_is(got, word))
        return weir_error(WEIR_INVALID_ARGUMENT, "Header mismatch: Expected %s but found %.*s",
                          word, WEIR_STR_ARG(got));
    return WEIR_OK;
}

static weir_status read_format(weir_str *rest, sound *out)
{
    weir_str size, body, extra;
    WEIR_TRY(expect(rest, "fmt "));
    WEIR_TRY(take(rest, 4, &size));
    uint32_t bytes = number_at(size.at, 4);
    if (bytes != 16 && bytes != 18)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Bad format chunk size for WAV: Expected 16 or 18, but got %u", bytes);
    WEIR_TRY(take(rest, 16, &body));
    WEIR_TRY(take(rest, bytes - 16, &extra));
    if (number_at(body.at, 2) != PCM)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Bad audio format for WAV: Expected 1 (PCM), but got%u",
                          number_at(body.at, 2));
    out->channels = number_at(body.at + 2, 2);
    out->rate = number_at(body.at + 4, 4);
    if (out->channels < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Bad number of channels for WAV: Expected at least 1, but got 0");
    if (number_at(body.at + 14, 2) != 16)
        return weir_error(WEIR_INVALID_ARGUMENT, "Can only read 16-bit WAV files, but received %u",
                          number_at(body.at + 14, 2));
    if (number_at(body.at + 12, 2) != out->channels * SAMPLE)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Bad bytes per sample in WAV header: Expected %u but got %u",
                          out->channels * SAMPLE, number_at(body.at + 12, 2));
    return WEIR_OK;
}

static weir_status read_sound(weir_str rest, sound *out)
{
    weir_str unused;
    WEIR_TRY(expect(&rest, "RIFF"));
    WEIR_TRY(take(&rest, 4, &unused));
    WEIR_TRY(expect(&rest, "WAVE"));
    WEIR_TRY(read_format(&rest, out));
    while (rest.length) {
        weir_str id, size, body;
        WEIR_TRY(take(&rest, 4, &id));
        WEIR_TRY(take(&rest, 4, &size));
        WEIR_TRY(take(&rest, number_at(size.at, 4), &body));
        if (weir_str_is(id, "data")) {
            out->samples = body;
            return WEIR_OK;
        }
    }
    return weir_error(WEIR_INVALID_ARGUMENT, "No data chunk found in WAV");
}

enum { CHANNELS, SAMPLES };

static weir_status infer_decode(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    int64_t channels = weir_site_int(infer->site, CHANNELS),
            samples = weir_site_int(infer->site, SAMPLES);
    if (channels < -1)
        return weir_error(WEIR_INVALID_ARGUMENT, "channels must be non-negative, got %" PRId64,
                          channels);
    if (samples < -1)
        return weir_error(WEIR_INVALID_ARGUMENT, "samples must be non-negative, got %" PRId64,
                          samples);
    infer->out[0] = weir_shape_matrix(samples, channels);
    infer->out[1] = WEIR_SCALAR;
    return WEIR_OK;
}

/* Sample |frame| of |channel|: missing channels repeat the last one, frames past the end are
 * silent. */
static float sample_at(const sound *sound, int64_t frame, int64_t channel)
{
    int64_t frames = (int64_t)sound->samples.length / SAMPLE / sound->channels;
    if (frame >= frames)
        return 0;
    int64_t from = channel < sound->channels ? channel : sound->channels - 1;
    const char *at = sound->samples.at + (frame * sound->channels + from) * SAMPLE;
    return (float)(int16_t)number_at(at, SAMPLE) / 32768.0f;
}

static weir_status decode(weir_call *call)
{
    sound sound;
    WEIR_TRY(read_sound(weir_str_at(weir_in(call, 0), 0), &sound));
    int64_t channels = weir_site_int(call->site, CHANNELS),
            frames = weir_site_int(call->site, SAMPLES);
    if (channels < 0)
        channels = sound.channels;
    if (frames < 0)
        frames = (int64_t)sound.samples.length / SAMPLE / sound.channels;
    weir_shape shape = weir_shape_matrix(frames, channels);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    WEIR_TRY(weir_call_alloc(call, 1, &WEIR_SCALAR));
    float *out = weir_out(call, 0)->data;
    for (int64_t frame = 0; frame < frames; frame++)
        for (int64_t channel = 0; channel < channels; channel++)
            *out++ = sample_at(&sound, frame, channel);
    *(int32_t *)weir_out(call, 1)->data = (int32_t)sound.rate;
    return WEIR_OK;
}

const weir_op weir_op_decode_wav = {
    .name = "DecodeWav",
    .in = "contents: string",
    .out = "audio: float; sample_rate: int32",
    .attrs = "desired_channels: int = -1; desired_samples: int = -1",
    .infer = infer_decode,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode, WEIR_OWN_OUTPUTS}},
};

/* ---- writing --------------------------------------------------------------------------------- */

static weir_status infer_encode(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    return weir_infer_scalar(infer);
}

static void add_header(weir_buf *out, uint32_t channels, uint32_t rate, uint32_t bytes)
{
    weir_buf_adds(out, "RIFF");
    add_number(out, HEADER - 8 + bytes, 4);
    weir_buf_adds(out, "WAVEfmt ");
    add_number(out, 16, 4);
    add_number(out, PCM, 2);
    add_number(out, channels, 2);
    add_number(out, rate, 4);
    add_number(out, rate * channels * SAMPLE, 4);
    add_number(out, channels * SAMPLE, 2);
    add_number(out, 8 * SAMPLE, 2);
    weir_buf_adds(out, "data");
    add_number(out, bytes, 4);
}

static weir_status encode(weir_call *call)
{
    const weir_tensor *audio = weir_in(call, 0);
    int32_t rate = *(const int32_t *)weir_in(call, 1)->data;
    int64_t count = weir_tensor_count(audio), channels = audio->shape.dims[1];
    if (rate <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "sample_rate must be positive.");
    if (channels < 1 || channels > UINT16_MAX || audio->shape.dims[0] < 1 ||
        count > (UINT32_MAX - HEADER) / SAMPLE)
        return weir_error(WEIR_INVALID_ARGUMENT, "audio of shape %s cannot be a WAV file",
                          WEIR_SHAPE_STR(&audio->shape));
    WEIR_BUF(bytes);
    add_header(&bytes, (uint32_t)channels, (uint32_t)rate, (uint32_t)count * SAMPLE);
    for (int64_t i = 0; i < count; i++) {
        float value = roundf(((const float *)audio->data)[i] * 32768.0f);
        value = fminf(fmaxf(value, INT16_MIN), INT16_MAX);
        add_number(&bytes, (uint16_t)(int16_t)value, SAMPLE);
    }
    weir_str_put_buf(weir_out(call, 0), 0, &bytes);
    return WEIR_OK;
}

const weir_op weir_op_encode_wav = {
    .name = "EncodeWav",
    .in = "audio: float; sample_rate: int32",
    .out = "contents: string",
    .infer = infer_encode,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", encode}},
};
