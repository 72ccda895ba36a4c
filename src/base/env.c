/* base/env.c - the one reader of the environment. */
#include "base/env.h"

#include <pthread.h>
#include <stdlib.h>

static weir_env env;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int number(const char *name, int otherwise)
{
    const char *s = getenv(name);
    return s && *s ? atoi(s) : otherwise;
}

static void read_all(void)
{
    env.isa = getenv("WEIR_ISA");
    env.threads = number("WEIR_THREADS", 0);
    env.log_level = number("WEIR_LOG", 2);
    env.no_optimize = number("WEIR_NO_OPTIMIZE", 0) != 0;
}

const weir_env *weir_env_get(void)
{
    pthread_once(&once, read_all);
    return &env;
}
