/* tensorflow/core/platform/ctstring.h - string elements, for C and C++.
 *
 * TF_TString_Init makes raw memory a string and TF_TString_Dealloc ends one; see
 * ctstring_internal.h for the rest.
 */
#ifndef TENSORFLOW_CORE_PLATFORM_CTSTRING_H_
#define TENSORFLOW_CORE_PLATFORM_CTSTRING_H_

#include "tensorflow/core/platform/ctstring_internal.h"

#endif
