/* cuda/abi.c - finding NVIDIA's libraries. */
#include "cuda/abi.h"

#include <pthread.h>
#include <stdio.h>

#include "base/dl.h"
#include "base/env.h"

static weir_cuda_functions cuda;
static weir_nvrtc_functions nvrtc;
static bool cuda_found, nvrtc_found;

static void open_cuda(void)
{
    static const weir_dl_symbol symbols[] = {
#define SYMBOL(field, symbol, args) {#symbol, (void **)&cuda.field},
        WEIR_CUDA_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    static const char *const names[] = {"libcuda.so.1", NULL};
    cuda_found = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

/* Every version of the compiler in one folder; "" is where the loader looks by itself. */
static bool open_nvrtc_in(const char *folder)
{
    static const weir_dl_symbol symbols[] = {
#define SYMBOL(field, symbol, args) {#symbol, (void **)&nvrtc.field},
        WEIR_NVRTC_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    char newer[4096], older[4096];
    const char *const names[] = {newer, older, NULL};
    snprintf(newer, sizeof newer, "%slibnvrtc.so.13", folder);
    snprintf(older, sizeof older, "%slibnvrtc.so.12", folder);
    return weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

/* Folders below |root|, as toolkits and Python's packages have them. */
static bool open_nvrtc_below(const char *root)
{
    static const char *const folders[] = {"", "lib64/", "lib/", "targets/x86_64-linux/lib/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[4000];
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        if (open_nvrtc_in(path))
            return true;
    }
    return false;
}

static void open_nvrtc(void)
{
    const char *path = weir_env_get()->cuda_path;
    nvrtc_found = (path && open_nvrtc_below(path)) || open_nvrtc_in("") ||
                  open_nvrtc_below("/usr/local/cuda");
}

weir_status weir_cuda_open(const weir_cuda_functions **out_functions)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_cuda);
    if (!cuda_found)
        return weir_error(WEIR_UNAVAILABLE, "there is no driver of NVIDIA's (libcuda.so.1)");
    *out_functions = &cuda;
    return WEIR_OK;
}

weir_status weir_nvrtc_open(const weir_nvrtc_functions **out_functions)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *path = weir_env_get()->cuda_path;
    pthread_once(&once, open_nvrtc);
    if (!nvrtc_found)
        return weir_error(WEIR_UNAVAILABLE,
                          "there is no libnvrtc.so.13 or libnvrtc.so.12 where the loader looks, in "
                          "/usr/local/cuda or in WEIR_CUDA_PATH%s%s%s",
                          path ? " (" : "", path ? path : "", path ? ")" : "");
    *out_functions = &nvrtc;
    return WEIR_OK;
}
