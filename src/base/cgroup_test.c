/* base/cgroup_test.c - limits in the kernel's files. */
#include "base/cgroup.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/test.h"

static char dir[64];

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void begin(void)
{
    snprintf(dir, sizeof dir, "/tmp/weir_cgroup_test.XXXXXX");
    CHECK(mkdtemp(dir) != NULL);
    setenv("WEIR_CGROUP", dir, 1);
}

TEST(version_2)
{
    begin();
    CHECK(weir_cgroup_cpus() == 0 && weir_cgroup_memory() == 0);
    put("cpu.max", "max 100000\n");
    put("memory.max", "max\n");
    CHECK(weir_cgroup_cpus() == 0 && weir_cgroup_memory() == 0);
    put("cpu.max", "50000 100000\n");
    put("memory.max", "209715200\n");
    CHECK(weir_cgroup_cpus() == 0.5 && weir_cgroup_memory() == 200 << 20);
    CHECK(weir_cpu_count() == 1);
    put("cpu.max", "nonsense\n");
    put("memory.max", "-5\n");
    CHECK(weir_cgroup_cpus() == 0 && weir_cgroup_memory() == 0);
}

TEST(version_1)
{
    begin();
    put("cpu.cfs_period_us", "100000\n");
    put("cpu.cfs_quota_us", "-1\n");
    put("memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(weir_cgroup_cpus() == 0 && weir_cgroup_memory() == 0);
    put("cpu.cfs_quota_us", "150000\n");
    put("memory.limit_in_bytes", "1048576\n");
    CHECK(weir_cgroup_cpus() == 1.5 && weir_cgroup_memory() == 1 << 20);
}

TEST(a_quota_never_adds_processors)
{
    begin();
    int before = weir_cpu_count();
    put("cpu.max", "100000000 100000\n");
    CHECK(weir_cpu_count() == before);
    unsetenv("WEIR_CGROUP");
    CHECK(weir_cpu_count() >= 1);
}

TEST_MAIN()
