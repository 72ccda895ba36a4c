/* data/records.c - TFRecord files of Examples, plain or compressed: a stream.
 *
 * Unless the options name them, the features for x and y are chosen from the first record. x is
 * an encoded image, raw pixels (with the size from other features, or from the model), or
 * numbers.
 */
#include <inttypes.h>
#include <math.h>

#include "data/source.h"
#include "io/example.h"
#include "io/image.h"
#include "io/record.h"
#include "wire/messages.h"

static const char *const x_names[] = {"image/encoded", "image_raw", "image",    "encoded", "jpeg",
                                      "png",           "x",         "features", "inputs",  "input",
                                      "data",          "pixels",    NULL};
static const char *const y_names[] = {
    "image/class/label", "label", "labels", "class", "y", "target", NULL};
static const char *const height_names[] = {"image/height", "height", "rows", NULL};
static const char *const width_names[] = {"image/width", "width", "cols", NULL};
static const char *const channels_names[] = {"image/channels", "channels", "depth", NULL};

typedef struct record_source {
    weir_source base;
    weir_paths files;
    char *x_name, *y_name; /* y_name may be null: no labels */
    bool wants_labels;
    weir_dtype x_dtype;
    bool encoded;
    int rank; /* of the model's input */
    int64_t dims[4];
    /* The current stream; null: before |file|. */
    weir_stream *stream;
    int file;
} record_source;

/* ---- which files ----------------------------------------------------------------------------- */

static bool is_record_file(const char *name)
{
    const char *of = strstr(name, "-of-");
    bool part = of && of - name >= 5 && strspn(of + 4, "0123456789") >= 5 &&
                strspn(of - 5, "0123456789") == 5;
    return part || weir_name_ends(name, ".tfrecord") || weir_name_ends(name, ".tfrecords") ||
           weir_name_ends(name, ".tfrecord.gz") || weir_name_ends(name, ".tfrecords.gz");
}

static bool claims(const weir_data_place *place)
{
    return weir_data_place_has(place, is_record_file);
}

/* Detects compression by the first bytes: the checksum of an uncompressed record's length, or a
 * compression header. */
static weir_status packing_of(const char *path, weir_packing *out_packing)
{
    uint8_t head[WEIR_RECORD_HEADER] = {0};
    size_t got = 0;
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(path, &file));
    WEIR_TRY(weir_rfile_read_some(file, 0, head, sizeof head, &got));
    bool plain = got < sizeof head || weir_record_begins((weir_str){(const char *)head, got});
    *out_packing = plain                                                    ? WEIR_PACKING_NONE
                   : head[0] == 0x1f && head[1] == 0x8b                     ? WEIR_PACKING_GZIP
                   : head[0] == 0x78 && (head[0] * 256 + head[1]) % 31 == 0 ? WEIR_PACKING_ZLIB
                                                                            : WEIR_PACKING_NONE;
    return WEIR_OK;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static weir_status rewind_records(weir_source *base)
{
    record_source *source = (record_source *)base;
    weir_stream_destroy(source->stream);
    source->stream = NULL;
    source->file = 0;
    return WEIR_OK;
}

static weir_status open_file(record_source *source)
{
    weir_packing packing;
    const char *path = source->files.at[source->file];
    WEIR_TRY(packing_of(path, &packing));
    return weir_stream_open(path, packing, 1 << 20, &source->stream);
}

static weir_status read_record(weir_source *base, weir_item *item)
{
    record_source *source = (record_source *)base;
    while (source->file < (int)source->files.count) {
        if (!source->stream)
            WEIR_TRY(open_file(source));
        item->file = source->file;
        item->offset = weir_stream_tell(source->stream);
        weir_status status = weir_record_read(source->stream, &item->bytes);
        if (!status)
            return WEIR_OK;
        if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
            return weir_status_note(weir_status_prefix(status, "%s, byte %" PRIu64 "; ",
                                                       source->files.at[source->file],
                                                       item->offset),
                                    " (put a whole copy of the file there)");
        weir_status_free(status);
        weir_stream_destroy(source->stream);
        source->stream = NULL;
        source->file++;
    }
    return weir_error(WEIR_OUT_OF_RANGE, "no more records");
}

