/* data/records.c - TFRecord files of Examples, plain or compressed: a stream.
 *
 * The first record decides which feature is x and which is y, unless the options name them. x is
 * the bytes of an image file, bytes of pixels (whose sides are features too, or what the model
 * wants), or numbers.
 */
#include <inttypes.h>
#include <math.h>

#include "data/source.h"
#include "io/example.h"
#include "io/image.h"
#include "io/record.h"

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
    int rank; /* of what the model wants */
    int64_t dims[4];
    /* Where the stream is; null: before |file|. */
    weir_stream *stream;
    int file;
} record_source;

/* ---- which files ---- */

static bool is_record_file(const char *name)
{
    const char *of = strstr(name, "-of-");
    bool part = of && of - name >= 5 && strspn(of + 4, "0123456789") >= 5 &&
                strspn(of - 5, "0123456789") == 5;
    return part || weir_name_ends(name, ".tfrecord") || weir_name_ends(name, ".tfrecords") ||
           weir_name_ends(name, ".tfrecord.gz") || weir_name_ends(name, ".tfrecords.gz");
}

static bool claims(const weir_place *p)
{
    return weir_place_has(p, is_record_file);
}

/* By the first bytes: the checksum of a plain record's length, or what compressed data start with.
 */
static weir_status packing_of(const char *path, weir_packing *out_packing)
{
    uint8_t head[WEIR_RECORD_HEADER] = {0};
    size_t got = 0;
    WEIR_OWNED(weir_rfile) f = NULL;
    WEIR_TRY(weir_rfile_open(path, &f));
    WEIR_TRY(weir_rfile_read_some(f, 0, head, sizeof head, &got));
    bool plain = got < sizeof head || weir_record_begins((weir_str){(const char *)head, got});
    *out_packing = plain                                                    ? WEIR_PACKING_NONE
                   : head[0] == 0x1f && head[1] == 0x8b                     ? WEIR_PACKING_GZIP
                   : head[0] == 0x78 && (head[0] * 256 + head[1]) % 31 == 0 ? WEIR_PACKING_ZLIB
                                                                            : WEIR_PACKING_NONE;
    return WEIR_OK;
}

/* ---- the stream ---- */

static weir_status rewind_records(weir_source *base)
{
    record_source *s = (record_source *)base;
    weir_stream_destroy(s->stream);
    s->stream = NULL;
    s->file = 0;
    return WEIR_OK;
}

static weir_status open_file(record_source *s)
{
    weir_packing packing;
    const char *path = s->files.at[s->file];
    WEIR_TRY(packing_of(path, &packing));
    return weir_stream_open(path, packing, 1 << 20, &s->stream);
}

static weir_status read_record(weir_source *base, weir_item *item)
{
    record_source *s = (record_source *)base;
    while (s->file < (int)s->files.count) {
        if (!s->stream)
            WEIR_TRY(open_file(s));
        item->file = s->file;
        item->offset = weir_stream_tell(s->stream);
        weir_status status = weir_record_read(s->stream, &item->bytes);
        if (!status)
            return WEIR_OK;
        if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
            return weir_status_note(weir_status_prefix(status, "%s, byte %" PRIu64 "; ",
                                                       s->files.at[s->file], item->offset),
                                    " (put a whole copy of the file there)");
        weir_status_free(status);
        weir_stream_destroy(s->stream);
        s->stream = NULL;
        s->file++;
    }
    return weir_error(WEIR_OUT_OF_RANGE, "no more records");
}

/* ---- features ---- */

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
    features *f = arg;
    if (weir_str_is(key, f->s->x_name))
        f->x = value, f->has_x = true;
    else if (f->s->y_name && weir_str_is(key, f->s->y_name))
        f->y = value, f->has_y = true;
    else if (is_one_of(key, height_names))
        f->height = value;
    else if (is_one_of(key, width_names))
        f->width = value;
    else if (is_one_of(key, channels_names))
        f->channels = value;
}

/* The first value of a feature of whole numbers; |otherwise| when it has none. */
static int64_t int_of(weir_str bytes, int64_t otherwise)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_feature f;
    if (!weir_feature_read(bytes, &arena, &f) || f.count < 1 || f.dtype == WEIR_STRING)
        return otherwise;
    if (f.dtype == WEIR_INT64)
        return *(const int64_t *)f.values;
    float value = *(const float *)f.values;
    return value >= 0 && value < 0x1p62f && value == floorf(value) ? (int64_t)value : otherwise;
}

/* ---- examples ---- */

