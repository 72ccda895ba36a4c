/* io/table_impl.h - constants of the table format. */
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
