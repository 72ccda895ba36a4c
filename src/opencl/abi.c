/* opencl/abi.c - loads OpenCL's loader. */
#include "opencl/abi.h"

#include <pthread.h>

#include "base/dl.h"

static weir_opencl_functions functions;
static bool found;

static void open_loader(void)
{
    static const weir_dl_symbol symbols[] = {
#define SYMBOL(field, symbol, result, args) {#symbol, (void **)&functions.field},
        WEIR_OPENCL_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    static const char *const names[] = {"libOpenCL.so.1", NULL};
    found = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

weir_status weir_opencl_open(const weir_opencl_functions **out_functions)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_loader);
    if (!found)
        return weir_error(WEIR_UNAVAILABLE,
                          "there is no loader of OpenCL 2.0 or later (libOpenCL.so.1)");
    *out_functions = &functions;
    return WEIR_OK;
}
