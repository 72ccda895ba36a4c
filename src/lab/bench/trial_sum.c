/* lab/bench/trial_sum.c - what came out of a trial. */
#include <math.h>

#include "lab/bench/task.h"
#include "lab/bench/trial_impl.h"
#include "lab/sample/stats.h"

/* ---- steps ---------------------------------------------------------------------------------- */

typedef WEIR_VEC(double) values;

static void gather(trial *t, values *out_ms)
{
    t->first_ns = INT64_MAX;
    for (int i = 0; i < t->task_count; i++) {
        const weir_step_log *log = t->tasks[i].log;
        for (int64_t k = weir_step_log_first(log); k < weir_step_log_count(log); k++) {
            weir_step_record r = weir_step_log_at(log, k);
            t->first_ns = r.begin_ns < t->first_ns ? r.begin_ns : t->first_ns;
            t->end_ns = r.end_ns > t->end_ns ? r.end_ns : t->end_ns;
            t->steps = r.at > t->steps ? r.at : t->steps;
            if (k > 0 || weir_step_log_count(log) == 1) /* the first makes plans and connections */
                weir_vec_push(out_ms, (double)(r.end_ns - r.begin_ns) * 1e-6);
        }
    }
}

/* The last sample before the steps and the first behind them. */
static void find_samples(trial *t)
{
    int count = weir_sampler_count(t->sampler);
    t->from_ns = weir_sampler_ns(t->sampler, 0);
    t->to_ns = weir_sampler_ns(t->sampler, count - 1);
    for (int i = 0; i < count; i++) {
        int64_t at = weir_sampler_ns(t->sampler, i);
        t->from_ns = at <= t->first_ns ? at : t->from_ns;
        t->to_ns = at >= t->end_ns && at < t->to_ns ? at : t->to_ns;
    }
}

/* The mean loss of the steps from |from| to |to| of all, as parts. */
static double loss_between(const trial *t, double from, double to)
{
    double sum = 0;
    int64_t count = 0;
    for (int i = 0; i < t->task_count; i++) {
        const weir_step_log *log = t->tasks[i].log;
        for (int64_t k = weir_step_log_first(log); k < weir_step_log_count(log); k++) {
            weir_step_record r = weir_step_log_at(log, k);
            double at = (double)r.at / (double)t->steps;
            if (at < from || at > to || !isfinite(r.loss))
                continue;
            sum += r.loss;
            count++;
        }
    }
    return count ? sum / (double)count : NAN;
}

static int64_t worker_steps(const trial *t)
{
    int64_t sum = 0;
    for (int i = 0; i < t->task_count; i++)
        sum += weir_step_log_count(t->tasks[i].log);
    return sum;
}

weir_status trial_sum_up(trial *t)
{
    values ms = {0};
    gather(t, &ms);
    if (!ms.count || t->end_ns <= t->first_ns) {
        weir_vec_fini(&ms);
        return weir_error(WEIR_INTERNAL, "no step was done");
    }
    t->median_ms = weir_quantile(ms.at, ms.count, 0.5);
    t->low_ms = weir_quantile(ms.at, ms.count, 0.25);
    t->high_ms = weir_quantile(ms.at, ms.count, 0.75);
    weir_vec_fini(&ms);
    find_samples(t);
    t->seconds = (double)(t->end_ns - t->first_ns) * 1e-9;
    t->start_s = (double)(t->first_ns - t->started_ns) * 1e-9;
    t->steps_per_s = (double)t->steps / t->seconds;
    t->examples_per_s = (double)(worker_steps(t) * t->plan.batch) / t->seconds;
    t->first_loss = loss_between(t, 0, 0.1);
    t->loss = loss_between(t, 0.9, 1);
    const weir_step_log *chief = t->tasks[t->plan.ps].log;
    bool tested = t->plan.test > 0 && weir_step_log_get(chief, TASK_ACCURACY) >= 0;
    t->accuracy = tested ? weir_step_log_get(chief, TASK_ACCURACY) : NAN;
    t->test_loss = tested ? weir_step_log_get(chief, TASK_TEST_LOSS) : NAN;
    return WEIR_OK;
}

/* ---- what was used -------------------------------------------------------------------------- */

/* The sum over sources, sample by sample, so that peaks are of what was used at one time. */
static weir_summary sum_sources(const trial *t, const int *sources, int count, weir_quantity q)
{
    weir_summary sum = {0, 0, NAN};
    const weir_sampler *s = t->sampler;
    for (int i = 0; i < count; i++) {
        weir_summary one = weir_sampler_summary(s, sources[i], q, t->from_ns, t->to_ns);
        sum.total += isnan(one.total) ? 0 : one.total;
        sum.mean += isnan(one.mean) ? 0 : one.mean;
    }
    for (int i = 1; i < weir_sampler_count(s); i++) {
        if (weir_sampler_ns(s, i) <= t->from_ns || weir_sampler_ns(s, i) > t->to_ns)
            continue;
        double here = 0;
        for (int k = 0; k < count; k++) {
            double v = q == WEIR_MEMORY_BYTES ? weir_sampler_value(s, sources[k], q, i)
                                              : weir_sampler_rate(s, sources[k], q, i);
            here += isnan(v) ? 0 : v;
        }
        sum.peak = fmax(sum.peak, here);
    }
    return sum;
}

weir_summary trial_tasks_use(const trial *t, int machine, weir_quantity q)
{
    int sources[TRIAL_MOST_TASKS], count = 0;
    for (int i = 0; i < t->task_count; i++)
        if (machine < 0 || t->tasks[i].machine == machine)
            sources[count++] = t->tasks[i].source;
    return sum_sources(t, sources, count, q);
}

weir_summary trial_job_uses(const trial *t, bool ps, weir_quantity q)
{
    int sources[TRIAL_MOST_TASKS], count = 0;
    for (int i = 0; i < t->task_count; i++)
        if (t->tasks[i].is_ps == ps)
            sources[count++] = t->tasks[i].source;
    return sum_sources(t, sources, count, q);
}

weir_summary trial_net(const trial *t, int source, weir_quantity q)
{
    if (source < 0)
        return (weir_summary){NAN, NAN, NAN};
    return sum_sources(t, &source, 1, q);
}

double trial_traffic(const trial *t, weir_quantity q)
{
    double sum = 0;
    for (int i = 0; i < t->machine_count; i++)
        sum += trial_net(t, t->simulated ? t->eth[i] : t->lo[i], q).mean;
    return sum;
}