/* Sides of pixels that no feature tells: the model's, or those of a square. */
static bool guess_sides(const record_source *s, size_t bytes, weir_example *e)
{
    int64_t wanted = 1;
    for (int i = 0; i < s->rank; i++)
        wanted *= s->dims[i];
    if (s->rank >= 2 && s->rank <= 3 && wanted == (int64_t)bytes) {
        e->height = s->dims[0], e->width = s->dims[1];
        e->channels = s->rank == 3 ? (int)s->dims[2] : 1;
        return true;
    }
    for (e->channels = 1; e->channels <= 3; e->channels += 2) {
        e->height = e->width = (int64_t)(sqrt((double)bytes / e->channels) + 0.5);
        if (e->height > 0 && (size_t)(e->height * e->width * e->channels) == bytes)
            return true;
    }
    return false;
}

static weir_status take_pixels(const record_source *s, const features *f, weir_str bytes,
                               weir_example *e)
{
    enum { MOST = 1 << 28 };
    int64_t h = int_of(f->height, 0), w = int_of(f->width, 0), c = int_of(f->channels, 0);
    e->kind = WEIR_PIXELS;
    e->bytes = bytes;
    if (h > 0 && w > 0 && h < MOST && w < MOST && c >= 0 && c <= 4) {
        size_t channels = c ? (size_t)c : bytes.length / (size_t)(h * w), need;
        bool fits = weir_size_mul((size_t)(h * w), channels, &need) && need == bytes.length &&
                    (channels == 1 || channels == 3 || channels == 4);
        e->height = h, e->width = w, e->channels = (int)channels;
        if (fits)
            return WEIR_OK;
    } else if (h == 0 && w == 0 && guess_sides(s, bytes.length, e)) {
        return WEIR_OK;
    }
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "feature %s has %zu bytes, neither an image file nor pixels of a known size "
                      "(height %lld, width %lld, channels %lld): name another one",
                      s->x_name, bytes.length, (long long)h, (long long)w, (long long)c);
}

static weir_status take_numbers(const weir_feature *x, weir_scratch *scratch, weir_example *e)
{
    float *floats = (float *)weir_scratch_room(&scratch->file, (size_t)x->count * sizeof(float));
    for (int64_t i = 0; i < x->count; i++)
        floats[i] = x->dtype == WEIR_FLOAT ? ((const float *)x->values)[i]
                                           : (float)((const int64_t *)x->values)[i];
    e->kind = WEIR_NUMBERS;
    e->numbers = floats;
    e->count = x->count;
    return WEIR_OK;
}

static weir_status find_features(const record_source *s, weir_str record, features *out)
{
    *out = (features){.s = s};
    if (!weir_features_visit(record, WEIR_FIELD_example_features, keep_feature, out))
        return weir_error(WEIR_DATA_LOSS, "the record is no Example: it was written as something "
                                          "else, or damaged before it was");
    if (!out->has_x || (s->wants_labels && !out->has_y))
        return weir_error(WEIR_INVALID_ARGUMENT, "the Example has no feature %s",
                          out->has_x ? s->y_name : s->x_name);
    return WEIR_OK;
}

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const record_source *s = (const record_source *)base;
    WEIR_MESSAGE_ARENA(arena);
    features f;
    weir_feature x;
    WEIR_TRY(find_features(s, weir_view(&item->bytes), &f));
    *out = (weir_example){.kind = WEIR_ENCODED, .label = s->wants_labels ? int_of(f.y, -1) : 0};
    if (!weir_feature_read(f.x, &arena, &x) || x.dtype != s->x_dtype || x.count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "feature %s has no value, or one of another type",
                          s->x_name);
    if (x.dtype != WEIR_STRING)
        return take_numbers(&x, scratch, out);
    out->bytes = *(const weir_str *)x.values;
    return s->encoded ? WEIR_OK : take_pixels(s, &f, out->bytes, out);
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    weir_buf_addf(out, "%s, byte %" PRIu64, ((const record_source *)base)->files.at[item->file],
                  item->offset);
}

static void destroy(weir_source *base)
{
    record_source *s = (record_source *)base;
    weir_stream_destroy(s->stream);
    weir_paths_fini(&s->files);
    weir_free(s->x_name);
    weir_free(s->y_name);
    weir_free(s);
}

static const weir_source_class class = {.fetch = fetch,
                                        .rewind = rewind_records,
                                        .read = read_record,
                                        .where = where,
                                        .destroy = destroy};

/* ---- opening ---- */

/* What the first Example has. */
typedef struct survey {
    weir_buf all; /* names, for messages */
    weir_str x, y, other;
    int x_rank, y_rank; /* place in the lists of names; the least wins */
    int others;         /* features that are in no list */
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
    survey *v = arg;
    int x = rank_of(key, x_names), y = rank_of(key, y_names);
    weir_buf_addf(&v->all, "%s%.*s", v->all.length ? ", " : "", WEIR_STR_ARG(key));
    if (x < v->x_rank)
        v->x = key, v->x_rank = x;
    if (y < v->y_rank)
        v->y = key, v->y_rank = y;
    if (x == INT32_MAX && y == INT32_MAX && !is_one_of(key, height_names) &&
        !is_one_of(key, width_names) && !is_one_of(key, channels_names))
        v->other = key, v->others++;
}

