/* observe/parse.c - parses /proc. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/sample_impl.h"

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* cpu3 user nice system idle iowait irq softirq steal guest guest_nice: user and nice include the
 * guests. */
bool sample_parse_stat(const char *text, uint64_t set, double ticks_per_second, double *out)
{
    double busy = 0;
    bool any = false;
    for (const char *at = text; strncmp(at, "cpu", 3) == 0; at = next_line(at)) {
        unsigned long long v[8] = {0};
        int number = -1, used = 0;
        if (at[3] == ' ')
            used = 4;
        else if (sscanf(at, "cpu%d%n", &number, &used) != 1)
            return false;
        if (set ? number < 0 || number > 63 || !(set >> number & 1) : number >= 0)
            continue;
        if (sscanf(at + used, "%llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3],
                   &v[4], &v[5], &v[6], &v[7]) < 4)
            return false;
        busy += (double)(v[0] + v[1] + v[2] + v[5] + v[6] + v[7]);
        any = true;
    }
    *out = busy / ticks_per_second;
    return any;
}

int sample_parse_cores(const char *text, double ticks_per_second, double *out, int room)
{
    int count = 0;
    for (const char *at = next_line(text); count < room && strncmp(at, "cpu", 3) == 0;
         at = next_line(at)) {
        unsigned long long v[8] = {0};
        if (sscanf(at, "cpu%*d %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3],
                   &v[4], &v[5], &v[6], &v[7]) < 4)
            break;
        out[count++] = (double)(v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) / ticks_per_second;
    }
    return count;
}

/* The number after "key:" at the start of a line. */
static bool keyed(const char *text, const char *key, double *out)
{
    for (const char *at = text; *at; at = next_line(at)) {
        size_t length = strlen(key);
        if (strncmp(at, key, length) == 0 && at[length] == ':') {
            *out = (double)strtoull(at + length + 1, NULL, 10);
            return true;
        }
    }
    return false;
}

bool sample_parse_meminfo(const char *text, double *out)
{
    double total, available;
    if (!keyed(text, "MemTotal", &total) || !keyed(text, "MemAvailable", &available))
        return false;
    *out = (total - available) * 1024;
    return true;
}

/* sda, vdb, xvda, nvme0n1, mmcblk0; not sda1, nvme0n1p2, dm-0, loop0, md0. */
static bool whole_disk(const char *name)
{
    size_t length = strlen(name);
    if (strncmp(name, "nvme", 4) == 0 || strncmp(name, "mmcblk", 6) == 0)
        return !strchr(name, 'p') && isdigit((unsigned char)name[length - 1]);
    static const char *const kinds[] = {"sd", "vd", "xvd", "hd"};
    for (int i = 0; i < 4; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
            return !isdigit((unsigned char)name[length - 1]);
    return false;
}

bool sample_parse_diskstats(const char *text, double *out_read, double *out_written)
{
    enum { SECTOR = 512 }; /* the kernel's unit, regardless of the disk's */
    *out_read = *out_written = 0;
    for (const char *at = text; *at; at = next_line(at)) {
        char name[64];
        unsigned long long read, written;
        if (sscanf(at, "%*u %*u %63s %*u %*u %llu %*u %*u %*u %llu", name, &read, &written) != 3 ||
            !whole_disk(name))
            continue;
        *out_read += (double)read * SECTOR;
        *out_written += (double)written * SECTOR;
    }
    return true;
}

bool sample_parse_net(const char *text, const char *name, double out[4])
{
    size_t length = strlen(name);
    for (const char *at = text; *at; at = next_line(at)) {
        const char *word = at + strspn(at, " ");
        unsigned long long in, packets_in, sent, packets_out;
        if (strncmp(word, name, length) != 0 || word[length] != ':')
            continue;
        if (sscanf(word + length + 1, "%llu %llu %*u %*u %*u %*u %*u %*u %llu %llu", &in,
                   &packets_in, &sent, &packets_out) != 4)
            return false;
        out[0] = (double)in;
        out[1] = (double)sent;
        out[2] = (double)packets_in;
        out[3] = (double)packets_out;
        return true;
    }
    return false;
}

bool sample_parse_nets(const char *text, double *out_in, double *out_out, double *out_loop)
{
    *out_in = *out_out = *out_loop = 0;
    for (const char *at = text; *at; at = next_line(at)) {
        char name[64];
        unsigned long long in, sent;
        if (sscanf(at, " %63[^: ]: %llu %*u %*u %*u %*u %*u %*u %*u %llu", name, &in, &sent) != 3)
            continue;
        if (strcmp(name, "lo") == 0) {
            *out_loop += (double)in;
        } else {
            *out_in += (double)in;
            *out_out += (double)sent;
        }
    }
    return true;
}

bool sample_parse_io(const char *text, double *out_read, double *out_written)
{
    return keyed(text, "read_bytes", out_read) && keyed(text, "write_bytes", out_written);
}

bool sample_parse_statm(const char *text, double *out_pages)
{
    unsigned long long pages;
    if (sscanf(text, "%*u %llu", &pages) != 1)
        return false;
    *out_pages = (double)pages;
    return true;
}
