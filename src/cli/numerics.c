/* cli/numerics.c - sets the check for this process by a call, and for others by the environment. */
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
