/* launch/command.c - the modes: a cluster here or on hosts, or one task of a cluster. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "command/command.h"
#include "dist/identity.h"
#include "io/file.h"
#include "launch/hook.h"
#include "launch/job.h"
#include "launch/plan.h"
#include "launch/ssh.h"
#include "proc/sockets.h"
#include "proc/spawn.h"

enum { CANNOT_RUN = 126, NO_PROGRAM = 127 }; /* the shells' exit statuses */

/* ---- dry run --------------------------------------------------------------------------------- */

static void print_quoted(const char *word)
{
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_-+=./:,@%")]) {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (; *word; word++)
        printf(*word == '\'' ? "'\\''" : "%c", *word);
    printf("'");
}

static void print_task(const run_options *options, const weir_cluster_config *cluster_config,
                       const char *job, int index, const char *host)
{
    WEIR_BUF(spec);
    WEIR_BUF(config);
    run_words words = {0};
    weir_cluster_config_print(cluster_config, &spec);
    run_tf_config(cluster_config, job, index, &config);
    printf("%s %d%s%s\n ", job, index, host ? " on " : "", host ? host : "");
    if (weir_cluster_config_find(cluster_config, job, index)) {
        printf(" weir server --cluster_spec");
        print_quoted(spec.at);
        printf(" --job_name %s --task_index %d\n ", job, index);
    }
    if (!options->no_ps_program || strcmp(job, "ps") != 0) {
        run_program_words(&options->program, cluster_config, job, index, &words);
        printf(" env");
        WEIR_BUF(set);
        weir_buf_addf(&set, "TF_CONFIG=%s", config.at);
        print_quoted(set.at);
        for (size_t i = 0; i + 1 < words.count; i++)
            print_quoted(words.at[i]);
    }
    printf("\n");
    run_words_fini(&words);
}

/* ---- members here ---------------------------------------------------------------------------- */

static void add_local(run_loop *loop, run_job *job, const run_options *options,
                      const weir_cluster_config *config, const char *name, int index,
                      const char *hook, run_record *record)
{
    run_events events;
    run_local_options task = {
        .cluster = config,
        .job = name,
        .index = index,
        .program = &options->program,
        .no_program = options->no_ps_program && strcmp(name, "ps") == 0,
        .hook = hook,
        .record = record,
        .restarts = (int)options->restarts,
    };
    int member = run_job_add(job, name, index, NULL, &events);
    run_local *local = run_local_create(loop, &task, &events);
    run_job_set(job, member, &run_local_fns, local);
    run_local_serve(local);
}

#define NO_FOLDER "TMPDIR, or else /tmp, has to be a folder that can be written."

/* ---- a cluster on this machine --------------------------------------------------------------- */

/* Reserves a local port for every task, by the descriptors in |held|. */
static weir_status take_ports(const run_places *places, weir_cluster_config *config, int *held)
{
    for (size_t i = 0; i < places->count; i++) {
        int port;
        char address[32];
        WEIR_TRY(run_free_port("127.0.0.1", &port, &held[i]));
        snprintf(address, sizeof address, "127.0.0.1:%d", port);
        WEIR_TRY(weir_cluster_config_add(config, weir_str_of(places->at[i].job),
                                         places->at[i].index, weir_str_of(address)));
    }
    return WEIR_OK;
}

static int run_job_here(const run_options *options, const run_places *places,
                        const weir_cluster_config *config, const char *hook)
{
    run_loop *loop = run_loop_create();
    run_job *job = run_job_create(loop, options->logs, options->start_timeout);
    run_record *record = run_record_create(config, options->logs);
    run_job_record(job, record);
    for (size_t i = 0; i < places->count; i++)
        add_local(loop, job, options, config, places->at[i].job, places->at[i].index, hook, record);
    int status = run_job_run(job);
    run_job_destroy(job);
    run_loop_destroy(loop);
    return status;
}

static int run_here(const run_options *options, const run_places *places)
{
    weir_cluster_config config = {0};
    char *hook = NULL;
    int *held = WEIR_NEW_ARRAY(int, places->count), status;
    for (size_t i = 0; i < places->count; i++)
        held[i] = -1;
    weir_status result = take_ports(places, &config, held);
    if (!result && !options->dry_run)
        result = run_hook_install(&hook);
    if (result) {
        status = weir_cli_fail_status(NO_FOLDER, result);
    } else if (options->dry_run) {
        for (size_t i = 0; i < places->count; i++)
            print_task(options, &config, places->at[i].job, places->at[i].index, NULL);
        status = WEIR_EXIT_OK;
    } else {
        status = run_job_here(options, places, &config, hook);
    }
    for (size_t i = 0; i < places->count; i++)
        if (held[i] >= 0)
            close(held[i]);
    weir_free(held);
    run_hook_remove(hook);
    weir_cluster_config_fini(&config);
    return status;
}

