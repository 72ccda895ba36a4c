/* memory/device.c - which memory this thread moves elements in. */
#include "memory/device.h"

_Thread_local weir_memory_scope *weir_memory_current __attribute__((tls_model("initial-exec")));
