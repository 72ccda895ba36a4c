/* io/wav.h - audio as 16-bit PCM WAV. */
#ifndef WEIR_IO_WAV_H
#define WEIR_IO_WAV_H

#include "base/str.h"

/* Appends a WAV file of |frames| * |channels| interleaved samples in [-1, 1]; values beyond are
 * clipped. INVALID_ARGUMENT when a size does not fit the format. */
WEIR_CHECKED weir_status weir_wav_encode(const float *samples, int64_t sample_rate,
                                         int64_t channels, int64_t frames, weir_buf *out);

#endif
