/* cuda/compile.h - compiles kernel sources by NVRTC, without a device; caches the results on
 * disk. */
#ifndef WEIR_CUDA_COMPILE_H
#define WEIR_CUDA_COMPILE_H

#include "base/str.h"

/* Compiles |text| for compute capability |chip| (90 for 9.0) and appends the binary. The error
 * contains the compiler's messages. Thread-safe. */
WEIR_CHECKED weir_status weir_cuda_compile(const char *text, int chip, weir_buf *binary);
/* The same with a disk cache: in WEIR_CACHE, XDG_CACHE_HOME/weir or ~/.cache/weir, under a hash
 * of source, options, compiler and chip. If the folder is not writable, only the caching is
 * lost. */
WEIR_CHECKED weir_status weir_cuda_compile_cached(const char *text, int chip, weir_buf *binary);
/* The cache folder, created if missing; false when there is none. */
bool weir_cuda_cache_folder(weir_buf *folder);
/* "13.0"; "" without a compiler. */
void weir_cuda_compiler_version(char *out, size_t room);

#endif
