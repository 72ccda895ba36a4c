/* cuda/abi.c - locates NVIDIA's libraries. */
#include "cuda/abi.h"

#include <pthread.h>
#include <stdio.h>

#include "base/dl.h"
#include "base/env.h"

static weir_cuda_functions cuda;
static weir_nvrtc_functions nvrtc;
static weir_blas_functions blas;
static weir_dnn_functions dnn;
static bool cuda_found, nvrtc_found, blas_found, dnn_found;

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

/* A library, by the sonames of several versions. */
typedef struct library {
    const char *newer, *older, *oldest; /* sonames */
    const weir_dl_symbol *symbols;
    size_t count;
} library;

/* Tries every version in one folder; "" is the loader's own search path. */
static bool open_in(const library *library, const char *folder)
{
    char newer[4096], older[4096], oldest[4096];
    const char *const names[] = {newer, older, oldest, NULL};
    snprintf(newer, sizeof newer, "%s%s", folder, library->newer);
    snprintf(older, sizeof older, "%s%s", folder, library->older);
    snprintf(oldest, sizeof oldest, "%s%s", folder, library->oldest);
    return weir_dl_open(names, library->symbols, library->count);
}

/* Tries folders below |root|, as in toolkits and Python packages. */
static bool open_below(const library *library, const char *root)
{
    static const char *const folders[] = {"",
                                          "lib64/",
                                          "lib/",
                                          "targets/x86_64-linux/lib/",
                                          "cublas/lib/",
                                          "cuda_nvrtc/lib/",
                                          "cu13/lib/",
                                          "cudnn/lib/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[4000];
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        if (open_in(library, path))
            return true;
    }
    return false;
}

static bool open_library(const library *library)
{
    const char *path = weir_env_get()->cuda_path;
    return (path && open_below(library, path)) || open_in(library, "") ||
           open_below(library, "/usr/local/cuda");
}

static void open_nvrtc(void)
{
    static const weir_dl_symbol symbols[] = {
#define SYMBOL(field, symbol, args) {#symbol, (void **)&nvrtc.field},
        WEIR_NVRTC_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    library library = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", symbols,
                       sizeof symbols / sizeof *symbols};
    nvrtc_found = open_library(&library);
}

static void open_blas(void)
{
    static const weir_dl_symbol symbols[] = {
#define SYMBOL(field, symbol, args) {#symbol, (void **)&blas.field},
        WEIR_BLAS_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    library library = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so", symbols,
                       sizeof symbols / sizeof *symbols};
    blas_found = open_library(&library);
}

const weir_blas_functions *weir_blas_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_blas);
    return blas_found ? &blas : NULL;
}

static void open_dnn(void)
{
    static const weir_dl_symbol symbols[] = {
#define SYMBOL(field, symbol, args) {#symbol, (void **)&dnn.field},
        WEIR_DNN_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    library library = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so", symbols,
                       sizeof symbols / sizeof *symbols};
    dnn_found = open_library(&library);
}

const weir_dnn_functions *weir_dnn_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_dnn);
    return dnn_found ? &dnn : NULL;
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
