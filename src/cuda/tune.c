/* cuda/tune.c - timing by driver events, and the file of choices.
 *
 * A line of the file is "choice key"; later lines take precedence. Lines are appended atomically,
 * so processes may share it.
 */
#include "cuda/tune.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/env.h"
#include "base/half.h"
#include "base/mem.h"
#include "cuda/compile.h"
#include "math/elem.h"

enum { TURNS = 3, MOST_WAYS = 32, PARTS = 3, PART = 1024 /* elements */, SAMPLE = PARTS * PART };

struct weir_tuner {
    const weir_cuda_functions *cuda;
    cu_stream stream;
    cu_event before, after;
    weir_map kept; /* key -> choice + 1 */
    weir_buf path; /* "": none */
};

/* ---- the file ---- */

static void read_line(weir_tuner *tuner, char *line)
{
    char *key;
    long choice = strtol(line, &key, 10);
    if (*key == ' ' && choice >= 0 && choice < 1000)
        weir_map_put(&tuner->kept, weir_str_of(key + 1), (void *)(intptr_t)(choice + 1));
}

static void read_file(weir_tuner *tuner)
{
    FILE *file = fopen(tuner->path.at, "r");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        read_line(tuner, line);
    }
    if (file)
        fclose(file);
}

static void keep(weir_tuner *tuner, const char *key, int choice)
{
    WEIR_BUF(line);
    weir_map_put(&tuner->kept, weir_str_of(key), (void *)(intptr_t)(choice + 1));
    if (!tuner->path.length)
        return;
    weir_buf_addf(&line, "%d %s\n", choice, key);
    int file = open(tuner->path.at, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    if (write(file, line.at, line.length) < 0)
        tuner->path.length = 0; /* the disk is full: the next process times again */
    close(file);
}

/* ---- timing ---- */

/* Milliseconds per run; below 0: not supported. */
static float time_one(const weir_tuner *tuner, const weir_tuner_work *work, int choice)
{
    const weir_cuda_functions *cuda = tuner->cuda;
    float ms = -1;
    bool ran = cuda->event_record(tuner->before, tuner->stream) == CU_SUCCESS;
    for (int i = 0; i < TURNS && ran; i++)
        ran = work->run(work->arg, choice);
    if (!ran || cuda->event_record(tuner->after, tuner->stream) != CU_SUCCESS ||
        cuda->event_wait(tuner->after) != CU_SUCCESS ||
        cuda->event_elapsed(&ms, tuner->before, tuner->after) != CU_SUCCESS)
        return -1;
    return ms / TURNS;
}

/* ---- do they agree? A library's way for odd padding may be wrong. ---- */

static double number_at(const char *bytes, int elem, size_t i)
{
    uint16_t half;
    float single;
    double wide;
    switch (elem) {
    case WEIR_E_f16:
        memcpy(&half, bytes + i * sizeof half, sizeof half);
        return (double)weir_f16_f32(half);
    case WEIR_E_bf16:
        memcpy(&half, bytes + i * sizeof half, sizeof half);
        return (double)weir_bf16_f32(half);
    case WEIR_E_f64:
        memcpy(&wide, bytes + i * sizeof wide, sizeof wide);
        return wide;
    default:
        memcpy(&single, bytes + i * sizeof single, sizeof single);
        return (double)single;
    }
}

/* Samples the result's start, middle and end; returns the number of values, 0 after a failure. */
static int take_sample(const weir_tuner *tuner, const weir_tuner_work *work, double *out)
{
    size_t unit = (size_t)weir_elem_size((weir_elem)work->elem), total = work->bytes / unit;
    size_t part = total < PART ? total : PART;
    char bytes[PART * sizeof(double)];
    int count = 0;
    for (size_t p = 0; p < PARTS; p++) {
        size_t first = (total - part) * p / (PARTS - 1);
        cu_address from = (uintptr_t)work->result + first * unit;
        if (tuner->cuda->copy_out(bytes, from, part * unit, tuner->stream) != CU_SUCCESS ||
            tuner->cuda->stream_wait(tuner->stream) != CU_SUCCESS)
            return 0;
        for (size_t i = 0; i < part; i++)
            out[count++] = number_at(bytes, work->elem, i);
    }
    return count;
}

static bool agree(const double *a, const double *b, int count)
{
    enum { SHARE = 20 }; /* the norm of the difference is at most 1/SHARE of the sum's */
    double apart = 0, whole = 0;
    for (int i = 0; i < count; i++) {
        if (isfinite(a[i]) != isfinite(b[i]))
            return false;
        if (!isfinite(a[i]))
            continue;
        apart += (a[i] - b[i]) * (a[i] - b[i]);
        whole += a[i] * a[i] + b[i] * b[i];
    }
    return apart * SHARE * SHARE <= whole;
}

typedef struct trial {
    double samples[MOST_WAYS][SAMPLE];
    float ms[MOST_WAYS]; /* below 0: not supported */
    int votes[MOST_WAYS];
} trial;

static void try_one(const weir_tuner *tuner, const weir_tuner_work *work, trial *trial, int choice)
{
    trial->ms[choice] = -1;
    if (tuner->cuda->fill((uintptr_t)work->result, 0xff, work->bytes, tuner->stream) !=
            CU_SUCCESS ||
        !work->run(work->arg, choice) || tuner->cuda->stream_wait(tuner->stream) != CU_SUCCESS)
        return;
    int count = take_sample(tuner, work, trial->samples[choice]);
    if (count)
        trial->ms[choice] = time_one(tuner, work, choice);
    for (int i = 0; i <= choice && trial->ms[choice] >= 0; i++)
        if (trial->ms[i] >= 0 && agree(trial->samples[i], trial->samples[choice], count)) {
            trial->votes[i]++;
            trial->votes[choice] += i != choice;
        }
}

static int find_fastest(const weir_tuner *tuner, const weir_tuner_work *work)
{
    int best = -1, count = work->count < MOST_WAYS ? work->count : MOST_WAYS, most = 0;
    trial *trial = weir_zalloc(sizeof *trial);
    for (int i = 0; i < count; i++)
        try_one(tuner, work, trial, i);
    for (int i = 0; i < count; i++)
        most = trial->votes[i] > most ? trial->votes[i] : most;
    for (int i = 0; i < count; i++)
        if (trial->ms[i] >= 0 && trial->votes[i] == most &&
            (best < 0 || trial->ms[i] < trial->ms[best]))
            best = i;
    weir_free(trial);
    return best;
}

static int find_first(const weir_tuner_work *work)
{
    for (int i = 0; i < work->count; i++)
        if (work->run(work->arg, i))
            return i;
    return -1;
}

int weir_tuner_pick(weir_tuner *tuner, const weir_tuner_work *work)
{
    int kept = (int)(intptr_t)weir_map_get(&tuner->kept, weir_str_of(work->key)) - 1;
    if (weir_env_get()->no_tune || work->count < 2)
        return find_first(work);
    if (kept >= 0 && kept < work->count && work->run(work->arg, kept))
        return kept;
    int best = find_fastest(tuner, work);
    if (best >= 0)
        keep(tuner, work->key, best);
    return best;
}

/* ---- lifetime -------------------------------------------------------------------------------- */

weir_tuner *weir_tuner_create(const weir_cuda_functions *cuda, cu_stream stream, int chip,
                              const char *version)
{
    weir_tuner made = {.cuda = cuda, .stream = stream};
    if (cuda->event_create(&made.before, 0) != CU_SUCCESS ||
        cuda->event_create(&made.after, 0) != CU_SUCCESS)
        return NULL;
    weir_tuner *tuner = WEIR_NEW(weir_tuner);
    *tuner = made;
    if (weir_cuda_cache_folder(&tuner->path))
        weir_buf_addf(&tuner->path, "/tuned-sm%d-%s.txt", chip, version);
    else
        tuner->path.length = 0;
    if (tuner->path.length)
        read_file(tuner);
    return tuner;
}

void weir_tuner_destroy(weir_tuner *tuner)
{
    if (!tuner)
        return;
    tuner->cuda->event_destroy(tuner->before);
    tuner->cuda->event_destroy(tuner->after);
    weir_map_fini(&tuner->kept);
    weir_buf_fini(&tuner->path);
    weir_free(tuner);
}
