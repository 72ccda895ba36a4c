/* cuda/tune.c - timing by events of the driver, and the file of choices.
 *
 * A line of the file is "choice key"; later lines win. Lines are appended whole, so processes may
 * share it.
 */
#include "cuda/tune.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/env.h"
#include "base/mem.h"
#include "cuda/compile.h"

enum { TURNS = 3 };

struct weir_tuner {
    const weir_cuda_functions *cuda;
    cu_stream stream;
    cu_event before, after;
    weir_map kept; /* key -> choice + 1 */
    weir_buf path; /* "": there is none */
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

/* Milliseconds of a turn; below 0: it does not run. */
static float time_one(const weir_tuner *tuner, weir_tuner_run run, void *arg, int choice)
{
    const weir_cuda_functions *cuda = tuner->cuda;
    float ms = -1;
    if (!run(arg, choice) || cuda->stream_wait(tuner->stream) != CU_SUCCESS)
        return -1;
    bool ran = cuda->event_record(tuner->before, tuner->stream) == CU_SUCCESS;
    for (int i = 0; i < TURNS && ran; i++)
        ran = run(arg, choice);
    if (!ran || cuda->event_record(tuner->after, tuner->stream) != CU_SUCCESS ||
        cuda->event_wait(tuner->after) != CU_SUCCESS ||
        cuda->event_elapsed(&ms, tuner->before, tuner->after) != CU_SUCCESS)
        return -1;
    return ms / TURNS;
}

static int find_fastest(const weir_tuner *tuner, int count, weir_tuner_run run, void *arg)
{
    int best = -1;
    float least = 0;
    for (int i = 0; i < count; i++) {
        float ms = time_one(tuner, run, arg, i);
        if (ms < 0 || (best >= 0 && ms >= least))
            continue;
        best = i;
        least = ms;
    }
    return best;
}

static int find_first(int count, weir_tuner_run run, void *arg)
{
    for (int i = 0; i < count; i++)
        if (run(arg, i))
            return i;
    return -1;
}

int weir_tuner_pick(weir_tuner *tuner, const char *key, int count, weir_tuner_run run, void *arg)
{
    int kept = (int)(intptr_t)weir_map_get(&tuner->kept, weir_str_of(key)) - 1;
    if (kept >= 0 && kept < count && run(arg, kept))
        return kept;
    if (weir_env_get()->no_tune || count < 2)
        return find_first(count, run, arg);
    int best = find_fastest(tuner, count, run, arg);
    if (best >= 0)
        keep(tuner, key, best);
    return best;
}

/* ---- its life ---- */

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
