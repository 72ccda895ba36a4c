/* cli/watch/top.c - weir top: the tasks of a live cluster in a terminal. */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "cli/watch/cluster.h"
#include "command/command.h"
#include "command/output.h"
#include "command/terminal.h"

typedef struct top_args {
    bool once;
    double interval;
    int format;
} top_args;

/* ---- one line per task ----------------------------------------------------------------------- */

typedef struct top_row {
    const watch_task *task;
    double steps, wait, cpu, memory, received, sent;
    double gpus, gpu_busy; /* of its host; fraction of busy time, NAN: unknown */
} top_row;

static top_row row_of(const watch_task *task, const watch_task *before)
{
    double gpus = watch_value(task, "gpus");
    watch_shares shares = watch_shares_of(task, before);
    double seconds =
        before ? (watch_value(task, "now_us") - watch_value(before, "now_us")) * 1e-6 : 0;
    return (top_row){task,
                     watch_rate(task, before, "steps"),
                     shares.recv + shares.resource + shares.other,
                     watch_rate(task, before, "cpu_s"),
                     watch_value(task, "memory"),
                     seconds > 0 ? (task->received - before->received) / seconds : NAN,
                     seconds > 0 ? (task->sent - before->sent) / seconds : NAN,
                     gpus > 0 ? gpus : 0,
                     gpus > 0 ? watch_value(task, "gpu_busy") / gpus : NAN};
}

static char order = 'T'; /* sort order: name; or P CPU, M memory, S steps, W waiting */

static double sort_key(const top_row *row)
{
    return order == 'P'   ? row->cpu
           : order == 'M' ? row->memory
           : order == 'S' ? row->steps
                          : row->wait;
}

static int compare_rows(const void *a, const void *b)
{
    double first = sort_key(a), second = sort_key(b);
    return first < second ? 1 : first > second ? -1 : 0;
}

static top_row *rows_of(const watch_cluster *now, const watch_cluster *before)
{
    top_row *rows = WEIR_NEW_ARRAY(top_row, now->tasks.count + 1);
    for (size_t i = 0; i < now->tasks.count; i++) {
        const watch_task *task = &now->tasks.at[i];
        rows[i] = row_of(task, task->up ? watch_before(before, task) : NULL);
    }
    if (order != 'T')
        qsort(rows, now->tasks.count, sizeof *rows, compare_rows);
    return rows;
}

/* Bytes in at most five characters. */
static const char *short_bytes(double bytes, char text[16])
{
    static const char units[] = "BkMGT";
    int unit = 0;
    for (; bytes >= 1000 && unit < 4; unit++)
        bytes /= 1000;
    if (isnan(bytes))
        return "-";
    snprintf(text, 16, bytes < 10 && unit ? "%.1f%c" : "%.0f%c", bytes, units[unit]);
    return text;
}

static const char *short_number(double value, char text[16])
{
    if (isnan(value))
        return "-";
    snprintf(text, 16, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    return text;
}

static bool any_gpus(const top_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].gpus > 0)
            return true;
    return false;
}

static void draw_row(const top_row *row, bool gpus, int columns, weir_buf *out)
{
    char name[64], a[16], b[16], c[16], d[16], e[16];
    snprintf(name, sizeof name, "%.40s:%d", row->task->job, row->task->index);
    if (!row->task->up) {
        weir_buf_addf(out, "%-12.20s absent: %.*s\n", name, columns > 40 ? columns - 24 : 16,
                      row->task->problem);
        return;
    }
    weir_buf_addf(out, "%-12.20s %7s %4.0f%% %5.0f%% %6s", name, short_number(row->steps, a),
                  100 * row->wait, isnan(row->cpu) ? 0 : 100 * row->cpu,
                  short_bytes(row->memory, b));
    if (gpus && isnan(row->gpu_busy))
        weir_buf_addf(out, " %5s", "-");
    else if (gpus)
        weir_buf_addf(out, " %4.0f%%", 100 * row->gpu_busy);
    if (columns >= 60)
        weir_buf_addf(out, " %7s %7s", short_bytes(row->received, c), short_bytes(row->sent, d));
    if (columns >= 76)
        weir_buf_addf(out, " %9s", short_number(watch_value(row->task, "steps"), e));
    weir_buf_addc(out, '\n');
}

static void draw(const watch_cluster *now, const watch_cluster *before, int columns, weir_buf *out)
{
    top_row *rows = rows_of(now, before);
    bool gpus = columns >= 46 && any_gpus(rows, now->tasks.count);
    columns -= gpus ? 6 : 0;
    weir_buf_addf(out, "%-12s %7s %5s %6s %6s", "task", "steps/s", "wait", "CPU", "mem");
    if (gpus)
        weir_buf_addf(out, " %5s", "GPU");
    if (columns >= 60)
        weir_buf_addf(out, " %7s %7s", "in/s", "out/s");
    if (columns >= 76)
        weir_buf_addf(out, " %9s", "steps");
    weir_buf_addc(out, '\n');
    for (size_t i = 0; i < now->tasks.count; i++)
        draw_row(&rows[i], gpus, columns, out);
    weir_free(rows);
}

/* ---- once ---------------------------------------------------------------------------------------
 */

static void put_bytes(weir_output *output, const char *key, double bytes)
{
    if (isnan(bytes))
        weir_output_null(output, key);
    else
        weir_output_bytes(output, key, (int64_t)bytes);
}

