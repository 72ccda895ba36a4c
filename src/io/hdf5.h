/* io/hdf5.h - which arrays an HDF5 file has, by path, with their types and shapes.
 *
 * The subset that h5py and Keras write: groups as symbol tables or compact links, numbers, strings,
 * and text attributes of the root. Elements are not read. One open file serves any number of
 * threads.
 */
#ifndef WEIR_IO_HDF5_H
#define WEIR_IO_HDF5_H

#include "io/bundle.h"

typedef struct weir_hdf5 weir_hdf5;
bool weir_hdf5_is(weir_str bytes); /* begins as one */
/* |bytes| is the whole file and must outlive it. DATA_LOSS when it is damaged, UNIMPLEMENTED for
 * what the subset leaves out, both with the place. */
WEIR_CHECKED weir_status weir_hdf5_open(weir_str bytes, weir_hdf5 **out_file);
void weir_hdf5_destroy(weir_hdf5 *file); /* takes null */
WEIR_OWNABLE(weir_hdf5);

/* Arrays, named "group/group/array", in the order of the file. The dtype of those that no tensor
 * could hold is 0. */
size_t weir_hdf5_count(const weir_hdf5 *file);
weir_tensor_info weir_hdf5_at(const weir_hdf5 *file, size_t i);
/* A text attribute of the root; false when there is none of that name. Lives as long as the file's
 * bytes. */
bool weir_hdf5_text(const weir_hdf5 *file, const char *name, weir_str *out_text);

#endif
