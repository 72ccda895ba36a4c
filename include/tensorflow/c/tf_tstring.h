/* tensorflow/c/tf_tstring.h - elements of string tensors. */
#ifndef TENSORFLOW_C_TF_TSTRING_H_
#define TENSORFLOW_C_TF_TSTRING_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/core/platform/ctstring.h"

#ifdef __cplusplus
extern "C" {
#endif

TF_CAPI_EXPORT extern void TF_StringInit(TF_TString *t); /* makes raw memory an empty string */
/* Holds a copy of |size| bytes. */
TF_CAPI_EXPORT extern void TF_StringCopy(TF_TString *dst, const char *src, size_t size);
/* Shows |size| bytes that must outlive it. */
TF_CAPI_EXPORT extern void TF_StringAssignView(TF_TString *dst, const char *src, size_t size);
/* Its bytes, which end where its size says; valid until it changes. */
TF_CAPI_EXPORT extern const char *TF_StringGetDataPointer(const TF_TString *tstr);
/* How it is kept: within itself, on the heap, at an offset, or as a view. */
TF_CAPI_EXPORT extern TF_TString_Type TF_StringGetType(const TF_TString *str);
/* How many bytes it has. */
TF_CAPI_EXPORT extern size_t TF_StringGetSize(const TF_TString *tstr);
/* How many it has room for. */
TF_CAPI_EXPORT extern size_t TF_StringGetCapacity(const TF_TString *str);
TF_CAPI_EXPORT extern void TF_StringDealloc(TF_TString *tstr); /* leaves an empty string */

#ifdef __cplusplus
}
#endif

#endif
