/* io/table_writer.c - the writer of table files; table.c draws the layout. */
#include "base/mem.h"
#include "io/table.h"
#include "io/table_impl.h"
#include "wire/crc32c.h"
#include "wire/varint.h"

enum {
    BLOCK_BYTES = 262144,  /* a data block is closed when it reaches this */
    RESTART_INTERVAL = 16, /* entries between full keys in data blocks */
};

/* One block being filled. */
typedef struct block {
    weir_buf entries;
    weir_buf last_key;
    WEIR_VEC(uint32_t) restarts;
    int interval;      /* entries between restarts */
    int since_restart; /* entries since the last one */
} block;

struct weir_table_writer {
    weir_buf file;
    block data, index;
    weir_buf closed_key;   /* last key of the closed block whose index entry is still due */
    weir_buf closed_where; /* and its handle */
    bool index_due;
    bool any;
};

static weir_str view(const weir_buf *b)
{
    return weir_view(b);
}

static void set(weir_buf *b, weir_str bytes)
{
    b->length = 0;
    weir_buf_add(b, bytes.at, bytes.length);
}

static size_t shared_length(weir_str a, weir_str b)
{
    size_t n = 0;
    while (n < a.length && n < b.length && a.at[n] == b.at[n])
        n++;
    return n;
}

static void block_add(block *b, weir_str key, weir_str value)
{
    size_t shared = 0;
    if (b->entries.length == 0 || b->since_restart == b->interval) {
        weir_vec_push(&b->restarts, (uint32_t)b->entries.length);
        b->since_restart = 0;
    } else {
        shared = shared_length(view(&b->last_key), key);
    }
    weir_varint_put(&b->entries, shared);
    weir_varint_put(&b->entries, key.length - shared);
    weir_varint_put(&b->entries, value.length);
    weir_buf_add(&b->entries, key.at + shared, key.length - shared);
    weir_buf_add(&b->entries, value.at, value.length);
    set(&b->last_key, key);
    b->since_restart++;
}

static size_t block_bytes(const block *b)
{
    return b->entries.length + 4 * b->restarts.count + 4;
}

/* Appends the block to the file and empties it; *out_handle becomes its handle. */
static void block_close(block *b, weir_buf *file, weir_buf *out_handle)
{
    if (b->restarts.count == 0)
        weir_vec_push(&b->restarts, 0);
    for (size_t i = 0; i < b->restarts.count; i++)
        weir_fixed32_add(&b->entries, b->restarts.at[i]);
    weir_fixed32_add(&b->entries, (uint32_t)b->restarts.count);
    out_handle->length = 0;
    weir_varint_put(out_handle, file->length);
    weir_varint_put(out_handle, b->entries.length);
    weir_buf_addc(&b->entries, WEIR_BLOCK_PLAIN);
    uint32_t crc = weir_crc32c(b->entries.at, b->entries.length);
    weir_buf_add(file, b->entries.at, b->entries.length);
    weir_fixed32_add(file, weir_crc32c_mask(crc));
    b->entries.length = b->last_key.length = b->restarts.count = 0;
    b->since_restart = 0;
}

static void block_fini(block *b)
{
    weir_buf_fini(&b->entries);
    weir_buf_fini(&b->last_key);
    weir_vec_fini(&b->restarts);
}

/* Shortens |key| to something not below it and below |limit|, when there is such a thing. */
static void separate(weir_buf *key, weir_str limit)
{
    size_t n = shared_length(view(key), limit);
    if (n >= key->length || n >= limit.length)
        return;
    uint8_t byte = (uint8_t)key->at[n];
    if (byte == 0xff || byte + 1 >= (uint8_t)limit.at[n])
        return;
    key->at[n] = (char)(byte + 1);
    key->length = n + 1;
}

/* Shortens |key| to the shortest thing not below it. */
static void succeed(weir_buf *key)
{
    for (size_t i = 0; i < key->length; i++)
        if ((uint8_t)key->at[i] != 0xff) {
            key->at[i]++;
            key->length = i + 1;
            return;
        }
}

static void settle_index(weir_table_writer *w)
{
    if (w->index_due)
        block_add(&w->index, view(&w->closed_key), view(&w->closed_where));
    w->index_due = false;
}

static void close_data(weir_table_writer *w)
{
    if (w->data.entries.length == 0)
        return;
    set(&w->closed_key, view(&w->data.last_key));
    block_close(&w->data, &w->file, &w->closed_where);
    w->index_due = true;
}

weir_table_writer *weir_table_writer_create(void)
{
    weir_table_writer *w = WEIR_NEW(weir_table_writer);
    w->data.interval = RESTART_INTERVAL;
    w->index.interval = 1;
    return w;
}

void weir_table_writer_destroy(weir_table_writer *w)
{
    if (!w)
        return;
    block_fini(&w->data);
    block_fini(&w->index);
    weir_buf_fini(&w->file);
    weir_buf_fini(&w->closed_key);
    weir_buf_fini(&w->closed_where);
    weir_free(w);
}

weir_status weir_table_writer_add(weir_table_writer *w, weir_str key, weir_str value)
{
    const weir_buf *last = w->data.entries.length ? &w->data.last_key : &w->closed_key;
    if (w->any && weir_key_compare(view(last), key) >= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "table keys out of order: '%.*s'",
                          WEIR_STR_ARG(key));
    w->any = true;
    /* An entry of its own size class gets a block of its own. */
    if (key.length + value.length >= 2 * BLOCK_BYTES)
        close_data(w);
    if (w->index_due) {
        separate(&w->closed_key, key);
        settle_index(w);
    }
    block_add(&w->data, key, value);
    if (block_bytes(&w->data) >= BLOCK_BYTES)
        close_data(w);
    return WEIR_OK;
}

void weir_table_writer_finish(weir_table_writer *w, weir_buf *out)
{
    block empty = {.interval = RESTART_INTERVAL};
    WEIR_BUF(footer);
    WEIR_BUF(where);
    close_data(w);
    block_close(&empty, &w->file, &footer);
    if (w->index_due)
        succeed(&w->closed_key);
    settle_index(w);
    block_close(&w->index, &w->file, &where);
    weir_buf_add(&footer, where.at, where.length);
    while (footer.length < WEIR_TABLE_FOOTER - 8)
        weir_buf_addc(&footer, 0);
    weir_fixed64_add(&footer, WEIR_TABLE_MAGIC);
    weir_buf_add(&w->file, footer.at, footer.length);
    weir_buf_add(out, w->file.at, w->file.length);
    block_fini(&empty);
    w->file.length = 0;
}
