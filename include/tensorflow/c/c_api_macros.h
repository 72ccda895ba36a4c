/* tensorflow/c/c_api_macros.h - what every header of the C API uses. */
#ifndef TENSORFLOW_C_C_API_MACROS_H_
#define TENSORFLOW_C_C_API_MACROS_H_

#include <stddef.h>

#ifndef TF_CAPI_EXPORT
#if defined(__GNUC__)
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#else
#define TF_CAPI_EXPORT
#endif
#endif

#ifndef TF_Bool
#define TF_Bool unsigned char
#endif

/* Bytes of a struct up to and with |MEMBER|: versions of structs are told apart by it. */
#ifndef TF_OFFSET_OF_END
#define TF_OFFSET_OF_END(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))
#endif

#endif
