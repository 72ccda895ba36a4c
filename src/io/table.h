/* io/table.h - files of sorted keys and their values (the index of a checkpoint).
 *
 * Keys are unique and ordered as unsigned bytes. A weir_table is read-only and may be shared by
 * threads; a cursor belongs to one.
 */
#ifndef WEIR_IO_TABLE_H
#define WEIR_IO_TABLE_H

#include "base/str.h"

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct weir_table weir_table;
/* DATA_LOSS when the file is not a table. */
WEIR_CHECKED weir_status weir_table_open(const char *path, weir_table **out_table);
void weir_table_destroy(weir_table *table); /* takes null */
WEIR_OWNABLE(weir_table);
const char *weir_table_path(const weir_table *table);

/* A place in a table. Zeroed is a valid start; fini it at the end. */
typedef struct weir_table_cursor {
    weir_str value;  /* of the current entry; valid until the cursor moves */
    weir_buf key;    /* of the current entry */
    bool valid;      /* false: past the last entry */
    weir_buf block;  /* contents of the data block it is in */
    size_t at, end;  /* where the next entry starts and where entries end, in block */
    size_t block_no; /* which block that is */
    uint64_t base;   /* where in the file the block is */
} weir_table_cursor;

/* Goes to the first entry whose key is not below |key|. */
WEIR_CHECKED weir_status weir_table_seek(const weir_table *table, weir_str key,
                                         weir_table_cursor *cursor);
/* Goes to the next entry, if |cursor| is valid. */
WEIR_CHECKED weir_status weir_table_next(const weir_table *table, weir_table_cursor *cursor);
void weir_table_cursor_fini(weir_table_cursor *cursor);

/* memcmp order, shorter first. */
int weir_key_compare(weir_str a, weir_str b);

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct weir_table_writer weir_table_writer;
weir_table_writer *weir_table_writer_create(void);
void weir_table_writer_destroy(weir_table_writer *writer); /* takes null */
WEIR_OWNABLE(weir_table_writer);
/* Adds an entry; keys must come in rising order. */
WEIR_CHECKED weir_status weir_table_writer_add(weir_table_writer *writer, weir_str key,
                                               weir_str value);
/* Appends the whole table file to |out|. The writer takes no more entries. */
void weir_table_writer_finish(weir_table_writer *writer, weir_buf *out);

#endif
