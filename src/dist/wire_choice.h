/* dist/wire_choice.h - the wire type of large float32 values between tasks: its setting, for code
 * that sees TensorFlow's types only. dist/wire_type.h is the rest. Thread-safe.
 */
#ifndef WEIR_DIST_WIRE_CHOICE_H
#define WEIR_DIST_WIRE_CHOICE_H

#include "base/status.h"

/* "float32", "bfloat16" or "float16": from WEIR_WIRE_DTYPE, unless set explicitly. */
const char *weir_wire_type_name(void);
/* Sets one of these for the whole process; before its first step. */
WEIR_CHECKED weir_status weir_wire_type_set(const char *name);

#endif
