/* cli/train.c - weir train: trains a built-in model, in one process or on a cluster. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/device.h"
#include "cli/numerics.h"
#include "cli/op_library.h"
#include "cli/train/show.h"
#include "cli/train/train.h"
#include "cli/train/work_impl.h"
#include "command/precision.h"
#include "io/file.h"
#include "train/job.h"
#include "weir/checkpoint.h"

static const char about[] =
    "Trains a built-in model (docs/reference/models.md lists them) on a folder of data or on "
    "synthetic data: in this process, or as a cluster of parameter servers and workers, one "
    "process each, on this machine. For a tutorial see docs/tutorials/train-a-model.md.\n\n"
    "  weir train logreg --data synthetic --steps 300 --dir run1\n"
    "  weir train logreg --data synthetic --steps 600 --dir run1 --resume\n"
    "  weir train logreg --data synthetic --ps 1 --workers 2 --mode sync --steps 100\n"
    "  weir train logreg --data synthetic --workers 3 --mode allreduce --steps 100\n"
    "  weir train mnist_cnn --data mnist --epochs 10 --dir run2  # needs files of yours\n\n"
    "With --job_name, --task_index, --ps_hosts and --worker_hosts, or under TF_CONFIG or Slurm, "
    "it runs one task of a cluster that spans several machines.\n\n"
    "Ctrl-C ends the training, with --dir after saving a checkpoint.";

static const weir_option options[] = {
#define AT(kind, field) WEIR_##kind(train_options, field)
    {"data", 'd', "DIR", "training data: files, 'digits' or 'synthetic'", AT(TEXT, data),
     .hint = WEIR_HINT_FOLDER},
    {"epochs", 'e', "N", "number of passes over the training data", AT(NUMBER, epochs)},
    {"steps", 's', "N", "train until global step N instead", AT(NUMBER, steps), WEIR_LONG},
    {"batch", 'b', "N", "batch size of each worker", AT(NUMBER, batch)},
    {"rate", 'r', "X", "learning rate", AT(REAL, rate)},
    {"optimizer", 0, "NAME", "adam, sgd, momentum, nesterov, adagrad, adadelta, rmsprop, ftrl...",
     AT(TEXT, optimizer)},
    {"schedule", 0, "HOW", "learning rate schedule",
     WEIR_CHOICE(train_options, schedule, "own|constant|linear|cosine")},
    {"augment", 0, NULL, "augment the images: shift, flip", AT(FLAG, augment)},
    {"seed", 0, "N", "random seed of the data order and initial values", AT(INDEX, seed),
     WEIR_LONG},
    {"bytes", 0, "N", "parameter bytes of a null model", AT(NUMBER, bytes), WEIR_LONG},
    {"size", 0, "N", "side of the images, or length of the sequences", AT(NUMBER, size)},
    {"classes", 0, "N", "number of classes, or vocabulary size", AT(NUMBER, classes)},
    {"ps", 0, "N", "run as a cluster with N parameter servers", AT(INDEX, ps)},
    {"workers", 'n', "N", "run as a cluster with N workers", AT(NUMBER, workers)},
    {"mode", 'm', "MODE", "how workers' gradients are applied",
     WEIR_CHOICE(train_options, mode, "async|sync|backup|allreduce")},
    {"backup", 0, "K", "number of backup workers in mode backup", AT(NUMBER, backup)},
    {"balance", 0, "HOW", "how variables are assigned to parameter servers: in turn, or by bytes",
     WEIR_CHOICE(train_options, balance, "turn|bytes")},
    {"cut", 0, "BYTES", "partition larger variables over the parameter servers; 0: none",
     AT(INDEX, cut)},
    {"wire-dtype", 0, "TYPE", "type in which large float32 values are sent between hosts",
     WEIR_CHOICE(train_options, wire, TRAIN_WIRE)},
    {"restarts", 0, "N", "with --dir, restart each failed task up to N times", AT(INDEX, restarts)},
    {"straggle", 0, "W:MS", "delay each step of worker W by MS milliseconds, for experiments",
     AT(TEXT, straggle)},
    {"dir", 0, "DIR", "folder for checkpoints and TensorBoard event files", AT(TEXT, dir),
     .hint = WEIR_HINT_FOLDER},
    {"save-steps", 0, "N", "save a checkpoint every N steps", AT(NUMBER, save_steps), WEIR_LONG},
    {"save-seconds", 0, "S", "save a checkpoint every S seconds (600)", AT(REAL, save_seconds)},
    {"keep", 0, "N", "number of checkpoints to keep", AT(NUMBER, keep)},
    {"resume", 0, NULL, "resume from the last checkpoint in --dir", AT(FLAG, resume)},
    {"summary", 0, NULL, "also write histograms of the weights for TensorBoard", AT(FLAG, summary)},
    {"eval", 0, "WHEN", "when to evaluate: epoch, end, never, or every so many steps",
     AT(TEXT, eval)},
    {"export", 0, "DIR", "export a SavedModel to this folder at the end", AT(TEXT, export_dir),
     .hint = WEIR_HINT_FOLDER},
    {"start-timeout", 0, "SECONDS",
     "exit with status 138 if a task of the cluster does not answer within SECONDS; 0: no limit",
     AT(INDEX, start_timeout)},
    {"threads", 'j', "N", "number of threads of each worker", AT(NUMBER, threads)},
    {"device", 0, "DRIVER", "use devices of this driver: gpu, cuda, opencl; cpu: none",
     AT(TEXT, device)},
    {"precision", 0, "TYPE", WEIR_PRECISION_HELP,
     WEIR_CHOICE(train_options, precision, WEIR_PRECISIONS)},
    {"op-library", 0, "FILE[:FILE...]", WEIR_OP_LIBRARY_HELP, AT(TEXT, op_library),
     .hint = WEIR_HINT_FILE},
    {"check-numerics", 0, NULL, WEIR_CHECK_NUMERICS_HELP, AT(FLAG, check_numerics)},
    {"log-steps", 0, "N", "report every N steps of a worker", AT(NUMBER, log_steps), WEIR_LONG},
    {"output", 'o', "FORMAT", "output format", WEIR_CHOICE(train_options, output, "text|json|csv")},
    {"part", 0, NULL, "a task of another weir train", AT(FLAG, part), .hidden = true},
    {"job_name", 0, "JOB", "this task's job: ps, worker or chief", .kind = WEIR_OPTION_OTHER},
    {"task_index", 0, "N", "this task's index in its job", .kind = WEIR_OPTION_OTHER},
    {"ps_hosts", 0, "HOST:PORT,...", "addresses of the parameter servers",
     .kind = WEIR_OPTION_OTHER},
    {"worker_hosts", 0, "HOST:PORT,...", "addresses of the workers", .kind = WEIR_OPTION_OTHER},
    {"cluster", 0, "FILE", "cluster specification as a JSON file", .kind = WEIR_OPTION_OTHER},
#undef AT
};

/* ---- the task -------------------------------------------------------------------------------- */

