/* observe/gpus_test.c - with and without GPUs, and with two simulated
 * ones. */
#include "observe/gpus.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"

TEST(nothing_is_read_before_the_library_is_open)
{
    weir_gpu_use use = weir_gpus_read();
    CHECK(use.count == 0 && use.busy == 0 && use.memory_bytes == 0);
    CHECK(!weir_gpus_read_one("0000:06:00.0", &use));
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

/* ---- two simulated GPUs: the second does not report its power; a third is lost ---- */

struct nvml_device {
    const char *address;
    unsigned busy, celsius, milliwatts;
    unsigned long long used;
    bool lost;
};
static struct nvml_device made[] = {
    {"0000:06:00.0", 40, 55, 310500, 3000, false},
    {"0000:07:00.0", 20, 61, 0, 500, false},
    {"0000:08:00.0", 99, 99, 99, 99, true},
};

static int fine(void)
{
    return 0;
}

static int refuse(void)
{
    return 9; /* the driver is not loaded */
}

static int count_made(unsigned *out)
{
    *out = 3;
    return 0;
}

static int made_at(unsigned index, nvml_device **out)
{
    *out = &made[index];
    return 0;
}

static int made_by_address(const char *address, nvml_device **out)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(made[i].address, address) == 0)
            return made_at((unsigned)i, out);
    return 6; /* not found */
}

static int busy_of(nvml_device *device, nvml_utilization *out)
{
    *out = (nvml_utilization){.gpu = device->busy};
    return device->lost ? 15 : 0;
}

static int memory_of(nvml_device *device, nvml_memory *out)
{
    *out = (nvml_memory){.total = 4000, .used = device->used};
    return device->lost ? 15 : 0;
}

static int celsius_of(nvml_device *device, int sensor, unsigned *out)
{
    *out = device->celsius;
    return device->lost || sensor != 0 ? 15 : 0;
}

static int power_of(nvml_device *device, unsigned *out)
{
    *out = 999000;
    if (device->lost || !device->milliwatts)
        return 3; /* not supported */
    *out = device->milliwatts;
    return 0;
}

static weir_nvml functions = {fine,    count_made, made_at,    made_by_address,
                              busy_of, memory_of,  celsius_of, power_of};

TEST(figures_of_those_that_answer_are_added_up)
{
    CHECK_EQ(weir_gpus_open_as(&functions), 3);
    weir_gpu_use use = weir_gpus_read();
    CHECK_EQ(use.count, 2);
    CHECK(fabs(use.busy - 0.6) < 1e-9 && use.memory_bytes == 3500);
    CHECK(fabs(use.watts - 310.5) < 1e-9 && use.celsius == 61);
}

TEST(one_is_found_by_its_address)
{
    weir_gpu_use use = {0};
    weir_gpus_open_as(&functions);
    CHECK(weir_gpus_read_one("0000:07:00.0", &use));
    CHECK(use.count == 1 && use.memory_bytes == 500 && use.celsius == 61 && use.watts == 0);
    CHECK(!weir_gpus_read_one("0000:08:00.0", &use)); /* lost */
    CHECK(!weir_gpus_read_one("0000:09:00.0", &use) && !weir_gpus_read_one("", &use));
}

TEST(a_library_that_does_not_start_has_no_gpus)
{
    weir_gpu_use use;
    weir_nvml refusing = functions;
    refusing.init = refuse;
    CHECK_EQ(weir_gpus_open_as(&refusing), 0);
    CHECK_EQ(weir_gpus_read().count, 0);
    CHECK(!weir_gpus_read_one("0000:06:00.0", &use));
}

TEST_MAIN()
