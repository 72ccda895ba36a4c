/*
 * io/zip.c - zip archives, reading.
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
#include "io/zip.h"

#include "base/bytes.h"
#include "io/deflate.h"
#include "io/file.h"

enum { MEMBER = 30, ENTRY = 46, END = 22, END64 = 56, LOCATOR = 20, TAIL = 66000, FRONT = 4096 };
static const uint64_t largest_directory = 256 << 20;
#define ALL_ONES UINT32_MAX

enum { STORED = 0, DEFLATED = 8 };

typedef struct member {
    weir_zip_member info;
    uint64_t place; /* offset of its header in the file */
    uint32_t crc;
    int method;
} member;

struct weir_zip {
    weir_rfile *file;
    weir_arena arena;
    WEIR_VEC(member) members;
};

static weir_status damaged(const weir_zip *zip, const char *what)
{
    return weir_error(WEIR_DATA_LOSS, "%s: not a zip archive, or damaged: %s",
                      weir_rfile_path(zip->file), what);
}

/* The ZIP64 end record, which the locator before the end refers to. */
static weir_status find_directory64(weir_zip *zip, uint64_t end_at, uint64_t *out_place,
                                    uint64_t *out_bytes)
{
    uint8_t locator[LOCATOR], end[END64];
    if (end_at < LOCATOR)
        return damaged(zip, "it has no end");
    WEIR_TRY(weir_rfile_read(zip->file, end_at - LOCATOR, locator, LOCATOR));
    if (memcmp(locator, "PK\6\7", 4) != 0)
        return damaged(zip, "its end does not say where the directory is");
    WEIR_TRY(weir_rfile_read(zip->file, weir_le_get(locator + 8, 8), end, END64));
    if (memcmp(end, "PK\6\6", 4) != 0)
        return damaged(zip, "its end does not say where the directory is");
    *out_bytes = weir_le_get(end + 40, 8);
    *out_place = weir_le_get(end + 48, 8);
    return WEIR_OK;
}

static weir_status find_directory(weir_zip *zip, uint64_t *out_place, uint64_t *out_bytes)
{
    uint64_t bytes = weir_rfile_bytes(zip->file);
    size_t length = bytes < TAIL ? (size_t)bytes : TAIL;
    WEIR_FREED char *tail = weir_alloc(length + 1);
    weir_status status = weir_rfile_read(zip->file, bytes - length, tail, length);
    const char *end = NULL;
    for (size_t i = length >= END ? length - END + 1 : 0; !status && !end && i-- > 0;)
        if (memcmp(tail + i, "PK\5\6", 4) == 0)
            end = tail + i;
    if (!status && !end)
        status = damaged(zip, "it has no directory");
    if (!status) {
        *out_bytes = weir_le_get(end + 12, 4);
        *out_place = weir_le_get(end + 16, 4);
        if (*out_place == ALL_ONES || *out_bytes == ALL_ONES)
            status = find_directory64(zip, bytes - length + (uint64_t)(end - tail), out_place,
                                      out_bytes);
    }
    if (!status &&
        (*out_bytes > largest_directory || *out_place > bytes || *out_bytes > bytes - *out_place))
        status = damaged(zip, "its directory does not lie in it");
    return status;
}

/* Sizes and offset that did not fit are in extra field 1, in this order. */
static void read_extra(weir_str extra, member *member)
{
    uint64_t *const wide[] = {&member->info.bytes, &member->info.packed, &member->place};
    while (extra.length >= 4) {
        uint64_t id = weir_le_get(extra.at, 2), n = weir_le_get(extra.at + 2, 2);
        if (n > extra.length - 4)
            return;
        const char *at = extra.at + 4;
        for (int i = 0; id == 1 && i < 3; i++)
            if (*wide[i] == ALL_ONES && n >= 8) {
                *wide[i] = weir_le_get(at, 8);
                at += 8, n -= 8;
            }
        n = weir_le_get(extra.at + 2, 2);
        extra = (weir_str){extra.at + 4 + n, extra.length - 4 - n};
    }
}

/* The offset of the member's data: after its own copy of name and extra. */
static weir_status find_bytes(weir_zip *zip, const member *member, uint64_t *out_place)
{
    uint8_t head[MEMBER];
    WEIR_TRY(weir_rfile_read(zip->file, member->place, head, MEMBER));
    if (memcmp(head, "PK\3\4", 4) != 0)
        return damaged(zip, "a member is not where the directory says");
    uint64_t place = member->place + MEMBER + weir_le_get(head + 26, 2) + weir_le_get(head + 28, 2);
    uint64_t bytes = weir_rfile_bytes(zip->file);
    if (place > bytes || member->info.packed > bytes - place)
        return damaged(zip, "a member ends behind the file");
    *out_place = place;
    return WEIR_OK;
}

