/* ops/string/unicode_script.c - UnicodeScript: the script of code points, by the system's ICU. */
#include <pthread.h>
#include <stdio.h>

#include "base/dl.h"
#include "ops/string/string_impl.h"

static int (*get_script)(int32_t cp, int *error); /* ICU's uscript_getScript */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ICU's file and function names contain its major version. */
static void load(void)
{
    for (int version = 90; version >= 50 && !get_script; version--) {
        char file[32], function[32];
        snprintf(file, sizeof file, "libicuuc.so.%d", version);
        snprintf(function, sizeof function, "uscript_getScript_%d", version);
        const char *const names[] = {file, NULL};
        const weir_dl_symbol symbol = {function, (void **)&get_script};
        weir_dl_open(names, &symbol, 1);
    }
}

static weir_status unicode_script(weir_call *call)
{
    pthread_once(&once, load);
    if (!get_script)
        return weir_error(WEIR_UNIMPLEMENTED, "UnicodeScript needs libicuuc, which is missing");
    const weir_tensor *in = weir_in(call, 0);
    int32_t *out = weir_out(call, 0)->data;
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        int error = 0;
        int script = get_script(((const int32_t *)in->data)[i], &error);
        out[i] = error > 0 ? -1 : script;
    }
    return WEIR_OK;
}

const weir_op weir_op_unicode_script = {
    .name = "UnicodeScript",
    .in = "input: int32",
    .out = "output: int32",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", unicode_script}},
};
