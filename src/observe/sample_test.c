/* observe/sample_test.c - parsing of /proc, and samplers of this process. */
#include "observe/sample.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/test.h"
#include "observe/host.h"
#include "observe/sample_impl.h"

TEST(stat_counts_what_is_not_idle)
{
    const char *text = "cpu  30 0 20 500 7 1 2 3 10 0\ncpu0 10 0 5 250 3 0 1 1 0 0\n"
                       "cpu1 20 0 15 250 4 1 1 2 10 0\nintr 5\n";
    double v;
    CHECK(sample_parse_stat(text, 0, 100, &v));
    CHECK_NEAR(v, 0.56, 1e-12);
    CHECK(sample_parse_stat(text, 2, 100, &v));
    CHECK_NEAR(v, 0.39, 1e-12);
    CHECK(sample_parse_stat(text, 3, 100, &v));
    CHECK_NEAR(v, 0.56, 1e-12);
    CHECK(!sample_parse_stat(text, 1 << 5, 100, &v));
    CHECK(!sample_parse_stat("", 0, 100, &v));
}

TEST(disks_are_counted_once)
{
    const char *text =
        "   8  0 sda 10 0 100 0 5 0 50 0 0 0 0\n   8  1 sda1 9 0 90 0 4 0 40 0 0 0\n"
        " 253  0 dm-0 9 0 90 0 4 0 40 0 0 0 0\n 259  0 nvme0n1 1 0 8 0 1 0 16 0 0\n"
        " 259  1 nvme0n1p1 1 0 8 0 1 0 16 0 0 0\n   7  0 loop0 1 0 8 0 1 0 16 0 0 0\n";
    double read, written;
    CHECK(sample_parse_diskstats(text, &read, &written));
    CHECK_NEAR(read, 108 * 512, 0);
    CHECK_NEAR(written, 66 * 512, 0);
}

TEST(interfaces_are_found_by_name)
{
    const char *text = "Inter-|   Receive\n face |bytes\n"
                       "    lo: 100 2 0 0 0 0 0 0 101 3 0 0 0 0 0 0\n"
                       "  eth0:700 8 0 0 0 0 0 0 900 9 0 0 0 0 0 0\n";
    double v[4];
    CHECK(sample_parse_net(text, "eth0", v));
    CHECK(v[0] == 700 && v[1] == 900 && v[2] == 8 && v[3] == 9);
    CHECK(sample_parse_net(text, "lo", v));
    CHECK(v[0] == 100 && v[1] == 101);
    CHECK(!sample_parse_net(text, "eth", v));
}

TEST(loopback_is_counted_apart)
{
    const char *text = "Inter-|   Receive\n face |bytes\n"
                       "    lo: 100 2 0 0 0 0 0 0 100 3 0 0 0 0 0 0\n"
                       "  eth0:700 8 0 0 0 0 0 0 900 9 0 0 0 0 0 0\n"
                       "  eth1: 1 8 0 0 0 0 0 0 2 9 0 0 0 0 0 0\n";
    double in, out, loop;
    CHECK(sample_parse_nets(text, &in, &out, &loop));
    CHECK(in == 701 && out == 902 && loop == 100);
}

TEST(each_processor_is_counted)
{
    double v[4];
    const char *text = "cpu  30 0 20 500 7 1 2 3 10 0\ncpu0 10 0 5 250 3 0 1 1 0 0\n"
                       "cpu1 20 0 15 250 4 1 1 2 10 0\nintr 5\n";
    CHECK_EQ(sample_parse_cores(text, 100, v, 4), 2);
    CHECK_NEAR(v[1], 0.39, 1e-12);
    CHECK_EQ(sample_parse_cores(text, 100, v, 1), 1);
    CHECK_EQ(sample_parse_cores("", 100, v, 4), 0);
}

