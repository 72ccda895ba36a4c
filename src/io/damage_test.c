/* io/damage_test.c - files of every format, truncated and with bits flipped: each is read, or
 * rejected with a status that names the file; nothing worse. */
#include <unistd.h>

#include "base/test.h"
#include "io/checkpoint.h"
#include "io/events.h"
#include "io/npy.h"
#include "io/record.h"
#include "tensor/tstring.h"
#include "wire/messages.h"

typedef weir_status (*file_fn)(const char *path);

/* ---- samples --------------------------------------------------------------------------------- */

enum { SAMPLES = 3 };

static weir_tensor sample(int i)
{
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    weir_shape shape = i == 1 ? weir_shape_vector(3) : weir_shape_matrix(2, 3);
    if (i != 1)
        return weir_tensor_from(i == 0 ? WEIR_FLOAT : WEIR_INT32, &shape, numbers);
    weir_tensor tensor;
    CHECK_OK(weir_tensor_alloc(WEIR_STRING, &shape, &tensor));
    for (int k = 0; k < 3; k++)
        weir_tstring_set((weir_tstring *)tensor.data + k, "some longer string than fits in place",
                         (size_t)(10 * k + 3));
    return tensor;
}

static const char *const names[SAMPLES] = {"a", "b/strings", "c"};

static weir_status write_v2(const char *path)
{
    weir_bundle_writer *writer = NULL;
    WEIR_TRY(weir_bundle_writer_create(path, &writer));
    weir_status status = WEIR_OK;
    for (int i = 0; i < SAMPLES && !status; i++) {
        weir_tensor tensor = sample(i);
        status = weir_bundle_writer_add(writer, weir_str_of(names[i]), &tensor);
        weir_tensor_release(&tensor);
    }
    weir_tensor half = sample(0);
    weir_shape full = weir_shape_matrix(4, 3);
    for (int64_t row = 0; row < 4 && !status; row += 2) {
        weir_slice slice = {.rank = 2, .start = {row, 0}, .length = {2, -1}};
        status = weir_bundle_writer_add_slice(writer, WEIR_STR("sliced"), &full, &slice, &half);
    }
    weir_tensor_release(&half);
    if (!status)
        return weir_bundle_writer_finish(writer);
    weir_bundle_writer_destroy(writer);
    return status;
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
    weir_status status = weir_v1_write(path, parts, SAMPLES);
    for (int i = 0; i < SAMPLES; i++)
        weir_tensor_release(&tensors[i]);
    return status;
}

static weir_status write_npz(const char *path)
{
    weir_npz_writer *writer = NULL;
    WEIR_TRY(weir_npz_writer_create(path, &writer));
    weir_status status = WEIR_OK;
    for (int i = 0; i < SAMPLES && !status; i++) {
        weir_tensor tensor = sample(i);
        status = weir_npz_writer_add(writer, weir_str_of(names[i]), &tensor);
        weir_tensor_release(&tensor);
    }
    if (!status)
        return weir_npz_writer_finish(writer);
    weir_npz_writer_destroy(writer);
    return status;
}

static weir_status write_records(const char *path, weir_packing packing)
{
    weir_record_writer *writer = NULL;
    WEIR_TRY(weir_record_writer_open(path, packing, false, &writer));
    for (int i = 0; i < SAMPLES; i++)
        WEIR_TRY(weir_record_writer_add(writer, weir_str_of(names[i])));
    return weir_record_writer_close(writer);
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
    weir_record_writer *writer = NULL;
    WEIR_BUF(summary);
    WEIR_BUF(event);
    WEIR_TRY(weir_record_writer_open(path, WEIR_PACKING_NONE, false, &writer));
    weir_summary_scalar(&summary, WEIR_STR("loss"), 0.5f);
    weir_event_summary(&event, 12.5, 7, weir_view(&summary));
    weir_status status = weir_record_writer_add(writer, weir_view(&event));
    if (!status)
        return weir_record_writer_close(writer);
    weir_record_writer_destroy(writer);
    return status;
}

/* ---- readers: everything that is in the file ------------------------------------------------- */

static weir_status read_checkpoint(const char *path)
{
    WEIR_OWNED(weir_checkpoint) checkpoint = NULL;
    WEIR_TRY(weir_checkpoint_open(path, &checkpoint));
    for (size_t i = 0; i < weir_checkpoint_count(checkpoint); i++) {
        weir_tensor tensor;
        WEIR_TRY(weir_checkpoint_read(checkpoint, weir_checkpoint_at(checkpoint, i).name, NULL,
                                      &tensor));
        weir_tensor_release(&tensor);
    }
    return WEIR_OK;
}

static weir_status read_npz(const char *path)
{
    WEIR_OWNED(weir_npz) npz = NULL;
    WEIR_TRY(weir_npz_open(path, &npz));
    for (size_t i = 0; i < weir_npz_count(npz); i++) {
        weir_tensor tensor;
        WEIR_TRY(weir_npz_read(npz, i, &tensor));
        weir_tensor_release(&tensor);
    }
    return WEIR_OK;
}

static weir_status read_records(const char *path, weir_packing packing, bool events)
{
    weir_stream *stream = NULL;
    WEIR_BUF(record);
    WEIR_TRY(weir_stream_open(path, packing, 0, &stream));
    weir_status status = WEIR_OK;
    while (!status) {
        WEIR_MESSAGE_ARENA(arena);
        weir_msg_event event;
        status = weir_record_read(stream, &record);
        if (!status && events)
            status = weir_event_read(weir_view(&record), &arena, &event);
    }
    weir_stream_destroy(stream);
    if (weir_status_code(status) == WEIR_OUT_OF_RANGE) {
        weir_status_free(status);
        return WEIR_OK;
    }
    return weir_status_prefix(status, "%s: ", path);
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

/* ---- damage ---------------------------------------------------------------------------------- */

static const struct {
    const char *name, *suffix; /* the corrupted one of the written files */
    file_fn write, read;
    bool whole; /* a truncated file must be rejected */
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

/* Reads the corrupted file; an error must have its name and the offset. */
static void read_damaged(file_fn read, const char *path, bool must_fail)
{
    weir_status status = read(path);
    if (status)
        CHECK_MSG(strstr(weir_status_message(status), path), "%s", weir_status_message(status));
    CHECK(status || !must_fail);
    weir_status_free(status);
}

static void put_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, length, file) == length);
    fclose(file);
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
