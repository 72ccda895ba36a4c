/* lab/bench/overlap.c - bounds of a step, from the samples of a trial. */
#include "lab/bench/overlap.h"

#include <math.h>

#include "base/cpu.h"

overlap overlap_of_step(double step_ms, double wire_ms, double work_ms)
{
    double both = wire_ms + work_ms - step_ms;
    return (overlap){.wire_ms = wire_ms,
                     .work_ms = work_ms,
                     .hidden = fmin(fmax(both / wire_ms, 0), 1),
                     .of_bound = fmax(wire_ms, work_ms) / step_ms};
}

/* Whether parameters and gradients cannot pass machine |i| at the same time: a worker's gradients
 * follow its parameters, and in synchronous training all workers' do. */
static bool takes_turns(const trial *trial, int i)
{
    int servers = 0, workers = 0;
    for (int k = 0; k < trial->task_count; k++)
        if (trial->tasks[k].machine == i && trial->tasks[k].is_ps)
            servers++;
        else if (trial->tasks[k].machine == i)
            workers++;
    return trial->plan.sync || (workers == 1 && !servers);
}

/* Bytes per second on the busiest link, in the busier direction, or in both where they take
 * turns. */
static double busiest_link(const trial *trial)
{
    double most = 0;
    for (int i = 0; i < trial->machine_count; i++) {
        double in = trial_net(trial, trial->eth[i], WEIR_NET_IN).mean;
        double out = trial_net(trial, trial->eth[i], WEIR_NET_OUT).mean;
        most = fmax(most, takes_turns(trial, i) ? in + out : fmax(in, out));
    }
    return most;
}

/* Use of the processors of machine |i|, as a part of what they can do. If there are fewer
 * processors than machines, each has one, together with every |all|-th machine after it. */
static double use_of(const trial *trial, int i, int all)
{
    double sum = 0;
    for (int k = i;
         k<trial->machine_count; k += trial->machine_count> all ? all : BENCH_MOST_MACHINES)
        sum += trial_tasks_use(trial, k, WEIR_CPU_SECONDS).mean;
    return sum / (trial->machine_count > all ? 1 : all / trial->machine_count);
}

static double busiest_processors(const trial *trial)
{
    int all = weir_cpu_count();
    double most = 0;
    for (int i = 0; i < trial->machine_count && i < all; i++)
        most = fmax(most, use_of(trial, i, all));
    return fmin(most, 1);
}

overlap overlap_of_trial(const trial *trial, double mbit)
{
    if (!trial->simulated || !(mbit > 0) || !(trial->steps_per_s > 0))
        return (overlap){NAN, NAN, NAN, NAN};
    double step_ms = 1e3 / trial->steps_per_s;
    double wire_ms = busiest_link(trial) * 8e-6 / mbit * step_ms;
    return overlap_of_step(step_ms, wire_ms, busiest_processors(trial) * step_ms);
}
