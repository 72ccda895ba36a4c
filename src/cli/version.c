/* cli/version.c - weir version. */
#include <stdio.h>

#include "base/cpu.h"
#include "cli/cli.h"
#include "tensorflow/c/c_api.h"

int weir_cli_version(int argc, char **argv)
{
    const weir_usage usage = {.command = "version",
                              .about =
                                  "Says which version this is, which version of TensorFlow's C "
                                  "API it has, and what\nit found in this machine."};
    weir_parsed parsed = weir_cli_parse(&usage, &argc, argv);
    if (parsed != WEIR_PARSED)
        return parsed == WEIR_PARSED_HELP ? WEIR_EXIT_OK : WEIR_EXIT_USAGE;
    printf("weir %s\nTensorFlow's C API %s\nprocessors: %d, loops for %s\n", WEIR_VERSION,
           TF_Version(), weir_cpu_count(), weir_isa_name(weir_cpu_isa()));
    return WEIR_EXIT_OK;
}