static weir_status read_directory(weir_zip *zip, weir_str data)
{
    while (data.length >= ENTRY && memcmp(data.at, "PK\1\2", 4) == 0) {
        uint64_t name = weir_le_get(data.at + 28, 2), extra = weir_le_get(data.at + 30, 2),
                 note = weir_le_get(data.at + 32, 2);
        if (name + extra + note > data.length - ENTRY)
            return damaged(zip, "its directory is cut short");
        member member = {.info = {{weir_arena_strndup(&zip->arena, data.at + ENTRY, name), name},
                                  weir_le_get(data.at + 20, 4),
                                  weir_le_get(data.at + 24, 4)},
                         .crc = (uint32_t)weir_le_get(data.at + 16, 4),
                         .place = weir_le_get(data.at + 42, 4),
                         .method = (int)weir_le_get(data.at + 10, 2)};
        read_extra((weir_str){data.at + ENTRY + name, extra}, &member);
        weir_vec_push(&zip->members, member);
        size_t all = ENTRY + name + extra + note;
        data = (weir_str){data.at + all, data.length - all};
    }
    return WEIR_OK;
}

weir_status weir_zip_open(const char *path, weir_zip **out_zip)
{
    WEIR_OWNED(weir_zip) zip = WEIR_NEW(weir_zip);
    uint64_t place = 0, bytes = 0;
    weir_arena_init(&zip->arena);
    WEIR_TRY(weir_rfile_open(path, &zip->file));
    WEIR_TRY(find_directory(zip, &place, &bytes));
    WEIR_FREED char *directory = weir_alloc(bytes + 1);
    weir_status status = weir_rfile_read(zip->file, place, directory, bytes);
    if (!status)
        status = read_directory(zip, (weir_str){directory, bytes});
    WEIR_TRY(status);
    *out_zip = WEIR_TAKE(zip);
    return WEIR_OK;
}

void weir_zip_destroy(weir_zip *zip)
{
    if (!zip)
        return;
    weir_rfile_destroy(zip->file);
    weir_arena_fini(&zip->arena);
    weir_vec_fini(&zip->members);
    weir_free(zip);
}

const char *weir_zip_path(const weir_zip *zip)
{
    return weir_rfile_path(zip->file);
}

size_t weir_zip_count(const weir_zip *zip)
{
    return zip->members.count;
}

weir_zip_member weir_zip_at(const weir_zip *zip, size_t i)
{
    return zip->members.at[i].info;
}

bool weir_zip_find(const weir_zip *zip, const char *name, size_t *out_i)
{
    for (size_t i = 0; i < zip->members.count; i++)
        if (weir_str_is(zip->members.at[i].info.name, name)) {
            *out_i = i;
            return true;
        }
    return false;
}

/* ---- members --------------------------------------------------------------------------------- */

static weir_status check_method(const weir_zip *zip, const member *member)
{
    if (member->method == STORED || member->method == DEFLATED)
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED, "%s: members packed by method %d",
                      weir_rfile_path(zip->file), member->method);
}

weir_status weir_zip_front(weir_zip *zip, size_t i, char *out, size_t room, size_t *out_length)
{
    const member *member = &zip->members.at[i];
    uint64_t place;
    WEIR_TRY(check_method(zip, member));
    WEIR_TRY(find_bytes(zip, member, &place));
    room = room < FRONT ? room : FRONT;
    if (member->method == STORED)
        return weir_rfile_read_some(zip->file, place, out,
                                    member->info.packed < room ? (size_t)member->info.packed : room,
                                    out_length);
    char packed[FRONT];
    size_t length =
        member->info.packed < sizeof packed ? (size_t)member->info.packed : sizeof packed;
    bool end = false;
    WEIR_TRY(weir_rfile_read(zip->file, place, packed, length));
    WEIR_OWNED(weir_inflate) inflate = NULL;
    WEIR_TRY(weir_inflate_create(WEIR_PACKING_RAW, &inflate));
    weir_str in = {packed, length};
    *out_length = 0;
    for (size_t n = 1; n && !end && *out_length < room; *out_length += n)
        WEIR_TRY(weir_inflate_run(inflate, &in, out + *out_length, room - *out_length, &n, &end));
    return WEIR_OK;
}

static weir_status check(const weir_zip *zip, const member *member, weir_str plain)
{
    uint32_t crc;
    WEIR_TRY(weir_crc32(plain, &crc));
    if (crc != member->crc)
        return weir_error(WEIR_DATA_LOSS, "%s: the bytes of '%.*s' do not match their checksum",
                          weir_rfile_path(zip->file), WEIR_STR_ARG(member->info.name));
    return WEIR_OK;
}

weir_status weir_zip_read(weir_zip *zip, size_t i, size_t most, weir_buf *out_bytes)
{
    const member *member = &zip->members.at[i];
    WEIR_BUF(bytes);
    WEIR_BUF(inflated);
    uint64_t place;
    WEIR_TRY(check_method(zip, member));
    WEIR_TRY(find_bytes(zip, member, &place));
    if (member->info.packed > most)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s: '%.*s' is too large",
                          weir_rfile_path(zip->file), WEIR_STR_ARG(member->info.name));
    weir_buf_reserve(&bytes, (size_t)member->info.packed + 1);
    WEIR_TRY(weir_rfile_read(zip->file, place, bytes.at, (size_t)member->info.packed));
    bytes.length = (size_t)member->info.packed;
    bytes.at[bytes.length] = 0;
    if (member->method == DEFLATED)
        WEIR_TRY(weir_inflate_all(WEIR_PACKING_RAW, weir_view(&bytes), most, &inflated));
    weir_buf *plain = member->method == DEFLATED ? &inflated : &bytes;
    WEIR_TRY(check(zip, member, weir_view(plain)));
    *out_bytes = *plain;
    *plain = (weir_buf){0};
    return WEIR_OK;
}