static bool take_job_flag(void *args, weir_str name, const char *value)
{
    train_options *o = args;
    if (!weir_is_task_flag(name))
        return false;
    if (!o->wrong_flag)
        o->wrong_flag = weir_task_flags_take(&o->task, name, value);
    return true;
}

/* The job described by flags, TF_CONFIG or Slurm. */
static weir_status find_job(const train_options *o, weir_job **out_job)
{
    if (o->wrong_flag)
        return weir_status_copy(o->wrong_flag);
    weir_task_flags flags = o->task;
    flags.ps = o->ps;
    return weir_job_from_flags(&flags, out_job);
}

static bool is_task(const train_options *o)
{
    bool counted = o->ps >= 0 || o->workers >= 0;
    weir_task_source source = weir_task_environment();
    return weir_task_flags_given(&o->task) || o->wrong_flag || source == WEIR_TASK_SLURM ||
           (source == WEIR_TASK_TF_CONFIG && !counted);
}

/* ---- running --------------------------------------------------------------------------------- */

static const char busy_dir[] = "Wait for it, end it, or give another --dir.";

/* Reports export errors before hours of training, not after. */
static int check_export(const train_options *o)
{
    WEIR_BUF(path);
    const weir_model *m = weir_model_find(o->model);
    weir_model_input input;
    if (!o->export_dir)
        return WEIR_EXIT_OK;
    weir_model_input_of(m, &input);
    if (!input.type)
        return weir_cli_misuse("train", "--export: %s predicts nothing", o->model);
    weir_buf_addf(&path, "%s/saved_model.pb", o->export_dir);
    if (weir_path_exists(path.at))
        return weir_cli_fail("Give --export another folder.", "%s holds a SavedModel already",
                             o->export_dir);
    return weir_cli_check_folder("--export", o->export_dir);
}

