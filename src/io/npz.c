/*
 * io/npz.c - NumPy arrays in a zip archive, whose layout is described in zip.c.
 */
#include "io/deflate.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/zip.h"

enum { END64 = 56, HEADER_ROOM = 4096 };
static const uint64_t largest_member = (uint64_t)64 << 30;
#define ALL_ONES UINT32_MAX

typedef struct array {
    weir_tensor_info info;
    size_t member; /* of the archive */
} array;

struct weir_npz {
    weir_zip *zip;
    WEIR_VEC(array) arrays;
};

/* ---- reading --------------------------------------------------------------------------------- */

/* Adds the member if it is an array of a supported type; others are skipped. */
static weir_status add_member(weir_npz *npz, size_t i)
{
    char front[HEADER_ROOM];
    size_t length = 0;
    weir_npy_head head;
    weir_str name = weir_zip_at(npz->zip, i).name;
    if (name.length < 4 || memcmp(name.at + name.length - 4, ".npy", 4) != 0)
        return WEIR_OK;
    WEIR_TRY(weir_zip_front(npz->zip, i, front, sizeof front, &length));
    name.length -= 4;
    WEIR_TRY_NOTE(weir_npy_parse((weir_str){front, length}, &head), " (array '%.*s' of %s)",
                  WEIR_STR_ARG(name), weir_zip_path(npz->zip));
    weir_vec_push(&npz->arrays, ((array){{name, head.dtype, head.shape}, i}));
    return WEIR_OK;
}

weir_status weir_npz_open(const char *path, weir_npz **out_npz)
{
    WEIR_OWNED(weir_npz) npz = WEIR_NEW(weir_npz);
    WEIR_TRY(weir_zip_open(path, &npz->zip));
    for (size_t i = 0; i < weir_zip_count(npz->zip); i++)
        WEIR_TRY(add_member(npz, i));
    *out_npz = WEIR_TAKE(npz);
    return WEIR_OK;
}

void weir_npz_destroy(weir_npz *npz)
{
    if (!npz)
        return;
    weir_zip_destroy(npz->zip);
    weir_vec_fini(&npz->arrays);
    weir_free(npz);
}

size_t weir_npz_count(const weir_npz *npz)
{
    return npz->arrays.count;
}

weir_tensor_info weir_npz_at(const weir_npz *npz, size_t i)
{
    return npz->arrays.at[i].info;
}

uint64_t weir_npz_stored(const weir_npz *npz, size_t i)
{
    return weir_zip_at(npz->zip, npz->arrays.at[i].member).packed;
}

