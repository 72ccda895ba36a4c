/* io/damage_test.c - files of every format, cut short and with bits turned: each is read, or
 * refused by a status that names the file; never more. */
#include <unistd.h>

#include "base/test.h"
#include "io/checkpoint.h"
#include "io/events.h"
#include "io/npy.h"
#include "io/record.h"
#include "tensor/tstring.h"

typedef weir_status (*file_fn)(const char *path);

/* ---- samples ---- */

enum { SAMPLES = 3 };

static weir_tensor sample(int i)
{
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    weir_shape shape = i == 1 ? weir_shape_vector(3) : weir_shape_matrix(2, 3);
    if (i != 1)
        return weir_tensor_from(i == 0 ? WEIR_FLOAT : WEIR_INT32, &shape, numbers);
    weir_tensor t;
    CHECK_OK(weir_tensor_alloc(WEIR_STRING, &shape, &t));
    for (int k = 0; k < 3; k++)
        weir_tstring_set((weir_tstring *)t.data + k, "some longer string than fits in place",
                         (size_t)(10 * k + 3));
    return t;
}

static const char *const names[SAMPLES] = {"a", "b/strings", "c"};

static weir_status write_v2(const char *path)
{
    weir_bundle_writer *w = NULL;
    WEIR_TRY(weir_bundle_writer_create(path, &w));
    weir_status s = WEIR_OK;
    for (int i = 0; i < SAMPLES && !s; i++) {
        weir_tensor t = sample(i);
        s = weir_bundle_writer_add(w, weir_str_of(names[i]), &t);
        weir_tensor_release(&t);
    }
    weir_tensor half = sample(0);
    weir_shape full = weir_shape_matrix(4, 3);
    for (int64_t row = 0; row < 4 && !s; row += 2) {
        weir_slice slice = {.rank = 2, .start = {row, 0}, .length = {2, -1}};
        s = weir_bundle_writer_add_slice(w, WEIR_STR("sliced"), &full, &slice, &half);
    }
    weir_tensor_release(&half);
    if (!s)
        return weir_bundle_writer_finish(w);
    weir_bundle_writer_destroy(w);
    return s;
}

static weir_status write_v1(const char *path)
{
    weir_v1_part parts[SAMPLES];
    weir_tensor tensors[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        tensors[i] = sample(i);
        parts[i] = (weir_v1_part){weir_str_of(names[i]), tensors[i].shape,
                                  weir_slice_whole(tensors[i].shape.rank), &tensors[i]};
    }
    weir_status s = weir_v1_write(path, parts, SAMPLES);
    for (int i = 0; i < SAMPLES; i++)
        weir_tensor_release(&tensors[i]);
    return s;
}

static weir_status write_npz(const char *path)
{
    weir_npz_writer *w = NULL;
    WEIR_TRY(weir_npz_writer_create(path, &w));
    weir_status s = WEIR_OK;
    for (int i = 0; i < SAMPLES && !s; i++) {
        weir_tensor t = sample(i);
        s = weir_npz_writer_add(w, weir_str_of(names[i]), &t);
        weir_tensor_release(&t);
    }
    if (!s)
        return weir_npz_writer_finish(w);
    weir_npz_writer_destroy(w);
    return s;
}

static weir_status write_records(const char *path, weir_packing packing)
{
    weir_record_writer *w = NULL;
    WEIR_TRY(weir_record_writer_open(path, packing, false, &w));
    for (int i = 0; i < SAMPLES; i++)
        WEIR_TRY(weir_record_writer_add(w, weir_str_of(names[i])));
    return weir_record_writer_close(w);
}

static weir_status write_plain(const char *path)
{
    return write_records(path, WEIR_PACKING_NONE);
}

static weir_status write_gzip(const char *path)
{
    return write_records(path, WEIR_PACKING_GZIP);
}

static weir_status write_zlib(const char *path)
{
    return write_records(path, WEIR_PACKING_ZLIB);
}

static weir_status write_events(const char *path)
{
    weir_record_writer *w = NULL;
    WEIR_BUF(summary);
    WEIR_BUF(event);
    WEIR_TRY(weir_record_writer_open(path, WEIR_PACKING_NONE, false, &w));
    weir_summary_scalar(&summary, WEIR_STR("loss"), 0.5f);
    weir_event_summary(&event, 12.5, 7, weir_view(&summary));
    weir_status s = weir_record_writer_add(w, weir_view(&event));
    if (!s)
        return weir_record_writer_close(w);
    weir_record_writer_destroy(w);
    return s;
}

