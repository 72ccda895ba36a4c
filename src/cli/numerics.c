/* cli/numerics.c - this process by a call, others by the variable that they read. */
#include "cli/numerics.h"

#include <stdlib.h>

#include "exec/numerics.h"

const char weir_cli_numerics_variable[] = "WEIR_CHECK_NUMERICS=1";

void weir_cli_check_numerics(bool on)
{
    if (!on)
        return;
    weir_numerics_check(true);
    setenv("WEIR_CHECK_NUMERICS", "1", 1);
}
