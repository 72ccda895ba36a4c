/* launch/program.c - interpreters, templates, flags, TF_CONFIG. */
#include "launch/program.h"

#include <stdio.h>

#include "base/env.h"
#include "io/file.h"

enum { LARGEST_PROGRAM = 16 << 20 }; /* the rest of a larger program is not searched */

void run_words_fini(run_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        weir_free(words->at[i]);
    weir_vec_fini(words);
}

static void push(run_words *words, const char *text, size_t length)
{
    weir_vec_push(words, weir_strndup(text, length));
}

static bool is_python(const char *word)
{
    size_t length = strlen(word);
    return length > 3 && strcmp(word + length - 3, ".py") == 0;
}

void run_job_hosts(const weir_cluster_config *config, const char *job, weir_buf *out)
{
    bool first = true;
    for (size_t i = 0; i < config->tasks.count; i++) {
        if (strcmp(config->tasks.at[i].job, job) != 0)
            continue;
        weir_buf_addf(out, "%s%s", first ? "" : ",", config->tasks.at[i].address);
        first = false;
    }
}

/* ---- TF_CONFIG ------------------------------------------------------------------------------- */

static bool seen_before(const weir_cluster_config *config, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(config->tasks.at[i].job, config->tasks.at[at].job) == 0)
            return true;
    return false;
}

/* A list; or an object if indices have gaps, which a list cannot express. */
static void add_job(const weir_cluster_config *config, size_t first, weir_buf *out)
{
    bool dense = true;
    int next = 0;
    for (size_t i = first; i < config->tasks.count; i++)
        if (strcmp(config->tasks.at[i].job, config->tasks.at[first].job) == 0)
            dense &= config->tasks.at[i].index == next++;
    weir_buf_addf(out, "\"%s\": %c", config->tasks.at[first].job, dense ? '[' : '{');
    for (size_t i = first, n = 0; i < config->tasks.count; i++) {
        if (strcmp(config->tasks.at[i].job, config->tasks.at[first].job) != 0)
            continue;
        weir_buf_adds(out, n++ ? ", " : "");
        if (!dense)
            weir_buf_addf(out, "\"%d\": ", config->tasks.at[i].index);
        weir_buf_addf(out, "\"%s\"", config->tasks.at[i].address);
    }
    weir_buf_addc(out, dense ? ']' : '}');
}

void run_tf_config(const weir_cluster_config *config, const char *job, int index, weir_buf *out)
{
    weir_buf_adds(out, "{\"cluster\": {");
    for (size_t i = 0; i < config->tasks.count; i++) {
        if (seen_before(config, i))
            continue;
        weir_buf_adds(out, i ? ", " : "");
        add_job(config, i, out);
    }
    weir_buf_addf(out, "}, \"task\": {\"type\": \"%s\", \"index\": %d}}", job, index);
}

/* ---- arguments ------------------------------------------------------------------------------- */

typedef struct task_names {
    const weir_cluster_config *cluster;
    const char *job;
    int index;
} task_names;

/* Appends the value of template |name|; false if unknown. */
static bool fill(const task_names *names, weir_str name, weir_buf *out)
{
    static const char hosts[] = "_hosts";
    size_t tail = sizeof hosts - 1;
    if (weir_str_is(name, "job")) {
        weir_buf_adds(out, names->job);
    } else if (weir_str_is(name, "index")) {
        weir_buf_addf(out, "%d", names->index);
    } else if (weir_str_is(name, "cluster")) {
        weir_cluster_config_print(names->cluster, out);
    } else if (name.length > tail && memcmp(name.at + name.length - tail, hosts, tail) == 0) {
        WEIR_FREED char *job = weir_strndup(name.at, name.length - tail);
        run_job_hosts(names->cluster, job, out);
    } else {
        return false;
    }
    return true;
}

static void push_filled(run_words *words, const task_names *names, const char *text)
{
    weir_buf out = {0};
    weir_buf_reserve(&out, 1);
    out.at[0] = 0;
    while (*text) {
        const char *close = *text == '{' ? strchr(text, '}') : NULL;
        if (close && fill(names, (weir_str){text + 1, (size_t)(close - text - 1)}, &out))
            text = close + 1;
        else
            weir_buf_addc(&out, *text++);
    }
    weir_vec_push(words, weir_buf_take(&out));
}

