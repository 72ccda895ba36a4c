/* cuda/compile.c - NVRTC, and the disk cache. */
#include "cuda/compile.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/fingerprint.h"
#include "cuda/abi.h"

/* No fast-math: division, square root and subnormals are as on the CPU. */
#define STANDARD "--std=c++17"
#define ALL_ON_DEVICE "--device-as-default-execution-space"

static weir_status compile_error(const weir_nvrtc_functions *nvrtc, nvrtc_program program, int chip)
{
    WEIR_BUF(log);
    size_t bytes = 0;
    if (nvrtc->log_size(program, &bytes) == 0 && bytes > 1) {
        weir_buf_reserve(&log, bytes + 1);
        if (nvrtc->log(program, log.at) == 0)
            log.length = strnlen(log.at, bytes);
    }
    return weir_error(WEIR_INTERNAL, "NVRTC does not compile a kernel text for sm_%d: %.*s", chip,
                      (int)(log.length < 2000 ? log.length : 2000), log.at ? log.at : "");
}

static weir_status take_binary(const weir_nvrtc_functions *nvrtc, nvrtc_program program,
                               weir_buf *binary)
{
    size_t bytes = 0;
    if (nvrtc->binary_size(program, &bytes) != 0 || bytes == 0)
        return weir_error(WEIR_INTERNAL, "NVRTC gives no machine code");
    weir_buf_reserve(binary, bytes + 1);
    if (nvrtc->binary(program, binary->at + binary->length) != 0)
        return weir_error(WEIR_INTERNAL, "NVRTC gives no machine code");
    binary->length += bytes;
    return WEIR_OK;
}

weir_status weir_cuda_compile(const char *text, int chip, weir_buf *binary)
{
    const weir_nvrtc_functions *nvrtc;
    nvrtc_program program;
    char arch[32];
    const char *const given[] = {STANDARD, ALL_ON_DEVICE, arch};
    WEIR_TRY(weir_nvrtc_open(&nvrtc));
    snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d", chip);
    if (nvrtc->create(&program, text, "weir.cu", 0, NULL, NULL) != 0)
        return weir_error(WEIR_INTERNAL, "NVRTC makes no program");
    weir_status status = nvrtc->compile(program, 3, given) == 0
                             ? take_binary(nvrtc, program, binary)
                             : compile_error(nvrtc, program, chip);
    nvrtc->destroy(&program);
    return status;
}

void weir_cuda_compiler_version(char *out, size_t room)
{
    const weir_nvrtc_functions *nvrtc;
    weir_status status = weir_nvrtc_open(&nvrtc);
    int major = 0, minor = 0;
    *out = 0;
    if (!status && nvrtc->version(&major, &minor) == 0)
        snprintf(out, room, "%d.%d", major, minor);
    weir_status_free(status);
}

/* ---- the cache ---- */

bool weir_cuda_cache_folder(weir_buf *folder)
{
    const weir_env *env = weir_env_get();
    if (env->cache)
        weir_buf_adds(folder, env->cache);
    else if (env->user_cache)
        weir_buf_addf(folder, "%s/weir", env->user_cache);
    else if (env->home)
        weir_buf_addf(folder, "%s/.cache/weir", env->home);
    else
        return false;
    for (char *slash = strchr(folder->at + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(folder->at, 0777);
        *slash = '/';
    }
    mkdir(folder->at, 0777);
    return access(folder->at, W_OK) == 0;
}

static void add_name(const char *text, int chip, weir_buf *path)
{
    WEIR_BUF(key);
    char version[32];
    weir_cuda_compiler_version(version, sizeof version);
    weir_buf_addf(&key, "nvrtc %s sm_%d " STANDARD " " ALL_ON_DEVICE "\n%s", version, chip, text);
    weir_buf_addf(path, "/%016llx%016llx.cubin",
                  (unsigned long long)weir_fingerprint64(weir_view(&key)),
                  (unsigned long long)weir_murmur64(weir_view(&key)));
}

static bool read_all(const char *path, weir_buf *binary)
{
    FILE *file = fopen(path, "rb");
    char piece[16384];
    size_t got, before = binary->length;
    if (!file)
        return false;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        weir_buf_add(binary, piece, got);
    fclose(file);
    return binary->length > before;
}

/* Writes to a temporary name and renames, so that no reader sees a partial file. */
static void write_all(const char *path, weir_str bytes)
{
    WEIR_BUF(draft);
    weir_buf_addf(&draft, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(draft.at, "wb");
    if (!file)
        return;
    bool whole = fwrite(bytes.at, 1, bytes.length, file) == bytes.length;
    if (fclose(file) != 0 || !whole || rename(draft.at, path) != 0)
        unlink(draft.at);
}

weir_status weir_cuda_compile_cached(const char *text, int chip, weir_buf *binary)
{
    WEIR_BUF(path);
    size_t before = binary->length;
    bool kept = weir_cuda_cache_folder(&path);
    if (kept)
        add_name(text, chip, &path);
    if (kept && read_all(path.at, binary))
        return WEIR_OK;
    WEIR_TRY(weir_cuda_compile(text, chip, binary));
    if (kept)
        write_all(path.at, (weir_str){binary->at + before, binary->length - before});
    return WEIR_OK;
}