/* Reports the owner of the checkpoint that a run without --resume found: a running training, or a
 * finished one. */
static int refuse_dir(const char *dir, const TF_Buffer *latest)
{
    int lock;
    weir_status busy = train_lock(dir, &lock);
    if (busy)
        return weir_cli_fail_status(busy_dir, busy);
    close(lock);
    return weir_cli_fail("--resume goes on from it; or give another --dir.",
                         "%s holds a checkpoint already: %s", dir, (const char *)latest->data);
}

/* Options that store results require --dir. */
static int check_no_dir(const train_options *o)
{
    const char *without = o->resume             ? "--resume"
                          : o->save_steps > 0   ? "--save-steps"
                          : o->save_seconds > 0 ? "--save-seconds"
                          : o->summary          ? "--summary"
                                                : NULL;
    if (without)
        return weir_cli_misuse("train", "%s needs --dir, where the checkpoints are", without);
    return WEIR_EXIT_OK;
}

/* A folder with a checkpoint is resumed from, or refused. */
static int check_dir(const train_options *o)
{
    if (!o->dir)
        return check_no_dir(o);
    int status = weir_cli_check_folder("--dir", o->dir);
    if (status)
        return status;
    TF_Status *found = TF_NewStatus();
    TF_Buffer *latest = weir_checkpoint_latest(o->dir, found);
    if (TF_GetCode(found) != TF_OK)
        status = weir_cli_fail("Mend or remove the folder's file 'checkpoint'.", "%s",
                               TF_Message(found));
    else if (latest && !o->resume)
        status = refuse_dir(o->dir, latest);
    if (latest)
        TF_DeleteBuffer(latest);
    TF_DeleteStatus(found);
    return status;
}

static void print_event(void *arg, const train_event *e)
{
    (void)arg;
    WEIR_BUF(line);
    train_event_write(e, &line);
    fwrite(line.at, 1, line.length, stdout);
    fflush(stdout);
}

/* Runs one task, with a lock on --dir if it writes there. */
static int run_locked(const train_options *o, weir_job *job, const train_listener *listener)
{
    int lock = -1;
    weir_status status = WEIR_OK;
    if (o->dir && (!job || (weir_job_is_chief(job) && !weir_job_is_ps(job))))
        status = train_lock(o->dir, &lock);
    int code = status ? weir_cli_fail_status(busy_dir, status) : train_work(o, job, listener);
    if (lock >= 0)
        close(lock);
    return code;
}

/* Runs one task of a cluster that was started elsewhere. */
static int run_task(const train_options *o)
{
    weir_job *job = NULL;
    weir_status status = find_job(o, &job);
    int code;
    if (status) {
        code = weir_cli_misuse("train", "%s", weir_status_message(status));
    } else if (o->part) {
        code = train_work(o, job, &(train_listener){print_event, NULL});
    } else {
        char name[80];
        snprintf(name, sizeof name, "%s %d", weir_job_name(job), weir_job_index(job));
        train_show *show =
            train_show_create(&(train_show_options){.output = (train_output)o->output,
                                                    .workers = weir_job_workers(job),
                                                    .title = o->model,
                                                    .name = name});
        work_end_on_signals((train_output)o->output);
        code = run_locked(o, job, &(train_listener){train_show_event, show});
        if (code || !weir_job_is_ps(job))
            train_show_end(show, code);
        train_show_destroy(show);
    }
    weir_job_delete(job);
    weir_status_free(status);
    return code;
}

