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

/* ---- numbers ------------------------------------------------------------------------------------
 */

static uint64_t get(const void *at, int bytes)
{
    const uint8_t *p = at;
    uint64_t v = 0;
    for (int i = bytes - 1; i >= 0; i--)
        v = v << 8 | p[i];
    return v;
}

static void add(weir_buf *b, int bytes, uint64_t v)
{
    for (int i = 0; i < bytes; i++)
        weir_buf_addc(b, (char)(v >> 8 * i));
}

/* ---- reading ------------------------------------------------------------------------------------
 */

static weir_status damaged(const weir_npz *z, const char *what)
{
    return weir_error(WEIR_DATA_LOSS, "%s: not a zip archive, or damaged: %s",
                      weir_rfile_path(z->file), what);
}

/* The larger end, which the locator before the end names. */
static weir_status find_directory64(weir_npz *z, uint64_t end_at, uint64_t *out_place,
                                    uint64_t *out_bytes)
{
    uint8_t locator[LOCATOR], end[END64];
    if (end_at < LOCATOR)
        return damaged(z, "it has no end");
    WEIR_TRY(weir_rfile_read(z->file, end_at - LOCATOR, locator, LOCATOR));
    if (memcmp(locator, "PK\6\7", 4) != 0)
        return damaged(z, "its end does not say where the directory is");
    WEIR_TRY(weir_rfile_read(z->file, get(locator + 8, 8), end, END64));
    if (memcmp(end, "PK\6\6", 4) != 0)
        return damaged(z, "its end does not say where the directory is");
    *out_bytes = get(end + 40, 8);
    *out_place = get(end + 48, 8);
    return WEIR_OK;
}

static weir_status find_directory(weir_npz *z, uint64_t *out_place, uint64_t *out_bytes)
{
    uint64_t bytes = weir_rfile_bytes(z->file);
    size_t length = bytes < TAIL ? (size_t)bytes : TAIL;
    char *tail = weir_alloc(length + 1);
    weir_status s = weir_rfile_read(z->file, bytes - length, tail, length);
    const char *end = NULL;
    for (size_t i = length >= END ? length - END + 1 : 0; !s && !end && i-- > 0;)
        if (memcmp(tail + i, "PK\5\6", 4) == 0)
            end = tail + i;
    if (!s && !end)
        s = damaged(z, "it has no directory");
    if (!s) {
        *out_bytes = get(end + 12, 4);
        *out_place = get(end + 16, 4);
        if (*out_place == ALL_ONES || *out_bytes == ALL_ONES)
            s = find_directory64(z, bytes - length + (uint64_t)(end - tail), out_place, out_bytes);
    }
    if (!s &&
        (*out_bytes > largest_directory || *out_place > bytes || *out_bytes > bytes - *out_place))
        s = damaged(z, "its directory does not lie in it");
    weir_free(tail);
    return s;
}

