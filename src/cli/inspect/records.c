/* cli/inspect/records.c - TFRecord files: how many records, and the features of their Examples. */
#include "cli/inspect/records.h"

#include "cli/inspect/inspect.h"
#include "io/example.h"
#include "wire/crc32c.h"

enum { FEATURES = 4096 }; /* kept, at most */

/* What all Examples say of one feature. */
typedef struct feature {
    char *key;
    weir_dtype dtype;
    int64_t records, least, most; /* records that have it; values in one of them */
} feature;

typedef struct tally {
    int64_t records, examples, bytes, least, most;
    WEIR_VEC(feature) features;
    weir_map by_key; /* to 1 + an index of |features| */
} tally;

/* Length, and the checksum of it: twelve bytes that no other file begins with. */
bool inspect_begins_with_record(const inspect_place *p)
{
    uint64_t length;
    uint32_t crc;
    if (!p->exists || p->is_dir || p->head.length < 12)
        return false;
    memcpy(&length, p->head.at, 8);
    memcpy(&crc, p->head.at + 8, 4);
    return length < (uint64_t)1 << 40 && weir_crc32c_mask(weir_crc32c(p->head.at, 8)) == crc;
}

static void count_feature(void *arg, weir_str key, weir_str value)
{
    tally *t = arg;
    WEIR_MESSAGE_ARENA(arena);
    weir_feature f;
    if (!weir_feature_read(value, &arena, &f))
        return;
    uintptr_t at = (uintptr_t)weir_map_get(&t->by_key, key);
    if (!at && t->features.count == FEATURES)
        return;
    if (!at) {
        weir_vec_push(&t->features, (feature){.key = weir_strndup(key.at, key.length),
                                              .dtype = f.dtype,
                                              .least = INT64_MAX});
        at = t->features.count;
        weir_map_put(&t->by_key, key, (void *)at);
    }
    feature *known = &t->features.at[at - 1];
    known->records++;
    known->least = f.count < known->least ? f.count : known->least;
    known->most = f.count > known->most ? f.count : known->most;
}

/* Whether field 1 of |record| and nothing else is there, as in an Example with features. */
static bool like_example(weir_str record)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_sequence_example example;
    weir_status damaged = weir_msg_sequence_example_read(record, &arena, &example);
    weir_status_free(damaged);
    return !damaged && !example.unknown.count && (example.context || example.feature_lists);
}

static void count_record(tally *t, weir_str record)
{
    int64_t n = (int64_t)record.length;
    t->least = t->records == 0 || n < t->least ? n : t->least;
    t->most = n > t->most ? n : t->most;
    t->bytes += n;
    t->records++;
    if (like_example(record) &&
        weir_features_visit(record, WEIR_FIELD_example_features, count_feature, t))
        t->examples++;
}

weir_status inspect_each_record(const inspect_place *p, void (*each)(void *arg, weir_str record),
                                void *arg)
{
    WEIR_OWNED(weir_stream) s = NULL;
    WEIR_BUF(record);
    WEIR_TRY(weir_stream_open(p->path, p->packing, 0, &s));
    weir_status status;
    uint64_t at = weir_stream_tell(s);
    while (!(status = weir_record_read(s, &record))) {
        each(arg, (weir_str){record.at ? record.at : "", record.length});
        at = weir_stream_tell(s);
    }
    if (weir_status_code(status) == WEIR_OUT_OF_RANGE) {
        weir_status_free(status);
        return WEIR_OK;
    }
    return weir_status_note(status, " (in the record at byte %llu)", (unsigned long long)at);
}

static void each(void *arg, weir_str record)
{
    count_record(arg, record);
}

static void show_features(weir_output *o, const tally *t)
{
    weir_output_table(o, "features");
    for (size_t i = 0; i < t->features.count; i++) {
        const feature *f = &t->features.at[i];
        weir_output_row(o);
        weir_output_text(o, "name", f->key);
        weir_output_text(o, "dtype", f->dtype ? weir_dtype_name((int)f->dtype) : NULL);
        weir_output_int(o, "records", f->records);
        weir_output_int(o, "least_values", f->least);
        weir_output_int(o, "most_values", f->most);
    }
}

static weir_status show(const inspect_place *p, weir_output *o)
{
    tally t = {0};
    weir_status s = inspect_each_record(p, each, &t);
    weir_output_int(o, "record_count", t.records);
    weir_output_bytes(o, "record_bytes", t.bytes);
    weir_output_bytes(o, "shortest", t.least);
    weir_output_bytes(o, "longest", t.most);
    weir_output_int(o, "examples", t.examples);
    show_features(o, &t);
    for (size_t i = 0; i < t.features.count; i++)
        weir_free(t.features.at[i].key);
    weir_vec_fini(&t.features);
    weir_map_fini(&t.by_key);
    return s;
}

const inspect_kind inspect_records = {"records", inspect_begins_with_record, show};
