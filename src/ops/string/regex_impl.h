/* ops/string/regex_impl.h - the bytecode of a compiled regular expression. */
#ifndef WEIR_OPS_STRING_REGEX_IMPL_H
#define WEIR_OPS_STRING_REGEX_IMPL_H

#include "base/mem.h"
#include "ops/string/regex.h"

typedef enum weir_rx_code {
    WEIR_RX_SET,    /* match one code point in ranges [arg, arg + count) */
    WEIR_RX_SPLIT,  /* continue at x, or with lower priority at y */
    WEIR_RX_JUMP,   /* continue at x */
    WEIR_RX_SAVE,   /* store the position in slot arg */
    WEIR_RX_ASSERT, /* continue if the position satisfies weir_rx_place arg */
    WEIR_RX_MATCH,
} weir_rx_code;

typedef enum weir_rx_place {
    WEIR_RX_TEXT_START,
    WEIR_RX_TEXT_END,
    WEIR_RX_LINE_START,
    WEIR_RX_LINE_END,
    WEIR_RX_WORD_EDGE,
    WEIR_RX_NO_WORD_EDGE,
} weir_rx_place;

typedef struct weir_rx_inst {
    uint8_t code;
    uint32_t arg, count; /* see weir_rx_code */
    uint32_t x, y;
} weir_rx_inst;

typedef struct weir_rx_range {
    int32_t low, high; /* both inclusive */
} weir_rx_range;

struct weir_regex {
    WEIR_VEC(weir_rx_inst) program;
    WEIR_VEC(weir_rx_range) ranges;
    int groups; /* including group 0 */
};

#endif
