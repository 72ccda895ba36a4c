/* cli/watch/recording.c - parses recording.jsonl into structs. */
#include "cli/watch/recording.h"

#include <stdio.h>

#include "io/file.h"
#include "launch/record.h"

enum { MOST_BYTES = 1 << 30 };

/* ---- one line -----------------------------------------------------------------------------------
 */

static record_task *task_of(recording *recording, const char *job, int index, const char *address)
{
    for (size_t i = 0; i < recording->tasks.count; i++)
        if (strcmp(recording->tasks.at[i].job, job) == 0 && recording->tasks.at[i].index == index)
            return &recording->tasks.at[i];
    const char *colon = strrchr(address, ':');
    size_t length = colon ? (size_t)(colon - address) : strlen(address);
    weir_vec_push(&recording->tasks, (record_task){.job = weir_strdup(job),
                                                   .index = index,
                                                   .host = weir_strndup(address, length)});
    return &recording->tasks.at[recording->tasks.count - 1];
}

/* Rows of numbers; columns beyond |columns| are ignored. */
static bool read_row(weir_json *json, double *out, int columns)
{
    int count = 0;
    bool items = weir_json_open(json, '[');
    while (items && weir_json_item(json)) {
        double value = 0;
        weir_json_real(json, &value);
        if (count < columns)
            out[count++] = value;
    }
    return count == columns && !json->failed;
}

static void read_samples(weir_json *json, record_task *task)
{
    bool items = weir_json_open(json, '[');
    while (items && weir_json_item(json)) {
        record_sample sample;
        if (read_row(json, sample.at, RECORD_COLUMNS))
            weir_vec_push(&task->samples, sample);
    }
}

static void read_host(weir_json *json, record_task *task)
{
    WEIR_BUF(key);
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key)) {
        if (weir_str_is(weir_view(&key), "samples"))
            read_samples(json, task);
        else
            weir_json_skip(json);
        key.length = 0;
    }
}

static void read_program(weir_json *json, record_task *task)
{
    bool items = weir_json_open(json, '[');
    while (items && weir_json_item(json)) {
        double row[3];
        if (read_row(json, row, 3))
            weir_vec_push(&task->program, (record_program){row[0], row[1], row[2]});
    }
}

/* Job, index and address come first. */
static void read_line(weir_str line, recording *out)
{
    weir_json json = weir_json_reader(line);
    record_task *task = NULL;
    WEIR_BUF(key);
    WEIR_BUF(job);
    WEIR_BUF(address);
    int64_t index = 0;
    bool more = weir_json_open(&json, '{');
    while (more && weir_json_key(&json, &key)) {
        weir_str name = weir_view(&key);
        bool known = job.length && address.length;
        if (known && !task)
            task = task_of(out, job.at, (int)index, address.at);
        if (weir_str_is(name, "job"))
            weir_json_string(&json, &job);
        else if (weir_str_is(name, "index"))
            weir_json_int(&json, &index);
        else if (weir_str_is(name, "address"))
            weir_json_string(&json, &address);
        else if (task && weir_str_is(name, "task"))
            weir_vec_push(&task->states, watch_task_read(&json));
        else if (task && weir_str_is(name, "host"))
            read_host(&json, task);
        else if (task && weir_str_is(name, "program"))
            read_program(&json, task);
        else
            weir_json_skip(&json);
        key.length = 0;
    }
}

/* ---- the file -----------------------------------------------------------------------------------
 */

weir_status recording_read(const char *dir, recording *out)
{
    WEIR_BUF(path);
    WEIR_BUF(text);
    *out = (recording){0};
    weir_buf_addf(&path, "%s/" RUN_RECORDING, dir);
    WEIR_TRY(weir_file_read_all(path.at, MOST_BYTES, &text));
    for (size_t at = 0; at < text.length;) {
        const char *end = memchr(text.at + at, '\n', text.length - at);
        if (!end)
            break;
        read_line((weir_str){text.at + at, (size_t)(end - text.at) - at}, out);
        at = (size_t)(end - text.at) + 1;
    }
    if (out->tasks.count)
        return WEIR_OK;
    return weir_error(WEIR_NOT_FOUND, "nothing is recorded in %s", path.at);
}

void recording_fini(recording *recording)
{
    for (size_t i = 0; i < recording->tasks.count; i++) {
        record_task *task = &recording->tasks.at[i];
        for (size_t k = 0; k < task->states.count; k++)
            watch_task_fini(&task->states.at[k]);
        weir_free(task->job);
        weir_free(task->host);
        weir_vec_fini(&task->samples);
        weir_vec_fini(&task->states);
        weir_vec_fini(&task->program);
    }
    weir_vec_fini(&recording->tasks);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static double steps_at(const recording *recording, size_t state)
{
    double steps = 0;
    for (size_t i = 0; i < recording->tasks.count; i++) {
        const record_task *task = &recording->tasks.at[i];
        if (state < task->states.count && strcmp(task->job, "ps") != 0)
            steps += watch_value(&task->states.at[state], "steps");
    }
    return steps;
}

static void take_states(const recording *recording, size_t state, watch_cluster *out)
{
    *out = (watch_cluster){0};
    for (size_t i = 0; i < recording->tasks.count; i++) {
        const record_task *task = &recording->tasks.at[i];
        if (task->states.count)
            weir_vec_push(
                &out->tasks,
                task->states.at[state < task->states.count ? state : task->states.count - 1]);
    }
}

/* Excludes the first steps, which create plans and variables, if there are others. */
void recording_readings(const recording *recording, watch_cluster *out_before,
                        watch_cluster *out_now)
{
    size_t count = 0, first = 0;
    for (size_t i = 0; i < recording->tasks.count; i++)
        if (recording->tasks.at[i].states.count > count)
            count = recording->tasks.at[i].states.count;
    size_t last = count ? count - 1 : 0;
    while (first < last && steps_at(recording, first) < 20)
        first++;
    while (last > first + 1 && steps_at(recording, last - 1) == steps_at(recording, last))
        last--;
    if (first == last)
        first = 0;
    take_states(recording, first, out_before);
    take_states(recording, last, out_now);
}

weir_status recording_newest(weir_buf *out)
{
    weir_paths names = {0};
    bool any = run_record_home(out);
    if (any)
        weir_status_free(weir_dir_list(out->at, &names)); /* there may be none yet */
    any = names.count > 0;
    if (any)
        weir_buf_addf(out, "/%s", names.at[names.count - 1]);
    weir_paths_fini(&names);
    return any ? WEIR_OK : weir_error(WEIR_NOT_FOUND, "'weir run' has recorded no job yet");
}