/* ---- features -------------------------------------------------------------------------------- */

typedef struct features {
    const record_source *s;
    weir_str x, y, height, width, channels; /* messages */
    bool has_x, has_y;
} features;

static bool is_one_of(weir_str key, const char *const *names)
{
    for (; *names; names++)
        if (weir_str_is(key, *names))
            return true;
    return false;
}

static void keep_feature(void *arg, weir_str key, weir_str value)
{
    features *features = arg;
    if (weir_str_is(key, features->s->x_name))
        features->x = value, features->has_x = true;
    else if (features->s->y_name && weir_str_is(key, features->s->y_name))
        features->y = value, features->has_y = true;
    else if (is_one_of(key, height_names))
        features->height = value;
    else if (is_one_of(key, width_names))
        features->width = value;
    else if (is_one_of(key, channels_names))
        features->channels = value;
}

/* The first value of an integer feature; |otherwise| if it has none. */
static int64_t int_of(weir_str bytes, int64_t otherwise)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_feature feature;
    if (!weir_feature_read(bytes, &arena, &feature) || feature.count < 1 ||
        feature.dtype == WEIR_STRING)
        return otherwise;
    if (feature.dtype == WEIR_INT64)
        return *(const int64_t *)feature.values;
    float value = *(const float *)feature.values;
    return value >= 0 && value < 0x1p62f && value == floorf(value) ? (int64_t)value : otherwise;
}

/* ---- examples -------------------------------------------------------------------------------- */

/* Height and width of pixels without such features: the model's, or a square's. */
static bool guess_sides(const record_source *source, size_t bytes, weir_example *example)
{
    int64_t wanted = 1;
    for (int i = 0; i < source->rank; i++)
        wanted *= source->dims[i];
    if (source->rank >= 2 && source->rank <= 3 && wanted == (int64_t)bytes) {
        example->height = source->dims[0], example->width = source->dims[1];
        example->channels = source->rank == 3 ? (int)source->dims[2] : 1;
        return true;
    }
    for (example->channels = 1; example->channels <= 3; example->channels += 2) {
        example->height = example->width = (int64_t)(sqrt((double)bytes / example->channels) + 0.5);
        if (example->height > 0 &&
            (size_t)(example->height * example->width * example->channels) == bytes)
            return true;
    }
    return false;
}

static weir_status take_pixels(const record_source *source, const features *features,
                               weir_str bytes, weir_example *example)
{
    enum { MOST = 1 << 28 };
    int64_t h = int_of(features->height, 0), w = int_of(features->width, 0),
            c = int_of(features->channels, 0);
    example->kind = WEIR_PIXELS;
    example->bytes = bytes;
    if (h > 0 && w > 0 && h < MOST && w < MOST && c >= 0 && c <= 4) {
        size_t channels = c ? (size_t)c : bytes.length / (size_t)(h * w), need;
        bool fits = weir_size_mul((size_t)(h * w), channels, &need) && need == bytes.length &&
                    (channels == 1 || channels == 3 || channels == 4);
        example->height = h, example->width = w, example->channels = (int)channels;
        if (fits)
            return WEIR_OK;
    } else if (h == 0 && w == 0 && guess_sides(source, bytes.length, example)) {
        return WEIR_OK;
    }
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "feature %s has %zu bytes, neither an image file nor pixels of a known size "
                      "(height %lld, width %lld, channels %lld): name another one",
                      source->x_name, bytes.length, (long long)h, (long long)w, (long long)c);
}

static weir_status take_numbers(const weir_feature *feature, weir_scratch *scratch,
                                weir_example *example)
{
    float *floats =
        (float *)weir_scratch_room(&scratch->file, (size_t)feature->count * sizeof(float));
    for (int64_t i = 0; i < feature->count; i++)
        floats[i] = feature->dtype == WEIR_FLOAT ? ((const float *)feature->values)[i]
                                                 : (float)((const int64_t *)feature->values)[i];
    example->kind = WEIR_NUMBERS;
    example->numbers = floats;
    example->count = feature->count;
    return WEIR_OK;
}

