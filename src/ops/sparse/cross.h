/* ops/sparse/cross.h - crossing columns of features: every combination of one feature from each
 * column, per row of the batch, as joined text or as one hash. Combinations are counted with the
 * last column fastest. */
#ifndef WEIR_OPS_SPARSE_CROSS_H
#define WEIR_OPS_SPARSE_CROSS_H

#include "op/op.h"

/* Features of one column, text or int64: where those of each row begin. */
typedef struct weir_column {
    const weir_tensor *values;
    const int64_t *begin; /* rows + 1 of them; null for a dense one */
    int64_t width;        /* of a dense one */
} weir_column;

typedef struct weir_columns {
    weir_column *at;
    int count;
    int64_t rows;
    weir_tensor *begins; /* what weir_column.begin points into */
    int begin_count;
} weir_columns;

/* How a combination becomes a value. */
typedef struct weir_crosser {
    bool hashes; /* else joins text */
    bool keyed;  /* SparseCrossHashed: the key is for features, not for the whole */
    bool strong;
    uint64_t key[2]; /* keyed: the salt; else key[0] starts the hash */
    int64_t buckets; /* 0: the whole range */
    bool text_only;  /* no int64 columns */
    weir_str separator;
} weir_crosser;

void weir_columns_fini(weir_columns *columns);
/* Where the entries of each row of a sparse matrix begin; they must come row by row. */
WEIR_CHECKED weir_status weir_column_rows(const weir_tensor *indices, int64_t rows,
                                          weir_tensor *out);
/* How many combinations |row| has. */
WEIR_CHECKED weir_status weir_cross_count(const weir_columns *columns, int64_t row, int64_t *out);
/* Writes those of |row| to |values| from |from| on. |pick| is scratch for a number per column. */
void weir_cross_row(const weir_crosser *crosser, const weir_columns *columns, int64_t row,
                    weir_tensor *values, int64_t from, int64_t *pick);

#endif
