/* data/fit_init.c - whether a model and a source can meet, and how. */
#include "data/fit.h"

#include <math.h>

enum { MOST_ELEMENTS = 1 << 28 }; /* of one example */

static weir_status check_types(const weir_fit *f)
{
    bool good = weir_dtype_is_float(f->type) || weir_dtype_is_int(f->type);
    if (!good)
        return weir_error(WEIR_INVALID_ARGUMENT, "examples are floats or integers, not %s",
                          weir_dtype_name((int)f->type));
    if (f->label_type && f->label_type != WEIR_INT32 && f->label_type != WEIR_INT64 &&
        !weir_dtype_is_float(f->label_type))
        return weir_error(WEIR_INVALID_ARGUMENT, "labels are int32, int64 or floats, not %s",
                          weir_dtype_name((int)f->label_type));
    return WEIR_OK;
}

static weir_status check_dims(weir_fit *f)
{
    weir_shape shape;
    if (f->rank < 0 || f->rank > 4)
        return weir_error(WEIR_INVALID_ARGUMENT, "examples have up to 4 dims, not %d", f->rank);
    for (int i = 0; i < f->rank; i++)
        if (f->dims[i] < 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "dim %d of an example is %lld, not 1 or more",
                              i, (long long)f->dims[i]);
    WEIR_TRY(weir_shape_make(f->dims, f->rank, &shape));
    f->count = weir_shape_count(&shape);
    if (f->count > MOST_ELEMENTS)
        return weir_error(WEIR_INVALID_ARGUMENT, "an example of %lld elements is too large",
                          (long long)f->count);
    return WEIR_OK;
}

/* n as a square image of 1 or 3 channels; false when it is none. */
static bool square(int64_t n, int64_t *out_side, int *out_channels)
{
    for (int channels = 1; channels <= 3; channels += 2) {
        int64_t side = n % channels ? 0 : (int64_t)(sqrt((double)(n / channels)) + 0.5);
        if (side > 0 && side * side * channels == n) {
            *out_side = side, *out_channels = channels;
            return true;
        }
    }
    return false;
}

/* What image |dims| stand for: rows, columns and channels, or all of them in one. */
static weir_status read_image_dims(weir_fit *f, const weir_source *s)
{
    f->height = f->dims[0];
    f->width = f->rank > 1 ? f->dims[1] : 1;
    f->channels = f->rank > 2 ? (int)f->dims[2] : 1;
    if (f->rank == 1) {
        int64_t natural = s->rank == 3 ? s->dims[0] * s->dims[1] * s->dims[2] : -1;
        if (natural == f->count) {
            f->height = s->dims[0], f->width = s->dims[1], f->channels = (int)s->dims[2];
        } else if (square(f->count, &f->height, &f->channels)) {
            f->width = f->height;
        } else {
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "the model takes %lld numbers, which is no square image of 1 or 3 "
                              "channels; give its dims as height, width, channels",
                              (long long)f->count);
        }
    }
    if (f->rank > 3 || (f->channels != 1 && f->channels != 3)) {
        weir_shape wanted = weir_fit_shape(f, false, 1);
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "images are [height, width, 1 or 3 channels], the model wants batches of %s",
            WEIR_SHAPE_STR(&wanted));
    }
    if (f->height > WEIR_MOST_SIDE || f->width > WEIR_MOST_SIDE)
        return weir_error(WEIR_INVALID_ARGUMENT, "images of %lld by %lld are too large",
                          (long long)f->width, (long long)f->height);
    f->resizes = s->rank != 3 || f->height != s->dims[0] || f->width != s->dims[1] ||
                 f->channels != s->dims[2];
    return WEIR_OK;
}

static weir_status check_numbers(const weir_fit *f, const weir_source *s)
{
    int64_t have = 1;
    for (int i = 0; i < s->rank; i++)
        have *= s->dims[i];
    if (s->rank > 0 && have != f->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the %s data have %lld numbers an example, the model wants %lld", s->kind,
                          (long long)have, (long long)f->count);
    return WEIR_OK;
}

static void set_variation(weir_fit *f, const weir_data_options *o, const weir_source *s)
{
    if (!o->augment || !f->is_image)
        return;
    if (o->variation)
        f->vary = *o->variation;
    else if (s->rank == 3) /* small ones of one size */
        f->vary = (weir_data_variation){
            .flip = !s->upright, .shift = s->upright ? 0.08 : 0.125, .brightness = 0};
    else
        f->vary = (weir_data_variation){.flip = true, .crop = 0.7, .brightness = 0.1};
    f->varies = true;
}

static weir_status check_variation(const weir_data_variation *v)
{
    bool good = v->shift >= 0 && v->shift <= 1 && v->crop >= 0 && v->crop <= 1 &&
                v->brightness >= 0 && v->brightness <= 1;
    return good ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT,
                             "shift, crop and brightness are between 0 and 1, got %g, %g and %g",
                             v->shift, v->crop, v->brightness);
}

weir_status weir_fit_init(weir_fit *f, const weir_data_options *o, const weir_source *s)
{
    *f = (weir_fit){
        .type = o->type        ? (weir_dtype)o->type
                : s->of_tokens ? WEIR_INT32
                               : WEIR_FLOAT,
        .label_type = (weir_dtype)o->label_type,
        .rank = o->rank > 0 ? o->rank : s->rank,
        .seed = o->seed,
        .classes = o->classes ? o->classes : s->classes,
        .is_image = s->of_images,
        .of_tokens = s->of_tokens,
    };
    memcpy(f->dims, o->rank > 0 ? o->dims : s->dims, sizeof f->dims);
    WEIR_TRY(check_types(f));
    if (f->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; the images have many sizes: say what the model wants (rank, dims)",
                          o->source);
    WEIR_TRY(check_dims(f));
    f->scale = o->scale != 0                                 ? (float)o->scale
               : f->is_image && weir_dtype_is_float(f->type) ? 1 / 255.0f
                                                             : 1;
    WEIR_TRY(f->is_image ? read_image_dims(f, s) : s->of_tokens ? WEIR_OK : check_numbers(f, s));
    set_variation(f, o, s);
    return check_variation(&f->vary);
}

weir_shape weir_fit_shape(const weir_fit *f, bool labels, int64_t n)
{
    weir_shape shape = weir_shape_vector(n);
    if (!labels || f->of_tokens)
        for (int i = 0; i < f->rank; i++)
            weir_shape_append(&shape, f->dims[i]);
    return shape;
}
