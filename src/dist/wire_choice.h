/* dist/wire_choice.h - what large float32 values travel as between tasks: the choice, for those who
 * see TensorFlow's types only. dist/wire_type.h is the rest. Thread-safe.
 */
#ifndef WEIR_DIST_WIRE_CHOICE_H
#define WEIR_DIST_WIRE_CHOICE_H

#include "base/status.h"

/* "float32", "bfloat16" or "float16". WEIR_WIRE_DTYPE decides, unless it was set. */
const char *weir_wire_type_name(void);
/* One of these, for the whole process; before its first step. */
WEIR_CHECKED weir_status weir_wire_type_set(const char *name);

#endif
