/* io/npy.h - numpy's files: one array (.npy), or arrays by name in a zip archive (.npz).
 *
 * Types that numpy has are kept. bfloat16, which it has not, is two bytes of no type (V2) both
 * ways, as numpy itself writes it; quantised numbers are written as plain ones. Strings are written
 * as bytes of the longest one's length (S) and so lose zeros at their ends; bytes and text (U, as
 * UTF-8) are read. An open archive serves any number of threads, a writer one.
 */
#ifndef WEIR_IO_NPY_H
#define WEIR_IO_NPY_H

#include "io/bundle.h"

/* What the header of an array says. */
typedef struct weir_npy_head {
    weir_dtype dtype;
    weir_shape shape;
    size_t item;  /* bytes of one element in the file */
    size_t bytes; /* of the header: the elements follow */
    bool swapped; /* big-endian */
    bool fortran; /* the first dimension varies fastest */
    bool text;    /* strings of four-byte characters */
} weir_npy_head;

/* |bytes| may end behind the header. DATA_LOSS or UNIMPLEMENTED says what is wrong. */
WEIR_CHECKED weir_status weir_npy_parse(weir_str bytes, weir_npy_head *out_head);
WEIR_CHECKED weir_status weir_npy_decode(weir_str bytes, weir_tensor *out_tensor);
/* Appends header and elements. UNIMPLEMENTED for types that numpy cannot hold. */
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
/* The file appears when the writer is finished. */
WEIR_CHECKED weir_status weir_npz_writer_create(const char *path, weir_npz_writer **out_writer);
void weir_npz_writer_destroy(weir_npz_writer *writer); /* drops everything; takes null */
WEIR_OWNABLE(weir_npz_writer);
WEIR_CHECKED weir_status weir_npz_writer_add(weir_npz_writer *writer, weir_str name,
                                             const weir_tensor *tensor);
WEIR_CHECKED weir_status weir_npz_writer_finish(weir_npz_writer *writer); /* and destroys */

#endif