/* Detects foreseeable failures before anything is started. */
static int check_all(const train_options *o, int workers)
{
    train_plan plan;
    int code = train_plan_make(o, workers, &plan);
    if (!code)
        code = check_export(o);
    return code ? code : check_dir(o);
}

/* The tasks of a cluster do not lock the folder: this process does. */
static int run_cluster(const train_options *o, const train_listener *listener)
{
    int lock = -1;
    train_options tasks = *o;
    tasks.resume = tasks.resume || o->dir; /* for restarted tasks */
    weir_status status = o->dir ? train_lock(o->dir, &lock) : WEIR_OK;
    int code = status ? weir_cli_fail_status(busy_dir, status) : train_local(&tasks, listener);
    if (lock >= 0)
        close(lock);
    return code;
}

static int run_shown(const train_options *o, bool cluster)
{
    int workers = o->workers > 0 ? (int)o->workers : 1;
    train_show *show = train_show_create(&(train_show_options){
        .output = (train_output)o->output, .workers = workers, .title = o->model});
    train_listener listener = {train_show_event, show};
    work_end_on_signals((train_output)o->output);
    int code = check_all(o, workers);
    bool began = !code;
    if (began)
        code = cluster ? run_cluster(o, &listener) : run_locked(o, NULL, &listener);
    if (began || o->output != TRAIN_TEXT) /* usage errors are complete already */
        train_show_end(show, code);
    train_show_destroy(show);
    return code;
}

static int run_any(const train_options *o)
{
    int device = o->device ? weir_cli_use_device("train", o->device) : WEIR_EXIT_OK;
    if (device)
        return device;
    if (o->threads > 0) {
        char threads[24];
        snprintf(threads, sizeof threads, "%ld", o->threads);
        setenv("WEIR_THREADS", threads, 1); /* before it is read */
    }
    weir_cli_use_precision(o->precision);
    weir_cli_check_numerics(o->check_numerics);
    weir_status loaded = weir_cli_load_ops(o->op_library);
    if (loaded)
        return weir_cli_fail_status("--op-library needs a shared library that can be loaded.",
                                    loaded);
    weir_cli_pass_ops("WEIR_TRAIN_OP_LIBRARY", o->op_library);
    if (is_task(o)) {
        train_answer_signals();
        return run_task(o);
    }
    bool cluster = o->ps > 0 || o->workers > 0;
    bool servers = o->mode != TRAIN_ALLREDUCE;
    if (servers && o->ps == 0 && o->workers > 1)
        return weir_cli_misuse("train",
                               "%ld workers need a parameter server between them, or --mode "
                               "allreduce",
                               o->workers);
    cluster = cluster && (o->ps != 0 || !servers);
    if (!cluster) /* otherwise its tasks handle them */
        train_answer_signals();
    return run_shown(o, cluster);
}

/* Completes the output of events and rows, however early a run failed. */
static void end_output(const train_options *o, int status)
{
    if (o->output == TRAIN_TEXT || o->part || train_show_ended())
        return;
    train_show *show =
        train_show_create(&(train_show_options){.output = (train_output)o->output, .workers = 1});
    train_show_end(show, status);
    train_show_destroy(show);
}

static void train_wrong(const void *args)
{
    end_output(args, WEIR_EXIT_USAGE);
}

static int train(void *args, int argc, char **argv)
{
    train_options *o = args;
    (void)argc;
    o->model = argv[0];
    int status = run_any(o);
    if (status)
        end_output(o, status);
    weir_status_free(o->wrong_flag);
    weir_task_flags_fini(&o->task);
    return status;
}

const weir_command weir_command_train = {
    .name = "train",
    .summary = "train a model, alone or as a cluster",
    .words = "MODEL",
    .least = 1,
    .most = 1,
    .hint = WEIR_HINT_MODEL,
    .about = about,
    WEIR_OPTIONS(options),
    WEIR_ARGS(train_options, .epochs = -1, .steps = -1, .batch = -1, .ps = -1, .workers = -1,
              .task = {WEIR_NO_TASK_FLAGS}, .backup = 1, .restarts = 3, .save_steps = -1, .keep = 5,
              .eval = "epoch"),
    .run = train,
    .wrong = train_wrong,
    .other = take_job_flag,
};
