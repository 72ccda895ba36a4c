/* data/fit_init.c - checks that a source fits a model, and plans the conversion. */
#include "data/fit.h"

#include <math.h>

enum { MOST_ELEMENTS = 1 << 28 }; /* of one example */

static weir_status check_types(const weir_fit *fit)
{
    bool good = weir_dtype_is_float(fit->type) || weir_dtype_is_int(fit->type);
    if (!good)
        return weir_error(WEIR_INVALID_ARGUMENT, "examples are floats or integers, not %s",
                          weir_dtype_name((int)fit->type));
    if (fit->label_type && fit->label_type != WEIR_INT32 && fit->label_type != WEIR_INT64 &&
        !weir_dtype_is_float(fit->label_type))
        return weir_error(WEIR_INVALID_ARGUMENT, "labels are int32, int64 or floats, not %s",
                          weir_dtype_name((int)fit->label_type));
    return WEIR_OK;
}

static weir_status check_dims(weir_fit *fit)
{
    weir_shape shape;
    if (fit->rank < 0 || fit->rank > 4)
        return weir_error(WEIR_INVALID_ARGUMENT, "examples have up to 4 dims, not %d", fit->rank);
    for (int i = 0; i < fit->rank; i++)
        if (fit->dims[i] < 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "dim %d of an example is %lld, not 1 or more",
                              i, (long long)fit->dims[i]);
    WEIR_TRY(weir_shape_make(fit->dims, fit->rank, &shape));
    fit->count = weir_shape_count(&shape);
    if (fit->count > MOST_ELEMENTS)
        return weir_error(WEIR_INVALID_ARGUMENT, "an example of %lld elements is too large",
                          (long long)fit->count);
    return WEIR_OK;
}

/* |count| as a square image of 1 or 3 channels; false if impossible. */
static bool square(int64_t count, int64_t *out_side, int *out_channels)
{
    for (int channels = 1; channels <= 3; channels += 2) {
        int64_t side = count % channels ? 0 : (int64_t)(sqrt((double)(count / channels)) + 0.5);
        if (side > 0 && side * side * channels == count) {
            *out_side = side, *out_channels = channels;
            return true;
        }
    }
    return false;
}

/* The image that |dims| describe: rows, columns and channels, or flattened. */
static weir_status read_image_dims(weir_fit *fit, const weir_source *source)
{
    fit->height = fit->dims[0];
    fit->width = fit->rank > 1 ? fit->dims[1] : 1;
    fit->channels = fit->rank > 2 ? (int)fit->dims[2] : 1;
    if (fit->rank == 1) {
        int64_t natural =
            source->rank == 3 ? source->dims[0] * source->dims[1] * source->dims[2] : -1;
        if (natural == fit->count) {
            fit->height = source->dims[0], fit->width = source->dims[1],
            fit->channels = (int)source->dims[2];
        } else if (square(fit->count, &fit->height, &fit->channels)) {
            fit->width = fit->height;
        } else {
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "the model takes %lld numbers, which is no square image of 1 or 3 "
                              "channels; give its dims as height, width, channels",
                              (long long)fit->count);
        }
    }
    if (fit->rank > 3 || (fit->channels != 1 && fit->channels != 3)) {
        weir_shape wanted = weir_fit_shape(fit, false, 1);
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "images are [height, width, 1 or 3 channels], the model wants batches of %s",
            WEIR_SHAPE_STR(&wanted));
    }
    if (fit->height > WEIR_MOST_SIDE || fit->width > WEIR_MOST_SIDE)
        return weir_error(WEIR_INVALID_ARGUMENT, "images of %lld by %lld are too large",
                          (long long)fit->width, (long long)fit->height);
    fit->resizes = source->rank != 3 || fit->height != source->dims[0] ||
                   fit->width != source->dims[1] || fit->channels != source->dims[2];
    return WEIR_OK;
}

static weir_status check_numbers(const weir_fit *fit, const weir_source *source)
{
    int64_t have = 1;
    for (int i = 0; i < source->rank; i++)
        have *= source->dims[i];
    if (source->rank > 0 && have != fit->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the %s data have %lld numbers an example, the model wants %lld",
                          source->kind, (long long)have, (long long)fit->count);
    return WEIR_OK;
}

static void set_variation(weir_fit *fit, const weir_data_options *options,
                          const weir_source *source)
{
    if (!options->augment || !fit->is_image)
        return;
    if (options->variation)
        fit->vary = *options->variation;
    else if (source->rank == 3) /* small images of fixed size */
        fit->vary = (weir_data_variation){
            .flip = !source->upright, .shift = source->upright ? 0.08 : 0.125, .brightness = 0};
    else
        fit->vary = (weir_data_variation){.flip = true, .crop = 0.7, .brightness = 0.1};
    fit->varies = true;
}

static weir_status check_variation(const weir_data_variation *variation)
{
    bool good = variation->shift >= 0 && variation->shift <= 1 && variation->crop >= 0 &&
                variation->crop <= 1 && variation->brightness >= 0 && variation->brightness <= 1;
    return good ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT,
                             "shift, crop and brightness are between 0 and 1, got %g, %g and %g",
                             variation->shift, variation->crop, variation->brightness);
}

weir_status weir_fit_init(weir_fit *fit, const weir_data_options *options,
                          const weir_source *source)
{
    *fit = (weir_fit){
        .type = options->type       ? (weir_dtype)options->type
                : source->of_tokens ? WEIR_INT32
                                    : WEIR_FLOAT,
        .label_type = (weir_dtype)options->label_type,
        .rank = options->rank > 0 ? options->rank : source->rank,
        .seed = options->seed,
        .classes = options->classes ? options->classes : source->classes,
        .is_image = source->of_images,
        .of_tokens = source->of_tokens,
    };
    memcpy(fit->dims, options->rank > 0 ? options->dims : source->dims, sizeof fit->dims);
    WEIR_TRY(check_types(fit));
    if (fit->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; the images have many sizes: say what the model wants (rank, dims)",
                          options->source);
    WEIR_TRY(check_dims(fit));
    fit->scale = options->scale != 0                               ? (float)options->scale
                 : fit->is_image && weir_dtype_is_float(fit->type) ? 1 / 255.0f
                                                                   : 1;
    WEIR_TRY(fit->is_image       ? read_image_dims(fit, source)
             : source->of_tokens ? WEIR_OK
                                 : check_numbers(fit, source));
    set_variation(fit, options, source);
    return check_variation(&fit->vary);
}

weir_shape weir_fit_shape(const weir_fit *fit, bool labels, int64_t count)
{
    weir_shape shape = weir_shape_vector(count);
    if (!labels || fit->of_tokens)
        for (int i = 0; i < fit->rank; i++)
            weir_shape_append(&shape, fit->dims[i]);
    return shape;
}
