/* io/hdf5.h - lists the arrays of an HDF5 file: path, type and shape.
 *
 * The subset that h5py and Keras write: groups as symbol tables or compact links, numbers,
 * strings, and text attributes of the root. Elements are not read. An open file is
 * thread-safe.
 */
#ifndef WEIR_IO_HDF5_H
#define WEIR_IO_HDF5_H

#include "io/bundle.h"

typedef struct weir_hdf5 weir_hdf5;
bool weir_hdf5_is(weir_str bytes); /* has the signature */
/* |bytes| is the whole file and must outlive it. DATA_LOSS when it is malformed, UNIMPLEMENTED for
 * features outside the subset, both with the offset. */
WEIR_CHECKED weir_status weir_hdf5_open(weir_str bytes, weir_hdf5 **out_file);
void weir_hdf5_destroy(weir_hdf5 *file); /* takes null */
WEIR_OWNABLE(weir_hdf5);

/* Arrays, named "group/group/array", in the order of the file. The dtype of arrays that do not fit
 * into a tensor is 0. */
size_t weir_hdf5_count(const weir_hdf5 *file);
weir_tensor_info weir_hdf5_at(const weir_hdf5 *file, size_t i);
/* A text attribute of the root; false when there is none of that name. A view of the file's
 * bytes. */
bool weir_hdf5_text(const weir_hdf5 *file, const char *name, weir_str *out_text);

#endif