weir_status weir_npz_read(weir_npz *npz, size_t i, weir_tensor *out_tensor)
{
    WEIR_BUF(bytes);
    WEIR_TRY(weir_zip_read(npz->zip, npz->arrays.at[i].member, largest_member, &bytes));
    return weir_npy_decode(weir_view(&bytes), out_tensor);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void add(weir_buf *buf, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        weir_buf_addc(buf, (char)(value >> 8 * i));
}

struct weir_npz_writer {
    weir_wfile *file;
    weir_buf directory;
    uint64_t written, count;
};

weir_status weir_npz_writer_create(const char *path, weir_npz_writer **out_writer)
{
    WEIR_OWNED(weir_npz_writer) writer = WEIR_NEW(weir_npz_writer);
    WEIR_TRY(weir_wfile_create(path, &writer->file));
    *out_writer = WEIR_TAKE(writer);
    return WEIR_OK;
}

void weir_npz_writer_destroy(weir_npz_writer *writer)
{
    if (!writer)
        return;
    weir_wfile_destroy(writer->file);
    weir_buf_fini(&writer->directory);
    weir_free(writer);
}

static weir_status write(weir_npz_writer *writer, const weir_buf *buf)
{
    writer->written += buf->length;
    return weir_wfile_write(writer->file, buf->at, buf->length);
}

/* The common fields of a member and its entry: version, flags, method, time, CRC and sizes. Both
 * sizes are always in the extra field, so that all members have the same layout. */
static void add_common(weir_buf *buf, uint32_t crc, weir_str name, uint64_t extra)
{
    add(buf, 2, 45);      /* for 64-bit sizes */
    add(buf, 2, 1 << 11); /* the name is UTF-8 */
    add(buf, 2, 0);
    add(buf, 4, 0x00210000); /* the first day of 1980 */
    add(buf, 4, crc);
    add(buf, 4, ALL_ONES);
    add(buf, 4, ALL_ONES);
    add(buf, 2, name.length + 4);
    add(buf, 2, extra);
}

static void add_name(weir_buf *buf, weir_str name)
{
    weir_buf_add(buf, name.at, name.length);
    weir_buf_adds(buf, ".npy");
}

weir_status weir_npz_writer_add(weir_npz_writer *writer, weir_str name, const weir_tensor *tensor)
{
    WEIR_BUF(bytes);
    WEIR_BUF(head);
    if (name.length > 60000)
        return weir_error(WEIR_INVALID_ARGUMENT, "a name of %zu bytes", name.length);
    WEIR_TRY_NOTE(weir_npy_encode(tensor, &bytes), " (tensor '%.*s')", WEIR_STR_ARG(name));
    uint32_t crc;
    WEIR_TRY(weir_crc32(weir_view(&bytes), &crc));
    uint64_t place = writer->written;
    weir_buf_add(&head, "PK\3\4", 4);
    add_common(&head, crc, name, 20);
    add_name(&head, name);
    add(&head, 2, 1), add(&head, 2, 16), add(&head, 8, bytes.length), add(&head, 8, bytes.length);
    WEIR_TRY(write(writer, &head));
    WEIR_TRY(write(writer, &bytes));
    weir_buf *buf = &writer->directory;
    weir_buf_add(buf, "PK\1\2", 4);
    add(buf, 2, 45);
    add_common(buf, crc, name, 28);
    add(buf, 2, 0), add(buf, 2, 0), add(buf, 2, 0),
        add(buf, 4, 0); /* no comment; disk and attributes */
    add(buf, 4, ALL_ONES);
    add_name(buf, name);
    add(buf, 2, 1), add(buf, 2, 24), add(buf, 8, bytes.length), add(buf, 8, bytes.length);
    add(buf, 8, place);
    writer->count++;
    return WEIR_OK;
}

static void add_end(weir_npz_writer *writer, weir_buf *buf, uint64_t place, uint64_t bytes)
{
    weir_buf_add(buf, "PK\6\6", 4);
    add(buf, 8, END64 - 12), add(buf, 2, 45), add(buf, 2, 45), add(buf, 4, 0), add(buf, 4, 0);
    add(buf, 8, writer->count), add(buf, 8, writer->count), add(buf, 8, bytes), add(buf, 8, place);
    weir_buf_add(buf, "PK\6\7", 4);
    add(buf, 4, 0), add(buf, 8, place + bytes), add(buf, 4, 1);
    uint64_t count = writer->count < 0xffff ? writer->count : 0xffff;
    weir_buf_add(buf, "PK\5\6", 4);
    add(buf, 4, 0), add(buf, 2, count), add(buf, 2, count), add(buf, 4, ALL_ONES),
        add(buf, 4, ALL_ONES);
    add(buf, 2, 0);
}

weir_status weir_npz_writer_finish(weir_npz_writer *writer)
{
    uint64_t place = writer->written, bytes = writer->directory.length;
    WEIR_BUF(end);
    add_end(writer, &end, place, bytes);
    weir_status status = bytes ? write(writer, &writer->directory) : WEIR_OK;
    if (!status)
        status = write(writer, &end);
    if (!status)
        status = weir_wfile_commit(WEIR_TAKE(writer->file));
    weir_npz_writer_destroy(writer);
    return status;
}
