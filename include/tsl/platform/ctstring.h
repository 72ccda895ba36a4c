/* tsl/platform/ctstring.h - another name for the same header. */
#ifndef TSL_PLATFORM_CTSTRING_H_
#define TSL_PLATFORM_CTSTRING_H_

#include "tensorflow/core/platform/ctstring.h"

#endif
