/*
 * io/wav.c - RIFF WAVE with one PCM chunk.
 *
 *    0  "RIFF", fixed32 bytes that follow, "WAVE"
 *   12  "fmt ", fixed32 16, fixed16 1 (PCM), fixed16 channels, fixed32 sample rate,
 *       fixed32 bytes a second, fixed16 bytes a frame, fixed16 16 (bits)
 *   36  "data", fixed32 bytes, the samples
 */
#include "io/wav.h"

#include <math.h>

#include "wire/varint.h"

enum { HEADER = 44, SAMPLE_BYTES = 2 };

static void add16(weir_buf *out, unsigned value)
{
    weir_buf_addc(out, (char)value);
    weir_buf_addc(out, (char)(value >> 8));
}

static int16_t clip(float value)
{
    float scaled = roundf(value * 32768.0f);
    return scaled > 32767 ? 32767 : scaled < -32768 ? -32768 : isnan(scaled) ? 0 : (int16_t)scaled;
}

static void add_header(weir_buf *out, uint32_t rate, unsigned channels, uint32_t data_bytes)
{
    weir_buf_adds(out, "RIFF");
    weir_fixed32_add(out, HEADER - 8 + data_bytes);
    weir_buf_adds(out, "WAVEfmt ");
    weir_fixed32_add(out, 16);
    add16(out, 1);
    add16(out, channels);
    weir_fixed32_add(out, rate);
    weir_fixed32_add(out, rate * channels * SAMPLE_BYTES);
    add16(out, channels * SAMPLE_BYTES);
    add16(out, 8 * SAMPLE_BYTES);
    weir_buf_adds(out, "data");
    weir_fixed32_add(out, data_bytes);
}

weir_status weir_wav_encode(const float *samples, int64_t sample_rate, int64_t channels,
                            int64_t frames, weir_buf *out)
{
    if (sample_rate < 1 || sample_rate > UINT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "sample_rate must be in (0, 2^32), got: %lld",
                          (long long)sample_rate);
    if (channels < 1 || channels > UINT16_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_channels must be in (0, 2^16), got: %lld",
                          (long long)channels);
    if (frames < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_frames must be positive.");
    int64_t bytes;
    if (__builtin_mul_overflow(frames, channels * SAMPLE_BYTES, &bytes) ||
        bytes > UINT32_MAX - HEADER)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Provided channels and frames cannot be encoded as a WAV.");
    weir_buf_reserve(out, (size_t)bytes + HEADER);
    add_header(out, (uint32_t)sample_rate, (unsigned)channels, (uint32_t)bytes);
    for (int64_t i = 0; i < frames * channels; i++)
        add16(out, (uint16_t)clip(samples[i]));
    return WEIR_OK;
}
