/* observe/gpus_test.c - on machines with GPUs, and on those without. */
#include "observe/gpus.h"

#include <unistd.h>

#include "base/test.h"

TEST(nothing_is_read_before_the_library_is_open)
{
    weir_gpu_use use = weir_gpus_read();
    CHECK(use.count == 0 && use.busy == 0 && use.memory_bytes == 0);
}

TEST(gpus_are_as_many_as_the_driver_shows_and_none_without_one)
{
    int count = weir_gpus_open();
    CHECK_EQ(weir_gpus_open(), count);
    if (access("/dev/nvidiactl", F_OK) != 0)
        CHECK_EQ(count, 0);
    weir_gpu_use use = weir_gpus_read();
    CHECK(use.count <= count && use.busy >= 0 && use.busy <= count && use.memory_bytes >= 0);
}

TEST_MAIN()
