/* cli/inspect/records.c - TFRecord files: number of records, and the features of their Examples. */
#include "cli/inspect/records.h"

#include "cli/inspect/inspect.h"
#include "io/example.h"
#include "wire/crc32c.h"
#include "wire/messages.h"

enum { FEATURES = 4096 }; /* maximum number kept */

/* Statistics of one feature over all Examples. */
typedef struct feature {
    char *key;
    weir_dtype dtype;
    int64_t records, least, most; /* records with the feature; values per record */
} feature;

typedef struct tally {
    int64_t records, examples, bytes, least, most;
    WEIR_VEC(feature) features;
    weir_map by_key; /* to 1 + index in |features| */
} tally;

/* Length, and its checksum: a twelve-byte signature. */
bool inspect_begins_with_record(const inspect_place *place)
{
    uint64_t length;
    uint32_t crc;
    if (!place->exists || place->is_dir || place->head.length < 12)
        return false;
    memcpy(&length, place->head.at, 8);
    memcpy(&crc, place->head.at + 8, 4);
    return length < (uint64_t)1 << 40 && weir_crc32c_mask(weir_crc32c(place->head.at, 8)) == crc;
}

static void count_feature(void *arg, weir_str key, weir_str value)
{
    tally *tally = arg;
    WEIR_MESSAGE_ARENA(arena);
    weir_feature f;
    if (!weir_feature_read(value, &arena, &f))
        return;
    uintptr_t at = (uintptr_t)weir_map_get(&tally->by_key, key);
    if (!at && tally->features.count == FEATURES)
        return;
    if (!at) {
        weir_vec_push(&tally->features, (feature){.key = weir_strndup(key.at, key.length),
                                                  .dtype = f.dtype,
                                                  .least = INT64_MAX});
        at = tally->features.count;
        weir_map_put(&tally->by_key, key, (void *)at);
    }
    feature *known = &tally->features.at[at - 1];
    known->records++;
    known->least = f.count < known->least ? f.count : known->least;
    known->most = f.count > known->most ? f.count : known->most;
}

/* Whether |record| contains only field 1, like an Example with features. */
static bool like_example(weir_str record)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_sequence_example example;
    weir_status damaged = weir_msg_sequence_example_read(record, &arena, &example);
    weir_status_free(damaged);
    return !damaged && !example.unknown.count && (example.context || example.feature_lists);
}

static void count_record(tally *tally, weir_str record)
{
    int64_t length = (int64_t)record.length;
    tally->least = tally->records == 0 || length < tally->least ? length : tally->least;
    tally->most = length > tally->most ? length : tally->most;
    tally->bytes += length;
    tally->records++;
    if (like_example(record) &&
        weir_features_visit(record, WEIR_FIELD_example_features, count_feature, tally))
        tally->examples++;
}

weir_status inspect_each_record(const inspect_place *place,
                                void (*each)(void *arg, weir_str record), void *arg)
{
    WEIR_OWNED(weir_stream) stream = NULL;
    WEIR_BUF(record);
    WEIR_TRY(weir_stream_open(place->path, place->packing, 0, &stream));
    weir_status status;
    uint64_t at = weir_stream_tell(stream);
    while (!(status = weir_record_read(stream, &record))) {
        each(arg, (weir_str){record.at ? record.at : "", record.length});
        at = weir_stream_tell(stream);
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

static void show_features(weir_output *output, const tally *tally)
{
    weir_output_table(output, "features");
    for (size_t i = 0; i < tally->features.count; i++) {
        const feature *feature = &tally->features.at[i];
        weir_output_row(output);
        weir_output_text(output, "name", feature->key);
        weir_output_text(output, "dtype",
                         feature->dtype ? weir_dtype_name((int)feature->dtype) : NULL);
        weir_output_int(output, "records", feature->records);
        weir_output_int(output, "least_values", feature->least);
        weir_output_int(output, "most_values", feature->most);
    }
}

static weir_status show(const inspect_place *place, weir_output *output)
{
    tally tally = {0};
    weir_status status = inspect_each_record(place, each, &tally);
    weir_output_int(output, "record_count", tally.records);
    weir_output_bytes(output, "record_bytes", tally.bytes);
    weir_output_bytes(output, "shortest", tally.least);
    weir_output_bytes(output, "longest", tally.most);
    weir_output_int(output, "examples", tally.examples);
    show_features(output, &tally);
    for (size_t i = 0; i < tally.features.count; i++)
        weir_free(tally.features.at[i].key);
    weir_vec_fini(&tally.features);
    weir_map_fini(&tally.by_key);
    return status;
}

const inspect_kind inspect_records = {"records", inspect_begins_with_record, show};
