/* lab/bench/trial_sum.c - the results of a trial. */
#include <math.h>

#include "lab/bench/task.h"
#include "lab/bench/trial_impl.h"
#include "lab/sample/stats.h"

/* ---- steps ----------------------------------------------------------------------------------- */

typedef WEIR_VEC(double) values;

static void gather(trial *trial, values *out_ms)
{
    trial->first_ns = INT64_MAX;
    for (int i = 0; i < trial->task_count; i++) {
        const weir_step_log *log = trial->tasks[i].log;
        for (int64_t k = weir_step_log_first(log); k < weir_step_log_count(log); k++) {
            weir_step_record record = weir_step_log_at(log, k);
            trial->first_ns = record.begin_ns < trial->first_ns ? record.begin_ns : trial->first_ns;
            trial->end_ns = record.end_ns > trial->end_ns ? record.end_ns : trial->end_ns;
            trial->steps = record.at > trial->steps ? record.at : trial->steps;
            if (k > 0 || weir_step_log_count(log) == 1) /* the first creates plans, connects */
                weir_vec_push(out_ms, (double)(record.end_ns - record.begin_ns) * 1e-6);
        }
    }
}

/* The last sample before the steps and the first after them. */
static void find_samples(trial *trial)
{
    int count = weir_sampler_count(trial->sampler);
    trial->from_ns = weir_sampler_ns(trial->sampler, 0);
    trial->to_ns = weir_sampler_ns(trial->sampler, count - 1);
    for (int i = 0; i < count; i++) {
        int64_t at = weir_sampler_ns(trial->sampler, i);
        trial->from_ns = at <= trial->first_ns ? at : trial->from_ns;
        trial->to_ns = at >= trial->end_ns && at < trial->to_ns ? at : trial->to_ns;
    }
}

/* The mean loss over the fraction [from, to) of the steps. */
static double loss_between(const trial *trial, double from, double to)
{
    double sum = 0;
    int64_t count = 0;
    for (int i = 0; i < trial->task_count; i++) {
        const weir_step_log *log = trial->tasks[i].log;
        for (int64_t k = weir_step_log_first(log); k < weir_step_log_count(log); k++) {
            weir_step_record record = weir_step_log_at(log, k);
            double at = (double)record.at / (double)trial->steps;
            if (at < from || at > to || !isfinite(record.loss))
                continue;
            sum += record.loss;
            count++;
        }
    }
    return count ? sum / (double)count : NAN;
}

static int64_t worker_steps(const trial *trial)
{
    int64_t sum = 0;
    for (int i = 0; i < trial->task_count; i++)
        sum += weir_step_log_count(trial->tasks[i].log);
    return sum;
}

weir_status trial_sum_up(trial *trial)
{
    values ms = {0};
    gather(trial, &ms);
    if (!ms.count || trial->end_ns <= trial->first_ns) {
        weir_vec_fini(&ms);
        return weir_error(WEIR_INTERNAL, "no step was done");
    }
    trial->median_ms = weir_quantile(ms.at, ms.count, 0.5);
    trial->low_ms = weir_quantile(ms.at, ms.count, 0.25);
    trial->high_ms = weir_quantile(ms.at, ms.count, 0.75);
    weir_vec_fini(&ms);
    find_samples(trial);
    trial->seconds = (double)(trial->end_ns - trial->first_ns) * 1e-9;
    trial->start_s = (double)(trial->first_ns - trial->started_ns) * 1e-9;
    trial->steps_per_s = (double)trial->steps / trial->seconds;
    trial->examples_per_s = (double)(worker_steps(trial) * trial->plan.batch) / trial->seconds;
    trial->first_loss = loss_between(trial, 0, 0.1);
    trial->loss = loss_between(trial, 0.9, 1);
    const weir_step_log *chief = trial->tasks[trial->plan.ps].log;
    bool tested = trial->plan.test > 0 && weir_step_log_get(chief, TASK_ACCURACY) >= 0;
    trial->accuracy = tested ? weir_step_log_get(chief, TASK_ACCURACY) : NAN;
    trial->test_loss = tested ? weir_step_log_get(chief, TASK_TEST_LOSS) : NAN;
    return WEIR_OK;
}

/* ---- resource usage -------------------------------------------------------------------------- */

/* The sum over sources, sample by sample, so that peaks are simultaneous. */
static weir_summary sum_sources(const trial *trial, const int *sources, int count,
                                weir_quantity quantity)
{
    weir_summary sum = {0, 0, NAN};
    const weir_sampler *sampler = trial->sampler;
    bool seen = count == 0; /* whom there is not uses nothing */
    for (int i = 0; i < count; i++) {
        weir_summary one =
            weir_sampler_summary(sampler, sources[i], quantity, trial->from_ns, trial->to_ns);
        sum.total += isnan(one.total) ? 0 : one.total;
        sum.mean += isnan(one.mean) ? 0 : one.mean;
        seen = seen || !isnan(one.mean);
    }
    for (int i = 1; i < weir_sampler_count(sampler); i++) {
        if (weir_sampler_ns(sampler, i) <= trial->from_ns ||
            weir_sampler_ns(sampler, i) > trial->to_ns)
            continue;
        double here = 0;
        for (int k = 0; k < count; k++) {
            double value = quantity == WEIR_MEMORY_BYTES
                               ? weir_sampler_value(sampler, sources[k], quantity, i)
                               : weir_sampler_rate(sampler, sources[k], quantity, i);
            here += isnan(value) ? 0 : value;
        }
        sum.peak = fmax(sum.peak, here);
    }
    if (!seen || (quantity == WEIR_MEMORY_BYTES && !(sum.peak > 0))) /* too short to be measured */
        return (weir_summary){NAN, NAN, NAN};
    return sum;
}

weir_summary trial_tasks_use(const trial *trial, int machine, weir_quantity quantity)
{
    int sources[TRIAL_MOST_TASKS], count = 0;
    for (int i = 0; i < trial->task_count; i++)
        if (machine < 0 || trial->tasks[i].machine == machine)
            sources[count++] = trial->tasks[i].source;
    return sum_sources(trial, sources, count, quantity);
}

weir_summary trial_job_uses(const trial *trial, bool ps, weir_quantity quantity)
{
    int sources[TRIAL_MOST_TASKS], count = 0;
    for (int i = 0; i < trial->task_count; i++)
        if (trial->tasks[i].is_ps == ps)
            sources[count++] = trial->tasks[i].source;
    return sum_sources(trial, sources, count, quantity);
}

weir_summary trial_net(const trial *trial, int source, weir_quantity quantity)
{
    if (source < 0)
        return (weir_summary){NAN, NAN, NAN};
    return sum_sources(trial, &source, 1, quantity);
}

double trial_traffic(const trial *trial, weir_quantity quantity)
{
    double sum = 0;
    for (int i = 0; i < trial->machine_count; i++)
        sum += trial_net(trial, trial->simulated ? trial->eth[i] : trial->lo[i], quantity).mean;
    return sum;
}