/* ---- readers: everything that is in the file ---- */

static weir_status read_checkpoint(const char *path)
{
    WEIR_OWNED(weir_checkpoint) c = NULL;
    WEIR_TRY(weir_checkpoint_open(path, &c));
    for (size_t i = 0; i < weir_checkpoint_count(c); i++) {
        weir_tensor t;
        WEIR_TRY(weir_checkpoint_read(c, weir_checkpoint_at(c, i).name, NULL, &t));
        weir_tensor_release(&t);
    }
    return WEIR_OK;
}

static weir_status read_npz(const char *path)
{
    WEIR_OWNED(weir_npz) z = NULL;
    WEIR_TRY(weir_npz_open(path, &z));
    for (size_t i = 0; i < weir_npz_count(z); i++) {
        weir_tensor t;
        WEIR_TRY(weir_npz_read(z, i, &t));
        weir_tensor_release(&t);
    }
    return WEIR_OK;
}

static weir_status read_records(const char *path, weir_packing packing, bool events)
{
    weir_stream *stream = NULL;
    WEIR_BUF(record);
    WEIR_TRY(weir_stream_open(path, packing, 0, &stream));
    weir_status s = WEIR_OK;
    while (!s) {
        WEIR_MESSAGE_ARENA(arena);
        weir_msg_event event;
        s = weir_record_read(stream, &record);
        if (!s && events)
            s = weir_event_read(weir_view(&record), &arena, &event);
    }
    weir_stream_destroy(stream);
    if (weir_status_code(s) == WEIR_OUT_OF_RANGE) {
        weir_status_free(s);
        return WEIR_OK;
    }
    return weir_status_prefix(s, "%s: ", path);
}

static weir_status read_plain(const char *path)
{
    return read_records(path, WEIR_PACKING_NONE, false);
}

static weir_status read_gzip(const char *path)
{
    return read_records(path, WEIR_PACKING_GZIP, false);
}

static weir_status read_zlib(const char *path)
{
    return read_records(path, WEIR_PACKING_ZLIB, false);
}

static weir_status read_events(const char *path)
{
    return read_records(path, WEIR_PACKING_NONE, true);
}

/* ---- damage ---- */

static const struct {
    const char *name, *suffix; /* which file of what was written is damaged */
    file_fn write, read;
    bool whole; /* it is not taken for a whole one when it is cut short */
} formats[] = {
    {"index", ".index", write_v2, read_checkpoint, true},
    {"data", ".data-00000-of-00001", write_v2, read_checkpoint, true},
    {"v1", "", write_v1, read_checkpoint, false},
    {"npz", "", write_npz, read_npz, false},
    {"records", "", write_plain, read_plain, false},
    {"gzip", "", write_gzip, read_gzip, false},
    {"zlib", "", write_zlib, read_zlib, false},
    {"events", "", write_events, read_events, true},
};

/* Reads the file as it is now; a refusal must name it, and say where. */
static void read_damaged(file_fn read, const char *path, bool must_fail)
{
    weir_status s = read(path);
    if (s)
        CHECK_MSG(strstr(weir_status_message(s), path), "%s", weir_status_message(s));
    CHECK(s || !must_fail);
    weir_status_free(s);
}

static void put_file(const char *path, const char *bytes, size_t length)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(bytes, 1, length, f) == length);
    fclose(f);
}

static void damage(size_t f)
{
    char path[80], file[120];
    WEIR_BUF(good);
    snprintf(path, sizeof path, "weir_damage_%s.%d", formats[f].name, (int)getpid());
    snprintf(file, sizeof file, "%s%s", path, formats[f].suffix);
    CHECK_OK(formats[f].write(path));
    CHECK_OK(formats[f].read(path));
    CHECK_OK(weir_file_read_all(file, 1 << 20, &good));
    for (size_t at = 0; at < good.length; at++) {
        char kept = good.at[at];
        good.at[at] ^= (char)(1 << at % 8);
        put_file(file, good.at, good.length);
        read_damaged(formats[f].read, path, false);
        good.at[at] = kept;
        put_file(file, good.at, at);
        read_damaged(formats[f].read, path, formats[f].whole && at);
    }
    unlink(file);
    CHECK_OK(weir_checkpoint_remove(path));
}

TEST(whatever_is_cut_off_or_changed)
{
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        damage(f);
}

TEST_MAIN()