/* ---- one task of a cluster that others start ------------------------------------------------- */

static int run_one(const run_options *options, const weir_cluster_config *config)
{
    char *hook = NULL;
    if (options->dry_run) {
        print_task(options, config, config->job, config->index, NULL);
        return WEIR_EXIT_OK;
    }
    weir_status result = run_hook_install(&hook);
    if (result)
        return weir_cli_fail_status(NO_FOLDER, result);
    run_loop *loop = run_loop_create();
    run_job *job = run_job_create(loop, options->logs, options->start_timeout);
    add_local(loop, job, options, config, config->job, config->index, hook, NULL);
    int status = run_job_run(job);
    run_job_destroy(job);
    run_loop_destroy(loop);
    run_hook_remove(hook);
    return status;
}

static int run_tf_task(const run_options *options)
{
    weir_cluster_config config = {0};
    weir_task_flags flags = {WEIR_NO_TASK_FLAGS, .may_be_outside = true};
    weir_status result = weir_identity_find(&flags, &config);
    int status = result
                     ? weir_cli_fail_status("Mend TF_CONFIG (\"task\": {\"type\": ..., \"index\": "
                                            "...}), or unset it to run a cluster here.",
                                            result)
                     : run_one(options, &config);
    weir_cluster_config_fini(&config);
    return status;
}

static int no_program(const char *program)
{
    weir_cli_fail("Give the path of a program or of a Python file.", "there is no program '%s'",
                  program);
    return NO_PROGRAM;
}

/* Whether a folder of PATH has the program. */
static bool is_in_path(const char *name)
{
    const char *at = weir_env_value("PATH");
    while (at && *at) {
        WEIR_BUF(path);
        size_t length = strcspn(at, ":");
        weir_buf_addf(&path, "%.*s/%s", (int)length, at, name);
        if (access(path.at, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* Checks the program, which is |word|, or runs it, before any task starts. |text|: it is read by an
 * interpreter. */
static int check_program(const char *word, bool text)
{
    if (!text && !strchr(word, '/'))
        return is_in_path(word) ? WEIR_EXIT_OK : no_program(word);
    if (!weir_path_exists(word))
        return no_program(word);
    if (weir_path_is_dir(word) || access(word, text ? R_OK : X_OK) != 0) {
        weir_cli_fail(text ? "The tasks read it." : "Is it a program? 'chmod +x' lets it run.",
                      "cannot run '%s': %s", word,
                      strerror(weir_path_is_dir(word) ? EISDIR : EACCES));
        return CANNOT_RUN;
    }
    return WEIR_EXIT_OK;
}

static int check_words(const run_options *options)
{
    const char *program = options->program.words[0], *python = options->program.python;
    size_t length = strlen(program);
    bool script = length > 3 && strcmp(program + length - 3, ".py") == 0;
    if (options->dry_run || strchr(program, '{')) /* a template */
        return WEIR_EXIT_OK;
    int status = check_program(program, script);
    return !status && script && python ? check_program(python, false) : status;
}

static int run_checked(const run_options *options, run_places *places)
{
    if (options->logs && !options->dry_run && weir_cli_check_folder("--logs", options->logs) != 0)
        return WEIR_EXIT_FAILED;
    if (options->hosts) /* hosts have their own files */
        return run_hosts(options, places);
    int status = check_words(options);
    return status ? status : run_here(options, places);
}

int run_command(const run_options *options)
{
    weir_task_source source = weir_task_environment();
    bool counted = options->jobs || options->layout || options->hosts || options->ps >= 0 ||
                   options->workers >= 0;
    if (!counted && source == WEIR_TASK_TF_CONFIG)
        return run_tf_task(options);
    if (source == WEIR_TASK_SLURM)
        return run_slurm(options);
    run_places places = {0};
    weir_status result = run_plan(options, &places);
    int status;
    if (result)
        status =
            weir_cli_fail_call("'weir run --help' shows how tasks are counted and placed.", result);
    else
        status = run_checked(options, &places);
    run_places_fini(&places);
    return status;
}
