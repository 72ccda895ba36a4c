/* io/table_writer.c - the writer of table files; table.c describes the layout. */
#include "base/mem.h"
#include "io/table.h"
#include "io/table_impl.h"
#include "wire/crc32c.h"
#include "wire/varint.h"

enum {
    BLOCK_BYTES = 262144,  /* a data block is closed when it reaches this */
    RESTART_INTERVAL = 16, /* entries between full keys in data blocks */
};

/* A block under construction. */
typedef struct block {
    weir_buf entries;
    weir_buf last_key;
    WEIR_VEC(uint32_t) restarts;
    int interval;      /* entries between restarts */
    int since_restart; /* entries since the last one */
} block;

struct weir_sstable_writer {
    weir_buf file;
    block data, index;
    weir_buf closed_key;   /* last key of the closed block, whose index entry is pending */
    weir_buf closed_where; /* and its handle */
    bool index_due;
    bool any;
};

static weir_str view(const weir_buf *buf)
{
    return weir_view(buf);
}

static void set(weir_buf *buf, weir_str bytes)
{
    buf->length = 0;
    weir_buf_add(buf, bytes.at, bytes.length);
}

static size_t shared_length(weir_str a, weir_str b)
{
    size_t count = 0;
    while (count < a.length && count < b.length && a.at[count] == b.at[count])
        count++;
    return count;
}

static void block_add(block *block, weir_str key, weir_str value)
{
    size_t shared = 0;
    if (block->entries.length == 0 || block->since_restart == block->interval) {
        weir_vec_push(&block->restarts, (uint32_t)block->entries.length);
        block->since_restart = 0;
    } else {
        shared = shared_length(view(&block->last_key), key);
    }
    weir_varint_put(&block->entries, shared);
    weir_varint_put(&block->entries, key.length - shared);
    weir_varint_put(&block->entries, value.length);
    weir_buf_add(&block->entries, key.at + shared, key.length - shared);
    weir_buf_add(&block->entries, value.at, value.length);
    set(&block->last_key, key);
    block->since_restart++;
}

static size_t block_bytes(const block *block)
{
    return block->entries.length + 4 * block->restarts.count + 4;
}

/* Appends the block to the file and empties it; *out_handle becomes its handle. */
static void block_close(block *block, weir_buf *file, weir_buf *out_handle)
{
    if (block->restarts.count == 0)
        weir_vec_push(&block->restarts, 0);
    for (size_t i = 0; i < block->restarts.count; i++)
        weir_fixed32_add(&block->entries, block->restarts.at[i]);
    weir_fixed32_add(&block->entries, (uint32_t)block->restarts.count);
    out_handle->length = 0;
    weir_varint_put(out_handle, file->length);
    weir_varint_put(out_handle, block->entries.length);
    weir_buf_addc(&block->entries, WEIR_BLOCK_PLAIN);
    uint32_t crc = weir_crc32c(block->entries.at, block->entries.length);
    weir_buf_add(file, block->entries.at, block->entries.length);
    weir_fixed32_add(file, weir_crc32c_mask(crc));
    block->entries.length = block->last_key.length = block->restarts.count = 0;
    block->since_restart = 0;
}

static void block_fini(block *block)
{
    weir_buf_fini(&block->entries);
    weir_buf_fini(&block->last_key);
    weir_vec_fini(&block->restarts);
}

/* Shortens |key| to a key not below it and below |limit|, if there is one. */
static void separate(weir_buf *key, weir_str limit)
{
    size_t length = shared_length(view(key), limit);
    if (length >= key->length || length >= limit.length)
        return;
    uint8_t byte = (uint8_t)key->at[length];
    if (byte == 0xff || byte + 1 >= (uint8_t)limit.at[length])
        return;
    key->at[length] = (char)(byte + 1);
    key->length = length + 1;
}

/* Shortens |key| to the shortest key not below it. */
static void succeed(weir_buf *key)
{
    for (size_t i = 0; i < key->length; i++)
        if ((uint8_t)key->at[i] != 0xff) {
            key->at[i]++;
            key->length = i + 1;
            return;
        }
}

static void settle_index(weir_sstable_writer *writer)
{
    if (writer->index_due)
        block_add(&writer->index, view(&writer->closed_key), view(&writer->closed_where));
    writer->index_due = false;
}

static void close_data(weir_sstable_writer *writer)
{
    if (writer->data.entries.length == 0)
        return;
    set(&writer->closed_key, view(&writer->data.last_key));
    block_close(&writer->data, &writer->file, &writer->closed_where);
    writer->index_due = true;
}

weir_sstable_writer *weir_sstable_writer_create(void)
{
    weir_sstable_writer *writer = WEIR_NEW(weir_sstable_writer);
    writer->data.interval = RESTART_INTERVAL;
    writer->index.interval = 1;
    return writer;
}

void weir_sstable_writer_destroy(weir_sstable_writer *writer)
{
    if (!writer)
        return;
    block_fini(&writer->data);
    block_fini(&writer->index);
    weir_buf_fini(&writer->file);
    weir_buf_fini(&writer->closed_key);
    weir_buf_fini(&writer->closed_where);
    weir_free(writer);
}

weir_status weir_sstable_writer_add(weir_sstable_writer *writer, weir_str key, weir_str value)
{
    const weir_buf *last =
        writer->data.entries.length ? &writer->data.last_key : &writer->closed_key;
    if (writer->any && weir_key_compare(view(last), key) >= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "table keys out of order: '%.*s'",
                          WEIR_STR_ARG(key));
    writer->any = true;
    /* A large entry gets a block of its own. */
    if (key.length + value.length >= 2 * BLOCK_BYTES)
        close_data(writer);
    if (writer->index_due) {
        separate(&writer->closed_key, key);
        settle_index(writer);
    }
    block_add(&writer->data, key, value);
    if (block_bytes(&writer->data) >= BLOCK_BYTES)
        close_data(writer);
    return WEIR_OK;
}

void weir_sstable_writer_finish(weir_sstable_writer *writer, weir_buf *out)
{
    block empty = {.interval = RESTART_INTERVAL};
    WEIR_BUF(footer);
    WEIR_BUF(where);
    close_data(writer);
    block_close(&empty, &writer->file, &footer);
    if (writer->index_due)
        succeed(&writer->closed_key);
    settle_index(writer);
    block_close(&writer->index, &writer->file, &where);
    weir_buf_add(&footer, where.at, where.length);
    while (footer.length < WEIR_TABLE_FOOTER - 8)
        weir_buf_addc(&footer, 0);
    weir_fixed64_add(&footer, WEIR_TABLE_MAGIC);
    weir_buf_add(&writer->file, footer.at, footer.length);
    weir_buf_add(out, writer->file.at, writer->file.length);
    block_fini(&empty);
    writer->file.length = 0;
}
