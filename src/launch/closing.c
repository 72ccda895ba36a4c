/* launch/closing.c - the table of tasks' work, and a warning about almost idle workers. */
#include "launch/closing.h"

#include <stdio.h>

enum {
    ENOUGH_STEPS = 20, /* below, shares are meaningless */
    SMALL_SHARE = 10,  /* a worker is almost idle below the busiest one's steps divided by this */
};

/* ---- reading --------------------------------------------------------------------------------- */

bool run_is_account(weir_str line)
{
    return line.length > 8 && memcmp(line.at, "account ", 8) == 0;
}

static void add_gradients(run_account *account, const char *task, int64_t accepted, int64_t stale)
{
    run_gradients new_count = {weir_strdup(task), accepted, stale};
    weir_vec_push(&account->gradients, new_count);
}

void run_account_take(run_account *account, weir_str line)
{
    char text[512], task[400] = "";
    long long first, second, third;
    double seconds, waited, in_steps;
    snprintf(text, sizeof text, "%.*s", WEIR_STR_ARG(line));
    if (sscanf(text, "account steps %lld %lld %lld %lf %lf %lf", &first, &second, &third, &seconds,
               &waited, &in_steps) == 6) {
        account->told = true;
        account->steps += first;
        account->parts += second;
        account->examples += third;
        account->seconds += seconds;
        account->waited_s += waited;
        account->in_steps_s += in_steps;
    } else if (sscanf(text, "account gradients %lld %lld %399s", &first, &second, task) >= 2) {
        add_gradients(account, task, first, second);
    }
}

void run_account_fini(run_account *account)
{
    for (size_t i = 0; i < account->gradients.count; i++)
        weir_free(account->gradients.at[i].task);
    weir_vec_fini(&account->gradients);
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct task_row {
    char name[80], task[160];
    bool works; /* not a parameter server */
    const run_account *account;
    int64_t accepted, stale; /* its gradients, in all accumulators */
} task_row;

struct run_closing {
    WEIR_VEC(task_row) rows;
};

run_closing *run_closing_begin(void)
{
    return WEIR_NEW(run_closing);
}

void run_closing_add(run_closing *closing, const char *job, int index, const run_account *account)
{
    task_row row = {.works = strcmp(job, "ps") != 0, .account = account};
    snprintf(row.name, sizeof row.name, "%s %d", job, index);
    snprintf(row.task, sizeof row.task, "/job:%s/replica:0/task:%d", job, index);
    weir_vec_push(&closing->rows, row);
}

/* Gradients are counted at the accumulators; adds them up by their task. */
static void give_gradients(run_closing *closing, const task_row *from)
{
    for (size_t i = 0; i < from->account->gradients.count; i++) {
        const run_gradients *gradients = &from->account->gradients.at[i];
        const char *task = *gradients->task ? gradients->task : from->task;
        for (size_t k = 0; k < closing->rows.count; k++) {
            task_row *row = &closing->rows.at[k];
            if (strcmp(row->task, task) != 0)
                continue;
            row->accepted += gradients->accepted;
            row->stale += gradients->stale;
        }
    }
}

/* A parameter server has no clients of its own: it ran partitions of the workers' steps. */
static int64_t steps_of(const task_row *row)
{
    return row->account->steps ? row->account->steps : row->account->parts;
}

static void put_rate(double rate, char *out, size_t room)
{
    snprintf(out, room, rate < 100 ? "%.3g" : "%.0f", rate);
}

static void put_row(const task_row *row, weir_buf *out)
{
    const run_account *account = row->account;
    char steps[32] = "-", waiting[32] = "-", rate[32] = "-", gradients[64] = "-";
    if (account->told)
        snprintf(steps, sizeof steps, "%lld", (long long)steps_of(row));
    if (account->in_steps_s > 0)
        snprintf(waiting, sizeof waiting, "%.0f %%",
                 100 * (account->waited_s < account->in_steps_s
                            ? account->waited_s / account->in_steps_s
                            : 1));
    if (account->examples && account->seconds > 0)
        put_rate((double)account->examples / account->seconds, rate, sizeof rate);
    if (row->accepted + row->stale)
        snprintf(gradients, sizeof gradients, "%lld of %lld", (long long)row->accepted,
                 (long long)(row->accepted + row->stale));
    weir_buf_addf(out, "  %-12s %8s %8s %11s   %s\n", row->name, steps, waiting, rate, gradients);
}

typedef int64_t (*share_of)(const task_row *row);

static int64_t accepted_of(const task_row *row)
{
    return row->accepted;
}

static int64_t largest(const run_closing *closing, share_of share)
{
    int64_t most = 0;
    for (size_t i = 0; i < closing->rows.count; i++)
        if (closing->rows.at[i].works && share(&closing->rows.at[i]) > most)
            most = share(&closing->rows.at[i]);
    return most;
}

/* With accumulators, a worker's contribution is its gradients; else its steps. */
static void put_idle(const run_closing *closing, weir_buf *out)
{
    bool collected = largest(closing, accepted_of) > 0;
    share_of share = collected ? accepted_of : steps_of;
    int64_t most = largest(closing, share);
    for (size_t i = 0; most >= ENOUGH_STEPS && i < closing->rows.count; i++) {
        const task_row *row = &closing->rows.at[i];
        bool known = collected || row->account->told;
        const char *plural = share(row) == 1 ? "" : "s";
        if (row->works && known && share(row) * SMALL_SHARE < most)
            weir_buf_addf(out,
                          "weir: %s contributed almost nothing: %lld %s%s%s, the busiest %lld\n",
                          row->name, (long long)share(row), collected ? "gradient" : "step", plural,
                          collected ? " accepted" : "", (long long)most);
    }
}

void run_closing_end(run_closing *closing, weir_buf *out)
{
    size_t count = closing->rows.count;
    if (largest(closing, steps_of) > 0) {
        for (size_t i = 0; i < count; i++)
            give_gradients(closing, &closing->rows.at[i]);
        weir_buf_addf(out, "  %-12s %8s %8s %11s   %s\n", "task", "steps", "waiting", "examples/s",
                      "gradients accepted");
        for (size_t i = 0; i < count; i++)
            put_row(&closing->rows.at[i], out);
        put_idle(closing, out);
    }
    weir_vec_fini(&closing->rows);
    weir_free(closing);
}
