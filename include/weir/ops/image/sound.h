/* weir/ops/image/sound.h - sound.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_IMAGE_SOUND_OPS_H
#define WEIR_IMAGE_SOUND_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AudioSpectrogram(input: float) -> spectrogram: float: spectral features of sound. */
typedef struct weir_audio_spectrogram_options {
    bool magnitude_squared;
} weir_audio_spectrogram_options;
static inline TF_Output weir_audio_spectrogram(weir_builder *builder, const char *node,
                                               TF_Output input, int64_t window_size, int64_t stride,
                                               const weir_audio_spectrogram_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AudioSpectrogram", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "window_size", window_size);
        TF_SetAttrInt(made, "stride", stride);
    }
    if (made && options) {
        TF_SetAttrBool(made, "magnitude_squared", options->magnitude_squared);
    }
    return weir_build_end(builder, made);
}

/* DecodeWav(contents: string) -> audio: float, sample_rate: int32: WAV files with 16-bit samples.
 * */
typedef struct weir_decode_wav_options {
    int64_t desired_channels; /* 0: -1 */
    int64_t desired_samples; /* 0: -1 */
} weir_decode_wav_options;
typedef struct weir_decode_wav_outputs {
    TF_Output audio;
    TF_Output sample_rate;
} weir_decode_wav_outputs;
static inline weir_decode_wav_outputs weir_decode_wav(weir_builder *builder, const char *node,
                                                      TF_Output contents,
                                                      const weir_decode_wav_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeWav", node);
    weir_build_input(builder, made, contents);
    if (made && options) {
        if (options->desired_channels != 0)
            TF_SetAttrInt(made, "desired_channels", weir_int_of(options->desired_channels));
        if (options->desired_samples != 0)
            TF_SetAttrInt(made, "desired_samples", weir_int_of(options->desired_samples));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_decode_wav_outputs out;
    out.audio = weir_output(op, 0);
    out.sample_rate = weir_output(op, 1);
    return out;
}

/* EncodeWav(audio: float, sample_rate: int32) -> contents: string: WAV files with 16-bit samples.
 * */
static inline TF_Output weir_encode_wav(weir_builder *builder, const char *node, TF_Output audio,
                                        TF_Output sample_rate)
{
    const TF_Output inputs[] = {audio, sample_rate};
    return weir_build_op(builder, "EncodeWav", node, inputs, 2);
}

/* Mfcc(spectrogram: float, sample_rate: int32) -> output: float: spectral features of sound. */
typedef struct weir_mfcc_options {
    float upper_frequency_limit; /* 0: 4000 */
    float lower_frequency_limit; /* 0: 20 */
    int64_t filterbank_channel_count; /* 0: 40 */
    int64_t dct_coefficient_count; /* 0: 13 */
} weir_mfcc_options;
static inline TF_Output weir_mfcc(weir_builder *builder, const char *node, TF_Output spectrogram,
                                  TF_Output sample_rate, const weir_mfcc_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Mfcc", node);
    weir_build_input(builder, made, spectrogram);
    weir_build_input(builder, made, sample_rate);
    if (made && options) {
        if (options->upper_frequency_limit != 0)
            TF_SetAttrFloat(made, "upper_frequency_limit",
                weir_float_of(options->upper_frequency_limit));
        if (options->lower_frequency_limit != 0)
            TF_SetAttrFloat(made, "lower_frequency_limit",
                weir_float_of(options->lower_frequency_limit));
        if (options->filterbank_channel_count != 0)
            TF_SetAttrInt(made, "filterbank_channel_count",
                weir_int_of(options->filterbank_channel_count));
        if (options->dct_coefficient_count != 0)
            TF_SetAttrInt(made, "dct_coefficient_count",
                weir_int_of(options->dct_coefficient_count));
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
