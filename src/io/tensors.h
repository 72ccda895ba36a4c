/* io/tensors.h - tensors by name in a file of any format, and conversion between formats.
 *
 * One interface to TensorFlow's checkpoints (io/checkpoint.h) and NumPy's archives (io/npy.h). An
 * open file is thread-safe.
 */
#ifndef WEIR_IO_TENSORS_H
#define WEIR_IO_TENSORS_H

#include "io/bundle.h"

typedef enum weir_tensors_format {
    WEIR_TENSORS_V2,
    WEIR_TENSORS_V1,
    WEIR_TENSORS_NPZ,
} weir_tensors_format;

typedef struct weir_tensors weir_tensors;
/* |path| is the prefix of a V2 checkpoint, the file of a V1 one, or an .npz. */
WEIR_CHECKED weir_status weir_tensors_open(const char *path, weir_tensors **out_tensors);
void weir_tensors_destroy(weir_tensors *tensors); /* takes null */
WEIR_OWNABLE(weir_tensors);
size_t weir_tensors_count(const weir_tensors *tensors);
/* Sorted by name. */
weir_tensor_info weir_tensors_at(const weir_tensors *tensors, size_t i);
/* False when there is none of that name. */
bool weir_tensors_find(const weir_tensors *tensors, weir_str name, size_t *out_index);
WEIR_CHECKED weir_status weir_tensors_read(weir_tensors *tensors, size_t i,
                                           weir_tensor *out_tensor);

/* Writes all of |from| to |path|, atomically. */
WEIR_CHECKED weir_status weir_tensors_write(weir_tensors *from, const char *path,
                                            weir_tensors_format format);

#endif
