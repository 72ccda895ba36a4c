/* op/opdef.h - a parsed signature. Created once from an op's text (or a function's header). */
#ifndef WEIR_OP_OPDEF_H
#define WEIR_OP_OPDEF_H

#include "op/attr.h"

typedef struct weir_argdef {
    const char *name;
    int32_t dtype;          /* fixed type, or 0 */
    int16_t type_attr;      /* index into attrs, or -1 */
    int16_t number_attr;    /* index into attrs, or -1: the argument's repeat count */
    int16_t type_list_attr; /* index into attrs, or -1: one value per type of the list */
    bool is_ref;
    bool host; /* in host memory on every device */
} weir_argdef;

typedef struct weir_attrdef {
    const char *name;
    uint8_t kind; /* weir_attr_kind */
    bool is_list, has_min, has_default;
    int64_t min;         /* of an int, or of a list's length */
    weir_attr allowed;   /* allowed types or strings; kind NONE: all */
    weir_attr otherwise; /* the default */
} weir_attrdef;

typedef struct weir_opdef {
    const char *name;
    int in_count, out_count, attr_count;
    const weir_argdef *in, *out;
    const weir_attrdef *attrs;
    unsigned flags; /* WEIR_STATEFUL ... */
    int deprecated_at;
    const char *deprecation;
    int control_output_count; /* functions only */
    const char *const *control_outputs;
} weir_opdef;

/* Parses "x: T; y: N * int32", "z: Ref(T)", "T: {half, float} = DT_FLOAT; N: int >= 1". */
WEIR_CHECKED weir_status weir_opdef_parse(weir_arena *arena, const char *name, const char *in,
                                          const char *out, const char *attrs, weir_opdef *out_def);
/* Marks the inputs and outputs that |names| lists ("shape; begin") as host memory. False when one
 * of them is not an argument of the op. Null lists nothing. */
bool weir_opdef_mark_host(weir_opdef *def, const char *names);
int weir_opdef_attr(const weir_opdef *def, const char *name); /* index, or -1 */

#endif
