/* tsl/platform/ctstring_internal.h - another name for the same header. */
#ifndef TSL_PLATFORM_CTSTRING_INTERNAL_H_
#define TSL_PLATFORM_CTSTRING_INTERNAL_H_

#include "tensorflow/core/platform/ctstring_internal.h"

#endif