/* Sizes and place that did not fit are in extra field 1, in this order. */
static void read_extra(weir_str extra, member *m)
{
    uint64_t *const wide[] = {&m->bytes, &m->packed, &m->place};
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
static weir_status find_bytes(weir_npz *z, member *m)
{
    uint8_t head[MEMBER];
    WEIR_TRY(weir_rfile_read(z->file, m->place, head, MEMBER));
    if (memcmp(head, "PK\3\4", 4) != 0)
        return damaged(z, "a member is not where the directory says");
    m->place += MEMBER + get(head + 26, 2) + get(head + 28, 2);
    uint64_t bytes = weir_rfile_bytes(z->file);
    if (m->place > bytes || m->packed > bytes - m->place)
        return damaged(z, "a member ends behind the file");
    return WEIR_OK;
}

/* The first bytes of a member, unpacked: enough for the header of an array. */
static weir_status read_front(weir_npz *z, const member *m, char *out, size_t room,
                              size_t *out_length)
{
    if (!m->deflated)
        return weir_rfile_read_some(z->file, m->place, out,
                                    m->packed < room ? (size_t)m->packed : room, out_length);
    char packed[HEADER_ROOM];
    size_t length = m->packed < sizeof packed ? (size_t)m->packed : sizeof packed;
    bool end = false;
    WEIR_TRY(weir_rfile_read(z->file, m->place, packed, length));
    WEIR_OWNED(weir_inflate) inflate = NULL;
    WEIR_TRY(weir_inflate_create(WEIR_PACKING_RAW, &inflate));
    weir_str in = {packed, length};
    *out_length = 0;
    for (size_t n = 1; n && !end && *out_length < room; *out_length += n)
        WEIR_TRY(weir_inflate_run(inflate, &in, out + *out_length, room - *out_length, &n, &end));
    return WEIR_OK;
}

/* Adds the member if it is an array that we can hold; others are passed over. */
static weir_status add_member(weir_npz *z, weir_str name, member m)
{
    char front[HEADER_ROOM];
    size_t length = 0;
    weir_npy_head head;
    if (name.length < 4 || memcmp(name.at + name.length - 4, ".npy", 4) != 0)
        return WEIR_OK;
    WEIR_TRY(find_bytes(z, &m));
    WEIR_TRY(read_front(z, &m, front, sizeof front, &length));
    name.length -= 4;
    WEIR_TRY_NOTE(weir_npy_parse((weir_str){front, length}, &head), " (array '%.*s' of %s)",
                  WEIR_STR_ARG(name), weir_rfile_path(z->file));
    m.info = (weir_tensor_info){
        {weir_arena_strndup(&z->arena, name.at, name.length), name.length}, head.dtype, head.shape};
    weir_vec_push(&z->members, m);
    return WEIR_OK;
}

static weir_status read_directory(weir_npz *z, weir_str d)
{
    while (d.length >= ENTRY && memcmp(d.at, "PK\1\2", 4) == 0) {
        uint64_t name = get(d.at + 28, 2), extra = get(d.at + 30, 2), note = get(d.at + 32, 2);
        uint64_t method = get(d.at + 10, 2);
        if (name + extra + note > d.length - ENTRY)
            return damaged(z, "its directory is cut short");
        member m = {.crc = (uint32_t)get(d.at + 16, 4),
                    .packed = get(d.at + 20, 4),
                    .bytes = get(d.at + 24, 4),
                    .place = get(d.at + 42, 4),
                    .deflated = method == 8};
        if (method != 0 && method != 8)
            return weir_error(WEIR_UNIMPLEMENTED, "%s: members packed by method %d",
                              weir_rfile_path(z->file), (int)method);
        read_extra((weir_str){d.at + ENTRY + name, extra}, &m);
        WEIR_TRY(add_member(z, (weir_str){d.at + ENTRY, name}, m));
        size_t all = ENTRY + name + extra + note;
        d = (weir_str){d.at + all, d.length - all};
    }
    return WEIR_OK;
}

weir_status weir_npz_open(const char *path, weir_npz **out_npz)
{
    WEIR_OWNED(weir_npz) z = WEIR_NEW(weir_npz);
    uint64_t place = 0, bytes = 0;
    weir_arena_init(&z->arena);
    WEIR_TRY(weir_rfile_open(path, &z->file));
    WEIR_TRY(find_directory(z, &place, &bytes));
    char *directory = weir_alloc(bytes + 1);
    weir_status s = weir_rfile_read(z->file, place, directory, bytes);
    if (!s)
        s = read_directory(z, (weir_str){directory, bytes});
    weir_free(directory);
    WEIR_TRY(s);
    *out_npz = WEIR_TAKE(z);
    return WEIR_OK;
}

void weir_npz_destroy(weir_npz *z)
{
    if (!z)
        return;
    weir_rfile_destroy(z->file);
    weir_arena_fini(&z->arena);
    weir_vec_fini(&z->members);
    weir_free(z);
}

size_t weir_npz_count(const weir_npz *z)
{
    return z->members.count;
}

weir_tensor_info weir_npz_at(const weir_npz *z, size_t i)
{
    return z->members.at[i].info;
}

uint64_t weir_npz_stored(const weir_npz *z, size_t i)
{
    return z->members.at[i].packed;
}

static weir_status check(const weir_npz *z, const member *m, weir_str plain)
{
    uint32_t crc;
    WEIR_TRY(weir_crc32(plain, &crc));
    if (crc != m->crc)
        return weir_error(WEIR_DATA_LOSS, "%s: the bytes of '%.*s' do not match their checksum",
                          weir_rfile_path(z->file), WEIR_STR_ARG(m->info.name));
    return WEIR_OK;
}

weir_status weir_npz_read(weir_npz *z, size_t i, weir_tensor *out_tensor)
{
    const member *m = &z->members.at[i];
    WEIR_BUF(bytes);
    WEIR_BUF(inflated);
    if (m->packed > largest_member)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s: '%.*s' is too large",
                          weir_rfile_path(z->file), WEIR_STR_ARG(m->info.name));
    weir_buf_reserve(&bytes, (size_t)m->packed + 1);
    WEIR_TRY(weir_rfile_read(z->file, m->place, bytes.at, (size_t)m->packed));
    bytes.length = (size_t)m->packed;
    if (m->deflated)
        WEIR_TRY(weir_inflate_all(WEIR_PACKING_RAW, weir_view(&bytes), largest_member, &inflated));
    weir_str plain = weir_view(m->deflated ? &inflated : &bytes);
    WEIR_TRY(check(z, m, plain));
    return weir_npy_decode(plain, out_tensor);
}

