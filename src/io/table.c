/*
 * io/table.c - the reader of table files.
 *
 *   file     data blocks, metaindex block, index block, footer (48 bytes)
 *   block    contents, type (0 plain, 1 snappy), fixed32 masked CRC-32C of contents and type
 *   contents entries, fixed32 restart offsets, fixed32 number of restarts
 *   entry    varint shared key bytes, varint further key bytes, varint value bytes, key, value
 *   index    one entry a data block: a key not below any of its keys, and its handle
 *   handle   varint offset, varint size of the contents
 *   footer   metaindex handle, index handle, zeros up to 40 bytes, fixed64 magic
 */
#include "io/table.h"

#include <inttypes.h>

#include "base/mem.h"
#include "io/file.h"
#include "io/snappy.h"
#include "io/table_impl.h"
#include "wire/crc32c.h"
#include "wire/varint.h"

enum { MAX_BLOCK_BYTES = 1 << 30 }; /* of one unpacked block */

typedef struct handle {
    uint64_t offset, bytes;
} handle;

typedef struct block_ref {
    weir_str last_key; /* not below any key of the block; inside table.keys */
    handle where;
} block_ref;

struct weir_table {
    weir_rfile *file;
    weir_arena keys;
    WEIR_VEC(block_ref) blocks;
};

