/* tensorflow/c/tf_tensor.h - arrays of elements.
 *
 * A TF_Tensor is owned by whoever got it, and ended by TF_DeleteTensor. Different tensors may share
 * bytes; reading is thread-safe.
 */
#ifndef TENSORFLOW_C_TF_TENSOR_H_
#define TENSORFLOW_C_TF_TENSOR_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a kernel's tensor should lie. */
typedef struct TF_AllocatorAttributes {
    size_t struct_size;
    TF_Bool on_host;
} TF_AllocatorAttributes;

#define TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE TF_OFFSET_OF_END(TF_AllocatorAttributes, on_host)

typedef struct TF_Tensor TF_Tensor;

/* Takes over |len| bytes at |data|, which |deallocator| ends when no tensor needs them. Data that
 * is not aligned enough is copied, and given back at once. Null when |len| is too short for the
 * type and dims; the data is given back then too. */
TF_CAPI_EXPORT extern TF_Tensor *
TF_NewTensor(TF_DataType, const int64_t *dims, int num_dims, void *data, size_t len,
             void (*deallocator)(void *data, size_t len, void *arg), void *deallocator_arg);
/* Bytes that the data of a new tensor are aligned to. */
TF_CAPI_EXPORT extern size_t TF_TensorDefaultAlignment(void);
/* Makes room for |len| bytes; strings start empty, the rest is not cleared. Null when it cannot. */
TF_CAPI_EXPORT extern TF_Tensor *TF_AllocateTensor(TF_DataType, const int64_t *dims, int num_dims,
                                                   size_t len);
/* The tensor itself when nobody else can see its bytes, otherwise null. */
TF_CAPI_EXPORT extern TF_Tensor *TF_TensorMaybeMove(TF_Tensor *tensor);
/* Frees the caller's reference, and the data with the last one. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteTensor(TF_Tensor *);

/* The type of its elements. */
TF_CAPI_EXPORT extern TF_DataType TF_TensorType(const TF_Tensor *);
/* Gives the same elements other dims. */
TF_CAPI_EXPORT extern void TF_SetShape(TF_Tensor *tensor, const int64_t *dims, int num_dims);
/* Its rank; 0 for a scalar. */
TF_CAPI_EXPORT extern int TF_NumDims(const TF_Tensor *);
/* The size of a dimension, counted from 0. */
TF_CAPI_EXPORT extern int64_t TF_Dim(const TF_Tensor *tensor, int dim_index);
/* Bytes of its data; of strings, of their TF_TStrings. */
TF_CAPI_EXPORT extern size_t TF_TensorByteSize(const TF_Tensor *);
/* Its data, which stay the tensor's; null when there are none. */
TF_CAPI_EXPORT extern void *TF_TensorData(const TF_Tensor *);
/* The product of its dimensions. */
TF_CAPI_EXPORT extern int64_t TF_TensorElementCount(const TF_Tensor *tensor);
/* Whether the data are aligned as TF_TensorDefaultAlignment says. */
TF_CAPI_EXPORT extern bool TF_TensorIsAligned(const TF_Tensor *);
/* Makes |to| show the bytes of |from| as another type and shape of the same size. */
TF_CAPI_EXPORT extern void TF_TensorBitcastFrom(const TF_Tensor *from, TF_DataType type,
                                                TF_Tensor *to, const int64_t *new_dims,
                                                int num_new_dims, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