static void print_once(const watch_cluster *now, const watch_cluster *before, int format)
{
    weir_output *output = weir_output_begin(format);
    top_row *rows = rows_of(now, before);
    weir_output_table(output, NULL);
    for (size_t i = 0; i < now->tasks.count; i++) {
        const watch_task *task = rows[i].task;
        weir_output_row(output);
        weir_output_text(output, "job", task->job);
        weir_output_int(output, "task", task->index);
        weir_output_text(output, "address", task->address);
        weir_output_text(output, "state", task->up ? "up" : "absent");
        weir_output_figure(output, "steps", watch_value(task, "steps"));
        weir_output_figure(output, "steps_per_second", rows[i].steps);
        weir_output_figure(output, "wait_share", rows[i].wait);
        weir_output_figure(output, "cpu", rows[i].cpu);
        put_bytes(output, "memory_bytes", rows[i].memory);
        put_bytes(output, "received_bytes_per_second", rows[i].received);
        put_bytes(output, "sent_bytes_per_second", rows[i].sent);
        weir_output_int(output, "gpus", (int64_t)rows[i].gpus);
        weir_output_figure(output, "gpu_busy", rows[i].gpu_busy);
    }
    weir_free(rows);
    weir_output_end(output);
}

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&time, NULL);
}

static int fail(weir_status status)
{
    return weir_cli_fail_status("Give the address of a task of a live cluster: weir top HOST:PORT. "
                                "A task prints its own when it starts.",
                                status);
}

static int run_once(const top_args *args, const char *address)
{
    watch_cluster before, now;
    weir_status status = watch_cluster_get(address, &before);
    if (status)
        return fail(status);
    pause_for(args->interval);
    status = watch_cluster_get(address, &now);
    if (!status) {
        print_once(&now, &before, args->format);
        watch_cluster_fini(&now);
    }
    watch_cluster_fini(&before);
    return status ? fail(status) : WEIR_EXIT_OK;
}

/* ---- live ---------------------------------------------------------------------------------------
 */

static struct termios cooked;
static bool is_raw;

static void restore_terminal(void)
{
    if (is_raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
    if (is_raw && weir_terminal_bar(stdout) && write(STDOUT_FILENO, "\033[?25h", 6) < 0)
        return;
    is_raw = false;
}

static void on_signal(int number)
{
    restore_terminal();
    _exit(128 + number);
}

/* Delivers keys one by one, without echo. */
static void make_raw(void)
{
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &cooked) != 0)
        return;
    struct termios raw = cooked;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    is_raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (weir_terminal_bar(stdout))
        fputs("\033[?25l", stdout);
}

/* Waits for a key or for the interval; false: exit. */
static bool take_key(double seconds)
{
    struct pollfd polled = {.fd = is_raw ? STDIN_FILENO : -1, .events = POLLIN};
    char key;
    if (poll(&polled, 1, (int)(seconds * 1000)) <= 0 || read(STDIN_FILENO, &key, 1) != 1)
        return true;
    if (strchr("PMSWT", key))
        order = key;
    return key != 'q';
}

static void show(const watch_cluster *now, const watch_cluster *before, const char *address)
{
    WEIR_BUF(text);
    int columns = weir_terminal_columns(stdout);
    draw(now, before, columns ? columns : 80, &text);
    if (!weir_terminal_bar(stdout)) {
        printf("%s\n", text.at);
    } else {
        printf("\033[H\033[J%.*s\n", columns, address);
        fputs(text.at, stdout);
        printf("%.*s", columns, "q quit  sort: P CPU  M memory  S steps  W wait  T task");
    }
    fflush(stdout);
}

static int run_live(const top_args *args, const char *address)
{
    watch_cluster before = {0};
    weir_status status = WEIR_OK;
    make_raw();
    do {
        watch_cluster now;
        status = watch_cluster_get(address, &now);
        if (status)
            break;
        show(&now, &before, watch_address(address));
        watch_cluster_fini(&before);
        before = now;
    } while (take_key(args->interval) && !ferror(stdout));
    watch_cluster_fini(&before);
    restore_terminal();
    if (weir_terminal_bar(stdout))
        printf("\n");
    return status ? fail(status) : WEIR_EXIT_OK;
}

static int top(void *args, int argc, char **argv)
{
    const top_args *a = args;
    const char *address = argc ? argv[0] : NULL;
    return a->once || a->format != WEIR_OUTPUT_TABLE ? run_once(a, address) : run_live(a, address);
}

static const weir_option options[] = {
    {"once", 0, NULL, "print once and exit", WEIR_FLAG(top_args, once)},
    {"interval", 'd', "SECONDS", "time between updates", WEIR_REAL(top_args, interval)},
    WEIR_OUTPUT_OPTION(top_args, format),
};

const weir_command weir_command_top = {
    .name = "top",
    .summary = "monitor the tasks of a running cluster",
    .words = "[ADDRESS]",
    .most = 1,
    .about = "Shows every task in the cluster of the task at ADDRESS (default: localhost:2222): "
             "steps per second, share of time waiting, CPU, memory, bytes of tensors received and "
             "sent, and the GPU utilisation of its host if NVIDIA's driver reports it. Keys: q "
             "quits; P, M, S, W and T sort.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(top_args, .interval = 1),
    .run = top,
};
