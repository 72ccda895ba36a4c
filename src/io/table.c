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

enum { MAX_BLOCK_BYTES = 1 << 30 }; /* of one uncompressed block */

typedef struct handle {
    uint64_t offset, bytes;
} handle;

typedef struct block_ref {
    weir_str last_key; /* not below any key of the block; inside table.keys */
    handle where;
} block_ref;

struct weir_sstable {
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

static weir_status corrupt(const weir_sstable *table, uint64_t offset, const char *what)
{
    return weir_error(WEIR_DATA_LOSS, "%s: %s at offset %" PRIu64, weir_rfile_path(table->file),
                      what, offset);
}

static weir_status read_block(const weir_sstable *table, handle handle, weir_buf *out)
{
    uint64_t size = weir_rfile_bytes(table->file);
    if (handle.bytes > MAX_BLOCK_BYTES || handle.offset > size ||
        handle.bytes + WEIR_BLOCK_TRAILER > size - handle.offset)
        return corrupt(table, handle.offset, "truncated block read");
    WEIR_BUF(raw);
    size_t with_trailer = handle.bytes + WEIR_BLOCK_TRAILER;
    weir_buf_reserve(&raw, with_trailer);
    WEIR_TRY(weir_rfile_read(table->file, handle.offset, raw.at, with_trailer));
    uint32_t stored = weir_crc32c_unmask(weir_fixed32_get(raw.at + handle.bytes + 1));
    if (weir_crc32c(raw.at, handle.bytes + 1) != stored)
        return corrupt(table, handle.offset, "block checksum mismatch");
    char type = raw.at[handle.bytes];
    raw.length = handle.bytes;
    if (type == WEIR_BLOCK_SNAPPY)
        return weir_snappy_unpack(weir_view(&raw), MAX_BLOCK_BYTES, out);
    if (type != WEIR_BLOCK_PLAIN)
        return corrupt(table, handle.offset + handle.bytes, "bad block type");
    *out = raw;
    raw = (weir_buf){0};
    return WEIR_OK;
}

/* Positions |cursor| before the first entry of its new block. */
static weir_status enter_contents(const weir_sstable *table, weir_sstable_cursor *cursor)
{
    cursor->at = cursor->end = cursor->key.length = 0;
    if (cursor->block.length < 4)
        return corrupt(table, cursor->base, "bad block contents");
    uint64_t restarts = weir_fixed32_get(cursor->block.at + cursor->block.length - 4);
    if (restarts > (cursor->block.length - 4) / 4)
        return corrupt(table, cursor->base, "bad block contents");
    cursor->end = cursor->block.length - 4 - 4 * restarts;
    return WEIR_OK;
}

/* Reads the entry at cursor->at; cursor->valid: there was one. */
static weir_status next_in_block(const weir_sstable *table, weir_sstable_cursor *cursor)
{
    cursor->valid = false;
    if (cursor->at >= cursor->end)
        return WEIR_OK;
    weir_str rest = {cursor->block.at + cursor->at, cursor->end - cursor->at};
    uint64_t shared, fresh, value;
    if (!weir_varint_take(&rest, &shared) || !weir_varint_take(&rest, &fresh) ||
        !weir_varint_take(&rest, &value) || shared > cursor->key.length || fresh > rest.length ||
        value > rest.length - fresh)
        return corrupt(table, cursor->base + cursor->at, "bad entry in block");
    cursor->key.length = shared;
    weir_buf_add(&cursor->key, rest.at, fresh);
    cursor->value = (weir_str){rest.at + fresh, value};
    cursor->at = (size_t)(rest.at + fresh + value - cursor->block.at);
    cursor->valid = true;
    return WEIR_OK;
}

static weir_status enter_block(const weir_sstable *table, size_t block_no,
                               weir_sstable_cursor *cursor)
{
    weir_buf_fini(&cursor->block);
    cursor->block_no = block_no;
    cursor->valid = false;
    cursor->base = table->blocks.at[block_no].where.offset;
    WEIR_TRY(read_block(table, table->blocks.at[block_no].where, &cursor->block));
    return enter_contents(table, cursor);
}

weir_status weir_sstable_next(const weir_sstable *table, weir_sstable_cursor *cursor)
{
    WEIR_TRY(next_in_block(table, cursor));
    while (!cursor->valid && cursor->block_no + 1 < table->blocks.count) {
        WEIR_TRY(enter_block(table, cursor->block_no + 1, cursor));
        WEIR_TRY(next_in_block(table, cursor));
    }
    return WEIR_OK;
}

weir_status weir_sstable_seek(const weir_sstable *table, weir_str key, weir_sstable_cursor *cursor)
{
    size_t low = 0, high = table->blocks.count; /* first block whose last key is not below key */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (weir_key_compare(table->blocks.at[middle].last_key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    cursor->valid = false;
    if (low == table->blocks.count)
        return WEIR_OK;
    WEIR_TRY(enter_block(table, low, cursor));
    do
        WEIR_TRY(weir_sstable_next(table, cursor));
    while (cursor->valid && weir_key_compare(weir_view(&cursor->key), key) < 0);
    return WEIR_OK;
}

void weir_sstable_cursor_fini(weir_sstable_cursor *cursor)
{
    weir_buf_fini(&cursor->key);
    weir_buf_fini(&cursor->block);
    *cursor = (weir_sstable_cursor){0};
}

static bool take_handle(weir_str *in, handle *out)
{
    return weir_varint_take(in, &out->offset) && weir_varint_take(in, &out->bytes);
}

static weir_status read_index(weir_sstable *table, handle where)
{
    weir_sstable_cursor cursor = {.base = where.offset};
    weir_status status = read_block(table, where, &cursor.block);
    if (!status)
        status = enter_contents(table, &cursor);
    while (!status) {
        status = next_in_block(table, &cursor);
        if (status || !cursor.valid)
            break;
        block_ref ref = {0};
        if (!take_handle(&cursor.value, &ref.where)) {
            status = corrupt(table, where.offset + cursor.at, "bad block handle");
            break;
        }
        ref.last_key = (weir_str){
            weir_arena_strndup(&table->keys, cursor.key.at, cursor.key.length), cursor.key.length};
        weir_vec_push(&table->blocks, ref);
    }
    weir_sstable_cursor_fini(&cursor);
    return status;
}

static weir_status read_footer(weir_sstable *table)
{
    char footer[WEIR_TABLE_FOOTER];
    uint64_t size = weir_rfile_bytes(table->file);
    if (size < WEIR_TABLE_FOOTER)
        return weir_error(WEIR_DATA_LOSS, "file is too short to be an sstable");
    WEIR_TRY(weir_rfile_read(table->file, size - WEIR_TABLE_FOOTER, footer, WEIR_TABLE_FOOTER));
    if (weir_fixed64_get(footer + WEIR_TABLE_FOOTER - 8) != WEIR_TABLE_MAGIC)
        return weir_error(WEIR_DATA_LOSS, "not an sstable (bad magic number)");
    weir_str rest = {footer, WEIR_TABLE_FOOTER - 8};
    handle metaindex, index;
    if (!take_handle(&rest, &metaindex) || !take_handle(&rest, &index))
        return corrupt(table, size - WEIR_TABLE_FOOTER, "bad block handle");
    return read_index(table, index);
}

weir_status weir_sstable_open(const char *path, weir_sstable **out_table)
{
    WEIR_OWNED(weir_sstable) table = WEIR_NEW(weir_sstable);
    weir_arena_init(&table->keys);
    WEIR_TRY(weir_rfile_open(path, &table->file));
    WEIR_TRY(read_footer(table));
    *out_table = WEIR_TAKE(table);
    return WEIR_OK;
}

const char *weir_sstable_path(const weir_sstable *table)
{
    return weir_rfile_path(table->file);
}

void weir_sstable_destroy(weir_sstable *table)
{
    if (!table)
        return;
    weir_rfile_destroy(table->file);
    weir_arena_fini(&table->keys);
    weir_vec_fini(&table->blocks);
    weir_free(table);
}
