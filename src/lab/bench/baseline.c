/* lab/bench/baseline.c - saves measurements to a file, and compares later ones with them.
 *
 *   {"weir_bench": 1, "steps": [{"workload": "logreg", "peer": "weir", "threads": 2,
 *                                "round_ms": [0.051, ...]}, ...]}
 */
#include <math.h>

#include "command/output.h"
#include "io/file.h"
#include "lab/bench/measure.h"
#include "lab/sample/stats.h"
#include "wire/json.h"

enum { LARGEST = 16 << 20 };

weir_status measurements_save(const measurements *all, const char *path)
{
    WEIR_BUF(buf);
    bool first = true;
    weir_buf_adds(&buf, "{\"weir_bench\": 1, \"steps\": [");
    for (size_t i = 0; i < all->count; i++) {
        const measurement *measurement = &all->at[i];
        if (measurement->r.failure)
            continue;
        weir_buf_adds(&buf, first ? "\n{\"workload\": " : ",\n{\"workload\": ");
        weir_json_put_string(&buf, weir_str_of(measurement->workload));
        weir_buf_adds(&buf, ", \"peer\": ");
        weir_json_put_string(&buf, weir_str_of(measurement->peer));
        weir_buf_addf(&buf, ", \"threads\": %d, \"round_ms\": [", measurement->threads);
        for (size_t k = 0; k < measurement->r.rounds.count; k++)
            weir_buf_addf(&buf, "%s%.9g", k ? ", " : "", measurement->r.rounds.at[k]);
        weir_buf_adds(&buf, "]}");
        first = false;
    }
    weir_buf_adds(&buf, "\n]}\n");
    return weir_file_write_all(path, buf.at, buf.length);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct entry {
    weir_buf workload, peer;
    int64_t threads;
    peer_times rounds;
} entry;

static bool read_times(weir_json *json, peer_times *out)
{
    double ms;
    for (bool more = weir_json_open(json, '['); more && weir_json_item(json);) {
        if (!weir_json_real(json, &ms))
            return false;
        weir_vec_push(out, ms);
    }
    return !json->failed;
}

static bool read_entry(weir_json *json, entry *out)
{
    WEIR_BUF(key);
    bool ok = weir_json_open(json, '{');
    while (ok && weir_json_key(json, &key))
        ok = strcmp(key.at, "workload") == 0   ? weir_json_string(json, &out->workload)
             : strcmp(key.at, "peer") == 0     ? weir_json_string(json, &out->peer)
             : strcmp(key.at, "threads") == 0  ? weir_json_int(json, &out->threads)
             : strcmp(key.at, "round_ms") == 0 ? read_times(json, &out->rounds)
                                               : weir_json_skip(json);
    return !json->failed;
}

static bool is_of(const measurement *measurement, const entry *entry)
{
    return entry->workload.at && entry->peer.at &&
           strcmp(measurement->workload, entry->workload.at) == 0 &&
           strcmp(measurement->peer, entry->peer.at) == 0 &&
           measurement->threads == entry->threads && !measurement->r.failure;
}

static void compare(measurements *all, entry *entry)
{
    for (size_t i = 0; i < all->count; i++) {
        measurement *measurement = &all->at[i];
        if (!is_of(measurement, entry) || !entry->rounds.count)
            continue;
        double now = weir_quantile(measurement->r.rounds.at, measurement->r.rounds.count, 0.5);
        measurement->base_ms = weir_quantile(entry->rounds.at, entry->rounds.count, 0.5);
        measurement->change = (now / measurement->base_ms - 1) * 100;
        measurement->differs =
            weir_samples_differ(measurement->r.rounds.at, measurement->r.rounds.count,
                                entry->rounds.at, entry->rounds.count);
    }
}

static void read_all(measurements *all, weir_json *json)
{
    WEIR_BUF(key);
    for (bool more = weir_json_open(json, '{'); more && weir_json_key(json, &key);) {
        if (strcmp(key.at, "steps") != 0) {
            weir_json_skip(json);
            continue;
        }
        for (bool item = weir_json_open(json, '['); item && weir_json_item(json);) {
            entry entry = {0};
            if (read_entry(json, &entry))
                compare(all, &entry);
            weir_buf_fini(&entry.workload);
            weir_buf_fini(&entry.peer);
            weir_vec_fini(&entry.rounds);
        }
    }
}

weir_status measurements_compare(measurements *all, const char *path)
{
    WEIR_BUF(text);
    WEIR_TRY(weir_file_read_all(path, LARGEST, &text));
    weir_json json = weir_json_reader((weir_str){text.at ? text.at : "", text.length});
    read_all(all, &json);
    weir_status status = weir_json_end(&json) ? WEIR_OK : weir_json_error(&json);
    return weir_status_prefix(status, "%s: ", path);
}
