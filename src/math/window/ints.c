/* math/window/ints.c - windows over integers. */
#include <string.h>

#include "math/window/window_impl.h"

#define KEEP(x) (x)

#define ELEM int8_t
#define SUM int8_t
#define NAME(x) x##_i8
#define LOAD KEEP
#include "math/window/window.inc"

#define ELEM int16_t
#define SUM int16_t
#define NAME(x) x##_i16
#define LOAD KEEP
#include "math/window/window.inc"

#define ELEM int32_t
#define SUM int32_t
#define NAME(x) x##_i32
#define LOAD KEEP
#include "math/window/window.inc"

#define ELEM int64_t
#define SUM int64_t
#define NAME(x) x##_i64
#define LOAD KEEP
#include "math/window/window.inc"

#define ELEM uint8_t
#define SUM uint8_t
#define NAME(x) x##_u8
#define LOAD KEEP
#include "math/window/window.inc"

#define ELEM uint16_t
#define SUM uint16_t
#define NAME(x) x##_u16
#define LOAD KEEP
#include "math/window/window.inc"

#define ELEM uint32_t
#define SUM uint32_t
#define NAME(x) x##_u32
#define LOAD KEEP
#include "math/window/window.inc"

#define ELEM uint64_t
#define SUM uint64_t
#define NAME(x) x##_u64
#define LOAD KEEP
#include "math/window/window.inc"

#define ROW(s)                                                                                     \
    {                                                                                              \
        .max_line = max_line_##s, .max_at = max_at_##s, .max_grad_line = max_grad_line_##s,        \
        .max_grad_grad = max_grad_grad_##s                                                         \
    }
const weir_window_loops weir_window_ints[8] = {ROW(i8), ROW(i16), ROW(i32), ROW(i64),
                                               ROW(u8), ROW(u16), ROW(u32), ROW(u64)};