/* ---- writing ------------------------------------------------------------------------------------
 */

struct weir_npz_writer {
    weir_wfile *file;
    weir_buf directory;
    uint64_t written, count;
};

weir_status weir_npz_writer_create(const char *path, weir_npz_writer **out_writer)
{
    WEIR_OWNED(weir_npz_writer) w = WEIR_NEW(weir_npz_writer);
    WEIR_TRY(weir_wfile_create(path, &w->file));
    *out_writer = WEIR_TAKE(w);
    return WEIR_OK;
}

void weir_npz_writer_destroy(weir_npz_writer *w)
{
    if (!w)
        return;
    weir_wfile_destroy(w->file);
    weir_buf_fini(&w->directory);
    weir_free(w);
}

static weir_status write(weir_npz_writer *w, const weir_buf *b)
{
    w->written += b->length;
    return weir_wfile_write(w->file, b->at, b->length);
}

/* What a member and its entry have in common: version, flags, method, time, CRC and sizes. Both
 * sizes always stand in the extra field, so that every member looks the same. */
static void add_common(weir_buf *b, uint32_t crc, weir_str name, uint64_t extra)
{
    add(b, 2, 45);      /* wide numbers */
    add(b, 2, 1 << 11); /* the name is UTF-8 */
    add(b, 2, 0);
    add(b, 4, 0x00210000); /* the first day of 1980 */
    add(b, 4, crc);
    add(b, 4, ALL_ONES);
    add(b, 4, ALL_ONES);
    add(b, 2, name.length + 4);
    add(b, 2, extra);
}

static void add_name(weir_buf *b, weir_str name)
{
    weir_buf_add(b, name.at, name.length);
    weir_buf_adds(b, ".npy");
}

weir_status weir_npz_writer_add(weir_npz_writer *w, weir_str name, const weir_tensor *t)
{
    WEIR_BUF(bytes);
    WEIR_BUF(head);
    if (name.length > 60000)
        return weir_error(WEIR_INVALID_ARGUMENT, "a name of %zu bytes", name.length);
    WEIR_TRY_NOTE(weir_npy_encode(t, &bytes), " (tensor '%.*s')", WEIR_STR_ARG(name));
    uint32_t crc;
    WEIR_TRY(weir_crc32(weir_view(&bytes), &crc));
    uint64_t place = w->written;
    weir_buf_add(&head, "PK\3\4", 4);
    add_common(&head, crc, name, 20);
    add_name(&head, name);
    add(&head, 2, 1), add(&head, 2, 16), add(&head, 8, bytes.length), add(&head, 8, bytes.length);
    WEIR_TRY(write(w, &head));
    WEIR_TRY(write(w, &bytes));
    weir_buf *d = &w->directory;
    weir_buf_add(d, "PK\1\2", 4);
    add(d, 2, 45);
    add_common(d, crc, name, 28);
    add(d, 2, 0), add(d, 2, 0), add(d, 2, 0), add(d, 4, 0); /* no comment; disk and attributes */
    add(d, 4, ALL_ONES);
    add_name(d, name);
    add(d, 2, 1), add(d, 2, 24), add(d, 8, bytes.length), add(d, 8, bytes.length);
    add(d, 8, place);
    w->count++;
    return WEIR_OK;
}

static void add_end(weir_npz_writer *w, weir_buf *b, uint64_t place, uint64_t bytes)
{
    weir_buf_add(b, "PK\6\6", 4);
    add(b, 8, END64 - 12), add(b, 2, 45), add(b, 2, 45), add(b, 4, 0), add(b, 4, 0);
    add(b, 8, w->count), add(b, 8, w->count), add(b, 8, bytes), add(b, 8, place);
    weir_buf_add(b, "PK\6\7", 4);
    add(b, 4, 0), add(b, 8, place + bytes), add(b, 4, 1);
    uint64_t count = w->count < 0xffff ? w->count : 0xffff;
    weir_buf_add(b, "PK\5\6", 4);
    add(b, 4, 0), add(b, 2, count), add(b, 2, count), add(b, 4, ALL_ONES), add(b, 4, ALL_ONES);
    add(b, 2, 0);
}

weir_status weir_npz_writer_finish(weir_npz_writer *w)
{
    uint64_t place = w->written, bytes = w->directory.length;
    WEIR_BUF(end);
    add_end(w, &end, place, bytes);
    weir_status s = bytes ? write(w, &w->directory) : WEIR_OK;
    if (!s)
        s = write(w, &end);
    if (!s)
        s = weir_wfile_commit(WEIR_TAKE(w->file));
    weir_npz_writer_destroy(w);
    return s;
}
