/* tensorflow/c/tf_buffer.h - runs of bytes, mostly serialised protocol buffers. */
#ifndef TENSORFLOW_C_TF_BUFFER_H_
#define TENSORFLOW_C_TF_BUFFER_H_

#include <stddef.h>

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whoever fills |data| says in |data_deallocator| how TF_DeleteBuffer ends it; null: it does not.
 */
typedef struct TF_Buffer {
    const void *data;
    size_t length;
    void (*data_deallocator)(void *data, size_t length);
} TF_Buffer;

/* Holds a copy of |proto_len| bytes. */
TF_CAPI_EXPORT extern TF_Buffer *TF_NewBufferFromString(const void *proto, size_t proto_len);
TF_CAPI_EXPORT extern TF_Buffer *TF_NewBuffer(void); /* empty */
/* Ends the data too, by its deallocator where it has one. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteBuffer(TF_Buffer *);
/* The buffer's data and length, which stay the buffer's. */
TF_CAPI_EXPORT extern TF_Buffer TF_GetBuffer(TF_Buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