/* ---- flags ----------------------------------------------------------------------------------- */

/* Each flag and its other spellings. */
static const char *const flag_names[][3] = {
    {"job_name", "job-name"},
    {"task_index", "task-index", "task_id"},
    {"ps_hosts", "ps-hosts"},
    {"worker_hosts", "worker-hosts"},
};
static const char *const flag_values[] = {"{job}", "{index}", "{ps_hosts}", "{worker_hosts}"};

/* Whether the text has |name| in quotes, as in the definition of a flag: 'name' or "--name". */
static bool defines(weir_str text, const char *name)
{
    size_t length = strlen(name);
    const char *at = text.at, *end = text.at + text.length;
    while (at < end && (at = memmem(at, (size_t)(end - at), name, length))) {
        const char *before = at, *after = at + length;
        while (before > text.at && before[-1] == '-')
            before--;
        if (before > text.at && after < end && strchr("'\"", before[-1]) && *after == before[-1])
            return true;
        at = after;
    }
    return false;
}

static bool is_given(const run_program *program, const char *name)
{
    for (int i = 1; i < program->count; i++) {
        const char *word = program->words[i];
        size_t dashes = strspn(word, "-"), length = strlen(name);
        if (dashes && strncmp(word + dashes, name, length) == 0 &&
            (word[dashes + length] == 0 || word[dashes + length] == '='))
            return true;
    }
    return false;
}

/* The spelling that the program defines and was not given; null: none. */
static const char *wanted_flag(const run_program *program, const char *const *names, weir_str text)
{
    const char *wanted = program->flags == RUN_FLAGS_YES ? names[0] : NULL;
    for (int i = 0; i < 3 && names[i]; i++) {
        if (is_given(program, names[i]))
            return NULL;
        if (defines(text, names[i]))
            wanted = names[i];
    }
    return wanted;
}

/* The text of the Python file among the words, "" if there is none. */
static void read_program(const run_program *program, weir_buf *out)
{
    for (int i = 0; i < program->count; i++) {
        if (!is_python(program->words[i]))
            continue;
        weir_status_free(weir_file_read_all(program->words[i], LARGEST_PROGRAM, out));
        return;
    }
}

static void push_flags(run_words *words, const run_program *program, const task_names *names)
{
    if (program->flags == RUN_FLAGS_NO)
        return;
    WEIR_BUF(text);
    read_program(program, &text);
    for (size_t i = 0; i < sizeof flag_values / sizeof *flag_values; i++) {
        const char *name = wanted_flag(program, flag_names[i], weir_view(&text));
        if (!name)
            continue;
        char word[64];
        snprintf(word, sizeof word, "--%s=%s", name, flag_values[i]);
        push_filled(words, names, word);
    }
}

/* ---- the interpreter ------------------------------------------------------------------------- */

/* Appends the words of "#!/usr/bin/env python3 -u"; false if the file has no such line. */
static bool push_shebang(run_words *words, const char *program)
{
    WEIR_BUF(text);
    weir_status_free(weir_file_read_all(program, LARGEST_PROGRAM, &text));
    bool found = text.length > 2 && memcmp(text.at, "#!", 2) == 0;
    const char *at = found ? text.at + 2 : NULL, *end = found ? at + strcspn(at, "\n") : NULL;
    size_t before = words->count;
    while (found && at < end) {
        size_t count = strcspn(at, " \t\r\n");
        bool env = words->count == before && count >= 4 && strncmp(at + count - 4, "/env", 4) == 0;
        if (count && !env)
            push(words, at, count);
        at += count + 1;
    }
    return words->count > before;
}

static void push_interpreter(run_words *words, const run_program *program)
{
    const char *python = program->python ? program->python : weir_env_get()->python;
    if (python)
        push(words, python, strlen(python));
    else if (!push_shebang(words, program->words[0]))
        push(words, "python3", strlen("python3"));
}

void run_program_words(const run_program *program, const weir_cluster_config *cluster,
                       const char *job, int index, run_words *out)
{
    task_names names = {cluster, job, index};
    if (is_python(program->words[0]))
        push_interpreter(out, program);
    for (int i = 0; i < program->count; i++)
        push_filled(out, &names, program->words[i]);
    push_flags(out, program, &names);
    weir_vec_push(out, NULL);
}
