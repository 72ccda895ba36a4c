/* io/table.h - files of sorted keys and their values (the index of a checkpoint).
 *
 * Keys are unique and ordered as unsigned bytes. A weir_sstable is read-only and thread-safe; a
 * cursor is for one thread.
 */
#ifndef WEIR_IO_TABLE_H
#define WEIR_IO_TABLE_H

#include "base/str.h"

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct weir_sstable weir_sstable;
/* DATA_LOSS when the file is not a table. */
WEIR_CHECKED weir_status weir_sstable_open(const char *path, weir_sstable **out_table);
void weir_sstable_destroy(weir_sstable *table); /* takes null */
WEIR_OWNABLE(weir_sstable);
const char *weir_sstable_path(const weir_sstable *table);

/* A position in a table. Start with a zeroed one; fini it at the end. */
typedef struct weir_sstable_cursor {
    weir_str value;  /* of the current entry; valid until the cursor moves */
    weir_buf key;    /* of the current entry */
    bool valid;      /* false: past the last entry */
    weir_buf block;  /* contents of the data block it is in */
    size_t at, end;  /* where the next entry starts and where entries end, in block */
    size_t block_no; /* which block that is */
    uint64_t base;   /* where in the file the block is */
} weir_sstable_cursor;

/* Moves to the first entry whose key is not below |key|. */
WEIR_CHECKED weir_status weir_sstable_seek(const weir_sstable *table, weir_str key,
                                           weir_sstable_cursor *cursor);
/* Moves to the next entry, if |cursor| is valid. */
WEIR_CHECKED weir_status weir_sstable_next(const weir_sstable *table, weir_sstable_cursor *cursor);
void weir_sstable_cursor_fini(weir_sstable_cursor *cursor);

/* memcmp order, shorter first. */
int weir_key_compare(weir_str a, weir_str b);

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct weir_sstable_writer weir_sstable_writer;
weir_sstable_writer *weir_sstable_writer_create(void);
void weir_sstable_writer_destroy(weir_sstable_writer *writer); /* takes null */
WEIR_OWNABLE(weir_sstable_writer);
/* Adds an entry; keys must be added in rising order. */
WEIR_CHECKED weir_status weir_sstable_writer_add(weir_sstable_writer *writer, weir_str key,
                                                 weir_str value);
/* Appends the whole table file to |out|. No entries may be added afterwards. */
void weir_sstable_writer_finish(weir_sstable_writer *writer, weir_buf *out);

#endif
