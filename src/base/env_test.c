/* base/env_test.c - renamed switches, aliases and misspelt names. */
#include "base/env.h"

#include <stdlib.h>

#include "base/test.h"

/* The environment is read once, so everything is set before. */
TEST(old_names_work_where_new_ones_are_not_set)
{
    setenv("WEIR_RANKS", "0", 1);
    setenv("WEIR_LOOSE", "0", 1);
    setenv("WEIR_UNPACKED", "1", 1);
    setenv("WEIR_FEW_TAPS", "0", 1);
    setenv("WEIR_SKIP", "norm", 1);
    setenv("WEIR_THREADS", "many", 1);
    setenv("WEIR_LOG", "0", 1);
    setenv("WEIR_FUSE", "0", 1);
    setenv("WEIR_STACK", "1", 1);
    setenv("WEIR_TURN", "0", 1);
    const weir_env *env = weir_env_get();
    CHECK(env->no_critical_path);
    CHECK(!env->no_unpacked);
    CHECK(env->no_few_taps);
    CHECK(!env->no_winograd && !env->no_stride_phases);
    CHECK(env->threads == 0 && env->log_level == 0);
    CHECK_STR(env->skip_passes, "norm,fuse,pretranspose");
}

static int remarks;

static void remark(const char *name, const char *what)
{
    static const char *const wanted[] = {
        "WEIR_ISA needs ref, avx2 or avx512, not 'sse'",
        "WEIR_MEMORY needs a size, as 512M or 4G, not 'much'",
        "WEIR_LOG needs a whole number, not 'debug'",
        "WEIR_CHECKSUM needs a whole number, not '1x'",
        "WEIR_TREADS is not read; did you mean WEIR_THREADS?",
        "WEIR_ISAA is not read; did you mean WEIR_ISA?",
    };
    CHECK_STR(what, remarks < 6 ? wanted[remarks] : "");
    unsetenv(name);
    remarks++;
}

/* Known and old names, and options of commands, are none. */
TEST(what_has_no_effect_is_remarked_on_once)
{
    clearenv();
    setenv("WEIR_RANKS", "0", 1);
    setenv("WEIR_TREADS", "2", 1);
    setenv("WEIR_ISAA", "ref", 1);
    setenv("WEIR_ISA", "sse", 1);
    setenv("WEIR_MEMORY", "much", 1);
    setenv("WEIR_THREADS", "2", 1);
    setenv("WEIR_LOG", "debug", 1);
    setenv("WEIR_CHECKSUM", "1x", 1);
    setenv("WEIR_TRAIN_STEPS", "2", 1);
    setenv("WEIR_X", "2", 1);
    setenv("TREADS", "2", 1);
    weir_env_report(remark);
    CHECK(remarks == 6);
    setenv("WEIR_TREADS", "2", 1);
    weir_env_report(remark);
    CHECK(remarks == 6);
}

TEST_MAIN()
