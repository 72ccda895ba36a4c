/* ops/string/ngrams.c - StringNGrams: joins every n adjacent strings of a row. */
#include <inttypes.h>

#include "base/arith.h"
#include "base/stop.h"
#include "ops/common/elements.h"
#include "ops/string/string_impl.h"

enum { SEPARATOR, WIDTHS, LEFT, RIGHT, PAD, KEEP_SHORT }; /* attrs */
enum { DATA, SPLITS };                                    /* inputs */
enum { NGRAMS, OUT_SPLITS };                              /* outputs */
enum { MOST_BYTES = 1 << 30 };                            /* of one n-gram's padding */

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, DATA, 1));
    WEIR_TRY(weir_infer_rank(infer, SPLITS, 1));
    infer->out[NGRAMS] = weir_shape_vector(-1);
    infer->out[OUT_SPLITS] = *infer->in[SPLITS];
    return WEIR_OK;
}

/* Padding on either side is narrower than the n-gram. */
static int64_t pad_of(const weir_site *site, int64_t width)
{
    int64_t pad = weir_site_int(site, PAD);
    return pad < 0 || pad > width - 1 ? width - 1 : pad;
}

static int64_t count_of(const weir_site *site, int64_t length, int64_t width)
{
    int64_t count = length + 2 * pad_of(site, width) - width + 1;
    return weir_max(count, 0);
}

static weir_status check_widths(const weir_site *site, int64_t longest)
{
    const weir_attr *widths = weir_site_list(site, WIDTHS);
    size_t each = weir_site_str(site, LEFT).length + weir_site_str(site, RIGHT).length +
                  weir_site_str(site, SEPARATOR).length + 1;
    for (int k = 0; k < widths->count; k++) {
        if (widths->is[k] <= 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "ngram_widths must contain positive values");
        int64_t pad = pad_of(site, widths->is[k]);
        if (pad > INT32_MAX / 2 - longest || (size_t)pad > MOST_BYTES / each)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Pad width could lead to integer overflow, got pad_width = %" PRId64,
                              pad);
    }
    return WEIR_OK;
}

static weir_status check_splits(const weir_tensor *splits, int64_t size, int64_t *out_longest)
{
    int64_t before = 0;
    *out_longest = 0;
    for (int64_t i = 0; i < weir_tensor_count(splits); i++) {
        int64_t now = weir_int_at(splits, i);
        if (i == 0 && now != 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "First split value must be 0, got %" PRId64,
                              now);
        if (now < before || now > size)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid split value %" PRId64 ", must be in [%" PRId64 ", %" PRId64
                              "]",
                              now, before, size);
        *out_longest = now - before > *out_longest ? now - before : *out_longest;
        before = now;
    }
    if (weir_tensor_count(splits) && before != size)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Last split value must be data size. Expected %" PRId64 ", got %" PRId64,
                          size, before);
    return WEIR_OK;
}

/* Whether a row is kept whole because it is shorter than all n-grams. */
static bool is_kept(const weir_site *site, int64_t length, int64_t ngrams)
{
    return weir_site_bool(site, KEEP_SHORT) && length > 0 && ngrams == 0;
}

static int64_t ngrams_of(const weir_site *site, int64_t length)
{
    const weir_attr *widths = weir_site_list(site, WIDTHS);
    int64_t count = 0;
    for (int k = 0; k < widths->count; k++)
        count += count_of(site, length, widths->is[k]);
    return count;
}

static void add_part(weir_buf *buf, weir_str separator, bool *first, weir_str part)
{
    if (!*first)
        weir_buf_add(buf, separator.at, separator.length);
    *first = false;
    weir_buf_add(buf, part.at, part.length);
}

/* Writes n-gram |n| of |count| with |width| parts over the row that starts at |begin|. */
static void write_ngram(weir_call *call, int64_t begin, int64_t n, int64_t count, int64_t width,
                        int64_t at)
{
    const weir_site *site = call->site;
    int64_t pad = pad_of(site, width), left = pad - n, right = pad - (count - n - 1);
    left = weir_max(left, 0);
    right = weir_max(right, 0);
    int64_t from = left > 0 ? 0 : n - pad, tokens = width - left - right;
    weir_str separator = weir_site_str(site, SEPARATOR);
    WEIR_BUF(text);
    bool first = true;
    for (int64_t i = 0; i < left; i++)
        add_part(&text, separator, &first, weir_site_str(site, LEFT));
    for (int64_t i = 0; i < tokens; i++)
        add_part(&text, separator, &first, weir_str_at(weir_in(call, DATA), begin + from + i));
    for (int64_t i = 0; i < right; i++)
        add_part(&text, separator, &first, weir_site_str(site, RIGHT));
    weir_str_put(weir_out(call, NGRAMS), at, weir_view(&text));
}

static weir_status write_row(weir_call *call, int64_t begin, int64_t length, int64_t at)
{
    const weir_site *site = call->site;
    const weir_attr *widths = weir_site_list(site, WIDTHS);
    int64_t start = at, pad = weir_site_int(site, PAD);
    for (int k = 0; k < widths->count; k++) {
        int64_t count = count_of(site, length, widths->is[k]);
        for (int64_t n = 0; n < count && !weir_stopped(); n++)
            write_ngram(call, begin, n, count, widths->is[k], at++);
    }
    if (!is_kept(site, length, at - start))
        return WEIR_OK;
    if (pad < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Pad width should be >= 0 when preserve_short_sequences is True and "
                          "ngram_widths are not provided, got %" PRId64,
                          pad);
    if (pad > MOST_BYTES)
        return weir_error(WEIR_INVALID_ARGUMENT, "pad_width %" PRId64 " is too wide", pad);
    write_ngram(call, begin, 0, 1, length + 2 * pad, at);
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *data = weir_in(call, DATA), *splits = weir_in(call, SPLITS);
    int64_t size = weir_tensor_count(data), rows = weir_tensor_count(splits) - 1, total = 0,
            longest;
    WEIR_TRY(check_splits(splits, size, &longest));
    WEIR_TRY(check_widths(call->site, longest));
    WEIR_TRY(weir_call_alloc(call, OUT_SPLITS, &splits->shape));
    weir_tensor *out = weir_out(call, OUT_SPLITS);
    weir_tensor_zero(NULL, out);
    if (size == 0 || rows < 0)
        return weir_call_alloc(call, NGRAMS, &data->shape);
    for (int64_t row = 0; row < rows; row++) {
        int64_t length = weir_int_at(splits, row + 1) - weir_int_at(splits, row);
        int64_t count = ngrams_of(call->site, length);
        total += is_kept(call->site, length, count) ? 1 : count;
        weir_int_set(out, row + 1, total);
    }
    weir_shape vector = weir_shape_vector(total);
    WEIR_TRY(weir_call_alloc(call, NGRAMS, &vector));
    for (int64_t row = 0; row < rows; row++) {
        int64_t begin = weir_int_at(splits, row), length = weir_int_at(splits, row + 1) - begin;
        WEIR_TRY(write_row(call, begin, length, weir_int_at(out, row)));
    }
    return WEIR_OK;
}

const weir_op weir_op_string_n_grams = {
    .name = "StringNGrams",
    .in = "data: string; data_splits: Tsplits",
    .out = "ngrams: string; ngrams_splits: Tsplits",
    .attrs = "separator: string; ngram_widths: list(int) >= 0; left_pad: string; "
             "right_pad: string; pad_width: int; preserve_short_sequences: bool; "
             "Tsplits: {int32, int64} = DT_INT64",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};
