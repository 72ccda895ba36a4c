/* io/table_impl.h - numbers of the table format that its reader and its writer share. */
#ifndef WEIR_IO_TABLE_IMPL_H
#define WEIR_IO_TABLE_IMPL_H

#define WEIR_TABLE_MAGIC 0xdb4775248b80fb57ull

enum {
    WEIR_TABLE_FOOTER = 48,
    WEIR_BLOCK_TRAILER = 5, /* type and checksum */
    WEIR_BLOCK_PLAIN = 0,
    WEIR_BLOCK_SNAPPY = 1,
};

#endif
