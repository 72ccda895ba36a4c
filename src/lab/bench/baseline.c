/* lab/bench/baseline.c - measurements kept in a file, and compared with later ones.
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
    WEIR_BUF(b);
    bool first = true;
    weir_buf_adds(&b, "{\"weir_bench\": 1, \"steps\": [");
    for (size_t i = 0; i < all->count; i++) {
        const measurement *m = &all->at[i];
        if (m->r.failure)
            continue;
        weir_buf_adds(&b, first ? "\n{\"workload\": " : ",\n{\"workload\": ");
        weir_json_put_string(&b, weir_str_of(m->workload));
        weir_buf_adds(&b, ", \"peer\": ");
        weir_json_put_string(&b, weir_str_of(m->peer));
        weir_buf_addf(&b, ", \"threads\": %d, \"round_ms\": [", m->threads);
        for (size_t k = 0; k < m->r.rounds.count; k++)
            weir_buf_addf(&b, "%s%.9g", k ? ", " : "", m->r.rounds.at[k]);
        weir_buf_adds(&b, "]}");
        first = false;
    }
    weir_buf_adds(&b, "\n]}\n");
    return weir_file_write_all(path, b.at, b.length);
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct entry {
    weir_buf workload, peer;
    int64_t threads;
    peer_times rounds;
} entry;

static bool read_times(weir_json *j, peer_times *out)
{
    double ms;
    for (bool more = weir_json_open(j, '['); more && weir_json_item(j);) {
        if (!weir_json_real(j, &ms))
            return false;
        weir_vec_push(out, ms);
    }
    return !j->failed;
}

static bool read_entry(weir_json *j, entry *out)
{
    WEIR_BUF(key);
    bool ok = weir_json_open(j, '{');
    while (ok && weir_json_key(j, &key))
        ok = strcmp(key.at, "workload") == 0   ? weir_json_string(j, &out->workload)
             : strcmp(key.at, "peer") == 0     ? weir_json_string(j, &out->peer)
             : strcmp(key.at, "threads") == 0  ? weir_json_int(j, &out->threads)
             : strcmp(key.at, "round_ms") == 0 ? read_times(j, &out->rounds)
                                               : weir_json_skip(j);
    return !j->failed;
}

static bool is_of(const measurement *m, const entry *e)
{
    return e->workload.at && e->peer.at && strcmp(m->workload, e->workload.at) == 0 &&
           strcmp(m->peer, e->peer.at) == 0 && m->threads == e->threads && !m->r.failure;
}

static void compare(measurements *all, entry *e)
{
    for (size_t i = 0; i < all->count; i++) {
        measurement *m = &all->at[i];
        if (!is_of(m, e) || !e->rounds.count)
            continue;
        double now = weir_quantile(m->r.rounds.at, m->r.rounds.count, 0.5);
        m->base_ms = weir_quantile(e->rounds.at, e->rounds.count, 0.5);
        m->change = (now / m->base_ms - 1) * 100;
        m->differs =
            weir_samples_differ(m->r.rounds.at, m->r.rounds.count, e->rounds.at, e->rounds.count);
    }
}

static void read_all(measurements *all, weir_json *j)
{
    WEIR_BUF(key);
    for (bool more = weir_json_open(j, '{'); more && weir_json_key(j, &key);) {
        if (strcmp(key.at, "steps") != 0) {
            weir_json_skip(j);
            continue;
        }
        for (bool item = weir_json_open(j, '['); item && weir_json_item(j);) {
            entry e = {0};
            if (read_entry(j, &e))
                compare(all, &e);
            weir_buf_fini(&e.workload);
            weir_buf_fini(&e.peer);
            weir_vec_fini(&e.rounds);
        }
    }
}

weir_status measurements_compare(measurements *all, const char *path)
{
    WEIR_BUF(text);
    WEIR_TRY(weir_file_read_all(path, LARGEST, &text));
    weir_json j = weir_json_reader((weir_str){text.at ? text.at : "", text.length});
    read_all(all, &j);
    weir_status s = weir_json_end(&j) ? WEIR_OK : weir_json_error(&j);
    return weir_status_prefix(s, "%s: ", path);
}
