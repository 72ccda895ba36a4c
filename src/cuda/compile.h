/* cuda/compile.h - kernel texts to machine code by NVRTC, without a device; results kept on disk.
 */
#ifndef WEIR_CUDA_COMPILE_H
#define WEIR_CUDA_COMPILE_H

#include "base/str.h"

/* Machine code of |text| for compute capability |chip| (90 for 9.0), appended to |binary|. The
 * error holds what the compiler said. Thread-safe. */
WEIR_CHECKED weir_status weir_cuda_compile(const char *text, int chip, weir_buf *binary);
/* The same, looked up on disk first and written there afterwards: in WEIR_CACHE,
 * XDG_CACHE_HOME/weir or ~/.cache/weir, under a hash of text, options, compiler and chip. A folder
 * that cannot be written costs nothing but the time. */
WEIR_CHECKED weir_status weir_cuda_compile_cached(const char *text, int chip, weir_buf *binary);
/* The folder, made where it is missing; false when there is none. */
bool weir_cuda_cache_folder(weir_buf *folder);
/* "13.0"; "" without a compiler. */
void weir_cuda_compiler_version(char *out, size_t room);

#endif
