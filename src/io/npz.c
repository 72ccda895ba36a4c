/*
 * io/npz.c - arrays of numpy's in a zip archive.
 *
 * Members, stored or deflated, then a directory, then its end; numbers are little-endian.
 *   member     "PK\3\4", 22 bytes that the directory has too, u16 name length, u16 extra length,
 *              name, extra, bytes
 *   directory  "PK\1\2", at 10 u16 method (0, 8), 16 u32 CRC, 20 u32 packed size, 24 u32 size,
 *              28 u16 name length, 30 u16 extra length, 32 u16 comment length, 42 u32 place of the
 *              member, 46 name, extra, comment
 *   its end    "PK\5\6", at 10 u16 members, 12 u32 bytes and 16 u32 place of the directory,
 *              20 u16 comment length
 * Numbers of 2^32 - 1 and more are in an extra field (1) and in a larger end ("PK\6\6", found by
 * "PK\6\7" before the other).
 */
#include "base/mem.h"
#include "io/deflate.h"
#include "io/file.h"
#include "io/npy.h"

enum {
    MEMBER = 30,
    ENTRY = 46,
    END = 22,
    END64 = 56,
    LOCATOR = 20,
    TAIL = 66000,
    HEADER_ROOM = 4096
};
static const uint64_t largest_directory = 256 << 20, largest_member = (uint64_t)64 << 30;
#define ALL_ONES UINT32_MAX

typedef struct member {
    weir_tensor_info info;
    uint64_t place, packed, bytes; /* of the member in the file; its bytes as stored and unpacked */
    uint32_t crc;
    bool deflated;
} member;

