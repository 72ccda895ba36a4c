/* ops/sparse/cross.h - feature crosses: every combination of one feature from each
 * column, per row of the batch, as joined strings or as a hash. The last column varies
 * fastest. */
#ifndef WEIR_OPS_SPARSE_CROSS_H
#define WEIR_OPS_SPARSE_CROSS_H

#include "op/op.h"

/* Features of one column, string or int64, with the offsets of its rows. */
typedef struct weir_column {
    const weir_tensor *values;
    const int64_t *begin; /* rows + 1 offsets; null for a dense one */
    int64_t width;        /* of a dense one */
} weir_column;

typedef struct weir_columns {
    weir_column *at;
    int count;
    int64_t rows;
    weir_tensor *begins; /* the buffers of weir_column.begin */
    int begin_count;
} weir_columns;

/* How a combination becomes a value. */
typedef struct weir_crosser {
    bool hashes; /* else joins strings */
    bool keyed;  /* SparseCrossHashed: the key hashes features, not the combination */
    bool strong;
    uint64_t key[2]; /* keyed: the salt; else key[0] seeds the hash */
    int64_t buckets; /* 0: the full range */
    bool text_only;  /* no int64 columns */
    weir_str separator;
} weir_crosser;

void weir_columns_fini(weir_columns *columns);
/* Row offsets of the entries of a sparse matrix, which must be sorted by row. */
WEIR_CHECKED weir_status weir_column_rows(const weir_tensor *indices, int64_t rows,
                                          weir_tensor *out);
/* The number of combinations of |row|. */
WEIR_CHECKED weir_status weir_cross_count(const weir_columns *columns, int64_t row, int64_t *out);
/* Writes those of |row| to |values| from |from| on. |pick| is scratch: one number per column. */
void weir_cross_row(const weir_crosser *crosser, const weir_columns *columns, int64_t row,
                    weir_tensor *values, int64_t from, int64_t *pick);

#endif
