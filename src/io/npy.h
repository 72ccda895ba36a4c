/* io/npy.h - NumPy's files: one array (.npy), or arrays by name in a zip archive (.npz).
 *
 * Types that NumPy supports are preserved. bfloat16 is stored as two untyped bytes (V2), as NumPy
 * itself does; quantised types as plain integers. Strings are written as bytes padded to the
 * longest one (S) and so lose trailing zeros; bytes and text (U, as UTF-8) are read. An open
 * archive is thread-safe; a writer is for one thread.
 */
#ifndef WEIR_IO_NPY_H
#define WEIR_IO_NPY_H

#include "io/bundle.h"

/* The header of an array. */
typedef struct weir_npy_head {
    weir_dtype dtype;
    weir_shape shape;
    size_t item;  /* bytes of one element in the file */
    size_t bytes; /* of the header: the elements follow */
    bool swapped; /* big-endian */
    bool fortran; /* the first dimension varies fastest */
    bool text;    /* strings of four-byte characters */
} weir_npy_head;

/* |bytes| may end after the header. DATA_LOSS or UNIMPLEMENTED with the cause. */
WEIR_CHECKED weir_status weir_npy_parse(weir_str bytes, weir_npy_head *out_head);
WEIR_CHECKED weir_status weir_npy_decode(weir_str bytes, weir_tensor *out_tensor);
/* Appends header and elements. UNIMPLEMENTED for types without an equivalent in NumPy. */
WEIR_CHECKED weir_status weir_npy_encode(const weir_tensor *tensor, weir_buf *out);
/* A whole .npy file. */
WEIR_CHECKED weir_status weir_npy_read(const char *path, weir_tensor *out_tensor);

typedef struct weir_npz weir_npz;
WEIR_CHECKED weir_status weir_npz_open(const char *path, weir_npz **out_npz);
void weir_npz_destroy(weir_npz *npz); /* takes null */
WEIR_OWNABLE(weir_npz);
size_t weir_npz_count(const weir_npz *npz);
/* The name without ".npy". In the order of the archive. */
weir_tensor_info weir_npz_at(const weir_npz *npz, size_t i);
uint64_t weir_npz_stored(const weir_npz *npz, size_t i); /* bytes in the file */
WEIR_CHECKED weir_status weir_npz_read(weir_npz *npz, size_t i, weir_tensor *out_tensor);

typedef struct weir_npz_writer weir_npz_writer;
/* Written atomically: the file appears with the finish. */
WEIR_CHECKED weir_status weir_npz_writer_create(const char *path, weir_npz_writer **out_writer);
void weir_npz_writer_destroy(weir_npz_writer *writer); /* discards everything; takes null */
WEIR_OWNABLE(weir_npz_writer);
WEIR_CHECKED weir_status weir_npz_writer_add(weir_npz_writer *writer, weir_str name,
                                             const weir_tensor *tensor);
WEIR_CHECKED weir_status weir_npz_writer_finish(weir_npz_writer *writer); /* and destroys */

#endif
