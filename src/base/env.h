/* base/env.h - every environment variable that Weir reads, read once.
 *
 * This is the only file that calls getenv; options elsewhere are structs passed in.
 */
#ifndef WEIR_BASE_ENV_H
#define WEIR_BASE_ENV_H

#include <stdbool.h>

typedef struct weir_env {
    const char *isa;  /* WEIR_ISA: ref, avx2, avx512; null picks the best */
    int threads;      /* WEIR_THREADS: size of the thread pool; 0 asks the machine */
    int log_level;    /* WEIR_LOG: 0 debug, 1 info, 2 warning (default), 3 error */
    bool no_optimize; /* WEIR_NO_OPTIMIZE=1: no graph passes but pruning */
} weir_env;

const weir_env *weir_env_get(void); /* thread-safe */

#endif