struct weir_npz {
    weir_rfile *file;
    weir_arena arena;
    WEIR_VEC(member) members;
};

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t get(const void *at, int bytes)
{
    const uint8_t *p = at;
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

static void add(weir_buf *buf, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        weir_buf_addc(buf, (char)(value >> 8 * i));
}

/* ---- reading --------------------------------------------------------------------------------- */

static weir_status damaged(const weir_npz *npz, const char *what)
{
    return weir_error(WEIR_DATA_LOSS, "%s: not a zip archive, or damaged: %s",
                      weir_rfile_path(npz->file), what);
}

/* The larger end, which the locator before the end names. */
static weir_status find_directory64(weir_npz *npz, uint64_t end_at, uint64_t *out_place,
                                    uint64_t *out_bytes)
{
    uint8_t locator[LOCATOR], end[END64];
    if (end_at < LOCATOR)
        return damaged(npz, "it has no end");
    WEIR_TRY(weir_rfile_read(npz->file, end_at - LOCATOR, locator, LOCATOR));
    if (memcmp(locator, "PK\6\7", 4) != 0)
        return damaged(npz, "its end does not say where the directory is");
    WEIR_TRY(weir_rfile_read(npz->file, get(locator + 8, 8), end, END64));
    if (memcmp(end, "PK\6\6", 4) != 0)
        return damaged(npz, "its end does not say where the directory is");
    *out_bytes = get(end + 40, 8);
    *out_place = get(end + 48, 8);
    return WEIR_OK;
}

static weir_status find_directory(weir_npz *npz, uint64_t *out_place, uint64_t *out_bytes)
{
    uint64_t bytes = weir_rfile_bytes(npz->file);
    size_t length = bytes < TAIL ? (size_t)bytes : TAIL;
    WEIR_FREED char *tail = weir_alloc(length + 1);
    weir_status status = weir_rfile_read(npz->file, bytes - length, tail, length);
    const char *end = NULL;
    for (size_t i = length >= END ? length - END + 1 : 0; !status && !end && i-- > 0;)
        if (memcmp(tail + i, "PK\5\6", 4) == 0)
            end = tail + i;
    if (!status && !end)
        status = damaged(npz, "it has no directory");
    if (!status) {
        *out_bytes = get(end + 12, 4);
        *out_place = get(end + 16, 4);
        if (*out_place == ALL_ONES || *out_bytes == ALL_ONES)
            status = find_directory64(npz, bytes - length + (uint64_t)(end - tail), out_place,
                                      out_bytes);
    }
    if (!status &&
        (*out_bytes > largest_directory || *out_place > bytes || *out_bytes > bytes - *out_place))
        status = damaged(npz, "its directory does not lie in it");
    return status;
}

/* Sizes and place that did not fit are in extra field 1, in this order. */
static void read_extra(weir_str extra, member *member)
{
    uint64_t *const wide[] = {&member->bytes, &member->packed, &member->place};
    while (extra.length >= 4) {
        uint64_t id = get(extra.at, 2), n = get(extra.at + 2, 2);
        if (n > extra.length - 4)
            return;
        const char *at = extra.at + 4;
        for (int i = 0; id == 1 && i < 3; i++)
            if (*wide[i] == ALL_ONES && n >= 8) {
                *wide[i] = get(at, 8);
                at += 8, n -= 8;
            }
        n = get(extra.at + 2, 2);
        extra = (weir_str){extra.at + 4 + n, extra.length - 4 - n};
    }
}

/* Where the member's bytes begin: behind its own copy of name and extra. */
static weir_status find_bytes(weir_npz *npz, member *member)
{
    uint8_t head[MEMBER];
    WEIR_TRY(weir_rfile_read(npz->file, member->place, head, MEMBER));
    if (memcmp(head, "PK\3\4", 4) != 0)
        return damaged(npz, "a member is not where the directory says");
    member->place += MEMBER + get(head + 26, 2) + get(head + 28, 2);
    uint64_t bytes = weir_rfile_bytes(npz->file);
    if (member->place > bytes || member->packed > bytes - member->place)
        return damaged(npz, "a member ends behind the file");
    return WEIR_OK;
}

/* The first bytes of a member, unpacked: enough for the header of an array. */
static weir_status read_front(weir_npz *npz, const member *member, char *out, size_t room,
                              size_t *out_length)
{
    if (!member->deflated)
        return weir_rfile_read_some(npz->file, member->place, out,
                                    member->packed < room ? (size_t)member->packed : room,
                                    out_length);
    char packed[HEADER_ROOM];
    size_t length = member->packed < sizeof packed ? (size_t)member->packed : sizeof packed;
    bool end = false;
    WEIR_TRY(weir_rfile_read(npz->file, member->place, packed, length));
    WEIR_OWNED(weir_inflate) inflate = NULL;
    WEIR_TRY(weir_inflate_create(WEIR_PACKING_RAW, &inflate));
    weir_str in = {packed, length};
    *out_length = 0;
    for (size_t n = 1; n && !end && *out_length < room; *out_length += n)
        WEIR_TRY(weir_inflate_run(inflate, &in, out + *out_length, room - *out_length, &n, &end));
    return WEIR_OK;
}

/* Adds the member if it is an array that we can hold; others are passed over. */
static weir_status add_member(weir_npz *npz, weir_str name, member member)
{
    char front[HEADER_ROOM];
    size_t length = 0;
    weir_npy_head head;
    if (name.length < 4 || memcmp(name.at + name.length - 4, ".npy", 4) != 0)
        return WEIR_OK;
    WEIR_TRY(find_bytes(npz, &member));
    WEIR_TRY(read_front(npz, &member, front, sizeof front, &length));
    name.length -= 4;
    WEIR_TRY_NOTE(weir_npy_parse((weir_str){front, length}, &head), " (array '%.*s' of %s)",
                  WEIR_STR_ARG(name), weir_rfile_path(npz->file));
    member.info =
        (weir_tensor_info){{weir_arena_strndup(&npz->arena, name.at, name.length), name.length},
                           head.dtype,
                           head.shape};
    weir_vec_push(&npz->members, member);
    return WEIR_OK;
}

static weir_status read_directory(weir_npz *npz, weir_str data)
{
    while (data.length >= ENTRY && memcmp(data.at, "PK\1\2", 4) == 0) {
        uint64_t name = get(data.at + 28, 2), extra = get(data.at + 30, 2),
                 note = get(data.at + 32, 2);
        uint64_t method = get(data.at + 10, 2);
        if (name + extra + note > data.length - ENTRY)
            return damaged(npz, "its directory is cut short");
        member member = {.crc = (uint32_t)get(data.at + 16, 4),
                         .packed = get(data.at + 20, 4),
                         .bytes = get(data.at + 24, 4),
                         .place = get(data.at + 42, 4),
                         .deflated = method == 8};
        if (method != 0 && method != 8)
            return weir_error(WEIR_UNIMPLEMENTED, "%s: members packed by method %d",
                              weir_rfile_path(npz->file), (int)method);
        read_extra((weir_str){data.at + ENTRY + name, extra}, &member);
        WEIR_TRY(add_member(npz, (weir_str){data.at + ENTRY, name}, member));
        size_t all = ENTRY + name + extra + note;
        data = (weir_str){data.at + all, data.length - all};
    }
    return WEIR_OK;
}

weir_status weir_npz_open(const char *path, weir_npz **out_npz)
{
    WEIR_OWNED(weir_npz) npz = WEIR_NEW(weir_npz);
    uint64_t place = 0, bytes = 0;
    weir_arena_init(&npz->arena);
    WEIR_TRY(weir_rfile_open(path, &npz->file));
    WEIR_TRY(find_directory(npz, &place, &bytes));
    WEIR_FREED char *directory = weir_alloc(bytes + 1);
    weir_status status = weir_rfile_read(npz->file, place, directory, bytes);
    if (!status)
        status = read_directory(npz, (weir_str){directory, bytes});
    WEIR_TRY(status);
    *out_npz = WEIR_TAKE(npz);
    return WEIR_OK;
}

void weir_npz_destroy(weir_npz *npz)
{
    if (!npz)
        return;
    weir_rfile_destroy(npz->file);
    weir_arena_fini(&npz->arena);
    weir_vec_fini(&npz->members);
    weir_free(npz);
}

size_t weir_npz_count(const weir_npz *npz)
{
    return npz->members.count;
}

weir_tensor_info weir_npz_at(const weir_npz *npz, size_t i)
{
    return npz->members.at[i].info;
}

uint64_t weir_npz_stored(const weir_npz *npz, size_t i)
{
    return npz->members.at[i].packed;
}

static weir_status check(const weir_npz *npz, const member *member, weir_str plain)
{
    uint32_t crc;
    WEIR_TRY(weir_crc32(plain, &crc));
    if (crc != member->crc)
        return weir_error(WEIR_DATA_LOSS, "%s: the bytes of '%.*s' do not match their checksum",
                          weir_rfile_path(npz->file), WEIR_STR_ARG(member->info.name));
    return WEIR_OK;
}

weir_status weir_npz_read(weir_npz *npz, size_t i, weir_tensor *out_tensor)
{
    const member *member = &npz->members.at[i];
    WEIR_BUF(bytes);
    WEIR_BUF(inflated);
    if (member->packed > largest_member)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s: '%.*s' is too large",
                          weir_rfile_path(npz->file), WEIR_STR_ARG(member->info.name));
    weir_buf_reserve(&bytes, (size_t)member->packed + 1);
    WEIR_TRY(weir_rfile_read(npz->file, member->place, bytes.at, (size_t)member->packed));
    bytes.length = (size_t)member->packed;
    if (member->deflated)
        WEIR_TRY(weir_inflate_all(WEIR_PACKING_RAW, weir_view(&bytes), largest_member, &inflated));
    weir_str plain = weir_view(member->deflated ? &inflated : &bytes);
    WEIR_TRY(check(npz, member, plain));
    return weir_npy_decode(plain, out_tensor);
}

/* ---- writing --------------------------------------------------------------------------------- */

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

/* What a member and its entry have in common: version, flags, method, time, CRC and sizes. Both
 * sizes are always in the extra field, so that every member looks the same. */
static void add_common(weir_buf *buf, uint32_t crc, weir_str name, uint64_t extra)
{
    add(buf, 2, 45);      /* wide numbers */
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
