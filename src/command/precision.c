/* command/precision.c - sets the precision of a command's sessions by the environment. */
#include "command/precision.h"

#include <stdlib.h>

void weir_cli_use_precision(int choice)
{
    static const char *const names[] = {NULL, "float", "bf16"};
    if (names[choice])
        setenv("WEIR_PRECISION", names[choice], 1);
}