static weir_status choose_names(record_source *s, const weir_data_options *o, weir_str record)
{
    survey v = {.x_rank = INT32_MAX, .y_rank = INT32_MAX};
    weir_status status = WEIR_OK;
    if (!weir_features_visit(record, WEIR_FIELD_example_features, survey_feature, &v))
        status = weir_error(WEIR_INVALID_ARGUMENT, "the record is no Example");
    if (v.x_rank == INT32_MAX && v.others == 1)
        v.x = v.other;
    if (o->x_name)
        v.x = weir_str_of(o->x_name);
    if (o->y_name)
        v.y = weir_str_of(o->y_name);
    if (!status && (v.x.length == 0 || (s->wants_labels && v.y.length == 0)))
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "none of the features (%s) is known to be %s: name it (%s)",
                            v.all.at ? v.all.at : "", v.x.length ? "the label" : "the input",
                            v.x.length ? "y_name" : "x_name");
    if (!status) {
        s->x_name = weir_strndup(v.x.at, v.x.length);
        s->y_name = v.y.length ? weir_strndup(v.y.at, v.y.length) : NULL;
    }
    weir_buf_fini(&v.all);
    return status;
}

/* From the first record: what x is, and of which size. */
static weir_status study_x(record_source *s, const weir_item *first)
{
    WEIR_MESSAGE_ARENA(arena);
    features f;
    weir_feature x;
    WEIR_TRY(find_features(s, weir_view(&first->bytes), &f));
    if (!weir_feature_read(f.x, &arena, &x) || x.count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "feature %s has no value", s->x_name);
    s->x_dtype = x.dtype;
    if (x.dtype != WEIR_STRING) {
        s->base.rank = 1;
        s->base.dims[0] = x.count;
        return WEIR_OK;
    }
    weir_str bytes = *(const weir_str *)x.values;
    s->base.of_images = true;
    s->encoded = weir_image_sniff(bytes) != WEIR_IMAGE_UNKNOWN;
    weir_example e;
    if (s->encoded)
        return WEIR_OK;
    WEIR_TRY(take_pixels(s, &f, bytes, &e));
    s->base.rank = 3;
    s->base.dims[0] = e.height, s->base.dims[1] = e.width, s->base.dims[2] = e.channels;
    return WEIR_OK;
}

static weir_status study_first(record_source *s, const weir_data_options *o, weir_item *first)
{
    weir_status status = read_record(&s->base, first);
    if (weir_status_code(status) == WEIR_OUT_OF_RANGE) {
        weir_status_free(status);
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has no records", s->files.at[0]);
    }
    WEIR_TRY(status);
    status = choose_names(s, o, weir_view(&first->bytes));
    if (!status)
        status = study_x(s, first);
    return weir_status_prefix(status, "%s, byte %" PRIu64 "; ", s->files.at[first->file],
                              first->offset);
}

static weir_status study(record_source *s, const weir_data_options *o)
{
    weir_item first = {0};
    weir_status status = study_first(s, o, &first);
    weir_buf_fini(&first.bytes);
    return status;
}

/* With enough files, each shard reads its own; else every shard passes over the others' records. */
static void keep_own_files(record_source *s, const weir_data_options *o)
{
    size_t kept = 0;
    if (o->shards <= 1 || s->files.count < (size_t)o->shards)
        return;
    for (size_t i = 0; i < s->files.count; i++)
        if (i % (size_t)o->shards == (size_t)o->shard)
            s->files.at[kept++] = s->files.at[i];
        else
            weir_free(s->files.at[i]);
    s->files.count = kept;
    s->base.sharded = true;
}

static weir_status open_records(const weir_place *p, weir_source **out_source)
{
    record_source *s = WEIR_NEW(record_source);
    const weir_data_options *o = p->options;
    s->base = (weir_source){.class = &class, .count = -1, .classes = o->classes};
    s->wants_labels = o->label_type != 0;
    s->rank = o->rank;
    memcpy(s->dims, o->dims, sizeof s->dims);
    WEIR_OWNED(weir_source) owned = &s->base;
    weir_place_files(p, weir_split_wanted(o), is_record_file, &s->files, &s->base.is_whole);
    if (s->files.count == 0)
        return weir_error(WEIR_NOT_FOUND, "%s; has no records for %s", p->path,
                          o->split ? o->split : "train");
    keep_own_files(s, o);
    WEIR_TRY(study(s, o));
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_records_source = {"records", claims, open_records};