static weir_status find_features(const record_source *source, weir_str record, features *out)
{
    *out = (features){.s = source};
    if (!weir_features_visit(record, WEIR_FIELD_example_features, keep_feature, out))
        return weir_error(WEIR_DATA_LOSS, "the record is no Example: it was written as something "
                                          "else, or damaged before it was");
    if (!out->has_x || (source->wants_labels && !out->has_y))
        return weir_error(WEIR_INVALID_ARGUMENT, "the Example has no feature %s",
                          out->has_x ? source->y_name : source->x_name);
    return WEIR_OK;
}

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const record_source *source = (const record_source *)base;
    WEIR_MESSAGE_ARENA(arena);
    features features;
    weir_feature feature;
    WEIR_TRY(find_features(source, weir_view(&item->bytes), &features));
    *out = (weir_example){.kind = WEIR_ENCODED,
                          .label = source->wants_labels ? int_of(features.y, -1) : 0};
    if (!weir_feature_read(features.x, &arena, &feature) || feature.dtype != source->x_dtype ||
        feature.count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "feature %s has no value, or one of another type",
                          source->x_name);
    if (feature.dtype != WEIR_STRING)
        return take_numbers(&feature, scratch, out);
    out->bytes = *(const weir_str *)feature.values;
    return source->encoded ? WEIR_OK : take_pixels(source, &features, out->bytes, out);
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    weir_buf_addf(out, "%s, byte %" PRIu64, ((const record_source *)base)->files.at[item->file],
                  item->offset);
}

static void destroy(weir_source *base)
{
    record_source *source = (record_source *)base;
    weir_stream_destroy(source->stream);
    weir_paths_fini(&source->files);
    weir_free(source->x_name);
    weir_free(source->y_name);
    weir_free(source);
}

static const weir_source_class class = {.fetch = fetch,
                                        .rewind = rewind_records,
                                        .read = read_record,
                                        .where = where,
                                        .destroy = destroy};

/* ---- opening --------------------------------------------------------------------------------- */

/* The features of the first Example. */
typedef struct survey {
    weir_buf all; /* names, for messages */
    weir_str x, y, other;
    int x_rank, y_rank; /* indices in the lists of names; the smallest is used */
    int others;         /* number of features in no list */
} survey;

static int rank_of(weir_str key, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (weir_str_is(key, names[i]))
            return i;
    return INT32_MAX;
}

static void survey_feature(void *arg, weir_str key, weir_str value)
{
    survey *survey = arg;
    int x = rank_of(key, x_names), y = rank_of(key, y_names);
    weir_buf_addf(&survey->all, "%s%.*s", survey->all.length ? ", " : "", WEIR_STR_ARG(key));
    if (x < survey->x_rank)
        survey->x = key, survey->x_rank = x;
    if (y < survey->y_rank)
        survey->y = key, survey->y_rank = y;
    if (x == INT32_MAX && y == INT32_MAX && !is_one_of(key, height_names) &&
        !is_one_of(key, width_names) && !is_one_of(key, channels_names))
        survey->other = key, survey->others++;
}