int weir_key_compare(weir_str a, weir_str b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common ? memcmp(a.at, b.at, common) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static weir_status corrupt(const weir_table *t, uint64_t offset, const char *what)
{
    return weir_error(WEIR_DATA_LOSS, "%s: %s at offset %" PRIu64, weir_rfile_path(t->file), what,
                      offset);
}

static weir_status read_block(const weir_table *t, handle h, weir_buf *out)
{
    uint64_t size = weir_rfile_bytes(t->file);
    if (h.bytes > MAX_BLOCK_BYTES || h.offset > size ||
        h.bytes + WEIR_BLOCK_TRAILER > size - h.offset)
        return corrupt(t, h.offset, "truncated block read");
    WEIR_BUF(raw);
    size_t with_trailer = h.bytes + WEIR_BLOCK_TRAILER;
    weir_buf_reserve(&raw, with_trailer);
    WEIR_TRY(weir_rfile_read(t->file, h.offset, raw.at, with_trailer));
    uint32_t stored = weir_crc32c_unmask(weir_fixed32_get(raw.at + h.bytes + 1));
    if (weir_crc32c(raw.at, h.bytes + 1) != stored)
        return corrupt(t, h.offset, "block checksum mismatch");
    char type = raw.at[h.bytes];
    raw.length = h.bytes;
    if (type == WEIR_BLOCK_SNAPPY)
        return weir_snappy_unpack(weir_view(&raw), MAX_BLOCK_BYTES, out);
    if (type != WEIR_BLOCK_PLAIN)
        return corrupt(t, h.offset + h.bytes, "bad block type");
    *out = raw;
    raw = (weir_buf){0};
    return WEIR_OK;
}

/* Puts |c| before the first entry of block contents it now owns. */
static weir_status enter_contents(const weir_table *t, weir_table_cursor *c)
{
    c->at = c->end = c->key.length = 0;
    if (c->block.length < 4)
        return corrupt(t, c->base, "bad block contents");
    uint64_t restarts = weir_fixed32_get(c->block.at + c->block.length - 4);
    if (restarts > (c->block.length - 4) / 4)
        return corrupt(t, c->base, "bad block contents");
    c->end = c->block.length - 4 - 4 * restarts;
    return WEIR_OK;
}

/* Reads the entry at c->at; c->valid tells whether there was one. */
static weir_status next_in_block(const weir_table *t, weir_table_cursor *c)
{
    c->valid = false;
    if (c->at >= c->end)
        return WEIR_OK;
    weir_str rest = {c->block.at + c->at, c->end - c->at};
    uint64_t shared, fresh, value;
    if (!weir_varint_take(&rest, &shared) || !weir_varint_take(&rest, &fresh) ||
        !weir_varint_take(&rest, &value) || shared > c->key.length || fresh > rest.length ||
        value > rest.length - fresh)
        return corrupt(t, c->base + c->at, "bad entry in block");
    c->key.length = shared;
    weir_buf_add(&c->key, rest.at, fresh);
    c->value = (weir_str){rest.at + fresh, value};
    c->at = (size_t)(rest.at + fresh + value - c->block.at);
    c->valid = true;
    return WEIR_OK;
}

static weir_status enter_block(const weir_table *t, size_t block_no, weir_table_cursor *c)
{
    weir_buf_fini(&c->block);
    c->block_no = block_no;
    c->valid = false;
    c->base = t->blocks.at[block_no].where.offset;
    WEIR_TRY(read_block(t, t->blocks.at[block_no].where, &c->block));
    return enter_contents(t, c);
}

weir_status weir_table_next(const weir_table *t, weir_table_cursor *c)
{
    WEIR_TRY(next_in_block(t, c));
    while (!c->valid && c->block_no + 1 < t->blocks.count) {
        WEIR_TRY(enter_block(t, c->block_no + 1, c));
        WEIR_TRY(next_in_block(t, c));
    }
    return WEIR_OK;
}

weir_status weir_table_seek(const weir_table *t, weir_str key, weir_table_cursor *c)
{
    size_t low = 0, high = t->blocks.count; /* first block whose last key is not below key */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (weir_key_compare(t->blocks.at[middle].last_key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    c->valid = false;
    if (low == t->blocks.count)
        return WEIR_OK;
    WEIR_TRY(enter_block(t, low, c));
    do
        WEIR_TRY(weir_table_next(t, c));
    while (c->valid && weir_key_compare(weir_view(&c->key), key) < 0);
    return WEIR_OK;
}

void weir_table_cursor_fini(weir_table_cursor *c)
{
    weir_buf_fini(&c->key);
    weir_buf_fini(&c->block);
    *c = (weir_table_cursor){0};
}

static bool take_handle(weir_str *in, handle *out)
{
    return weir_varint_take(in, &out->offset) && weir_varint_take(in, &out->bytes);
}

static weir_status read_index(weir_table *t, handle where)
{
    weir_table_cursor c = {.base = where.offset};
    weir_status status = read_block(t, where, &c.block);
    if (!status)
        status = enter_contents(t, &c);
    while (!status) {
        status = next_in_block(t, &c);
        if (status || !c.valid)
            break;
        block_ref ref = {0};
        if (!take_handle(&c.value, &ref.where)) {
            status = corrupt(t, where.offset + c.at, "bad block handle");
            break;
        }
        ref.last_key =
            (weir_str){weir_arena_strndup(&t->keys, c.key.at, c.key.length), c.key.length};
        weir_vec_push(&t->blocks, ref);
    }
    weir_table_cursor_fini(&c);
    return status;
}

static weir_status read_footer(weir_table *t)
{
    char footer[WEIR_TABLE_FOOTER];
    uint64_t size = weir_rfile_bytes(t->file);
    if (size < WEIR_TABLE_FOOTER)
        return weir_error(WEIR_DATA_LOSS, "file is too short to be an sstable");
    WEIR_TRY(weir_rfile_read(t->file, size - WEIR_TABLE_FOOTER, footer, WEIR_TABLE_FOOTER));
    if (weir_fixed64_get(footer + WEIR_TABLE_FOOTER - 8) != WEIR_TABLE_MAGIC)
        return weir_error(WEIR_DATA_LOSS, "not an sstable (bad magic number)");
    weir_str rest = {footer, WEIR_TABLE_FOOTER - 8};
    handle metaindex, index;
    if (!take_handle(&rest, &metaindex) || !take_handle(&rest, &index))
        return corrupt(t, size - WEIR_TABLE_FOOTER, "bad block handle");
    return read_index(t, index);
}

weir_status weir_table_open(const char *path, weir_table **out_table)
{
    WEIR_OWNED(weir_table) t = WEIR_NEW(weir_table);
    weir_arena_init(&t->keys);
    WEIR_TRY(weir_rfile_open(path, &t->file));
    WEIR_TRY(read_footer(t));
    *out_table = WEIR_TAKE(t);
    return WEIR_OK;
}

const char *weir_table_path(const weir_table *t)
{
    return weir_rfile_path(t->file);
}

void weir_table_destroy(weir_table *t)
{
    if (!t)
        return;
    weir_rfile_destroy(t->file);
    weir_arena_fini(&t->keys);
    weir_vec_fini(&t->blocks);
    weir_free(t);
}