TEST(the_host_is_sampled)
{
    weir_host_sample got[8];
    weir_host_start();
    weir_host_start();
    while (weir_host_list(2, 1, got, 8) < 1)
        usleep(20000);
    CHECK_EQ(got[0].number, 3);
    CHECK(got[0].own_memory_bytes > 1e5 && got[0].memory_bytes > 1e6 && got[0].own_cpu_s > 0);
    CHECK(weir_host_last(&got[1]) && got[1].ns >= got[0].ns);
    float cores[WEIR_HOST_CORES];
    CHECK(weir_host_cores(cores, WEIR_HOST_CORES) >= 0);
}

static void spin(double seconds)
{
    struct timespec time;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    while ((double)time.tv_sec + (double)time.tv_nsec * 1e-9 < seconds);
}

TEST(a_process_is_counted)
{
    WEIR_OWNED(weir_sampler) s = weir_sampler_new(10);
    int machine = weir_sampler_machine(s), group = weir_sampler_group(s);
    int none = weir_sampler_interface(s, "no-such-one", 0);
    int lo = weir_sampler_interface(s, "lo", 0), empty = weir_sampler_group(s);
    weir_sampler_start(s);
    pid_t pid = fork();
    if (pid == 0) {
        volatile char *big = malloc(20 << 20); /* touched, despite compiler optimisations */
        for (int i = 0; i < 20 << 20; i += 1024)
            big[i] = 1;
        spin(0.3);
        _exit(0);
    }
    weir_sampler_add(s, group, pid);
    siginfo_t info;
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT); /* still there for its last sample */
    usleep(30000);
    weir_sampler_stop(s);
    waitpid(pid, NULL, 0);
    weir_summary cpu = weir_sampler_summary(s, group, WEIR_CPU_SECONDS, 0, INT64_MAX);
    CHECK_MSG(cpu.total > 0.25 && cpu.total < 0.5, "%g s", cpu.total);
    weir_summary memory = weir_sampler_summary(s, group, WEIR_MEMORY_BYTES, 0, INT64_MAX);
    CHECK_MSG(memory.peak > 20 << 20 && memory.peak < 200 << 20, "%g bytes", memory.peak);
    CHECK(memory.mean <= memory.peak);
    CHECK(isnan(weir_sampler_summary(s, none, WEIR_NET_IN, 0, INT64_MAX).total));
    CHECK(weir_sampler_summary(s, empty, WEIR_CPU_SECONDS, 0, INT64_MAX).total == 0);
    CHECK(weir_sampler_summary(s, machine, WEIR_CPU_SECONDS, 0, INT64_MAX).total > 0.1);
    CHECK(weir_sampler_value(s, machine, WEIR_MEMORY_BYTES, 0) > 1e6);
    CHECK(!isnan(weir_sampler_value(s, lo, WEIR_NET_IN, 0)));
    CHECK(weir_sampler_count(s) > 5);
    for (int i = 1; i < weir_sampler_count(s); i++)
        CHECK(weir_sampler_ns(s, i) > weir_sampler_ns(s, i - 1));
}

TEST(sums_are_of_the_time_asked_for)
{
    WEIR_OWNED(weir_sampler) s = weir_sampler_new(20);
    int group = weir_sampler_group(s);
    weir_sampler_add(s, group, getpid());
    weir_sampler_start(s);
    usleep(120000);
    weir_sampler_stop(s);
    int64_t end = weir_sampler_ns(s, weir_sampler_count(s) - 1);
    weir_summary none = weir_sampler_summary(s, group, WEIR_CPU_SECONDS, end + 1, INT64_MAX);
    CHECK(isnan(none.total) && isnan(none.mean) && isnan(none.peak));
    weir_summary one = weir_sampler_summary(s, group, WEIR_MEMORY_BYTES, end, end);
    CHECK(one.mean == one.peak && one.mean > 0);
    double sum = 0;
    for (int i = 1; i < weir_sampler_count(s); i++)
        sum += weir_sampler_rate(s, group, WEIR_CPU_SECONDS, i) *
               (double)(weir_sampler_ns(s, i) - weir_sampler_ns(s, i - 1)) * 1e-9;
    CHECK_NEAR(sum, weir_sampler_summary(s, group, WEIR_CPU_SECONDS, 0, INT64_MAX).total, 1e-9);
}

TEST_MAIN()