static weir_status choose_names(record_source *source, const weir_data_options *options,
                                weir_str record)
{
    survey survey = {.x_rank = INT32_MAX, .y_rank = INT32_MAX};
    weir_status status = WEIR_OK;
    if (!weir_features_visit(record, WEIR_FIELD_example_features, survey_feature, &survey))
        status = weir_error(WEIR_INVALID_ARGUMENT, "the record is no Example");
    if (survey.x_rank == INT32_MAX && survey.others == 1)
        survey.x = survey.other;
    if (options->x_name)
        survey.x = weir_str_of(options->x_name);
    if (options->y_name)
        survey.y = weir_str_of(options->y_name);
    if (!status && (survey.x.length == 0 || (source->wants_labels && survey.y.length == 0)))
        status = weir_error(
            WEIR_INVALID_ARGUMENT, "none of the features (%s) is known to be %s: name it (%s)",
            survey.all.at ? survey.all.at : "", survey.x.length ? "the label" : "the input",
            survey.x.length ? "y_name" : "x_name");
    if (!status) {
        source->x_name = weir_strndup(survey.x.at, survey.x.length);
        source->y_name = survey.y.length ? weir_strndup(survey.y.at, survey.y.length) : NULL;
    }
    weir_buf_fini(&survey.all);
    return status;
}

/* Determines the kind and size of x from the first record. */
static weir_status study_x(record_source *source, const weir_item *first)
{
    WEIR_MESSAGE_ARENA(arena);
    features features;
    weir_feature feature;
    WEIR_TRY(find_features(source, weir_view(&first->bytes), &features));
    if (!weir_feature_read(features.x, &arena, &feature) || feature.count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "feature %s has no value", source->x_name);
    source->x_dtype = feature.dtype;
    if (feature.dtype != WEIR_STRING) {
        source->base.rank = 1;
        source->base.dims[0] = feature.count;
        return WEIR_OK;
    }
    weir_str bytes = *(const weir_str *)feature.values;
    source->base.of_images = true;
    source->encoded = weir_image_sniff(bytes) != WEIR_IMAGE_UNKNOWN;
    weir_example example;
    if (source->encoded)
        return WEIR_OK;
    WEIR_TRY(take_pixels(source, &features, bytes, &example));
    source->base.rank = 3;
    source->base.dims[0] = example.height, source->base.dims[1] = example.width,
    source->base.dims[2] = example.channels;
    return WEIR_OK;
}

static weir_status study_first(record_source *source, const weir_data_options *options,
                               weir_item *first)
{
    weir_status status = read_record(&source->base, first);
    if (weir_status_code(status) == WEIR_OUT_OF_RANGE) {
        weir_status_free(status);
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has no records", source->files.at[0]);
    }
    WEIR_TRY(status);
    status = choose_names(source, options, weir_view(&first->bytes));
    if (!status)
        status = study_x(source, first);
    return weir_status_prefix(status, "%s, byte %" PRIu64 "; ", source->files.at[first->file],
                              first->offset);
}

static weir_status study(record_source *source, const weir_data_options *options)
{
    weir_item first = {0};
    weir_status status = study_first(source, options, &first);
    weir_buf_fini(&first.bytes);
    return status;
}

/* With enough files, each shard reads its own; otherwise every shard skips the others' records. */
static void keep_own_files(record_source *source, const weir_data_options *options)
{
    size_t kept = 0;
    if (options->shards <= 1 || source->files.count < (size_t)options->shards)
        return;
    for (size_t i = 0; i < source->files.count; i++)
        if (i % (size_t)options->shards == (size_t)options->shard)
            source->files.at[kept++] = source->files.at[i];
        else
            weir_free(source->files.at[i]);
    source->files.count = kept;
    source->base.sharded = true;
}

static weir_status open_records(const weir_data_place *place, weir_source **out_source)
{
    record_source *source = WEIR_NEW(record_source);
    const weir_data_options *options = place->options;
    source->base = (weir_source){.class = &class, .count = -1, .classes = options->classes};
    source->wants_labels = options->label_type != 0;
    source->rank = options->rank;
    memcpy(source->dims, options->dims, sizeof source->dims);
    WEIR_OWNED(weir_source) owned = &source->base;
    weir_data_place_files(place, weir_split_wanted(options), is_record_file, &source->files,
                          &source->base.is_whole);
    if (source->files.count == 0)
        return weir_error(WEIR_NOT_FOUND, "%s; has no records for %s", place->path,
                          options->split ? options->split : "train");
    keep_own_files(source, options);
    WEIR_TRY(study(source, options));
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_records_source = {"records", claims, open_records};
