/* base/cgroup.c - the limits of this process's control group. */
#include "base/cgroup.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"

enum { PATH_BYTES = 1024 };

/* A folder with limits: of version 2, or of one controller of version 1. */
typedef double (*read_limit)(const char *dir);

static bool read_line(const char *dir, const char *name, char *out, int room)
{
    char path[PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "re");
    bool ok = file && fgets(out, room, file);
    if (file)
        fclose(file);
    return ok;
}

/* A number above 0, or 0 if the file is missing or contains "max" or -1. */
static double read_number(const char *dir, const char *name)
{
    char text[64];
    double value = read_line(dir, name, text, sizeof text) ? strtod(text, NULL) : 0;
    return value > 0 ? value : 0;
}

static double read_cpus(const char *dir)
{
    char text[64];
    double quota, period;
    if (read_line(dir, "cpu.max", text, sizeof text))
        return sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0 ? quota / period : 0;
    period = read_number(dir, "cpu.cfs_period_us");
    return period > 0 ? read_number(dir, "cpu.cfs_quota_us") / period : 0;
}

static double read_memory(const char *dir)
{
    enum { NO_LIMIT_BITS = 60 }; /* version 1 writes nearly 2^63 for no limit */
    double bytes = read_number(dir, "memory.max");
    bytes = bytes > 0 ? bytes : read_number(dir, "memory.limit_in_bytes");
    return bytes < (double)(INT64_C(1) << NO_LIMIT_BITS) ? bytes : 0;
}

static double lesser(double limit, double other)
{
    return limit > 0 && (other <= 0 || limit < other) ? limit : other;
}

/* The lowest limit of |dir| and its ancestors, up to the first |root| bytes of its name. */
static double least(char *dir, size_t root, read_limit read)
{
    double limit = read(dir);
    for (char *slash; (slash = strrchr(dir, '/')) && (size_t)(slash - dir) >= root;) {
        *slash = 0;
        limit = lesser(read(dir), limit);
    }
    return limit;
}

/* True when the comma-separated |list| of controllers has |name|. */
static bool has_controller(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* The limit from one line of /proc/self/cgroup, "4:memory:/a/b" or "0::/a/b". */
static double limit_of_line(char *line, const char *controller, read_limit read)
{
    char dir[PATH_BYTES];
    char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
    if (!path)
        return 0;
    *path++ = 0;
    path[strcspn(path, "\n")] = 0;
    bool unified = !list[1];
    if (!unified && !has_controller(list + 1, controller))
        return 0;
    int root = snprintf(dir, sizeof dir, "/sys/fs/cgroup%s%s", unified ? "" : "/",
                        unified ? "" : controller);
    snprintf(dir + root, sizeof dir - (size_t)root, "%s", strcmp(path, "/") == 0 ? "" : path);
    return least(dir, (size_t)root, read);
}

static double limit(const char *controller, read_limit read)
{
    char line[PATH_BYTES];
    const char *given = weir_env_value("WEIR_CGROUP");
    double value = 0;
    if (given && *given)
        return read(given);
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file))
        value = lesser(limit_of_line(line, controller, read), value);
    if (file)
        fclose(file);
    return value;
}

double weir_cgroup_cpus(void)
{
    return limit("cpu", read_cpus);
}

int64_t weir_cgroup_memory(void)
{
    return (int64_t)limit("memory", read_memory);
}
